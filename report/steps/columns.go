package steps

import "github.com/percuss/percuss/report"

// columnTerms are the terms of the step audit: each under its own id, and the columns that go by another.
var columnTerms = func() report.Terms {
	t := report.Terms{"right": "accuracy", "floor": "calibration_floor", "read": "accuracy", "unnamed": "verdict_correct", "cost": "per_point", "rate": "errors", "Error rate": "errors",
		"items": "n", "steps": "step", "steps_chain": "step", "words_chain": "chain_of_item", "before": "role", "after": "role", "teacher": "role", "k": "majority", "Chains with an error": "chains",
		"bin": "confidence", "flagged": "check", "quiet": "check", "looked": "check", "wrong": "check"}
	for _, d := range terms() {
		t[d.ID] = d.ID
	}
	return t
}()
