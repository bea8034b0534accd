package review

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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
	labels, judgements, _, err := UnsealedOf(run)
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

// Of several people who adjudicate, what more than half of them say is the one word that settles an item, and the report can read it.
func TestSeveralAdjudicators(t *testing.T) {
	p := blind.Package{Task: blind.Perturbation, Items: []blind.Item{{ID: "a1"}}, Questions: must(t, blind.Perturbation).Questions}
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	say := func(shift, valid string, minute int, comment string) map[string]ratings.Entry {
		return map[string]ratings.Entry{"a1": {Labels: map[string]string{blind.AskShift: shift, blind.AskValidity: valid}, At: at.Add(time.Duration(minute) * time.Minute), Comment: comment}}
	}
	second := ratings.Latest{"s1": say("shifted", "valid", 2, "late"), "s2": say("shifted", "invalid", 5, ""), "s3": say("no_shift", "borderline", 1, "early")}
	got := Join(p, []Key{{ID: "a1", Item: "q1", Operator: "M3-a"}}, nil, second, nil)
	want := []Row{{ID: "a1", Rater: Adjudicator, Item: "q1", Operator: "M3-a", Task: blind.AskShift, Label: "shifted", Comment: "late\nearly", At: "2026-03-01T09:05:00Z"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A rater who says something of the same edit in two reviews of a run says what was said later, whichever file is read first; two labels of one file,
// or of files without times, are still a mistake.
func TestTwoReviewsOfOneRun(t *testing.T) {
	line := func(says, at string) string {
		return `{"rater":"Ann","model":"","item":"q1","operator":"M3-a","task":"gold_shift","label":"` + says + `"` + at + "}\n"
	}
	dir := t.TempDir()
	pilot := file(t, dir, "pilot.jsonl", line("shifted", `,"at":"2026-03-01T09:00:00Z"`))
	main := file(t, dir, "main.jsonl", line("no_shift", `,"at":"2026-03-02T09:00:00.5Z"`))
	bare := file(t, dir, "bare.jsonl", line("no_shift", ""))
	twice := file(t, dir, "twice.jsonl", line("shifted", `,"at":"2026-03-01T09:00:00Z"`)+line("no_shift", `,"at":"2026-03-01T09:00:01Z"`))
	for _, files := range [][]string{{pilot, main}, {main, pilot}} {
		got, err := ReadLabels(files)
		if err != nil || len(got) != 1 || got[0].Says != "no_shift" {
			t.Errorf("%v: %+v, %v", files, got, err)
		}
	}
	for _, files := range [][]string{{pilot, bare}, {bare, main}, {twice}} {
		if _, err := ReadLabels(files); err == nil || !strings.Contains(err.Error(), "already") {
			t.Errorf("%v: %v", files, err)
		}
	}
	_, key := keyed(t)
	judged := func(name, verdict, at string) string {
		return file(t, dir, name, `{"id":"a","rater":"Ann","judgement":"`+verdict+`","confidence":"low","at":"`+at+`"}`)
	}
	early, late := judged("early.jsonl", "valid", "2026-03-01T09:00:00Z"), judged("late.jsonl", "invalid", "2026-03-01T10:00:00Z")
	for _, files := range [][]string{{early, late}, {late, early}} {
		got, err := ReadJudgements(files, []string{key})
		if err != nil || said(got) != "a invalid low awaiting [] open 0 by [Ann]" {
			t.Errorf("%v: %s, %v", files, said(got), err)
		}
	}
}

// What a report cannot read, as answers to questions of one's own, stands in a file of its own, and no file is empty: either would keep the report
// from being made.
func TestSaveUnsealedParts(t *testing.T) {
	dir := t.TempDir()
	edits := blind.Package{Task: blind.Perturbation, Questions: append(slices.Clone(must(t, blind.Perturbation).Questions), blind.Question{ID: "real", Labels: []blind.Label{{ID: "y"}}}), Items: []blind.Item{{ID: "a1"}}}
	pairs := blind.Package{Task: blind.Interactions, Questions: append(slices.Clone(must(t, blind.Interactions).Questions), blind.Question{ID: "real", Labels: []blind.Label{{ID: "y"}}}), Items: []blind.Item{{ID: "a1"}}}
	for i, c := range []struct {
		p      blind.Package
		labels map[string]string
		want   []string
	}{
		{edits, map[string]string{blind.AskShift: "no_shift", "real": "y"}, []string{LabelsFile, JoinedFile}},
		{edits, map[string]string{"real": "y"}, []string{JoinedFile}},
		{edits, nil, nil},
		{pairs, map[string]string{"judgement": "valid", "confidence": "high", "real": "y"}, []string{JudgementsFile, JoinedFile}},
		{pairs, map[string]string{"judgement": "so-so"}, []string{JoinedFile}},
	} {
		said := ratings.Latest{"r1": {"a1": {Labels: c.labels}}}
		files, err := SaveUnsealed(dir, c.p, Join(c.p, []Key{{ID: "a1", Item: "q1", Model: "m", Operator: "M3-a"}}, said, nil, map[string]string{"r1": "Ann"}), Unsealed{})
		if err != nil {
			t.Fatal(err)
		}
		there, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
		for j := range files {
			if files[j] = filepath.Base(files[j]); !slices.Contains(there, filepath.Join(dir, files[j])) {
				t.Errorf("%d: %s is not there", i, files[j])
			}
		}
		if d := cmp.Diff(c.want, files); d != "" || len(there) != len(files) {
			t.Errorf("%d: %s, there are %v", i, d, there)
		}
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
