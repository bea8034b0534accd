package versus

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// seed is that of the resampling: the same two runs give the same intervals.
const seed = 1

// result is one measure of one group in both runs.
type result struct {
	before, after, difference percuss.Estimate // difference: after minus before, on the same items
	p                         percuss.Number   // McNemar's mid-p; missing where an item has several trials, or there are none
}

// results estimates every measure of every group: the items are resampled, both runs with the same ones.
func (p *pairs) results() (map[*group][]result, error) {
	out := map[*group][]result{}
	for _, g := range p.groups {
		got, err := stat.Bootstrap(g.rows, p.statistic, stat.Options{Seed: seed, Metrics: p.described()})
		if err != nil {
			return nil, err
		}
		of := make([]result, len(p.measures))
		for i, m := range p.measures {
			r := result{before: got[3*i], after: got[3*i+1], difference: got[3*i+2]}
			r.difference.Num, r.difference.Den = percuss.Number{}, percuss.Number{}
			if m.single && r.difference.N > 0 {
				b, c := g.changed(i)
				r.p = stat.McNemarMidP(b, c)
			}
			of[i] = r
		}
		out[g] = of
		g.rows = nil
	}
	return out, nil
}

// changed are the items that a measure tells apart, one way and the other.
func (g *group) changed(m int) (before, after int) {
	if m == mRight {
		return g.kinds[Broke], g.kinds[Fixed]
	}
	return g.counts[m].before, g.counts[m].after
}

// statistic are the three figures of each measure out of the sums of its columns.
func (p *pairs) statistic(sums []float64) []percuss.Number {
	out := make([]percuss.Number, len(sums))
	for i := 0; i < len(sums); i += 3 {
		if n := sums[i+2]; n > 0 {
			out[i], out[i+1], out[i+2] = percuss.Num(sums[i]/n), percuss.Num(sums[i+1]/n), percuss.Num((sums[i+1]-sums[i])/n)
		}
	}
	return out
}

// described says what the figures are.
func (p *pairs) described() []stat.Metric {
	var out []stat.Metric
	for i, m := range p.measures {
		before, after, n := []int{3 * i}, []int{3*i + 1}, []int{3*i + 2}
		one := func(num []int) stat.Metric {
			q := stat.Quotient{Num: num, Den: n}
			if m.rate {
				q.Range = [2]float64{0, 1}
			}
			return stat.Metric{Num: num, Den: n, Difference: !m.rate, Terms: []stat.Term{{Factor: 1, Mean: []stat.Quotient{q}}}, Absent: nothing}
		}
		q := stat.Quotient{Num: []int{3*i + 1, 3 * i}, Factors: []float64{1, -1}, Den: n}
		if m.rate {
			q.Range = [2]float64{-1, 1}
		}
		out = append(out, one(before), one(after), stat.Metric{Den: n, Difference: true, Absent: nothing,
			Terms:   []stat.Term{{Factor: 1, Mean: []stat.Quotient{q}}},
			Changed: func(row []float64) bool { return row[3*i] != row[3*i+1] }})
	}
	return out
}

// nothing is why a figure is missing.
const nothing = "nothing of it was measured in both runs"
