package evidence

import "github.com/percuss/percuss"

// Findings are the tables of the evidence audit over cells (model × set). Every share and rate is an Estimate: value,
// interval, n; what needs something that is not there is missing and says why.
type Findings struct {
	Salient   float64            `json:"salient"` // nats
	Labels    Labels             `json:"labels"`
	Cells     []Cell             `json:"cells"`           // in the order of the records
	Ranks     *Ranks             `json:"ranks,omitempty"` // when there are several models
	Panel     *Panel             `json:"panel,omitempty"` // when there are several cells
	Decisions []percuss.Decision `json:"decisions"`       // what the paper leaves open and how it was settled, as far as it applied here
	Bootstrap int                `json:"bootstrap"`       // replicates
	Level     float64            `json:"level"`           // of every interval
}

// Audit implements percuss.Findings.
func (Findings) Audit() string { return "evidence" }

// Count is a number with its name.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// Cell is one model on one set.
type Cell struct {
	Variant   string `json:"variant,omitempty"`
	Model     string `json:"model"`
	Set       string `json:"set"`
	Narrative bool   `json:"narrative,omitempty"` // every case is a narrative: nothing is known of what a sentence is evidence for

	Cases    int     `json:"cases"`
	Prose    int     `json:"narratives"` // cases that are narratives: in no suspicious figure
	Scored   int     `json:"scored"`     // cases in the interaction statistics
	States   []Count `json:"states"`     // of the base setting; and "refused": nothing was asked
	Reasons  []Count `json:"reasons"`    // why cases are not scored, in words
	Unasked  []Count `json:"unasked"`    // what was planned and not asked, and why
	Sampled  int     `json:"sampled"`    // letters drawn for each prompt; 0: log-probabilities
	Censored int     `json:"censored"`   // scores that are bounds only, over all prompts of the base setting

	Accuracy percuss.Estimate `json:"accuracy"` // Table 2: arg max on the full evidence (Wilson)
	AlwaysA  percuss.Estimate `json:"always_a"` // what "always A" would score
	Letters  []Count          `json:"letters"`  // the gold's letter, A first
	Mass     percuss.Estimate `json:"mass"`     // mean probability on the candidates' letters
	Empty    percuss.Estimate `json:"empty"`    // mean gold margin with every audited unit hidden, nats
	Full     percuss.Estimate `json:"full"`     // mean gold margin on the full evidence, nats

	Gold       Profile   `json:"gold"`                  // interactions in the gold's margin at the salience threshold
	AboveFloor *Profile  `json:"above_floor,omitempty"` // of these, those above the floor of their order; nil where repeated prompts show no noise
	Everyone   Profile   `json:"everyone"`              // of every candidate audited, each with its own flags
	Thresholds []Profile `json:"thresholds"`            // the gold's at 0.25, 0.5, 1 and 2 nats

	Orders   []OrderShare     `json:"orders"`      // Table 17: salient interactions by order
	Strength []OrderShare     `json:"strength"`    // all interactions by order, whatever their strength
	Above    percuss.Estimate `json:"above"`       // mean share of a case's strength above order 3; missing unless all orders were asked
	ByNoise  NoiseShare       `json:"above_noise"` // the same of noise alone
	AboveBy  []Quantile       `json:"above_by"`    // its distribution over cases
	Residual percuss.Number   `json:"residual"`    // largest departure from completeness, nats

	Stability []StabilityRow `json:"stability"` // Tables 8 and 9; base setting first
	Selectors []SelectorRow  `json:"selectors"` // Table 16
	Cascade   []CascadeRow   `json:"cascade"`   // Table 7
	Ablation  []AblationRow  `json:"ablation"`  // Table 3
	Floor     []FloorRow     `json:"floor"`
	Discovery []Discovery    `json:"discovery"` // lists that control the share of false discoveries
	Strata    []StratumRow   `json:"strata"`    // Table 20
	Examples  []Example      `json:"examples"`  // Table 6: one telling change for each outcome and stratum
	Review    []ReviewRow    `json:"review"`    // Tables 5 and 19: by bucket; empty without judgements
	Cautions  []string       `json:"cautions"`  // what a reader must know first, e.g. a label share that equals its null
}

// Profile is the mechanism shares of one threshold. The suspicious figures and overuse count structured cases only,
// above and below the line, for nothing is known of what a narrative's sentence is evidence for.
type Profile struct {
	Name       string           `json:"name,omitempty"` // where the threshold alone does not name it
	Threshold  float64          `json:"threshold"`      // nats
	Targets    int              `json:"targets"`        // case × audited diagnosis
	Salient    int              `json:"salient"`
	Strength   float64          `json:"strength"`             // total, nats
	PerCase    percuss.Estimate `json:"per_case"`             // salient interactions a target
	Suspicious percuss.Estimate `json:"suspicious"`           // strict suspicious strength ÷ total salient strength
	SuspCount  percuss.Estimate `json:"suspicious_count"`     // the same by count
	SuspCase   percuss.Estimate `json:"suspicious_per_case"`  // suspicious interactions a target
	SameSets   Coin             `json:"suspicious_same_sets"` // what a coin for the signs would make suspicious
	Mechanisms []Mechanism      `json:"mechanisms"`           // Tables 4, 14, 15: by label, in the order of the rules
	Rules      []Mechanism      `json:"rules"`                // the same by rule
	Coarse     []Mechanism      `json:"coarse"`               // Tables 14 to 16
	Overuse    percuss.Estimate `json:"overuse"`              // potential history/risk overuse, share of count: outside the strict set
	OveruseCut percuss.Number   `json:"overuse_cut"`          // strength from which it counts, nats: one for all profiles of a cell
}

// Mechanism is one row of the mechanism tables.
type Mechanism struct {
	Name       string           `json:"name"`
	Suspicious bool             `json:"suspicious,omitempty"`
	Count      int              `json:"count"`
	Strength   float64          `json:"strength"`       // nats
	Share      percuss.Estimate `json:"share"`          // of count
	Weight     percuss.Estimate `json:"strength_share"` // of strength
	Mean       percuss.Estimate `json:"mean"`           // strength ÷ count, nats
	Null       percuss.Number   `json:"null"`           // share of count that random signs on all sets of units would give, salient or not
	SameSets   Coin             `json:"same_sets"`      // what random signs on the salient sets themselves would give
}

// Coin is what a coin for the sign would give: each salient interaction is counted half under its own sign and half
// under the opposite one. Only the signs are drawn, so that it is no null for which sets are salient.
type Coin struct {
	Count    percuss.Number `json:"count"`    // expected share of count
	Strength percuss.Number `json:"strength"` // expected share of strength

	// Of the interactions that are of this kind under one sign and not under the other, the share that the model's own
	// sign makes so. A coin gives one half. Missing where no interaction's kind hangs on its sign.
	ByCount    percuss.Estimate `json:"by_count"`
	ByStrength percuss.Estimate `json:"by_strength"`
}

// OrderShare is one order's part.
type OrderShare struct {
	Order  int              `json:"order"`
	Count  int              `json:"count"`
	Share  percuss.Estimate `json:"share"` // of count
	Weight percuss.Estimate `json:"strength_share"`
	Mean   percuss.Estimate `json:"mean"`  // nats
	Noise  NoiseShare       `json:"noise"` // for all interactions, not for the salient ones
}

// NoiseShare holds a share of strength against independent noise of the size that repeated prompts show. Missing where
// nothing was repeated, or repetitions do not differ.
type NoiseShare struct {
	Alone percuss.Number `json:"alone"` // the share, were there noise and nothing else
	Most  percuss.Number `json:"most"`  // strength of that noise ÷ measured strength: the most of the share that it explains
}

// Quantile is a quantile of a distribution over cases.
type Quantile struct {
	P     float64        `json:"p"` // 0 to 1
	Value percuss.Number `json:"value"`
}

// StabilityRow is one kind of setting against its reference.
type StabilityRow struct {
	Name        string           `json:"name"`           // e.g. "clinical-summary", "questionnaire", "candidate orders", "neutralize"
	Kind        Kind             `json:"kind,omitempty"` // empty: a reference
	Cases       int              `json:"cases"`
	Accuracy    percuss.Estimate `json:"accuracy"`    // mean over the setting's orders
	Difference  percuss.Estimate `json:"difference"`  // accuracy minus the reference's, paired over cases; missing for a reference
	Agreement   percuss.Estimate `json:"agreement"`   // with the reference's prediction
	Correlation percuss.Estimate `json:"correlation"` // mean over cases of the margins' Pearson correlation
	Centred     percuss.Estimate `json:"centred"`     // the same of margins minus their candidate's mean over the subsets
	Overlap     percuss.Estimate `json:"overlap"`     // mean Jaccard of the ten strongest sets
	Chance      percuss.Estimate `json:"chance"`      // mean overlap that random sets would have
	Suspicious  percuss.Estimate `json:"suspicious"`  // strict suspicious strength ratio
	PerCase     percuss.Estimate `json:"suspicious_per_case"`
}

// SelectorRow is one selector (Table 16).
type SelectorRow struct {
	Selector   Selector         `json:"selector"`
	Cases      int              `json:"cases"`
	Salient    int              `json:"salient"`
	Coarse     []Mechanism      `json:"coarse"`
	Overlap    percuss.Estimate `json:"overlap"` // with the base selector's ten strongest sets; of random selections with each other, too, where it says so
	Suspicious percuss.Estimate `json:"suspicious"`
}

// CascadeRow is one step of Table 7. Precision and the like need judgements.
type CascadeRow struct {
	Step         string           `json:"step"` // "raw automatic", "could be checked", "prompt-stable", "order-stable", "survives neutralization", "family survives neutralization", "control ..."
	Control      bool             `json:"control,omitempty"`
	Asked        int              `json:"asked"` // interactions that came into the step and could be checked; of "could be checked": all
	Kept         int              `json:"kept"`
	Rate         percuss.Estimate `json:"rate"`      // kept ÷ asked, clustered by case
	Judged       int              `json:"judged"`    // kept and judged
	Precision    percuss.Estimate `json:"precision"` // judged invalid ÷ judged (Wilson)
	Questionable percuss.Estimate `json:"questionable"`
	False        percuss.Estimate `json:"false_positive"` // judged valid ÷ judged
}

// AblationRow is one depth of Table 3.
type AblationRow struct {
	Order      int              `json:"order"`      // highest order asked
	Budget     float64          `json:"budget"`     // prompts a case, mean
	Strength   percuss.Estimate `json:"strength"`   // share of the salient strength of orders 1 to 3 that is kept
	Suspicious percuss.Estimate `json:"suspicious"` // share of the strict suspicious interactions of orders 1 to 3 retrieved
	Invalid    percuss.Estimate `json:"invalid"`    // share of those judged invalid retrieved; needs judgements
}

// FloorRow is the noise of a margin (order 0) or of an interaction.
type FloorRow struct {
	Source string         `json:"source"` // "batch" or "order"
	Order  int            `json:"order"`
	SD     percuss.Number `json:"sd"`            // of one measurement, nats
	Floor  percuss.Number `json:"floor"`         // what noise alone exceeds once in twenty times: Student's quantile at DoF × SD
	DoF    int            `json:"dof"`           // cases × repetitions beyond the first
	Cases  int            `json:"cases"`         // that were repeated
	Under  int            `json:"under"`         // salient interactions of this order whose strength is below the floor
	Of     int            `json:"of"`            // salient interactions of this order
	Why    string         `json:"why,omitempty"` // why there is no floor
}

// Discovery is a list of interactions chosen against noise, beside the threshold's list.
type Discovery struct {
	Source string         `json:"source"` // whose noise
	Rate   float64        `json:"rate"`   // false discoveries allowed, e.g. 0.05 (Benjamini and Hochberg 1995)
	Tested int            `json:"tested"`
	Listed int            `json:"listed"`
	Both   int            `json:"both"`         // listed and salient
	Only   int            `json:"only_salient"` // salient and not listed
	P      percuss.Number `json:"p"`            // largest p-value on the list
	Why    string         `json:"why,omitempty"`
	Orders []Count        `json:"orders"` // listed by order
}

// StratumRow is one stratum × edit of Table 20 (edit empty: all edits).
type StratumRow struct {
	Stratum  Stratum          `json:"stratum"`
	Edit     Edit             `json:"edit,omitempty"`
	Families int              `json:"families"`
	Cases    int              `json:"cases"`
	Variants int              `json:"variants"` // clean-correct case × family × edit
	Strong   percuss.Estimate `json:"strong"`   // |Δscore of the gold| ≥ 0.5, |Δmargin| ≥ 1 or a change of rank
	Rank     percuss.Estimate `json:"rank"`     // the rank changed
	TDown    percuss.Estimate `json:"target_down"`
	TUp      percuss.Estimate `json:"target_up"`
	CUp      percuss.Estimate `json:"competitor_up"`
	CDown    percuss.Estimate `json:"competitor_down"`
	Stable   percuss.Estimate `json:"stable"`
	Target   percuss.Estimate `json:"target"` // mean Δ score, nats
	Rival    percuss.Estimate `json:"rival"`
	Margin   percuss.Estimate `json:"margin"`
}

// Example is a change with its case.
type Example struct {
	Item    string  `json:"item"`
	Gold    string  `json:"gold"`
	Stratum Stratum `json:"stratum"`
	Outcome string  `json:"outcome"` // as StratumRow names it
	Change  Change  `json:"change"`
	// Interaction is the strongest salient interaction that the family is part of; nil: none.
	Interaction *Interaction `json:"interaction,omitempty"`
	Units       []string     `json:"units,omitempty"` // texts of the interaction's units
}

// ReviewRow is one bucket of Tables 5 and 19.
type ReviewRow struct {
	Bucket       string           `json:"bucket"` // "total": all
	Judged       int              `json:"judged"`
	Valid        int              `json:"valid"`
	Questionable int              `json:"questionable"`
	Invalid      int              `json:"invalid"`
	High         int              `json:"high"` // by confidence
	Medium       int              `json:"medium"`
	Low          int              `json:"low"`
	InvalidRate  percuss.Estimate `json:"invalid_rate"` // Wilson
}

// Ranks sets the models' order by accuracy beside that by faithful and by conflict strength, a row a set
// (descriptive: a handful of models).
type Ranks struct {
	Rows []RankRow `json:"rows"`
}

// RankRow is one set.
type RankRow struct {
	Set      string           `json:"set"`
	Models   []RankedModel    `json:"models"`
	Faithful percuss.Estimate `json:"faithful"` // τ-b of accuracy and faithful strength share
	Conflict percuss.Estimate `json:"conflict"` // τ-b of accuracy and conflict strength share
}

// RankedModel is one model's place in each ranking, from 1; ties share the mean place.
type RankedModel struct {
	Model    string         `json:"model"`
	Accuracy percuss.Number `json:"accuracy"`
	Faithful percuss.Number `json:"faithful"` // share of strength of the coarse class faithful/plausible
	Conflict percuss.Number `json:"conflict"` // share of strength of the coarse class conflict
	ByAcc    percuss.Number `json:"rank_accuracy"`
	ByFaith  percuss.Number `json:"rank_faithful"`
	ByConf   percuss.Number `json:"rank_conflict"`
}
