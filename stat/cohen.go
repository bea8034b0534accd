package stat

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// CohenKappa is Cohen's kappa of two raters, weighted or not (Cohen 1960, 1968): one less the observed disagreement over
// that of two raters who keep their shares and label by chance. Of more raters it is the mean over their pairs (Light
// 1971); of one pair among them, that of r.Of(a, b). A pair is compared on the items that both label; a pair whose kappa is
// not defined, since both give one label only or have no item in common, is left out of the mean and counted in a warning,
// and in a resample likewise. The estimate is absent where no pair has one. Of perfect agreement there is no interval.
func CohenKappa(r Ratings, w Weights, o Options) percuss.Estimate {
	t, why := tallied(r, w)
	if why != "" {
		return t.undefined(why)
	}
	c, pairs := t.cohen()
	e := t.estimate(c, o)
	if lost := t.undefinedPairs(c, pairs); lost > 0 && lost < pairs {
		e.Warnings = append(e.Warnings, fmt.Sprintf("kappa is not defined for %d of %d pairs of raters (one label only, or no item in common): it is the mean of the others", lost, pairs))
	}
	return e
}

// cohen is the mean of the kappas of some pairs of raters. A pair has 2 + 2q columns: the items that both label, their
// disagreement, and how often each of the two gives each label.
func (t tally) cohen() (c coefficient, pairs int) {
	q, m := t.categories, t.raters
	pairs = m * (m - 1) / 2
	wide := 2 + 2*q
	c = coefficient{name: "Cohen's kappa" + t.weights, rows: make(Sums, len(t.items))}
	c.absent = fmt.Sprintf("all labels of the %d items are the same (agreement 1): kappa is not defined", t.several)
	if m > 2 {
		c.name += fmt.Sprintf(", mean over %d pairs of raters", pairs)
		c.absent = "no pair of raters uses two labels on the items that both label: kappa is not defined"
	}
	for i, labels := range t.items {
		row := make([]float64, pairs*wide)
		at := row
		for a := range labels {
			for _, second := range labels[a+1:] {
				if first := labels[a]; first != NoLabel && second != NoLabel {
					at[0]++
					at[1] += t.disagreement[first][second]
					at[2+first]++
					at[2+q+second]++
				}
				at = at[wide:]
			}
		}
		c.rows[i] = row
	}
	c.of = func(s []float64) float64 {
		sum, n := 0.0, 0.0
		for ; len(s) > 0; s = s[wide:] {
			if v := t.pairKappa(s[:wide]); !math.IsNaN(v) {
				sum += v
				n++
			}
		}
		return sum / n
	}
	return c, pairs
}

// pairKappa is the kappa of one pair, NaN where it is not defined.
func (t tally) pairKappa(s []float64) float64 {
	first, second, chance := s[2:2+t.categories], s[2+t.categories:], 0.0
	for k, a := range first {
		for l, b := range second {
			chance += t.disagreement[k][l] * a * b
		}
	}
	if chance == 0 {
		return math.NaN()
	}
	return 1 - s[1]*s[0]/chance
}

// undefinedPairs is how many pairs have no kappa in the table itself.
func (t tally) undefinedPairs(c coefficient, pairs int) int {
	sums, lost := c.sums(), 0
	for wide := len(sums) / pairs; len(sums) > 0; sums = sums[wide:] {
		if math.IsNaN(t.pairKappa(sums[:wide])) {
			lost++
		}
	}
	return lost
}
