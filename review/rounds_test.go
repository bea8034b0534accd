package review

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// twoRaters answer the items of a package of steps: they agree on a1, disagree on whether a2 is an error, and on the kind of error of a3.
func twoRaters(t *testing.T) (blind.Package, ratings.Latest) {
	t.Helper()
	form, err := blind.FormOf(blind.Steps)
	if err != nil {
		t.Fatal(err)
	}
	p := blind.Package{Task: blind.Steps, Title: form.Title, Instructions: form.Instructions, Questions: form.Questions, Practice: form.Practice}
	for _, id := range []string{"a1", "a2", "a3", "a4"} {
		p.Items = append(p.Items, blind.Item{ID: id, Parts: []blind.Part{{Show: blind.ShowText, Text: "text of " + id}}})
	}
	say := func(labels ...string) ratings.Entry {
		e := ratings.Entry{Labels: map[string]string{"step": labels[0]}}
		if len(labels) > 1 {
			e.Labels["error_kind"] = labels[1]
		}
		return e
	}
	return p.Sealed([]byte("key")), ratings.Latest{
		"r1": {"a1": say("correct"), "a2": say("correct"), "a3": say("error", "factual"), "a4": say("correct")},
		"r2": {"a1": say("correct"), "a2": say("error", "arithmetic"), "a3": say("error", "unsupported")},
		"r3": {"a2": say("error", "arithmetic")},
	}
}

// Only what raters disagree on is asked again, with the labels that were given: no name, no number, in the order of the form.
func TestDisagreement(t *testing.T) {
	p, said := twoRaters(t)
	second := Disagreement(p, said, nil)
	if err := second.Check(); err != nil {
		t.Fatal(err)
	}
	if len(second.Items) != 2 || second.Items[0].ID != "a2" || second.Items[1].ID != "a3" || second.Round != 2 || second.Of != p.ID || second.Seal != p.Seal || second.ID == p.ID || second.Practice != nil {
		t.Fatalf("%+v", second)
	}
	part := second.Items[0].Parts[1]
	if d := cmp.Diff([]blind.Row{{Text: p.Questions[0].Text + " Correct / Error"}}, part.Rows); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"step", "error_kind"}, second.Items[1].Asks); d != "" {
		t.Errorf("the question that the kind hangs on is not asked again: %s", d)
	}
	raw, _ := json.Marshal(second.Items)
	for _, secret := range []string{"r1", "r2", "r3"} {
		if strings.Contains(string(raw), secret) {
			t.Errorf("it tells %s", secret)
		}
	}
	if len(p.Items[1].Parts) != 1 {
		t.Error("the first round was changed")
	}
	if again := Disagreement(p, said, map[string]bool{"a2": true}); len(again.Items) != 1 {
		t.Errorf("skipped: %d items", len(again.Items))
	}
}

// Rows carry the names of the run; repeats and attention items are left out; the second round is the adjudicator's.
func TestJoin(t *testing.T) {
	p, said := twoRaters(t)
	keys := []Key{{ID: "a1", Item: "q1", Model: "m"}, {ID: "a2", Item: "q2", Model: "m"}, {ID: "a3", Repeats: "a1"}, {ID: "a4", Expected: map[string]string{"step": "correct"}}}
	second := ratings.Latest{"s1": {"a2": {Labels: map[string]string{"step": "error"}}}}
	var got []string
	for _, r := range Join(p, keys, said, second, map[string]string{"r1": "Ann", "r2": "Bob", "r3": "Cy"}) {
		got = append(got, strings.Join([]string{r.Rater, r.Model, r.Item, r.Task, r.Label}, " "))
	}
	want := []string{"Ann m q1 step correct", "Bob m q1 step correct", "Ann m q2 step correct", "Bob m q2 step error", "Bob m q2 error_kind arithmetic",
		"Cy m q2 step error", "Cy m q2 error_kind arithmetic", "adjudicated m q2 step error"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// What is unsealed can be read by what a report reads: labels of a chain audit, judgements of interactions.
func TestUnsealedIsRead(t *testing.T) {
	run := t.TempDir()
	dir := filepath.Join(run, Folder, "edits")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p := blind.Package{Task: blind.Perturbation, Items: []blind.Item{{ID: "a1"}}, Questions: must(t, blind.Perturbation).Questions}
	said := ratings.Latest{"r1": {"a1": {Labels: map[string]string{blind.AskShift: "no_shift", blind.AskValidity: "valid", blind.AskHazard: "harmful"}}}}
	rows := Join(p, []Key{{ID: "a1", Item: "q1", Model: "m", Variant: "v", Operator: "M3-a"}}, said, nil, map[string]string{"r1": "Ann"})
	if _, err := SaveUnsealed(dir, p, rows, Unsealed{}); err != nil {
		t.Fatal(err)
	}
	labels, judgements, err := UnsealedOf(run)
	if err != nil || len(labels) != 1 || judgements != nil {
		t.Fatalf("%v, %v, %v", labels, judgements, err)
	}
	got, err := ReadLabels(labels)
	if err != nil {
		t.Fatal(err)
	}
	var short []string
	for _, l := range got {
		short = append(short, strings.Join([]string{l.Rater, l.Model, l.Item, l.Operator, l.Task, l.Says}, " "))
	}
	slices.Sort(short)
	want := []string{"Ann  q1 M3-a gold_shift no_shift", "Ann  q1 M3-a semantic_validity valid", "Ann m q1 M3-a hazard harmful"}
	if d := cmp.Diff(want, short); d != "" {
		t.Error(d)
	}
}

func must(t *testing.T, k blind.Kind) blind.Form {
	t.Helper()
	f, err := blind.FormOf(k)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
