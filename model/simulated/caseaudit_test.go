package simulated_test

import (
	"math"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/dataset/ddxplus"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/simulated"
)

// TestPlantedInteractionsThroughTheAudit: the evidence audit itself finds the planted interactions, and its changes of
// families move the margin as the policy says.
func TestPlantedInteractionsThroughTheAudit(t *testing.T) {
	l, err := ddxplus.New(datasettest.File(t, "ddxplus", "release_test_patients_sample.csv"), dataset.Options{})
	world := append(testCases(), dataset.DrawCases(publishedCases(t, l, err), 5, 6)...)
	changes := map[evidence.Edit]int{}
	for _, k := range []string{"additive", "and", "shortcut", "absent-as-present"} {
		m := caseReasoner(t, k+"?seed=3", world...)
		for _, r := range audited(t, m, world) {
			c := world[slices.IndexFunc(world, func(c percuss.Case) bool { return c.ID == r.Subject.Item })]
			var units []percuss.Unit
			for _, u := range r.Units {
				units = append(units, c.Units[slices.IndexFunc(c.Units, func(o percuss.Unit) bool { return o.ID == u.ID })])
			}
			want := truth(t, m, c, units)
			if r.Base.State != evidence.Scored || len(r.Base.Interactions) < len(units) {
				t.Fatalf("%s %s: %s %s, %d interactions", k, c.ID, r.Base.State, r.Base.Why, len(r.Base.Interactions))
			}
			for _, i := range r.Base.Interactions {
				if math.Abs(i.Value-want[i.Set]) > 1e-9 {
					t.Errorf("%s %s: interaction of %b is %g, planted %g", k, c.ID, i.Set, i.Value, want[i.Set])
				}
			}
			for _, ch := range r.Changes {
				changes[ch.Edit]++
				if want := moved(t, m, k, c, units, ch); !(math.Abs(ch.Margin.Or(math.NaN())-want) < 1e-9) {
					t.Errorf("%s %s: %s %s (%s) moves the margin by %v, want %g: %q -> %q", k, c.ID, ch.Edit, ch.Family, ch.Why, ch.Margin, want, ch.Before, ch.After)
				}
			}
		}
	}
	for _, e := range []evidence.Edit{evidence.Remove, evidence.Unspecify, evidence.Flip, evidence.Administrative} {
		if changes[e] < 10 {
			t.Errorf("%s: only %d changes were measured", e, changes[e])
		}
	}
}

// audited runs the audit with counterfactuals, on every family of every case that it can choose.
func audited(t *testing.T, m *simulated.Model, world []percuss.Case) (out []evidence.Record) {
	t.Helper()
	can := m.Capabilities()
	o := evidence.Options{Seed: 1, MaxOrder: 2, Families: 20, Checks: evidence.Checks{Counterfactuals: len(world)}, Prompts: caseWordings,
		Can: map[string]percuss.Capabilities{"m": can}, Rank: map[string]int{}, Drawn: map[string]int{}, Appropriate: map[string]bool{}}
	for i, c := range world {
		o.Rank[c.ID], o.Drawn[c.Set] = i, len(world)
		if c.Complaint != nil {
			o.Appropriate[c.ID+"\t"+c.Complaint.Family] = true // so that the complaint is changed too
		}
	}
	audit := evidence.New(o)
	for _, c := range world {
		s := percuss.Subject{SubjectID: percuss.SubjectID{Model: "m", Set: c.Set, Item: c.ID}, Identity: can.Identity, Case: &c}
		answers := percuss.AnswerMap{}
		for missing := percuss.Missing(audit.Trials(s, answers), answers); len(missing) > 0; missing = percuss.Missing(audit.Trials(s, answers), answers) {
			for i, a := range modeltest.Ask(t, m, missing...) {
				answers[missing[i].Key()] = a
			}
		}
		r, ok := audit.Reduce(s, audit.Trials(s, answers), answers).(evidence.Record)
		if !ok {
			t.Fatal("no record")
		}
		out = append(out, r)
	}
	return out
}

// moved is by how much a change of a family moves the true margin of the full evidence.
func moved(t *testing.T, m *simulated.Model, k string, c percuss.Case, units []percuss.Unit, ch evidence.Change) float64 {
	t.Helper()
	in := func(u percuss.Unit) bool { return u.Family == ch.Family || c.Narrative && u.ID == ch.Family }
	all := slices.Clone(c.Units)
	if c.Narrative {
		all = units
	}
	if c.Complaint != nil {
		all = append(all, *c.Complaint)
	}
	family := slices.DeleteFunc(slices.Clone(all), func(u percuss.Unit) bool { return !in(u) })
	rest := slices.DeleteFunc(slices.Clone(all), in)
	if c.Narrative { // what is audited is shown, and nothing else
		values, _ := m.CaseTruth(c, units)
		set := 0
		for i, u := range units {
			if !in(u) {
				set |= 1 << i
			}
		}
		return values[set].Or(math.NaN()) - values[len(values)-1].Or(math.NaN())
	}
	without, ok := m.CaseTruth(c, family)
	if !ok || len(rest)+len(family) != len(all) {
		t.Fatalf("%s: no truth of family %s", c.ID, ch.Family)
	}
	v := without[0].Or(math.NaN()) - without[len(without)-1].Or(math.NaN())
	if ch.Edit != evidence.Flip {
		return v
	}
	kept := 0 // what is neither yes nor no stands as it was, unless the family is denied
	for i, u := range family {
		switch {
		case slices.Contains(ch.After, u.Text):
			kept |= 1 << i
		case u.Value == "yes" || u.Value == "no":
			v += contrary(t, k, c, u)
		}
	}
	return v + without[kept].Or(math.NaN()) - without[0].Or(math.NaN())
}
