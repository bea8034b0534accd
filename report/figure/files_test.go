package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"html/template"
	"io"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// ofACase are the charts of a case as files.
func ofACase(t *testing.T) map[string]Drawing {
	t.Helper()
	c := Combinations{Title: "moves <b>", Caption: "c", Threshold: 0.5, Units: []ChartUnit{{"1", "S", "faithful", "Fever (supporting)"}, {"2", "A", "negated", "Cough: no (absent)"}},
		Rows: []Combination{{Units: []int{0, 1}, Value: -1.25, Text: "Fever + Cou…", Label: "conflict", Class: "conflict", Floor: percuss.Num(0.4)}, {Units: []int{1}, Value: 0.75, Text: "Cough", Label: "faithful", Class: "faithful"}}}
	p := Profile{Title: "margin", Axis: "nats", Layers: []Layer{{Shown: 0, Asked: 1, Of: 1, Min: percuss.Num(-1), Median: percuss.Num(-1), Max: percuss.Num(-1)}, {Shown: 1, Of: 2}}}
	out := map[string]Drawing{}
	for name, draw := range map[string]func(string) ([]Drawing, error){"combinations": c.File, "lattice": latticeOf(3, 7, true).File, "margins": p.File} {
		drawn, err := draw("case-0001-" + name)
		if err != nil || len(drawn) != 1 || drawn[0].ID != "case-0001-"+name {
			t.Fatalf("%s: %d drawings, error %v", name, len(drawn), err)
		}
		out[name] = drawn[0]
	}
	return out
}

// The charts of a case can be written in every format, and lead nowhere.
func TestChartsOfACaseAsFiles(t *testing.T) {
	for name, d := range ofACase(t) {
		svg := d.SVG()
		x := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := x.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: the SVG is not well formed: %v", name, err)
			}
		}
		if strings.Contains(svg, "href=") || strings.Contains(svg, "aria-details") || strings.Contains(svg, "<figure") || !strings.Contains(svg, "<desc>") {
			t.Errorf("%s: the file leads somewhere, is a part of a page, or says nothing in words", name)
		}
		if pdf, err := d.PDF(); err != nil || !bytes.HasPrefix(pdf, []byte("%PDF")) {
			t.Errorf("%s: PDF: %v", name, err)
		}
		if png, err := d.PNG(1); err != nil || !bytes.HasPrefix(png, []byte("\x89PNG")) {
			t.Errorf("%s: PNG: %v", name, err)
		}
	}
}

// The numbers beside a chart are those drawn; what was not asked is missing.
func TestNumbersOfTheChartsOfACase(t *testing.T) {
	all := ofACase(t)
	first := all["combinations"].Data.Rows[0].Cells
	if first[0].Text != "1 + 2" || first[1].Text != "Fever (supporting) + Cough: no (absent)" || first[3].Estimate.Value != percuss.Num(-1.25) || first[4].Estimate.Value != percuss.Num(0.4) {
		t.Errorf("the first combination is %+v", first)
	}
	known := 0
	for _, r := range all["lattice"].Data.Rows {
		if r.Cells[2].Estimate.Value.OK() {
			known++
		}
	}
	if n := len(all["lattice"].Data.Rows); n != 8 || known != 5 {
		t.Errorf("%d of %d margins, want 5 of 8", known, n)
	}
	if rows := all["margins"].Data.Rows; len(rows) != 2 || rows[0].Cells[4].Estimate.Value != percuss.Num(-1) || rows[1].Cells[4].Estimate.Value.OK() {
		t.Errorf("the profile's rows are %+v", rows)
	}
	for name, draw := range map[string]func(string) ([]Drawing, error){"combinations": Combinations{}.File, "lattice": Lattice{}.File, "margins": Profile{}.File} {
		if drawn, err := draw("x"); len(drawn) != 0 || err != nil {
			t.Errorf("%s of nothing: %d drawings, error %v", name, len(drawn), err)
		}
	}
}

// A path is painted line by line, and one that is no row of straight lines is a fault, not a gap.
func TestPathsArePainted(t *testing.T) {
	with := func(d string) Drawing {
		return Drawing{ID: "x", inner: `<svg class="lattice" viewBox="0 0 40 20"><path class="edges" d="` + template.HTML(d) + `"/></svg>`}
	}
	plain, err := with("").PNG(1)
	if err != nil {
		t.Fatal(err)
	}
	if lines, err := with("M5 5L35 15M5 15L35 5").PNG(1); err != nil || bytes.Equal(lines, plain) {
		t.Errorf("error %v, or nothing was painted", err)
	}
	if _, err := with("M5 5C1 2 3 4").PNG(1); err == nil {
		t.Error("a curve was left out without a word")
	}
}
