package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// columns is the widest line of the terminal summary.
const columns = 80

// WriteText writes the terminal summary, at most 80 columns wide. A missing value is an en dash.
func WriteText(w io.Writer, r Report) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Percuss, %s audit\n", clean(r.Audit))
	for _, g := range shown(r.Findings) {
		textGroup(&b, g, r)
	}
	textCalls(&b, r.Calls)
	for _, n := range r.Notes {
		paragraph(&b, "Note: "+n)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func textGroup(b *bytes.Buffer, g level, r Report) {
	fmt.Fprintln(b)
	fmt.Fprintln(b, strings.TrimRight(pad(fmt.Sprintf("%s: %s", g.Kind, g.title()), columns), " "))
	fmt.Fprintf(b, "%d items\n", g.Items)
	for _, s := range answer(g, r) {
		paragraph(b, s)
	}
	if note := stemNote(g.Group); note != "" {
		paragraph(b, note)
	}
	fmt.Fprintf(b, "\n%s %s %7s  %-18s %6s\n", pad("metric", 36), pad("", 5), "value", "interval", "n")
	for _, m := range g.Metrics {
		fmt.Fprintf(b, "%s %s %7s  %s %6d\n", pad(named(r, m), 36), pad(m.Scope, 5), figureOf(m, r), pad(interval(m, r), 18), m.N)
		if !m.Value.OK() && m.Why != "" {
			paragraph(b, "  – "+m.Why)
		}
	}
	textJoint(b, g.Group)
	textFiring(b, g)
	for _, c := range []struct {
		title string
		rows  []chain.Count
	}{{"dropped (fired, in no rate)", g.Dropped}, {"outcomes of the readings", g.Outcomes}} {
		fmt.Fprintf(b, "\n%s\n", c.title)
		if len(c.rows) == 0 {
			fmt.Fprintln(b, "  none")
		}
		for _, n := range c.rows {
			fmt.Fprintf(b, "  %s %7d\n", pad(n.Name, 60), n.N)
		}
	}
	for _, s := range g.Remarks {
		paragraph(b, "Remark: "+s)
	}
}

// named is a metric's name, with a mark on a gap that stands on few items.
func named(r Report, m chain.Metric) string {
	if m.LowFiring() {
		return nameOf(r, m.ID) + " (low firing)"
	}
	return nameOf(r, m.ID)
}

// textCalls names the outcomes that occurred.
func textCalls(b *bytes.Buffer, all []Calls) {
	if len(all) > 0 {
		fmt.Fprintln(b)
	}
	for _, c := range all {
		words := fmt.Sprintf("Calls to %s: %d.", c.Model, c.Requests)
		for _, o := range c.Outcomes {
			if o.N > 0 {
				words += fmt.Sprintf(" %s: %d.", o.Name, o.N)
			}
		}
		paragraph(b, words)
		for _, w := range c.Warnings {
			paragraph(b, "Warning: "+c.Model+": "+w+".")
		}
	}
}

func textJoint(b *bytes.Buffer, g chain.Group) {
	if len(g.Joint) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s %7s %7s %7s %7s %6s %6s  %s\n", pad("chain update/answer", 19), "upd,kp", "upd,fl", "CDR", "no,fl", "parsed", "drop", "CDR bounds")
	for _, j := range g.Joint {
		fmt.Fprintf(b, "%s %7s %7s %7s %7s %6d %6d  %s to %s\n", pad(strings.TrimSpace(j.Rule+" "+j.Family), 19), j.A.Value.Format(3),
			j.B.Value.Format(3), j.C.Value.Format(3), j.D.Value.Format(3), j.Parsed, j.Dropped, j.Lowest.Format(2), j.Highest.Format(2))
	}
}

func textFiring(b *bytes.Buffer, g level) {
	for _, t := range g.firing() {
		if len(t.Rows) == 0 {
			continue
		}
		// The paper's firing rates have a column where it prints any.
		width, paper := 31, func(string) string { return "" }
		if slices.ContainsFunc(t.Rows, func(f chain.Firing) bool { return f.Published != nil }) {
			width, paper = 21, func(s string) string { return fmt.Sprintf(" %9s", s) }
		}
		fmt.Fprintf(b, "\n%s %6s %6s %5s%s %6s %5s  %s\n", pad(t.Kind, width), "tried", "fired", "rate", paper("published"), "parsed", "AFR",
			"interval")
		for _, f := range t.Rows {
			fmt.Fprintf(b, "%s %6d %6d %5s%s %6d %5s  %s\n", pad(f.ID+" "+f.Title, width), f.Items, f.Fired, f.Rate.Value.Format(2),
				paper(published(f)), f.Parsed, f.AFR.Value.Format(2), span(f.AFR, 2))
		}
	}
}

// span prints an interval.
func span(e percuss.Estimate, decimals int) string {
	if !e.Lo.OK() || !e.Hi.OK() {
		return "–"
	}
	return e.Lo.Format(decimals) + " to " + e.Hi.Format(decimals)
}

// clean drops what could steer a terminal: names may come from files and servers.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s)
}

// pad makes a cell of exactly n columns.
func pad(s string, n int) string {
	s = clean(s)
	if have := utf8.RuneCountInString(s); have <= n {
		return s + strings.Repeat(" ", n-have)
	}
	return string([]rune(s)[:n-1]) + "…"
}

// paragraph wraps a text at the width of the summary.
func paragraph(b *bytes.Buffer, s string) {
	width := 0
	for _, w := range strings.Fields(clean(s)) {
		for n := utf8.RuneCountInString(w); n > columns; n = utf8.RuneCountInString(w) {
			head := string([]rune(w)[:columns])
			if width > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(head)
			w, width = w[len(head):], columns
		}
		n := utf8.RuneCountInString(w)
		switch {
		case width == 0:
		case width+1+n > columns:
			b.WriteByte('\n')
			width = 0
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(w)
		width += n
	}
	b.WriteByte('\n')
}
