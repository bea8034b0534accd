package cases

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

// widest is the width of the widest table of the terminal summary, in columns.
const widest = 100

// WriteText writes the terminal summary: what the page opens with, and for each model and set the mechanisms. full adds
// every table. A missing value is an en dash.
func WriteText(w io.Writer, r Report, full bool) error {
	var b bytes.Buffer
	report.Wrap(&b, "", "Percuss, "+r.Audit+" audit")
	if s := report.Unfinished(r.Calls); s != "" {
		b.WriteByte('\n')
		report.Wrap(&b, "", s)
	}
	if len(r.Findings.Cells) == 0 {
		report.Wrap(&b, "", "There are no findings.")
	}
	panelWords(&b, r.Findings)
	for _, c := range r.Findings.Cells {
		cellWords(&b, title(r.Findings, c), c, !full)
	}
	if full {
		for _, t := range allTables(r) {
			newTableView(t, r.Findings).text(&b)
		}
	}
	callWords(&b, r.Calls)
	for _, n := range r.Notes {
		report.Wrap(&b, "", "Note: "+n)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// cellWords is a cell in words.
func cellWords(b *bytes.Buffer, name string, c evidence.Cell, mechanisms bool) {
	b.WriteByte('\n')
	report.Wrap(b, "", name)
	for _, s := range c.Cautions {
		report.Wrap(b, "", "Caution: "+s)
	}
	for _, s := range answer(c) {
		report.Wrap(b, "", s.String())
	}
	if !mechanisms || len(c.Gold.Mechanisms) == 0 || c.Gold.Salient == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s %6s %8s %8s %9s\n", report.Pad("mechanism", 52), "count", "share", "random", "strength")
	for _, m := range c.Gold.Mechanisms {
		name := m.Name
		if m.Suspicious {
			name += " (suspicious)"
		}
		fmt.Fprintf(b, "%s %6d %8s %8s %9s\n", report.Pad(name, 52), m.Count, report.Percent(m.Share.Value), report.Percent(m.SameSets.Count), report.Percent(m.Weight.Value))
	}
}

// callWords count the calls of each model by outcome.
func callWords(b *bytes.Buffer, calls []report.Calls) {
	if len(calls) > 0 {
		b.WriteByte('\n')
	}
	for _, c := range calls {
		words := fmt.Sprintf("Calls to %s: %d.", c.Model, c.Requests)
		for _, o := range c.Outcomes {
			if o.N > 0 {
				words += fmt.Sprintf(" %s: %d.", o.Name, o.N)
			}
		}
		report.Wrap(b, "", words)
		for _, w := range c.Warnings {
			report.Wrap(b, "", "Warning: "+c.Model+": "+w+".")
		}
	}
}

// text prints a table: in columns where they fit, else each row as a block of lines.
func (v tableView) text(b *bytes.Buffer) {
	b.WriteByte('\n')
	report.Wrap(b, "", v.Title)
	if len(v.Lines) == 0 {
		b.WriteString("  none\n")
		return
	}
	widths := make([]int, len(v.Heads))
	total := 0
	for i, h := range v.Heads {
		widths[i] = utf8.RuneCountInString(h.Name)
		for _, line := range v.Lines {
			widths[i] = max(widths[i], utf8.RuneCountInString(line[i].plain()))
		}
		total += widths[i] + 2
	}
	if total-2 > widest {
		v.blocks(b)
	} else {
		v.grid(b, widths)
	}
	for i, n := range v.Notes {
		report.Wrap(b, "  ", fmt.Sprintf("(%d) %s", i+1, n))
	}
}

// plain is an entry in one line.
func (c cellText) plain() string {
	out := c.Value
	if c.Under != "" {
		out += " (" + c.Under + ")"
	}
	for _, n := range c.Notes {
		out += fmt.Sprintf(" (%d)", n)
	}
	return out
}

func (v tableView) grid(b *bytes.Buffer, widths []int) {
	line := func(of func(int) string) {
		var row strings.Builder
		for i, w := range widths {
			s := of(i)
			if v.Heads[i].numeric() {
				s = strings.Repeat(" ", max(0, w-utf8.RuneCountInString(s))) + s
			}
			row.WriteString(report.Pad(s, w) + "  ")
		}
		b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
	line(func(i int) string { return v.Heads[i].Name })
	for _, l := range v.Lines {
		line(func(i int) string { return l[i].plain() })
	}
}

// blocks print a row as its words, and below them its numbers by name.
func (v tableView) blocks(b *bytes.Buffer) {
	for _, l := range v.Lines {
		var words, numbers []string
		for i, h := range v.Heads {
			named := h.Name + ": " + l[i].plain()
			switch {
			case h.numeric():
				numbers = append(numbers, named)
			case len(words) > 0 && i > 0 && !isCell(v.Heads[i-1]):
				words = append(words, named)
			default: // the cell, and what the row is of
				words = append(words, l[i].plain())
			}
		}
		report.Wrap(b, "", strings.Join(words, " · "))
		report.Wrap(b, "  ", strings.Join(numbers, " · "))
	}
}

// isCell says whether a column names the cell.
func isCell(c column) bool { return slices.Contains(cellColumns[:], c) }
