// Package battery holds the operators of the chain audit: small edits of a chain (F-block) or of a question's stem
// (M-block), each with its tags and its source. To add an operator, see docs/adding.md.
package battery

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

// Operator is one variant of one family.
type Operator struct {
	ID      string `json:"id"`      // "F1-50", "M2-age-a", "M5-b": unique in a battery
	Family  string `json:"family"`  // "F1" ... "M6"
	Variant string `json:"variant"` // "50", "age-a", "b"
	Title   string `json:"title"`   // "severity reversal"
	Block   Block  `json:"block"`
	Intent  Intent `json:"intent"`
	Locus   Locus  `json:"locus"`
	Source  string `json:"source"`  // the paper's section or appendix
	Version string `json:"version"` // changes with every change of the edit it makes

	edit func(text string, p pick) Edit
}

// Edit is what an operator made of a text.
type Edit struct {
	Fired  bool     `json:"-"`
	Why    string   `json:"-"`                // why it did not fire
	Text   string   `json:"-"`                // the edited text
	Old    string   `json:"old,omitempty"`    // what was replaced, as it stood
	New    string   `json:"new,omitempty"`    // what stands there now
	Tokens []string `json:"tokens,omitempty"` // new tokens for the token rule (M2, M5); M4 uses fixed patterns
	Marker bool     `json:"marker,omitempty"` // F3 changed the digit of a "Step n:" marker
}

// Battery is a list of operators in the order of reports.
type Battery struct {
	Expression  string     `json:"expression"` // as given, e.g. "families+F1+M2"
	Operators   []Operator `json:"operators"`
	Fingerprint string     `json:"fingerprint"` // hash of ids, tags, versions and tables
}

// pick makes the seeded choices of one edit.
type pick func(purpose string, n int) int

// Parse reads a battery expression: "paper", "families", or either with families or variants added:
// "families+F1+M2", "families+M2-sex".
func Parse(expression string) (Battery, error) { panic("to be written") }

// Apply edits a text: the chain for an F-operator (without its final answer line), the stem for an M-operator. The
// choices it makes depend on (seed, item, operator id, purpose) alone.
func (o Operator) Apply(text string, seed uint64, item string) Edit { panic("to be written") }

// Registers applies the token rule: does the chain that followed the edit register it? token is the published rule,
// inflected the wider one that is reported beside it. The rule is defined for M2, M4 and M5 only (ok).
func (o Operator) Registers(e Edit, chain string) (token, inflected, ok bool) { panic("to be written") }
