package chain

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// measure computes the effects of one model.
func (c *controls) measure(s *summary, m *model) modelEffects {
	out := modelEffects{m: m, floors: c.floorsOf(m), rows: c.rows()}
	width := len(c.l.ops) * effColumns
	var samples []stat.Sample
	all := make(sums, width)
	for _, cell := range m.cells {
		rows := map[string][]float64{}
		for id, item := range c.items[cell.id()] {
			rows[id] = c.row(item, out.floors)
			all = plus(all, rows[id])
		}
		samples = append(samples, sample(cell.set, s.items[cell.set], rows, width))
	}
	var figures []figure
	lacking := c.lacking(out)
	for _, e := range out.rows {
		figures = append(figures, e.figures(lacking[e.block])...)
	}
	draws, err := stat.DrawPooled(samples, statistic(figures), s.options(figures))
	if err != nil {
		for i := range out.rows {
			out.rows[i].sham, out.rows[i].against = percuss.Absent(err.Error()), percuss.Absent(err.Error())
		}
		return out
	}
	estimates, narrow, p := draws.Estimates(), draws.At(1-2*alpha).Estimates(), draws.PValues()
	draws.Release()
	for i := range out.rows {
		e, at := &out.rows[i], i*effFigures
		e.sham, e.narrow = figures[at].finish(estimates[at], nil), figures[at].finish(narrow[at], nil)
		e.against, e.pAgainst = figures[at+1].finish(estimates[at+1], nil), p[at+1]
		e.count(all, s.o.Level, lacking[e.block])
	}
	adjust(out.rows)
	return out
}

// lacking says of each block, and of both, why an edit has nothing to be held against: there is no noise floor, or there is
// one and no edit with an answer.
func (c *controls) lacking(found modelEffects) map[battery.Block]string {
	out := map[battery.Block]string{}
	for _, block := range [...]battery.Block{battery.F, battery.M} {
		out[block] = c.noFloor()
		if c.rate(found.floors[block], found.m.cells, stat.DefaultLevel).Value.OK() {
			out[block] = "no such edit has an answer to compare where the control has one"
		}
	}
	out[""] = out[battery.F]
	return out
}

// count enters the counts of a row from the sums over all items; floor is why there is no noise floor, where there is none.
func (e *effect) count(all sums, level float64, floor string) {
	for _, op := range e.ops {
		own := all[op*effColumns : (op+1)*effColumns]
		e.alone += int(own[effOwnAlone])
		e.other += int(own[effSham] - (own[effOwn] - own[effOwnAlone]))
	}
	if e.group {
		return
	}
	own := all[e.ops[0]*effColumns : (e.ops[0]+1)*effColumns]
	n := int(own[effBoth])
	if n == 0 {
		e.own, e.floor = percuss.Absent(floor), percuss.Absent(floor)
		return
	}
	e.own, e.floor = stat.Wilson(int(own[effOwn]), n, level), stat.Wilson(int(own[effSham]), n, level)
	e.p = stat.McNemar(e.alone, e.other)
}

// adjust adjusts the p-values of the operators of a model, one family of tests against the sham and one against the
// preserving edits.
func adjust(rows []effect) {
	sham, preserving := make([]percuss.Number, len(rows)), make([]percuss.Number, len(rows))
	for i, e := range rows {
		if !e.group {
			sham[i] = e.p
			if e.against.Value.OK() {
				preserving[i] = e.pAgainst
			}
		}
	}
	sham, preserving = stat.Holm(sham), stat.Holm(preserving)
	for i := range rows {
		rows[i].adjusted, rows[i].adjustedP = sham[i], preserving[i]
	}
}
