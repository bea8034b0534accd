package evidence

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// Whatever interactions of up to three findings a model has, they come back, under any wording, order and way of hiding,
// with and without a liking for letters.
func TestAnyPlantedGameComesBack(t *testing.T) {
	letters := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.MapOfN(rapid.SampledFrom(upToThree()), rapid.Float64Range(-4, 4), 1, 6).Draw(t, "interactions")
		bias := map[string]float64{}
		how := rapid.SampledFrom([]Debias{Raw, Prior, Cyclic}).Draw(t, "debias")
		if how != Raw {
			for _, l := range []string{"A", "C", "D", "H"} {
				bias[l] = rapid.Float64Range(-2, 2).Draw(t, l)
			}
		}
		a := audit(func(o *Options) {
			o.Debias, o.Hide = how, rapid.SampledFrom([]Hide{Drop, Neutralize}).Draw(t, "hide")
			o.Wording = rapid.SampledFrom([]string{"clinical-summary", "questionnaire"}).Draw(t, "wording")
			o.EvidenceFirst, o.Seed = rapid.Bool().Draw(t, "first"), rapid.Uint64().Draw(t, "seed")
		})
		// The others are so far below that the best of them is always the same: then the margin's interactions are those planted.
		mind := reasoner(func(text, candidate string) float64 {
			if candidate != "d0" {
				return -40
			}
			v := -20.0
			for s, w := range weights {
				var of []string
				for u := range s.Units() {
					of = append(of, letters[u])
				}
				v += w * shown(text, of...)
			}
			return v
		})
		s := subject(patient())
		trials := a.Trials(s, nil)
		answers := percuss.AnswerMap{}
		for _, q := range percuss.Missing(trials, answers) {
			answers[q.Key()] = mind.answer(q, bias)
		}
		m := a.Reduce(s, trials, answers).(Record).Base
		if m.State != Scored || len(m.Interactions) != 92 {
			t.Fatalf("%s: %s", m.State, m.Why)
		}
		for _, i := range m.Interactions {
			if math.Abs(i.Value-weights[i.Set]) > 1e-9 {
				t.Fatalf("%b: %g, want %g", i.Set, i.Value, weights[i.Set])
			}
		}
	})
}

func upToThree() []lattice.Set {
	sets, err := lattice.Subsets(8, 3)
	if err != nil {
		panic(err)
	}
	return sets[1:]
}
