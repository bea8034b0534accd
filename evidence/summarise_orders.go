package evidence

import (
	"cmp"
	"fmt"
	"math"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
	"github.com/percuss/percuss/stat/lattice"
)

// depth is the highest order of the paper's audit, against which shallower ones are held.
const depth = 3

func orderColumn(order int, of string) string { return fmt.Sprintf("order %d/%s", order, of) }

// byOrder enters a scored case in the tables by order.
func (c *cell) byOrder(r Record) {
	item, salient := r.Subject.Item, c.o.Salient
	whole, high := 0.0, 0.0
	var row [lattice.MaxUnits + 1][5]float64
	for _, x := range r.Base.Interactions {
		order, strength := x.Set.Size(), math.Abs(x.Value)
		if order < 1 || order > lattice.MaxUnits {
			continue
		}
		c.strength.enter(order, strength)
		whole += strength
		if order > depth {
			high += strength
		}
		of := &row[order]
		of[2]++
		of[3] += strength
		if strength >= salient {
			of[0]++
			of[1] += strength
			of[4] += bit(x.Suspicious && !r.Narrative)
		}
	}
	for order, of := range row {
		for i, name := range [...]string{"count", "strength", "all", "all/strength", "suspicious"} {
			if of[i] > 0 {
				c.main.add(item, orderColumn(order, name), of[i])
			}
		}
	}
	c.depths(r, whole, high)
}

// depths enters what hangs on which orders were asked.
func (c *cell) depths(r Record, whole, high float64) {
	n, units := &c.cases, len(r.Units)
	if r.Order < min(depth, units) {
		n.shallow++
	}
	for k := 1; k <= depth; k++ {
		n.prompts[k] += subsets(units, k)
	}
	if v, ok := r.Base.Residual.Get(); ok {
		n.largestResidual = percuss.Num(max(v, n.largestResidual.Or(0)))
	}
	if r.Order >= units && units > depth && whole > 0 {
		c.main.mean(r.Subject.Item, "above", percuss.Num(high/whole))
		n.above, n.aboveUnits = append(n.above, high/whole), append(n.aboveUnits, units)
		n.aboveStrength = append(n.aboveStrength, whole)
	}
}

// orders lay out the tables by order, up to the highest that any case has.
func (c *cell) orders(out *Cell) []figure {
	highest := len(c.strength.byOrder)
	columns := func(of string) (all []int) {
		for order := 1; order <= highest; order++ {
			all = append(all, c.main.column(orderColumn(order, of)))
		}
		return all
	}
	var figures []figure
	for _, table := range []struct {
		into            *[]OrderShare
		count, strength string
	}{{&out.Orders, "count", "strength"}, {&out.Strength, "all", "all/strength"}} {
		all, whole := columns(table.count), columns(table.strength)
		sums := c.main.sums()
		*table.into = make([]OrderShare, highest)
		for i := range highest {
			o := &(*table.into)[i]
			o.Order, o.Count = i+1, int(sums[all[i]])
			if table.into == &out.Strength { // how many sets there are of an order is no finding
				o.Share = fixed(sums[all[i]], total(sums, all), c.cases.scored)
			} else {
				figures = append(figures, figure{&o.Share, []ratio{{all[i : i+1], all}}, rate, noSalient})
			}
			figures = append(figures,
				figure{&o.Weight, []ratio{{whole[i : i+1], whole}}, rate, noSalient},
				figure{&o.Mean, []ratio{{whole[i : i+1], all[i : i+1]}}, amount, "no salient interaction is of this order"})
		}
	}
	out.AboveBy = []Quantile{}
	if len(c.cases.above) > 0 {
		for _, p := range [...]float64{0.05, 0.25, 0.5, 0.75, 0.95} {
			out.AboveBy = append(out.AboveBy, Quantile{p, stat.Quantile(c.cases.above, p)})
		}
	}
	why := "no scored case was asked at all orders"
	return append(figures, figure{&out.Above, []ratio{c.main.over("above", "above/n")}, rate, why})
}

// fixed is a share that the design of the audit sets, so that nothing about it is estimated.
func fixed(num, den float64, cases int) percuss.Estimate {
	if den == 0 {
		return percuss.Absent(noScored)
	}
	return percuss.Estimate{Value: percuss.Num(num / den), Num: percuss.Num(num), Den: percuss.Num(den), N: cases, Method: "fixed by the design"}
}

// ablation lays out Table 3: what would be left of the audit of order 3, had fewer orders been asked. Interactions of
// lower orders are the same whether higher ones are asked or not, so the shares are read off the orders.
func (c *cell) ablation(out *Cell, o stat.Options) []figure {
	var figures []figure
	out.Ablation = make([]AblationRow, depth)
	part := func(k int, of string) []int {
		var at []int
		for order := 1; order <= k; order++ {
			at = append(at, c.main.column(orderColumn(order, of)))
		}
		return at
	}
	for i := range out.Ablation {
		k := i + 1
		row := &out.Ablation[i]
		row.Order, row.Budget = k, c.cases.prompts[k]/float64(max(1, c.cases.scored))
		if c.cases.shallow > 0 {
			why := fmt.Sprintf("order %d was not asked of %d of %d scored cases", depth, c.cases.shallow, c.cases.scored)
			row.Strength, row.Suspicious, row.Invalid = percuss.Absent(why), percuss.Absent(why), percuss.Absent(why)
			continue
		}
		figures = append(figures,
			figure{&row.Strength, []ratio{{part(k, "strength"), part(depth, "strength")}}, rate, noSalient},
			figure{&row.Suspicious, []ratio{{part(k, "suspicious"), part(depth, "suspicious")}}, rate, c.withRoles("no salient interaction is suspicious")})
		row.Invalid = c.invalidUpTo(k, o.Level)
	}
	return figures
}

// invalidUpTo is the share of the interactions judged invalid that an audit up to order k would have found.
func (c *cell) invalidUpTo(k int, level float64) percuss.Estimate {
	found, all := 0, 0
	for _, j := range c.reviewed {
		if j.verdict == invalid && j.salient && j.gold && j.set.Size() <= depth {
			all++
			found += int(bit(j.set.Size() <= k))
		}
	}
	if all == 0 {
		return percuss.Absent(cmp.Or(c.unjudged(), "no interaction was judged invalid"))
	}
	return stat.Wilson(found, all, level)
}

// strengths are those of all interactions in the gold's margin, and what was measured of their noise. They are kept
// exactly, 8 bytes each and more for the salient ones, for a tenth, a list and a floor are not known before the last case.
type strengths struct {
	byOrder  [][]float64 // from order 1
	deferred []deferrals
	noise    map[noiseOf]pooled
	rotated  bool // the interactions are those of means over rotations, which nothing repeats
}

func (s *strengths) enter(order int, strength float64) {
	for len(s.byOrder) < order {
		s.byOrder = append(s.byOrder, nil)
	}
	s.byOrder[order-1] = append(s.byOrder[order-1], strength)
}
