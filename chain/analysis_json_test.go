package chain

import (
	"encoding/json"
	"testing"

	"github.com/percuss/percuss/chain/battery"
)

// nulls are the paths of lists of tables that are null.
func nulls(v any, path string) []string {
	var out []string
	switch v := v.(type) {
	case map[string]any:
		for key, below := range v {
			switch key {
			case "analyses", "tables", "columns", "rows", "cells":
				if below == nil {
					out = append(out, path+"."+key)
				}
			}
			out = append(out, nulls(below, path+"."+key)...)
		}
	case []any:
		for _, below := range v {
			out = append(out, nulls(below, path)...)
		}
	}
	return out
}

// No list of a table is null in JSON, in whole reports: of nothing, of a battery of chain edits, of questions without
// options, of two models with judges and labels, and of people who labelled what was never asked.
func TestNoListIsNull(t *testing.T) {
	b := paperBattery()
	chain := battery.Battery{Operators: b.Operators[:3]}
	numeric := reasoner{n: 3, change: func(r *Record, _ int) { r.Options = 0 }}.records()
	stray := []Label{{Rater: "A", Item: "gone", Operator: "M5-a", Task: TaskHazard, Says: "harmful"}, {Rater: "A", Item: "gone", Operator: "M5-a", Task: TaskUpdate, Says: "updated"}}
	for name, f := range map[string]Findings{
		"nothing":         summarised(t, Options{Battery: b}),
		"no battery":      summarised(t, Options{}, record("s", "i", "A", "A", "", battery.Battery{})),
		"edits of chains": summarised(t, Options{Battery: chain}, reasoner{n: 4, battery: chain}.records()...),
		"no options":      summarised(t, Options{Battery: familiesBattery()}, numeric...),
		"stray labels":    summarised(t, Options{Battery: b, Labels: stray}, reasoner{n: 3, battery: b}.records()...),
		"two models":      summarised(t, Options{Battery: b, Judges: twoJudges}, append(reasoner{n: 4, battery: b}.records(), as("n", "strict", worked("s", b))...)...),
	} {
		data, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var all map[string]any
		if err := json.Unmarshal(data, &all); err != nil || len(all["analyses"].([]any)) < 11 {
			t.Fatalf("%s: %v", name, err)
		}
		if got := nulls(all, ""); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}
