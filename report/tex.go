package report

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss"
)

// TexFolder is the folder of the LaTeX tables beside the report.
const TexFolder = "tex"

// WriteTex writes every table as tex/ID.tex into the folder, which it makes if need be, and tex/all.tex, a document that
// inputs them all, the long ones commented out. A table's file can be input into any document that loads the packages named at its head.
func WriteTex(dir, title string, tables []percuss.Table) error {
	dir = filepath.Join(dir, TexFolder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder of the LaTeX tables: %w", err)
	}
	var all strings.Builder
	fmt.Fprintf(&all, texHead, tex(title))
	for _, t := range tables {
		name := slug(t.ID)
		if err := os.WriteFile(filepath.Join(dir, name+".tex"), []byte(texTable(t)), 0o644); err != nil {
			return fmt.Errorf("write the LaTeX table %s: %w", t.ID, err)
		}
		line := fmt.Sprintf("\\input{%s}\\clearpage\n", name)
		if t.Long || len(t.Rows) > texMost {
			line = fmt.Sprintf("%% of %d rows: %s", len(t.Rows), line)
		}
		all.WriteString(line)
	}
	all.WriteString("\\end{document}\n")
	if err := os.WriteFile(filepath.Join(dir, "all.tex"), []byte(all.String()), 0o644); err != nil {
		return fmt.Errorf("write all.tex: %w", err)
	}
	return nil
}

// texHead begins the document of all tables.
const texHead = `%% All tables of a report by Percuss: pdflatex all.tex, twice for its list
\documentclass[a4paper,10pt]{article}
\usepackage[utf8]{inputenc}
\usepackage{array,booktabs,graphicx,lscape}
\usepackage[margin=2cm]{geometry}
\begin{document}
\noindent\textbf{%s}
\listoftables
\clearpage
`

// sentence ends a title with a full stop, unless it ends with a mark of its own.
func sentence(s string) string {
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// slug makes a file name of a table's id.
func slug(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, id)
}

// The sizes of a LaTeX table, in characters and in rows.
const (
	texPortrait = 125 // what is wider is set across a landscape page
	texWidest   = 200 // what is wider still goes into a further table
	texLines    = 52  // of one page: rows, their intervals and notes
	texAcross   = 34  // of a landscape page
	texNoteLine = 95  // characters of a line of notes
	texMost     = 60  // rows of a table of the document of all; a longer one is a file of its own
)

// texTable is a table in LaTeX, in several parts where it is too wide or too long for a page.
func texTable(t percuss.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%% Table %s. Needs the packages array, booktabs, graphicx and lscape.\n", slug(t.ID))
	title := tex(titled(t))
	if len(t.Rows) == 0 || len(t.Columns) == 0 {
		fmt.Fprintf(&b, "\\par\\noindent\\textbf{%s.} Not available: %s\\par\n", title, tex(orElse(t.Absent, "no rows")))
		return b.String()
	}
	var columns []textColumn
	for i, c := range t.Columns {
		columns = append(columns, newTextColumn(c, i, t.Rows, func(int, int) string { return "" }).inTex(t.Rows))
	}
	all := texNotes(t)
	parts := partsOf(columns, naming(t), texWidest)
	chunks := texChunks(t, all, slices.ContainsFunc(parts, textPart.wide))
	for k, rows := range chunks {
		for i, part := range parts {
			caption, below := fmt.Sprintf(texContinued, title), []string(nil)
			if k == 0 && i == 0 {
				caption = fmt.Sprintf("\\caption[{%s}]{%s}\\label{tab:%s}", title, tex(sentence(titled(t))+" "+Signed(t.About)), slug(t.ID))
			}
			if k == len(chunks)-1 && i == len(parts)-1 {
				below = all
			}
			part.tex(&b, rows, caption, below)
		}
	}
	return b.String()
}

// texContinued is the caption of a further part: it has the number of the first one, and no line of its own in the list of
// tables.
const texContinued = `\addtocounter{table}{-1}{\renewcommand{\addcontentsline}[3]{}\caption{%s (continued)}}`

// texNotes are what stands below a table for all of its cells.
func texNotes(t percuss.Table) []string {
	all := signedAll(t.Notes)
	if s := texSample(t); s != "" {
		all = append(all, s)
	}
	return append(all, texLegend(t.Rows)...)
}

// texSample says how many items the estimates of a table rest on, since its cells do not.
func texSample(t percuss.Table) string {
	lo, hi := 0, 0
	for _, r := range t.Rows {
		for i, c := range t.Columns {
			if of := cellAt(r, i); sampleOf(of, c) != "" {
				n := of.Estimate.N
				if lo == 0 || n < lo {
					lo = n
				}
				hi = max(hi, n)
			}
		}
	}
	switch {
	case hi == 0:
		return ""
	case lo == hi:
		return fmt.Sprintf("n = %d for every estimate.", lo)
	}
	return fmt.Sprintf("n from %d to %d, by estimate; the CSV file has each.", lo, hi)
}

// texLegend explains the type of marked cells.
func texLegend(rows []percuss.Row) []string {
	marks := map[string]bool{}
	for _, r := range rows {
		for _, c := range r.Cells {
			marks[c.Mark] = true
		}
	}
	var out []string
	if marks["max"] || marks["min"] {
		out = append(out, "Bold: the largest or smallest of those that are set against each other.")
	}
	if marks["low"] {
		out = append(out, "*: on few items.")
	}
	if marks["grey"] {
		out = append(out, "In brackets and italics: not to be read.")
	}
	return out
}

// tex sets one part of a table, with the notes on all of it below, and then those on its cells.
func (p textPart) tex(b *strings.Builder, rows []percuss.Row, caption string, below []string) {
	var notes footnotes
	spec := ""
	for _, c := range p.columns {
		spec += c.texSpec(rows)
	}
	if p.wide() {
		b.WriteString("\\begin{landscape}\n")
	}
	fmt.Fprintf(b, "\\begin{table}[!htbp]\n\\centering\\small\n%s\n", caption)
	b.WriteString("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n")
	fmt.Fprintf(b, "\\begin{tabular}{@{}%s@{}}\n\\toprule\n", spec)
	p.texLine(b, func(c textColumn) string { return c.texHead() })
	b.WriteString("\\midrule\n")
	for i, r := range rows {
		if i > 0 && r.Head && !rows[i-1].Head {
			b.WriteString("\\addlinespace\n")
		}
		p.texLine(b, func(c textColumn) string {
			of := cellAt(r, c.at)
			return texCell(of, c.of, notes.of(remarksOf(of, c.of)))
		})
		p.texLine(b, func(c textColumn) string {
			s := between(cellAt(r, c.at), c.of)
			if s == "" {
				return ""
			}
			return "{\\scriptsize " + tex(s) + "}"
		})
	}
	b.WriteString("\\bottomrule\n\\end{tabular}}\n\\par\\smallskip\n\\begin{minipage}{\\linewidth}\\footnotesize\\raggedright\n")
	for _, s := range below {
		fmt.Fprintf(b, "%s\\par\n", tex(s))
	}
	for i, s := range notes.all {
		fmt.Fprintf(b, "$^{%d}$ %s\\par\n", i+1, tex(Signed(s)))
	}
	b.WriteString("\\end{minipage}\n\\end{table}\n")
	if p.wide() {
		b.WriteString("\\end{landscape}\n")
	}
}

// texLine sets one line of a table; nothing where all of its cells are empty.
func (p textPart) texLine(b *strings.Builder, entry func(textColumn) string) {
	var all []string
	for _, c := range p.columns {
		all = append(all, entry(c))
	}
	if slices.ContainsFunc(all, func(s string) bool { return s != "" }) {
		// An empty group first: a bracket at the beginning of a line would be taken for an argument of the line before.
		b.WriteString("{}" + strings.Join(all, " & ") + " \\\\\n")
	}
}

// texSpec is how a column is set: long words in lines of five centimetres.
func (c textColumn) texSpec(rows []percuss.Row) string {
	if !worded(c.of) {
		return "r"
	}
	for _, r := range rows {
		if utf8.RuneCountInString(cellAt(r, c.at).Text) > wordsMost {
			return ">{\\raggedright\\arraybackslash}p{5cm}"
		}
	}
	return "l"
}

func (c textColumn) texHead() string {
	side := "l"
	if !worded(c.of) {
		side = "r"
	}
	lines := make([]string, len(c.head))
	for i, s := range c.head {
		lines[i] = "{}" + tex(s)
	}
	return "\\shortstack[" + side + "]{" + strings.Join(lines, "\\\\") + "}"
}

// texCell is a cell's value with its mark and the numbers of its remarks.
func texCell(c percuss.Cell, of percuss.Column, notes []int) string {
	s := tex(shorten(value(c, of), longestWords))
	switch c.Mark {
	case "max", "min":
		s = "\\textbf{" + s + "}"
	case "low":
		s += "*"
	case "grey":
		s = "\\textit{(" + s + ")}"
	}
	if len(notes) > 0 {
		s += "$^{" + strings.Trim(strings.ReplaceAll(fmt.Sprint(notes), " ", ","), "[]") + "}$"
	}
	return s
}
