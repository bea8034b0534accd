package ddxplus

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

const sample = "release_test_patients_sample.csv"

// published reads the sample of the authors' test split; it skips the test where the data is not at hand.
func published(t testing.TB, o dataset.Options) ([]percuss.Case, []*dataset.BadRow) {
	t.Helper()
	l, err := New(datasettest.File(t, Name, sample), o)
	return datasettest.Cases(t, l, err)
}

// The counts were made with Python's csv, ast and json modules over the same files.
func TestPublishedSample(t *testing.T) {
	cases, bad := published(t, nil)
	why := map[string]int{}
	for _, b := range bad {
		why[b.Why]++
	}
	if len(cases) != 2430 || why["fewer than 2 candidates"] != 177 || why["fewer than 4 findings beside the complaint: 3"] != 4 || len(bad) != 181 {
		t.Errorf("%d cases, dropped %v", len(cases), why)
	}
	golds, place, counts := map[string]int{}, map[int]int{}, map[string]int{}
	for _, c := range cases {
		golds[c.Gold]++
		place[slices.Index(c.Candidates, c.Gold)+1]++
		for _, f := range c.Flags {
			counts[f]++
		}
		if c.Source.Split != "test" || c.Source.File != sample || !dataset.Hashed(c.ID) || len(c.Facts) != 3 || c.Complaint == nil || len(c.LeftOut) != 0 {
			t.Fatalf("line %d: %+v", c.Source.Line, c)
		}
		for _, u := range c.Units {
			counts["units"]++
			for name, holds := range map[string]bool{"absent": u.Absent, "antecedent": u.Antecedent, "implicit": u.Implicit,
				"symptom of gold": slices.Contains(u.SymptomOf, c.Gold), "antecedent of gold": slices.Contains(u.AntecedentOf, c.Gold)} {
				if holds {
					counts[name]++
				}
			}
		}
	}
	for name, want := range map[string]int{DifferentialCut: 131, GoldAdded: 0, Merged: 0, Contradiction: 0, "units": 47502, "absent": 5254,
		"implicit": 0, "antecedent": 10998, "symptom of gold": 36576, "antecedent of gold": 10926} {
		if counts[name] != want {
			t.Errorf("%s: %d, want %d", name, counts[name], want)
		}
	}
	if len(golds) != 49 || place[0] != 0 || place[1] != 1756 {
		t.Errorf("%d diseases, place of the gold %v", len(golds), place)
	}
}

// What a case says of its units is what the dictionaries say of them.
func TestPublishedCasesAgreeWithDictionaries(t *testing.T) {
	cases, _ := published(t, nil)
	d, err := readDictionaries(datasettest.File(t, Name))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.codes) != 223 || len(d.conditions) != 49 {
		t.Fatalf("%d evidences, %d conditions", len(d.codes), len(d.conditions))
	}
	for _, c := range cases {
		if n := len(c.Candidates); n < 2 || n > 20 || !c.Candidate(c.Gold) {
			t.Fatalf("line %d: candidates %q, gold %q", c.Source.Line, c.Candidates, c.Gold)
		}
		seen := map[string]bool{c.Complaint.ID: true}
		for _, u := range c.Units {
			code, value, _ := strings.Cut(u.ID, "=")
			e := d.evidences[code]
			if seen[u.ID] || u.Family != e.family || u.Asked != e.question || u.Antecedent != e.antecedent || e.binary != (value == "") {
				t.Fatalf("line %d: unit %+v of %+v", c.Source.Line, u, e)
			}
			if a := e.answers[value]; u.Value != a.text || u.Text != a.note || u.Absent != a.absent || e.binary && (u.Value != "yes" || u.Absent) {
				t.Fatalf("line %d: unit %+v", c.Source.Line, u)
			}
			seen[u.ID] = true
			for _, name := range c.Candidates {
				_, symptom := d.conditions[name].symptoms[code]
				_, antecedent := d.conditions[name].antecedents[code]
				if symptom != slices.Contains(u.SymptomOf, name) || antecedent != slices.Contains(u.AntecedentOf, name) {
					t.Fatalf("line %d: %s and %s: %+v", c.Source.Line, u.ID, name, u)
				}
			}
			if !slices.Contains(u.SymptomOf, c.Gold) && !slices.Contains(u.AntecedentOf, c.Gold) {
				t.Fatalf("line %d: %s is not linked to the patient's own disease", c.Source.Line, u.ID)
			}
		}
	}
}

// In the published dictionary the absent answers of a question are exactly its default value, so the words that mark
// one as absent miss none and take none too many.
func TestPublishedDefaultsAreAbsent(t *testing.T) {
	d, err := readDictionaries(datasettest.File(t, Name))
	if err != nil {
		t.Fatal(err)
	}
	defaults := map[string]string{"E_55": "V_123", "E_57": "V_123", "E_54": "V_11", "E_59": "0", "E_56": "0", "E_58": "0", "E_133": "V_123",
		"E_130": "V_11", "E_134": "0", "E_132": "0", "E_136": "0", "E_135": "V_10", "E_131": "V_10", "E_152": "V_123", "E_204": "V_10"}
	several := 0
	for code, e := range d.evidences {
		if e.binary { // its default is 0, which no row lists
			continue
		}
		several++
		for value, a := range e.answers {
			if a.absent != (value == defaults[code]) {
				t.Errorf("%s, %s (%s): absent %v", code, value, a.text, a.absent)
			}
		}
	}
	if several != len(defaults) {
		t.Errorf("%d questions with values, want %d", several, len(defaults))
	}
}

func TestPublishedImplicitAbsent(t *testing.T) {
	plain, _ := published(t, nil)
	cases, bad := published(t, dataset.Options{"implicit-absent": "yes"})
	if len(cases) != len(plain) || len(bad) != 181 {
		t.Fatalf("%d cases, %d dropped: an option that adds units changed which cases are kept", len(cases), len(bad))
	}
	implicit := 0
	for i, c := range cases {
		n := len(plain[i].Units)
		if c.ID != plain[i].ID || len(c.Units) < n {
			t.Fatalf("case %d: %s", i, c.ID)
		}
		binary := map[string]bool{c.Complaint.ID: true}
		for k, u := range c.Units {
			if u.Implicit != (k >= n) || u.Implicit && (!u.Absent || u.Value != "no" || binary[u.ID]) {
				t.Fatalf("case %d: unit %+v", i, u)
			}
			binary[u.ID] = true
		}
		implicit += len(c.Units) - n
	}
	if implicit != 484768 {
		t.Errorf("%d implicit units", implicit)
	}
}

func BenchmarkPublishedSample(b *testing.B) {
	path := datasettest.File(b, Name, sample)
	for b.Loop() {
		l, err := New(path, nil)
		if err != nil {
			b.Fatal(err)
		}
		if cases, _, err := dataset.CollectCases(l); err != nil || len(cases) == 0 {
			b.Fatal(len(cases), err)
		}
	}
}
