package cases

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
)

// kind says how the entries of a column are printed.
type kind int

const (
	words  kind = iota
	whole       // a count
	nats        // a number to the hundredth
	rate        // a number from 0 to 1, in percent
	shares      // an estimate from 0 to 1, in percent
	points      // an estimate of a difference of shares, in percentage points
	means       // an estimate to the hundredth
)

// column is one column of a table. ID heads it in CSV.
type column struct {
	ID, Name string
	Kind     kind
}

// entry is one cell of a table; which part is used is its column's kind.
type entry struct {
	text     string
	count    int
	number   percuss.Number
	estimate percuss.Estimate
}

func word(s string) entry               { return entry{text: s} }
func count(n int) entry                 { return entry{count: n} }
func number(n percuss.Number) entry     { return entry{number: n} }
func measure(e percuss.Estimate) entry  { return entry{estimate: e} }
func entries(first ...entry) []entry    { return first }
func columnsOf(all ...column) []column  { return all }
func sign(b bool, yes, no string) entry { return word(map[bool]string{true: yes, false: no}[b]) }

// table is one table of the report. CSV, page and terminal show the same ones.
type table struct {
	ID, Title string // ID is the name of the CSV file
	About     string // one or two sentences for a reader
	Columns   []column
	Rows      [][]entry
	Long      bool // folded in the page
}

// numeric says whether a column's entries are numbers.
func (c column) numeric() bool { return c.Kind != words }

// estimated says whether a column's entries are estimates.
func (c column) estimated() bool { return c.Kind >= shares }

// shown is how an entry reads, and below it, smaller, what it takes to judge it.
func (c column) shown(e entry) (value, under string) {
	switch c.Kind {
	case words:
		if e.text == "" {
			return "–", ""
		}
		return e.text, ""
	case whole:
		return strconv.Itoa(e.count), ""
	case nats:
		return e.number.Format(2), ""
	case rate:
		return report.Percent(e.number), ""
	case shares:
		return report.Percent(e.estimate.Value), below(e.estimate, report.Percent)
	case points:
		return inPoints(e.estimate.Value), below(e.estimate, inPoints)
	}
	e.estimate.Num = percuss.Number{} // a mean has no counts
	return e.estimate.Value.Format(2), below(e.estimate, hundredth)
}

// inPoints prints a difference of shares in percentage points, to the tenth.
func inPoints(n percuss.Number) string {
	v, ok := n.Get()
	if !ok {
		return n.Format(1)
	}
	return percuss.Num(100 * v).Format(1)
}

func hundredth(n percuss.Number) string { return n.Format(2) }

// span prints an interval; empty: there is none.
func span(e percuss.Estimate, format func(percuss.Number) string) string {
	if !e.Lo.OK() || !e.Hi.OK() {
		return ""
	}
	lo, hi := format(e.Lo), format(e.Hi)
	if n := len(lo); n > 2 && lo[n-2:] == " %" {
		lo = lo[:n-2]
	}
	return lo + " to " + hi
}

// below is interval and sample: counts where the value is their quotient, and the number of cases where that is another.
func below(e percuss.Estimate, format func(percuss.Number) string) string {
	if !e.Value.OK() {
		return ""
	}
	out := span(e, format)
	if out == "" {
		out = "no interval"
	}
	if num, den, ok := counts(e); ok {
		out = fmt.Sprintf("%s; %d/%d", out, num, den)
		if den == e.N {
			return out
		}
	}
	return fmt.Sprintf("%s; n %d", out, e.N)
}

// counts are numerator and denominator where both are whole and their quotient is the value.
func counts(e percuss.Estimate) (num, den int, ok bool) {
	n, okN := e.Num.Get()
	d, okD := e.Den.Get()
	v, okV := e.Value.Get()
	if !okN || !okD || !okV || d <= 0 || n != math.Trunc(n) || d != math.Trunc(d) || math.Abs(n/d-v) > 1e-9 {
		return 0, 0, false
	}
	return int(n), int(d), true
}

// remark is why an entry is missing, and what a reader must know of it.
func (c column) remark(e entry) []string {
	if !c.estimated() {
		return nil
	}
	out := slices.Clone(e.estimate.Warnings)
	if e.estimate.Why != "" {
		out = append([]string{e.estimate.Why}, out...)
	}
	return out
}

// csvHead are the columns of a CSV file that a column becomes.
func (c column) csvHead() []string {
	if !c.estimated() {
		return []string{c.ID}
	}
	p := c.ID
	return []string{p, p + "_lo", p + "_hi", p + "_num", p + "_den", p + "_n", p + "_why"}
}

// csv are an entry's cells; a missing number is an empty one.
func (c column) csv(e entry) []string {
	plain := func(n percuss.Number) string {
		v, ok := n.Get()
		if !ok {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	switch c.Kind {
	case words:
		return []string{e.text}
	case whole:
		return []string{strconv.Itoa(e.count)}
	case nats, rate:
		return []string{plain(e.number)}
	}
	m := e.estimate
	return []string{plain(m.Value), plain(m.Lo), plain(m.Hi), plain(m.Num), plain(m.Den), strconv.Itoa(m.N), m.Why}
}
