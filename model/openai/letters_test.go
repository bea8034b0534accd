package openai

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"pgregory.net/rapid"
)

// TestScoresOfRandomDistributions draws a distribution over letters with and without a space and over other tokens,
// and shows the back-end its most probable part.
func TestScoresOfRandomDistributions(t *testing.T) {
	labels := []string{"A", "B", "C", "D"}
	rapid.Check(t, func(t *rapid.T) {
		var all []token
		total := 0.0
		add := func(text string) {
			w := rapid.Float64Range(1e-6, 1).Draw(t, text)
			total += w
			all = append(all, token{Token: text, LogProb: logProb{percuss.Num(w)}})
		}
		mark := rapid.SampledFrom([]string{" ", "▁", "Ġ"}).Draw(t, "mark")
		for _, l := range labels {
			add(l)
			add(mark + l)
		}
		for i := range rapid.IntRange(0, 20).Draw(t, "others") {
			add(fmt.Sprintf("w%d", i))
		}
		for i := range all {
			w, _ := all[i].LogProb.Get()
			all[i].LogProb.Number = percuss.Num(math.Log(w / total))
		}
		slices.SortFunc(all, func(a, b token) int {
			x, _ := a.LogProb.Get()
			y, _ := b.LogProb.Get()
			return int(math.Copysign(1, y-x))
		})
		n := rapid.IntRange(2, len(all)).Draw(t, "listed")
		sampled := all[rapid.IntRange(0, len(all)-1).Draw(t, "sampled")]
		got := reply{scored: true, first: &position{token: sampled, Top: all[:n]}}
		var a percuss.Answer
		c := &client{row: vllmRow()}
		if err := c.score(labels, got, shape{top: 20}, &a); err != nil {
			t.Fatal(err)
		}
		for i, l := range labels {
			checkScore(t, a.Letters[i], l, mark, all, n, sampled)
		}
	})
}

func checkScore(t *rapid.T, got percuss.LetterScore, label, mark string, all []token, n int, sampled token) {
	sum, seen, hidden := 0.0, false, math.Inf(-1)
	least, _ := all[n-1].LogProb.Get()
	left := 1.0
	for i, e := range all {
		v, _ := e.LogProb.Get()
		shown := i < n || e.Token == sampled.Token
		if shown {
			left -= math.Exp(v)
		}
		if e.Token != label && e.Token != mark+label {
			continue
		}
		if shown {
			sum, seen = sum+math.Exp(v), true
		} else {
			hidden = max(hidden, v)
		}
	}
	bound := min(least, math.Log(max(left, leastLeft)))
	if hidden > bound+1e-6 {
		t.Errorf("%s has %g, above the bound %g", label, hidden, bound)
	}
	v, ok := got.LogProb.Get()
	switch {
	case !ok || got.Censored == seen:
		t.Errorf("%s: %+v, although it is listed: %t", label, got, seen)
	case seen && math.Abs(v-math.Log(sum)) > 1e-9:
		t.Errorf("%s scores %g, want %g", label, v, math.Log(sum))
	case !seen && math.Abs(v-bound) > 1e-4: // the log of a small difference is known no better
		t.Errorf("%s is bounded by %g, want %g", label, v, bound)
	}
}

// What is not listed is bounded by the smallest value and by what the list leaves over, whatever rounding does to the sum.
func TestBeyond(t *testing.T) {
	for _, c := range []struct{ least, mass, want float64 }{
		{-2, 0.5, -2},                     // the list leaves much over
		{-1.89, 1 - 1e-5, math.Log(1e-5)}, // four letters hold nearly everything
		{-1.89, 1, math.Log(leastLeft)},   // everything, as far as can be told
		{-1.89, 1 - 1e-12, math.Log(leastLeft)},
		{-1.89, 1 + 1e-12, math.Log(leastLeft)},
		{-1.89, 1 + 5e-4, math.Log(5e-4)}, // a coarse sum leaves room for as much as it exceeds 1
		{-30, 1 - 1e-5, -30},              // the smallest value is lower than that
	} {
		if got := beyond(c.least, c.mass); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("least %g, mass %g: %g, want %g", c.least, c.mass, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		least, mass := rapid.Float64Range(-40, 0).Draw(t, "least"), rapid.Float64Range(0, 1+massMargin).Draw(t, "mass")
		if got := beyond(least, mass); !(got <= least) || math.IsInf(got, 0) || got < min(least, math.Log(leastLeft)) {
			t.Errorf("least %g, mass %g: %g", least, mass, got)
		}
	})
}
