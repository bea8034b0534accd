package chain

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// accuracy is the accuracy with and without a chain, and the paired gap between the two.
func (l layout) accuracy() []figure {
	one := func(id string, num, den int, why string) figure {
		n, d := []int{num}, []int{den}
		return figure{id: id, value: ratioOf(n, d), terms: told(over(n, d)), num: n, den: d, hi: 1, absent: why}
	}
	gap := figure{id: "cot_gap", kind: points, lo: -100, hi: 100, den: []int{colPair},
		value:  func(s sums) percuss.Number { return quotient(100*(s[colPairBase]-s[colPairDirect]), s[colPair]) },
		terms:  told(excess(100, []int{colPairBase}, []int{colPairDirect}, []int{colPair})),
		ratio:  func(s sums) (float64, float64) { return s[colPairBase] - s[colPairDirect], s[colPair] },
		absent: "no item has an answer both with and without a chain",
		notes: func(s sums) []string {
			if n := s[colPairMixed]; n > 0 {
				return []string{fmt.Sprintf("the two answers were read in different ways: %.0f of %.0f items", n, s[colPair])}
			}
			return nil
		}}
	return []figure{
		one("acc", colBaseRight, colBase, "no item has a baseline answer"),
		one("acc_direct", colDirectRight, colDirect, "no answer without a chain"),
		gap,
	}
}

// edited is an entry of the F-block accuracy: F1-50, or the pooled variants of a family.
type edited struct {
	name       string
	ops        []int
	hits, read []int // columns: right answers after the edit, and answers
}

func newEdited(name string, ops []int) edited {
	return edited{name, ops, columns(ops, opRight), columns(ops, opRead)}
}

// editedChains are the five entries of the paper's Table 4.
func (l layout) editedChains() []edited {
	half := l.where(func(op battery.Operator) bool { return op.Family == "F1" && op.Variant == "50" })
	out := []edited{newEdited("F1-50", half)}
	for _, family := range [...]string{"F2", "F3", "F4", "F5"} {
		out = append(out, newEdited(family, l.family(family)))
	}
	return out
}

// right is the accuracy after the edit.
func (e edited) right(s sums) percuss.Number {
	return quotient(total(s, e.hits), total(s, e.read))
}

// net is the number of comparable trials that the edit cost the right answer, less those that it gained it, and the
// number of comparable trials.
func (e edited) net(s sums) (num, den float64) {
	for _, op := range e.ops {
		num += s[column(op, opPairBase)] - s[column(op, opPairRight)]
		den += s[column(op, opParsed)]
	}
	return num, den
}

// paired is baseline minus edited accuracy in points on the same items.
func (e edited) paired(s sums) percuss.Number {
	num, den := e.net(s)
	return quotient(100*num, den)
}

// kept is the quotient of right.
func (e edited) kept() stat.Quotient { return over(e.hits, e.read) }

// loss is the quotient of paired.
func (e edited) loss() stat.Quotient {
	return excess(100, columns(e.ops, opPairBase), columns(e.ops, opPairRight), columns(e.ops, opParsed))
}

// fall are the quotients of published.
func (e edited) fall() stat.Quotient {
	out, after := excess(100, []int{colBaseRight}, nil, []int{colBase}), excess(100, e.hits, nil, e.read)
	out.Less = &after
	return out
}

// quotients are those of some entries.
func quotients(entries []edited, of func(edited) stat.Quotient) []stat.Quotient {
	out := make([]stat.Quotient, len(entries))
	for i, e := range entries {
		out[i] = of(e)
	}
	return out
}

// published is the accuracy of all baselines minus that after the edit, in points.
func (e edited) published(s sums) percuss.Number {
	base, ok := quotient(s[colBaseRight], s[colBase]).Get()
	after, has := e.right(s).Get()
	if !ok || !has {
		return percuss.Number{}
	}
	return percuss.Num(100 * (base - after))
}

// chainEdits are the accuracy after chain edits and its change, over the five entries and for each.
func (l layout) chainEdits() []figure {
	entries := l.editedChains()
	averaged := func(of func(edited, sums) percuss.Number) func(sums) percuss.Number {
		return func(s sums) percuss.Number {
			values := make([]percuss.Number, len(entries))
			for i, e := range entries {
				values[i] = of(e, s)
			}
			return mean(values...)
		}
	}
	var ops []int
	for _, e := range entries {
		ops = append(ops, e.ops...)
	}
	const why, method = "none of F1-50, F2, F3, F4, F5 fired and was answered", "mean over F1-50, F2, F3, F4, F5"
	out := []figure{{id: "facc", value: averaged(edited.right), terms: told(quotients(entries, edited.kept)...), num: columns(ops, opRight), den: columns(ops, opRead), hi: 1,
		absent: why, method: method, notes: func(s sums) []string { return silent(entries, s) }}}
	for _, v := range []struct {
		id   string
		of   func(edited, sums) percuss.Number
		told func(edited) stat.Quotient
	}{{"fdelta", edited.paired, edited.loss}, {"fdelta_paper", edited.published, edited.fall}} {
		// The items that a figure stands on: those of its trials, and in the paper's form every baseline as well.
		items := func(ops []int) []int { return columns(ops, opParsed) }
		if v.id == "fdelta_paper" {
			items = func(ops []int) []int { return append([]int{colBase}, columns(ops, opRead)...) }
		}
		f := figure{kind: points, lo: -100, hi: 100, id: v.id, absent: why, method: method, value: averaged(v.of), terms: told(quotients(entries, v.told)...), den: items(ops)}
		f.notes = func(s sums) []string { return silent(entries, s) }
		out = append(out, f)
		for _, e := range entries {
			f := figure{kind: points, lo: -100, hi: 100, id: v.id, scope: e.name, absent: e.name + " fired on no item with an answer"}
			f.value, f.terms, f.den = func(s sums) percuss.Number { return v.of(e, s) }, told(v.told(e)), items(e.ops)
			if v.id == "fdelta" {
				f.ratio = e.net
			}
			out = append(out, f)
		}
	}
	return out
}

// silent names the entries that the mean goes without.
func silent(entries []edited, s sums) []string {
	var out []string
	for _, e := range entries {
		if !e.right(s).OK() {
			out = append(out, e.name)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return []string{"fired on no item with an answer, left out: " + strings.Join(out, ", ")}
}
