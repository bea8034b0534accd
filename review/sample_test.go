package review

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/stat/lattice"
)

// The rules of the worlds of these tests, with names that no other text holds.
func labels() evidence.Labels {
	return evidence.Labels{
		Rules: []evidence.Rule{
			{ID: "rule-neg", Label: "label-negated", Coarse: "negated", Suspicious: true},
			{ID: "rule-irr", Label: "label-irrelevant", Coarse: "other suspicious", Suspicious: true},
			{ID: "rule-con", Label: "label-conflict", Coarse: "conflict"},
			{ID: "rule-fai", Label: "label-faithful", Coarse: "faithful/plausible"},
			{ID: "rule-bac", Label: "label-background", Coarse: "background"},
			{ID: "rule-last", Label: "label-weak", Coarse: "faithful/plausible"},
		},
		Narrative: []evidence.Rule{
			{ID: "rule-n1", Label: "label-support", Coarse: "faithful/plausible"},
			{ID: "rule-n2", Label: "label-against", Coarse: "conflict"},
		},
	}
}

type item struct {
	record  evidence.Record
	patient *percuss.Case
}

// world is cases × models with interactions of every rule; the first case has ten times as many as the others.
func world(models, cases int, seed uint64) []item {
	r := rand.New(rand.NewPCG(seed, 1))
	rules := labels().Rules
	var out []item
	for c := range cases {
		p := &percuss.Case{ID: fmt.Sprintf("demo:%03d", c), Set: "demo", Gold: "Pneumonia", Candidates: []string{"Pneumonia", "Asthma"}, Facts: []string{"Age: 41 years"}}
		for u := range 8 {
			p.Units = append(p.Units, percuss.Unit{ID: fmt.Sprintf("E_%d", u), Text: fmt.Sprintf("Finding %d of %d: yes", u, c)})
		}
		n := 3
		if c == 0 {
			n = 30
		}
		for m := range models {
			rec := evidence.Record{Subject: percuss.SubjectID{Variant: "variant-v", Model: fmt.Sprintf("model-m%d", m), Set: "demo", Item: p.ID},
				Gold: p.Gold, Candidates: p.Candidates, Base: evidence.Measured{State: evidence.Scored}}
			for _, u := range p.Units {
				rec.Units = append(rec.Units, evidence.UnitRecord{ID: u.ID, Text: u.Text})
			}
			for at, s := range r.Perm(200)[:n] {
				rule := rules[(at+c+m)%len(rules)]
				i := evidence.Interaction{Set: lattice.Set(s + 1), Value: (0.5 + r.ExpFloat64()) * float64(1-2*(at%2)), Rule: rule.ID, Label: rule.Label, Suspicious: rule.Suspicious}
				rec.Base.Interactions = append(rec.Base.Interactions, i, evidence.Interaction{Set: lattice.Set(s+1) | 1<<7, Value: 0.4999, Rule: rule.ID})
				if c%5 == 1 && !i.Suspicious {
					rec.Cascade = append(rec.Cascade, evidence.Survival{Set: i.Set, Value: i.Value, Rule: i.Rule})
				}
			}
			out = append(out, item{rec, p})
		}
	}
	return out
}

func each(items []item) iter.Seq2[evidence.Record, *percuss.Case] {
	return func(yield func(evidence.Record, *percuss.Case) bool) {
		for _, i := range items {
			if !yield(i.record, i.patient) {
				return
			}
		}
	}
}

func drawn(t testing.TB, items []item, o Options) Sample {
	t.Helper()
	o.Labels, o.Run = labels(), "run-r"
	s, err := DrawInteractions(each(items), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// strata are the numbers of a sample by bucket.
func strata(s Sample) map[string]Stratum {
	out := map[string]Stratum{}
	for _, x := range s.Strata {
		out[x.Bucket] = x
	}
	return out
}

func ids(s Sample) []string {
	var out []string
	for _, k := range s.Keys {
		out = append(out, k.ID)
	}
	slices.Sort(out)
	return out
}
