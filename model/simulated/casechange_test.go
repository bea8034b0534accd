package simulated_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/prompt"
)

// changed is what a counterfactual does to one unit.
func changed(u percuss.Unit, how string) percuss.Unit {
	with := func(value string) percuss.Unit {
		stem := strings.TrimSuffix(strings.TrimSuffix(u.Text, "."), u.Value)
		u.Text, u.Value = stem+value, value
		return u
	}
	switch how {
	case "unspecified":
		return with("not specified")
	case "flipped":
		return with(map[bool]string{true: "yes", false: "no"}[u.Absent])
	}
	return percuss.Unit{ID: u.ID, Text: caseAdministrative}
}

const caseAdministrative = "The contact details were confirmed at the desk."

// TestChangedUnits: a unit that is removed, marked unspecified or replaced counts as hidden, a flipped one as the
// contrary, wherever it stands: in the list of the audited units, among the facts, or as the complaint.
func TestChangedUnits(t *testing.T) {
	c := patient()
	for _, k := range []string{"additive", "absent-as-present", "shortcut", "and"} {
		m := caseReasoner(t, k+"?seed=3")
		full := truthOf(t, m, c, c.Units[:0])
		for at, u := range c.Units {
			hidden := truthOf(t, m, c, c.Units[at:at+1])
			other := contrary(t, k, c, u)
			for _, how := range []string{"removed", "unspecified", "administrative", "flipped"} {
				if how == "flipped" && u.Value != "yes" && u.Value != "no" {
					continue
				}
				want := hidden
				if how == "flipped" {
					want = hidden + other
				}
				for _, l := range layouts() {
					for place, audited := range map[string][]percuss.Unit{"fact": without(c.Units[:6], at), "listed": c.Units} {
						s := change(l, c, audited, at, how)
						got := marginIn(modeltest.Ask(t, m, lettersOf(t, m, l.wording, s))[0], s.Options, c.Gold)
						if math.Abs(got-want) > 1e-9 {
							t.Errorf("%s, %s %s as a %s, %+v: margin %g, want %g (unchanged %g)", k, u.ID, how, place, l, got, want, full)
						}
					}
				}
			}
		}
	}
}

// truthOf is the true margin when all is shown but the audited units.
func truthOf(t *testing.T, m interface {
	CaseTruth(percuss.Case, []percuss.Unit) ([]percuss.Number, bool)
}, c percuss.Case, audited []percuss.Unit) float64 {
	t.Helper()
	v, ok := m.CaseTruth(c, audited)
	if !ok {
		t.Fatal("no truth")
	}
	return v[0].Or(math.NaN())
}

// contrary is what a flipped unit adds under seed 3: what it adds to a case that records the contrary. The pair of "and"
// is not whole then, and nobody jumps at it.
func contrary(t *testing.T, kind string, c percuss.Case, u percuss.Unit) float64 {
	t.Helper()
	switch kind {
	case "and":
		return 0
	case "shortcut":
		kind = "additive"
	}
	u.Absent = !u.Absent
	c.Units, c.Complaint = []percuss.Unit{u}, nil
	return truth(t, caseReasoner(t, kind+"?seed=3", c), c, c.Units)[1]
}

func without(units []percuss.Unit, at int) []percuss.Unit {
	if at >= len(units) {
		return units
	}
	return slices.Delete(slices.Clone(units), at, at+1)
}

// change is the full prompt with one unit changed.
func change(l layout, c percuss.Case, audited []percuss.Unit, at int, how string) prompt.Shown {
	id := c.Units[at].ID
	edit := func(units []percuss.Unit) (out []percuss.Unit) {
		for _, u := range units {
			switch {
			case u.ID != id:
				out = append(out, u)
			case how != "removed":
				out = append(out, changed(u, how))
			}
		}
		return out
	}
	ids := make([]percuss.Unit, len(audited))
	copy(ids, audited)
	c.Units = edit(c.Units)
	s := l.shown(c, edit(ids), 0)
	s.Hidden = 0
	return s
}

// TestChangedComplaint: the complaint is a finding too, and is one among the facts.
func TestChangedComplaint(t *testing.T) {
	c := patient()
	m := caseReasoner(t, "additive?seed=3")
	denied := c
	wrong := *c.Complaint
	wrong.Absent, denied.Complaint = true, &wrong
	all := truthOf(t, m, c, nil)
	weight := all - truthOf(t, m, c, []percuss.Unit{*c.Complaint})
	flip := truth(t, m, denied, []percuss.Unit{wrong})[1]
	if weight < 0.5 || flip > -0.5 {
		t.Fatalf("the complaint adds %g, its contrary %g", weight, flip)
	}
	for fact, want := range map[string]float64{
		"Initial complaint: Cough": all, "": all - weight, "Initial complaint: not specified": all - weight,
		"Initial complaint: Cough: not specified": all - weight, "Initial complaint: Cough: no": all - weight + flip,
		"Cough: no": all - weight + flip, "Cough: yes": all, caseAdministrative: all - weight,
	} {
		for _, l := range layouts() {
			s := l.shown(c, c.Units[:4], 0)
			s.Hidden = 0
			if s.Facts[len(c.Facts)-1] = strings.TrimSuffix(fact, "."); fact == "" {
				s.Facts = slices.Delete(s.Facts, len(c.Facts)-1, len(c.Facts))
			}
			if got := marginIn(modeltest.Ask(t, m, lettersOf(t, m, l.wording, s))[0], s.Options, c.Gold); math.Abs(got-want) > 1e-9 {
				t.Errorf("%q, %+v: margin %g, want %g (with the complaint %g)", fact, l, got, want, all)
			}
		}
	}
}
