package simulated_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/stat/lattice"
)

func TestContractOfEvidenceReasoners(t *testing.T) {
	chat, err := caseWordings.Chat("clinical-summary", prompt.Shown{Options: layout{}.options(patient()), Units: patient().Units})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range evidenceKinds {
		for name, traits := range map[string]modeltest.Traits{"weather": {Short: -1}, "case": {Short: -1, Messages: chat, Letters: []string{"A", "B", "C", "D", "E", "F", "G", "H"}}} {
			t.Run(k+" "+name, func(t *testing.T) {
				modeltest.Run(t, func(t *testing.T) model.Model { return caseReasoner(t, k+"?noise=0.5&bias=1") }, traits)
			})
		}
	}
}

// audits are the audited units that the tests use: the first eight, and a choice that leaves siblings, an antecedent and
// the unit of "shortcut" among the facts.
func audits(c percuss.Case) map[string][]percuss.Unit {
	if c.Narrative {
		return map[string][]percuss.Unit{"six": {c.Units[0], c.Units[1], c.Units[3], c.Units[4], c.Units[6], c.Units[7]}}
	}
	out := map[string][]percuss.Unit{"first": c.Units[:min(8, len(c.Units))]}
	if len(c.Units) > 10 {
		out["later"] = []percuss.Unit{c.Units[1], c.Units[4], c.Units[8], c.Units[9], c.Units[10]}
	}
	return out
}

// TestPlantedInteractionsComeBack: under every wording, way of hiding and order of the candidates, with a letter bias
// and without, the interactions are those of the policy.
func TestPlantedInteractionsComeBack(t *testing.T) {
	for _, k := range evidenceKinds {
		for _, bias := range []string{"0", "2.5"} {
			m := caseReasoner(t, k+"?seed=7&bias="+bias)
			for _, c := range testCases() {
				for name, audited := range audits(c) {
					want := truth(t, m, c, audited)
					for _, l := range layouts() {
						got := interactions(t, margins(t, m, l, c, l.requests(t, m, c, audited)))
						from := 0
						if bias != "0" {
							from = 1 // the bias moves all margins alike
						}
						agree(t, fmt.Sprintf("%s, bias %s, %s, %s, %+v", k, bias, c.ID, name, l), got, want, from)
					}
				}
			}
		}
	}
}

// TestPlans: which interactions each policy has, unit by unit.
func TestPlans(t *testing.T) {
	c := patient()
	units := c.Units[:10]
	sign := func(v float64) string { return map[bool]string{true: "+", false: "-"}[v > 0] }
	for spec, want := range map[string]string{
		"additive":                  "0+ 1+ 2+ 3+ 4+ 5- 8-",
		"shortcut":                  "0+ 1+ 2+ 3+ 4+ 5- 6+ 8-",
		"absent-as-present":         "0+ 1+ 2+ 3+ 4+ 5- 8+ 9-",
		"letter-bias":               "",
		"and":                       "01+",
		"and?scale=0":               "",
		"additive?scale=3&seed=9":   "0+ 1+ 2+ 3+ 4+ 5- 8-",
		"additive?noise=4&bias=1.5": "0+ 1+ 2+ 3+ 4+ 5- 8-",
	} {
		var got []string
		for s, v := range truth(t, caseReasoner(t, spec), c, units) {
			if s == 0 || math.Abs(v) < 1e-9 {
				continue
			}
			name := ""
			for u := range lattice.Set(s).Units() {
				name += fmt.Sprint(u)
			}
			got = append(got, name+sign(v))
			if !strings.Contains(spec, "scale") && math.Abs(v) < evidence.Salient {
				t.Errorf("%s: the interaction of %s is %g, too weak to be salient", spec, name, v)
			}
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("%s: interactions %v, want %s", spec, got, want)
		}
	}
	if v := truth(t, caseReasoner(t, "and?scale=1.5"), c, units)[0b11]; math.Abs(v-3) > 1e-12 {
		t.Errorf("the pair adds %g at scale 1.5, want 3", v)
	}
	if v := truth(t, caseReasoner(t, "shortcut"), c, units)[1<<6]; math.Abs(v-2) > 1e-12 {
		t.Errorf("the shortcut adds %g, want 2", v)
	}
}

// TestMechanismsAreNamed: the audit's rules call each planted mechanism by its name, and nothing of the sensible ones
// suspicious.
func TestMechanismsAreNamed(t *testing.T) {
	c, rules := patient(), evidence.DefaultLabels()
	for spec, want := range map[string][]string{"additive": nil, "and": nil, "shortcut": {"2"}, "absent-as-present": {"1"}} {
		units := c.Units[:10]
		var got []string
		for s, v := range truth(t, caseReasoner(t, spec), c, units) {
			if s == 0 || math.Abs(v) < evidence.Salient {
				continue
			}
			var flags [][]evidence.Flag
			for u := range lattice.Set(s).Units() {
				flags = append(flags, evidence.Flags(units[u], c.Candidates, c.Gold, evidence.Thresholds{}))
			}
			if rule := rules.Of(v > 0, flags, false); rule.Suspicious {
				got = append(got, rule.ID)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: suspicious by rules %v, want %v", spec, got, want)
		}
	}
}

// TestShortcutChoosesItsUnit: what is linked to nothing, else to others, of low specificity first, else what is least
// specific; never an absent unit.
func TestShortcutChoosesItsUnit(t *testing.T) {
	low := percuss.Unit{SymptomOf: diagnoses[3:7]} // half of the candidates, the gold not among them
	one := percuss.Unit{SymptomOf: diagnoses[:1]}
	own := percuss.Unit{SymptomOf: []string{"Gout"}}
	all := percuss.Unit{SymptomOf: diagnoses}
	absent, nothing := percuss.Unit{Absent: true}, percuss.Unit{}
	for name, units := range map[string][]percuss.Unit{
		"nothing":  {own, low, absent, nothing, one},
		"low":      {own, one, absent, low},
		"other":    {own, all, absent, one},
		"weak":     {own, absent, all, own},
		"a second": {own, nothing, nothing},
	} {
		want := map[string]int{"nothing": 3, "low": 3, "other": 3, "weak": 2, "a second": 1}[name]
		c := percuss.Case{ID: name, Candidates: diagnoses, Gold: "Gout", Units: slices.Clone(units)}
		for i := range c.Units {
			c.Units[i].ID, c.Units[i].Text = fmt.Sprint("u", i), fmt.Sprint("Finding ", i)
		}
		with, without := truth(t, caseReasoner(t, "shortcut", c), c, c.Units), truth(t, caseReasoner(t, "additive", c), c, c.Units)
		for s := range with {
			if jump := with[s] - without[s]; (math.Abs(jump) > 1e-9) != (s == 1<<want) {
				t.Errorf("%s: the jump of %b is %g, want one at unit %d only", name, s, jump, want)
			}
		}
	}
	c := percuss.Case{Candidates: diagnoses, Gold: "Gout", Units: []percuss.Unit{{ID: "a", SymptomOf: []string{"Gout"}}}}
	if got, want := truth(t, caseReasoner(t, "shortcut"), c, c.Units), truth(t, caseReasoner(t, "additive"), c, c.Units); !slices.Equal(got, want) {
		t.Errorf("a specific symptom is no shortcut: %v, additive %v", got, want)
	}
}

// TestCaseTruthSaysNo: where there is no truth, it says so.
func TestCaseTruthSaysNo(t *testing.T) {
	c := patient()
	m := caseReasoner(t, "additive")
	if v, ok := m.CaseTruth(c, nil); !ok || len(v) != 1 {
		t.Errorf("no audited units: %v, %v", v, ok)
	}
	stranger := c
	stranger.Gold = "Measles"
	many := make([]percuss.Unit, 21)
	for i := range many {
		many[i] = c.Units[0]
	}
	for name, ok := range map[string]func() bool{
		"another policy":                        func() bool { _, ok := caseReasoner(t, "faithful").CaseTruth(c, c.Units[:2]); return ok },
		"a gold that is none of the candidates": func() bool { _, ok := m.CaseTruth(stranger, c.Units[:2]); return ok },
		"a unit of another case":                func() bool { _, ok := m.CaseTruth(c, story().Units[:2]); return ok },
		"too many units":                        func() bool { _, ok := m.CaseTruth(c, many); return ok },
	} {
		if ok() {
			t.Errorf("%s: there is no truth, but one is given", name)
		}
	}
}
