package stat

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

func TestAUCAbsences(t *testing.T) {
	ids := []string{"a", "b", "c"}
	for name, e := range map[string]percuss.Estimate{
		"one class":    AUC([]float64{1, 2, 3}, []bool{true, true, true}, ids, Options{}),
		"none":         AUC(nil, nil, nil, Options{}),
		"lengths":      AUC([]float64{1, 2}, []bool{true, false}, ids, Options{}),
		"not a number": AUC([]float64{1, math.NaN(), 3}, []bool{true, false, true}, ids, Options{}),
		"level":        AUC([]float64{1, 2, 3}, []bool{true, false, true}, ids, Options{Level: 7}),
	} {
		if e.Value.OK() || e.Why == "" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// A perfect separation separates in every resample; the interval has width all the same.
func TestAUCOfAPerfectSeparation(t *testing.T) {
	var scores []float64
	var positive []bool
	var cluster []string
	for i := range 60 {
		scores, positive = append(scores, float64(i)), append(positive, i >= 20)
		cluster = append(cluster, fmt.Sprint(i))
	}
	e := AUC(scores, positive, cluster, Options{Replicates: 200})
	near(t, "AUC", e.Value, 1, 0)
	near(t, "lo", e.Lo, Wilson(20, 20, .95).Lo.Or(9), 1e-12)
	if !strings.Contains(e.Method, "degenerate") {
		t.Errorf("method %q", e.Method)
	}
}

// The area is the share of pairs won, by counting them; turning the scores turns it; clusters resample together.
func TestAUCProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		scores, turned := make([]float64, n), make([]float64, n)
		positive, cluster := make([]bool, n), make([]string, n)
		for i := range n {
			scores[i] = float64(rapid.IntRange(0, 6).Draw(t, "score"))
			turned[i] = -scores[i]
			positive[i] = rapid.Bool().Draw(t, "positive")
			cluster[i] = fmt.Sprint(i / 2)
		}
		wins, pairs := 0.0, 0.0
		for i := range n {
			for j := range n {
				if !positive[i] || positive[j] {
					continue
				}
				pairs++
				wins += bit(scores[i] > scores[j]) + bit(scores[i] == scores[j])/2
			}
		}
		e := AUC(scores, positive, cluster, Options{Replicates: 101})
		v, ok := e.Value.Get()
		if ok != (pairs > 0) || ok && math.Abs(v-wins/pairs) > 1e-12 {
			t.Fatalf("%+v, by counting %v of %v", e, wins, pairs)
		}
		if !ok {
			return
		}
		if lo, hi := e.Lo.Or(0), e.Hi.Or(1); lo < 0 || hi > 1 || e.N != (n+1)/2 {
			t.Fatalf("%+v", e)
		}
		if other := AUC(turned, positive, cluster, Options{Replicates: 101}); math.Abs(other.Value.Or(9)+v-1) > 1e-12 {
			t.Fatalf("%v turned is %v", v, other.Value)
		}
	})
}

// Where original and edit share an item the classes have always the same size, and an interval over single cases would
// be wider.
func TestAUCResamplesClusters(t *testing.T) {
	var scores []float64
	var positive []bool
	var items, cases []string
	for i := range 200 {
		base := float64(i*37%200) / 100
		scores, positive = append(scores, base, base+.3), append(positive, false, true)
		items = append(items, fmt.Sprint(i), fmt.Sprint(i))
		cases = append(cases, fmt.Sprint(i), fmt.Sprint("edited", i))
	}
	width := func(e percuss.Estimate) float64 { return e.Hi.Or(9) - e.Lo.Or(0) }
	paired, single := AUC(scores, positive, items, Options{}), AUC(scores, positive, cases, Options{})
	if paired.N != 200 || single.N != 400 || width(paired) > width(single)/2 {
		t.Errorf("by item %v of %d, by case %v of %d", width(paired), paired.N, width(single), single.N)
	}
}
