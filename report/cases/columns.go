package cases

import (
	"slices"

	"github.com/percuss/percuss/report"
)

// words are heads of columns that the findings' own definitions leave to the page.
func words() []Definition {
	return []Definition{
		{"accuracy", "Right", "Share of the cases in which the diagnosis with the highest score on all the evidence is the right one. Always A: " +
			"what naming the first candidate every time would give.", "0 to 1", paper},
		{"mass", "Mass on letters", "How much of the probability of the next token lies on the letters of the candidates. Where it is little, the " +
			"model would rather say something else.", "0 to 1", ours},
		{"count_share", "Share of count", "Share of the salient combinations, each counted once, whatever their strength.", "0 to 1", paper},
		{"p", "p-value", "How often chance alone would give a difference at least as large; adjusted: for the tests beside it. A large p shows no " +
			"sameness.", "0 to 1", ours},
	}
}

// Better says in which direction a figure speaks for a model: "higher", "lower" or, where neither does by itself, "neither".
func (d Definition) Better() string {
	if b := better[d.ID]; b != "" {
		return b
	}
	return "neither"
}

// better is in which direction a figure speaks for a model; of those that are not here neither does by itself.
var better = map[string]string{"accuracy": "higher", "suspicious_ratio": "lower", "noise_most": "lower", "agreement": "higher", "correlation": "higher",
	"centred": "higher", "overlap": "higher", "mass": "higher"}

// columnTerms are the terms of the evidence audit: each under its own id, and the columns that go by another.
var columnTerms = func() report.Terms {
	t := report.Terms{"right": "accuracy", "always_a": "accuracy", "rank_accuracy": "accuracy", "Suspicious, strength": "suspicious_ratio", "suspicious": "strict",
		"suspicious_per_case": "strict", "suspicious_per_case_and_diagnosis": "strict", "suspicious_count": "count_share", "share": "count_share",
		"strength_share": "strength", "strength_null_same_sets": "null_same_sets", "Mean strength": "strength", "Salient": "salient", "overuse_from": "overuse", "margin_full": "margin",
		"margin_empty": "margin", "residual": "margin", "threshold": "salient", "per_case_and_diagnosis": "salient", "orders": "order", "above": "order",
		"quantile": "order", "sd": "floor", "under": "floor", "dof": "floor", "families": "family", "target": "score", "rival": "score",
		"kept": "cascade", "asked": "cascade", "invalid_rate": "precision", "p_adjusted": "p"}
	for _, d := range slices.Concat(terms(), words()) {
		t[d.ID] = d.ID
	}
	return t
}()
