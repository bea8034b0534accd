package evidence

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// Salient is the strength from which an interaction counts, in nats (evidence paper; an option at report time).
const Salient = 0.5

// State says what became of a case under one setting.
type State string

// The states of a case.
const (
	Scored   State = "scored"   // every prompt has scores
	Waiting  State = "waiting"  // answers are missing
	Censored State = "censored" // the gold's letter was not among those that the back-end returned: in no interaction
	Constant State = "constant" // every candidate has the same score in every prompt: the letters say nothing
	Unscored State = "unscored" // some prompt has no usable scores, and why is said
)

// Record is what the tables need of one case under one model.
type Record struct {
	Subject    percuss.SubjectID `json:"subject"`
	Why        string            `json:"why,omitempty"` // why nothing was asked
	Gold       string            `json:"gold"`
	Candidates []string          `json:"candidates"` // in the base order, the first under letter A
	Narrative  bool              `json:"narrative,omitempty"`
	Order      int               `json:"order"`               // highest order of an interaction under the base setting
	CheckOrder int               `json:"check_order"`         // the same under the other settings
	Sampled    int               `json:"sampled"`             // letters drawn for each prompt; 0: log-probabilities
	Units      []UnitRecord      `json:"units"`               // the audited ones, in the order of their bits
	Base       Measured          `json:"base"`                // the gold's margin under the base setting
	Unrotated  *Measured         `json:"unrotated,omitempty"` // the same in the base order alone, where Base is over its rotations; nil: it is Base
	Null       map[string]int    `json:"null"`                // by rule: signs × sets of orders 1 to Order that it would label (Labels.NullCounts)
	Others     []Competitor      `json:"others"`              // every other candidate audited under the base setting
	Variants   []Variant         `json:"variants"`            // the other settings that were asked
	Compared   []Comparison      `json:"compared"`            // pairs of settings
	Cascade    []Survival        `json:"cascade"`             // suspicious interactions and their controls, where the case was checked
	Noise      []Noise           `json:"noise"`               // squared deviations between repetitions
	Changes    []Change          `json:"changes"`             // counterfactuals
	Families   []Family          `json:"families"`            // of the case, with their strata; empty until the base setting is scored
	Unasked    []string          `json:"unasked,omitempty"`   // what was planned and not asked, and why
}

// Reference is what the other settings are held against: they are asked in one order of the candidates, so that it is the
// base setting in its one order, also where Base is over all rotations.
func (r Record) Reference() Measured {
	if r.Unrotated != nil {
		return *r.Unrotated
	}
	return r.Base
}

// Of implements percuss.Record.
func (r Record) Of() percuss.SubjectID { return r.Subject }

// UnitRecord is an audited unit as seen from the gold.
type UnitRecord struct {
	ID     string `json:"id"`
	Family string `json:"family,omitempty"`
	Text   string `json:"text"`
	Flags  []Flag `json:"flags,omitempty"`
	Role   Role   `json:"role"`

	Shapley percuss.Number `json:"shapley"` // in the gold's margin under the base setting, all orders asked: else missing
	Banzhaf percuss.Number `json:"banzhaf"`
}

// Measured is the margin of a diagnosis under one setting.
type Measured struct {
	Setting      Setting                 `json:"setting"`
	State        State                   `json:"state"`
	Why          string                  `json:"why,omitempty"`
	Letter       string                  `json:"letter"`     // under which the diagnosis stood
	Prediction   string                  `json:"prediction"` // the best candidate on the full evidence; empty: none or a tie
	Correct      bool                    `json:"correct"`
	Answered     bool                    `json:"answered"`        // the full evidence has a usable answer: the case counts for accuracy
	Margin       percuss.Number          `json:"margin"`          // on the full evidence, nats
	Empty        percuss.Number          `json:"empty"`           // with every audited unit hidden
	Censored     int                     `json:"censored"`        // scores that are bounds only
	Mass         percuss.Number          `json:"mass"`            // mean probability that lies on the candidates' letters, 0 to 1
	Interactions []Interaction           `json:"interactions"`    // all of orders 1 to the highest asked, strongest first; empty unless scored
	ByOrder      []lattice.OrderStrength `json:"by_order"`        // over all interactions, from order 1
	Residual     percuss.Number          `json:"residual"`        // |Σ I(S) − (v(N) − v(∅))| where all orders were asked
	Pairs        []Pair                  `json:"pairs,omitempty"` // of the gold under the base setting, all orders asked: the ten strongest by SII
}

// Pair is what two units do together beyond what each does, once the interactions of more units that hold both are shared
// out. k-SII is of order 3, the depth of the paper's audit: with k = 2 it would be the SII again.
type Pair struct {
	Set   lattice.Set    `json:"set"`
	Units []string       `json:"units"` // ids
	SII   percuss.Number `json:"sii"`   // Shapley-interaction index, nats
	KSII  percuss.Number `json:"k_sii"` // part of the margin that belongs to the pair where sets of up to three units share it, nats
}

// Interaction is one interaction in the margin of a diagnosis. Rule, Label and Suspicious are given to every one,
// whatever its strength: the tables apply the threshold.
type Interaction struct {
	Set        lattice.Set `json:"set"` // bits of the units
	Value      float64     `json:"value"`
	Rule       string      `json:"rule"`
	Label      string      `json:"label"`
	Suspicious bool        `json:"suspicious,omitempty"`
	Opposite   string      `json:"opposite,omitempty"` // the rule, had it the other sign; empty: not known
}

// Competitor is a candidate other than the gold, audited as if it were the target: flags and labels are its own.
type Competitor struct {
	Name     string   `json:"name"`
	Measured Measured `json:"measured"`
}

// Variant is the gold's margin under a setting that is not the base setting.
type Variant struct {
	Measured
	Units []UnitRecord `json:"units,omitempty"` // of another selector; empty: those of the record
}

// Kind says in what two settings differ.
type Kind string

// The kinds of comparison.
const (
	ByWording  Kind = "wording"
	ByOrdering Kind = "order"
	ByHiding   Kind = "hide"
	BySelector Kind = "selector"
)

// Comparison sets two settings of one case side by side. What cannot be compared is missing.
type Comparison struct {
	Kind        Kind           `json:"kind"`
	Of          Setting        `json:"of"`
	With        Setting        `json:"with"`        // the reference: the base setting, or the same setting under the base's wording or order
	Agree       percuss.Number `json:"agree"`       // 1: the same candidate is best on the full evidence; 0: another
	Correlation percuss.Number `json:"correlation"` // Pearson over subsets × candidates of the margins; missing for selectors
	Centred     percuss.Number `json:"centred"`     // the same of margins minus their candidate's mean over the subsets: what the evidence moves
	Overlap     percuss.Number `json:"overlap"`     // Jaccard of the ten strongest sets, by units' ids
	Chance      percuss.Number `json:"chance"`      // overlap that as many sets drawn at random would have; missing for selectors
}

// Survival says whether one salient interaction of the base setting is found again under the checks. Suspicious ones
// must be suspicious again; their controls, salient ones of the same order that the strict rules did not pick, must only
// be salient with the same sign.
type Survival struct {
	Set        lattice.Set `json:"set"`
	Value      float64     `json:"value"`
	Rule       string      `json:"rule"`
	Suspicious bool        `json:"suspicious"`
	Prompt     Verdict     `json:"prompt"`     // in every other wording
	Order      Verdict     `json:"order"`      // in every other candidate order
	Neutralize Verdict     `json:"neutralize"` // with hidden units marked instead of dropped
	Family     Verdict     `json:"family"`     // the same, in some set of the same families
}

// Verdict is the outcome of one check.
type Verdict string

// The verdicts.
const (
	Holds    Verdict = "holds"
	Fails    Verdict = "fails"
	NotAsked Verdict = "not_asked" // the case was not checked so, answers are missing, or the set is above the order asked
)

// Noise are squared deviations of repetitions of one case, pooled: Sum/DoF is the variance of one measurement. The
// measurements of a case share their prompts, so that they say less of the noise of another case than DoF promises.
type Noise struct {
	Source  string  `json:"source"`  // "batch": identical prompts in other company; "order": other candidate orders
	Order   int     `json:"order"`   // of the interaction; 0: the margin itself
	Sum     float64 `json:"sum"`     // nats squared
	DoF     int     `json:"dof"`     // measurements × Repeats
	Repeats int     `json:"repeats"` // askings beyond the first: the independent degrees of freedom of one case
}

// Stratum is a group of families (spec/evidence-audit.md, section 5).
type Stratum string

// The strata. A family may be in several.
const (
	High      Stratum = "high"      // in a strict suspicious interaction
	Clean     Stratum = "salient"   // in a salient interaction, and in no strict suspicious one: what high is held against
	Low       Stratum = "low"       // present, and in no salient interaction
	Plausible Stratum = "plausible" // a reviewer or the user calls it appropriate for the gold
)

// Family is all findings of a case under one question, audited or not.
type Family struct {
	ID     string    `json:"id"`
	Texts  []string  `json:"texts"` // of its findings
	Strata []Stratum `json:"strata,omitempty"`
	Absent bool      `json:"absent,omitempty"` // every finding of it is recorded as absent
}

// Edit is what is done to a family.
type Edit string

// The edits.
const (
	Remove         Edit = "remove"
	Unspecify      Edit = "unspecified"
	Flip           Edit = "flip"           // present to absent and back; only for yes-or-no findings
	Administrative Edit = "administrative" // replaced by text that is no evidence for anything
)

// Change is what a counterfactual moved, on the full evidence. Differences are after minus before, nats.
type Change struct {
	Family     string         `json:"family"`
	Edit       Edit           `json:"edit"`
	State      State          `json:"state"`
	Why        string         `json:"why,omitempty"`
	Before     []string       `json:"before"`      // texts of the family's findings
	After      []string       `json:"after"`       // what stands in the prompt instead; empty: nothing
	Competitor string         `json:"competitor"`  // the strongest before the change
	Target     percuss.Number `json:"target"`      // Δ score of the gold
	Rival      percuss.Number `json:"rival"`       // Δ score of that competitor
	Margin     percuss.Number `json:"margin"`      // Δ margin of the gold
	RankBefore int            `json:"rank_before"` // of the gold, from 1
	RankAfter  int            `json:"rank_after"`
}

// Judgement is one reviewer's word on one interaction (spec/evidence-audit.md, section 6), or the adjudicated one.
type Judgement struct {
	Item       string   `json:"item"`
	Model      string   `json:"model"`
	Target     string   `json:"target"` // the audited diagnosis
	Units      []string `json:"units"`  // ids of the interaction's units
	Bucket     string   `json:"bucket,omitempty"`
	Verdict    string   `json:"verdict"`    // "valid", "questionable" or "invalid"
	Confidence string   `json:"confidence"` // "high", "medium", "low" or empty
}
