package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// knee is a case that can be used.
func knee() RawCase {
	return RawCase{Facts: []string{"Age: 58 years"}, Complaint: &percuss.Unit{Text: "Painful toe: yes", SymptomOf: []string{"Gout"}},
		Units: []percuss.Unit{
			{Text: "Urate:  9.1 mg/dL", SymptomOf: []string{"gout", "Gout"}},
			{ID: "fever", Asked: "Do you have a fever?", Value: "no", Absent: true, SymptomOf: []string{"Septic arthritis"}},
			{ID: "drug", Family: "drugs", Text: "Takes a thiazide: yes", Antecedent: true, AntecedentOf: []string{"Gout"}},
		},
		Candidates: []string{"Septic arthritis", "Gout ", "Cellulitis"}, Gold: "gout", Note: " crystals "}
}

func TestRawCase(t *testing.T) {
	got, err := knee().Case("ward")
	if err != nil {
		t.Fatal(err)
	}
	want := percuss.Case{ID: got.ID, Set: "ward", Facts: []string{"Age: 58 years", "Initial complaint: Painful toe"},
		Complaint: &percuss.Unit{ID: "complaint", Family: "complaint", Text: "Painful toe: yes", SymptomOf: []string{"Gout"}},
		Units: []percuss.Unit{
			{ID: "U1", Family: "U1", Text: "Urate: 9.1 mg/dL", SymptomOf: []string{"Gout"}},
			{ID: "fever", Family: "fever", Text: "Do you have a fever? no", Asked: "Do you have a fever?", Value: "no", Absent: true, SymptomOf: []string{"Septic arthritis"}},
			{ID: "drug", Family: "drugs", Text: "Takes a thiazide: yes", Antecedent: true, AntecedentOf: []string{"Gout"}},
		},
		Candidates: []string{"Septic arthritis", "Gout", "Cellulitis"}, Gold: "Gout", Note: "crystals"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if !Hashed(got.ID) {
		t.Errorf("id %s", got.ID)
	}
	r := knee()
	r.ID = " 7 "
	if c, err := r.Case("ward"); err != nil || c.ID != "ward:7" {
		t.Errorf("%s, %v", c.ID, err)
	}
}

// What is refused says of which kind it is and names the place.
func TestRawCaseRefusals(t *testing.T) {
	for why, change := range map[string]func(*RawCase){
		"too few candidates: 1; at least 2":                                     func(r *RawCase) { r.Candidates = r.Candidates[1:2] },
		"too few candidates: 2; at least 3":                                     func(r *RawCase) { r.Candidates, r.Text = r.Candidates[:2], "He coughs." },
		`empty candidate: number 2, " "`:                                        func(r *RawCase) { r.Candidates[1] = " " },
		`candidates are the same: "Gout" and "GOUT"`:                            func(r *RawCase) { r.Candidates[2] = "GOUT" },
		"no gold: name":                                                         func(r *RawCase) { r.Gold = " " },
		`gold is no candidate: "Lupus"; add it to the candidates ("Septic`:      func(r *RawCase) { r.Gold = "Lupus" },
		"no units: give":                                                        func(r *RawCase) { r.Units = nil },
		"empty unit: number 2":                                                  func(r *RawCase) { r.Units[1].Value, r.Units[1].Asked = "", "" },
		"half a question: unit fever":                                           func(r *RawCase) { r.Units[1].Text, r.Units[1].Value = "x", "" },
		"repeated unit: number 3 says what number 1 says":                       func(r *RawCase) { r.Units[2].Text = "urate: 9.1 mg/dL." },
		`unit id stands twice: "fever", of units 2 and 3`:                       func(r *RawCase) { r.Units[2].ID = "fever" },
		`link to no candidate: symptom_of of unit fever names "Sepsis"; the`:    func(r *RawCase) { r.Units[1].SymptomOf[0] = "Sepsis" },
		`link to no candidate: antecedent_of of unit drug names ""`:             func(r *RawCase) { r.Units[2].AntecedentOf[0] = "" },
		"empty fact: number 1":                                                  func(r *RawCase) { r.Facts[0] = ". " },
		"empty unit: number 1; give it a text, or what was asked":               func(r *RawCase) { r.Complaint.Text = "" },
		`complaint is a unit too: "Takes a thiazide: yes"`:                      func(r *RawCase) { r.Complaint.Text = "Takes a thiazide: yes" },
		"sentence with a role: unit U1":                                         func(r *RawCase) { r.Narrative = true },
		"too few sentences: 2 can be used, at least 6 are needed; 1 were left ": func(r *RawCase) { r.Text = "He came with pain today. He was not very ill. It was gout." },
		"no units: all 1 sentences name the gold": func(r *RawCase) {
			r.Narrative, r.Units = true, []percuss.Unit{{Text: "It is gout at last."}}
		},
	} {
		r := knee()
		change(&r)
		if c, err := r.Case("ward"); err == nil || !strings.HasPrefix(err.Error(), why) {
			t.Errorf("got %v, %+v; want %q", err, c, why)
		}
	}
}

func TestRawCaseRemarks(t *testing.T) {
	r := knee()
	r.Candidates[2] = "Gout, unspecified"
	r.Units[0].Text = "Had gout before: yes"
	c, err := r.Case("ward")
	if err != nil || !slices.Equal(c.Flags, []string{NearCandidate, GoldTold}) || len(c.Units) != 3 {
		t.Errorf("%q, %v: a finding that tells stays and is remarked on", c.Flags, err)
	}
	r = knee()
	r.Narrative, r.Units = true, []percuss.Unit{{Text: "The toe hurts."}, {ID: "b", Text: "It is gout again."}}
	c, err = r.Case("ward")
	if err != nil || len(c.Units) != 1 || c.Units[0].Family != "" || len(c.Flags) != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if d := cmp.Diff([]percuss.LeftOut{{Text: "It is gout again.", Why: "names the gold: Gout"}}, c.LeftOut); d != "" {
		t.Error(d)
	}
}

func TestRawCaseOfAReport(t *testing.T) {
	r := knee()
	r.Units, r.Text = nil, "A man came in with pain. The toe was red and hot. He had eaten much meat. His father had it too. The urate was very high. It was gout. Needles were seen in it."
	c, err := r.Case("ward")
	if err != nil || !c.Narrative || len(c.Units) != 6 || len(c.LeftOut) != 1 || len(c.Facts) != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	other := r
	other.Text += " He left."
	if o, err := other.Case("ward"); err != nil || o.ID == c.ID {
		t.Errorf("%s, %v: another text is another case", o.ID, err)
	}
}

// Of more than twenty candidates the first named and the gold stay, with the links to them.
func TestRawCaseCut(t *testing.T) {
	r := RawCase{Gold: "Scurvy", Complaint: &percuss.Unit{Text: "Pain", SymptomOf: []string{"Disease A", "Disease T"}}}
	for i := range 25 {
		r.Candidates = append(r.Candidates, "Disease "+percuss.Label(i))
	}
	r.Candidates[24] = "Scurvy"
	r.Units = []percuss.Unit{{Text: "Fever: yes", SymptomOf: r.Candidates, AntecedentOf: []string{"Disease V"}}}
	c, err := r.Case("ward")
	want := append(slices.Clone(r.Candidates[:19]), "Scurvy")
	if err != nil || !slices.Equal(c.Candidates, want) || !slices.Equal(c.Flags, []string{CutCandidates}) {
		t.Errorf("%q, %q, %v", c.Candidates, c.Flags, err)
	}
	if u := c.Units[0]; !slices.Equal(u.SymptomOf, want) || len(u.AntecedentOf) != 0 || !slices.Equal(c.Complaint.SymptomOf, []string{"Disease A"}) {
		t.Errorf("%+v, complaint %+v", u, c.Complaint)
	}
	if len(r.Candidates) != 25 || r.Candidates[19] != "Disease T" || len(r.Complaint.SymptomOf) != 2 {
		t.Error("the input has changed")
	}
	r.Gold = "Disease B"
	if c, err := r.Case("ward"); err != nil || !slices.Equal(c.Candidates, r.Candidates[:20]) {
		t.Errorf("%q, %v", c.Candidates, err)
	}
}

// Whatever the order and spelling of links: a case keeps what it is given, and no input is changed.
func TestRawCaseProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"Gout", "Lupus", "Sepsis", "Measles", "Mumps"}[:rapid.IntRange(2, 5).Draw(t, "candidates")]
		r := RawCase{Candidates: names, Gold: rapid.SampledFrom(names).Draw(t, "gold")}
		spell := rapid.SampledFrom([]func(string) string{strings.ToUpper, strings.ToLower, func(s string) string { return " " + s }})
		for i := range rapid.IntRange(1, 9).Draw(t, "units") {
			u := percuss.Unit{Text: fmt.Sprint("Finding ", i, ": yes")}
			for _, n := range names {
				if rapid.Bool().Draw(t, "linked") {
					u.SymptomOf = append(u.SymptomOf, spell.Draw(t, "spelling")(n))
				}
			}
			r.Units = append(r.Units, u)
		}
		before := fmt.Sprint(r)
		c, err := r.Case("ward")
		if err != nil || fmt.Sprint(r) != before || !c.Candidate(c.Gold) || len(c.Units) != len(r.Units) {
			t.Fatalf("%+v, %v", c, err)
		}
		for i, u := range c.Units {
			if len(u.SymptomOf) != len(r.Units[i].SymptomOf) {
				t.Fatalf("%q became %q", r.Units[i].SymptomOf, u.SymptomOf)
			}
			for _, n := range u.SymptomOf {
				if !c.Candidate(n) {
					t.Fatalf("%q is not as the candidate is written", n)
				}
			}
		}
	})
}

// Merging comes before cutting: what is merged takes no place.
func TestNarrative(t *testing.T) {
	text := "A man came in with pain. The toe was red and hot. He had eaten much meat. His father had it too. The urate was very high. Needles were seen in it."
	n := Narrative{ID: "ward:1", Text: text, Gold: "Gout", Others: []string{"gout", "Lupus", "LUPUS", "Sepsis", "Mumps", "Measles"}, Most: 4, Note: "x "}
	c, err := n.Case("ward")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Candidates, []string{"Gout", "Lupus", "Sepsis", "Mumps"}) || !slices.Equal(c.Flags, []string{MergedCandidate, CutCandidates}) ||
		c.Gold != "Gout" || c.Note != "x" || !c.Narrative || len(c.Units) != 6 {
		t.Errorf("%+v", c)
	}
	n.Most = 0
	if c, err := n.Case("ward"); err != nil || len(c.Candidates) != 5 || slices.Contains(c.Flags, CutCandidates) {
		t.Errorf("%+v, %v", c, err)
	}
	for why, n := range map[string]Narrative{
		"no diagnosis":             {Text: text, Others: n.Others},
		"no case":                  {Gold: "Gout", Others: n.Others, Text: " "},
		"too few candidates: 2":    {Text: text, Gold: "Gout", Others: []string{"gout", "Lupus"}},
		"too few sentences: 1 can": {Text: "One sentence with five words.", Gold: "Gout", Others: n.Others},
	} {
		if _, err := n.Case("ward"); err == nil || !strings.HasPrefix(err.Error(), why) {
			t.Errorf("%v, want %q", err, why)
		}
	}
}
