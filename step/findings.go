package step

import (
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// Findings are the tables of the step audit.
type Findings struct {
	Cells     []Cell             `json:"cells"`    // in the order of the records
	Pairs     []Pair             `json:"pairs"`    // before against after, under each judge, view and data set
	Analyses  []percuss.Analysis `json:"analyses"` // all tables, in the order of the report
	Claims    []percuss.Claim    `json:"claims"`
	Decisions []percuss.Decision `json:"decisions"`
	Settings  Settings           `json:"settings"`
	Bootstrap int                `json:"bootstrap"` // replicates
	Level     float64            `json:"level"`     // of every interval
}

// Audit implements percuss.Findings.
func (Findings) Audit() string { return "steps" }

// Settings are what was in force, with the defaults.
type Settings struct {
	K       int                `json:"k"`
	Views   []string           `json:"views"`
	Judges  []string           `json:"judges"`
	Judged  int                `json:"judged"`
	Control int                `json:"control"`
	Bins    int                `json:"bins"`
	Quality map[string]Quality `json:"quality,omitempty"` // of judges, by id: what rates were corrected with
	// Simulated are the judges and audited models, by id, that this program only simulates, so that its figures can be tried out.
	Simulated []string `json:"simulated,omitempty"`
}

// Invents reports whether what judge says of the steps of model is made up: a simulated judge knows the truth of the steps of
// simulated models alone, since it is planted there, and draws it for any other text.
func (s Settings) Invents(judge, model string) bool {
	return slices.Contains(s.Simulated, judge) && !slices.Contains(s.Simulated, model)
}

// Cell is one model on one data set under one prompt.
type Cell struct {
	Model   string `json:"model"`
	Variant string `json:"variant"`
	Set     string `json:"set"`
	Domain  string `json:"domain,omitempty"`
	Role    Role   `json:"role,omitempty"`
	Items   int    `json:"items"`
	Chains  int    `json:"chains"` // with an answer that was read

	Accuracy   percuss.Estimate `json:"accuracy"`   // of one chain
	Majority   percuss.Estimate `json:"majority"`   // of the vote of all k: SC@k
	Confidence percuss.Estimate `json:"confidence"` // mean vote share of the winner
	ECE        percuss.Estimate `json:"ece"`        // equal width
	ECEMass    percuss.Estimate `json:"ece_mass"`   // equal mass
	Brier      percuss.Estimate `json:"brier"`
	Hedged     percuss.Estimate `json:"hedged"` // share of steps, as they were written

	// NoShares is why Confidence, what is made of it (ECE, Brier, Calibration) and Reliability are missing; empty: they are not.
	NoShares string `json:"no_shares,omitempty"`

	// Calibration is how far the vote share of the winner is its chance of being right, over bins of equal width.
	Calibration stat.Calibration `json:"-"`
	Tied        int              `json:"tied"`    // items where several answers had the most votes of all k
	Unvoted     int              `json:"unvoted"` // items of which no chain has a vote: they are in no accuracy of votes
	Short       int              `json:"short"`   // items with fewer chains than others: they vote with what they have

	Reliability []Bin   `json:"reliability"` // equal width, without empty bins
	Curve       []Point `json:"curve"`       // accuracy of the vote against the number of chains
	Traces      []Trace `json:"traces"`      // by judge, then by view
}

// Bin is one bin of the reliability diagram.
type Bin struct {
	Lo         float64          `json:"lo"`
	Hi         float64          `json:"hi"`
	Items      int              `json:"items"`
	Confidence float64          `json:"confidence"` // mean
	Accuracy   percuss.Estimate `json:"accuracy"`
}

// Point is the accuracy of a vote of so many chains.
type Point struct {
	K        int              `json:"k"`
	Accuracy percuss.Estimate `json:"accuracy"`
	Gain     percuss.Estimate `json:"gain"`                // over one chain, paired by item
	Tokens   percuss.Number   `json:"tokens"`              // generated for an item, mean
	NoTokens string           `json:"no_tokens,omitempty"` // why Tokens are missing
}

// Trace is what one judge said of a cell's steps under one view.
type Trace struct {
	Judge     string           `json:"judge"`
	View      string           `json:"view"`
	Steps     int              `json:"steps"`     // judged, blank ones included
	Abstained int              `json:"abstained"` // blank ones included
	Missing   int              `json:"missing"`
	Errors    percuss.Estimate `json:"errors"`    // share of the steps that are correct or an error
	Corrected percuss.Estimate `json:"corrected"` // the same, for what is known of the judge (Rogan and Gladen)
	Chains    percuss.Estimate `json:"chains"`    // share of judged chains with at least one error
	First     percuss.Estimate `json:"first"`     // mean place of the first error, 0 first step to 1 last step
	Kinds     []Count          `json:"kinds"`     // errors by kind
}

// Count is a number with its name.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// Pair is a comparison of two models on the same items, by one judge under one view. Differences are after minus before.
type Pair struct {
	Name    string `json:"name"`
	Before  string `json:"before"`
	After   string `json:"after"`
	Teacher string `json:"teacher,omitempty"`
	Variant string `json:"variant"`
	Set     string `json:"set"`
	Domain  string `json:"domain,omitempty"`
	Judge   string `json:"judge"`
	View    string `json:"view"`
	Items   int    `json:"items"` // that both have

	Accuracy percuss.Estimate `json:"accuracy"` // of one chain
	Majority percuss.Estimate `json:"majority"`
	ECE      percuss.Estimate `json:"ece"`
	// Floor is so much of the ECE's change as the confidences alone make, see stat.CalibrationChange.
	Floor  percuss.Number   `json:"ece_floor"`
	Errors percuss.Estimate `json:"errors"` // error rate over judged steps
	// Corrected is the same for what is known of the judge, taken to be as good on both models.
	Corrected percuss.Estimate `json:"corrected"`
	Hedged    percuss.Estimate `json:"hedged"`
	Verdict   Direction        `json:"verdict"`
	Why       string           `json:"why,omitempty"` // why nothing can be told
}

// Direction is the verdict of a comparison.
type Direction string

// The verdicts. Only where both intervals exclude zero is there one of the first four.
const (
	UpDown   Direction = "answers up, trace down"
	UpUp     Direction = "answers up, trace up"
	DownDown Direction = "answers down, trace down"
	DownUp   Direction = "answers down, trace up"
	Untold   Direction = "cannot be told"
)
