package step_test

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

// decided are the decisions of findings by id.
func decided(t *testing.T, f step.Findings) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, d := range f.Decisions {
		if _, twice := out[d.ID]; twice {
			t.Errorf("decision %s stands there twice", d.ID)
		}
		if strings.Contains(d.Text, "%!") || !strings.HasSuffix(d.Text, ".") {
			t.Errorf("decision %s reads %q", d.ID, d.Text)
		}
		out[d.ID] = d.Text
	}
	return out
}

// A decision is told where it applied, with the numbers of the run, and nowhere else.
func TestDecisions(t *testing.T) {
	o := compared()
	o.Repeats = 0.25
	records := planted("new", 20, 0.8, 0.3, 2)
	records[0] = changed(records[:1], func(n int, c *step.Chain) {
		if n == 1 {
			c.State = step.Unparseable
		}
	}, func(n int, s *step.Step) {
		if n == 2 {
			s.Again = s.Says
		}
	})[0]
	got := decided(t, summarised(t, o, planted("old", 20, 0.5, 0.1, 1), records))
	for id, say := range map[string]string{"sampling": "4 chains an item, sampled at temperature 0.7 with top-p 0.95 and at most 100 new tokens", "seeds": "not for the model", "vote": "SC@4",
		"unread": "1 of 160 here", "confidence": "10 bins", "segmentation": "numbered lines", "style": o.Style.Name, "blank": "160 here", "judged": "the first 2 of 4 chains are judged under the first view, and of a chain the first 10 steps",
		"malformed": "160 of 1600 here", "repeats": "25 % of the steps under the first view, the same places for all models, are judged a second time with labels and examples in another order: 1 step here",
		"judges": "side by side", "correction": "two: sensitivity 0.8, specificity 0.9 (given)", "verdict": "95 %", "common-items": "paired", "intervals": "500 resamples", "hedging": o.Style.Name, "limits": "5 %"} {
		if !strings.Contains(got[id], say) {
			t.Errorf("decision %s reads %q, without %q", id, got[id], say)
		}
	}
	for _, id := range []string{"given", "short", "views", "paraphrase", "experts", "boundary"} {
		if text, ok := got[id]; ok {
			t.Errorf("decision %s did not apply: %q", id, text)
		}
	}
	o = options()
	o.K, o.Heat, o.Judges, o.Neutral, o.Views = 1, 0, nil, nil, o.Views[:1]
	greedy := changed(planted("new", 5, 0.5, 0.1, 1), nil, nil)
	for i, record := range greedy {
		r := record.(step.Record)
		r.Chains, r.Domain = r.Chains[:1], "arithmetic"
		greedy[i] = r
	}
	got = decided(t, summarised(t, o, greedy))
	if !strings.Contains(got["sampling"], "temperature 0") || !strings.Contains(got["boundary"], "mine") {
		t.Errorf("one greedy chain of another domain: %v", got)
	}
	for _, id := range []string{"seeds", "vote", "confidence", "judge-sees", "malformed", "correction", "verdict", "limits"} {
		if text, ok := got[id]; ok {
			t.Errorf("decision %s did not apply: %q", id, text)
		}
	}
	if d := step.New(o).Summarise(func(func(percuss.Record) bool) {}).(step.Findings).Decisions; len(d) != 0 {
		t.Errorf("a run without records decided %v", d)
	}
}
