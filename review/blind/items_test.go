package blind

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
)

func patient() percuss.Case {
	return percuss.Case{ID: "secret-item", Set: "secret-set", Facts: []string{"Age: 41 years"}, Gold: "Pneumonia",
		Candidates: []string{"Pneumonia", "Asthma", "GERD"}, Note: "secret-note", Flags: []string{"secret-flag"},
		Units: []percuss.Unit{
			{ID: "secret-1", Family: "secret-family", Text: "Fever: yes", SymptomOf: []string{"secret-link"}},
			{ID: "secret-2", Text: "<b>;\nsecond line", Absent: true},
			{ID: "secret-3", Text: "Toux: oui, fièvre"},
		}}
}

func TestInteraction(t *testing.T) {
	got, err := Interaction("i1", patient(), "Pneumonia", []string{"secret-3", "secret-1"}, -1.2345)
	if err != nil {
		t.Fatal(err)
	}
	want := Item{ID: "i1", Parts: []Part{
		{Show: ShowList, Head: "What was found", Rows: []Row{{Key: "Diagnosis", Text: "Pneumonia"}, {Key: "Direction", Text: "negative: speaks against it"}, {Key: "Strength", Text: "1.23 nats", Note: "odds ÷ 3.4"}}},
		{Show: ShowList, Head: "Findings of the case; the marked ones are to be judged, as a group", Rows: []Row{{Text: "Fever: yes", Marked: true}, {Text: "<b>;\nsecond line"}, {Text: "Toux: oui, fièvre", Marked: true}}},
		{Show: ShowList, Head: "Known of the patient in any case", Rows: []Row{{Text: "Age: 41 years"}}},
		{Show: ShowList, Head: "Diagnoses that it was weighed against, by name", Rows: []Row{{Text: "Asthma"}, {Text: "GERD"}, {Text: "Pneumonia"}}}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if raw, _ := json.Marshal(got); strings.Contains(string(raw), "secret") {
		t.Errorf("it tells of the case what it should not: %s", raw)
	}
	for _, units := range [][]string{{"secret-9"}, {"secret-1", "secret-1"}} {
		if _, err := Interaction("i1", patient(), "Pneumonia", units, 1); err == nil || !strings.Contains(err.Error(), "secret-item") {
			t.Errorf("%v: %v", units, err)
		}
	}
}

// A strength says what it does to the odds, in as many digits as one reads.
func TestOdds(t *testing.T) {
	for value, want := range map[float64]string{0.7: "odds × 2.0", -0.7: "odds ÷ 2.0", 2.25: "odds × 9.5", 2.3: "odds × 10", 5: "odds × 148", -8: "odds ÷ more than 1,000"} {
		if got := odds(value); got != want {
			t.Errorf("%v: %q, want %q", value, got, want)
		}
	}
}

// An edit shows the question and its right option; a flip what was answered before and after, and asks for its hazard.
func TestEdited(t *testing.T) {
	q := percuss.Question{ID: "secret-item", Set: "secret-set", Stem: "old", Gold: "B", Note: "secret-note", Options: []percuss.Option{{Label: "A", Text: "one"}, {Label: "B", Text: "two"}}}
	plain := Edited("i1", q, Change{"old", "new"}, nil)
	moved := Edited("i2", q, Change{"old", "new"}, &Change{"B", "A"})
	if d := cmp.Diff([]string{AskShift, AskValidity}, plain.Asks); d != "" || len(plain.Parts) != 2 {
		t.Errorf("%s %+v", d, plain)
	}
	if d := cmp.Diff([]string{AskShift, AskValidity, AskHazard}, moved.Asks); d != "" {
		t.Error(d)
	}
	want := Part{Show: ShowList, Head: "The answer that was given", Rows: []Row{{Key: "B", Text: "two", Note: "before the change"}, {Key: "A", Text: "one", Note: "after the change"}}}
	if d := cmp.Diff(want, moved.Parts[2]); d != "" {
		t.Error(d)
	}
	if !plain.Parts[1].Rows[1].Marked || plain.Parts[1].Rows[0].Marked {
		t.Errorf("the right option is not marked alone: %+v", plain.Parts[1])
	}
	form, err := FormOf(Perturbation)
	if err != nil {
		t.Fatal(err)
	}
	p := Package{Questions: form.Questions, Items: []Item{plain, moved}}.Sealed(nil)
	if err := p.Check(); err != nil {
		t.Error(err)
	}
	if raw, _ := json.Marshal(p.Items); strings.Contains(string(raw), "secret") {
		t.Errorf("it tells of the question what it should not: %s", raw)
	}
}

func TestOperator(t *testing.T) {
	got := Operator("i1", "It does this.", []Change{{"a", "b"}, {"c", "d"}})
	if len(got.Parts) != 3 || got.Parts[2].Head != "Example 2" || Operator("i1", "x", []Change{{"a", "b"}}).Parts[1].Head != "Example" {
		t.Errorf("%+v", got)
	}
}
