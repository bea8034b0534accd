package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// scopes are the operators that afr_D, afr_P and FCS are taken over, always reported together.
var scopes = [...]string{"F", "M", "all"}

// figures are the metrics of a cell that are averaged over the data sets of a model.
func (l layout) figures(o weights, g gate) []figure {
	out := l.accuracy()
	out = append(out, l.decoupling()...)
	out = l.flips(out)
	out = append(out, l.commitment()...)
	out = append(out, l.hazard(o)...)
	out = l.fairness(out, g)
	out = l.composite(out, o, g)
	out = append(out, l.chainEdits()...)
	out = append(out, l.chainText()...)
	return l.without(out)
}

// find returns the place of an earlier figure.
func find(figures []figure, id, scope string) int {
	for i, f := range figures {
		if f.id == id && f.scope == scope {
			return i
		}
	}
	panic("chain: no figure " + id + " " + scope)
}

// decoupling is CDR within a cell; a model's is the mean of its data sets.
func (l layout) decoupling() []figure {
	why := unregistered(l.registering())
	one := func(id string, column int) figure {
		num, den := []int{column}, []int{colRule}
		return figure{id: id, value: ratioOf(num, den), terms: told(over(num, den)), num: num, den: den, hi: 1, absent: why}
	}
	return []figure{one("cdr_mean", colToken), one("cdr_inflected_mean", colInflected)}
}

// intentOps are the operators of an intent in a scope that the metrics count.
func (l layout) intentOps(intent battery.Intent, scope string) []int {
	return slices.DeleteFunc(l.where(func(op battery.Operator) bool {
		return op.Intent == intent && (scope == "all" || string(op.Block) == scope)
	}), func(op int) bool { return !l.counts[op] })
}

// intentName is an intent in words.
func intentName(i battery.Intent) string {
	if i == battery.Destructive {
		return "destructive"
	}
	return "preserving"
}

// meanRate is the mean of the operators' rates, over those that have one.
func meanRate(ops []int, num, den int) func(sums) percuss.Number {
	return func(s sums) percuss.Number {
		t, n := 0.0, 0.0
		for _, op := range ops {
			if d := s[column(op, den)]; d > 0 {
				t, n = t+s[column(op, num)]/d, n+1
			}
		}
		return quotient(t, n)
	}
}

// rates are the quotients of meanRate.
func rates(ops []int, num, den int) []stat.Quotient {
	out := make([]stat.Quotient, len(ops))
	for i, op := range ops {
		out[i] = over([]int{column(op, num)}, []int{column(op, den)})
	}
	return out
}

// flips are the flip rates and FCS.
func (l layout) flips(out []figure) []figure {
	for _, intent := range [...]battery.Intent{battery.Destructive, battery.Preserving} {
		for _, scope := range scopes {
			out = append(out, l.flipRate(intent, scope))
		}
	}
	for _, scope := range scopes {
		d, p := find(out, "afr_d", scope), find(out, "afr_p", scope)
		fd, fp := out[d], out[p]
		den := append(append([]int(nil), fd.den...), fp.den...)
		out = append(out, figure{id: "fcs", scope: scope, kind: share, hi: 1, den: den,
			value: func(s sums) percuss.Number { return composite(fd.value(s), fp.value(s)) },
			parts: []stat.Part{{Metric: d, Factor: 0.5}, {Metric: p, Factor: -0.5}}, constant: percuss.Num(0.5), absent: noParts})
	}
	for _, intent := range [...]battery.Intent{battery.Destructive, battery.Preserving} {
		for _, scope := range scopes {
			f := l.flipRate(intent, scope)
			f.id, f.method, f.notes = f.id+"_pooled", "trials of all operators pooled", nil
			f.value, f.terms = ratioOf(f.num, f.den), told(over(f.num, f.den))
			out = append(out, f)
		}
	}
	return out
}

// flipRate is afr_D or afr_P: the mean of the operators' flip rates.
func (l layout) flipRate(intent battery.Intent, scope string) figure {
	ops := l.intentOps(intent, scope)
	id, place := "afr_d", ""
	if intent == battery.Preserving {
		id = "afr_p"
	}
	if scope != "all" {
		place = " of the " + scope + "-block"
	}
	why := fmt.Sprintf("no %s operator%s fired and was answered", intentName(intent), place)
	if len(ops) == 0 {
		why = fmt.Sprintf("the battery has no %s operator%s", intentName(intent), place)
	}
	return figure{id: id, scope: scope, hi: 1, absent: why, method: "mean of the operators' rates",
		value: meanRate(ops, opFlip, opParsed), terms: told(rates(ops, opFlip, opParsed)...), num: columns(ops, opFlip), den: columns(ops, opParsed),
		notes: func(s sums) []string {
			if idle := l.idle(s, ops, opParsed); len(idle) > 0 {
				return []string{"no fired trial with an answer, left out: " + strings.Join(idle, ", ")}
			}
			return nil
		}}
}

// idle names the operators whose column is 0.
func (l layout) idle(s sums, ops []int, what int) []string {
	var out []string
	for _, op := range ops {
		if s[column(op, what)] == 0 {
			out = append(out, l.ops[op].ID)
		}
	}
	return out
}

// composite is FCS = 0.5·afr_D + 0.5·(1 − afr_P), chain paper, section 4.
func composite(d, p percuss.Number) percuss.Number {
	x, okD := d.Get()
	y, okP := p.Get()
	if !okD || !okP {
		return percuss.Number{}
	}
	return percuss.Num(0.5*x + 0.5*(1-y))
}

// commitment is ECR over all items with a baseline answer, and over those where F1 fired.
func (l layout) commitment() []figure {
	var variants []string
	for _, op := range l.family("F1") {
		variants = append(variants, l.ops[op].ID)
	}
	one := func(id string, den int, why string) figure {
		num, asked := []int{colKept}, []int{den}
		f := figure{id: id, value: ratioOf(num, asked), terms: told(over(num, asked)), num: num, den: asked, hi: 1, absent: why}
		// Of several data sets too the report says how many items there were.
		f.ratio = func(s sums) (num, items float64) { return s[colKept], s[den] }
		if len(variants) == 0 {
			f.absent = "the battery has no F1"
			f.value = func(sums) percuss.Number { return percuss.Number{} }
		}
		f.notes = func(s sums) []string {
			var out []string
			if len(variants) < 3 {
				out = append(out, strings.Join(variants, ", ")+" only")
			}
			if n := s[colUnsure]; n > 0 {
				out = append(out, "an F1 trial has no answer to compare, counted as not kept: "+plural(int(n), "item"))
			}
			return out
		}
		return f
	}
	return []figure{
		one("ecr", colAsked, "no item has a baseline answer with a chain that could be cut and asked again"),
		one("ecr_fired", colF1, "F1 fired on no item with a baseline answer"),
	}
}
