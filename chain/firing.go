package chain

import (
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// The columns of an operator in the tables that pool the trials of several data sets. All are 0 or 1, but for the
// change of the margin.
const (
	tabTried = iota
	tabFired
	tabParsed
	tabFlip
	tabRead
	tabRight
	tabPairBase
	tabPairRight
	tabMargins    // the change of the margin is known
	tabMargin     // the change in nats
	tabTokenA     // the four cells of the joint table by the published rule
	tabTokenB     //
	tabTokenC     //
	tabTokenD     //
	tabInflectedA // and by the inflected one
	tabInflectedB
	tabInflectedC
	tabInflectedD
	tabTokenTrace     // fired and in no cell, with a chain that shows a trace of the edit by the published rule
	tabInflectedTrace // and by the inflected one
	tabColumns
)

// tableColumn is the place of an operator's column.
func tableColumn(op, what int) int { return op*tabColumns + what }

// tableColumns are the places of one column of several operators.
func tableColumns(ops []int, what int) []int {
	out := make([]int, len(ops))
	for i, op := range ops {
		out[i] = tableColumn(op, what)
	}
	return out
}

// tableWidth is the number of columns of an item's row of the pooled tables.
func (l layout) tableWidth() int { return len(l.ops) * tabColumns }

// tableRow turns a record into the item's row of the pooled tables, in into where that is large enough.
func (l layout) tableRow(r Record, into []float64) []float64 {
	row := zeros(into, l.tableWidth())
	for _, t := range r.Operators {
		i, known := l.index[t.ID]
		if !known || t.Reading.State == Waiting {
			continue
		}
		own := row[tableColumn(i, 0):tableColumn(i+1, 0)]
		own[tabTried] = 1
		if t.Edit.Fired {
			enterFired(own, l.ops[i], r.Base, t)
		}
	}
	return row
}

// enterFired enters a fired trial into the operator's part of a row.
func enterFired(own []float64, op battery.Operator, base Reading, t OperatorTrial) {
	parsed, read := enters(t), t.Reading.State == Read
	own[tabFired], own[tabParsed], own[tabFlip] = 1, bit(parsed), bit(t.Flip == Flipped)
	own[tabRead], own[tabRight] = bit(read), bit(read && t.Reading.Correct)
	own[tabPairBase], own[tabPairRight] = bit(parsed && base.Correct), bit(parsed && t.Reading.Correct)
	before, had := base.Margin.Get()
	after, has := t.Reading.Margin.Get()
	if had && has {
		own[tabMargins], own[tabMargin] = 1, after-before
	}
	switch {
	case !t.Rule || !registering(op):
		return
	case !parsed:
		own[tabTokenTrace], own[tabInflectedTrace] = bit(t.Token), bit(t.Inflected)
		return
	}
	own[tabTokenA+cellOf(t.Token, t.Flip == Flipped)] = 1
	own[tabInflectedA+cellOf(t.Inflected, t.Flip == Flipped)] = 1
}

// cellOf is the place of a trial in the joint table.
func cellOf(update, flip bool) int {
	i := 0
	if !update {
		i = 2
	}
	if flip {
		i++
	}
	return i
}

// firingRow is a row of the firing table: an operator, or the pooled variants of a family.
type firingRow struct {
	id  string
	ops []int
}

// operatorRows and familyRows are the rows in the order of the battery.
func (l layout) operatorRows() []firingRow {
	out := make([]firingRow, len(l.ops))
	for i, op := range l.ops {
		out[i] = firingRow{op.ID, []int{i}}
	}
	return out
}

func (l layout) familyRows() []firingRow {
	var out []firingRow
	for _, f := range l.families() {
		out = append(out, firingRow{f, l.family(f)})
	}
	return out
}

// figuresPerRow is the number of estimates of a firing row.
const figuresPerRow = 5

// figures are the firing rate, flip rate, accuracy, its change and the change of the margin.
func (r firingRow) figures() []figure {
	c := func(what int) []int { return tableColumns(r.ops, what) }
	one := func(name string, num, den int, why string) figure {
		return figure{id: r.id + " " + name, value: ratioOf(c(num), c(den)), terms: told(over(c(num), c(den))), num: c(num), den: c(den), hi: 1, absent: why}
	}
	const none = "it fired on no item with an answer"
	before, after, parsed := c(tabPairBase), c(tabPairRight), c(tabParsed)
	net := func(s sums) (float64, float64) { return total(s, before) - total(s, after), total(s, parsed) }
	margin, margins := c(tabMargin), c(tabMargins)
	return []figure{
		one("rate", tabFired, tabTried, "it was tried on no item"),
		one("afr", tabFlip, tabParsed, "it fired on no item with two answers to compare"),
		one("accuracy", tabRight, tabRead, none),
		{id: r.id + " delta", kind: points, lo: -100, hi: 100, den: parsed, ratio: net, terms: told(excess(100, before, after, parsed)),
			value: func(s sums) percuss.Number {
				num, den := net(s)
				return quotient(100*num, den)
			}, absent: "it fired on no item with two answers to compare"},
		{id: r.id + " margin", kind: unbounded, den: margins, absent: "no margins before and after the edit",
			value: ratioOf(margin, margins), terms: told(amount(margin, margins)),
			ratio: func(s sums) (float64, float64) { return total(s, margin), total(s, margins) }},
	}
}

// tables are the figures of the joint table, of the firing rows and of the failure modes: those that pool the trials of
// data sets.
func (l layout) tables() []figure {
	out := l.jointFigures()
	for _, r := range slices.Concat(l.operatorRows(), l.familyRows()) {
		out = append(out, r.figures()...)
	}
	return append(out, l.drift()...)
}

// operatorCounts are the counts of an operator that enter no rate.
type operatorCounts struct{ mixed, mixedFlips, marker, quoted int }

// firing fills in a row from its estimates, the column sums and the counts.
// sets are the data sets that it is of.
func (l layout) firing(r firingRow, e []percuss.Estimate, parts []sums, counts []operatorCounts, sets []string) Firing {
	first := l.ops[r.ops[0]]
	out := Firing{ID: r.id, Title: first.Title, Intent: first.Intent, Locus: first.Locus,
		Rate: e[0], AFR: e[1], Acc: e[2], Delta: e[3], Margin: e[4], Published: publishedRate(first.Family, sets)}
	if first.Block == battery.M {
		out.Stem = l.stem
	}
	for _, s := range parts {
		out.Items += int(total(s, tableColumns(r.ops, tabTried)))
		out.Fired += int(total(s, tableColumns(r.ops, tabFired)))
		out.Parsed += int(total(s, tableColumns(r.ops, tabParsed)))
	}
	for _, op := range r.ops {
		out.Mixed += counts[op].mixed
		out.MixedFlips += counts[op].mixedFlips
		out.Marker += counts[op].marker
	}
	return out
}
