// Package chain is the first audit: does the visible chain of thought register a clinical edit, and does it drive the
// answer? (Chain paper, sections 3 to 5.) It builds requests and reduces answers; it never calls a model.
package chain

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// State says what became of one trial.
type State string

// The states of a trial. Only Read enters a rate; every other one is counted.
const (
	Read        State = "read"          // an answer was read
	NotFired    State = "not_fired"     // the operator's condition did not match the item
	Unparseable State = "unparseable"   // no answer in the reply
	Ambiguous   State = "ambiguous"     // more than one answer in the reply
	Refused     State = "refused"       // the reply declines to answer, in words; its letters decide nothing
	NoCall      State = "failed"        // the call failed in this run; it is asked again on resume
	Waiting     State = "waiting"       // an earlier answer that it needs is missing or unusable
	Unavailable State = "not_available" // the back-end cannot do it
)

// Reading is what was read from one reply, or pair of replies (text, then letters).
type Reading struct {
	State   State           `json:"state"`
	Why     string          `json:"why,omitempty"`
	Answer  string          `json:"answer,omitempty"`  // the option's label
	Via     Via             `json:"via,omitempty"`     // from the text or from the letters
	Form    string          `json:"form,omitempty"`    // the form of words found, when from the text
	Outcome percuss.Outcome `json:"outcome,omitempty"` // of the text call, else of the letters call
	Correct bool            `json:"correct,omitempty"` // Answer is the gold label; meaningful when State is Read
	Acute   bool            `json:"acute,omitempty"`   // the answered option is high-acuity (Appendix F)
	Words   int             `json:"words"`             // of the chain
	Steps   int             `json:"steps"`             // of the chain
	Margin  percuss.Number  `json:"margin"`            // log-probability of the baseline's answer minus the best other, nats
	Quoted  bool            `json:"quoted,omitempty"`  // the chain was quoted in a user turn, not continued
	Block   bool            `json:"block,omitempty"`   // the chain holds a reasoning block
}

// Via says how an answer was read.
type Via string

// The two ways of reading.
const (
	ViaText    Via = "text"
	ViaLetters Via = "letters"
)

// OperatorTrial is one operator on one item.
type OperatorTrial struct {
	ID        string       `json:"id"`
	Edit      battery.Edit `json:"edit"`
	Reading   Reading      `json:"reading"`
	Flip      Flip         `json:"flip"`
	Rule      bool         `json:"rule,omitempty"`      // the token rule is defined for this trial: fired M2, M4, M5 with a chain
	Token     bool         `json:"token,omitempty"`     // the chain registers the edit under the published token rule
	Inflected bool         `json:"inflected,omitempty"` // and under the inflected one
	Judged    []Verdict    `json:"judged,omitempty"`    // what each judge said, in the order of the specification
	Surface   Surface      `json:"surface,omitempty"`   // of the edited question; nil for an edit of the chain
}

// Verdict is what a judge said of one trial: does the reasoning use the edit?
type Verdict struct {
	Judge string `json:"judge"` // the judge's id in the specification
	Says  Says   `json:"says"`
	Why   string `json:"why,omitempty"` // why there is none
	Asked int    `json:"asked"`         // calls: 1, or 2 with the repair
}

// Says is a verdict. A malformed one is missing and never taken for NotUpdated.
type Says string

// The verdicts.
const (
	SaysUpdated    Says = "updated"
	SaysNotUpdated Says = "not_updated"
	SaysNothing    Says = "missing"
)

// Surface is what can be seen of a question's text without understanding it, one number a feature in the order of
// SurfaceFeatures.
type Surface []float64

// Control is a trial that no operator makes: the noise and the form that effects are held against.
type Control string

// The controls (chain audit, section 8). Their trials have these ids.
const (
	// Sham is the baseline's request asked again.
	Sham Control = "sham"
	// ShamChain gives the baseline's own chain back unedited as the beginning of the turn.
	ShamChain Control = "sham-chain"
	// FormatMarkers shows the options as "(A) text", FormatSpace with a blank line between them.
	FormatMarkers Control = "format-markers"
	FormatSpace   Control = "format-space"
	// Shuffle shows the options in another order; answers are compared by content (chain paper, Table 8).
	Shuffle Control = "shuffle"
)

// ControlTrial is one control on one item.
type ControlTrial struct {
	ID      Control `json:"id"`
	Fired   bool    `json:"fired"`
	Why     string  `json:"why,omitempty"`
	Reading Reading `json:"reading"` // Answer is the label as the question has it, also where the options were shuffled
	Flip    Flip    `json:"flip"`
	Shown   string  `json:"shown,omitempty"` // of a shuffle, the label under which the answer stood
	Gold    string  `json:"gold,omitempty"`  // of a shuffle, the label under which the gold option stood
}

// Flip says whether the answer moved from the baseline's.
type Flip string

// The values of Flip. Mixed readings (text against letters) are counted in a row of their own, never in a rate.
const (
	NoFlip    Flip = ""     // not comparable: one of the two has no answer
	Kept      Flip = "keep" // same answer, read the same way
	Flipped   Flip = "flip" // other answer, read the same way
	MixedKept Flip = "mixed_keep"
	MixedFlip Flip = "mixed_flip"
)

// Record is what the tables need of one subject.
type Record struct {
	Subject   percuss.SubjectID `json:"subject"`
	Gold      string            `json:"gold"`
	Options   int               `json:"options"`
	Base      Reading           `json:"base"`
	Direct    Reading           `json:"direct"`    // the answer without a chain; State NotFired when not asked
	Operators []OperatorTrial   `json:"operators"` // in the order of the battery
	Controls  []ControlTrial    `json:"controls,omitempty"`

	Domain  string       `json:"domain,omitempty"`  // of the question; empty: medicine
	Kind    percuss.Kind `json:"kind,omitempty"`    // of the question
	Longest string       `json:"longest,omitempty"` // the label of the longest option, the first of several; empty: no options
	Acute   string       `json:"acute,omitempty"`   // the labels of the high-acuity options, joined by commas
	Surface Surface      `json:"surface,omitempty"` // of the question as it stands
	Given   bool         `json:"given,omitempty"`   // the reply is a foreign log's: nothing else could be asked
}

// Of implements percuss.Record.
func (r Record) Of() percuss.SubjectID { return r.Subject }
