package simulated_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/stat/lattice"
)

// TestNoise: replicates draw anew; the mean of 200 of them is as near to the truth as its standard error says, 95 times
// of 100, and their spread is the noise that was asked for.
func TestNoise(t *testing.T) {
	c := twin()
	c.Candidates = diagnoses[:2] // no third: the margin's variance is exactly twice that of a score
	audited := c.Units[:2]
	const replicates, seeds, sigma = 200, 40, 0.8
	inside, n, squares := 0, 0, 0.0
	for seed := range seeds {
		m := caseReasoner(t, fmt.Sprintf("additive?noise=%g&seed=%d", sigma, seed), c)
		l := layouts()[0]
		want := truth(t, m, c, audited)
		requests := l.requests(t, m, c, audited)
		var runs [][]float64
		for k := range replicates {
			for i := range requests {
				requests[i].Replicate = k
			}
			runs = append(runs, interactions(t, margins(t, m, l, c, requests)))
		}
		for s := range want {
			mean, sd := moments(runs, s)
			n++
			if math.Abs(mean-want[s]) <= 1.96*sd/math.Sqrt(replicates) {
				inside++
			}
			// The interaction of s is a signed sum of 2^|s| margins, each a difference of two scores.
			squares += sd * sd / (2 * math.Pow(2, float64(lattice.Set(s).Size())))
		}
	}
	rate, se := float64(inside)/float64(n), math.Sqrt(0.95*0.05/float64(n))
	if math.Abs(rate-0.95) > 4*se {
		t.Errorf("%d of %d means are inside their interval, want 95 %% ± %.1f", inside, n, 400*se)
	}
	if got := math.Sqrt(squares / float64(n)); math.Abs(got-sigma) > 0.02 {
		t.Errorf("the noise is %g nats, asked for %g", got, sigma)
	}
}

// moments are mean and standard deviation of one interaction.
func moments(runs [][]float64, s int) (mean, sd float64) {
	for _, r := range runs {
		mean += r[s] / float64(len(runs))
	}
	for _, r := range runs {
		sd += (r[s] - mean) * (r[s] - mean) / float64(len(runs)-1)
	}
	return mean, math.Sqrt(sd)
}

// TestNoiseOfManyCandidates: the best of several noisy competitors is no constant, but its mean is the same for every
// subset, so the mean interactions are the true ones.
func TestNoiseOfManyCandidates(t *testing.T) {
	c := patient()
	audited := c.Units[:2]
	m := caseReasoner(t, "and?noise=1")
	l := layouts()[0]
	want := truth(t, m, c, audited)
	requests := l.requests(t, m, c, audited)
	var runs [][]float64
	const replicates = 3000
	for k := range replicates {
		for i := range requests {
			requests[i].Replicate = k
		}
		runs = append(runs, interactions(t, margins(t, m, l, c, requests)))
	}
	for s := 1; s < 4; s++ {
		if mean, sd := moments(runs, s); math.Abs(mean-want[s]) > 4*sd/math.Sqrt(replicates) {
			t.Errorf("mean interaction of %02b is %g, planted %g, standard error %g", s, mean, want[s], sd/math.Sqrt(replicates))
		}
	}
}

// TestNoiseIsOfTheRequest: the same request again has the same noise, also from a model that knows more; another
// replicate, order, seed or size has another.
func TestNoiseIsOfTheRequest(t *testing.T) {
	c := patient()
	m, more := caseReasoner(t, "additive?noise=1", c), caseReasoner(t, "additive?noise=1&latency=1us")
	r := lettersOf(t, m, "questionnaire", layout{}.shown(c, c.Units[:3], 1))
	first := modeltest.Ask(t, m, r)[0]
	score := func(a percuss.Answer, name string, l layout) float64 {
		for i, o := range l.options(c) {
			if o.Text == name {
				return a.Letters[i].LogProb.Or(math.NaN())
			}
		}
		return math.NaN()
	}
	for i, again := range []percuss.Answer{modeltest.Ask(t, m, r)[0], modeltest.Ask(t, more, r)[0]} {
		for k := range again.Letters {
			if again.Letters[k] != first.Letters[k] {
				t.Errorf("the same request, time %d: %v, then %v", i, first.Letters[k], again.Letters[k])
			}
		}
	}
	other := layout{rotate: 3}
	replicate := r
	replicate.Replicate = 1
	order := lettersOf(t, m, "questionnaire", other.shown(c, c.Units[:3], 1))
	for name, a := range map[string]float64{
		"replicate": score(modeltest.Ask(t, m, replicate)[0], "Croup", layout{}),
		"order":     score(modeltest.Ask(t, m, order)[0], "Croup", other),
		"seed":      score(modeltest.Ask(t, caseReasoner(t, "additive?noise=1&seed=1"), r)[0], "Croup", layout{}),
	} {
		if same := score(first, "Croup", layout{}); !(math.Abs(a-same) > 1e-6) {
			t.Errorf("another %s has the same noise: %g and %g", name, a, same)
		}
	}
}

// draws are the shares of the letters in n drawn texts.
func draws(t *testing.T, m *simulated.Model, r percuss.Request, temperature float64, n int) map[string]float64 {
	t.Helper()
	r.Want.Letters = nil
	r.Sampling = percuss.Sampling{Temperature: temperature, TopP: 1, MaxTokens: 4}
	var requests []percuss.Request
	for k := range n {
		r.Replicate = k
		requests = append(requests, r)
	}
	out := map[string]float64{}
	var options []percuss.Option
	for i := range 26 {
		options = append(options, percuss.Option{Label: percuss.Label(i), Text: percuss.Label(i)})
	}
	for _, a := range modeltest.Ask(t, m, requests...) {
		got := clinical.ReadAnswer(a.Text, options, false)
		if got.Status != clinical.Parsed {
			t.Fatalf("%s answer in %q", got.Status, a.Text)
		}
		out[got.Label] += 1 / float64(n)
	}
	return out
}

// TestDrawnLettersEstimateTheScores: at temperature 1 the shares of the letters are their probabilities, at another
// those to the power of 1/t; at temperature 0 it is always the best.
func TestDrawnLettersEstimateTheScores(t *testing.T) {
	c := story()
	m := caseReasoner(t, "additive?bias=1&scale=0.6")
	for _, l := range layouts()[1:3] {
		r := lettersOf(t, m, l.wording, l.shown(c, c.Units[:5], 0b10110))
		a := modeltest.Ask(t, m, r)[0]
		const n = 2000
		for _, temperature := range []float64{0.5, 1, 3} {
			total := 0.0
			for _, s := range a.Letters {
				total += math.Exp(s.LogProb.Or(math.NaN()) / temperature)
			}
			got := draws(t, m, r, temperature, n)
			for _, s := range a.Letters {
				want := math.Exp(s.LogProb.Or(math.NaN())/temperature) / total
				if !(math.Abs(got[s.Letter]-want) <= 4*math.Sqrt(want*(1-want)/n)) {
					t.Errorf("temperature %g, %+v: %s drawn in %.4f, probability %.4f", temperature, l, s.Letter, got[s.Letter], want)
				}
			}
		}
		best, _, ok := a.Best()
		for _, cold := range []float64{0, 1e-300} {
			if got := draws(t, m, r, cold, 20); !ok || got[best] < 1-1e-9 {
				t.Errorf("temperature %g: %v, best %s", cold, got, best)
			}
		}
	}
}

// TestLetterBiasIsRemoved: the mean over all rotations of the candidates, and scores less those of a prompt without
// content, are the margins without a bias; the bias itself is A before B before C.
func TestLetterBiasIsRemoved(t *testing.T) {
	for _, c := range testCases() {
		audited := c.Units[:3]
		for _, spec := range []string{"additive?bias=5", "shortcut?bias=2&scale=0.3", "and?bias=7", "letter-bias"} {
			m := caseReasoner(t, spec)
			values, _ := m.CaseTruth(c, audited)
			k := len(c.Candidates)
			mean := make([]float64, len(values))
			for rotate := range k {
				l := layout{wording: "clinical-summary", rotate: rotate}
				empty := prompt.Shown{}
				for i := range k {
					empty.Options = append(empty.Options, percuss.Option{Label: percuss.Label(i), Text: "a diagnosis"})
				}
				prior := modeltest.Ask(t, m, lettersOf(t, m, l.wording, empty))[0].Letters
				for s, a := range modeltest.Ask(t, m, l.requests(t, m, c, audited)...) {
					mean[s] += marginIn(a, l.options(c), c.Gold) / float64(k)
					for i := range a.Letters {
						a.Letters[i].LogProb = percuss.Num(a.Letters[i].LogProb.Or(0) - prior[i].LogProb.Or(math.NaN()))
					}
					if got, want := marginIn(a, l.options(c), c.Gold), values[s].Or(0); math.Abs(got-want) > 1e-9 {
						t.Errorf("%s, %s, rotation %d, %b: margin %g less the prior, want %g", spec, c.ID, rotate, s, got, want)
					}
				}
				if prior[0].LogProb.Or(0) < prior[1].LogProb.Or(0)+0.5 || prior[1].LogProb.Or(0) < prior[2].LogProb.Or(0)+0.1 {
					t.Errorf("%s: the letters without content: %v", spec, prior)
				}
			}
			if spec == "letter-bias" { // its candidates are all alike: the best of the other letters is above their mean
				continue
			}
			for s, v := range values {
				if math.Abs(mean[s]-v.Or(0)) > 1e-9 {
					t.Errorf("%s, %s, %b: mean margin %g, want %g", spec, c.ID, s, mean[s], v.Or(0))
				}
			}
		}
	}
}
