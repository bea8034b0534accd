package percuss

import "strconv"

// Question is one multiple-choice item of a data set.
type Question struct {
	ID      string   `json:"id"`                // Set plus native id, or Set plus the hash of the raw stem and options; unique in a run
	Set     string   `json:"set"`               // the data set's name, e.g. "medqa"
	Context []string `json:"context,omitempty"` // passages shown before the stem, never edited by default
	Stem    string   `json:"stem"`              // the vignette with the question asked, trimmed
	Options []Option `json:"options"`           // in the order shown
	Gold    string   `json:"gold"`              // the label of the right option; never enters a Request
	Source  Source   `json:"source"`            // where the row stands
	Note    string   `json:"note,omitempty"`    // why the key is right, where the set says so; never enters a Request
	Flags   []string `json:"flags,omitempty"`   // remarks of the loader, e.g. "no-vignette"

	// Kind says what an answer is: empty, the label of an option; Number, a number, of which Gold is the canonical form
	// and for which there are no options.
	Kind Kind `json:"kind,omitempty"`
	// Domain is what the question is about where that is not medicine, e.g. "arithmetic". Such a set is there for
	// comparison: edits of the question do not fire on it, and it enters no mean of medical sets.
	Domain string `json:"domain,omitempty"`
}

// Kind is what an answer to a question is.
type Kind string

// Numeric is the kind of a question whose answer is a number, without options.
const Numeric Kind = "number"

// Option is one answer option.
type Option struct {
	Label string `json:"label"` // A, B, ... Z, AA, AB, ...
	Text  string `json:"text"`  // trimmed for display and matching
}

// Source names the row that a question came from.
type Source struct {
	File   string `json:"file,omitempty"`   // base name of the file
	SHA256 string `json:"sha256,omitempty"` // of the whole file, hex
	Split  string `json:"split,omitempty"`
	Line   int    `json:"line,omitempty"` // from 1
}

// Option returns the option with the given label.
func (q Question) Option(label string) (Option, bool) {
	for _, o := range q.Options {
		if o.Label == label {
			return o, true
		}
	}
	return Option{}, false
}

// Labels returns the labels in the order shown.
func (q Question) Labels() []string {
	labels := make([]string, len(q.Options))
	for i, o := range q.Options {
		labels[i] = o.Label
	}
	return labels
}

// Label returns the label of the i-th option from 0: A to Z, then AA, AB, ... as spreadsheet columns run.
// A label of more than one letter is unique, but cannot be scored by one token: see the back-end's capabilities.
func Label(i int) string {
	if i < 0 {
		panic("percuss: negative option index " + strconv.Itoa(i))
	}
	s := ""
	for i++; i > 0; i = (i - 1) / 26 {
		s = string(rune('A'+(i-1)%26)) + s
	}
	return s
}
