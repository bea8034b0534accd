package stat

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// Bloch and Kraemer 1989, on which Donner and Eliasziw 1992 build: the variance for two raters and two categories.
func TestKappaPlanOfTwoRatersIsThatOfDonnerAndEliasziw(t *testing.T) {
	for _, kappa := range []float64{0, .2, .5, .9} {
		for _, share := range []float64{.05, .3, .5} {
			variance := (1 - kappa) * ((1-kappa)*(1-2*kappa) + kappa*(2-kappa)/(2*share*(1-share)))
			e := KappaPlan{Kappa: kappa, Prevalences: []float64{share, 1 - share}, Level: .9}.Width(1000, 2)
			near(t, "width", e.Value, 2*normalQuantile(.9)*math.Sqrt(variance/1000), 1e-12)
		}
	}
}

// urn draws the labels of an item of the plan: each label is drawn from those before it, or else from the prevalences.
func urn(p KappaPlan, raters int, float func() float64) []int {
	var row []int
	for i := range raters {
		old := float64(i) * p.Kappa / (1 - p.Kappa + float64(i)*p.Kappa)
		if u := float(); u < old {
			row = append(row, row[min(i-1, int(u/old*float64(i)))])
			continue
		}
		u, k := float(), 0
		for ; k < len(p.Prevalences)-1 && u >= p.Prevalences[k]; k++ {
			u -= p.Prevalences[k]
		}
		row = append(row, k)
	}
	return row
}

// Reviews that are drawn from the plan: kappa is the expected one, and spreads as the plan says.
func TestKappaPlanAgainstDrawnReviews(t *testing.T) {
	p := KappaPlan{Kappa: .6, Prevalences: []float64{.6, .3, .1}}
	rng := percuss.Rand(3, "", "", "reviews")
	const items, reviews = 150, 700
	for _, raters := range []int{2, 5} {
		fleiss, cohen := moments{}, moments{}
		for range reviews {
			r := Ratings{Categories: []string{"a", "b", "c"}}
			for range items {
				r.Items = append(r.Items, urn(p, raters, rng.Float64))
			}
			fleiss.add(FleissKappa(r, Weights{}, Options{Replicates: 1}).Value.Or(9))
			cohen.add(CohenKappa(r, Weights{}, Options{Replicates: 1}).Value.Or(9))
		}
		want := p.Width(items, raters).Value.Or(0)
		for name, s := range map[string]moments{"Fleiss": fleiss, "Cohen": cohen} {
			mean, sd := s.told()
			if width := 2 * normalQuantile(.95) * sd; math.Abs(mean-.6) > .01 || math.Abs(width/want-1) > .08 {
				t.Errorf("%d raters, %s: mean %.3f, width %.4f, planned %.4f", raters, name, mean, width, want)
			}
		}
	}
}

// moments are what mean and standard deviation are computed from.
type moments struct{ n, sum, squares float64 }

func (s *moments) add(v float64) { s.n, s.sum, s.squares = s.n+1, s.sum+v, s.squares+v*v }

func (s moments) told() (mean, sd float64) {
	mean = s.sum / s.n
	return mean, math.Sqrt((s.squares/s.n - mean*mean) * s.n / (s.n - 1))
}

func TestKappaPlanItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share := rapid.Float64Range(.05, .95).Draw(t, "share")
		p := KappaPlan{Kappa: rapid.Float64Range(0, .95).Draw(t, "kappa"), Prevalences: []float64{share, 1 - share}}
		raters, width := rapid.IntRange(2, 6).Draw(t, "raters"), rapid.Float64Range(.02, 1.5).Draw(t, "width")
		n, err := p.Items(width, raters)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Width(n, raters).Value.Or(9); got > width+1e-9 {
			t.Fatalf("%d items have a width of %v, above %v", n, got, width)
		}
		if n > 1 && p.Width(n-1, raters).Value.Or(0) <= width-1e-9 {
			t.Fatalf("%d items would do for %v", n-1, width)
		}
		if wide, narrow := p.Width(50, raters).Value.Or(0), p.Width(50, raters+1).Value.Or(9); narrow > wide+1e-12 {
			t.Fatalf("one more rater widens %v to %v", wide, narrow)
		}
	})
}

func TestKappaPlanRefuses(t *testing.T) {
	half := []float64{.5, .5}
	many := make([]float64, 40)
	for i := range many {
		many[i] = 1. / 40
	}
	for want, c := range map[string]struct {
		plan          KappaPlan
		items, raters int
	}{
		"expected kappa 1":            {KappaPlan{Kappa: 1, Prevalences: half}, 10, 2},
		"expected kappa NaN":          {KappaPlan{Kappa: math.NaN(), Prevalences: half}, 10, 2},
		"expected prevalence 0":       {KappaPlan{Prevalences: []float64{1, 0}}, 10, 2},
		"two categories or more":      {KappaPlan{Prevalences: []float64{1}}, 10, 2},
		"add up to 0.9":               {KappaPlan{Prevalences: []float64{.5, .4}}, 10, 2},
		"1 raters":                    {KappaPlan{Prevalences: half}, 10, 1},
		"confidence level 95":         {KappaPlan{Prevalences: half, Level: 95}, 10, 2},
		"20 raters and 40 categories": {KappaPlan{Prevalences: many}, 10, 20},
		"0 items":                     {KappaPlan{Prevalences: half}, 0, 2},
	} {
		if e := c.plan.Width(c.items, c.raters); e.Value.OK() || !strings.Contains(e.Why, want) {
			t.Errorf("%+v, want %q", e, want)
		}
		if _, err := c.plan.Table([]int{c.items}, []int{c.raters}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("table: %v, want %q", err, want)
		}
		if _, err := c.plan.Items(.2, c.raters); (err == nil) != (c.items == 0) {
			t.Errorf("items: %v, want %q", err, want)
		}
	}
	for _, width := range []float64{0, -1, 2.5, math.NaN(), 1e-9} {
		if n, err := (KappaPlan{Prevalences: half}).Items(width, 2); err == nil || !strings.Contains(err.Error(), "width") {
			t.Errorf("width %v: %d items, %v", width, n, err)
		}
	}
}

func TestKappaPlanTable(t *testing.T) {
	p := KappaPlan{Kappa: .6, Prevalences: []float64{.9, .1}}
	table, err := p.Table([]int{20, 100, 400}, []int{2, 3})
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 3 || len(table.Columns) != 3 || table.Columns[2].ID != "raters_3" || table.Columns[1].Head != "2 raters" {
		t.Fatalf("%+v", table)
	}
	for i, n := range []int{20, 100, 400} {
		cells := table.Rows[i].Cells
		near(t, "items", cells[0].Estimate.Value, float64(n), 0)
		near(t, "2 raters", cells[1].Estimate.Value, p.Width(n, 2).Value.Or(9), 0)
		near(t, "3 raters", cells[2].Estimate.Value, p.Width(n, 3).Value.Or(9), 0)
	}
	if len(table.Notes) != 1 || !strings.HasPrefix(table.Notes[0], "Up to 20 items") || !strings.Contains(table.About, "0.9, 0.1") {
		t.Errorf("%q, %v", table.About, table.Notes)
	}
	if e := p.Width(20, 2); len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "on 2.0 items") {
		t.Errorf("%+v", e)
	}
	for want, of := range map[string][2][]int{"give numbers": {nil, {2}}, "2 raters are named twice": {{10}, {2, 2}}} {
		if _, err := p.Table(of[0], of[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
