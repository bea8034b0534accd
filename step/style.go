package step

// Style is what the normaliser takes away of a step before a judge sees it, and the words that hedge.
type Style struct {
	Fingerprint string // hash of the file; a run keeps it
}
