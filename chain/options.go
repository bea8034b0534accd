package chain

import (
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/judge"
	"github.com/percuss/percuss/prompt"
)

// AnswerMode says how answers are read.
type AnswerMode string

// The three answer modes (spec/chain-audit.md, section 3).
const (
	Text        AnswerMode = "text"
	Letters     AnswerMode = "letters"
	TextLetters AnswerMode = "text+letters"
)

// Options are the settings of a chain audit. Those that steer requests are frozen in the run.
type Options struct {
	Seed      uint64
	Battery   battery.Battery
	Prompts   prompt.Set
	Answer    AnswerMode
	Stem      StemMode                        // what the M-operators edit; empty: the question alone
	MaxTokens int                             // new tokens of a chain or continuation
	Direct    bool                            // also ask for the answer without a chain
	Can       map[string]percuss.Capabilities // by model id
	Controls  []Control                       // asked of every item; empty: none
	Margins   bool                            // also read the letters after a reply whose text has the answer, for the margin alone
	Judges    []Judge                         // that say of M2, M4 and M5 trials whether the chain uses the edit
	Rubric    judge.Rubric                    // how they are asked
	Questions []percuss.Question              // those that were drawn, in the order of the draw; read only, for operators that need another item's chain

	// The following relabel at report time only.
	Bootstrap int                  // replicates; 0: the default
	Level     float64              // of intervals; 0: 0.95
	Models    map[string]Described // by model id, for grouping
	CHS       [3]float64           // w_miss, w_fa, w_nf; zero: the defaults 1, 0.3, 0.5
	MFC       [3]float64           // weights of FCS, 1−CHS, 1−DFG; zero: the defaults 0.5, 0.3, 0.2
	Modes     Thresholds           // of the failure modes; zero: the paper's
	Labels    []Label              // what people said of trials
	Margin    float64              // of equivalence tests, a difference of flip rates; 0: DefaultMargin
}

// Judge is a model that judges chains.
type Judge struct {
	ID       string `json:"id"`
	Identity string `json:"identity"` // enters its requests
	Family   string `json:"family,omitempty"`
}

// Described is what the specification says of a model beside its name.
type Described struct {
	Tier   string
	Family string
	Params percuss.Number // parameter count
}

// Audit is the chain audit as a percuss.Audit.
type Audit struct {
	o         Options
	sets      map[string][]int            // by set, the places of its questions among the drawn ones
	places    map[string]int              // by item, its place in its set
	operators map[string]battery.Operator // by id
}

// New returns the audit.
func New(o Options) *Audit {
	a := &Audit{o: o, sets: map[string][]int{}, places: map[string]int{}, operators: map[string]battery.Operator{}}
	for _, op := range o.Battery.Operators {
		a.operators[op.ID] = op
	}
	for i, q := range o.Questions {
		a.places[q.ID] = len(a.sets[q.Set])
		a.sets[q.Set] = append(a.sets[q.Set], i)
	}
	return a
}

// Judges are the models that judge chains, in the order of the specification.
func (a *Audit) Judges() []Judge { return a.o.Judges }

// Judging is a request to a judge without a chain, whose length a plan adds to.
func (a *Audit) Judging(j Judge) percuss.Request {
	return a.o.Rubric.Ask(judge.Case{}, j.Identity, a.o.Seed)
}

// Battery is the battery of the audit.
func (a *Audit) Battery() battery.Battery { return a.o.Battery }

// Quotation is what a quoted chain stands between, where a back-end cannot continue one: in a user turn, with the
// request to take it up. Both are empty where the wordings quote the chain more than once, or not at all.
func (a *Audit) Quotation() (before, after string) {
	const chain = "\x00"
	parts := strings.Split(a.o.Prompts.Quotation(chain), chain)
	if len(parts) != 2 {
		return "", ""
	}
	return parts[0], parts[1]
}

// Name implements percuss.Audit.
func (*Audit) Name() string { return "chain" }

// Splitter is the version of the rules that split chains and stems and read answers. It changes when they do; a run
// made under another one is reported from its ledger.
const Splitter = "steps/1 sentences/1 reading/3"
