package ddxplus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
)

// droppedRow is a row with the reason why it is dropped; empty where it is kept.
type droppedRow struct {
	row patient
	why string
}

func droppedRows() []droppedRow {
	change := func(f func(*patient)) patient { p := usual; f(&p); return p }
	return []droppedRow{
		{usual, ""},
		{usual, "duplicate of line 2"},
		{change(func(p *patient) { p.gold = " " }), "no gold"},
		{change(func(p *patient) { p.differential = "" }), "no differential"},
		{change(func(p *patient) { p.differential = "[]" }), "no differential"},
		{change(func(p *patient) { p.differential = "[['URTI']]" }), "DIFFERENTIAL_DIAGNOSIS is no list of names with probabilities: character"},
		{change(func(p *patient) { p.differential = `[["Chagas' disease", 1.0]]` }), "fewer than 2 candidates"},
		{change(func(p *patient) { p.differential = `[['Flu', 1.0]]` }), `unknown diagnosis: "Flu" is not in release_conditions.json`},
		{change(func(p *patient) { p.gold = "Chagas" }), `unknown diagnosis: "Chagas"`},
		{change(func(p *patient) { p.age = "x" }), `unknown age: "x"`},
		{change(func(p *patient) { p.age = "-1" }), `unknown age: "-1"`},
		{change(func(p *patient) { p.age = "131" }), `unknown age`},
		{change(func(p *patient) { p.sex = "" }), `unknown sex: ""`},
		{change(func(p *patient) { p.complaint = "E_99" }), `unknown evidence: "E_99" is not in release_evidences.json`},
		{change(func(p *patient) { p.evidences = `['E_1', 'E_98']` }), `unknown evidence: "E_98"`},
		{change(func(p *patient) { p.evidences = `['E_2_@_V_4']` }), `unknown value: "E_2_@_V_4"`},
		{change(func(p *patient) { p.evidences = `['E_5_@_6']` }), `unknown value: "E_5_@_6"`},
		{change(func(p *patient) { p.evidences = `['E_1_@_V_3']` }), `unknown value: "E_1_@_V_3"`},
		{change(func(p *patient) { p.evidences = `['E_1_@_']` }), `unknown value: "E_1_@_"`},
		{change(func(p *patient) { p.evidences = `['E_2']` }), "no value: E_2 asks for one of 3 values"},
		{change(func(p *patient) { p.evidences = `['']` }), `unknown evidence: ""`},
		{change(func(p *patient) { p.evidences = `{"E_1": 1}` }), "EVIDENCES is no list of codes: character 1"},
		{change(func(p *patient) { p.evidences = `['E_1', 'E_6', 'E_7', 'E_1', 'E_8_@_V_1']` }), "fewer than 4 findings beside the complaint: 3"},
		{change(func(p *patient) { p.age = "40" }), ""},
	}
}

func TestDroppedRows(t *testing.T) {
	rows := droppedRows()
	var patients []patient
	for _, r := range rows {
		patients = append(patients, r.row)
	}
	cases, bad := load(t, nil, patients...)
	at := map[int]string{}
	for _, b := range bad {
		at[b.Line] = b.Why
	}
	for i, r := range rows {
		if got, dropped := at[i+2]; dropped != (r.why != "") || !strings.HasPrefix(got, r.why) {
			t.Errorf("row %d: %q, want %q", i, got, r.why)
		}
	}
	if len(cases)+len(bad) != len(rows) || len(cases) != 2 {
		t.Errorf("%d cases, %d dropped of %d", len(cases), len(bad), len(rows))
	}
}

func TestFlags(t *testing.T) {
	p := usual
	p.differential = `[['URTI', 0.6], ['URTI', 0.3], ['Grippe', 0.1]]`
	p.evidences = `['E_1', 'E_1', 'E_2_@_V_9', 'E_7', 'E_2_@_V_3']`
	c := one(t, nil, p)
	if want := []string{GoldAdded, Merged, Contradiction}; !slices.Equal(c.Flags, want) || !slices.Equal(c.Candidates, []string{"URTI", "Grippe", "Chagas' disease"}) {
		t.Errorf("%q, %q", c.Flags, c.Candidates)
	}
	if want := []percuss.LeftOut{{Text: "Fever: yes", Why: "repeats another"}}; !slices.Equal(c.LeftOut, want) || len(c.Units) != 4 {
		t.Errorf("%v, %d units", c.LeftOut, len(c.Units))
	}
	p = usual
	p.complaint, p.age = "", "1"
	if c := one(t, nil, p); c.Complaint != nil || !slices.Equal(c.Facts, []string{"Age: 1 year", "Sex: male"}) || len(c.Units) != 7 || c.Flags != nil {
		t.Errorf("%q, %d units, %q", c.Facts, len(c.Units), c.Flags)
	}
}

// Whatever the differential: the gold stays, the kept ones are at least as probable as those that went, in order.
func TestCandidatesProperty(t *testing.T) {
	names := make([]string, 40)
	d := dictionaries{conditions: map[string]condition{}}
	for i := range names {
		names[i] = fmt.Sprintf("D%02d", i)
		d.conditions[names[i]] = condition{}
	}
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.Permutation(names).Draw(t, "order")[:rapid.IntRange(1, 40).Draw(t, "n")]
		gold := rapid.SampledFrom(names).Draw(t, "gold")
		p := map[string]float64{}
		var b []string
		for _, n := range list {
			p[n] = float64(rapid.IntRange(0, 9).Draw(t, "p")) / 10
			b = append(b, fmt.Sprintf("['%s', %v]", n, p[n]))
		}
		got, flags, err := caseReader{dictionaries: d}.candidates("["+strings.Join(b, ", ")+"]", gold)
		whole := list
		if !slices.Contains(list, gold) {
			whole = append(slices.Clone(list), gold)
		}
		if len(whole) < 2 {
			if err == nil {
				t.Fatal("one candidate is no choice")
			}
			return
		}
		if err != nil || len(got) != min(len(whole), 20) || !slices.Contains(got, gold) {
			t.Fatalf("%q, %v", got, err)
		}
		if slices.Contains(flags, GoldAdded) != !slices.Contains(list, gold) || slices.Contains(flags, DifferentialCut) != (len(whole) > 20) || slices.Contains(flags, Merged) {
			t.Fatal(flags)
		}
		kept := slices.DeleteFunc(slices.Clone(whole), func(n string) bool { return !slices.Contains(got, n) })
		if !slices.Equal(kept, got) {
			t.Fatalf("another order than the file's: %q of %q", got, whole)
		}
		for _, in := range got {
			for _, out := range whole {
				if !slices.Contains(got, out) && in != gold && p[in] < p[out] {
					t.Fatalf("%s (%v) stays, %s (%v) goes", in, p[in], out, p[out])
				}
			}
		}
	})
}

func TestImplicitAbsent(t *testing.T) {
	p := usual
	p.evidences = `['E_2_@_V_3', 'E_5_@_4', 'E_7', 'E_8_@_V_1']`
	o := dataset.Options{"implicit-absent": "yes"}
	c := one(t, o, p)
	last := c.Units[len(c.Units)-1]
	if len(c.Units) != 5 || last.ID != "E_1" || !last.Implicit || !last.Absent || last.Text != "Fever: no" || len(last.SymptomOf) != 2 {
		t.Errorf("%d units, last %+v", len(c.Units), last)
	}
	p.evidences = `['E_7', 'E_8_@_V_1']`
	if cases, _ := load(t, o, p); len(cases) != 0 {
		t.Error("findings that nobody recorded make a case long enough")
	}
	if got := one(t, dataset.Options{"findings": "2"}, p); len(got.Units) != 2 {
		t.Errorf("%d units", len(got.Units))
	}
}

// What is left of a question must still make sense before a colon; else the question stays whole.
func TestNote(t *testing.T) {
	for question, want := range map[string]string{
		"Do you have a fever?":               "Fever: yes",
		"Do you have an active cancer?":      "Active cancer: yes",
		"Do you have any lesions?":           "Lesions: yes",
		"Have you ever had pneumonia?":       "Ever had pneumonia: yes",
		"Do you feel anxious?":               "Feel anxious: yes",
		"Are you infected with HIV?":         "Infected with HIV: yes",
		"Characterize your pain:":            "Characterize your pain: yes",
		"How intense is the pain?":           "How intense is the pain? yes",
		"Do you smoke or do you chew?":       "Do you smoke or do you chew? yes",
		"Have you or a sister ever had it?":  "Have you or a sister ever had it? yes",
		"Do you cough or is a cold going on": "Do you cough or is a cold going on yes",
		"Do you wheeze or is your nose red?": "Do you wheeze or is your nose red? yes",
	} {
		if got := (evidence{question: question}).note(yes); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}
