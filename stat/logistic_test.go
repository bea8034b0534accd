package stat

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLogisticRefuses(t *testing.T) {
	rows := [][]float64{{1}, {2}, {3}}
	for name, c := range map[string]struct {
		x     [][]float64
		y     []bool
		ridge float64
		says  string
	}{
		"lengths":   {rows, []bool{true}, 1, "do not go together"},
		"one class": {rows, []bool{true, true, true}, 1, "both classes"},
		"ridge":     {rows, []bool{true, false, true}, 0, "positive penalty"},
		"ragged":    {[][]float64{{1}, {2, 3}, {4}}, []bool{true, false, true}, 1, "columns"},
		"NaN":       {[][]float64{{1}, {math.NaN()}, {4}}, []bool{true, false, true}, 1, "no number"},
		"nothing":   {nil, nil, 1, "both classes"},
	} {
		if _, err := fitLogistic(c.x, c.y, c.ridge); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.says)
		}
	}
}

// A perfect separation ends at finite weights, for the ridge holds them; a feature without variation has none.
func TestLogisticOnASeparation(t *testing.T) {
	var rows [][]float64
	var truth []bool
	for i := range 50 {
		rows, truth = append(rows, []float64{float64(i), 7}), append(truth, i >= 25)
	}
	l, err := fitLogistic(rows, truth, .01)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(l.coefficients[1]) > 1e-12 || !(l.coefficients[0] > 3) || l.score(rows[0]) > -2 || l.score(rows[49]) < 2 {
		t.Errorf("%+v", l)
	}
}

// Shifting and stretching a feature changes no score, for features are standardised.
func TestLogisticKnowsNoUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 40).Draw(t, "n")
		a, b := rapid.Float64Range(.1, 50).Draw(t, "stretch"), rapid.Float64Range(-100, 100).Draw(t, "shift")
		rows, other, truth := make([][]float64, n), make([][]float64, n), make([]bool, n)
		for i := range n {
			v := float64(rapid.IntRange(-5, 5).Draw(t, "x"))
			rows[i], other[i] = []float64{v, float64(i % 3)}, []float64{a*v + b, float64(i % 3)}
			truth[i] = rapid.Bool().Draw(t, "y")
		}
		truth[0], truth[1] = true, false
		l, err := fitLogistic(rows, truth, 1)
		m, errOther := fitLogistic(other, truth, 1)
		if err != nil || errOther != nil {
			t.Fatal(err, errOther)
		}
		for i := range rows {
			if math.Abs(l.score(rows[i])-m.score(other[i])) > 1e-6 {
				t.Fatalf("row %d: %v and %v", i, l.score(rows[i]), m.score(other[i]))
			}
		}
	})
}

// Each of 30 groups has a mark of its own and a class of its own: with a group's rows on both sides of a fold the mark
// would tell the class; held apart it tells nothing.
func TestCrossValidationKeepsGroupsTogether(t *testing.T) {
	var rows [][]float64
	var truth []bool
	var group []string
	for g := range 30 {
		row := make([]float64, 30)
		row[g] = 1
		for range 3 {
			rows, truth, group = append(rows, row), append(truth, g%2 == 0), append(group, fmt.Sprint("item", g))
		}
	}
	scores, err := CrossValidated(rows, truth, group, 5, .1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if v := AUC(scores, truth, group, Options{Replicates: 100}).Value.Or(9); v > .6 {
		t.Errorf("held-out groups are told apart: AUC %v", v)
	}
	single := make([]string, len(group))
	for i := range single {
		single[i] = fmt.Sprint(i)
	}
	scores, err = CrossValidated(rows, truth, single, 5, .1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if v := AUC(scores, truth, group, Options{Replicates: 100}).Value.Or(0); v < .9 {
		t.Errorf("with rows of a group in both parts the test above would prove nothing: AUC %v", v)
	}
}

func TestCrossValidation(t *testing.T) {
	var rows [][]float64
	var truth []bool
	var group []string
	for i := range 60 {
		rows, truth = append(rows, []float64{float64(i % 2), float64(i % 7)}), append(truth, i%2 == 1)
		group = append(group, fmt.Sprint(i/2))
	}
	one, err := CrossValidated(rows, truth, group, 10, 1, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 { // the order of the rows decides nothing
		rows[i], rows[j], truth[i], truth[j], group[i], group[j] = rows[j], rows[i], truth[j], truth[i], group[j], group[i]
	}
	other, err := CrossValidated(rows, truth, group, 10, 1, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range one {
		if math.Abs(v-other[len(other)-1-i]) > 1e-8 {
			t.Fatalf("row %d scores %v, in another order %v", i, v, other[len(other)-1-i])
		}
		if (v > 0) != (i%2 == 1) {
			t.Errorf("row %d scores %v", i, v)
		}
	}
	for name, folds := range map[string]int{"one fold": 1, "more folds than groups": 31} {
		if _, err := CrossValidated(rows, truth, group, folds, 1, 5); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := CrossValidated(rows, truth, group[1:], 5, 1, 5); err == nil {
		t.Error("a group short: no error")
	}
}
