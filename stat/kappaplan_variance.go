package stat

import (
	"math"
	"slices"
)

// level is that of the interval, of a plan that is in order.
func (p KappaPlan) level() float64 {
	level, err := levelOf(p.Level)
	if err != nil {
		return p.Level
	}
	return level
}

// rare is on how many of some items the rarest category is expected, of one rater.
func (p KappaPlan) rare(items int) float64 { return float64(items) * slices.Min(p.Prevalences) }

// reach is the width of the interval of one item: that of n is less by √n.
func (p KappaPlan) reach(raters int) float64 {
	return 2 * normalQuantile(p.level()) * math.Sqrt(p.variance(raters))
}

// variance is n times the large-sample variance of Fleiss' kappa: that of an item's influence on it,
// −D/E + 2(1 − κ)·C/E, with D the disagreement of its labels, C that of its labels with the shares of the categories, and E
// that of two labels drawn by these (Gwet 2014, whose estimate of the variance takes the same over a sample).
func (p KappaPlan) variance(raters int) float64 {
	m, expected := float64(raters), 1.0
	for _, share := range p.Prevalences {
		expected -= share * share
	}
	chances := p.logChances(raters)
	mean, square := 0.0, 0.0
	eachPattern(raters, make([]int, 0, len(p.Prevalences)), len(p.Prevalences), func(counts []int) {
		same, common, log := 0.0, 0.0, 0.0
		for k, c := range counts {
			n := float64(c)
			same += n * (n - 1)
			common += n / m * p.Prevalences[k]
			log += chances[k][c]
		}
		influence := (same/(m*(m-1)) - 2*(1-p.Kappa)*common) / expected
		chance := math.Exp(log - chances[len(counts)][raters])
		mean += chance * influence
		square += chance * influence * influence
	})
	return max(0, square-mean*mean)
}

// eachPattern shows each way in which labels fall on the categories that are left, after the counts of the earlier ones.
func eachPattern(labels int, counts []int, categories int, show func(counts []int)) {
	if len(counts) == categories-1 {
		show(append(counts, labels))
		return
	}
	for n := range labels + 1 {
		eachPattern(labels-n, append(counts, n), categories, show)
	}
}

// logChances are what the logarithm of the chance of a pattern is the sum of, by category and count, and behind them what is
// to be taken off. The chance is Dirichlet-multinomial (Mosimann 1962) with kappa as the correlation of two labels of an
// item: each label of a category makes the next one likelier. With kappa 0 it is multinomial.
func (p KappaPlan) logChances(raters int) [][]float64 {
	out := make([][]float64, 0, len(p.Prevalences)+1)
	for _, share := range append(slices.Clone(p.Prevalences), 1) { // all labels together are of a category of share 1
		row := make([]float64, raters+1)
		for n := range raters {
			row[n+1] = row[n] + math.Log((share*(1-p.Kappa)+float64(n)*p.Kappa)/float64(n+1))
		}
		out = append(out, row)
	}
	return out
}
