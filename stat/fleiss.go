package stat

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// FleissKappa is the kappa of several raters who need not be the same for every item (Fleiss 1971): chance is that of two
// labels drawn from the shares of the categories over all raters. With weights and with missing labels it is that of Gwet
// (2014): an item counts by two labels or more, and the shares are means over all items that have a label, so
// that it can then lie below −1. It is absent where only one category is used. Of perfect agreement there is no interval.
func FleissKappa(r Ratings, w Weights, o Options) percuss.Estimate {
	t, why := tallied(r, w)
	if why != "" {
		return t.undefined(why)
	}
	c := t.pooled("Fleiss' kappa"+t.weights, func(shares []float64) (chance float64) {
		for k, a := range shares {
			for l, b := range shares {
				chance += t.disagreement[k][l] * a * b
			}
		}
		return chance
	})
	c.absent = fmt.Sprintf("all labels of the %d items are the same (agreement 1): kappa is not defined", t.several)
	return t.estimate(c, o)
}

// GwetAC is Gwet's AC1, and with weights AC2 (Gwet 2008; 2014): chance is that of items which are hard to label,
// from the shares of the categories over all raters, T/(q(q − 1))·Σ π(1 − π) with T the sum of the weights and q the
// number of Categories, used or not. It stays near the raw agreement where one category is common, so its values are not
// those of a kappa. Missing labels enter as in FleissKappa, and AC2 too can then lie below −1. It needs two categories to
// choose from; where raters use one of them only it is 1, without an interval.
func GwetAC(r Ratings, w Weights, o Options) percuss.Estimate {
	t, why := tallied(r, w)
	if why != "" {
		return t.undefined(why)
	}
	if t.categories < 2 {
		return t.undefined("there is one category only: Gwet's coefficient is not defined")
	}
	q, weights := float64(t.categories), float64(t.categories*t.categories)
	for _, row := range t.disagreement {
		for _, d := range row {
			weights -= d
		}
	}
	name := "Gwet's AC1"
	if t.weights != "" {
		name = "Gwet's AC2" + t.weights
	}
	c := t.pooled(name, func(shares []float64) float64 {
		hard := 0.0
		for _, p := range shares {
			hard += p * (1 - p)
		}
		return 1 - weights/(q*(q-1))*hard
	})
	c.absent = "the weights let every pair agree: Gwet's coefficient is not defined"
	return t.estimate(c, o)
}

// pooled is a coefficient whose chance disagreement is a function of the shares of the categories over all raters. Its
// columns: the disagreement of an item, whether it has one, whether it has a label, and its share of each category.
func (t tally) pooled(name string, chance func(shares []float64) float64) coefficient {
	c := coefficient{name: name, rows: make(Sums, len(t.items))}
	for i := range t.items {
		row := append(make([]float64, 0, 3+t.categories), t.apart(i), 0, 1)
		if t.labels[i] >= 2 {
			row[1] = 1
		}
		for _, n := range t.counts[i] {
			row = append(row, n/t.labels[i])
		}
		c.rows[i] = row
	}
	c.of = func(s []float64) float64 {
		shares := make([]float64, t.categories)
		for k := range shares {
			shares[k] = s[3+k] / s[2]
		}
		by := chance(shares)
		if s[1] == 0 || by <= rounding(0) {
			return math.NaN()
		}
		return 1 - s[0]/s[1]/by
	}
	return c
}
