package stat

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// Kappa is Cohen's kappa of two raters: each pair is what the two said of one item. Its interval is the large-sample one
// of Fleiss, Cohen and Everitt (1969), cut to −1 to 1; of perfect agreement there is none. Pairs in which a label is empty
// are left out and counted in a warning. Where both raters use one category only, or there is no pair, kappa is not
// defined: the estimate is absent and says why. The method tells the raw agreement. Level 0 means DefaultLevel.
//
// CohenKappa takes more raters and weights, and resamples items for its interval; the value is the same.
func Kappa(pairs [][2]string, level float64) percuss.Estimate {
	level, err := levelOf(level)
	if err != nil {
		return percuss.Absent(err.Error())
	}
	table, n := crossed(pairs)
	e := percuss.Estimate{N: n}
	if lost := len(pairs) - n; lost > 0 {
		e.Warnings = append(e.Warnings, fmt.Sprintf("%d of %d pairs left out: a label is missing", lost, len(pairs)))
	}
	agreed := 0
	for i := range table {
		agreed += table[i][i]
	}
	switch {
	case n == 0:
		e.Why = "no item has a label of both raters"
		return e
	case len(table) == 1:
		e.Why = fmt.Sprintf("both raters give one label only (agreement %d of %d): kappa is not defined", agreed, n)
		return e
	}
	kappa, variance := cohen(table, float64(n))
	e.Value, e.Level = percuss.Num(kappa), level
	e.Method = fmt.Sprintf("Cohen's kappa, large-sample interval; raw agreement %d of %d", agreed, n)
	if agreed == n {
		e.Level, e.Warnings = 0, append(e.Warnings, "no interval: the agreement is perfect, which says nothing about its spread")
		return e
	}
	half := normalQuantile(level) * math.Sqrt(max(0, variance))
	if variance <= rounding(kappa) { // before the root, which makes a width of a rounding error
		e.Level, e.Warnings = 0, append(e.Warnings, "no interval: one of the raters gives one label only")
		return e
	}
	e.Lo, e.Hi = percuss.Num(max(-1, kappa-half)), percuss.Num(min(1, kappa+half))
	return e
}

// crossed is the square table of two raters' labels, over the labels in their order, and the number of complete pairs.
func crossed(pairs [][2]string) (table [][]int, n int) {
	index := map[string]int{}
	for _, p := range pairs {
		if p[0] != "" && p[1] != "" {
			index[p[0]], index[p[1]] = 0, 0
		}
	}
	for i, label := range slices.Sorted(maps.Keys(index)) {
		index[label] = i
		table = append(table, make([]int, len(index)))
	}
	for _, p := range pairs {
		if p[0] != "" && p[1] != "" {
			table[index[p[0]]][index[p[1]]]++
			n++
		}
	}
	return table, n
}

// cohen is kappa and its variance (Fleiss, Cohen and Everitt 1969, formula 13), from a table of n pairs with at least two
// labels.
func cohen(table [][]int, n float64) (kappa, variance float64) {
	k := len(table)
	first, second := make([]float64, k), make([]float64, k)
	observed, expected := 0.0, 0.0
	for i := range table {
		for j, count := range table[i] {
			first[i] += float64(count) / n
			second[j] += float64(count) / n
		}
		observed += float64(table[i][i]) / n
	}
	for i := range first {
		expected += first[i] * second[i]
	}
	kappa = (observed - expected) / (1 - expected)
	for i := range table {
		for j, count := range table[i] {
			p := float64(count) / n
			if i == j {
				d := 1 - (first[i]+second[i])*(1-kappa)
				variance += p * d * d
			} else {
				d := (second[i] + first[j]) * (1 - kappa)
				variance += p * d * d
			}
		}
	}
	d := kappa - expected*(1-kappa)
	return kappa, (variance - d*d) / ((1 - expected) * (1 - expected) * n)
}

// LandisKoch is the word of Landis and Koch (1977) for a kappa: poor (below 0), slight, fair, moderate, substantial,
// almost perfect; the borders belong to the lower class. Empty where there is no kappa.
func LandisKoch(kappa percuss.Number) string {
	v, ok := kappa.Get()
	switch {
	case !ok:
		return ""
	case v < 0:
		return "poor"
	case v <= 0.20:
		return "slight"
	case v <= 0.40:
		return "fair"
	case v <= 0.60:
		return "moderate"
	case v <= 0.80:
		return "substantial"
	}
	return "almost perfect"
}

// Confusion counts how a rule's calls meet the truth.
type Confusion struct {
	TP int `json:"tp"` // called, and true
	FP int `json:"fp"` // called, and not true
	FN int `json:"fn"` // not called, and true
	TN int `json:"tn"` // neither
}

// Add enters one call.
func (c *Confusion) Add(called, truth bool) {
	switch {
	case called && truth:
		c.TP++
	case called:
		c.FP++
	case truth:
		c.FN++
	default:
		c.TN++
	}
}

// Precision is the share of the calls that are true, Recall the share of what is true that was called, and Accuracy the
// share that is called as it is; each with Wilson's interval, which takes the rows as independent.
func (c Confusion) Precision(level float64) percuss.Estimate { return Wilson(c.TP, c.TP+c.FP, level) }

// Recall: see Precision.
func (c Confusion) Recall(level float64) percuss.Estimate { return Wilson(c.TP, c.TP+c.FN, level) }

// Accuracy: see Precision.
func (c Confusion) Accuracy(level float64) percuss.Estimate {
	return Wilson(c.TP+c.TN, c.TP+c.FP+c.FN+c.TN, level)
}
