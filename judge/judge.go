// Package judge asks a second model whether a chain of thought uses an edit: an eight-example rubric, and the strict
// reading of its reply (chain paper, section 6.4 and Table 7; our wording). It builds requests and reads answers; it never
// calls a model.
package judge

import "github.com/percuss/percuss"

// Case is what a judge sees of one trial. It sees neither the question nor the answer nor whose chain it is.
type Case struct {
	ID    string // of the trial; seeds the order of the examples and of the two verdicts, and is not shown
	Kind  string // what kind of edit it was, in words, e.g. "age", "negation of a finding"
	Old   string // what stood there
	New   string // what stands there now
	Chain string // the reasoning that followed
}

// Verdict is what a judge's reply says.
type Verdict string

// The verdicts. A reply outside the grammar is Malformed, never a NotUpdated.
const (
	Updated    Verdict = "updated"
	NotUpdated Verdict = "not_updated"
	Malformed  Verdict = "malformed"
)

// Rubric is the wording of a judge: instructions, examples, grammar.
type Rubric struct {
	Name        string
	Fingerprint string // hash of the file; a run keeps it
}

// Default returns the rubric that Percuss ships.
func Default() Rubric { return Rubric{} }

// Ask is the request that puts a case to a judge of the given identity.
func (r Rubric) Ask(c Case, identity string, seed uint64) percuss.Request { return percuss.Request{} }

// Repair is the one request that follows a malformed reply.
func (r Rubric) Repair(c Case, identity string, seed uint64, malformed percuss.Answer) percuss.Request {
	return percuss.Request{}
}

// Read reads a judge's reply.
func (r Rubric) Read(a percuss.Answer) Verdict { return Malformed }
