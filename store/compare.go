package store

import (
	"context"
	"math"

	"github.com/percuss/percuss"
)

// Drift says how the answers of two stores to the same requests differ.
type Drift struct {
	Both       int            `json:"both"`        // requests that both answered
	OnlyFirst  int            `json:"only_first"`  // answered in the first alone: another chain leads to other questions
	OnlySecond int            `json:"only_second"` // answered in the second alone
	Outcomes   int            `json:"outcomes"`    // answers whose outcome differs
	Texts      int            `json:"texts"`       // answers with text compared
	Changed    int            `json:"changed"`     // of them, those whose text differs
	Scored     int            `json:"scored"`      // answers with letters compared
	OtherBest  int            `json:"other_best"`  // of them, those with another best letter
	Letters    int            `json:"letters"`     // log-probabilities compared
	Mean       percuss.Number `json:"mean"`        // mean absolute difference of a log-probability, nats
	Max        percuss.Number `json:"max"`         // largest one
}

// Compare reads both stores.
func Compare(ctx context.Context, first, second Reader) (Drift, error) {
	var c comparison
	for e, err := range first.Entries(ctx) {
		if err != nil {
			return c.drift, err
		}
		other, ok, err := second.Get(ctx, e.Key)
		switch {
		case err != nil:
			return c.drift, err
		case !ok:
			c.drift.OnlyFirst++
		default:
			c.add(e, other)
		}
	}
	d := c.drift
	if d.Letters > 0 {
		d.Mean, d.Max = percuss.Num(c.sum/float64(d.Letters)), percuss.Num(c.most)
	}
	n, err := second.Count(ctx)
	d.OnlySecond = n - d.Both
	return d, err
}

// comparison gathers differences.
type comparison struct {
	drift     Drift
	sum, most float64 // of the absolute differences of log-probabilities
}

// add compares two answers to one request.
func (c *comparison) add(e Entry, other percuss.Answer) {
	d := &c.drift
	d.Both++
	if e.Answer.Outcome != other.Outcome {
		d.Outcomes++
	}
	if len(e.Request.Want.Letters) == 0 {
		d.Texts++
		if e.Answer.Text != other.Text || e.Answer.Reasoning != other.Reasoning {
			d.Changed++
		}
		return
	}
	d.Scored++
	a, _, _ := e.Answer.Best()
	if b, _, _ := other.Best(); a != b {
		d.OtherBest++
	}
	for i, l := range e.Answer.Letters {
		if i >= len(other.Letters) || other.Letters[i].Letter != l.Letter {
			continue
		}
		v, had := l.LogProb.Get()
		w, has := other.Letters[i].LogProb.Get()
		if had && has {
			d.Letters++
			c.sum += math.Abs(v - w)
			c.most = max(c.most, math.Abs(v-w))
		}
	}
}
