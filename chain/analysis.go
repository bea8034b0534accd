package chain

import (
	"bytes"
	"encoding/json"

	"github.com/percuss/percuss"
)

// Analysis is one part of the report beyond the tables of groups.
type Analysis struct {
	ID     string          `json:"id"`               // e.g. "shuffle"
	Number int             `json:"number,omitempty"` // in the list of analyses (chain audit, section 6); 0: none of them
	Title  string          `json:"title"`
	About  string          `json:"about"` // one or two sentences for a reader
	Tables []percuss.Table `json:"tables"`
	Absent string          `json:"absent,omitempty"` // why there is nothing to show, e.g. that no labels were given
}

// MarshalJSON writes the tables of an analysis without any as [] and never as null.
func (a Analysis) MarshalJSON() ([]byte, error) {
	type plain Analysis // without this method
	if a.Tables == nil {
		a.Tables = []percuss.Table{}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // the encoder around it escapes where it is told to
	err := e.Encode(plain(a))
	return out.Bytes(), err
}

// analyser gathers what one part of the report needs beyond the tables of groups. add is called once for each record
// that the tables count, in any order; analyses once, when all records are there and the groups are made.
type analyser interface {
	add(r Record)
	analyses(s *summary) []Analysis
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

// Claim is something that the tables seem to say, and whether the run bears it out.
type Claim struct {
	ID      string           `json:"id"`      // e.g. "noise-floor"
	Subject string           `json:"subject"` // the model, cell or operator it is about; empty: the run
	Says    string           `json:"says"`    // the claim in one sentence
	Verdict Holds            `json:"verdict"`
	Measure percuss.Estimate `json:"measure"` // what was measured
	Shown   string           `json:"shown"`   // the measurement in words
	Against string           `json:"against"` // what would contradict the claim
}

// Holds says whether a claim is borne out.
type Holds string

// The three verdicts of a check.
const (
	ClaimHolds Holds = "holds"
	ClaimFails Holds = "fails"
	CannotTell Holds = "cannot tell"
)

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
