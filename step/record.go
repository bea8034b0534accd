package step

import "github.com/percuss/percuss"

// State says what became of one chain.
type State string

// The states of a chain. Only one that is Read has a vote.
const (
	Read        State = "read"        // an answer was read
	Unparseable State = "unparseable" // no answer in the reply
	Ambiguous   State = "ambiguous"   // more than one answer in the reply
	Refused     State = "refused"     // the reply declines to answer, in words
	NoCall      State = "failed"      // the call failed in this run; it is asked again on resume
)

// Says is what a judge or a person said of a step.
type Says string

// The labels of a step. Missing is no label: the reply was malformed, or is not there.
const (
	Correct     Says = "correct"
	Factual     Says = "factual"          // an error: medicine is otherwise
	Contradicts Says = "contradicts_case" // an error: the question says something else
	Unsupported Says = "unsupported"      // an error: it does not follow
	Arithmetic  Says = "arithmetic"       // an error: a number or unit is wrong
	Erroneous   Says = "error"            // an error whose kind was not told
	Abstain     Says = "abstain"          // no claim that could be checked
	Missing     Says = "missing"
)

// IsError reports whether the label says that the step is wrong.
func (s Says) IsError() bool {
	switch s {
	case Factual, Contradicts, Unsupported, Arithmetic, Erroneous:
		return true
	}
	return false
}

// Judges reports whether the label counts in an error rate: it is correct or an error.
func (s Says) Judges() bool { return s == Correct || s.IsError() }

// Record is what the tables need of one subject.
type Record struct {
	Subject percuss.SubjectID `json:"subject"`
	Gold    string            `json:"gold"`
	Options int               `json:"options"`
	Kind    percuss.Kind      `json:"kind,omitempty"`
	Domain  string            `json:"domain,omitempty"` // of the question; empty: medicine
	Given   bool              `json:"given,omitempty"`  // the chains are a foreign log's
	Chains  []Chain           `json:"chains"`           // k, in the order of their seeds
}

// Of implements percuss.Record.
func (r Record) Of() percuss.SubjectID { return r.Subject }

// Chain is one sampled chain.
type Chain struct {
	State   State           `json:"state"`
	Outcome percuss.Outcome `json:"outcome,omitempty"`
	Answer  string          `json:"answer,omitempty"`  // the option's label, or a number
	Correct bool            `json:"correct,omitempty"` // meaningful when State is Read
	Tokens  int             `json:"tokens"`            // generated
	Prompt  int             `json:"prompt"`            // tokens of the prompt
	Words   int             `json:"words"`             // of the chain, without its answer line
	Views   []Viewed        `json:"views"`             // the first view of every chain; the others of those that are judged under them
}

// Viewed is a chain under one view.
type Viewed struct {
	View  string `json:"view"`
	Steps []Step `json:"steps"`
}

// Step is one step under one view.
type Step struct {
	Words  int    `json:"words"`
	Hedged bool   `json:"hedged,omitempty"` // as it was written
	Blank  bool   `json:"blank,omitempty"`  // nothing was left of it without its style: it is judged by nobody and counts as Abstain
	Checks Checks `json:"checks,omitzero"`  // of the first view
	// Says is what each judge said, in the order of the specification; empty: the step is not judged.
	Says []Verdict `json:"says,omitempty"`
	// Again is what each judge said when it was asked once more, with its examples in another order; empty: it was not.
	Again []Verdict `json:"again,omitempty"`
	// Features are hashes of the words and marks of the normalised step, sorted, and Raw of the step as it was written: what a
	// classifier can tell models apart by. Of the first view of judged chains.
	Features []uint16 `json:"features,omitempty"`
	Raw      []uint16 `json:"raw,omitempty"`
}

// Verdict is what one judge said of one step.
type Verdict struct {
	Judge string `json:"judge"`
	Says  Says   `json:"says"`
	Why   string `json:"why,omitempty"` // why it is missing
	Asked int    `json:"asked"`         // calls: 1, or 2 with the repair
}

// Checks are what can be told of a step without a judge. Each is a number of places that were looked at and of those
// where something is wrong, so that a rate has a denominator.
type Checks struct {
	Sums        int `json:"sums,omitempty"`        // calculations in the step that can be done again
	WrongSums   int `json:"wrong_sums,omitempty"`  // whose result is another
	Numbers     int `json:"numbers,omitempty"`     // numbers in the step
	NewNumbers  int `json:"new_numbers,omitempty"` // that stand neither in the question nor in a step before and follow from no calculation
	Stated      int `json:"stated,omitempty"`      // mentions of age, sex or side that the question states, too
	Contradicts int `json:"contradicts,omitempty"` // that say another
}

// Flags reports which checks found something: a wrong calculation, a number from nowhere, a contradiction.
func (c Checks) Flags() (sum, number, contradiction bool) {
	return c.WrongSums > 0, c.NewNumbers > 0, c.Contradicts > 0
}
