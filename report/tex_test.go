package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

func TestTexEscapes(t *testing.T) {
	for in, want := range map[string]string{"a_b 5%": `a\_b 5\%`, `\x{y}`: `\textbackslash{}x\{y\}`, "a--b": `a{-}{-}b`, "Δ − é": `$\Delta$ $-$ é`, "–": "--",
		"病": `\texttt{U+75C5}`, "a\nb": "a b", "<&>": `$<$\&$>$`} {
		if got := tex(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// What is longer or wider than a page is parted; every value stands in one part.
func TestTexPartsHoldEveryValue(t *testing.T) {
	table := percuss.Table{ID: "wide", Title: "Wide", Columns: []percuss.Column{{ID: "m", Head: "Model"}}}
	for range 40 {
		table.Columns = append(table.Columns, percuss.Column{ID: "v", Head: "value", Scale: percuss.Rate})
	}
	for k := range 100 {
		r := percuss.Row{Cells: []percuss.Cell{percuss.Said("m")}}
		for i := range 40 {
			r.Cells = append(r.Cells, percuss.Valued(percuss.Num(float64(k*40+i)/1000)))
		}
		table.Rows = append(table.Rows, r)
	}
	text := texTable(table)
	for k := range 4000 {
		if want := "& " + percuss.Num(float64(k)/1000).Format(3) + " "; strings.Count(text, want) != 1 {
			t.Fatalf("%q stands %d times", want, strings.Count(text, want))
		}
	}
	if n := strings.Count(text, `\addtocounter{table}{-1}{\renewcommand{\addcontentsline}[3]{}\caption{`); n != strings.Count(text, `\begin{table}`)-1 {
		t.Errorf("%d parts have the number of the first", n)
	}
	if n := strings.Count(text, `\label{`); n != 1 {
		t.Errorf("%d labels", n)
	}
	if strings.Count(text, `\begin{landscape}`) == 0 || strings.Count(text, `(continued)`) == 0 {
		t.Error("a table of 40 columns and 100 rows on one upright page")
	}
}

func TestAbsentTableInTex(t *testing.T) {
	text := texTable(percuss.Table{ID: "t8", Title: "Option shuffle", Columns: []percuss.Column{{ID: "a"}}, Absent: "no shuffle was asked: --controls shuffle"})
	if !strings.Contains(text, `Not available: no shuffle was asked: {-}{-}controls shuffle`) || strings.Contains(text, `\begin{tabular}`) {
		t.Error(text)
	}
}

// The document of all tables leaves long ones to whoever wants them; their files are there.
func TestLongTablesAreNotInput(t *testing.T) {
	dir := t.TempDir()
	long := anyTable("long", 2, 3)
	long.Long = true
	if err := WriteTex(dir, "t", []percuss.Table{anyTable("short", 2, 3), long}); err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(filepath.Join(dir, TexFolder, "all.tex"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n\\input{short}", "\n% of 3 rows: \\input{long}"} {
		if !strings.Contains(string(all), want) {
			t.Errorf("no %q in %s", want, all)
		}
	}
	if !fileThere(filepath.Join(dir, TexFolder), "long.tex") {
		t.Error("no long.tex")
	}
}

// The tables compile under pdflatex with booktabs, whatever their texts hold, without an error, and no page is too small.
func TestTexCompiles(t *testing.T) {
	latex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("no pdflatex: on Debian texlive-latex-base and texlive-latex-recommended bring it")
	}
	var tables []percuss.Table
	for i, size := range [][2]int{{1, 1}, {4, 9}, {10, 30}, {24, 60}, {9, 0}} {
		tables = append(tables, anyTable("t_"+strconv.Itoa(i)+" &%", size[0], size[1]))
	}
	tables = append(tables, percuss.Table{ID: "letters", Title: "Letters", Columns: []percuss.Column{{ID: "a", Head: texLetters[:40]}},
		Rows: []percuss.Row{{Cells: []percuss.Cell{percuss.Said(signs())}}, {Cells: []percuss.Cell{percuss.Said(strings.Join(strings.Split(texLetters, ""), " "))}}}})
	tables = append(tables, Tables(wholePanel(3, 2, 4).Findings)...)
	dir := t.TempDir()
	if err := WriteTex(dir, "A & B_c", tables); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(latex, "-interaction=nonstopmode", "-halt-on-error", "all.tex")
	c.Dir = filepath.Join(dir, TexFolder)
	c.Env = append(os.Environ(), "TEXMFVAR="+t.TempDir())
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, bad := range []string{"\n! ", "Missing character", "Float too large"} {
		if i := strings.Index(string(out), bad); i >= 0 {
			t.Errorf("pdflatex: %s", out[i:min(i+300, len(out))])
		}
	}
	if !regexp.MustCompile(`Output written on all\.pdf \(\d+ pages`).Match(out) {
		t.Errorf("nothing was set:\n%s", out)
	}
}

// signs are all characters that have a sign of their own in LaTeX.
func signs() string {
	var b strings.Builder
	for r := range texSigns {
		b.WriteRune(r)
	}
	return b.String()
}
