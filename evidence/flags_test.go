package evidence

import (
	"slices"
	"testing"

	"github.com/percuss/percuss"
)

// Eight candidates, d0 audited.
var eight = []string{"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"}

func TestFlags(t *testing.T) {
	for name, c := range map[string]struct {
		unit percuss.Unit
		want []Flag
		role Role
	}{
		"nothing known":       {percuss.Unit{}, nil, RoleOther},
		"specific symptom":    {percuss.Unit{SymptomOf: []string{"d0"}}, []Flag{Symptom, TargetSpecific}, RoleSupporting},
		"one competitor too":  {percuss.Unit{SymptomOf: []string{"d0", "d1"}}, []Flag{Symptom, Other, TargetSpecific}, RoleSupporting},
		"a quarter and more":  {percuss.Unit{SymptomOf: []string{"d0", "d1", "d2"}}, []Flag{Symptom, Other}, RoleSupporting},
		"half of all":         {percuss.Unit{SymptomOf: eight[:4]}, []Flag{Symptom, Other, LowSpecificity}, RoleSupporting},
		"half, not of d":      {percuss.Unit{SymptomOf: eight[1:5]}, []Flag{Other, OtherOnly, LowSpecificity}, RoleCompetitor},
		"competitor only":     {percuss.Unit{AntecedentOf: []string{"d3"}}, []Flag{Other, OtherOnly}, RoleCompetitor},
		"antecedent":          {percuss.Unit{AntecedentOf: []string{"d0"}}, []Flag{Antecedent, TargetSpecific}, RoleBackground},
		"both kinds":          {percuss.Unit{SymptomOf: []string{"d0"}, AntecedentOf: []string{"d0"}}, []Flag{Symptom, Antecedent, TargetSpecific}, RoleBackground},
		"absent":              {percuss.Unit{Absent: true, SymptomOf: []string{"d0"}}, []Flag{Absent, Symptom, TargetSpecific}, RoleAbsent},
		"linked to no option": {percuss.Unit{SymptomOf: []string{"elsewhere"}}, nil, RoleOther},
	} {
		got := Flags(c.unit, eight, "d0", Thresholds{})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if r := RoleOf(got); r != c.role {
			t.Errorf("%s: role %s, want %s", name, r, c.role)
		}
	}
	// From another diagnosis the same unit looks another way.
	u := percuss.Unit{SymptomOf: []string{"d0"}}
	if got := Flags(u, eight, "d1", Thresholds{}); !slices.Equal(got, []Flag{Other, OtherOnly}) {
		t.Errorf("from d1: %v", got)
	}
	if got := Flags(u, eight[:1], "d0", Thresholds{Low: 0.9}); !slices.Contains(got, LowSpecificity) {
		t.Errorf("the only candidate: %v", got)
	}
}

// Every rule of the table, and the order between them.
func TestLabels(t *testing.T) {
	l := DefaultLabels()
	s, a, o, oo, ab, low := []Flag{Symptom}, []Flag{Antecedent}, []Flag{Other, OtherOnly}, []Flag{Other, OtherOnly}, []Flag{Absent, Symptom}, []Flag{LowSpecificity}
	shared := []Flag{Symptom, Other}
	weak := []Flag{Symptom, Other, LowSpecificity}
	for _, c := range []struct {
		positive bool
		units    [][]Flag
		want     string
	}{
		{true, [][]Flag{s, ab}, "1"},
		{true, [][]Flag{nil, o}, "2"},
		{true, [][]Flag{low}, "2"},
		{true, [][]Flag{weak}, "6"}, // a low-specificity symptom is weak support, never irrelevant
		{true, [][]Flag{o, oo}, "3"},
		{false, [][]Flag{s, o}, "4a"},
		{false, [][]Flag{shared, shared}, "4a"},
		{true, [][]Flag{s, o}, "4b"},
		{true, [][]Flag{a, o}, "4b"},
		{false, [][]Flag{s, s}, "5"},
		{false, [][]Flag{s}, "8"},
		{true, [][]Flag{s, s}, "6"},
		{true, [][]Flag{s, a}, "6"},
		{true, [][]Flag{a, a}, "7"},
		{false, [][]Flag{a}, "7"},
		{false, [][]Flag{ab, ab}, "5"}, // negative: no misuse
		{true, [][]Flag{s, nil}, "8"},
		{false, [][]Flag{nil, nil}, "8"},
	} {
		if got := l.Of(c.positive, c.units, false); got.ID != c.want {
			t.Errorf("positive %v, %v: rule %s (%s), want %s", c.positive, c.units, got.ID, got.Label, c.want)
		}
	}
	var suspicious []string
	for _, r := range l.Rules {
		if r.Suspicious {
			suspicious = append(suspicious, r.ID)
		}
	}
	if !slices.Equal(suspicious, []string{"1", "2", "3"}) {
		t.Errorf("the strict suspicious set is %v", suspicious)
	}
	if got := l.Of(true, [][]Flag{nil}, true).ID + l.Of(false, [][]Flag{nil}, true).ID; got != "n1n2" {
		t.Errorf("narratives: %s", got)
	}
}
