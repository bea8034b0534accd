package report

import (
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// Term is a word with the id of its definition in the page; without one it is explained nowhere and stands by itself.
type Term struct{ ID, Head string }

// Terms are the ids of what columns name, by their heads or, where the head is not there, by their ids.
type Terms map[string]string

// Of is the term that heads a column. A column whose head is its id is named after a model or a set and is no term.
func (t Terms) Of(c percuss.Column) Term {
	head := c.Head
	if head == "" {
		head = c.ID
	}
	if head == c.ID && head != "p" {
		return Term{Head: head}
	}
	if id := t[head]; id != "" {
		return Term{id, head}
	}
	return Term{t[c.ID], head}
}

// termOf is a term of the chain audit.
func termOf(c percuss.Column) Term {
	return chainTerms.Of(percuss.Column{ID: bare(c.ID), Head: c.Head})
}

// bare is a metric's id without the scope that columns carry.
func bare(id string) string {
	if _, known := chainTerms[id]; known {
		return id
	}
	for _, scope := range []string{"_F", "_M", "_all", "_f", "_m"} {
		if cut, ok := strings.CutSuffix(id, scope); ok {
			return cut
		}
	}
	return id
}

// chainTerms are the terms of the chain audit: each metric and word under its own id, and the columns that go by another.
var chainTerms = func() Terms {
	t := Terms{"p_holm": "p", "over_p_p": "p", "Flip rate": "afr", "difference": "over_floor", "over_p": "over_preserving", "floor": "control_rate",
		"word": "kappa", "spearman": "correlation", "pearson": "correlation", "b": "joint", "c": "joint", "d": "joint", "a": "joint", "d_minus_c": "joint",
		"cdr_token": "cdr", "silent": "fired", "parsed": "fired", "dropped": "fired", "rate": "fired", "published": "fired", "items": "n", "n": "n", "trials": "n",
		"recall": "precision", "inside": "corridor", "near": "corridor", "flips_below": "margin_change", "keeps_above": "margin_change",
		"flips_fall": "margin_change", "keeps_fall": "margin_change", "sham_chain": "sham", "format_markers": "sham", "format_space": "sham", "shuffle": "sham",
		"fcs_without": "fcs", "fdelta_without": "fdelta", "acc_shuffled": "acc", "fcs_mean": "fcs", "fcs_medical": "fcs", "locus": "intent"}
	for _, d := range explained(nil) {
		t[d.ID] = d.ID
	}
	return t
}()

// Glossary is every word that a report of the chain audit defines, in the order of its page.
func Glossary() []chain.Definition { return explained(nil) }

// explained are the definitions of a page: the metrics of a report, and the words of its tables that are none.
func explained(metrics []chain.Definition) []chain.Definition {
	if metrics == nil {
		metrics = chain.Definitions()
	}
	const unit = "0 to 1"
	return append(metrics[:len(metrics):len(metrics)], []chain.Definition{
		{ID: "afr", Name: "Flip rate (AFR)", Means: "How often an edit moves the answer, of the trials in which it could be made and both answers were read in the same way.", Range: unit, Better: "neither", Source: "chain paper, section 4"},
		{ID: "fired", Name: "Fired, parsed, dropped", Means: "An edit fires where it can be made. Of the fired trials, those are parsed whose answer and baseline were read in the same way; the others are dropped and enter no rate. Published: the firing rate that the paper prints.", Range: "counts", Better: "neither", Source: "chain paper, Table 2"},
		{ID: "joint", Name: "Cells a, b, c, d", Means: "Does the new chain show a trace of the edit, and does the answer move? a: trace, stays. b: trace, moves. c: no trace, stays (CDR). d: no trace, moves.", Range: unit, Better: "neither", Source: "chain paper, section 4"},
		{ID: "update", Name: "Update rate (a + b)", Means: "Share of the compared trials whose new chain shows a trace of the edit.", Range: unit, Better: "higher", Source: "chain paper, section 4"},
		{ID: "intent", Name: "Intent and locus", Means: "A destructive edit changes the clinical evidence, a preserving one leaves it alone. Structure: which steps and sentences there are, and their order; surface: single words and numbers.", Better: "neither", Source: "chain paper, Table 1"},
		{ID: "stem", Name: "Stem", Means: "What an edit of the question acts on: the question alone, or the passages shown with it as well.", Better: "neither", Source: "Percuss"},
		{ID: "mode", Name: "Failure mode", Means: "How a model's chain fails to carry its answer, by fixed thresholds on length, ECR and the joint table. Borderline: an interval reaches over a threshold.", Better: "neither", Source: "chain paper, section 6.8"},
		{ID: "words", Name: "Words of the chain", Means: "Mean number of words of the baseline chain.", Range: "0 or more", Better: "neither", Source: "chain paper, section 6.7"},
		{ID: "block", Name: "Reasoning block", Means: "Share of the replies whose chain stands in a block of its own.", Range: unit, Better: "neither", Source: "chain paper, section 6.8"},
		{ID: "sham", Name: "Controls", Means: "The same request again (sham), the model's own chain given back unedited, other option marks or spacing, options in another order: how often the answer moves although nothing that matters was changed. An edit is held against the control of its block.", Range: unit, Better: "lower", Source: "Percuss"},
		{ID: "control_rate", Name: "Flip rate of the control", Means: "How often the control that the edit is held against moves the answer of the same items.", Range: unit, Better: "lower", Source: "Percuss"},
		{ID: "over_floor", Name: "Difference", Means: "One rate minus the other on the same items; its interval resamples each item with both sides. An interval that holds 0 shows no difference.", Range: "−1 to 1", Better: "neither", Source: "Percuss"},
		{ID: "over_preserving", Name: "Less the preserving edits", Means: "Flip rate of an edit minus that of the preserving edits of the same block, on the same items.", Range: "−1 to 1", Better: "neither", Source: "Percuss"},
		{ID: "corridor", Name: "Corridor", Means: "FCS from 0.45 to 0.55, where a model does not tell evidence from noise.", Better: "neither", Source: "chain paper, section 4"},
		{ID: "half_width", Name: "Half-width", Means: "Half of an interval: how far a figure could be off by the choice of items.", Range: "0 or more", Better: "lower", Source: "Percuss"},
		{ID: "n", Name: "n", Means: "How many items, or trials of them, stand behind a figure. Intervals take an item as one draw, however many trials it has.", Range: "counts", Better: "neither", Source: "Percuss"},
		{ID: "p", Name: "p-value", Means: "How often chance alone would give a difference at least as large. Holm: adjusted for the number of tests beside it. A large p shows no sameness.", Range: unit, Better: "neither", Source: "Percuss"},
		{ID: "kappa", Name: "Kappa", Means: "Agreement of two raters beyond what their shares would give by chance: 0 chance, 1 full. The word is that of Landis and Koch.", Range: "at most 1", Better: "higher", Source: "Cohen 1960; Landis and Koch 1977"},
		{ID: "precision", Name: "Precision and recall", Means: "Of what a rule calls an update, the share that people call one; and of what people call one, the share that the rule finds.", Range: unit, Better: "higher", Source: "chain paper, section 5"},
		{ID: "agreement", Name: "Agreement", Means: "Share of the trials that both call the same.", Range: unit, Better: "higher", Source: "Percuss"},
		{ID: "auc", Name: "AUC", Means: "How often a guess from the surface of a text tells an edited one from an original: 0.5 is a coin, 1 always.", Range: unit, Better: "neither", Source: "Percuss"},
		{ID: "tau", Name: "τ-b", Means: "Rank correlation of two orders of the models: 1 the same, −1 reversed. Of a handful of models it only describes them.", Range: "−1 to 1", Better: "neither", Source: "Kendall 1945"},
		{ID: "correlation", Name: "Correlation", Means: "Pearson's r of the values or Spearman's ρ of their ranks, over models or cells.", Range: "−1 to 1", Better: "neither", Source: "chain paper, section 6.7"},
	}...)
}
