package chain

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// Findings are the tables of the chain audit, over cells (model × set × prompt), models, tiers and the panel.
type Findings struct {
	Battery   battery.Battery    `json:"battery"`
	Cells     []Group            `json:"cells"`  // in the order of the records
	Models    []Group            `json:"models"` // mean of the model's sets; joint table, CDR and flip matrices pool their trials
	Tiers     []Group            `json:"tiers,omitempty"`
	Panel     *Group             `json:"panel,omitempty"` // mean of the models, when there are several
	Analyses  []percuss.Analysis `json:"analyses"`        // in the order of the report
	Modes     []Mode             `json:"modes"`           // the failure mode of each model under each prompt
	Claims    []percuss.Claim    `json:"claims"`          // does the run support what its tables seem to say?
	Decisions []percuss.Decision `json:"decisions"`       // what the papers leave open and how it was settled, as far as it applied here
	Settings  Settings           `json:"settings"`        // in force, with the defaults
	Bootstrap int                `json:"bootstrap"`       // replicates
	Level     float64            `json:"level"`           // of every interval
}

// Audit implements percuss.Findings.
func (Findings) Audit() string { return "chain" }

// Group is a cell, or the aggregate of several.
type Group struct {
	Name      string   `json:"name"` // for a reader
	Variant   string   `json:"variant"`
	Model     string   `json:"model,omitempty"`
	Set       string   `json:"set,omitempty"`
	Domain    string   `json:"domain,omitempty"` // of its questions where that is not medicine; such a cell enters no mean of medical ones
	Tier      string   `json:"tier,omitempty"`
	Items     int      `json:"items"`
	Metrics   []Metric `json:"metrics"`
	Joint     []Joint  `json:"joint"`     // one for each rule: "token", "inflected"; each for all families, then by family
	Operators []Firing `json:"operators"` // one row an operator variant
	Families  []Firing `json:"families"`  // pooled over the variants of a family
	Dropped   []Count  `json:"dropped"`   // trials that fired and entered no rate, by state and outcome
	Outcomes  []Count  `json:"outcomes"`  // every text and letters reading by outcome
	Doubts    Doubts   `json:"doubts"`
	Remarks   []string `json:"remarks,omitempty"`

	inner []Metric // figures for the analyses, which no list of metrics shows
}

// Doubts are counts behind three figures that a reader must know before trusting them. Of a mean they are totals.
type Doubts struct {
	// CDRCut: of the trials that make CDR (no trace, the answer stays), those whose new chain was cut at the token
	// limit, perhaps before it came to the edit.
	CDRCut int `json:"cdr_cut"`
	// ECRUnsure: of the items behind ECR whose chain could be cut, those where no cut chain keeps the answer and one
	// cannot be compared. By definition they count as moved.
	ECRUnsure int `json:"ecr_unsure"`
	// GapMixed: of the items behind cot_gap, those whose two answers were read in different ways.
	GapMixed int `json:"gap_mixed"`
}

// Metric is one figure of a group.
type Metric struct {
	ID    string `json:"id"`              // see Definitions
	Scope string `json:"scope,omitempty"` // "F", "M" or "all", where it has one
	percuss.Estimate
	Stem StemMode `json:"stem,omitempty"` // what the edits of the question behind it edited; empty: it rests on none
}

// Definition explains a metric to a reader.
type Definition struct {
	ID     string `json:"id"`
	Name   string `json:"name"`   // short, for a table head
	Means  string `json:"means"`  // one or two plain sentences
	Range  string `json:"range"`  // e.g. "0 to 1"
	Better string `json:"better"` // "lower", "higher" or "neither"
	Source string `json:"source"`
}

// Joint is the cross-table of chain update and answer flip over fired, parsed trials of operators with a token rule: M2, M4
// and M5 in the paper's battery.
type Joint struct {
	Rule    string           `json:"rule"`             // "token" or "inflected"
	Family  string           `json:"family,omitempty"` // empty: all that the metrics count; "all with a token rule": those that they do not as well
	Fired   int              `json:"fired"`
	Parsed  int              `json:"parsed"`
	Dropped int              `json:"dropped"`
	A       percuss.Estimate `json:"a"`                      // update, keep
	B       percuss.Estimate `json:"b"`                      // update, flip
	C       percuss.Estimate `json:"c"`                      // no update, keep: CDR
	D       percuss.Estimate `json:"d"`                      // no update, flip
	Lowest  percuss.Number   `json:"cdr_if_dropped_flipped"` // CDR if every dropped trial were a flip
	Highest percuss.Number   `json:"cdr_if_dropped_kept"`    // CDR if every dropped trial were a keep: in (a) where its chain shows a trace, else in (c)
	Stem    StemMode         `json:"stem,omitempty"`         // what the M-operators edited
}

// Firing is one row of the firing and flip table.
type Firing struct {
	ID         string           `json:"id"`
	Title      string           `json:"title"`
	Intent     battery.Intent   `json:"intent"`
	Locus      battery.Locus    `json:"locus"`
	Items      int              `json:"items"` // items (for a family: items × variants) that it was tried on
	Fired      int              `json:"fired"`
	Parsed     int              `json:"parsed"` // fired, and comparable with the baseline
	Mixed      int              `json:"mixed"`  // fired, answers read in different ways: in no rate
	MixedFlips int              `json:"mixed_flips"`
	Stem       StemMode         `json:"stem,omitempty"`         // what an M-operator edited; empty for an F-operator
	Rate       percuss.Estimate `json:"rate"`                   // fired ÷ items
	Published  *Published       `json:"published,omitempty"`    // the paper's firing rate; nil where it prints none for these sets
	AFR        percuss.Estimate `json:"afr"`                    // flips ÷ parsed
	Acc        percuss.Estimate `json:"accuracy"`               // correct ÷ fired with an answer
	Delta      percuss.Estimate `json:"delta"`                  // baseline minus edited accuracy in points, on the same items
	Marker     int              `json:"marker_edits,omitempty"` // F3 edits that changed the digit of a step marker
	Margin     percuss.Estimate `json:"margin_change"`          // mean change of the baseline answer's margin, nats, where letters were read
}

// Count is a number with its name.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}
