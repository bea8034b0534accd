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
}

// Of implements percuss.Record.
func (r Record) Of() percuss.SubjectID { return r.Subject }
