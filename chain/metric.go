package chain

import (
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// sums are weighted column sums over the items of a cell, or of several cells.
type sums = []float64

// kind says how an estimate is finished.
type kind int

const (
	rate      kind = iota // a rate or a mean of rates, 0 to 1
	share                 // another quantity without numerator of its own, e.g. FCS
	weighted              // a weighted rate: numerator and denominator come from ratio
	points                // a difference of accuracies in points; numerator and denominator come from ratio
	unbounded             // a mean of measurements, e.g. of margins
)

// figure is one quantity that is computed from column sums: once from the sample, and once from each resample.
type figure struct {
	id, scope string
	kind      kind
	value     func(sums) percuss.Number
	num, den  []int       // columns; an item with a positive den counts towards the figure
	parts     []stat.Part // of a linear combination of earlier figures
	extreme   stat.Extreme
	terms     []stat.Term    // what value computes, told to the resampling, which is then quicker
	constant  percuss.Number // the same of a combination of parts
	lo, hi    float64        // the range of the value; not used when unbounded
	ratio     func(sums) (num, den float64)
	absent    string              // why there is no value, where there is none
	method    string              // what was averaged, in front of the method of the interval
	detail    func(sums) string   // what was compared, in a single cell
	notes     func(sums) []string // what a reader must know: "head: detail"
}

// described is what the resampling must know of the figures.
func described(figures []figure) []stat.Metric {
	out := make([]stat.Metric, len(figures))
	for i, f := range figures {
		out[i] = stat.Metric{Num: f.num, Den: f.den, Parts: f.parts, Extreme: f.extreme, Terms: f.terms, Constant: f.constant, Difference: f.kind != rate, Absent: f.absent}
	}
	return out
}

// statistic computes all figures.
func statistic(figures []figure) stat.Statistic {
	return func(s []float64) []percuss.Number {
		out := make([]percuss.Number, len(figures))
		for i, f := range figures {
			out[i] = f.value(s)
		}
		return out
	}
}

// finish completes an estimate that the resampling made: numerator and denominator, the width of an interval that
// resampling gave none, and what was averaged. cells are the unweighted column sums of the cells that the figure was
// computed from, one after the other.
func (f figure) finish(e percuss.Estimate, cells []sums) percuss.Estimate {
	if f.kind != rate {
		e.Num, e.Den = percuss.Number{}, percuss.Number{}
	}
	if !e.Value.OK() {
		return e
	}
	if f.ratio != nil {
		num, den := 0.0, 0.0
		for _, s := range cells {
			if !f.value(s).OK() {
				continue
			}
			n, d := f.ratio(s)
			num, den = num+n, den+d
		}
		e.Num, e.Den = percuss.Num(num), percuss.Num(den)
	}
	e = f.widen(e)
	if f.method != "" {
		e.Method = f.method + "; " + e.Method
	}
	return e
}

// noParts is why a combination has no value where each of its parts has one, in different cells.
const noParts = "no data set has all of its parts"

// lacking says why a combination of earlier figures has no value: which of its parts has none, and why.
func (f figure) lacking(figures []figure, e []percuss.Estimate, why string) string {
	if why != noParts {
		return why
	}
	var out []string
	for _, p := range f.parts {
		part := figures[p.Metric]
		if e[p.Metric].Value.OK() {
			continue
		}
		name := strings.ToUpper(strings.TrimSuffix(part.id, " in means")) // as the definitions write it: AFR_D, FCS
		if part.scope != f.scope {
			name += " (scope " + part.scope + ")"
		}
		out = append(out, name+" is missing: "+e[p.Metric].Why)
	}
	if len(out) == 0 {
		return why
	}
	return strings.Join(out, "; ")
}

// flat is the width below which an interval counts as none.
const flat = 1e-12

// wilsonBound is the method of an interval that stands in where no resample differs.
const wilsonBound = "Wilson bound on the share of items that may differ, for no resample did"

// widen keeps an interval in the figure's range and replaces one of no width, which would read as certainty. When no
// resample differs, up to a share h of such items may differ all the same, h being Wilson's upper bound for none of n
// items; those could move the value to either end of its range. For a rate of 0 or 1 this is Wilson's interval itself.
func (f figure) widen(e percuss.Estimate) percuss.Estimate {
	v, _ := e.Value.Get()
	lo, hasLo := e.Lo.Get()
	hi, hasHi := e.Hi.Get()
	if !hasLo || !hasHi {
		return e
	}
	// An interval that was added up from parts, and a band, can reach beyond what the figure can be.
	if f.kind != unbounded {
		lo, hi = max(lo, f.lo), min(hi, f.hi)
	}
	lent := slices.ContainsFunc(e.Warnings, func(w string) bool { return strings.HasPrefix(w, stat.NoResampleDiffers) })
	if hi-lo > flat*max(1, v, -v) && !lent {
		e.Lo, e.Hi = percuss.Num(lo), percuss.Num(hi)
		return e
	}
	e.Warnings = slices.DeleteFunc(slices.Clone(e.Warnings), func(w string) bool {
		return strings.Contains(w, "has no width") || strings.HasPrefix(w, stat.NoResampleDiffers)
	})
	if f.kind == unbounded || e.N == 0 {
		e.Lo, e.Hi, e.Level = percuss.Number{}, percuss.Number{}, 0
		e.Warnings = append(e.Warnings, "no interval: every resample gives the same value")
		return e
	}
	h := stat.Wilson(0, e.N, e.Level).Hi.Or(1)
	below, above := h*(v-f.lo), h*(f.hi-v)
	if v-lo > below || hi-v > above {
		below, above = max(below, v-lo), max(above, hi-v)
		e.Method += "; at least " + wilsonBound
	} else {
		e.Method = wilsonBound
	}
	e.Lo, e.Hi = percuss.Num(v-below), percuss.Num(v+above)
	return e
}

// quotient is num ÷ den, missing when den is 0.
func quotient(num, den float64) percuss.Number {
	if den == 0 {
		return percuss.Number{}
	}
	return percuss.Num(num / den)
}

// total is the sum of some columns.
func total(s sums, columns []int) float64 {
	t := 0.0
	for _, c := range columns {
		t += s[c]
	}
	return t
}

// ratioOf is the rate of two lists of columns.
func ratioOf(num, den []int) func(sums) percuss.Number {
	return func(s sums) percuss.Number { return quotient(total(s, num), total(s, den)) }
}

// told are the terms of one quotient of sums, or of the mean of several.
func told(mean ...stat.Quotient) []stat.Term { return []stat.Term{{Factor: 1, Mean: mean}} }

// over is a quotient of sums, and a rate: 0 to 1 for every item.
func over(num, den []int) stat.Quotient {
	return stat.Quotient{Num: num, Den: den, Range: [2]float64{0, 1}}
}

// amount is a quotient of sums whose items may give anything.
func amount(num, den []int) stat.Quotient { return stat.Quotient{Num: num, Den: den} }

// times are factors for columns that add to a numerator, and for others that take from it.
func times(factor float64, plus, minus []int) (num []int, factors []float64) {
	for _, c := range plus {
		num, factors = append(num, c), append(factors, factor)
	}
	for _, c := range minus {
		num, factors = append(num, c), append(factors, -factor)
	}
	return num, factors
}

// excess is the quotient whose numerator is a factor times the sum of some columns less that of others.
func excess(factor float64, plus, minus, den []int) stat.Quotient {
	num, factors := times(factor, plus, minus)
	out := stat.Quotient{Num: num, Factors: factors, Den: den, Range: [2]float64{0, factor}}
	if len(minus) > 0 {
		out.Range[0] = -factor
	}
	return out
}

// mean is the mean of the values that there are.
func mean(values ...percuss.Number) percuss.Number {
	t, n := 0.0, 0.0
	for _, v := range values {
		if x, ok := v.Get(); ok {
			t, n = t+x, n+1
		}
	}
	return quotient(t, n)
}

// LowFiring reports whether a fairness gap stands on few items: its M2 edits fired on less than half of them in at
// least one data set. Such a gap is no headline, for the spread of small samples is biased upwards.
func (m Metric) LowFiring() bool {
	for _, w := range m.Warnings {
		if strings.HasPrefix(w, lowFiring) {
			return true
		}
	}
	return false
}

// Metric returns a metric of the group by id and scope.
func (g Group) Metric(id, scope string) (Metric, bool) {
	for _, m := range g.Metrics {
		if m.ID == id && m.Scope == scope {
			return m, true
		}
	}
	return Metric{}, false
}
