package exchange

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/review/ratings"
)

// merged is what a book lacks of files of the given texts.
func merged(t *testing.T, raters []ratings.Rater, entries []ratings.Entry, at time.Time, texts ...string) (Fresh, error) {
	t.Helper()
	p := sample(t)
	var reads []Read
	for i, text := range texts {
		reads = append(reads, read(t, file(t, fmt.Sprintf("sheet%d.csv", i), text), p))
	}
	return Merge(p, raters, entries, reads, at)
}

// A sheet that is imported again changes nothing; one that says something else is a later answer, also when it says again what was said before.
func TestMergeSheets(t *testing.T) {
	var raters []ratings.Rater
	var book []ratings.Entry
	for i, step := range []struct {
		label string
		fresh int
	}{{"no_shift", 1}, {"no_shift", 0}, {"shifted", 1}, {"shifted", 0}, {"no_shift", 1}, {"no_shift", 0}} {
		at := now.Add(time.Duration(i) * time.Minute)
		got, err := merged(t, raters, book, at, "id,rater,shift\nitem-0,Ann,"+step.label+"\n")
		if err != nil || len(got.Entries) != step.fresh || got.Same != 1-step.fresh {
			t.Fatalf("step %d: %d new, %d known, %v", i, len(got.Entries), got.Same, err)
		}
		raters, book = append(raters, got.Raters...), append(book, got.Entries...)
		last := ratings.Latest{}
		ids := map[string]bool{}
		for _, e := range book {
			last.Add(e)
			ids[e.ID] = true
		}
		if now := last[raters[0].ID]["item-0"].Labels["shift"]; now != step.label || len(ids) != len(book) || len(raters) != 1 {
			t.Fatalf("step %d: %s counts, %d ids of %d entries, %d raters", i, now, len(ids), len(book), len(raters))
		}
	}
}

// An answer without a time counts over one whose clock was ahead.
func TestMergeAheadOfClock(t *testing.T) {
	ahead := ratings.Entry{ID: "e", Rater: "r-1", Item: "item-0", Labels: map[string]string{"shift": "shifted"}, At: now.Add(time.Hour)}
	got, err := merged(t, []ratings.Rater{{ID: "r-1", Name: "Ann"}}, []ratings.Entry{ahead}, now, "id,rater,shift\nitem-0,ann,no_shift\n")
	if err != nil || len(got.Entries) != 1 || got.Entries[0].At.Before(ahead.At) || len(got.Raters) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Two files without times that contradict each other are an error; two that say the same are one answer.
func TestMergeContradiction(t *testing.T) {
	one, other := "id,rater,shift\nitem-0,Ann,no_shift\n", "id,rater,shift\nitem-0,ann,shifted\n"
	if _, err := merged(t, nil, nil, now, one, other); err == nil || !strings.Contains(err.Error(), "sheet1.csv: line 2") || !strings.Contains(err.Error(), "sheet0.csv: line 2") {
		t.Error(err)
	}
	if got, err := merged(t, nil, nil, now, one, one); err != nil || len(got.Entries) != 1 || got.Same != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// An entry whose exported row was changed is a new one, for ids are those of contents; its old id is left to the old content.
func TestMergeChangedExport(t *testing.T) {
	p := sample(t)
	raters := []ratings.Rater{{ID: "r-1", Name: "Ann"}}
	book := []ratings.Entry{{ID: "e-1", Rater: "r-1", Item: "item-0", Labels: map[string]string{"shift": "no_shift"}, At: now}}
	out := book[0]
	out.Rater = "Ann"
	var b bytes.Buffer
	if err := WriteAnswers(&b, CSV, p, []ratings.Entry{out}); err != nil {
		t.Fatal(err)
	}
	got, err := merged(t, raters, book, now, strings.Replace(b.String(), "no_shift", "shifted", 1))
	if err != nil || len(got.Entries) != 1 || got.Entries[0].ID == "e-1" || got.Entries[0].Labels["shift"] != "shifted" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := merged(t, raters, append(book, got.Entries...), now, strings.Replace(b.String(), "no_shift", "shifted", 1)); err != nil || len(got.Entries) != 0 {
		t.Errorf("again: %+v, %v", got, err)
	}
}

// All answers of a book are taken from another book and from an export of its history, in their order.
func TestHistory(t *testing.T) {
	p := sample(t)
	book := []ratings.Entry{
		{ID: "e-1", Rater: "r-1", Item: "item-0", Labels: map[string]string{"shift": "no_shift"}, At: now.Add(-time.Hour), By: "app"},
		{ID: "e-2", Rater: "r-1", Item: "item-0", Labels: map[string]string{"shift": "shifted", "Kind": "a"}, At: now, By: "app"},
		{ID: "e-3", Rater: "r-1", Item: "item-0", Labels: map[string]string{"shift": "shifted", "Kind": "b"}, At: now, By: "app"}}
	var named []ratings.Entry
	for _, e := range book {
		e.Rater = "Ann"
		named = append(named, e)
	}
	raters := []ratings.Rater{{ID: "r-1", Name: "Ann", Added: now}}
	other, err := FromBook("answers.db", p, raters, book, "", now)
	if err != nil || len(other.Answers) != 3 || other.Answers[0].By != "app" {
		t.Fatalf("%+v, %v", other, err)
	}
	for _, f := range []Format{CSV, JSONL, Parquet} {
		var b bytes.Buffer
		if err := WriteAnswers(&b, f, p, named); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "a."+string(f))
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Merge(p, nil, nil, []Read{read(t, path, p), other}, now)
		if err != nil || len(got.Entries) != 3 || got.Same != 3 || got.Entries[2].ID != "e-3" || got.Entries[2].Labels["Kind"] != "b" {
			t.Errorf("%s: %+v, %v", f, got, err)
		}
	}
}
