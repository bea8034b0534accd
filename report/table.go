package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
)

// decimalsOf is how many decimals a scale is printed with; scales that are not here are printed to the thousandth.
var decimalsOf = map[percuss.Scale]int{percuss.Whole: 0, percuss.Points: 1, percuss.Nats: 2, percuss.Length: 0, percuss.Hundredths: 2}

// worded says whether a column holds words and no numbers.
func worded(c percuss.Column) bool { return c.Scale == percuss.Words || c.Scale == "" }

// cellAt is a row's cell in a column; a row that is too short has none there.
func cellAt(r percuss.Row, i int) percuss.Cell {
	if i < len(r.Cells) {
		return r.Cells[i]
	}
	return percuss.Cell{}
}

// number prints a number as its column's scale asks, or an en dash.
func number(n percuss.Number, s percuss.Scale) string {
	if v, ok := n.Get(); ok && s == percuss.PValue && v >= 0 && v < 0.001 {
		return "<0.001"
	}
	switch s {
	case percuss.Percent:
		return Percent(n)
	case percuss.ShareDiff:
		return inPoints(n)
	}
	if d, ok := decimalsOf[s]; ok {
		return fixed(n, d)
	}
	return fixed(n, 3)
}

// inPoints prints a difference of shares in percentage points.
func inPoints(n percuss.Number) string {
	if v, ok := n.Get(); ok {
		n = percuss.Num(100 * v)
	}
	return fixed(n, 1)
}

// value is a cell as it reads: its words, or its number.
func value(c percuss.Cell, of percuss.Column) string {
	if !worded(of) {
		return number(c.Estimate.Value, of.Scale)
	}
	if c.Text == "" {
		return "–"
	}
	return c.Text
}

// between is a cell's interval; empty: it has none.
func between(c percuss.Cell, of percuss.Column) string {
	e := c.Estimate
	if worded(of) || !e.Value.OK() || !e.Lo.OK() || !e.Hi.OK() {
		return ""
	}
	return strings.TrimSuffix(number(e.Lo, of.Scale), " %") + " to " + number(e.Hi, of.Scale)
}

// sampleOf is what a cell's number rests on: its counts where the value is their quotient, and the number of items
// where that is another. Empty for counts, p-values and numbers without a sample.
func sampleOf(c percuss.Cell, of percuss.Column) string {
	e := c.Estimate
	if worded(of) || of.Scale == percuss.Whole || !e.Value.OK() || e.N == 0 {
		return ""
	}
	if num, den, ok := Quotient(e); ok && (of.Scale == percuss.Rate || of.Scale == percuss.Percent) {
		if den == e.N {
			return fmt.Sprintf("%d/%d", num, den)
		}
		return fmt.Sprintf("%d/%d; n %d", num, den, e.N)
	}
	return fmt.Sprintf("n %d", e.N)
}

// Quotient is numerator and denominator where both are whole and their quotient is the value.
func Quotient(e percuss.Estimate) (num, den int, ok bool) {
	n, okN := e.Num.Get()
	d, okD := e.Den.Get()
	v, okV := e.Value.Get()
	if !okN || !okD || !okV || d <= 0 || n != math.Trunc(n) || d != math.Trunc(d) || math.Abs(n/d-v) > 1e-9 {
		return 0, 0, false
	}
	return int(n), int(d), true
}

// remarksOf is why a cell's number is missing, and what a reader must know of it.
func remarksOf(c percuss.Cell, of percuss.Column) []string {
	if worded(of) {
		return nil
	}
	out := slices.Clone(c.Estimate.Warnings)
	if why := c.Estimate.Why; why != "" && !c.Estimate.Value.OK() {
		out = append([]string{why}, out...)
	}
	return out
}

// marking is a mark in words.
func marking(mark string) string {
	switch mark {
	case "low":
		return "few items"
	case "grey":
		return "not to be read"
	}
	return mark
}

// footnotes gathers remarks that stand below a table once each, and gives each its number from 1.
type footnotes struct{ all []string }

func (n *footnotes) of(remarks []string) []int {
	var out []int
	for _, r := range remarks {
		at := slices.Index(n.all, r)
		if at < 0 {
			at = len(n.all)
			n.all = append(n.all, r)
		}
		out = append(out, at+1)
	}
	return out
}

// TableCSV is a table as the rows of a CSV file, under a head. A column of words, counts or bare numbers is one column; any
// other becomes seven: the value under the column's id, and with its suffix _lo and _hi (the interval), _num and _den, _n
// (items) and _why (why the value is missing). A missing value is an empty cell.
func TableCSV(t percuss.Table) [][]string {
	var head []string
	for _, c := range t.Columns {
		head = append(head, c.ID)
		if estimated(c) {
			for _, suffix := range []string{"_lo", "_hi", "_num", "_den", "_n", "_why"} {
				head = append(head, c.ID+suffix)
			}
		}
	}
	rows := [][]string{head}
	for _, r := range t.Rows {
		var row []string
		for i, c := range t.Columns {
			of := cellAt(r, i)
			switch e := of.Estimate; {
			case worded(c):
				row = append(row, of.Text)
			case !estimated(c):
				row = append(row, cell(e.Value))
			default:
				row = append(row, cell(e.Value), cell(e.Lo), cell(e.Hi), cell(e.Num), cell(e.Den), strconv.Itoa(e.N), e.Why)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// estimated says whether a column's entries are estimates.
func estimated(c percuss.Column) bool { return !worded(c) && c.Scale != percuss.Whole && !c.Bare }
