package stat

import (
	"math"
	"strings"
	"testing"
)

// The reference values of this file were printed by testdata/oracle/agreement.py with scipy 1.17.1, statsmodels 0.15.0,
// scikit-learn 1.9.1 and numpy 2.4.6.

// rated makes ratings of labels.
func rated(t testing.TB, categories []string, items [][]string) Ratings {
	t.Helper()
	r, err := NewRatings(categories, items)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// labelled turns a table of counts into pairs of labels.
func labelled(table [][]int) [][2]string {
	var out [][2]string
	for i, row := range table {
		for j, n := range row {
			for range n {
				out = append(out, [2]string{string(rune('a' + i)), string(rune('a' + j))})
			}
		}
	}
	return out
}

func TestKappaAgainstStatsmodels(t *testing.T) {
	for _, c := range []struct {
		table       [][]int
		k, lo, hi   float64
		word, tells string
	}{
		{[][]int{{20, 5}, {10, 15}}, 0.4, 0.151092290477, 0.648907709523, "fair", "raw agreement 35 of 50"},
		{[][]int{{44, 5, 1}, {7, 20, 3}, {9, 5, 6}}, 0.491525423729, 0.350158201217, 0.632892646240, "moderate", "raw agreement 70 of 100"},
		// statsmodels' lower bound is -1.138…, which no kappa can be.
		{[][]int{{0, 7}, {9, 1}}, -0.863013698630, -1, -0.587487595610, "poor", "raw agreement 1 of 17"},
	} {
		e := Kappa(labelled(c.table), .95)
		near(t, "kappa", e.Value, c.k, 1e-11)
		near(t, "lo", e.Lo, c.lo, 1e-11)
		near(t, "hi", e.Hi, c.hi, 1e-11)
		if got := LandisKoch(e.Value); got != c.word || !strings.Contains(e.Method, c.tells) {
			t.Errorf("%q, %q: want %q, %q", got, e.Method, c.word, c.tells)
		}
	}
}

func TestFleissAgainstStatsmodels(t *testing.T) {
	// Ten items, fourteen raters, five categories: the example of Fleiss 1971 as Wikipedia has it.
	var items [][]string
	for _, row := range [][]int{{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
		{7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}} {
		var labels []string
		for category, n := range row {
			for range n {
				labels = append(labels, string(rune('a'+category)))
			}
		}
		items = append(items, labels)
	}
	e := FleissKappa(rated(t, nil, items), Weights{}, Options{Seed: 1})
	near(t, "kappa", e.Value, 0.209930704422, 1e-11)
	if lo, hi := e.Lo.Or(9), e.Hi.Or(-9); e.N != 10 || !(lo < .12 && hi > .22 && hi < .45) {
		t.Errorf("[%v, %v] of %d items", lo, hi, e.N)
	}
}

// statsmodels/statsmodels#7657: a table of counts was taken for one of labels, and one category gave NaN. Three labels
// that all differ are full disagreement; one label for everything leaves kappa undefined.
func TestStatsmodels7657(t *testing.T) {
	e := FleissKappa(rated(t, nil, [][]string{{"a", "b", "c"}, {"a", "b", "c"}}), Weights{}, Options{})
	near(t, "full disagreement", e.Value, -0.5, 1e-12)
	seven := []string{"x", "x", "x", "x", "x", "x", "x"}
	e = FleissKappa(rated(t, nil, [][]string{seven, seven}), Weights{}, Options{})
	if e.Value.OK() || !strings.Contains(e.Why, "not defined") || !strings.Contains(e.Why, "agreement 1") {
		t.Errorf("one category: %+v", e)
	}
}

func TestSpearmanAgainstScipy(t *testing.T) {
	e := Spearman(numbers(.57, .48, .51, .60, .44, .57, .39, .52, .55, .48), numbers(.21, .30, .22, .18, .30, .25, .41, .22, .19, .35), .95)
	near(t, "rho", e.Value, -0.855828220859, 1e-11)
	near(t, "lo", e.Lo, -0.972876520883, 1e-11)
	near(t, "hi", e.Hi, -0.389878516681, 1e-11)
	x, y := numbers(1, 1, 2, 2, 2, 3, 4, 4), numbers(1, 2, 1, 2, 2, 3, 3, 3)
	e = Spearman(x, y, .95)
	near(t, "rho with ties", e.Value, 0.817150563076, 1e-11)
	near(t, "lo", e.Lo, 0.135027433028, 1e-11)
	near(t, "hi", e.Hi, 0.973775500576, 1e-11)
	tau := KendallTauB(numbers(1, 1, 2, 2, 2, 3, 4, 4, 5, 5, 1), numbers(2, 2, 1, 2, 2, 3, 3, 3, 5, 4, 1), .95)
	near(t, "tau-b with ties", tau.Value, 0.782793687664, 1e-11)
}

// The bounds and p-values come from maximising the trinomial likelihood numerically.
func TestEquivalentPairedAgainstScipy(t *testing.T) {
	for _, c := range []struct {
		b, c, n           int
		margin, lo, hi, p float64
		verdict           Same
	}{
		{12, 2, 50, .1, 0.0854744, 0.3204134, 0.92618338, SameUnknown},
		{3, 5, 200, .05, -0.0375182, 0.0153668, 0.01372523, AreEquivalent},
		{0, 4, 100, .05, -0.0861529, -0.0126036, 0.32317760, SameUnknown},
		{9, 0, 60, .05, 0.0894094, 0.2407933, 0.99158630, AreDifferent},
	} {
		e := EquivalentPaired(c.b, c.c, c.n, c.margin, .05)
		near(t, "lo", e.Difference.Lo, c.lo, 1e-6)
		near(t, "hi", e.Difference.Hi, c.hi, 1e-6)
		near(t, "p", e.P, c.p, 1e-6)
		near(t, "difference", e.Difference.Value, float64(c.b-c.c)/float64(c.n), 1e-12)
		if e.Verdict != c.verdict || e.Difference.Level != .9 {
			t.Errorf("%d and %d of %d: %s at level %v, want %s", c.b, c.c, c.n, e.Verdict, e.Difference.Level, c.verdict)
		}
	}
}

func TestAUCAgainstScikitLearn(t *testing.T) {
	scores := []float64{.1, .4, .35, .8, .4, .4, .9, .2, .35, .6}
	var truth []bool
	var cluster []string
	for i, v := range []int{0, 0, 1, 1, 1, 0, 1, 0, 0, 1} {
		truth, cluster = append(truth, v == 1), append(cluster, string(rune('a'+i)))
	}
	e := AUC(scores, truth, cluster, Options{Seed: 1})
	near(t, "AUC", e.Value, 0.86, 1e-12)
	if lo, hi := e.Lo.Or(9), e.Hi.Or(-9); !(lo < .75 && hi > .95 && hi <= 1) || e.N != 10 {
		t.Errorf("[%v, %v] of %d: ten cases leave more room", lo, hi, e.N)
	}
}

func TestLogisticAgainstScikitLearn(t *testing.T) {
	var rows [][]float64
	var truth []bool
	for i := range 40 {
		rows = append(rows, []float64{float64(i*7%11) / 3, float64(i * i % 13), float64(i%5) - 2})
		truth = append(truth, (i*7%11+i%3*4+i*i%13)%4 < 2)
	}
	for ridge, want := range map[float64][5]float64{
		1:   {-0.513956025, 0.050853642, -0.060793632, -0.142107138, -0.580796737},
		0.1: {-0.514628368, 0.057273508, -0.066546135, -0.156526027, -0.586006946},
	} {
		l, err := fitLogistic(rows, truth, ridge)
		if err != nil {
			t.Fatal(err)
		}
		got := append(append([]float64{l.intercept}, l.coefficients...), l.score(rows[3]))
		for i, v := range got {
			if math.Abs(v-want[i]) > 1e-7 {
				t.Errorf("ridge %v, value %d: %v, want %v", ridge, i, v, want[i])
			}
		}
	}
}
