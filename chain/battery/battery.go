// Package battery holds the operators of the chain audit: small edits of a chain (F-block) or of a question's stem
// (M-block), each with its tags and its source. Word lists, tables and numbers are data (paper.yaml). To add an
// operator, see docs/adding.md.
package battery

import (
	"fmt"

	"github.com/percuss/percuss"
)

// Block says what an operator edits.
type Block string

// Intent says whether a faithful chain is expected to react.
type Intent string

// Locus says where an operator acts.
type Locus string

// The tags of an operator (chain paper, section 3).
const (
	F Block = "F" // the chain; the model continues from the edited chain
	M Block = "M" // the question; the model solves again

	Destructive Intent = "D" // clinical evidence changes
	Preserving  Intent = "P" // clinical content stays

	Structural Locus = "Str"
	Surface    Locus = "Sur"
)

// The batteries that operators come from; Own is a file of the user's.
const (
	Paper    = "paper"
	API      = "api"
	Extended = "extended"
	Own      = "own"
)

// Operator is one variant of one family.
type Operator struct {
	ID      string `json:"id"`      // "F1-50", "M2-age-a", "M5-b": unique in a battery
	Family  string `json:"family"`  // "F1" ... "M6"
	Variant string `json:"variant"` // "50", "age-a", "b"
	Title   string `json:"title"`   // "severity reversal"
	Does    string `json:"does"`    // what it does to the text, as a clause without its subject
	Block   Block  `json:"block"`
	Intent  Intent `json:"intent"`
	Locus   Locus  `json:"locus"`
	Source  string `json:"source"`            // the paper's section or appendix
	Version string `json:"version"`           // changes with every change of the edit it makes
	Needs   Need   `json:"needs,omitempty"`   // what it must know besides the text
	Battery string `json:"battery,omitempty"` // where it comes from: Paper, API, Extended or Own

	unless string  // when it does not fire, as a clause
	known  Context // set by Knowing
	edit   func(text string, p pick) Edit
	rule   *rule  // when a chain registers the edit; nil where the rule is not defined
	data   string // kind of edit and tables, canonical JSON, for the fingerprint
}

// Need says what an operator must know besides the text that it edits.
type Need string

// What operators need.
const (
	NeedsAnswer Need = "answer" // the options and the baseline's answer, e.g. for a hint at another option
	NeedsDonor  Need = "donor"  // the chain of another item
)

// Context is what the audit knows of an item besides the text. The gold label is not part of it: it never enters a
// request.
type Context struct {
	Options []percuss.Option // as shown
	Answer  string           // the baseline's answer, a label; empty: there is none
	Donor   string           // another item's chain; empty: there is none
}

// Knowing returns the operator with the context that it edits in. An operator that needs none is not changed by it.
func (o Operator) Knowing(c Context) Operator {
	o.known = c
	return o
}

// Edit is what an operator made of a text.
type Edit struct {
	Fired bool   `json:"-"`
	Why   string `json:"-"` // why it did not fire
	Text  string `json:"-"` // the edited text
	// Old is what was replaced and New what stands there now, as they stand; a long passage is shortened in its middle
	// (" … "), and the several words of a paraphrase are listed. An operator that only inserts has no Old, one that only
	// deletes no New; of two steps that changed places Old is the one that stood first, New the one that does now.
	Old    string   `json:"old,omitempty"`
	New    string   `json:"new,omitempty"`
	Tokens []string `json:"tokens,omitempty"` // new words for the token rule; none where it has fixed patterns (M4) or is not defined
	Marker bool     `json:"marker,omitempty"` // F3 changed the digit of a "Step n:" marker
}

// Battery is a list of operators in the order of reports.
type Battery struct {
	Expression  string     `json:"expression"` // as given, e.g. "families+F1+M2"
	Operators   []Operator `json:"operators"`
	Fingerprint string     `json:"fingerprint"` // hash of ids, tags, versions and tables
}

// Operator returns the operator with the given id.
func (b Battery) Operator(id string) (Operator, bool) {
	for _, o := range b.Operators {
		if o.ID == id {
			return o, true
		}
	}
	return Operator{}, false
}

// Families returns the families of the battery in the order of reports.
func (b Battery) Families() []string {
	var out []string
	for _, o := range b.Operators {
		if len(out) == 0 || out[len(out)-1] != o.Family {
			out = append(out, o.Family)
		}
	}
	return out
}

// Apply edits a text: the chain for an F-operator (without its final answer line), the stem for an M-operator. The
// choices it makes depend on (seed, item, operator id, purpose) alone.
func (o Operator) Apply(text string, seed uint64, item string) Edit {
	if o.edit == nil {
		return Edit{Why: fmt.Sprintf("operator %q comes from a stored description, which cannot edit", o.ID)}
	}
	e := o.edit(text, pick{seed: seed, item: item, operator: o.ID, known: o.known})
	if o.rule == nil || o.rule.fixed {
		e.Tokens = nil
	}
	return e
}

// pick makes the seeded choices of one edit.
type pick struct {
	seed           uint64
	item, operator string
	known          Context
}

// from returns a number in [0, n). Each purpose has a stream of its own, so that one more choice moves no other.
func (p pick) from(purpose string, n int) int {
	return percuss.Rand(p.seed, p.item, p.operator, purpose).IntN(n)
}

// as returns the choices that another operator makes on the same item.
func (p pick) as(operator string) pick {
	p.operator = operator
	return p
}
