package chain

import "github.com/percuss/percuss"

// analyser gathers what one part of the report needs beyond the tables of groups. add is called once for each record
// that the tables count, in any order; analyses once, when all records are there and the groups are made.
type analyser interface {
	add(r Record)
	analyses(s *summary) []percuss.Analysis
}

// analysers are those of the report, in its order.
func (a *Audit) analysers() []analyser {
	return []analyser{
		newPerModel(),
		newAccuracyUnderEdits(),
		perOperator{},
		newOptionShuffle(),
		promptRobustness{},
		sensitivity{},
		newRuleAnalysis(a.o),
		failureModes{a.o.Modes},
		crossDomain{},
		newMargins(),
		newClinicianAnalysis(a.o),
		newControls(a),
		newPolicies(a),
		newFingerprint(a),
		newRunClaims(a),
	}
}

// Mode is the failure mode of a model (chain audit, section 6.8).
type Mode struct {
	Model      string   `json:"model"`
	Variant    string   `json:"variant"`
	Mode       string   `json:"mode"`       // "chain compression", "template derailment", "verbose early-commit", "inert chain", "coupled" or "unclassified"
	Borderline []string `json:"borderline"` // which thresholds an interval crosses, in words; empty: none
	Figures    []Metric `json:"figures"`    // those that led to it
}

// Thresholds separate the failure modes; zero fields have the defaults.
type Thresholds struct {
	Words   float64 `json:"words"`   // chain compression: mean chain below so many words; 40
	Verbose float64 `json:"verbose"` // verbose early-commit: at least so many words; 320
	ECR     float64 `json:"ecr"`     // verbose early-commit: at least this ECR; 0.90
	Inert   float64 `json:"inert"`   // inert chain: c at least; 0.60
	Coupled float64 `json:"coupled"` // coupled: a + b at least; 0.50
}

// Label is what a person said of one trial: the ground truth for the rules, or a clinician's judgement of an edit.
type Label struct {
	Rater    string `json:"rater"`
	Model    string `json:"model"` // empty for a label of an edit, which is the same for all models
	Variant  string `json:"variant,omitempty"`
	Item     string `json:"item"`
	Operator string `json:"operator"`
	Task     string `json:"task"`  // "update", "gold_shift", "semantic_validity" or "hazard"
	Says     string `json:"label"` // one of the task's labels, see docs
}

// DefaultMargin is how far apart two flip rates may lie and still count as equivalent.
const DefaultMargin = 0.05
