package evidence

import (
	"cmp"
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/prompt"
)

// Version is of everything that makes the requests of a case beside its options: the choice of units, the trials, the
// edits. It changes when a later version would ask something else; a run keeps the one that it was begun with.
const Version = "1"

// Hide says how a unit is hidden.
type Hide string

// The two ways of hiding (spec/evidence-audit.md, section 2).
const (
	Drop       Hide = "drop"       // hidden units leave the prompt
	Neutralize Hide = "neutralize" // hidden units stay, their value "not specified"
)

// Debias says how a model's liking for certain letters is taken out of the margins (spec/evidence-audit.md, section 8).
type Debias string

// The ways of taking out a letter bias.
const (
	Raw    Debias = "none"   // margins as they are
	Cyclic Debias = "cyclic" // each candidate's scores are means over all rotations of the base order: as many prompts more; checks have one order
	Prior  Debias = "prior"  // each letter's score of a prompt without content is subtracted: one prompt more a wording
)

// Setting is one way of putting a case: subsets of its audited units are asked under it.
type Setting struct {
	Wording       string   `json:"wording"`
	Order         int      `json:"order"`              // number of the candidate order; 0 is the base order
	Rotation      int      `json:"rotation,omitempty"` // places by which the order is rotated, for Cyclic
	Hide          Hide     `json:"hide"`
	EvidenceFirst bool     `json:"evidence_first,omitempty"`
	Selector      Selector `json:"selector,omitempty"`      // empty: the base setting's
	SelectorSeed  int      `json:"selector_seed,omitempty"` // number of a random selection, from 1; 0: not random
}

// String names the setting in a trial's id and in tables.
func (s Setting) String() string {
	out := fmt.Sprintf("%s/o%d/%s", s.Wording, s.Order, s.Hide)
	if s.Rotation > 0 {
		out += fmt.Sprintf("/r%d", s.Rotation)
	}
	if s.EvidenceFirst {
		out += "/first"
	}
	if s.Selector != "" {
		out += "/" + string(s.Selector)
	}
	if s.SelectorSeed > 0 {
		out += fmt.Sprintf(".%d", s.SelectorSeed)
	}
	return out
}

// Checks says on how many cases of each set, from the first that was drawn, a check is made; -1: on the share that the
// paper made it on; 0: on none. Cases are drawn as prefixes of one permutation, so a longer run only adds to them.
type Checks struct {
	Stability       int // both wordings × three candidate orders; the paper: 100 of 500
	Neutralize      int // hidden units marked instead of dropped; 200 of 500
	Selectors       int // the three selectors, the random one with three seeds; 100 of 500
	Counterfactuals int // families removed, unspecified, flipped, replaced; all
	Floor           int // every base prompt asked twice more, to measure the noise; ten cases, or two where the back-end repeats itself
}

// The shares of the cases that the paper made each check on.
const (
	stabilityShare  = 0.2
	neutralizeShare = 0.4
)

// The numbers of repeated cases. Where prompts share exactly what they have in common (Capabilities.Layout), repetitions
// are identical and two cases show it; elsewhere noise differs between cases.
const (
	floorCases  = 10
	floorExact  = 2
	exactLayout = "exact"
)

// Of returns how many of n cases each check is made on; exact says that the model's repetitions are identical.
func (c Checks) Of(n int, exact bool) Checks {
	share := func(asked int, share float64) int {
		if asked >= 0 {
			return min(asked, n)
		}
		k := int(share*float64(n) + 0.999999) // at least one where there are cases
		return min(k, n)
	}
	out := Checks{Stability: share(c.Stability, stabilityShare), Neutralize: share(c.Neutralize, neutralizeShare),
		Selectors: share(c.Selectors, stabilityShare), Counterfactuals: share(c.Counterfactuals, 1), Floor: min(c.Floor, n)}
	if c.Floor < 0 {
		out.Floor = min(floorCases, n)
		if exact {
			out.Floor = min(floorExact, n)
		}
	}
	return out
}

// PaperChecks makes every check on the paper's share of the cases.
func PaperChecks() Checks { return Checks{-1, -1, -1, -1, -1} }

// Options are the settings of an evidence audit. All but Salient, Judgements and Level steer requests and are frozen in
// the run.
type Options struct {
	Seed          uint64
	Units         int      // audited units of a structured case; 0: 8
	Sentences     int      // of a narrative; 0: 6
	Selector      Selector // of a structured case; empty: Balanced
	Narrative     Selector // of a narrative: Spaced or Random; empty: Spaced
	Thresholds    Thresholds
	MaxOrder      int    // highest order of an interaction under the base setting; 0: all
	CheckOrder    int    // the same for the settings of checks; 0: 3
	Wording       string // of the base setting; empty: clinical-summary
	Hide          Hide   // empty: Drop
	EvidenceFirst bool
	FileOrder     bool // the base order of the candidates is that of the file, not a seeded shuffle
	Debias        Debias
	Samples       int // drawn letters for each prompt where a back-end gives no log-probabilities; 0: it is refused
	Checks        Checks
	Families      int             // families for each stratum of a case that are changed; 0: 3
	Appropriate   map[string]bool // "item\tfamily": a reviewer or the user calls the family appropriate for the gold
	Labels        Labels
	Prompts       prompt.Cases
	Can           map[string]percuss.Capabilities // by model id
	Rank          map[string]int                  // by item: its place in the draw of its set, from 0
	Drawn         map[string]int                  // by set: number of cases drawn

	Salient    float64     // strength from which an interaction counts in tables, nats; 0: 0.5
	Judgements []Judgement // of reviewers, for the tables that need them; nil: those show –
	Bootstrap  int         // replicates; 0: stat.DefaultReplicates
}

// withDefaults fills in what was not said.
func (o Options) withDefaults() Options {
	o.Units, o.Sentences, o.CheckOrder, o.Families = cmp.Or(o.Units, 8), cmp.Or(o.Sentences, 6), cmp.Or(o.CheckOrder, 3), cmp.Or(o.Families, 3)
	o.Selector, o.Narrative = cmp.Or(o.Selector, Balanced), cmp.Or(o.Narrative, Spaced)
	o.Wording, o.Hide, o.Debias = cmp.Or(o.Wording, "clinical-summary"), cmp.Or(o.Hide, Drop), cmp.Or(o.Debias, Raw)
	o.Salient = cmp.Or(o.Salient, Salient)
	if len(o.Labels.Rules) == 0 {
		o.Labels = DefaultLabels()
	}
	if len(o.Prompts.Wordings()) == 0 {
		o.Prompts = prompt.DefaultCases()
	}
	return o
}

// Audit is the evidence audit: percuss.Audit.
type Audit struct{ o Options }

// New returns the audit with these options.
func New(o Options) *Audit { return &Audit{o.withDefaults()} }

// Name implements percuss.Audit.
func (*Audit) Name() string { return "evidence" }

// Options are the audit's options, with the defaults filled in.
func (a *Audit) Options() Options { return a.o }
