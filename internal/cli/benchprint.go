package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
)

// benchColumns is how many models stand beside each other.
const benchColumns = 3

// writeBench prints the figures, a column a model.
func writeBench(w io.Writer, r benchReport) error {
	fmt.Fprintf(w, "%s in %s\n", r.Engine, r.Library)
	for _, d := range r.Devices {
		fmt.Fprintf(w, "  %s: %s, %s of memory\n", d.Name, report.Visible(d.Description), byteWords(int64(d.Total)))
	}
	fmt.Fprintf(w, "tokens a second: median of %s, the least and the most in brackets\n", report.Plural(r.Repeats, "measurement"))
	for from := 0; from < len(r.Models); from += benchColumns {
		writeBenchTable(w, r, r.Models[from:min(from+benchColumns, len(r.Models))])
	}
	for _, m := range r.Models {
		if share, ok := m.Share.Get(); ok && share < idleShare {
			fmt.Fprintf(w, "\nwarning: with %s this program got %.0f %% of the processor time\nthat it could use: others were at work, and the figures are too low\n", report.Visible(m.short()), 100*share)
		}
	}
	_, err := fmt.Fprintf(w, `
Prefill is a prompt of %d tokens; generation %d tokens each behind a short prompt, all answers together. Letters
are %s whose beginnings are shared, through all that a run does: tokens that were computed.
The planned memory is the most that a run takes for weights and caches; "in memory" is by how much the process
had grown after the letters, with what the engine needs while it computes.
`, r.Prompt, r.Steps, benchTreeWords(r.Models))
	return err
}

// idleShare is the share of the processors below which others took so much that the figures say little.
const idleShare = 0.8

// short is the model's name, of a path the file's.
func (m engineFigures) short() string {
	if strings.ContainsRune(m.Model, filepath.Separator) {
		return m.File
	}
	return m.Model
}

// benchTreeWords says what was asked for letters.
func benchTreeWords(models []engineFigures) string {
	if len(models) == 0 {
		return "prompts"
	}
	return report.Plural(models[0].Tree.Prompts, "prompt")
}

// writeBenchTable prints a few models beside each other.
func writeBenchTable(w io.Writer, r benchReport, models []engineFigures) {
	const label, width = 22, 26
	row := func(name string, cell func(engineFigures) string) {
		line := fmt.Sprintf("%-*s", label, name)
		for _, m := range models {
			line += fmt.Sprintf(" %-*s", width, cell(m))
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	fmt.Fprintln(w)
	row("", func(m engineFigures) string { return clip(report.Visible(m.short()), width) })
	row("weights", func(m engineFigures) string { return m.Weights + ", " + byteWords(m.Planned.Weights) })
	row("threads, layout", func(m engineFigures) string { return fmt.Sprintf("%d, %s", m.Threads, m.Layout) })
	row(fmt.Sprintf("prefill %d", r.Prompt), func(m engineFigures) string { return m.Prefill.words() })
	for i := range models[0].Generate {
		row(fmt.Sprintf("generate, %d at once", models[0].Generate[i].Width), func(m engineFigures) string { return m.Generate[i].words() })
	}
	row("letters", func(m engineFigures) string { return m.Letters.words() })
	row("  prompts a second", func(m engineFigures) string { return m.Prompts.words() })
	row("memory planned", func(m engineFigures) string { return byteWords(m.Planned.Total()) })
	row("  in memory", func(m engineFigures) string {
		if n, ok := m.Resident.Get(); ok {
			return byteWords(int64(n))
		}
		return m.Resident.Format(0)
	})
}

// words is a rate with its spread.
func (r rate) words() string {
	if !r.Median.OK() {
		return r.Median.Format(0)
	}
	return fmt.Sprintf("%s (%s–%s)", digits(r.Median), digits(r.Least), digits(r.Most))
}

// digits is a number with about three digits.
func digits(n percuss.Number) string {
	v, ok := n.Get()
	switch {
	case !ok || v >= 1000:
		return n.Format(0)
	case v >= 10:
		return n.Format(1)
	}
	return n.Format(2)
}
