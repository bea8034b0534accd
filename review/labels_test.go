package review

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss/chain"
)

func TestReadLabels(t *testing.T) {
	dir := t.TempDir()
	table := file(t, dir, "a.csv", "Rater,model,variant,item,operator,task,label,remark\n"+
		"A,m,neutral,medqa:1,M2-age-a,update,Not Updated,why not\n"+
		"B,m,neutral,medqa:1,M2-age-a,update,updated,\n"+
		",,,,,,,\n"+
		"A,,,medqa:1,M2-age-a,Gold shift,no-shift,\n"+
		"A,,,medqa:2,M2-age-a,gold_shift,,not done\n")
	lines := file(t, dir, "b.jsonl", `{"rater":"A","model":"m","item":"medqa:1","operator":"M5-a","task":"hazard","label":"HARMFUL"}`+"\n"+
		`{"rater":"A","model":null,"item":"medqa:1","operator":"M5-a","task":"semantic_validity","label":"borderline","note":3}`)
	got, err := ReadLabels([]string{table, lines})
	if err != nil {
		t.Fatal(err)
	}
	want := []chain.Label{
		{Rater: "A", Model: "m", Variant: "neutral", Item: "medqa:1", Operator: "M2-age-a", Task: "update", Says: "not_updated"},
		{Rater: "B", Model: "m", Variant: "neutral", Item: "medqa:1", Operator: "M2-age-a", Task: "update", Says: "updated"},
		{Rater: "A", Item: "medqa:1", Operator: "M2-age-a", Task: "gold_shift", Says: "no_shift"},
		{Rater: "A", Model: "m", Item: "medqa:1", Operator: "M5-a", Task: "hazard", Says: "harmful"},
		{Rater: "A", Item: "medqa:1", Operator: "M5-a", Task: "semantic_validity", Says: "borderline"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err := ReadLabels(nil); len(got) != 0 || err != nil {
		t.Errorf("no files: %v %v", got, err)
	}
}

func TestReadLabelsRefuses(t *testing.T) {
	const head = "rater,model,item,operator,task,label\n"
	const good = "A,m,i,M5-a,update,updated\n"
	for _, c := range []struct{ name, text, want string }{
		{"a word of another task", head + good + "A,m,i,M5-a,hazard,updated\n", "line 3: label \"updated\" of task hazard: write one of harmful, appropriate, neutral, unsure"},
		{"an unknown task", head + "A,m,i,M5-a,danger,harmful\n", "line 2: task \"danger\": write one of update, gold_shift"},
		{"no task", head + "A,m,i,M5-a,,harmful\n", "task \"\""},
		{"no model of a trial", head + "A,,i,M5-a,update,updated\n", "line 2: no model"},
		{"no rater", head + ",m,i,M5-a,update,updated\n", "line 2: no rater"},
		{"no item", head + "A,m,,M5-a,update,updated\n", "line 2: no item"},
		{"no operator", head + "A,m,i,,update,updated\n", "line 2: no operator"},
		{"twice", head + good + "A,m,i,M5-a,update,ambiguous\n", "line 3: rater A has labelled M5-a of i for update already"},
		{"a missing column", "rater,model,item,operator,label\nA,m,i,M5-a,updated\n", `names no column "task"`},
		{"nothing filled in", head + "A,m,i,M5-a,update,\n", "holds no label"},
		{"nothing below the head", head, "holds no label"},
		{"empty", "", "f.csv"},
	} {
		path := file(t, t.TempDir(), "f.csv", c.text)
		_, err := ReadLabels([]string{path})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	dir := t.TempDir()
	one, two := file(t, dir, "one.csv", head+good), file(t, dir, "two.csv", head+good)
	if _, err := ReadLabels([]string{one, two}); err == nil || !strings.Contains(err.Error(), "two.csv: line 2") || !strings.Contains(err.Error(), "one.csv: line 2") {
		t.Errorf("one rater in two files: %v", err)
	}
	for name, text := range map[string]string{"list.jsonl": "[1]\n", "number.jsonl": `{"rater":1,"model":"m","item":"i","operator":"o","task":"update","label":"updated"}`, "words.docx": "x"} {
		if _, err := ReadLabels([]string{file(t, dir, name, text)}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever a file holds, reading it ends in labels that are all sound, or in an error that names it.
func TestReadLabelsTakesAnything(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		cell := rapid.OneOf(rapid.SampledFrom([]string{"A", "", "m", "update", "gold_shift", "updated", "shifted", "\"", "é"}), rapid.String())
		text := "rater,model,item,operator,task,label\n"
		for range rapid.IntRange(0, 3).Draw(r, "rows") {
			text += strings.Join(rapid.SliceOfN(cell, 5, 7).Draw(r, "row"), ",") + "\n"
		}
		n++
		path := file(t, dir, fmt.Sprintf("%d.csv", n), text)
		got, err := ReadLabels([]string{path})
		if (err == nil) != (len(got) > 0) || err != nil && !strings.Contains(err.Error(), path) {
			r.Fatalf("%d labels, %v", len(got), err)
		}
		for _, l := range got {
			if l.Check() != nil {
				r.Fatalf("%+v", l)
			}
		}
	})
}

func TestReadLabelsOfNoFile(t *testing.T) {
	_, err := ReadLabels([]string{filepath.Join(t.TempDir(), "gone.csv")})
	if err == nil || !strings.Contains(err.Error(), "gone.csv: there is no such file: name the file that was filled in") {
		t.Error(err)
	}
}
