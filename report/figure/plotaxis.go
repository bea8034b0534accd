package figure

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// Axis is one axis of a plot.
type Axis struct {
	Title    string  // what it measures, with its unit
	Head     string  // of its numbers in the table; empty: the title
	From, To float64 // its ends; both 0: what the values need
	Scale    percuss.Scale
	Doubling bool // each step along it doubles the value
}

// fitted is an axis with ends. One of differences reaches equally far to both sides of zero; one of shares ends at tenths.
func (p Plot) fitted(a Axis, of func(PlotPoint) percuss.Estimate) Axis {
	if a.From != a.To {
		return a
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, panel := range p.Panels {
		for _, s := range panel.Series {
			for _, q := range s.Points {
				e := of(q)
				for _, n := range []percuss.Number{e.Value, e.Lo, e.Hi} {
					if v, ok := n.Get(); ok {
						low, high = min(low, v), max(high, v)
					}
				}
			}
		}
	}
	if low > high {
		low, high = 0, 1
	}
	switch {
	case a.Scale == percuss.ShareDiff:
		end, step := Chart{Most: max(math.Abs(low), math.Abs(high))}.axis()
		if int(math.Round(end/step))%2 == 1 {
			end += step // half of it is a line, too
		}
		a.From, a.To = -end, end
	case a.Doubling:
		a.From, a.To = low, max(high, 2*low)
	default:
		a.From, a.To = math.Floor(10*low+1e-9)/10, math.Ceil(10*high-1e-9)/10
		if a.Scale == percuss.Percent {
			a.From, a.To = min(max(a.From, 0), 0.9), max(min(a.To, 1), 0)
		}
		if a.To < a.From+0.05 {
			a.To = a.From + 0.1
		}
	}
	return a
}

// place is where a value stands on the axis, 0 to 1.
func (a Axis) place(v float64) float64 {
	from, to := a.From, a.To
	if a.Doubling {
		v, from, to = math.Log2(max(v, 1e-9)), math.Log2(from), math.Log2(to)
	}
	return inPlot((v - from) / (to - from))
}

// ticks are the values with a line.
func (a Axis) ticks() (out []float64) {
	if a.Doubling {
		for v := math.Exp2(math.Ceil(math.Log2(a.From) - 1e-9)); v <= a.To*1.0001; v *= 2 {
			out = append(out, v)
		}
		return out
	}
	step := (a.To - a.From) / 4
	if n := math.Round((a.To - a.From) * 10); a.Scale == percuss.Percent && n >= 1 {
		step = 0.1 * math.Ceil(n/5)
	}
	for v := a.From; v <= a.To+1e-9; v += step {
		out = append(out, v)
	}
	return out
}

// tick is a value at a line: a difference without a decimal that says nothing.
func (a Axis) tick(v float64) string {
	if a.Scale != percuss.ShareDiff || math.Abs(v) < 0.0005 {
		return a.word(percuss.Num(v))
	}
	return signed(fmt.Sprintf("%+.4g", math.Round(1e4*v)/100))
}

// word is a value as the axis has it.
func (a Axis) word(n percuss.Number) string {
	v, ok := n.Get()
	switch {
	case !ok:
		return "–"
	case a.Scale == percuss.Percent:
		return fmt.Sprintf("%.4g %%", math.Round(1000*v)/10)
	case a.Scale == percuss.ShareDiff && math.Abs(v) < 0.0005:
		return "0"
	case a.Scale == percuss.ShareDiff:
		return signed(fmt.Sprintf("%+.1f", 100*v))
	}
	return signed(fmt.Sprintf("%.4g", v))
}

// rule is the class of the line at a value: of differences that at zero stands out.
func (a Axis) rule(v float64) string {
	if a.Scale == percuss.ShareDiff && math.Abs(v) < 1e-9 {
		return "zero"
	}
	return "rule"
}
