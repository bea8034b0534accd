package chain

import (
	"slices"

	"github.com/percuss/percuss"
)

// rules are the two forms of the token rule, side by side.
var rules = [...]string{"token", "inflected"}

// jointRow is one row of the joint table: a rule, over the operators of one family or of all three.
type jointRow struct {
	rule, family string
	ops          []int
}

// jointRows are all families, then each that the battery has, for either rule.
func (l layout) jointRows() []jointRow {
	families := slices.DeleteFunc(l.families(), func(f string) bool { return !registers(f) })
	var out []jointRow
	for _, rule := range rules {
		all := jointRow{rule: rule}
		for _, f := range families {
			all.ops = append(all.ops, l.family(f)...)
		}
		out = append(out, all)
		for _, f := range families {
			out = append(out, jointRow{rule, f, l.family(f)})
		}
	}
	return out
}

// columns are those of the four cells: update and keep, update and flip, no update and keep, no update and flip.
func (r jointRow) columns() [4][]int {
	var out [4][]int
	first := tabTokenA
	if r.rule == rules[1] {
		first = tabInflectedA
	}
	for i := range out {
		out[i] = tableColumns(r.ops, first+i)
	}
	return out
}

// trace is the column of the dropped trials that show a trace of the edit.
func (r jointRow) trace() []int {
	if r.rule == rules[1] {
		return tableColumns(r.ops, tabInflectedTrace)
	}
	return tableColumns(r.ops, tabTokenTrace)
}

// jointFigures are the four cells of every row, as shares of its comparable trials.
func (l layout) jointFigures() []figure {
	var out []figure
	for _, r := range l.jointRows() {
		why := l.jointWhy(r)
		cells := r.columns()
		den := slices.Concat(cells[:]...)
		for i, num := range cells {
			out = append(out, figure{id: r.rule + " " + r.family + " " + string(rune('a'+i)), value: ratioOf(num, den), terms: told(over(num, den)),
				num: num, den: den, hi: 1, absent: why})
		}
	}
	return out
}

// jointWhy is why a row has no shares, where it has none.
func (layout) jointWhy(r jointRow) string {
	if len(r.ops) == 0 {
		return "the battery has no M2, M4 or M5"
	}
	return "no edit of M2, M4 or M5 fired and was answered"
}

// joint fills in a row from the estimates of its four cells. parts are the column sums of the samples that the row is
// the mean of: one for a cell or a model, one a model for a mean of models. Of the dropped trials, those whose chain
// shows a trace of the edit cannot belong to CDR whatever the answer was; all others do if they were keeps, those
// without a chain among them.
func (r jointRow) joint(e []percuss.Estimate, parts []sums) Joint {
	j := Joint{Rule: r.rule, Family: r.family, A: e[0], B: e[1], C: e[2], D: e[3]}
	cells := r.columns()
	var lowest, highest []percuss.Number
	for _, s := range parts {
		fired := total(s, tableColumns(r.ops, tabFired))
		parsed := total(s, slices.Concat(cells[:]...))
		dropped, decoupled, traced := fired-parsed, total(s, cells[2]), total(s, r.trace())
		j.Fired += int(fired)
		j.Parsed += int(parsed)
		j.Dropped += int(dropped)
		lowest = append(lowest, quotient(decoupled, fired))
		highest = append(highest, quotient(decoupled+dropped-traced, fired))
	}
	j.Lowest, j.Highest = mean(lowest...), mean(highest...)
	return j
}
