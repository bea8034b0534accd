package figure

import (
	"bytes"
	"encoding/xml"
	"html/template"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// drawings of every kind.
func everyKind(t testing.TB) []Drawing {
	t.Helper()
	all, err := Chain(two(), two(), two())
	if err != nil {
		t.Fatal(err)
	}
	more, err := Sizes(sizesOf(0.135, 7, 70))
	if err != nil {
		t.Fatal(err)
	}
	forest, err := Forest{ID: "forest", Title: "Differences <b>", Scale: percuss.Points, Rows: []ForestRow{{"one, the model", percuss.Estimate{Value: percuss.Num(-4.2),
		Lo: percuss.Num(-8), Hi: percuss.Num(-1), N: 40}}, {"two", percuss.Estimate{Value: percuss.Num(1), Lo: percuss.Num(-2), Hi: percuss.Num(4), N: 40}},
		{"three", percuss.Absent("none")}}}.Draw()
	if err != nil {
		t.Fatal(err)
	}
	panel, err := Chain(nil, nil, cellsOf([]string{"one", "two <i>"}, []string{"medqa", "a data set with a long name"}))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range panel {
		if strings.HasSuffix(d.ID, "_sets") {
			all = append(all, d)
		}
	}
	return append(append(append(all, more...), forest...), charts(t)...)
}

func sizesOf(params ...float64) percuss.Table {
	t := percuss.Table{Columns: []percuss.Column{{ID: "model"}, {ID: "params", Scale: percuss.Decimal}, {ID: "fcs", Scale: percuss.Rate}}}
	for _, p := range params {
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said("model <i> & 患"), percuss.Valued(percuss.Num(p)), percuss.Measured(share(11, 20))}})
	}
	return t
}

func TestDrawingsHaveIdsOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range everyKind(t) {
		if seen[d.ID] || d.Title == "" || len(d.Data.Rows) == 0 {
			t.Errorf("%s: drawn twice, or without a title or its numbers", d.ID)
		}
		seen[d.ID] = true
	}
	for _, id := range []string{"afr", "joint", "flips", "fires", "fcs_params", "forest", "fcs_sets", "joint_sets", "flips_sets"} {
		if !seen[id] {
			t.Errorf("no figure %s among %v", id, seen)
		}
	}
}

// A file of its own is well-formed XML, names itself for those who cannot see it, and has every class that it uses in
// its own style.
func TestSVGStandsAlone(t *testing.T) {
	for _, d := range everyKind(t) {
		file := d.SVG()
		x := xml.NewDecoder(strings.NewReader(file))
		for {
			if _, err := x.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", d.ID, err)
			}
		}
		for _, want := range []string{`xmlns="http://www.w3.org/2000/svg"`, "<title>", "<desc>", "prefers-color-scheme:dark", "--fg:#1b1f24"} {
			if !strings.Contains(file, want) {
				t.Errorf("%s lacks %s", d.ID, want)
			}
		}
		if leads := `aria-details="t-figure_` + d.ID + `"`; !strings.Contains(string(d.Inner()), leads) || strings.Contains(file, "aria-details") {
			t.Errorf("%s: only in a page is there a table to lead to", d.ID)
		}
		styled := file[strings.Index(file, "<style>"):strings.Index(file, "</style>")]
		walk(t, string(d.Inner()), func(name string, attrs map[string]string) {
			for _, class := range strings.Fields(attrs["class"]) {
				if name != "svg" && !regexp.MustCompile(`\.`+class+`\b`).MatchString(styled) {
					t.Fatalf("%s: the class %s of a %s has no style", d.ID, class, name)
				}
			}
		})
	}
}

// The page's view box holds the drawing alone, a file's a margin around it.
func TestMarginOfAFile(t *testing.T) {
	d := everyKind(t)[0]
	box := regexp.MustCompile(`viewBox="([^"]*)"`)
	var inner, file [4]float64
	for i, s := range []string{string(d.Inner()), d.SVG()} {
		for k, f := range strings.Fields(box.FindStringSubmatch(s)[1]) {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				inner[k] = v
			} else {
				file[k] = v
			}
		}
	}
	if file != [4]float64{-margin, -margin, inner[2] + 2*margin, inner[3] + 2*margin} {
		t.Errorf("%v around %v", file, inner)
	}
}

// The PDF holds what the SVG says, word by word, as a reader of PDF files finds it, and the same bytes each time.
func TestPDFSaysTheSame(t *testing.T) {
	reader, missing := exec.LookPath("pdftotext")
	for _, d := range everyKind(t) {
		one, err := d.PDF()
		if err != nil {
			t.Fatal(err)
		}
		two, err := d.PDF()
		if err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s: two drawings differ (%v)", d.ID, err)
		}
		if !bytes.HasPrefix(one, []byte("%PDF-")) {
			t.Fatalf("%s is no PDF", d.ID)
		}
		if missing != nil {
			continue
		}
		name := filepath.Join(t.TempDir(), "f.pdf")
		if err := os.WriteFile(name, one, 0o600); err != nil {
			t.Fatal(err)
		}
		text, err := exec.Command(reader, "-layout", name, "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(strings.Fields(string(text)), "")
		for _, want := range words(t, d) {
			if !strings.Contains(said, want) && !strings.HasPrefix(want, "AFRof") && want != "FCS" { // the heads of turned axes are read otherwise
				t.Errorf("%s: no %q in %q", d.ID, want, said)
			}
		}
	}
	if missing != nil {
		t.Log("no pdftotext: the words of the files were not read")
	}
}

// words are the texts of a drawing, as the fonts of a PDF can set them, without spaces.
func words(t *testing.T, d Drawing) []string {
	t.Helper()
	var out []string
	inText := false
	x := xml.NewDecoder(strings.NewReader(string(d.Inner())))
	for {
		token, err := x.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		switch tok := token.(type) {
		case xml.StartElement:
			inText = tok.Name.Local == "text"
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				out = append(out, strings.Join(strings.Fields(settable(string(tok))), ""))
			}
		}
	}
}

// Bad drawings are errors, not broken files.
func TestPDFOfNoDrawing(t *testing.T) {
	for _, inner := range []string{"", "<p>", `<svg viewBox="0 0 0 9"></svg>`, `<svg viewBox="0 0 9 9"><path d="M0 0"/></svg>`, `<svg viewBox="0 0 9 9"><polygon points="a,b"/></svg>`} {
		d := Drawing{ID: "x", inner: template.HTML(inner)}
		if out, err := d.PDF(); err == nil || !strings.Contains(err.Error(), "x") {
			t.Errorf("%q: %d bytes, %v", inner, len(out), err)
		}
	}
}

// The tones of the parts that stand beside each other differ in lightness or in hue that every colour vision keeps: they
// are Okabe and Ito's. The word on them is readable: at least 4.5 to 1.
func TestTextOnTonesIsReadable(t *testing.T) {
	on, _ := light("on")
	for _, name := range []string{"a", "b", "c", "d", "good", "clash", "past", "absent", "bad", "pale"} {
		tone, ok := light(name)
		if !ok {
			t.Fatal(name)
		}
		if r := contrast(tone, on); r < 4.5 {
			t.Errorf("text on %s: %.1f to 1", name, r)
		}
	}
}

func TestSizesNeedBothNumbers(t *testing.T) {
	table := sizesOf(7)
	table.Rows[0].Cells[1] = percuss.Cell{}
	for what, in := range map[string]percuss.Table{"no count": table, "no rows": sizesOf(), "a count of 0": sizesOf(0), "other columns": {Columns: []percuss.Column{{ID: "model"}}},
		"a short row": {Columns: sizesOf().Columns, Rows: []percuss.Row{{}}}} {
		if out, err := Sizes(in); err != nil || len(out) != 0 {
			t.Errorf("%s: %d drawings, %v", what, len(out), err)
		}
	}
}

func TestSizesAndForestsLieInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var params []float64
		for range rapid.IntRange(1, 14).Draw(t, "models") {
			params = append(params, rapid.Float64Range(0.01, 2000).Draw(t, "params"))
		}
		table := sizesOf(params...)
		f := Forest{ID: "f", Title: "t"}
		for i := range table.Rows {
			e := percuss.Estimate{Value: anyNumber().Draw(t, "value"), Lo: anyNumber().Draw(t, "lo"), Hi: anyNumber().Draw(t, "hi")}
			table.Rows[i].Cells[2] = percuss.Measured(e)
			f.Rows = append(f.Rows, ForestRow{"row", e})
		}
		for _, draw := range []func() ([]Drawing, error){func() ([]Drawing, error) { return Sizes(table) }, f.Draw} {
			all, err := draw()
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range all {
				inside(t, string(d.Inner()))
			}
		}
	})
}

// contrast is the ratio of two colours' luminances, as WCAG 2 defines it.
func contrast(a, b [3]int) float64 {
	lum := func(c [3]int) float64 {
		var of [3]float64
		for i, v := range c {
			s := float64(v) / 255
			if of[i] = s / 12.92; s > 0.04045 {
				of[i] = math.Pow((s+0.055)/1.055, 2.4)
			}
		}
		return 0.2126*of[0] + 0.7152*of[1] + 0.0722*of[2]
	}
	return (max(lum(a), lum(b)) + 0.05) / (min(lum(a), lum(b)) + 0.05)
}
