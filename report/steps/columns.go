package steps

import "github.com/percuss/percuss/report"

// columnTerms are the terms of the step audit: each under its own id, and the columns that go by another id or, where several
// tables use one id for different things, by their head.
var columnTerms = func() report.Terms {
	t := report.Terms{}
	for _, d := range terms() {
		t[d.ID] = d.ID
	}
	for _, several := range []string{"first", "second", "right", "wrong", "error", "correct", "experts", "rows"} {
		delete(t, several)
	}
	for id, heads := range map[string][]string{
		"accuracy": {"read"}, "calibration_floor": {"floor"}, "per_point": {"cost"}, "n": {"items"}, "step": {"steps", "steps_chain"}, "role": {"before", "after", "teacher"}, "majority": {"k"},
		"confidence": {"bin"}, "check": {"flagged", "quiet", "looked", "Wrong"}, "first": {"First error"}, "verdict_correct": {"unnamed"}, "judge": {"Judge"},
		"errors":    {"Error rate", "errors_before", "errors_after", "First third", "Last third", "Second", "Error rate, first view", "Right answer", "Wrong answer"},
		"chains":    {"Chains with an error"},
		"agreement": {"agreement_error"}, "kappa": {"kappa_error"}, "auc": {"auc_raw"}, "hits": {"hits_raw"}, "difference": {"more", "between", "change"},
	} {
		for _, head := range heads {
			t[head] = id
		}
	}
	return t
}()
