package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/percuss/percuss"
)

// short writes a number with about three digits, "–" where it is missing.
func short(n percuss.Number) string {
	v, ok := n.Get()
	switch {
	case !ok:
		return "–"
	case v >= 1000:
		return thousands(fmt.Sprintf("%.0f", v))
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 0.1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.2g", v)
}

// thousands puts commas between the groups of a whole number's digits.
func thousands(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// printResults prints the ratios, and what stands behind them, as two tables in Markdown.
func printResults(w io.Writer, results []result) {
	fmt.Fprint(w, "| row | measure | goal | bound | least | median | most | runs |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range results {
		s := spreadOf(r.ratios)
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | **%s** | %s | %d |\n", r.row, r.what, r.goal, said(r.bound), short(s.least), short(s.median), short(s.most), len(r.ratios))
	}
	fmt.Fprint(w, "\nBehind the ratios, the median of the runs (least to most for the time):\n\n"+
		"| row | program | wall, s | CPU, s | memory, MiB | figure |\n|---|---|---|---|---|---|\n")
	for _, r := range results {
		for _, m := range r.sides {
			printSide(w, r, m)
		}
	}
}

func printSide(w io.Writer, r result, m measured) {
	median := func(of func(sample) percuss.Number) percuss.Number { return spreadOf(figures(m.samples, of)).median }
	took := spreadOf(figures(m.samples, wall))
	cpu := median(func(s sample) percuss.Number { return positive(s.cpu.Seconds()) })
	memory := median(func(s sample) percuss.Number { return positive(float64(s.memory) / (1 << 20)) })
	told := ""
	if v := median(figure); v.OK() {
		told = short(v) + " " + r.unit
		if ms := median(msEach); r.each && ms.OK() {
			told += ", " + short(ms) + " ms each"
		}
	}
	fmt.Fprintf(w, "| %s | %s | %s (%s to %s) | %s | %s | %s |\n", r.row, m.name,
		short(took.median), short(took.least), short(took.most), short(cpu), short(memory), told)
}

// msEach is the time of a run ÷ its figure, in milliseconds; missing without a figure.
func msEach(s sample) percuss.Number {
	n, ok := s.figure.Get()
	if !ok || n <= 0 {
		return percuss.Number{}
	}
	return percuss.Num(1000 * s.wall.Seconds() / n)
}

// said is a number where there is one, else nothing.
func said(n percuss.Number) string {
	if !n.OK() {
		return ""
	}
	return short(n)
}

// positive is missing of what was not measured.
func positive(v float64) percuss.Number {
	if v <= 0 {
		return percuss.Number{}
	}
	return percuss.Num(v)
}
