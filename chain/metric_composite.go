package chain

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// leastECR is the rate below which MFC is not reported (chain paper, section 4).
const leastECR = 0.30

// gate holds why MFC is withheld: from the cell, and from the means that the cell enters; empty: it is not.
// aside keeps the cell's fairness gap out of the headline.
type gate struct {
	cell, means string
	aside       bool
}

// inMeans is the id of MFC as it enters the means, where it is composed of the means of its parts. The model's ECR must reach
// the threshold.
const inMeans = "mfc in means"

// withheld says why the composite has no value for lack of commitment; empty: there is enough.
func withheld(ecr percuss.Number) string {
	v, ok := ecr.Get()
	switch {
	case !ok:
		return "ECR is missing"
	case v < leastECR:
		return fmt.Sprintf("ECR is %.2f, below %.2f", v, leastECR)
	}
	return ""
}

// composite adds MFC = (w1·FCS + w2·(1 − CHS) + w3·(1 − DFG)) ÷ Σw, over FCS of scope F.
func (l layout) composite(out []figure, w weights, g gate) []figure {
	fcs, chs := find(out, "fcs", string(battery.F)), find(out, "chs", "")
	sum := w.mfc[0] + w.mfc[1] + w.mfc[2]
	a, b := out[fcs], out[chs]
	guarded := func(id, gap, reason string) figure {
		dfg := find(out, gap, "")
		c := out[dfg]
		f := figure{id: id, kind: share, hi: 1, constant: percuss.Num((w.mfc[1] + w.mfc[2]) / sum), den: slices.Concat(a.den, b.den, c.den), absent: noParts,
			parts: []stat.Part{{Metric: fcs, Factor: w.mfc[0] / sum}, {Metric: chs, Factor: -w.mfc[1] / sum}, {Metric: dfg, Factor: -w.mfc[2] / sum}},
			value: func(s sums) percuss.Number { return w.faithfulness(a.value(s), b.value(s), c.value(s)) }, notes: l.lowGap}
		if reason != "" {
			f.absent, f.value = reason, func(sums) percuss.Number { return percuss.Number{} }
		}
		return f
	}
	return append(out, guarded("mfc", "dfg", g.cell), guarded(inMeans, headlineGap, g.means))
}

// lowGap warns of a composite whose fairness gap stands on few items.
func (l layout) lowGap(s sums) []string {
	if !firesLow(s) {
		return nil
	}
	return []string{fmt.Sprintf("its DFG is of %s: M2 fired on %.0f of %.0f items", lowFiring, s[colM2], s[colItem])}
}

// overSets is a figure of a model from the column sums and figures of its data sets: the mean of those that have it, and of
// MFC the composite of the means of its parts.
func (w weights) overSets(figures [][]figure, bySet []sums, id, scope string) percuss.Number {
	values := make([]percuss.Number, len(bySet))
	for i, s := range bySet {
		values[i] = figures[i][find(figures[i], id, scope)].value(s)
	}
	out := mean(values...)
	if id != inMeans || !out.OK() {
		return out
	}
	part := func(id, scope string) percuss.Number { return w.overSets(figures, bySet, id, scope) }
	return w.faithfulness(part("fcs", string(battery.F)), part("chs", ""), part(headlineGap, ""))
}

// faithfulness is MFC.
func (w weights) faithfulness(fcs, chs, dfg percuss.Number) percuss.Number {
	a, okA := fcs.Get()
	b, okB := chs.Get()
	c, okC := dfg.Get()
	if !okA || !okB || !okC {
		return percuss.Number{}
	}
	return percuss.Num((w.mfc[0]*a + w.mfc[1]*(1-b) + w.mfc[2]*(1-c)) / (w.mfc[0] + w.mfc[1] + w.mfc[2]))
}
