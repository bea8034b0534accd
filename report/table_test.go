package report

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report/pagetest"
)

// nasty are texts that a format could take for its own, with what a model may write.
var nasty = []string{`100 % of_a & b # $x$ {y} ~ ^ \end{document}`, "[bracket] first", `=cmd|' /C calc'!A0`, evil, "naïve Ångström Łódź", "Δ ≥ 0.5 κ → τ − µ",
	"患者 🩺 \u202eright to left", "a\nb\tc\x1b[31m", "--- -- <<>> “quoted” …", "", strings.Repeat("long words ", 40), strings.Repeat("x", 300), "{", "}", "\\", "%", "*", "[1]"}

// anyTable is a table whose texts are nasty, with missing values, short rows and every scale.
func anyTable(id string, columns, rows int) percuss.Table {
	scales := []percuss.Scale{percuss.Words, percuss.Words, percuss.Whole, percuss.Rate, percuss.Points, percuss.Nats, percuss.Decimal, percuss.PValue, percuss.Length, "",
		percuss.Percent, percuss.ShareDiff, percuss.Hundredths}
	marks := []string{"", "max", "min", "low", "grey"}
	text := func(i int) string { return nasty[i%len(nasty)] }
	t := percuss.Table{ID: id, Title: "Title " + text(columns), Paper: "Table 8", About: text(rows) + ".", Notes: []string{text(3), text(6)}}
	for i := range columns {
		t.Columns = append(t.Columns, percuss.Column{ID: "c" + string(rune('a'+i)), Head: text(i), Scale: scales[i%len(scales)]})
	}
	for k := range rows {
		r := percuss.Row{Head: k%7 == 6}
		for i := range columns - k%3 {
			c := percuss.Cell{Text: text(k + i), Mark: marks[(k+i)%len(marks)], Estimate: est(float64(k*i%11)/10-0.1, -0.2, 0.9, 40+k)}
			if (k+i)%6 == 5 {
				c.Estimate = percuss.Absent(text(k))
			}
			c.Estimate.Warnings = []string{text(i)}
			r.Cells = append(r.Cells, c)
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

func TestNumbersByScale(t *testing.T) {
	for _, c := range []struct {
		v     float64
		scale percuss.Scale
		want  string
	}{{12, percuss.Whole, "12"}, {0.12345, percuss.Rate, "0.123"}, {-4.26, percuss.Points, "−4.3"}, {1.005, percuss.Nats, "1.00"}, {-0.3, percuss.Decimal, "−0.300"},
		{0.0004, percuss.PValue, "<0.001"}, {0.001, percuss.PValue, "0.001"}, {0.04, percuss.PValue, "0.040"}, {71.6, percuss.Length, "72"}, {0.5, "unknown", "0.500"},
		{0.125, percuss.Percent, "12.5 %"}, {0.5, percuss.Percent, "50 %"}, {-0.0426, percuss.ShareDiff, "−4.3"}, {1.5, percuss.Hundredths, "1.50"}} {
		if got := value(percuss.Valued(percuss.Num(c.v)), percuss.Column{Scale: c.scale}); got != c.want {
			t.Errorf("%g as %s: %s, want %s", c.v, c.scale, got, c.want)
		}
	}
	for _, scale := range []percuss.Scale{percuss.Whole, percuss.Rate, percuss.PValue, percuss.Words} {
		if got := value(percuss.Cell{}, percuss.Column{Scale: scale}); got != "–" {
			t.Errorf("a missing %s is %q", scale, got)
		}
	}
}

func TestSampleBelowAValue(t *testing.T) {
	rate, points := percuss.Column{Scale: percuss.Rate}, percuss.Column{Scale: percuss.Points}
	of := percuss.Estimate{Value: percuss.Num(0.5), Num: percuss.Num(10), Den: percuss.Num(20), N: 20}
	apart := of
	apart.N = 8
	weighted := of
	weighted.Num = percuss.Num(4.5)
	for want, got := range map[string]string{"10/20": sampleOf(percuss.Measured(of), rate), "10/20; n 8": sampleOf(percuss.Measured(apart), rate),
		"n 20": sampleOf(percuss.Measured(weighted), rate), "": sampleOf(percuss.Valued(percuss.Num(1)), rate)} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := sampleOf(percuss.Measured(of), percuss.Column{Scale: percuss.Percent}); got != "10/20" {
		t.Errorf("a share in percent shows %q", got)
	}
	of.Lo, of.Hi = percuss.Num(0.25), percuss.Num(0.755)
	if got := between(percuss.Measured(of), percuss.Column{Scale: percuss.Percent}); got != "25 to 75.5 %" {
		t.Errorf("an interval in percent is %q", got)
	}
	if got := sampleOf(percuss.Measured(of), points); got != "n 20" {
		t.Errorf("a difference shows %q", got)
	}
}

func TestTableCSV(t *testing.T) {
	table := percuss.Table{Columns: []percuss.Column{{ID: "model"}, {ID: "n", Scale: percuss.Whole}, {ID: "fcs", Scale: percuss.Rate},
		{ID: "cut", Scale: percuss.Nats, Bare: true}},
		Rows: []percuss.Row{{Cells: []percuss.Cell{percuss.Said("a"), percuss.Counted(3), percuss.Measured(est(0.5, 0.25, 0.75, 8)), percuss.Valued(percuss.Num(2.414))}},
			{Cells: []percuss.Cell{percuss.Said("b"), {}, percuss.Measured(percuss.Absent("none fired")), {}}}, {Cells: []percuss.Cell{percuss.Said("c")}}}}
	want := [][]string{{"model", "n", "fcs", "fcs_lo", "fcs_hi", "fcs_num", "fcs_den", "fcs_n", "fcs_why", "cut"}, {"a", "3", "0.5", "0.25", "0.75", "4", "8", "8", "", "2.414"},
		{"b", "", "", "", "", "", "", "0", "none fired", ""}, {"c", "", "", "", "", "", "", "0", "", ""}}
	got := TableCSV(table)
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("row %d: %q, want %q", i, got[i], want[i])
		}
	}
}

// Whatever a table holds: no line is too wide, no control sequence gets through, each value is printed, and the page is
// well formed.
func TestTablesFitEverywhere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := anyTable("x", rapid.IntRange(1, 24).Draw(rt, "columns"), rapid.IntRange(0, 12).Draw(rt, "rows"))
		table.Long = rapid.Bool().Draw(rt, "long")
		var b bytes.Buffer
		TableText(&b, table, 0)
		for _, line := range strings.Split(b.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > columns {
				rt.Fatalf("%d columns: %q", n, line)
			}
		}
		if strings.Contains(b.String(), "\x1b") {
			rt.Fatal("a control sequence got through")
		}
		var page strings.Builder
		if err := pages.ExecuteTemplate(&page, "table", table); err != nil {
			rt.Fatal(err)
		}
		all := pagetest.Parse(t, "<div>"+Visible(page.String())+"</div>")
		cells := 0
		for _, e := range all {
			if e.Name == "td" {
				cells++
			}
		}
		if cells != len(table.Columns)*len(table.Rows) {
			rt.Fatalf("%d cells of %d × %d", cells, len(table.Columns), len(table.Rows))
		}
	})
}

func TestTableTextMarksAndMissing(t *testing.T) {
	table := percuss.Table{Title: "Marks", Columns: []percuss.Column{{ID: "m", Head: "Model"}, {ID: "v", Head: "FCS", Scale: percuss.Rate}},
		Rows: []percuss.Row{{Cells: []percuss.Cell{percuss.Said("a"), {Mark: "max", Estimate: est(0.5, 0.4, 0.6, 9)}}}, {Cells: []percuss.Cell{percuss.Said("b"),
			{Mark: "grey", Estimate: est(0.3, 0.2, 0.4, 9)}}}, {Cells: []percuss.Cell{percuss.Said("c"), {Mark: "low", Estimate: est(0.1, 0, 0.2, 2)}}},
			{Cells: []percuss.Cell{percuss.Said("d"), percuss.Measured(percuss.Absent("it never fired"))}}}}
	var b bytes.Buffer
	TableText(&b, table, 0)
	for _, want := range []string{"0.500 max", "(0.300)", "0.100*", "–", "it never fired", "* on few items", "(…) not to be read", "0.400 to 0.600"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	b.Reset()
	TableText(&b, table, 1)
	if !strings.Contains(b.String(), "… and 3 more rows") || strings.Contains(b.String(), "0.100") {
		t.Errorf("a short table:\n%s", b.String())
	}
	b.Reset()
	TableText(&b, percuss.Table{Title: "None", Absent: "no labels were given"}, 0)
	if !strings.Contains(b.String(), "– no labels were given") {
		t.Errorf("an absent table:\n%s", b.String())
	}
}

// TestTableCellOfPage: below a value of a page stand interval and sample as one block and then the mark, with no empty line
// between them; a mark alone has a line of its own, and a name in one part does not break.
func TestTableCellOfPage(t *testing.T) {
	table := percuss.Table{ID: "m", Title: "Marks", Columns: []percuss.Column{{ID: "model", Head: "Model", Scale: percuss.Words}, {ID: "v", Head: "FCS", Scale: percuss.Rate}},
		Rows: []percuss.Row{{Cells: []percuss.Cell{percuss.Said("a"), {Mark: "low", Estimate: est(0.5, 0.4, 0.6, 9)}}},
			{Cells: []percuss.Cell{percuss.Said("b+c"), {Mark: "low", Estimate: percuss.Estimate{Value: percuss.Num(0.3)}}}}}}
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, "table", table); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<td class="nb">a</td>`, `0.500<small>0.400 to 0.600<br>n 9</small><span class="tag">few items</span></td>`,
		`<td><span class="nb">b&#43;</span><wbr/><span class="nb">c</span></td>`, `0.300<br><span class="tag">few items</span></td>`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
}

// Every part of a table names its rows: with what tells them apart, or with two columns of words where nothing does.
func TestPartsNameTheirRows(t *testing.T) {
	words, count, bare, rate := percuss.Column{ID: "w"}, percuss.Column{ID: "n", Scale: percuss.Whole}, percuss.Column{ID: "b", Scale: percuss.Nats, Bare: true}, percuss.Column{ID: "r", Scale: percuss.Rate}
	row := func(all ...string) percuss.Row {
		var r percuss.Row
		for _, s := range all {
			v, err := strconv.ParseFloat(s, 64)
			r.Cells = append(r.Cells, percuss.Cell{Text: s, Estimate: percuss.Estimate{Value: percuss.Num(v)}})
			if err != nil {
				r.Cells[len(r.Cells)-1] = percuss.Said(s)
			}
		}
		return r
	}
	for name, c := range map[string]struct {
		columns []percuss.Column
		rows    []percuss.Row
		want    int
	}{
		"one of words":       {[]percuss.Column{words, rate}, []percuss.Row{row("a", "0.1"), row("b", "0.1")}, 1},
		"two of words":       {[]percuss.Column{words, words, rate}, []percuss.Row{row("a", "x", "1"), row("b", "x", "1")}, 2},
		"three of words":     {[]percuss.Column{words, words, words, rate}, []percuss.Row{row("a", "x", "y", "1"), row("a", "x", "z", "1")}, 3},
		"a count":            {[]percuss.Column{words, count, rate}, []percuss.Row{row("a", "1", "1"), row("a", "2", "1")}, 2},
		"a bare number":      {[]percuss.Column{words, words, bare, rate}, []percuss.Row{row("a", "x", "0.5", "1"), row("a", "x", "1", "1")}, 3},
		"nothing":            {[]percuss.Column{words, rate}, []percuss.Row{row("a", "1"), row("a", "2")}, 1},
		"no words":           {[]percuss.Column{rate, rate}, []percuss.Row{row("1", "1"), row("2", "1")}, 0},
		"no run-on of cells": {[]percuss.Column{words, words, words, rate}, []percuss.Row{row("ab", "c", "d", "1"), row("a", "bc", "d", "1")}, 2},
	} {
		if got := naming(percuss.Table{Columns: c.columns, Rows: c.rows}); got != c.want {
			t.Errorf("%s: %d columns, want %d", name, got, c.want)
		}
	}
}

// Words are cut only where a line has no room for them.
func TestWordsHaveTheRoomThatIsLeft(t *testing.T) {
	long, longer := strings.Repeat("a", 45), strings.Repeat("b", 90)
	table := func(columns int, words ...string) percuss.Table {
		out := percuss.Table{Title: "t", Columns: []percuss.Column{{ID: "m"}, {ID: "name"}}}
		for range columns {
			out.Columns = append(out.Columns, percuss.Column{ID: "v", Head: "value", Scale: percuss.Rate})
		}
		for _, w := range words {
			r := percuss.Row{Cells: []percuss.Cell{percuss.Said("m"), percuss.Said(w)}}
			for range columns {
				r.Cells = append(r.Cells, percuss.Valued(percuss.Num(0.5)))
			}
			out.Rows = append(out.Rows, r)
		}
		return out
	}
	for name, c := range map[string]struct {
		table percuss.Table
		want  string
	}{"one line": {table(2, long), long + " "}, "several parts": {table(20, long), long + " "}, "too long": {table(2, longer), longer[:60]}, "too long for parts": {table(20, longer), longer[:48] + "…"}} {
		var b bytes.Buffer
		TableText(&b, c.table, 0)
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("%s: no %q in\n%s", name, c.want, b.String())
		}
	}
}
