package figure

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// drawing is what can be drawn as a Drawing.
type drawing interface {
	Draw() ([]Drawing, error)
}

// draw is the one drawing with its caption; empty: there is none.
func draw(t interface{ Fatal(...any) }, d drawing) string {
	out, err := d.Draw()
	if err != nil || len(out) > 1 {
		t.Fatal(len(out), err)
	}
	if len(out) == 0 {
		return ""
	}
	if len(out[0].Data.Rows) == 0 {
		t.Fatal("a drawing without its numbers")
	}
	return string(out[0].Inner()) + "<!--" + out[0].Caption + "-->"
}

// combined draws combinations.
func combined(t interface{ Fatal(...any) }, c Combinations) string {
	out, err := c.Draw()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// inside checks that every mark of a drawing lies in its view box, and counts the elements by name and class.
func inside(t *rapid.T, drawing string) map[string]int {
	var width, height float64
	found := map[string]int{}
	walk(t, drawing, func(name string, attrs map[string]string) {
		found[strings.TrimSpace(name+" "+attrs["class"])]++
		if name == "svg" {
			if _, err := fmt.Sscanf(attrs["viewBox"], "0 0 %g %g", &width, &height); err != nil {
				t.Fatalf("view box %q: %v", attrs["viewBox"], err)
			}
		}
		for _, k := range []string{"x", "x1", "x2", "cx", "y", "y1", "y2", "cy", "width", "height"} {
			v, ok := attrs[k]
			if !ok || name == "svg" {
				continue
			}
			n, err := strconv.ParseFloat(v, 64)
			most := height
			if strings.Contains(k, "x") || k == "width" {
				most = width
			}
			if err != nil || n < 0 || n > most {
				t.Fatalf("%s of a %s is %s in a box of %g × %g", k, name, v, width, height)
			}
		}
		if name == "rect" {
			x, _ := strconv.ParseFloat(attrs["x"], 64)
			w, _ := strconv.ParseFloat(attrs["width"], 64)
			if x+w > width+0.2 {
				t.Fatalf("a %s ends at %g of %g", attrs["class"], x+w, width)
			}
		}
	})
	return found
}

// anyNumber is a number that may be missing, huge or negative.
func anyNumber() *rapid.Generator[percuss.Number] {
	return rapid.Custom(func(t *rapid.T) percuss.Number {
		if rapid.Bool().Draw(t, "missing") {
			return percuss.Number{}
		}
		return percuss.Num(rapid.OneOf(rapid.Float64Range(-2, 2), rapid.Float64()).Draw(t, "value"))
	})
}

func TestChartMarksLieInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Chart{Title: "t", Percent: rapid.Bool().Draw(t, "percent"), Points: rapid.Bool().Draw(t, "points")}
		if rapid.Bool().Draw(t, "fixed") {
			c.Most = 1
		}
		bars := 0
		for range rapid.IntRange(0, 3).Draw(t, "panels") {
			p := Panel{Title: rapid.SampledFrom([]string{"", "panel"}).Draw(t, "title")}
			for range rapid.IntRange(0, 4).Draw(t, "bars") {
				bars++
				p.Bars = append(p.Bars, Bar{Label: "bar", Estimate: percuss.Estimate{Value: anyNumber().Draw(t, "v"),
					Lo: anyNumber().Draw(t, "lo"), Hi: anyNumber().Draw(t, "hi")}, Mark: anyNumber().Draw(t, "mark")})
			}
			c.Panels = append(c.Panels, p)
		}
		out := draw(t, c)
		if (out == "") != (bars == 0) {
			t.Fatalf("%d bars give %d bytes", bars, len(out))
		}
		if found := inside(t, out); bars > 0 && found["g"] != bars {
			t.Fatalf("%d of %d rows are drawn", found["g"], bars)
		}
	})
}

func TestChartSaysItsNumbers(t *testing.T) {
	out := draw(t, Chart{Title: "Shares <b>", Percent: true, Mark: "chance", Caption: "What is shown.", Panels: []Panel{{Title: "one", Bars: []Bar{
		{Label: "faithful", Class: "faithful", Estimate: share(3, 10), Mark: percuss.Num(0.2), Text: "30 % of <i>"}, {Label: "missing",
			Estimate: percuss.Absent("none"), Text: "–"}}}}})
	for _, want := range []string{"faithful: 30 % of &lt;i&gt;", ">missing</text>", ">–</text>", ">20 %</text>", "Diamonds: chance.", "Shares &lt;b&gt;", `class="bar faithful"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	if n := strings.Count(out, `class="bar `); n != 1 {
		t.Errorf("%d bars for one value", n)
	}
}

func TestAxis(t *testing.T) {
	for most, want := range map[float64][2]float64{1: {1, 0.2}, 0.31: {0.4, 0.1}, 7: {8, 2}, 0.05: {0.05, 0.01}, 0: {1, 0.2}, 1200: {1250, 250}} {
		end, step := Chart{Most: most}.axis()
		if fmt.Sprintf("%.6g %.6g", end, step) != fmt.Sprintf("%.6g %.6g", want[0], want[1]) {
			t.Errorf("up to %g: %g by %g, want %v", most, end, step, want)
		}
	}
}

func TestStacksFillTheirBar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Stack{Label: "bar"}
		for range rapid.IntRange(1, 9).Draw(t, "parts") {
			b.Parts = append(b.Parts, Share{Name: "part", Value: rapid.Float64Range(-0.1, 0.6).Draw(t, "share")})
		}
		inside(t, draw(t, Stacks{Bars: []Stack{b, b}}))
	})
	out := draw(t, Stacks{Title: "t", Bars: []Stack{{Label: "<b>", Parts: []Share{{Name: "much", Value: 0.9, Count: "9"}, {Name: "little",
		Value: 0.01}, {Name: "none"}}}}})
	for _, want := range []string{">a 90 %</text>", "a much 90 % (9), b little 1 %, c none 0 %", "&lt;b&gt;"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
	if n := strings.Count(out, `class="part`); n != 2 {
		t.Errorf("%d parts for two shares above 0", n)
	}
}

func TestGrid(t *testing.T) {
	g := Grid{Title: "All", Columns: []string{"Right", "Suspicious\ncount"}, Rows: []GridRow{{Title: "m <i>, set",
		Cells: []GridCell{{Shown: "60 %", Under: "50–70 %", Scale: percuss.Num(0.6)}}}, {Title: "n", Cells: []GridCell{{Shown: "–"},
		{Shown: "3 of 9", Scale: percuss.Num(7)}}}}}
	out := draw(t, g)
	for _, want := range []string{"m &lt;i&gt;, set, Right: 60 % 50–70 %", "Suspicious count: –", ">3 of 9</text>", ">Suspicious</text>", ">count</text>"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	if missing, cells := strings.Count(out, `class="none"`), strings.Count(out, `class="cell"`); missing != 2 || cells != 2+5 { // five explain the colours
		t.Errorf("%d cells, %d missing", cells, missing)
	}
}

func units(n int) []ChartUnit {
	var out []ChartUnit
	for i := range n {
		out = append(out, ChartUnit{Number: fmt.Sprint(i + 1), Mark: "S", Class: "faithful", Text: fmt.Sprint("finding ", i+1)})
	}
	return out
}

func TestCombinationsLieInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "units")
		c := Combinations{Units: units(n), Threshold: rapid.Float64Range(0, 3).Draw(t, "threshold")}
		dots := 0
		for range rapid.IntRange(1, 6).Draw(t, "rows") {
			r := Combination{Value: rapid.Float64Range(-40, 40).Draw(t, "value"), Class: "suspect", Floor: anyNumber().Draw(t, "floor")}
			for u := range n {
				if rapid.Bool().Draw(t, "in") {
					r.Units, dots = append(r.Units, u), dots+1
				}
			}
			c.Rows = append(c.Rows, r)
		}
		found := inside(t, combined(t, c))
		if found["circle dot faithful"] != dots || found["circle off"] != n*len(c.Rows)-dots || found["rect bar suspect"] != len(c.Rows) {
			t.Fatalf("%v for %d dots in %d rows", found, dots, len(c.Rows))
		}
	})
}

func TestCombinationsSayTheirNumbers(t *testing.T) {
	c := Combinations{Title: "moves", Caption: "c", Units: units(3), Threshold: 0.5, Rows: []Combination{
		{Units: []int{0, 2}, Value: 1.25, Text: "fever <i>", Label: "suspicious: misuse", Class: "suspect", Floor: percuss.Num(0.3)},
		{Units: []int{1}, Value: -2, Text: "cough", Label: "conflict", Class: "conflict"}}}
	out := combined(t, c)
	for _, want := range []string{"1 &#43; 3 (fever &lt;i&gt;): &#43;1.25 nats, suspicious: misuse", ">&#43;1.25</text>", ">−2.00</text>", ">suspicious: misuse</text>", ">−0.5</text>", ">2.0</text>", "1 finding 1"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	var bars []float64
	walk(t, out, func(name string, attrs map[string]string) {
		if name == "rect" && strings.HasPrefix(attrs["class"], "bar ") {
			x, err := strconv.ParseFloat(attrs["x"], 64)
			w, e := strconv.ParseFloat(attrs["width"], 64)
			if err != nil || e != nil {
				t.Fatal(err, e)
			}
			bars = append(bars, x, x+w)
		}
	})
	if len(bars) != 4 || bars[0] != bars[3] || bars[1] <= bars[0] || bars[2] >= bars[3] {
		t.Errorf("bars %v: the positive one must begin where the negative one ends", bars)
	}
	if n := strings.Count(out, `class="band"`); n != 1 {
		t.Errorf("%d noise bands for one known floor", n)
	}
}

// TestBandsEndInside: a noise floor wider than every bar is seen to its ends, unless it would leave nothing of the bars.
func TestBandsEndInside(t *testing.T) {
	row := func(floor float64) Combinations {
		return Combinations{Units: units(1), Threshold: 0.5, Rows: []Combination{{Units: []int{0}, Value: 0.69, Class: "suspect", Floor: percuss.Num(floor)}}}
	}
	for floor, want := range map[float64]float64{0: 0.69, 0.4: 0.69, 0.91: 0.91, 2: 2, 30: 3 * 0.69} {
		if got := row(floor).reach(); got != want {
			t.Errorf("a floor of %g: the axis ends at %g, want %g", floor, got, want)
		}
	}
	if got := (Combinations{Rows: make([]Combination, 1)}).reach(); got != 1 {
		t.Errorf("with nothing to reach to, the axis ends at %g", got)
	}
}

func TestChartsOfNothing(t *testing.T) {
	for _, c := range []Combinations{{}, {Units: units(2)}} {
		if out := combined(t, c); out != "" {
			t.Errorf("combinations of nothing: %q", out)
		}
	}
	for _, d := range []drawing{Chart{}, Stacks{}, Grid{}, Chart{Panels: []Panel{{Title: "empty"}}}} {
		if out := draw(t, d); out != "" {
			t.Errorf("%T draws %q", d, out)
		}
	}
}

// charts are those of the evidence audit, with every class of its mechanisms.
func charts(t testing.TB) (out []Drawing) {
	var bars []Bar
	var parts []Share
	for _, class := range []string{"faithful", "conflict", "background", "negated", "weak", "suspect", ""} {
		bars = append(bars, Bar{Label: "mechanism " + class, Class: class, Estimate: share(3, 10), Mark: percuss.Num(0.2), Text: "30 %"})
		parts = append(parts, Share{Name: "part " + class, Class: class, Value: 1. / 7})
	}
	parts[6].Class = "weak"
	bars = append(bars, Bar{Label: "missing", Estimate: percuss.Absent("none"), Text: "–"})
	for _, d := range []drawing{
		Chart{ID: "mechanisms", Title: "Mechanisms <b>", Percent: true, Mark: "chance", Panels: []Panel{{"one & only", bars}}},
		Chart{ID: "points", Title: "Stability", Points: true, Most: 1, Panels: []Panel{{"", bars}}},
		Stacks{ID: "stacks", Title: "Thresholds", Bars: []Stack{{"all", parts}}},
		Grid{ID: "grid", Title: "Checks", Columns: []string{"Right", "Random\nsigns"}, Rows: []GridRow{{"m, set", []GridCell{{"60 %", "50–70 %", percuss.Num(0.6)}}}}},
	} {
		drawn, err := d.Draw()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, drawn...)
	}
	return out
}

// The numbers of a drawing are those of its bars, parts and cells, missing ones included.
func TestChartsHaveTheirNumbers(t *testing.T) {
	all := charts(t)
	for i, want := range []struct {
		rows  int
		value string
		mark  percuss.Number
	}{{8, "0.300", percuss.Num(0.2)}, {8, "0.300", percuss.Number{}}, {7, "0.143", percuss.Number{}}, {2, "0.600", percuss.Number{}}} {
		data := all[i].Data
		if len(data.Rows) != want.rows || data.ID != "figure_"+all[i].ID || !all[i].Wide {
			t.Errorf("%s: %d rows of %s", all[i].ID, len(data.Rows), data.ID)
		}
		if got := data.Rows[0].Cells[2].Estimate.Value.Format(3); got != want.value {
			t.Errorf("%s: %s, want %s", all[i].ID, got, want.value)
		}
		if want.mark.OK() != (len(data.Columns) == 4 && data.Columns[3].ID == "mark") {
			t.Errorf("%s: columns %v", all[i].ID, data.Columns)
		}
	}
	if e := all[0].Data.Rows[7].Cells[2].Estimate; e.Value.OK() || e.Why != "none" {
		t.Errorf("a missing bar is %+v", e)
	}
	if c := all[3].Data.Rows[1].Cells; c[1].Text != "Random signs" || c[2].Estimate.Value.OK() {
		t.Errorf("a cell that is not there is %+v", c)
	}
}
