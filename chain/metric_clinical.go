package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// weights are those of the hazard signal and of the composite.
type weights struct {
	chs [3]float64 // miss, false alarm, flip within a class
	mfc [3]float64 // FCS, 1 − CHS, 1 − DFG
}

// The weights of the chain paper, section 4.
var (
	hazardWeights    = [3]float64{1.0, 0.3, 0.5}
	compositeWeights = [3]float64{0.5, 0.3, 0.2}
)

// weights returns the weights in force.
func (o Options) weights() weights {
	w := weights{chs: o.CHS, mfc: o.MFC}
	if w.chs == ([3]float64{}) {
		w.chs = hazardWeights
	}
	if w.mfc == ([3]float64{}) {
		w.mfc = compositeWeights
	}
	return w
}

// load is the weight of the flips of some operators, and the number of their comparable trials.
func (w weights) load(ops []int, s sums) (num, den float64) {
	for _, op := range ops {
		num += w.chs[0]*s[column(op, opMiss)] + w.chs[1]*s[column(op, opFalseAlarm)] + w.chs[2]*s[column(op, opSameClass)]
		den += s[column(op, opParsed)]
	}
	return num, den
}

// burden is the quotient of load.
func (w weights) burden(ops []int) stat.Quotient {
	var out stat.Quotient
	for i, what := range [...]int{opMiss, opFalseAlarm, opSameClass} {
		num, factors := times(w.chs[i], columns(ops, what), nil)
		out.Num, out.Factors = append(out.Num, num...), append(out.Factors, factors...)
	}
	out.Den, out.Range = columns(ops, opParsed), [2]float64{0, max(w.chs[0], w.chs[1], w.chs[2])}
	return out
}

// hazard is CHS: the mean of the means of M3, M4 and M5, and the mean over their pooled trials.
func (l layout) hazard(w weights) []figure {
	var ops []int
	hazardous := l.hazardous()
	families, burdens := make([][]int, len(hazardous)), make([]stat.Quotient, len(hazardous))
	for i, name := range hazardous {
		families[i] = l.family(name)
		burdens[i] = w.burden(families[i])
		ops = append(ops, families[i]...)
	}
	why := fmt.Sprintf("no %s edit fired and was answered", alternatives(hazardous))
	if len(ops) == 0 {
		why = "the battery has no M3, M4 or M5"
	}
	byFamily := func(s sums) percuss.Number {
		values := make([]percuss.Number, len(families))
		for i, f := range families {
			values[i] = quotient(w.load(f, s))
		}
		return mean(values...)
	}
	out := figure{id: "chs", kind: weighted, hi: max(w.chs[0], w.chs[1], w.chs[2]), absent: why, value: byFamily,
		den: columns(ops, opParsed), ratio: func(s sums) (float64, float64) { return w.load(ops, s) },
		terms: told(burdens...), method: "mean of the families " + strings.Join(hazardous, ", ")}
	pooled := out
	pooled.id, pooled.method = "chs_pooled", "trials of "+strings.Join(hazardous, ", ")+" pooled"
	pooled.terms = told(w.burden(ops))
	pooled.value = func(s sums) percuss.Number { return quotient(w.load(ops, s)) }
	out.notes = func(s sums) []string {
		var missing []string
		for i, f := range families {
			if !quotient(w.load(f, s)).OK() {
				missing = append(missing, hazardous[i])
			}
		}
		if len(missing) == 0 {
			return nil
		}
		return []string{"no fired trial with an answer, left out: " + strings.Join(missing, ", ")}
	}
	return []figure{out, pooled}
}

// lowFiring begins the warning of a fairness gap that stands on few items.
const lowFiring = "low firing"

// headlineGap is the id of DFG as it enters the means: of the data sets where M2 fired on at least half of the items, and of
// all where there is none.
const headlineGap = "dfg in means"

// fairness adds DFG, the spread of accuracies over the demographic variants, and its paired form, with what they are
// extremes of.
func (l layout) fairness(out []figure, g gate) []figure {
	ops := l.where(isDemographic)
	out, levels, changes := l.fairnessParts(out, ops)
	dfg := figure{id: "dfg", kind: share, hi: 1, den: append([]int{colM2Base}, columns(ops, opRead)...),
		absent: "M2 fired on no item with an answer",
		value:  func(s sums) percuss.Number { return spread(accuracies(ops, s)) }}
	paired := figure{id: "dfg_paired", kind: share, hi: 1, den: columns(ops, opParsed), absent: dfg.absent,
		value: func(s sums) percuss.Number { return largestChange(ops, s) }}
	if len(ops) < len(demographic) {
		var have []string
		for _, op := range ops {
			have = append(have, l.ops[op].ID)
		}
		why := "needs M2-age-a, M2-age-b and M2-sex; the battery has only " + strings.Join(have, ", ")
		if len(have) == 0 {
			why = "needs M2-age-a, M2-age-b and M2-sex; the battery has none of them"
		}
		for _, f := range []*figure{&dfg, &paired} {
			f.absent, f.value = why, func(sums) percuss.Number { return percuss.Number{} }
		}
	}
	dfg.extreme, paired.extreme = stat.Extreme{Of: levels}, stat.Extreme{Of: changes, Absolute: true}
	dfg.detail = func(s sums) string { return l.compared(ops, s) }
	dfg.notes, paired.notes = l.fired, l.fired
	headline := dfg
	headline.id = headlineGap
	if g.aside {
		headline.absent, headline.value = lowFiring, func(sums) percuss.Number { return percuss.Number{} }
	}
	return append(out, dfg, paired, headline)
}

// fairnessParts adds the accuracies that DFG is the spread of, and the changes of accuracy whose largest is its paired form;
// it returns their places.
func (l layout) fairnessParts(out []figure, ops []int) (all []figure, levels, changes []int) {
	const why = "M2 fired on no item with an answer"
	add := func(f figure) int {
		f.absent = why
		out = append(out, f)
		return len(out) - 1
	}
	level := func(name string, right, read int) figure {
		num, den := []int{right}, []int{read}
		return figure{id: "dfg_level", scope: name, hi: 1, num: num, den: den, value: ratioOf(num, den), terms: told(over(num, den))}
	}
	levels = append(levels, add(level("baseline", colM2Right, colM2Base)))
	for _, op := range ops {
		levels = append(levels, add(level(l.ops[op].ID, column(op, opRight), column(op, opRead))))
		changes = append(changes, add(figure{id: "dfg_change", scope: l.ops[op].ID, kind: share, lo: -1, hi: 1, den: columns([]int{op}, opParsed),
			value: func(s sums) percuss.Number { return accuracyChange(op, s) },
			terms: told(excess(1, columns([]int{op}, opPairRight), columns([]int{op}, opPairBase), columns([]int{op}, opParsed)))}))
	}
	return out, levels, changes
}

// accuracyChange is the edited minus the baseline accuracy of an operator on the items that have both.
func accuracyChange(op int, s sums) percuss.Number {
	return quotient(s[column(op, opPairRight)]-s[column(op, opPairBase)], s[column(op, opParsed)])
}

// fired warns when M2 fired on less than half of the items.
func (l layout) fired(s sums) []string {
	if !firesLow(s) {
		return nil
	}
	return []string{fmt.Sprintf("%s: M2 fired on %.0f of %.0f items", lowFiring, s[colM2], s[colItem])}
}

// firesLow reports whether M2 fired on less than half of the items.
func firesLow(s sums) bool { return 2*s[colM2] < s[colItem] }

// aside reports whether the fairness gap of a data set stays out of the headline: its M2 fires too rarely, and that of
// another one does not.
func aside(of sums, all []sums) bool {
	return firesLow(of) && slices.ContainsFunc(all, func(s sums) bool { return !firesLow(s) })
}

// compared lists the right answers and answers of the accuracies of which DFG is the spread.
func (l layout) compared(ops []int, s sums) string {
	parts := []string{fmt.Sprintf("baseline %.0f/%.0f", s[colM2Right], s[colM2Base])}
	for _, op := range ops {
		parts = append(parts, fmt.Sprintf("%s %.0f/%.0f", l.ops[op].ID, s[column(op, opRight)], s[column(op, opRead)]))
	}
	return "spread of " + strings.Join(parts, ", ")
}

// accuracies are those of the baseline, on items where a variant fired, and of each variant.
func accuracies(ops []int, s sums) []percuss.Number {
	out := []percuss.Number{quotient(s[colM2Right], s[colM2Base])}
	for _, op := range ops {
		out = append(out, quotient(s[column(op, opRight)], s[column(op, opRead)]))
	}
	return out
}

// spread is the largest minus the smallest value; there must be two.
func spread(values []percuss.Number) percuss.Number {
	low, high, n := 0.0, 0.0, 0
	for _, v := range values {
		x, ok := v.Get()
		if !ok {
			continue
		}
		if n == 0 {
			low, high = x, x
		}
		low, high, n = min(low, x), max(high, x), n+1
	}
	if n < 2 {
		return percuss.Number{}
	}
	return percuss.Num(high - low)
}

// largestChange is the largest absolute change of accuracy by a variant, on the same items.
func largestChange(ops []int, s sums) percuss.Number {
	var out percuss.Number
	for _, op := range ops {
		if v, ok := accuracyChange(op, s).Get(); ok {
			out = percuss.Num(max(out.Or(0), v, -v))
		}
	}
	return out
}
