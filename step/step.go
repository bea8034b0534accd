// Package step is the third audit: are the steps of a chain of thought true, and does that move with the answers?
// (spec/step-audit.md, after the abstract "Better Accuracies, Worse Reasoning"; what the abstract does not state is a
// Decision.) Of every item k chains are sampled. The answer side looks at votes and confidence, the trace side at single
// steps, which judges see without the style of their writer. The package builds requests and reduces answers; it never
// calls a model.
package step

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/judge"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/stat"
)

// Options are the settings of a step audit. Those that steer requests are frozen in the run.
type Options struct {
	Seed      uint64
	Prompts   prompt.Set
	K         int     // chains an item, at least 1
	Heat      float64 // temperature of the chains, above 0 where K is above 1
	TopP      float64 // 1: no nucleus cut
	MaxTokens int     // new tokens of a chain
	Views     []View  // what judges see; the first is the one that figures are told by, the others are controls
	Judged    int     // chains of an item judged under the first view, from the first
	Control   int     // and under each of the others
	Most      int     // steps of a chain that are judged; later ones are counted and not judged
	Repeats   float64 // share of the steps judged under the first view that each judge is asked about once more
	Judges    []Model
	Neutral   *Model // paraphrases steps for the view that wants it; nil: there is none
	Rubric    judge.StepRubric
	Style     Style                           // what the normaliser takes away
	Can       map[string]percuss.Capabilities // by model id

	// The following relabel at report time only.
	Bootstrap int                  // replicates; 0: the default
	Level     float64              // of intervals; 0: 0.95
	Bins      int                  // of confidence; 0: 10
	Models    map[string]Described // by model id
	Pairs     []Pairing            // the comparisons, in the order of the specification
	Experts   []Label              // what people said of steps
	Quality   map[string]Quality   // of judges, by id, where it is known from elsewhere
}

// Model is one that is asked about the chains of others.
type Model struct {
	ID       string `json:"id"`
	Identity string `json:"identity"` // enters its requests
	Family   string `json:"family,omitempty"`
}

// Described is what the specification says of an audited model beside its name.
type Described struct {
	Role   Role
	Tier   string
	Family string
	Params percuss.Number // parameter count
	Price  percuss.Number // of a million generated tokens
	Money  string         // the price's currency
}

// Role is the part of a model in a comparison.
type Role string

// The roles of audited models; empty: it is in none.
const (
	Before  Role = "before"  // e.g. the student before distillation
	After   Role = "after"   // the same one after it
	Teacher Role = "teacher" // shown beside them
)

// Pairing is a comparison of two models.
type Pairing struct {
	Name    string // empty: the only one of a run that names none
	Before  string // the ids of the models
	After   string
	Teacher string // empty: there is none
}

// View is what a judge sees of a chain: how it is cut, and in whose words.
type View struct {
	ID    string       // unique; "markers", "sentence", "paragraph", or a control's name
	By    Segmentation // how the chain is cut
	Words Words
	Gold  bool // the right answer is shown, too
}

// Words says in whose words a step is shown.
type Words string

// The words of a step.
const (
	Normalised  Words = "normalised"  // style taken away by the normaliser
	AsWritten   Words = "as-written"  // untouched: what a judge says when it sees the style
	Paraphrased Words = "paraphrased" // normalised, then put by a neutral model
)

// ViewNames are the names of the views there are, in the order of a report. The first three cut a chain in another way;
// "raw", "gold" and "paraphrase" are cut as the first view of the run is.
func ViewNames() []string {
	return []string{"markers", "sentence", "paragraph", "raw", "gold", "paraphrase"}
}

// Segmentation is a way of cutting a chain into steps.
type Segmentation string

// The ways of cutting.
const (
	Markers   Segmentation = "markers"   // at "Step n" and numbered lines of the outermost level; at blank lines where there are none
	Sentence  Segmentation = "sentence"  // at the ends of sentences
	Paragraph Segmentation = "paragraph" // at blank lines
)

// Quality is how good a judge is at finding errors.
type Quality struct {
	Sensitivity float64 `json:"sensitivity"` // share of erroneous steps that it calls an error
	Specificity float64 `json:"specificity"` // share of correct steps that it calls correct
	// Positives and Negatives are the numbers of steps that the two were measured on; 0: known exactly. Where the steps were a
	// weighted sample they are effective numbers: of independent steps of equal weight that tell as much, fewer than were
	// labelled.
	Positives int    `json:"positives,omitempty"`
	Negatives int    `json:"negatives,omitempty"`
	From      string `json:"from"` // in words, e.g. "given with --judge-quality", "150 expert labels"
}

// measured is the quality as package stat has it.
func (q Quality) measured() *stat.Quality {
	return &stat.Quality{Sensitivity: q.Sensitivity, Specificity: q.Specificity, Positives: q.Positives, Negatives: q.Negatives}
}

// Label is what a person said of one step.
type Label struct {
	Rater   string `json:"rater"`
	Model   string `json:"model"`
	Variant string `json:"variant,omitempty"`
	Set     string `json:"set,omitempty"`
	Item    string `json:"item"`
	Chain   int    `json:"chain"` // from 1
	View    string `json:"view"`
	Step    int    `json:"step"`  // from 1
	Says    Says   `json:"label"` // Correct, an error of some kind, or Abstain
	// Weight is the inverse of the share of such steps that was drawn; 0 counts as 1.
	Weight float64 `json:"weight,omitempty"`
}

// Audit is the step audit as a percuss.Audit.
type Audit struct{ o Options }

// New returns the audit.
func New(o Options) *Audit { return &Audit{o: o} }

// Name implements percuss.Audit.
func (*Audit) Name() string { return "steps" }

// Version is that of the rules that cut chains, take style away and check steps. It changes when they do; a run made under
// another one is reported from its ledger.
const Version = "steps/2"
