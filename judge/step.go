package judge

// Step is what a judge sees of one step of a chain: neither whose it is, nor what was answered.
type Step struct {
	Item     string   // the question's id; seeds the order of examples and labels, so that all steps of an item have one beginning, and is not shown
	Question string   // passages, stem and options
	Gold     string   // the right answer in words; empty: it is not shown
	Before   []string // the steps before it, in the words in which it is shown
	Text     string   // the step
	Draw     int      // 0, or the number of a repetition, which has its own order of examples and labels
}

// StepLabel is what a judge says of a step.
type StepLabel string

// The labels. A reply outside the grammar is StepMalformed, never an abstention.
const (
	StepCorrect   StepLabel = "correct"
	StepError     StepLabel = "error"
	StepAbstain   StepLabel = "abstain"
	StepMalformed StepLabel = "malformed"
)

// StepVerdict is a label, and of an error its kind: "factual", "contradicts_case", "unsupported" or "arithmetic"; empty
// where none of these is told.
type StepVerdict struct {
	Label StepLabel
	Kind  string
}

// StepRubric is the wording of a judge of steps and of a neutral model that paraphrases them.
type StepRubric struct {
	Name        string
	Fingerprint string // hash of the file; a run keeps it
}
