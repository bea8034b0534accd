package figure

import (
	"fmt"
	"math/bits"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// latticeOf is a lattice whose subsets of one finding were not asked, and whose margins are the number they are.
func latticeOf(units int, focus uint32, linked bool) Lattice {
	l := Lattice{Title: "margin", Caption: "c", Units: units, At: focus,
		Value: func(s uint32) percuss.Number {
			if bits.OnesCount32(s) == 1 {
				return percuss.Number{}
			}
			return percuss.Num(float64(s) - 2.5)
		}, Says: func(s uint32) string { return fmt.Sprintf("<set %d>", s) }}
	if linked {
		l.Href = func(s uint32) string { return fmt.Sprintf("/case?shown=%b&x=1", s) }
	}
	return l
}

func drawnLattice(t *testing.T, l Lattice) string {
	t.Helper()
	out, err := l.Draw()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestLatticeWholeAndAround(t *testing.T) {
	whole := drawnLattice(t, latticeOf(3, 0b101, true))
	for _, want := range []string{`href="/case?shown=101&amp;x=1" aria-current="true"`, "−2.50", "&#43;4.50", `class="unasked"`, ">all<", ">none<", ">1 3<", "3 shown", "0 shown",
		"&lt;set 5&gt;", `class="edges near"`} {
		if !strings.Contains(whole, want) {
			t.Errorf("the whole lattice lacks %s", want)
		}
	}
	if n := strings.Count(whole, "<a "); n != 8 {
		t.Errorf("%d links for 8 subsets", n)
	}
	around := drawnLattice(t, latticeOf(9, 0b101, true))
	for _, want := range []string{"one more", "one fewer", "not asked", ">1 3<", ">show 2<", ">hide 3<"} {
		if !strings.Contains(around, want) {
			t.Errorf("the neighbourhood lacks %s", want)
		}
	}
	if n := strings.Count(around, "<a "); n != 10 {
		t.Errorf("%d links for a subset and its 9 neighbours", n)
	}
	alone := drawnLattice(t, latticeOf(3, 0, false))
	if strings.Contains(alone, "<a ") || !strings.Contains(alone, `role="img"`) || strings.Contains(whole, `role="img"`) {
		t.Error("a lattice without addresses is a picture, one with them is not")
	}
}

// Whatever is asked for, every subset that is drawn lies inside the drawing, and neighbours alone are joined.
func TestLatticeStaysInside(t *testing.T) {
	node := regexp.MustCompile(`<rect class="\w+" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"`)
	rapid.Check(t, func(rt *rapid.T) {
		units := rapid.IntRange(1, 20).Draw(rt, "units")
		l := latticeOf(units, rapid.Uint32().Draw(rt, "at"), rapid.Bool().Draw(rt, "linked"))
		s := drawnLattice(t, l)
		var w, h float64
		if _, err := fmt.Sscanf(s[strings.Index(s, "viewBox"):], `viewBox="0 0 %g %g"`, &w, &h); err != nil {
			rt.Fatal(err)
		}
		all := node.FindAllStringSubmatch(s, -1)
		want, edges := units+1, units
		if units <= WholeUnits {
			want, edges = 1<<units, units<<(units-1)
		}
		if len(all) != want || strings.Count(s, "M") != edges {
			rt.Fatalf("%d subsets, want %d; %d joins, want %d", len(all), want, strings.Count(s, "M"), edges)
		}
		for _, m := range all {
			var x, y, wide float64
			for i, to := range []*float64{&x, &y, &wide} {
				if _, err := fmt.Sscan(m[i+1], to); err != nil {
					rt.Fatal(err)
				}
			}
			if x < latticeLeft || x+wide > w+0.1 || y+nodeHeight > h {
				rt.Fatalf("%s lies outside %g × %g", m[0], w, h)
			}
		}
	})
}

func TestLatticeOfNothing(t *testing.T) {
	for name, change := range map[string]func(*Lattice){"no findings": func(l *Lattice) { l.Units = 0 }, "too many": func(l *Lattice) { l.Units = 21 },
		"no margins": func(l *Lattice) { l.Value = nil }, "no words": func(l *Lattice) { l.Says = nil }} {
		l := latticeOf(3, 0, false)
		change(&l)
		if out, err := l.Draw(); out != "" || err != nil {
			t.Errorf("%s: %q, %v", name, out, err)
		}
	}
}

func TestProfile(t *testing.T) {
	p := Profile{Title: "spread", Axis: "margin of X, nats", Layers: []Layer{{Shown: 0, Asked: 1, Of: 1, Min: percuss.Num(-1.5), Median: percuss.Num(-1.5), Max: percuss.Num(-1.5)},
		{Shown: 1, Asked: 2, Of: 2, Min: percuss.Num(-1), Median: percuss.Num(0), Max: percuss.Num(1), Here: percuss.Num(1)}, {Shown: 2, Of: 1}}}
	out, err := p.Draw()
	if err != nil {
		t.Fatal(err)
	}
	s := string(out)
	for _, want := range []string{"1 shown (2 of 2 asked): margin −1.00 to &#43;1.00, median 0.00 nats, the subset in focus &#43;1.00", ">−1.50<", "2 shown (0 of 1 asked)", ">not asked<", "margin of X, nats", "<circle"} {
		if !strings.Contains(s, want) {
			t.Errorf("the profile lacks %s", want)
		}
	}
	if strings.Index(s, ">2 shown") > strings.Index(s, ">0 shown") {
		t.Error("all the evidence does not stand on top")
	}
	p.Layers = p.Layers[2:]
	if out, err := p.Draw(); out != "" || err != nil {
		t.Errorf("of nothing: %q, %v", out, err)
	}
	flat := Profile{Layers: []Layer{{Min: percuss.Num(0), Median: percuss.Num(0), Max: percuss.Num(0)}}}
	if out, err := flat.Draw(); err != nil || strings.Contains(string(out), "NaN") || strings.Contains(string(out), "Inf") {
		t.Errorf("of a flat one: %q, %v", out, err)
	}
}
