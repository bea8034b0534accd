package chain

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// The figures of this file stand in no list of metrics: analyses show them. They are computed with the metrics, so that
// each has its interval from the same resamples.

// chainText is the mean length of the baseline's chain in words, and the share of chains with a reasoning block, over
// the items whose baseline reply has a text.
func (l layout) chainText() []figure {
	const why = "no baseline reply has a text"
	words, chains := []int{colWords}, []int{colChain}
	return []figure{
		{id: "words", kind: unbounded, den: chains, value: ratioOf(words, chains), terms: told(amount(words, chains)), absent: why,
			ratio: func(s sums) (float64, float64) { return s[colWords], s[colChain] }},
		{id: "block", num: []int{colBlock}, den: chains, value: ratioOf([]int{colBlock}, chains), terms: told(over([]int{colBlock}, chains)), hi: 1, absent: why},
	}
}

// leaveOut are the families that the paper leaves out to see what hangs on them, and the scopes of FCS that they enter.
var leaveOut = [...]struct{ family, own string }{{"F4", "F"}, {"M6", "M"}}

// without adds, for each family of leaveOut, FCS without it and how much that changes FCS, and the change of accuracy
// under chain edits without F4 (chain paper, Appendix G).
func (l layout) without(out []figure) []figure {
	for _, left := range leaveOut {
		for _, scope := range [...]string{left.own, "all"} {
			out = l.fcsWithout(out, left.family, scope)
		}
	}
	entries := slices.DeleteFunc(l.editedChains(), func(e edited) bool { return e.name == "F4" })
	var ops []int
	for _, e := range entries {
		ops = append(ops, e.ops...)
	}
	return append(out, figure{id: "fdelta_without", scope: "F4", kind: points, lo: -100, hi: 100, den: columns(ops, opParsed),
		absent: "none of F1-50, F2, F3, F5 fired and was answered", method: "mean over F1-50, F2, F3, F5", terms: told(quotients(entries, edited.loss)...),
		value: func(s sums) percuss.Number {
			values := make([]percuss.Number, len(entries))
			for i, e := range entries {
				values[i] = e.paired(s)
			}
			return mean(values...)
		}})
}

// fcsWithout is FCS of a scope without one family, named "fcs_without F4/F", and the difference to FCS with it.
func (l layout) fcsWithout(out []figure, family, scope string) []figure {
	rest := func(intent battery.Intent) []int {
		return slices.DeleteFunc(l.intentOps(intent, scope), func(op int) bool { return l.ops[op].Family == family })
	}
	d, p := rest(battery.Destructive), rest(battery.Preserving)
	rateD, rateP := meanRate(d, opFlip, opParsed), meanRate(p, opFlip, opParsed)
	den := append(columns(d, opParsed), columns(p, opParsed)...)
	why := fmt.Sprintf("without %s a destructive or a preserving operator with an answer is missing", family)
	name := family + "/" + scope
	value := func(s sums) percuss.Number { return composite(rateD(s), rateP(s)) }
	if !l.hasFamily(family) {
		why = "the battery has no " + family
		value = func(sums) percuss.Number { return percuss.Number{} }
	}
	out = append(out, figure{id: "fcs_without", scope: name, kind: share, hi: 1, den: den, value: value, absent: why, constant: percuss.Num(0.5),
		terms: []stat.Term{{Factor: 0.5, Mean: rates(d, opFlip, opParsed)}, {Factor: -0.5, Mean: rates(p, opFlip, opParsed)}}})
	less, all := len(out)-1, find(out, "fcs", scope)
	whole := out[all]
	return append(out, figure{id: "fcs_change", scope: name, kind: share, lo: -1, hi: 1, den: whole.den, absent: why,
		parts: []stat.Part{{Metric: less, Factor: 1}, {Metric: all, Factor: -1}}, constant: percuss.Num(0),
		value: func(s sums) percuss.Number { return minus(value(s), whole.value(s)) }})
}

// minus is a − b, missing where one of them is.
func minus(a, b percuss.Number) percuss.Number {
	x, okA := a.Get()
	y, okB := b.Get()
	if !okA || !okB {
		return percuss.Number{}
	}
	return percuss.Num(x - y)
}

// drift are the shares of the joint table by the published rule that tell failure modes apart: a + b, where the chain
// registers the edit, and d − c.
func (l layout) drift() []figure {
	r := l.jointRows()[0]
	cells := r.columns()
	den := slices.Concat(cells[:]...)
	why := l.jointWhy(r)
	update := append(append([]int(nil), cells[0]...), cells[1]...)
	return []figure{
		{id: "update", value: ratioOf(update, den), terms: told(over(update, den)), num: update, den: den, hi: 1, absent: why},
		{id: "d_minus_c", kind: share, lo: -1, hi: 1, den: den, absent: why, terms: told(excess(1, cells[3], cells[2], den)),
			value: func(s sums) percuss.Number {
				return quotient(total(s, cells[3])-total(s, cells[2]), total(s, den))
			}},
	}
}

// change finishes the difference of a figure between two samples.
func (f figure) change(e percuss.Estimate) percuss.Estimate {
	d := figure{kind: share, lo: f.lo - f.hi, hi: f.hi - f.lo}
	if f.kind == unbounded {
		d.kind = unbounded
	}
	return d.finish(e, nil)
}

// figure returns an estimate of the group by id and scope, also one that no list of metrics holds.
func (g Group) figure(id, scope string) percuss.Estimate {
	for _, list := range [...][]Metric{g.Metrics, g.inner} {
		for _, m := range list {
			if m.ID == id && m.Scope == scope {
				return m.Estimate
			}
		}
	}
	return percuss.Absent("not measured")
}
