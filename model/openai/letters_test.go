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
	sum, seen := 0.0, false
	bound, _ := all[n-1].LogProb.Get()
	for i, e := range all {
		if e.Token != label && e.Token != mark+label {
			continue
		}
		v, _ := e.LogProb.Get()
		if i < n || e.Token == sampled.Token {
			sum, seen = sum+math.Exp(v), true
		} else if v > bound {
			t.Errorf("%s has %g, above the bound %g", e.Token, v, bound)
		}
	}
	v, ok := got.LogProb.Get()
	switch {
	case !ok || got.Censored == seen:
		t.Errorf("%s: %+v, although it is listed: %t", label, got, seen)
	case seen && math.Abs(v-math.Log(sum)) > 1e-9:
		t.Errorf("%s scores %g, want %g", label, v, math.Log(sum))
	case !seen && v != bound:
		t.Errorf("%s is bounded by %g, want %g", label, v, bound)
	}
}
