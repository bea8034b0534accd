package simulated

import (
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// weighed are the labels of a request with their logits.
type weighed struct {
	labels   []string
	logits   []float64
	question bool // the request puts a known question, not a case
}

// answerCase is the reply of a reasoner that reads evidence: the scores of the letters, or the best one, or one drawn
// from the same distribution where the temperature is above 0. Top-p is not looked at.
func (m *Model) answerCase(r percuss.Request) percuss.Answer {
	a := percuss.Answer{Outcome: percuss.OK, Reported: "simulated", Usage: percuss.Usage{Prompt: promptWords(r)}}
	if strings.TrimSpace(r.Begin) != "" {
		a.Continued = percuss.Continues
	}
	w := m.weigh(r)
	if len(r.Want.Letters) > 0 {
		total := logSum(w.logits)
		for _, l := range r.Want.Letters {
			v := w.logits[slices.Index(w.labels, l)] - total + math.Log(onLetters)
			a.Letters = append(a.Letters, percuss.LetterScore{Letter: l, LogProb: percuss.Num(v)})
		}
		return a
	}
	a.Text = w.labels[m.pick(r, w.logits)]
	if w.question {
		a.Text = "Answer: " + a.Text
	}
	a.Text, a.Usage.Output, a.Outcome = limit(a.Text, r.Sampling)
	return a
}

// behind is how far all other competitors stand below the rival, beside the largest letter bias: under no order of the
// candidates does the bias alone lift one of them above it, so that means over the orders are exact.
const behind = 2.0

// weigh gives every label its logit: what the evidence says, the letter bias, the noise.
func (m *Model) weigh(r percuss.Request) weighed {
	p := m.policy
	var w weighed
	low := 0.0 // of labels behind which nothing stands
	if v, ok := m.cases.look(r); ok {
		w.labels = v.labels
		low = -behind - p.bias
		if p.kind == letterBias {
			low = 0
		}
		for _, name := range v.candidates {
			logit := low
			switch name {
			case v.item.plan.gold:
				logit = v.item.plan.margin(v.states)
			case v.item.plan.rival:
				logit = 0
			}
			w.logits = append(w.logits, logit)
		}
	} else {
		m.weighQuestion(r, &w)
	}
	for _, l := range r.Want.Letters {
		if !slices.Contains(w.labels, l) {
			w.labels, w.logits = append(slices.Clip(w.labels), l), append(w.logits, low)
		}
	}
	if len(w.labels) == 0 { // a question without options
		w.labels, w.logits = []string{"A"}, []float64{0}
	}
	key := string(r.Key())
	for i, l := range w.labels {
		w.logits[i] += p.bias / float64(1+place(l))
		if p.noise > 0 {
			w.logits[i] += p.noise * percuss.Rand(p.seed, key, l, "evidence/noise").NormFloat64()
		}
	}
	return w
}

// weighQuestion is for what is no case: of a known question the right option leads by the scale; of a prompt without
// content nothing is known, and the letters are all that counts.
func (m *Model) weighQuestion(r percuss.Request, w *weighed) {
	v := m.library.look(r)
	w.labels, w.question = slices.Clone(v.labels), v.item != nil
	if runs := optionRuns(lastUser(r)); v.item == nil && len(r.Want.Letters) == 0 && len(runs) > 0 {
		w.labels = nil
		for _, o := range runs[0] {
			w.labels = append(w.labels, o.label)
		}
	}
	w.logits = make([]float64, len(w.labels))
	if v.item != nil && v.item.gold >= 0 && m.policy.kind != letterBias {
		w.logits[slices.Index(w.labels, v.label(v.item.gold))] = m.policy.scale
	}
}

// place is the place of a label in the alphabet, from 0: A, B, ... Z, AA, AB, ...
func place(label string) int {
	n := 0
	for _, c := range label {
		if c < 'A' || c > 'Z' || n > 1000 {
			return n
		}
		n = 26*n + int(c-'A') + 1
	}
	return max(0, n-1)
}

// pick is the place of the best logit, the first of equals; with a temperature it is drawn, by the request's key.
func (m *Model) pick(r percuss.Request, logits []float64) int {
	most := slices.Max(logits)
	best := slices.Index(logits, most)
	if r.Sampling.Temperature <= 0 {
		return best
	}
	weight := func(v float64) float64 { return math.Exp((v - most) / r.Sampling.Temperature) }
	left := percuss.Rand(m.policy.seed, string(r.Key()), "", "evidence/draw").Float64() * sum(logits, weight)
	for i, v := range logits {
		if left -= weight(v); left < 0 {
			return i
		}
	}
	return best
}

// logSum is the log of the sum of exp(logit).
func logSum(logits []float64) float64 {
	most := slices.Max(logits)
	return most + math.Log(sum(logits, func(v float64) float64 { return math.Exp(v - most) }))
}

func sum(values []float64, of func(float64) float64) float64 {
	total := 0.0
	for _, v := range values {
		total += of(v)
	}
	return total
}
