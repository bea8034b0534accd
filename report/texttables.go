package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/screen"
)

// otherForms are figures that say nearly what another one says. They stand in the page and in the full summary.
var otherForms = [...]string{"cdr_inflected", "cdr_mean", "cdr_inflected_mean", "afr_d_pooled", "afr_p_pooled", "ecr_fired",
	"chs_pooled", "dfg_all", "dfg_paired", "fdelta_paper"}

// metrics is the table of the figures. What changes the meaning of one stands below it.
func (t *text) metrics(l level) {
	fmt.Fprintf(t, "\n%s %s %7s  %-17s %6s\n", Pad("metric", 42), Pad("", 3), "value", "interval", "n")
	given, left := t.r.given() && !t.full, 0
	for _, m := range l.Metrics {
		if given && !m.Value.OK() {
			left++
			continue
		}
		if !t.full && (slices.Contains(otherForms[:], m.ID) || m.ID == "fdelta" && m.Scope != "") {
			continue
		}
		name := nameOf(t.r, m.ID)
		if marks := l.marks(m); len(marks) > 0 {
			name += " (" + strings.Join(marks, ", ") + ")"
		}
		fmt.Fprintf(t, "%s %s %7s  %s %6d\n", Pad(name, 42), Pad(m.Scope, 3), figureOf(m, t.r), Pad(interval(m, t.r), 17), m.N)
		if !m.Value.OK() && m.Why != "" {
			t.paragraph("  – " + m.Why)
		}
		if t.full || m.ID == "cot_gap" {
			for _, w := range m.Warnings {
				t.paragraph("  – " + w)
			}
		}
	}
	if left > 0 {
		t.paragraph(fmt.Sprintf("– %s that need answered edits are missing.", Plural(left, "figure")))
	}
}

// joint is the cross-table of the chain's update and the answer's flip.
func (t *text) joint(g chain.Group) {
	if len(g.Joint) == 0 || !t.full && g.Joint[0].Parsed == 0 && t.r.given() {
		return
	}
	line := func(first, a, b, c, d, parsed, dropped, bounds string) {
		fmt.Fprintln(t, strings.TrimRight(fmt.Sprintf("%s %6s %6s %6s %6s %8s %7s %s", Pad(first, 19), a, b, c, d, parsed, dropped, bounds), " "))
	}
	fmt.Fprintln(t)
	line("trace in the chain", "yes", "yes", "no", "no", "", "", "CDR if dropped")
	line("answer", "stays", "flips", "stays", "flips", "compared", "dropped", "flipped to kept")
	line("", "", "", "= CDR", "", "", "", "")
	for _, j := range g.Joint {
		if !t.full && j.Rule != g.Joint[0].Rule {
			continue
		}
		line(strings.TrimSpace(j.Rule+" rule "+j.Family), j.A.Value.Format(3), j.B.Value.Format(3), j.C.Value.Format(3), j.D.Value.Format(3),
			fmt.Sprint(j.Parsed), fmt.Sprint(j.Dropped), j.Lowest.Format(2)+" to "+j.Highest.Format(2))
	}
}

// firing are the tables of firing and flips.
func (t *text) firing(l level) {
	for _, table := range l.firing() {
		if len(table.Rows) == 0 || !t.full && table.Kind == "variant" && len(l.Families) == len(l.Operators) {
			continue
		}
		// The paper's firing rates have a column where it prints any.
		name, paper := 33, func(string) string { return "" }
		if slices.ContainsFunc(table.Rows, func(f chain.Firing) bool { return f.Published != nil }) {
			name, paper = 27, func(s string) string { return fmt.Sprintf(" %5s", s) }
		}
		fmt.Fprintf(t, "\n%s %5s %5s %5s%s %8s %5s  %s\n", Pad(table.Kind, name), "tried", "fired", "rate", paper("paper"), "compared",
			"AFR", "interval")
		for _, f := range table.Rows {
			fmt.Fprintf(t, "%s %5d %5d %5s%s %8d %5s  %s\n", Pad(f.ID+" "+f.Title, name), f.Items, f.Fired, f.Rate.Value.Format(2),
				paper(published(f)), f.Parsed, f.AFR.Value.Format(2), span(f.AFR, 2))
		}
	}
}

// shortHeads are heads of the columns of the overview, as wide as a cell of the terminal.
var shortHeads = map[string]string{"acc": "Accuracy", "fcs": "FCS", "afr_d": "AFR_D", "afr_p": "AFR_P", "cdr": "CDR", "ecr": "ECR",
	"chs": "CHS", "dfg": "DFG", "mfc": "MFC"}

// The overview's cells: so many stand on a line, of so many columns each.
const (
	cellsBeside = 5
	cellWidth   = columns / cellsBeside
	rangeWidth  = 9 // of an interval such as 0.12–0.34
)

// sideBySide is the overview: below each group its figures, each with its interval, in lines of five; the heads stand above in
// the same lines.
func (t *text) sideBySide(all []level) {
	heads := make([]string, len(overviewColumns))
	for i, c := range overviewColumns {
		heads[i] = strings.TrimSpace(shortHeads[c.ID] + " " + c.Scope)
	}
	fmt.Fprintln(t, "\nThe groups side by side, beside each value its interval")
	t.cells(heads)
	low := false
	for _, l := range all {
		cells := make([]string, len(overviewColumns))
		for i, c := range overviewColumns {
			m, _ := l.Metric(c.ID, c.Scope)
			cells[i] = figureOf(m, t.r)
			if m.LowFiring() {
				low, cells[i] = true, cells[i]+"*"
			}
			between := ""
			if m.Lo.OK() && m.Hi.OK() {
				between = fixed(m.Lo, 2) + "–" + fixed(m.Hi, 2)
			}
			if cells[i] += " " + Pad(between, rangeWidth); screen.Width(cells[i]) >= cellWidth {
				cells[i] = strings.ReplaceAll(cells[i], "0.", ".")
			}
		}
		fmt.Fprintln(t, strings.TrimRight(Pad(l.heading()+" ("+l.Size()+")", columns), " "))
		t.cells(cells)
	}
	t.paragraph("AFR_D, AFR_P: flip rates of destructive and of preserving edits. F: the chain is edited, M: the question.")
	if low {
		t.paragraph("* low firing: the edits of age and sex could be made on less than half of the items.")
	}
}

// cells are the lines of a group in the overview.
func (t *text) cells(all []string) {
	for some := range slices.Chunk(all, cellsBeside) {
		line := ""
		for _, c := range some {
			line += strings.Repeat(" ", max(0, cellWidth-screen.Width(c))) + c
		}
		fmt.Fprintln(t, strings.TrimRight(line, " "))
	}
}

// span prints an interval.
func span(e percuss.Estimate, decimals int) string {
	if !e.Lo.OK() || !e.Hi.OK() {
		return "–"
	}
	return fixed(e.Lo, decimals) + " to " + fixed(e.Hi, decimals)
}
