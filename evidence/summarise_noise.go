package evidence

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

const (
	twoSided = 1.96 // standard deviations that are exceeded once in twenty times at the least, whatever the degrees of freedom
	falsely  = 0.05 // share of false discoveries that a list may hold; how often noise alone exceeds the floor
	exact    = 1e-9 // nats: a smaller standard deviation is the rounding of sums, no noise
	// unrepeated is why there is no floor where the letter bias is averaged out.
	unrepeated = "interactions are those of scores averaged over all rotations of the candidates, but repetitions and orders were asked in one rotation: their noise is not that of the averages"
)

// noiseTables fill in the floor and the lists that are held against it.
func (c *cell) noiseTables(out *Cell) {
	out.Floor, out.Discovery = []FloorRow{}, []Discovery{}
	if c.strength.rotated {
		c.withoutNoise(out)
		return
	}
	var sources []string
	for _, at := range slices.SortedFunc(maps.Keys(c.strength.noise), func(a, b noiseOf) int {
		return cmp.Or(strings.Compare(a.source, b.source), cmp.Compare(a.order, b.order))
	}) {
		n := c.strength.noise[at]
		row := FloorRow{Source: at.source, Order: at.order, SD: n.sd(), Floor: n.floor(), DoF: n.Repeats, Cases: n.cases}
		if sd, ok := row.SD.Get(); ok && sd < exact {
			row.SD, row.Floor = percuss.Num(0), percuss.Num(0)
		}
		if at.order > 0 && at.order <= len(c.strength.byOrder) {
			for _, v := range c.strength.byOrder[at.order-1] {
				row.Of += int(bit(v >= c.o.Salient))
				row.Under += int(bit(v >= c.o.Salient && v < row.Floor.Or(0)))
			}
		}
		out.Floor = append(out.Floor, row)
		if at.order > 0 && !slices.Contains(sources, at.source) {
			sources = append(sources, at.source)
		}
	}
	for _, source := range sources {
		out.Discovery = append(out.Discovery, c.strength.discover(source, c.o.Salient))
	}
}

// withoutNoise says once for each source that was asked why there is neither a floor nor a list.
func (c *cell) withoutNoise(out *Cell) {
	for _, source := range []string{noiseBatch, noiseOrder} {
		if n, ok := c.strength.noise[noiseOf{source, 1}]; ok {
			out.Floor = append(out.Floor, FloorRow{Source: source, DoF: n.Repeats, Cases: n.cases, Why: unrepeated})
			out.Discovery = append(out.Discovery, Discovery{Source: source, Rate: falsely, Orders: []Count{}, Why: unrepeated})
		}
	}
}

// tested is an interaction that by itself stands out of the noise.
type tested struct {
	order   int
	p       float64
	salient bool
}

// discover lists the interactions that stand out of a source's noise, all interactions in the gold's margin being
// tested together. Where repetitions do not differ at all there is nothing to test against, and the list is empty.
func (s *strengths) discover(source string, salient float64) Discovery {
	d := Discovery{Source: source, Rate: falsely, Orders: []Count{}}
	var found []tested
	var still, unknown []string
	for i, strengths := range s.byOrder {
		n := s.noise[noiseOf{source, i + 1}]
		sd, ok := n.sd().Get()
		switch name := fmt.Sprint(i + 1); {
		case !ok:
			unknown = append(unknown, name)
		case sd < exact:
			still = append(still, name)
		default:
			d.Tested += len(strengths)
			for _, v := range strengths {
				d.Only += int(bit(v >= salient))
			}
			found = append(found, n.outstanding(strengths, salient)...)
		}
	}
	d.list(found, len(s.byOrder))
	d.Why = unlisted(still, unknown, d)
	return d
}

// outstanding are the strengths whose p-value is small enough to be on any list.
func (n pooled) outstanding(strengths []float64, salient float64) []tested {
	var out []tested
	sd := n.sd().Or(math.Inf(1))
	for _, v := range strengths {
		// No p-value of Student's distribution is smaller than the normal one, 0.05 at 1.96.
		if v < 0.999*twoSided*sd {
			continue
		}
		if p, ok := stat.StudentP(v/sd, n.Repeats).Get(); ok && p <= falsely {
			out = append(out, tested{n.Order, p, v >= salient})
		}
	}
	return out
}

// list keeps those that the rule of Benjamini and Hochberg keeps. Only holds all salient ones until then.
func (d *Discovery) list(found []tested, orders int) {
	p, of := make([]float64, len(found)), make([]int, orders)
	for i, f := range found {
		p[i] = f.p
	}
	d.P = stat.Discoveries(p, d.Tested, d.Rate)
	for _, f := range found {
		if f.p <= d.P.Or(-1) {
			d.Listed++
			d.Both += int(bit(f.salient))
			of[f.order-1]++
		}
	}
	d.Only -= d.Both
	for i, n := range of {
		if n > 0 {
			d.Orders = append(d.Orders, Count{fmt.Sprintf("order %d", i+1), n})
		}
	}
}

// unlisted says why orders are not tested, or a list is empty.
func unlisted(still, unknown []string, d Discovery) string {
	var why []string
	if len(still) > 0 {
		why = append(why, fmt.Sprintf("repetitions do not differ (standard deviation 0) at order %s: "+
			"against no noise every interaction but 0 would be listed, so none is", strings.Join(still, ", ")))
	}
	if len(unknown) > 0 {
		why = append(why, fmt.Sprintf("nothing was repeated at order %s, which is not tested", strings.Join(unknown, ", ")))
	}
	if d.Tested > 0 && d.Listed == 0 {
		why = append(why, fmt.Sprintf("no interaction stands out of the noise at a rate of false discoveries of %g", d.Rate))
	}
	return strings.Join(why, "; ")
}
