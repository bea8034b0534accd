package datasettest

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

func sound() percuss.Case {
	return percuss.Case{ID: "ward:1", Set: "ward", Facts: []string{"Initial complaint: Pain"}, Complaint: &percuss.Unit{ID: "c", Family: "c", Text: "Pain"},
		Units: []percuss.Unit{
			{ID: "1", Family: "1", Text: "Fever: no", Asked: "Fever?", Value: "no", Absent: true, SymptomOf: []string{"Gout"}},
			{ID: "2", Family: "2", Text: "Smokes: yes", Antecedent: true, AntecedentOf: []string{"Sepsis"}}},
		Candidates: []string{"Sepsis", "Gout"}, Gold: "Gout"}
}

// A check that cannot fail would hold nothing.
func TestFaults(t *testing.T) {
	if got := Faults(sound()); len(got) != 0 {
		t.Fatal(got)
	}
	for why, spoil := range map[string]func(*percuss.Case){
		"fewer than two candidates":        func(c *percuss.Case) { c.Candidates = c.Candidates[1:] },
		"equal when folded":                func(c *percuss.Case) { c.Candidates = append(c.Candidates, "GOUT") },
		"the gold is no candidate":         func(c *percuss.Case) { c.Gold = "gout" },
		"no units":                         func(c *percuss.Case) { c.Units = nil },
		"unit id empty or twice: 1":        func(c *percuss.Case) { c.Units[1].ID = "1" },
		"the text of another unit":         func(c *percuss.Case) { c.Units[1].Text = "Fever: no" },
		"no single line":                   func(c *percuss.Case) { c.Units[0].Text = "Fever:\nno" },
		"half a question":                  func(c *percuss.Case) { c.Units[0].Value = "" },
		"findings have a family":           func(c *percuss.Case) { c.Units[0].Family = "" },
		"linked to Lupus":                  func(c *percuss.Case) { c.Units[0].SymptomOf[0] = "Lupus" },
		"a sentence with a role":           func(c *percuss.Case) { c.Narrative = true },
		"implicit and not absent":          func(c *percuss.Case) { c.Units[1].Implicit = true },
		"the complaint is a unit too":      func(c *percuss.Case) { c.Complaint.ID = "2" },
		"last fact is not the complaint":   func(c *percuss.Case) { c.Facts = nil },
		"complaint: its text is empty":     func(c *percuss.Case) { c.Complaint.Text = "" },
		"left out without text or reason":  func(c *percuss.Case) { c.LeftOut = []percuss.LeftOut{{Text: "x"}} },
		"candidates that are empty or equ": func(c *percuss.Case) { c.Candidates = append(c.Candidates, " ") },
	} {
		c := sound()
		spoil(&c)
		if got := strings.Join(Faults(c), "\n"); !strings.Contains(got, why) {
			t.Errorf("%q is not among %q", why, got)
		}
	}
}
