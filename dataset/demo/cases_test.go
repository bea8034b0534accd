package demo

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

var _ dataset.CaseLoader = (*Loader)(nil)

func allCases(t *testing.T) []percuss.Case {
	t.Helper()
	cases, bad := datasettest.Cases(t, New(), nil)
	if len(bad) != 0 {
		t.Fatalf("bad %v", bad)
	}
	return cases
}

// linkedTo are the candidates that a unit is evidence for.
func linkedTo(u percuss.Unit) []string {
	all := slices.Concat(u.SymptomOf, u.AntecedentOf)
	slices.Sort(all)
	return slices.Compact(all)
}

func TestCaseShapes(t *testing.T) {
	cases := allCases(t)
	if len(cases) < 12 {
		t.Errorf("%d cases, want at least 12", len(cases))
	}
	first := 0
	for _, c := range cases {
		if !strings.HasPrefix(c.ID, "demo-case-") || c.Set != Name || c.Narrative || len(c.LeftOut) != 0 || len(c.Flags) != 0 {
			t.Errorf("%s: set %s, narrative %v, left out %v, flags %q", c.ID, c.Set, c.Narrative, c.LeftOut, c.Flags)
		}
		if n := len(c.Units); n < 7 || n > 9 {
			t.Errorf("%s: %d units, want 7 to 9", c.ID, n)
		}
		if n := len(c.Candidates); n < 3 || n > 6 {
			t.Errorf("%s: %d candidates, want 3 to 6", c.ID, n)
		}
		if len(c.Facts) != 3 || !strings.HasPrefix(c.Facts[0], "Age: ") || !strings.HasPrefix(c.Facts[1], "Sex: ") || !strings.HasPrefix(c.Facts[2], "Initial complaint: ") {
			t.Errorf("%s: facts %q", c.ID, c.Facts)
		}
		if c.Complaint == nil || len(linkedTo(*c.Complaint)) < 2 {
			t.Errorf("%s: the complaint fits one disease only, or none", c.ID)
		}
		if !strings.HasSuffix(c.Note, ")") || len(c.Note) < 60 || c.Source.Line == 0 || len(c.Source.SHA256) != 64 {
			t.Errorf("%s: note %q, source %+v", c.ID, c.Note, c.Source)
		}
		if c.Candidates[0] == c.Gold {
			first++
		}
		checkUnits(t, c)
	}
	if first > len(cases)/2 {
		t.Errorf("the gold comes first in %d of %d cases", first, len(cases))
	}
}

// checkUnits holds every unit of a case: it can be put in both wordings, absence and value agree, and what marks a
// history is said.
func checkUnits(t *testing.T, c percuss.Case) {
	t.Helper()
	named := map[string]bool{}
	for _, u := range c.Units {
		if u.Asked == "" || u.Value == "" || u.Family == "" || !strings.HasSuffix(u.Asked, "?") || !strings.HasSuffix(u.Text, ": "+u.Value) {
			t.Errorf("%s, %s: %+v", c.ID, u.ID, u)
		}
		if u.Absent != (u.Value == "no") {
			t.Errorf("%s, %s: absent %v with value %q", c.ID, u.ID, u.Absent, u.Value)
		}
		if len(u.AntecedentOf) > 0 && !u.Antecedent {
			t.Errorf("%s, %s is an antecedent of %q and not marked as history", c.ID, u.ID, u.AntecedentOf)
		}
		for _, name := range linkedTo(u) {
			named[name] = true
		}
	}
	for _, d := range c.Candidates {
		if !named[d] {
			t.Errorf("%s: no unit speaks for %s", c.ID, d)
		}
	}
}

// Nothing that is shown names the gold, nor any other candidate: the letter must be found from the findings.
func TestCasesTellNoDiagnosis(t *testing.T) {
	for _, c := range allCases(t) {
		shown := slices.Clone(c.Facts)
		for _, u := range append(slices.Clone(c.Units), *c.Complaint) {
			shown = append(shown, u.Text, u.Asked+" "+u.Value)
		}
		for _, d := range c.Candidates {
			names := clinical.NamesOf(d)
			if names.Empty() && d == c.Gold {
				t.Errorf("%s: no form of %s can be looked for", c.ID, d)
			}
			for _, text := range shown {
				if form, tells := names.In(text); tells {
					t.Errorf("%s: %q names %s (%s)", c.ID, text, d, form)
				}
			}
		}
	}
}

// Over the set every sort of unit occurs often enough for a sample to hold it, and each case has what the balanced
// selection takes turns over.
func TestCasesHoldEverySortOfUnit(t *testing.T) {
	count := map[string]int{}
	for _, c := range allCases(t) {
		here := map[string]bool{}
		for _, u := range c.Units {
			linked := linkedTo(u)
			own := slices.Contains(linked, c.Gold)
			others := len(linked)
			if own {
				others--
			}
			for sort, is := range map[string]bool{
				"absent":              u.Absent,
				"symptom of the gold": slices.Contains(u.SymptomOf, c.Gold),
				"target-specific":     !u.Absent && slices.Contains(u.SymptomOf, c.Gold) && 4*others <= len(c.Candidates)-1,
				"antecedent of gold":  slices.Contains(u.AntecedentOf, c.Gold),
				"others only":         !u.Absent && !own && others > 0,
				"low specificity":     2*len(linked) >= len(c.Candidates),
				"linked to none":      len(linked) == 0,
			} {
				here[sort] = here[sort] || is
			}
		}
		for sort, is := range here {
			if is {
				count[sort]++
			} else if sort != "linked to none" {
				t.Errorf("%s has no unit that is: %s", c.ID, sort)
			}
		}
	}
	if count["linked to none"] < 10 {
		t.Errorf("%d cases have a unit that is linked to no candidate", count["linked to none"])
	}
}

func TestCasesVary(t *testing.T) {
	sex, golds, ages := map[string]int{}, map[string]bool{}, map[bool]int{}
	for _, c := range allCases(t) {
		sex[c.Facts[1]]++
		golds[c.Gold] = true
		ages[len(strings.Fields(c.Facts[0])[1]) == 1 || strings.Fields(c.Facts[0])[1] < "18"]++
	}
	if sex["Sex: female"] < 5 || sex["Sex: male"] < 5 || len(sex) != 2 {
		t.Errorf("%v", sex)
	}
	if n := len(allCases(t)); len(golds) != n || ages[true] < 2 {
		t.Errorf("%d diagnoses in %d cases, %d children", len(golds), n, ages[true])
	}
}

func TestBadCases(t *testing.T) {
	good := `{"id":"demo-case-01","facts":[],"complaint":{"text":"Pain"},"units":[{"text":"Fever: yes","symptom_of":["Gout"]}],"candidates":["Gout","Sepsis"],"gold":"Gout","fact":"f","source":"s"}`
	rows := []struct{ row, why string }{
		{good, ""},
		{good, "duplicate of line 1"},
		{strings.Replace(good, "fact\"", "facet\"", 1), "unknown field"},
		{strings.Replace(good, `"f"`, `""`, 1), "incomplete"},
		{strings.Replace(good, `"gold":"Gout"`, `"gold":"Lupus"`, 1), "gold is no candidate"},
		{strings.Replace(good, `of":["Gout"]`, `of":["Lupus"]`, 1), "link to no candidate"},
	}
	var lines []string
	for _, r := range rows {
		lines = append(lines, r.row)
	}
	cases, bad, err := dataset.CollectCases(&Loader{cases: []byte("[" + strings.Join(lines, ",\n") + "]")})
	if err != nil || len(cases) != 1 || len(bad) != len(rows)-1 {
		t.Fatalf("%d cases, bad %v, %v", len(cases), bad, err)
	}
	for _, b := range bad {
		if want := rows[b.Line-1].why; b.File != casesFile || !strings.Contains(b.Why, want) {
			t.Errorf("%v, want %q", b, want)
		}
	}
	if !slices.Equal(cases[0].Facts, []string{"Initial complaint: Pain"}) || cases[0].Note != "f (s)" {
		t.Errorf("%+v", cases[0])
	}
}
