package stat

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// coefficient is a measure of agreement as a function of what is summed over items.
type coefficient struct {
	name   string                       // for Estimate.Method
	rows   Sums                         // by item of a tally
	of     func(sums []float64) float64 // NaN where it is not defined
	absent string                       // why it is not, of the table itself
	rate   bool                         // the quotient of the first two columns, from 0 to 1
}

// sums are those of the table itself.
func (c coefficient) sums() []float64 {
	sums := make([]float64, len(c.rows[0]))
	for _, row := range c.rows {
		plus(sums, row)
	}
	return sums
}

// estimate is a coefficient with its bootstrap interval over items.
func (t tally) estimate(c coefficient, o Options) percuss.Estimate {
	o.Metrics = []Metric{{Absent: c.absent}}
	if c.rate {
		o.Metrics[0].Num, o.Metrics[0].Den = []int{0}, []int{1}
	}
	all, err := Bootstrap(c.rows, func(s []float64) []percuss.Number { return []percuss.Number{number(c.of(s))} }, o)
	if err != nil {
		return percuss.Absent(err.Error())
	}
	e := all[0]
	e.N = t.several
	if e.Value.OK() {
		e.Method = c.name + "; " + e.Method
		if !c.rate {
			t.narrow(&e, c.name)
		}
	}
	e.Warnings = append(t.warnings(), e.Warnings...)
	return e
}

// narrow takes away an interval that would read as certainty, and says where one is too narrow.
func (t tally) narrow(e *percuss.Estimate, name string) {
	value, lo, hi := e.Value.Or(0), e.Lo.Or(0), e.Hi.Or(0)
	why := ""
	switch {
	case !e.Lo.OK():
		return
	case value == 1:
		why = "no interval: the agreement is perfect, which says nothing about its spread"
	case hi-lo <= rounding(value) && t.several == 1:
		why = "no interval: of one item every resample is that item"
	case hi-lo <= rounding(value):
		why = fmt.Sprintf("no interval: every resample of the %d items gives the same value, which is no sign of certainty", t.several)
	case t.several < fewItems:
		e.Warnings = append(e.Warnings, fmt.Sprintf("%d items are few: resamples of them are too alike, and the interval is too narrow", t.several))
		return
	default:
		return
	}
	e.Lo, e.Hi, e.Level = percuss.Number{}, percuss.Number{}, 0
	e.Method, e.Warnings = name, []string{why} // what was said of the interval goes with it
}

// undefined is an estimate of a table that has no agreement to measure.
func (t tally) undefined(why string) percuss.Estimate {
	e := percuss.Absent(why)
	e.N = t.several
	if t.several > 0 { // otherwise the reason tells the missing labels
		e.Warnings = t.warnings()
	}
	return e
}

// PercentAgreement is the agreement before chance: the mean over items of the share of pairs of raters who give the item the
// same label (Fleiss 1971). Items with fewer than two labels do not count. Where every rater labels every
// item it is also the mean over pairs of raters. Num and Den are the sum of the shares and the items. Where no resample
// differs, as in perfect agreement, and on few items the interval is Wilson's on items.
func PercentAgreement(r Ratings, o Options) percuss.Estimate {
	return r.share(o, "mean share of pairs of raters who agree", func(t tally, item int) float64 { return 1 - t.apart(item) })
}

// ExactAgreement is the share of items on which all raters who label the item agree; items with fewer than two labels do
// not count. Its interval is as that of PercentAgreement.
func ExactAgreement(r Ratings, o Options) percuss.Estimate {
	return r.share(o, "share of items on which all raters agree", func(t tally, item int) float64 {
		if t.apart(item) == 0 {
			return 1
		}
		return 0
	})
}

// share is the mean over items with two labels of what is from 0 to 1.
func (r Ratings) share(o Options, name string, of func(t tally, item int) float64) percuss.Estimate {
	t, why := tallied(r, Weights{})
	if why != "" {
		return t.undefined(why)
	}
	c := coefficient{name: name, rate: true, rows: make(Sums, len(t.items)), of: func(s []float64) float64 {
		if s[1] == 0 {
			return math.NaN()
		}
		return s[0] / s[1]
	}}
	for i := range c.rows {
		c.rows[i] = []float64{0, 0}
		if t.labels[i] >= 2 {
			c.rows[i] = []float64{of(t, i), 1}
		}
	}
	return t.estimate(c, o)
}
