package chain

import (
	"slices"

	"github.com/percuss/percuss"
)

// rules are the two forms of the token rule, side by side.
var rules = [...]string{"token", "inflected"}

// allRegistering names the row of the joint table over the operators that the metrics count and those that they do not.
const allRegistering = "all with a token rule"

// jointRow is one row of the joint table: a rule, over the operators of one family or of all that the metrics count.
type jointRow struct {
	rule, family string
	ops          []int
}

// id is that of the figure of a cell, a to d.
func (r jointRow) id(cell rune) string { return r.rule + " " + r.family + " " + string(cell) }

// jointRows are all families that the metrics count, then each that the battery has, for either rule; where some are not
// counted the last row is of all.
func (l layout) jointRows() []jointRow {
	every := l.familiesOf(func(op int) bool { return registering(l.ops[op]) })
	counted := l.registering()
	var out []jointRow
	for _, rule := range rules {
		all := jointRow{rule: rule}
		whole := jointRow{rule: rule, family: allRegistering}
		for _, f := range counted {
			all.ops = append(all.ops, l.family(f)...)
		}
		out = append(out, all)
		for _, f := range every {
			whole.ops = append(whole.ops, l.family(f)...)
			out = append(out, jointRow{rule, f, l.family(f)})
		}
		if len(every) > len(counted) {
			out = append(out, whole)
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
			out = append(out, figure{id: r.id('a' + rune(i)), value: ratioOf(num, den), terms: told(over(num, den)),
				num: num, den: den, hi: 1, absent: why})
		}
	}
	return out
}

// jointWhy is why a row has no shares, where it has none.
func (l layout) jointWhy(r jointRow) string {
	if r.family != "" && r.family != allRegistering {
		return unregistered([]string{r.family})
	}
	return unregistered(l.familiesOf(func(op int) bool { return slices.Contains(r.ops, op) }))
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
