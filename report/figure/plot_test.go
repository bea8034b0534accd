package figure

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// between is an estimate with an interval.
func between(v, lo, hi float64, n int) percuss.Estimate {
	return percuss.Estimate{Value: percuss.Num(v), Lo: percuss.Num(lo), Hi: percuss.Num(hi), N: n}
}

// reliable is a reliability diagram of two models.
func reliable() Plot {
	share := func(v float64) percuss.Estimate { return percuss.Estimate{Value: percuss.Num(v)} }
	return Plot{ID: "reliability", Title: "Reliability", Caption: "By bin.", Sample: "20 items", Diagonal: true, Weight: "share of the items",
		X: Axis{Title: "vote share, %", Head: "Vote share", To: 1, Scale: percuss.Percent}, Y: Axis{Title: "right, %", Head: "Right", To: 1, Scale: percuss.Percent},
		Panels: []PlotPanel{{"one", []Series{{Name: "one", Points: []PlotPoint{{"0.4 to 0.5", share(0.45), between(0.25, 0.1, 0.5, 4), percuss.Num(0.2)}, {"0.9 to 1", share(1), between(1, 0.8, 1, 16), percuss.Num(0.8)}}}}},
			{"two", []Series{{Name: "two", Points: []PlotPoint{{"0.9 to 1", share(0.95), percuss.Absent("no <items>"), percuss.Num(0)}}}}}}}
}

func TestPlotSaysItsNumbers(t *testing.T) {
	all, err := reliable().Draw()
	if err != nil || len(all) != 1 {
		t.Fatal(len(all), err)
	}
	d := all[0]
	inner := string(d.Inner())
	for _, want := range []string{"one, 0.4 to 0.5: vote share, % 45 %, right, % 25 % (10 % to 50 %), n = 4", `<line class="zero"`, ">right, %</text>", ">100 %</text>", `class="bar weak"`, "one 0.9 to 1: 80 %", "2 points are drawn"} {
		if !strings.Contains(inner, want) {
			t.Errorf("no %q in %s", want, inner)
		}
	}
	if strings.Count(inner, "<circle") != 2 {
		t.Error("a point without a number is drawn, or one with both is not")
	}
	for _, want := range []string{"On the dashed line both are equal.", "Bars at the foot: share of the items.", "Lines are intervals.", "20 items."} {
		if !strings.Contains(d.Caption, want) {
			t.Errorf("no %q in %q", want, d.Caption)
		}
	}
	rows := d.Data.Rows
	if len(rows) != 3 || len(d.Data.Columns) != 6 || rows[0].Cells[4].Estimate.Lo != percuss.Num(0.1) || rows[2].Cells[4].Estimate.Why != "no <items>" || rows[1].Cells[5].Estimate.Value != percuss.Num(0.8) {
		t.Errorf("numbers %+v", d.Data)
	}
}

// A line joins the points of a series that have both numbers, and its name stands once in the legend.
func TestJoinedSeries(t *testing.T) {
	p := Plot{ID: "curve", Title: "Curve", X: Axis{Title: "chains", Scale: percuss.Whole, Doubling: true}, Y: Axis{Title: "right, %", Scale: percuss.Percent}}
	s := Series{Name: "one", Joined: true}
	for k := 1; k <= 16; k *= 2 {
		s.Points = append(s.Points, PlotPoint{X: percuss.Estimate{Value: percuss.Num(float64(k))}, Y: between(0.5+0.01*float64(k), 0.4, 0.7, 9)})
	}
	s.Points[2].Y = percuss.Absent("nothing")
	p.Panels = []PlotPanel{{Series: []Series{s}}}
	all, err := p.Draw()
	if err != nil || len(all) != 1 {
		t.Fatal(len(all), err)
	}
	inner := string(all[0].Inner())
	if n := strings.Count(inner, `class="join"`); n != 3 {
		t.Errorf("%d lines join four points", n)
	}
	if strings.Count(inner, "1  one: 66 %") != 1 || !strings.Contains(inner, ">16</text>") || !strings.Contains(inner, ">70 %</text>") || strings.Contains(inner, ">80 %</text>") {
		t.Errorf("legend or axes: %s", inner)
	}
}

// The axes of differences reach equally far to both sides of zero, where a line stands out.
func TestPlaneOfDifferences(t *testing.T) {
	p := Plot{ID: "changes", Title: "Changes", X: Axis{Title: "answers, points", Scale: percuss.ShareDiff}, Y: Axis{Title: "errors, points", Scale: percuss.ShareDiff},
		Panels: []PlotPanel{{Series: []Series{{Name: "a", Points: []PlotPoint{{"first", between(0.12, 0.05, 0.2, 30), between(-0.08, -0.12, -0.03, 30), percuss.Number{}}}}}}}}
	all, err := p.Draw()
	if err != nil || len(all) != 1 {
		t.Fatal(len(all), err)
	}
	inner := string(all[0].Inner())
	for _, want := range []string{"1  a, first: &#43;12.0, −8.0", ">&#43;20</text>", ">−10</text>", ">−15</text>", ">0</text>", "answers, points &#43;12.0 (&#43;5.0 to &#43;20.0), errors, points −8.0 (−12.0 to −3.0), n = 30"} {
		if !strings.Contains(inner, want) {
			t.Errorf("no %q in %s", want, inner)
		}
	}
	if n := strings.Count(inner, `class="zero"`); n != 2 {
		t.Errorf("%d lines at zero", n)
	}
}

func TestPlotOfNothing(t *testing.T) {
	for _, p := range []Plot{{}, {Panels: []PlotPanel{{}}}, {Panels: []PlotPanel{{Series: []Series{{Points: []PlotPoint{{"x", percuss.Absent("no"), percuss.Absent("no"), percuss.Number{}}}}}}}}} {
		if all, err := p.Draw(); err != nil || len(all) != 0 {
			t.Errorf("%d drawings of nothing, %v", len(all), err)
		}
	}
}

// Whatever the numbers, every mark lies within its panel and no coordinate is no number.
func TestPlotStaysInside(t *testing.T) {
	scales := []percuss.Scale{percuss.Percent, percuss.ShareDiff, percuss.Rate, percuss.Whole}
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-3, 80)
		p := Plot{ID: "p", Title: "P", X: Axis{Scale: rapid.SampledFrom(scales).Draw(t, "x")}, Y: Axis{Scale: rapid.SampledFrom(scales).Draw(t, "y")}, Weight: "w",
			Diagonal: rapid.Bool().Draw(t, "diagonal"), Panels: []PlotPanel{{}}}
		p.X.Doubling = p.X.Scale == percuss.Whole && rapid.Bool().Draw(t, "doubling")
		for i := range rapid.IntRange(1, 4).Draw(t, "series") {
			s := Series{Name: fmt.Sprint(i), Joined: rapid.Bool().Draw(t, "joined")}
			for range rapid.IntRange(1, 5).Draw(t, "points") {
				x := number.Draw(t, "px")
				if p.X.Doubling {
					x = 1 + math.Abs(x)
				}
				s.Points = append(s.Points, PlotPoint{"", between(x, x, x, 1), between(number.Draw(t, "py"), number.Draw(t, "lo"), number.Draw(t, "hi"), 1), percuss.Num(number.Draw(t, "w"))})
			}
			p.Panels[0].Series = append(p.Panels[0].Series, s)
		}
		all, err := p.Draw()
		if err != nil || len(all) != 1 {
			t.Fatal(len(all), err)
		}
		d := xml.NewDecoder(strings.NewReader(string(all[0].Inner())))
		for token, err := d.Token(); err == nil; token, err = d.Token() {
			e, ok := token.(xml.StartElement)
			if !ok || e.Name.Local != "circle" && e.Name.Local != "rect" && e.Name.Local != "line" {
				continue
			}
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "cx", "cy", "x1", "x2", "y1", "y2", "x", "y":
					if v, err := strconv.ParseFloat(a.Value, 64); err != nil || v < 0 || v > panelLeft+panelSide+plotLegend {
						t.Fatalf("%s of a %s is %s", a.Name.Local, e.Name.Local, a.Value)
					}
				}
			}
		}
	})
}

// A bar that is joined to the row above has a line from that row's point; the first of a panel, and one beside a missing
// value, has none.
func TestJoinedBars(t *testing.T) {
	c := Chart{ID: "c", Title: "C", Points: true, Percent: true, Panels: []Panel{{"p", []Bar{{Label: "a", Estimate: between(0.2, 0.1, 0.3, 5), Joined: true}, {Label: "b", Estimate: between(0.4, 0.3, 0.5, 5), Joined: true},
		{Label: "c", Estimate: percuss.Absent("no"), Joined: true}, {Label: "d", Estimate: between(0.4, 0.3, 0.5, 5), Joined: true}}}}}
	all, err := c.Draw()
	if err != nil || len(all) != 1 {
		t.Fatal(len(all), err)
	}
	if n := strings.Count(string(all[0].Inner()), `class="join"`); n != 1 {
		t.Errorf("%d lines", n)
	}
}
