package figure

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
)

func share(num, den float64) percuss.Estimate {
	return percuss.Estimate{Value: percuss.Num(num / den), Lo: percuss.Num(num / den / 2), Hi: percuss.Num(num / den), Num: percuss.Num(num), Den: percuss.Num(den), N: int(den)}
}

// two groups, of which the second lacks an edit and has another without a value.
func two() []Group {
	edit := func(id string, intent battery.Intent, flips, fires percuss.Estimate) chain.Firing {
		return chain.Firing{ID: id, Title: "title of " + id, Intent: intent, Items: 60, Fired: 21, Parsed: 18, AFR: flips, Rate: fires}
	}
	first := []chain.Firing{edit("F1", battery.Destructive, share(4, 18), share(21, 60)), edit("M3", battery.Preserving, share(9, 18), share(60, 60))}
	second := []chain.Firing{edit("F1", battery.Destructive, percuss.Absent("no <b>fired</b> trial"), share(0, 60))}
	joint := chain.Joint{Rule: "token", Parsed: 20, A: share(2, 20), B: share(3, 20), C: share(10, 20), D: share(5, 20)}
	same := joint
	same.Rule = "inflected"
	metrics := []chain.Metric{{ID: "afr_d", Scope: "F", Estimate: share(4, 18)}, {ID: "afr_p", Scope: "F", Estimate: share(9, 18)}}
	return []Group{{Title: "one, neutral", Group: chain.Group{Families: first, Operators: first, Joint: []chain.Joint{joint, same}, Metrics: metrics}},
		{Title: "two <i>", Group: chain.Group{Families: second, Operators: second}}}
}

// walk reads the drawing as XML and calls f for each element.
func walk(t interface{ Fatal(...any) }, drawing string, f func(name string, attrs map[string]string)) {
	d := xml.NewDecoder(strings.NewReader("<all>" + strings.ReplaceAll(drawing, "<br>", "<br/>") + "</all>"))
	d.Entity = xml.HTMLEntity
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal("not well formed:", err)
		}
		if e, ok := token.(xml.StartElement); ok {
			attrs := map[string]string{}
			for _, a := range e.Attr {
				attrs[a.Name.Local] = a.Value
			}
			f(e.Name.Local, attrs)
		}
	}
}

// whole is every figure of the chain audit, one after the other.
func whole(t *testing.T, leading, groups, cells []Group) string {
	t.Helper()
	all, err := Chain(leading, groups, cells)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, d := range all {
		b.WriteString(string(d.Inner()))
	}
	return b.String()
}

func TestFiguresSayTheirNumbers(t *testing.T) {
	drawing := whole(t, two(), two(), two())
	for _, want := range []string{
		"F1 title of F1, one, neutral: the answer flips in 4 of 18 compared trials, AFR 0.222 (0.111 to 0.222)",
		">0.22</text>", ">4/18</text>", "fired on 21 of 60 items, rate 0.350", ">0.35</text>",
		"no &lt;b&gt;fired&lt;/b&gt; trial", "M3 title of M3, two &lt;i&gt;: not tried", ">–</text>",
		"one, neutral, token rule, 20 trials, the same by the inflected rule", "c 0.50", "scope F: AFR_D 0.222",
	} {
		if !strings.Contains(string(drawing), want) {
			t.Errorf("no %q", want)
		}
	}
	classes := map[string]int{}
	svgs := 0
	walk(t, string(drawing), func(name string, attrs map[string]string) {
		if name == "svg" {
			svgs++
		}
		if name == "rect" {
			classes[attrs["class"]]++
		}
	})
	// Per matrix: F1 and M3 in two groups; of flips two of the four have no value, of firing one. The key of the joint distribution holds each part once, that of each matrix five cells.
	if classes["cell"] != 2+3+4*5 || classes["none"] != 2+1 || classes["jc"] != 2 || svgs != 2+4 {
		t.Errorf("%d drawings of %v", svgs, classes)
	}
}

func TestNothingToDraw(t *testing.T) {
	if all, err := Chain(nil, nil, nil); err != nil || len(all) != 0 {
		t.Errorf("%d drawings, %v", len(all), err)
	}
}

// Many edits are drawn as several strips, each edit once, the heading over the first and the caption under the last.
func TestStripsHoldEveryEditOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g Group
		n := rapid.IntRange(1, 60).Draw(t, "edits")
		for i := range n {
			g.Families = append(g.Families, chain.Firing{ID: rapid.SampledFrom([]string{"F", "M"}).Draw(t, "block") + strconv.Itoa(i), AFR: share(1, 2)})
		}
		seen := map[string]bool{}
		all := flipMatrices([]Group{g})
		for i, m := range all {
			if len(m.Columns) > columnsMax || len(m.Rows) != 1 || len(m.Rows[0].Cells) != len(m.Columns) {
				t.Fatalf("strip %d has %d columns", i, len(m.Columns))
			}
			if (m.Heading != "") != (i == 0) || (m.Caption != "") != (i == len(all)-1) {
				t.Fatalf("strip %d of %d: %q, %q", i, len(all), m.Heading, m.Caption)
			}
			for _, c := range m.Columns {
				if seen[c.ID] || c.ID[0] != m.Columns[0].ID[0] {
					t.Fatalf("%s is drawn twice or among others", c.ID)
				}
				seen[c.ID] = true
			}
		}
		if len(seen) != n {
			t.Fatalf("%d of %d edits", len(seen), n)
		}
	})
}

// Whatever the values, every mark lies inside its drawing.
func TestMarksLieInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(-0.5, 1.5)
		estimate := func(what string) percuss.Estimate {
			if rapid.Bool().Draw(t, what+" missing") {
				return percuss.Absent("none")
			}
			return percuss.Estimate{Value: percuss.Num(value.Draw(t, what))}
		}
		groups := two()
		for i := range groups {
			groups[i].Families = []chain.Firing{{ID: "F1", AFR: estimate("afr")}, {ID: "F2", AFR: estimate("afr")}}
		}
		for _, m := range flipMatrices(groups) {
			for _, r := range m.Rows {
				for _, c := range r.Cells {
					x, errX := strconv.ParseFloat(c.X, 64)
					y, errY := strconv.ParseFloat(c.Y, 64)
					if errX != nil || errY != nil || x < labelWidth || x+58 > float64(m.Width) || y < headHeight || y+32 > float64(m.Height) {
						t.Fatalf("cell at %s, %s of %d × %d", c.X, c.Y, m.Width, m.Height)
					}
					if c.Missing {
						continue
					}
					if w, err := strconv.ParseFloat(c.Bar, 64); err != nil || w < 0 || w > 58 {
						t.Fatalf("bar %s", c.Bar)
					}
				}
			}
		}
	})
}

func TestFit(t *testing.T) {
	for in, want := range map[string]string{"abcd": "abcd", "abcde": "abc…", "ééééé": "ééé…", "": ""} {
		if got := fit(in, 4); got != want {
			t.Errorf("fit(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestMarksThatMeetShareALabel: no number is lost, none stands on another, and a circle is drawn after a square.
func TestMarksThatMeetShareALabel(t *testing.T) {
	place := rapid.SampledFrom([]float64{0, 0.02, 0.5, 0.9, 1})
	rapid.Check(t, func(t *rapid.T) {
		var groups []Group
		for i := range rapid.IntRange(1, 5).Draw(t, "groups") {
			g := Group{Title: fmt.Sprint("g", i)}
			for _, scope := range []string{"F", "M"} {
				for _, id := range []string{"afr_d", "afr_p"} {
					g.Metrics = append(g.Metrics, chain.Metric{ID: id, Scope: scope, Estimate: percuss.Estimate{Value: percuss.Num(place.Draw(t, id))}})
				}
			}
			groups = append(groups, g)
		}
		r := newRates(groups)
		var numbers []string
		circle := false
		for i, p := range r.Points {
			if p.Number != "" {
				numbers = append(numbers, strings.Split(p.Number, ", ")...)
			}
			for _, q := range r.Points[:i] {
				if p.Number != "" && q.Number != "" && math.Abs(p.x-q.x) < near && math.Abs(p.y-q.y) < near {
					t.Fatalf("%s stands on %s", p.Number, q.Number)
				}
			}
			if circle = circle || !p.Square; circle && p.Square {
				t.Fatal("a square covers a circle")
			}
		}
		for i, p := range r.Named {
			if p.Name != fmt.Sprint(i+1) || !slices.Contains(numbers, p.Name) {
				t.Fatalf("%q is not among %q", p.Name, numbers)
			}
		}
		if len(numbers) != len(r.Named) {
			t.Fatalf("%d numbers of %d", len(numbers), len(r.Named))
		}
	})
}

// TestLabelsStandOnNoMark: a number stands on no mark where one of its places is free.
func TestLabelsStandOnNoMark(t *testing.T) {
	var groups []Group
	for i, v := range [][2]float64{{0, 0}, {0.03, 0.04}, {0.06, 0.01}, {0.5, 0.5}} {
		groups = append(groups, Group{Title: fmt.Sprint("g", i), Group: chain.Group{Metrics: []chain.Metric{
			{ID: "afr_d", Scope: "F", Estimate: percuss.Estimate{Value: percuss.Num(v[1])}}, {ID: "afr_p", Scope: "F", Estimate: percuss.Estimate{Value: percuss.Num(v[0])}}}}})
	}
	points := newRates(groups).Points
	for _, p := range points {
		x, errX := strconv.ParseFloat(p.NumX, 64)
		y, errY := strconv.ParseFloat(p.NumY, 64)
		if p.Number == "" {
			continue
		}
		if errX != nil || errY != nil || x < plotLeft || y > plotTop+plotSide {
			t.Errorf("%s stands at %s, %s, outside the plot", p.Number, p.NumX, p.NumY)
		}
		for _, q := range points {
			if x < q.x+5 && q.x-5 < x+6 && y-9 < q.y+5 && q.y-5 < y {
				t.Errorf("%s at %s, %s stands on the mark at %.0f, %.0f", p.Number, p.NumX, p.NumY, q.x, q.y)
			}
		}
	}
}

// TestSizesNamesWhatIsMissing: a model with a size and no FCS is named.
func TestSizesNamesWhatIsMissing(t *testing.T) {
	row := func(name string, fcs percuss.Estimate) percuss.Row {
		return percuss.Row{Cells: []percuss.Cell{percuss.Said(name), percuss.Valued(percuss.Num(7)), percuss.Measured(fcs)}}
	}
	out, err := Sizes(percuss.Table{Columns: []percuss.Column{{ID: "model"}, {ID: "params", Scale: percuss.Decimal}, {ID: "fcs", Scale: percuss.Rate}},
		Rows: []percuss.Row{row("drawn", share(1, 2)), row("short chains", percuss.Absent("no chain to edit"))}})
	if err != nil || len(out) != 1 || len(out[0].Data.Rows) != 1 || !strings.Contains(out[0].Caption, "Not drawn, for it has no FCS: short chains.") {
		t.Errorf("%v %+v", err, out)
	}
}

// TestForestKeepsItsLabels: the room for labels grows with them.
func TestForestKeepsItsLabels(t *testing.T) {
	long := "early-commit-r1-distill-qwen-14b, all preserving edits"
	out, err := Forest{ID: "effects", Rows: []ForestRow{{Label: long, Estimate: percuss.Estimate{Value: percuss.Num(-0.25), Lo: percuss.Num(-0.5), Hi: percuss.Num(0), N: 9}}}}.Draw()
	if err != nil || len(out) != 1 || !strings.Contains(string(out[0].Inner()), ">"+long+"<") || !strings.Contains(string(out[0].Inner()), "−0.250 (−0.500 to 0.000), n 9") {
		t.Errorf("%v %s", err, out[0].Inner())
	}
}
