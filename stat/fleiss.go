package stat

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// Fleiss is the kappa of several raters (Fleiss 1971): items holds, for each item, what the raters said of it, in any
// order. Every item needs the same number of labels, two or more; else the estimate is absent and names the item. It is
// also absent where only one category is used, for kappa is not defined then. Its interval leaves out one item at a time
// (jackknife, Student's t, items less one degrees of freedom), cut to −1 to 1. Level 0 means DefaultLevel.
func Fleiss(items [][]string, level float64) percuss.Estimate {
	level, err := levelOf(level)
	if err != nil {
		return percuss.Absent(err.Error())
	}
	counts, why := countLabels(items)
	if why != "" {
		e := percuss.Absent(why)
		e.N = len(items)
		return e
	}
	totals := map[string]float64{}
	agreement := 0.0
	raters := float64(len(items[0]))
	agreed := make([]float64, len(items))
	for i, c := range counts {
		for label, n := range c {
			totals[label] += n
			agreed[i] += n * (n - 1) / (raters * (raters - 1))
		}
		agreement += agreed[i]
	}
	f := fleissSums{totals: totals, agreement: agreement, items: float64(len(items)), raters: raters}
	e := percuss.Estimate{N: len(items)}
	kappa := f.kappa()
	if math.IsNaN(kappa) {
		e.Why = fmt.Sprintf("all labels of the %d items are the same (agreement 1): kappa is not defined", len(items))
		return e
	}
	e.Value = percuss.Num(kappa)
	e.Method = fmt.Sprintf("Fleiss' kappa of %.0f raters, jackknife over items; mean agreement of two raters %.3f", raters, agreement/f.items)
	if kappa == 1 {
		e.Warnings = append(e.Warnings, "no interval: the agreement is perfect, which says nothing about its spread")
		return e
	}
	return f.jackknife(e, kappa, counts, agreed, level)
}

// countLabels counts the labels of each item, or says what is wrong with one.
func countLabels(items [][]string) (counts []map[string]float64, why string) {
	if len(items) == 0 {
		return nil, "there are no items"
	}
	for i, labels := range items {
		if len(labels) != len(items[0]) {
			return nil, fmt.Sprintf("item %d has %d labels, the first %d: Fleiss' kappa takes the same number for every item", i+1, len(labels), len(items[0]))
		}
		if len(labels) < 2 {
			return nil, "an item has a single label: agreement takes two raters"
		}
		c := map[string]float64{}
		for _, label := range labels {
			if label == "" {
				return nil, fmt.Sprintf("item %d lacks a label: leave the item out", i+1)
			}
			c[label]++
		}
		counts = append(counts, c)
	}
	return counts, ""
}

// fleissSums is what kappa needs of all items.
type fleissSums struct {
	totals                   map[string]float64
	agreement, items, raters float64
}

// kappa is NaN where only one category is used.
func (f fleissSums) kappa() float64 {
	expected, used := 0.0, 0
	for _, n := range f.totals {
		if n > 0 {
			used++
		}
		p := n / (f.items * f.raters)
		expected += p * p
	}
	if used < 2 {
		return math.NaN()
	}
	return (f.agreement/f.items - expected) / (1 - expected)
}

// jackknife adds the interval of a kappa, or says why there is none.
func (f fleissSums) jackknife(e percuss.Estimate, kappa float64, counts []map[string]float64, agreed []float64, level float64) percuss.Estimate {
	if f.items < 3 {
		e.Warnings = append(e.Warnings, "no interval: it takes at least three items")
		return e
	}
	values := make([]float64, len(counts))
	mean := 0.0
	for i, c := range counts {
		rest := fleissSums{totals: map[string]float64{}, agreement: f.agreement - agreed[i], items: f.items - 1, raters: f.raters}
		for label, n := range f.totals {
			rest.totals[label] = n - c[label]
		}
		values[i] = rest.kappa()
		mean += values[i] / f.items
	}
	if math.IsNaN(mean) {
		e.Warnings = append(e.Warnings, "no interval: without one of its items kappa is not defined")
		return e
	}
	spread := 0.0
	for _, v := range values {
		spread += (v - mean) * (v - mean)
	}
	half := StudentQuantile(1-level, len(counts)-1).Or(0) * math.Sqrt(spread*(f.items-1)/f.items)
	e.Level = level
	e.Lo, e.Hi = percuss.Num(max(-1, kappa-half)), percuss.Num(min(1, kappa+half))
	return e
}
