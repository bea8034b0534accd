package datasettest

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/dataset"
)

// rereads is up to how many cases a set is read a second time.
const rereads = 100

// Cases reads a set of cases to its end and holds each to what dataset.CaseLoader and percuss.Case promise, so that a
// loader's own tests need not. A set that cannot be read fails the test, a bad row does not.
func Cases(t testing.TB, l dataset.CaseLoader, err error) ([]percuss.Case, []*dataset.BadRow) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	cases, bad, err := dataset.CollectCases(l)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, c := range cases {
		if c.Set != l.Name() || ids[c.ID] || !strings.HasPrefix(c.ID, c.Set) || c.Source.File == "" || c.Source.Line < 1 || len(c.Source.SHA256) != 64 {
			t.Errorf("%s: set %q of loader %q, id seen %v, source %+v", c.ID, c.Set, l.Name(), ids[c.ID], c.Source)
		}
		ids[c.ID] = true
		for _, why := range Faults(c) {
			t.Errorf("%s: %s", c.ID, why)
		}
	}
	for _, b := range bad {
		if b.File == "" || b.Line < 1 || b.Why == "" || strings.HasPrefix(b.Why, ":") {
			t.Errorf("bad row without file, line or reason: %+v", b)
		}
	}
	if len(cases) <= rereads {
		again, badAgain, err := dataset.CollectCases(l)
		if err != nil || len(again) != len(cases) || len(badAgain) != len(bad) {
			t.Fatalf("read again: %d cases of %d, %d bad of %d, %v", len(again), len(cases), len(badAgain), len(bad), err)
		}
		for i := range again {
			if again[i].ID != cases[i].ID {
				t.Errorf("read again: case %d is %s, was %s", i, again[i].ID, cases[i].ID)
			}
		}
	}
	return cases, bad
}

// Faults returns in what a case does not hold together.
func Faults(c percuss.Case) []string {
	var all []string
	add := func(is bool, why string) {
		if is {
			all = append(all, why)
		}
	}
	distinct, merged := clinical.DistinctDiagnoses(c.Candidates)
	add(len(distinct) < 2, "fewer than two candidates")
	add(len(merged) > 0 || len(distinct) != len(c.Candidates), "candidates that are empty or equal when folded")
	add(!c.Candidate(c.Gold), "the gold is no candidate")
	add(len(c.Units) == 0, "no units")
	ids, texts := map[string]bool{}, map[string]bool{}
	for _, u := range c.Units {
		if u.ID == "" || ids[u.ID] {
			all = append(all, "unit id empty or twice: "+u.ID)
		}
		if texts[u.Text] {
			all = append(all, "the text of another unit: "+u.Text)
		}
		ids[u.ID], texts[u.Text] = true, true
		for _, why := range unitFaults(c, u) {
			all = append(all, "unit "+u.ID+": "+why)
		}
	}
	if c.Complaint != nil {
		add(ids[c.Complaint.ID], "the complaint is a unit too")
		add(len(c.Facts) == 0 || !strings.Contains(c.Facts[len(c.Facts)-1], ": "), "the last fact is not the complaint")
		story := c
		story.Narrative = false // the complaint of a narrative may have links: it is always shown
		for _, why := range unitFaults(story, *c.Complaint) {
			all = append(all, "complaint: "+why)
		}
	}
	for _, l := range c.LeftOut {
		add(l.Text == "" || l.Why == "", "left out without text or reason")
	}
	return all
}

func unitFaults(c percuss.Case, u percuss.Unit) []string {
	var all []string
	add := func(is bool, why string) {
		if is {
			all = append(all, why)
		}
	}
	add(u.Text == "" || u.Text != strings.TrimSpace(u.Text) || strings.ContainsAny(u.Text, "\r\n\t"), "its text is empty or no single line")
	add((u.Asked == "") != (u.Value == ""), "half a question")
	add((u.Family == "") != c.Narrative, "findings have a family, sentences none")
	links := slices.Concat(u.SymptomOf, u.AntecedentOf)
	for _, d := range links {
		if !c.Candidate(d) {
			all = append(all, "linked to "+d+", no candidate")
		}
	}
	add(c.Narrative && (u.Absent || u.Antecedent || u.Implicit || len(links) > 0), "a sentence with a role")
	add(u.Implicit && !u.Absent, "implicit and not absent")
	return all
}
