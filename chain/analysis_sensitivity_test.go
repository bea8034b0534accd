package chain

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

func TestWeightSweeps(t *testing.T) {
	records, by := drawn()
	f := summarised(t, Options{Bootstrap: 20}, records...)
	worth, ranks := tableOf(t, f, "weights_chs_models"), tableOf(t, f, "weights_chs")
	triples := [][3]float64{{1, .3, .5}, {1.5, .3, .5}, {.7, .3, .5}, {1, .6, .5}, {1, .3, .8}, {1, .5, .5}}
	if len(ranks.Rows) != len(triples) || ranks.Paper != "Table 10" {
		t.Fatalf("%d rows", len(ranks.Rows))
	}
	var base []float64
	for i, w := range triples {
		var v []float64
		for m := range 4 {
			want := ofBoth(by, m, func(s slow) float64 { return s.chs(w) })
			near(t, fmt.Sprint(w, m), worth.Rows[m].Cells[1+i].Estimate.Value, want)
			v = append(v, want)
		}
		if i == 0 {
			base = v
		}
		near(t, fmt.Sprint("τ of ", w), ranks.Rows[i].Cells[5].Estimate.Value, tau(base, v))
		for k := range w {
			near(t, "weight", ranks.Rows[i].Cells[1+k].Estimate.Value, w[k])
		}
		order := strings.Split(ranks.Rows[i].Cells[6].Text, ", ")
		for k := 1; k < len(order); k++ {
			if v[order[k-1][1]-'0'] > v[order[k][1]-'0'] {
				t.Errorf("%v: %v of %v", w, order, v)
			}
		}
	}
	mfc := tableOf(t, f, "weights_mfc")
	for i, w := range compositeSchemes {
		if sum := w.weights[0] + w.weights[1] + w.weights[2]; math.Abs(sum-1) > 1e-9 || mfc.Rows[i].Cells[0].Text != w.name {
			t.Errorf("%s sums to %g", w.name, sum)
		}
	}
	near(t, "MFC of m0", cellAt(t, tableOf(t, f, "weights_mfc_models"), "scheme_1", "m0").Estimate.Value, value(t, f.Models[0], "mfc", "").Value.Or(-1))
	near(t, "τ of the default", mfc.Rows[0].Cells[5].Estimate.Value, 1)
	if alone := tableOf(t, summarised(t, Options{Bootstrap: 20}, records[:24]...), "weights_chs"); alone.Absent != "a ranking takes at least two models with a value, there are 1" {
		t.Errorf("%q", alone.Absent)
	}
}

// TestRankingTies: equal models are joined, and τ-b of a ranking with ties against itself is 1.
func TestRankingTies(t *testing.T) {
	records, _ := drawn()
	twin := as("twin", "neutral", records[:24])
	ranks := tableOf(t, summarised(t, Options{Bootstrap: 20}, slices.Concat(records, twin)...), "weights_chs")
	if !strings.Contains(ranks.Rows[0].Cells[6].Text, "m0 = twin") {
		t.Errorf("%q", ranks.Rows[0].Cells[6].Text)
	}
	near(t, "τ-b", ranks.Rows[0].Cells[5].Estimate.Value, 1)
}

func TestLeastTau(t *testing.T) {
	row := func(name string, tau percuss.Number) percuss.Row {
		cells := make([]percuss.Cell, tauColumn+1)
		cells[0], cells[tauColumn] = percuss.Said(name), percuss.Valued(tau)
		return percuss.Row{Cells: cells}
	}
	one := row("default", percuss.Num(1))
	for want, rows := range map[string][]percuss.Row{
		"":                                  {one, row("b", percuss.Num(1))},
		"The smallest τ-b is 0.91 (equal).": {one, row("equal", percuss.Num(0.91)), row("none", percuss.Number{})},
		"The smallest τ-b is -0.20 (b, c).": {one, row("a", percuss.Num(0.5)), row("b", percuss.Num(-0.2)), row("c", percuss.Num(-0.2))},
	} {
		if got := strings.Join(leastTau(rows), ""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestCorrelations(t *testing.T) {
	records, by := drawn()
	table := tableOf(t, summarised(t, Options{Bootstrap: 20}, records...), "correlations")
	var f, m, words, chs, fCells, mCells []float64
	for i := range 4 {
		f = append(f, ofBoth(by, i, func(s slow) float64 { return s.fcs("F", "") }))
		m = append(m, ofBoth(by, i, func(s slow) float64 { return s.fcs("M", "") }))
		for _, set := range []string{"s", "t"} {
			s := by[fmt.Sprintf("m%d %s", i, set)]
			fCells, mCells, chs = append(fCells, s.fcs("F", "")), append(mCells, s.fcs("M", "")), append(chs, s.chs(hazardWeights))
			sum := 0
			for _, r := range s {
				sum += r.Base.Words
			}
			words = append(words, float64(sum)/12)
		}
	}
	minusCHS := make([]float64, len(chs))
	for i, v := range chs {
		minusCHS[i] = 1 - v
	}
	for _, c := range []struct {
		first, second, over string
		want                float64
		n                   int
	}{
		{"FCS (F)", "FCS (M)", "models", pearson(f, m), 4}, {"FCS (F)", "FCS (M)", "cells", pearson(fCells, mCells), 8},
		{"FCS (F)", "1 − CHS", "cells", pearson(fCells, minusCHS), 8}, {"words of the chain", "FCS (F)", "cells", pearson(words, fCells), 8},
		{"words of the chain", "CHS", "cells", pearson(words, chs), 8},
	} {
		got := cellAt(t, table, "pearson", c.first, c.second, c.over).Estimate
		near(t, c.first+" and "+c.second+" over "+c.over, got.Value, c.want)
		reading := cellAt(t, table, "reading", c.first, c.second, c.over).Text
		if want := math.Abs(c.want) < 0.3; got.N != c.n || strings.HasPrefix(reading, "nearly independent") != want {
			t.Errorf("%s and %s: r %.3f of %d pairs reads %q", c.first, c.second, c.want, got.N, reading)
		}
	}
	if len(table.Rows) != 8 {
		t.Errorf("%d rows", len(table.Rows))
	}
	lengths := tableOf(t, summarised(t, Options{Bootstrap: 20}, records...), "chain_length")
	for i, row := range lengths.Rows {
		near(t, "words of cell "+row.Cells[0].Text+" "+row.Cells[2].Text, row.Cells[3].Estimate.Value, words[i])
	}
}

func TestReadCorrelation(t *testing.T) {
	of := func(r, lo, hi float64, n int) percuss.Estimate {
		return percuss.Estimate{Value: percuss.Num(r), Lo: percuss.Num(lo), Hi: percuss.Num(hi), N: n}
	}
	for _, c := range []struct {
		e    percuss.Estimate
		want string
	}{
		{of(0.05, -0.15, 0.25, 90), "nearly independent"},
		{of(-0.29, -0.78, 0.43, 9), "nearly independent, but r from -0.78 to 0.43 is not excluded"},
		{of(0.29, 0.11, 0.45, 100), "nearly independent, but r from 0.11 to 0.45 is not excluded"},
		{of(0.58, -0.62, 0.97, 5), "cannot tell"}, {of(-0.5, -0.9, 0.2, 9), "cannot tell"},
		{of(0.8, 0.3, 0.95, 9), "rise together"}, {of(-0.8, -0.95, -0.3, 9), "one falls as the other rises"},
		{percuss.Estimate{Value: percuss.Num(1), N: 6}, "rise together"}, {percuss.Estimate{Value: percuss.Num(1), N: 3}, "too few to say"},
		{percuss.Estimate{N: 1}, ""},
	} {
		if got := readCorrelation(c.e); got != c.want {
			t.Errorf("%+v: %q, want %q", c.e, got, c.want)
		}
	}
}

func TestSpreadOfCells(t *testing.T) {
	records, by := drawn()
	f := summarised(t, Options{Bootstrap: 200}, records...)
	table := tableOf(t, f, "cells_spread")
	inside, near7 := 0, 0
	for _, s := range by {
		v := s.fcs("F", "")
		inside += int(bit(v >= 0.45 && v <= 0.55))
		near7 += int(bit(math.Abs(v-0.5) <= 0.07))
	}
	near(t, "cells", cellAt(t, table, "cells", "FCS (F)").Estimate.Value, 8)
	near(t, "inside", cellAt(t, table, "inside", "FCS (F)").Estimate.Value, float64(inside))
	near(t, "near", cellAt(t, table, "near", "FCS (F)").Estimate.Value, float64(near7))
	var widths []float64
	for _, g := range f.Cells {
		m := value(t, g, "fcs", "F")
		widths = append(widths, (m.Hi.Or(0)-m.Lo.Or(0))/2)
	}
	slices.Sort(widths)
	near(t, "median half-width", cellAt(t, table, "half_width", "FCS (F)").Estimate.Value, (widths[3]+widths[4])/2)
	if cellAt(t, table, "inside", "CHS").Estimate.Value.OK() {
		t.Error("a corridor of CHS")
	}
}

func TestLeaveOut(t *testing.T) {
	records, by := drawn()
	f := summarised(t, Options{Bootstrap: 50}, records...)
	table := tableOf(t, f, "leave_out")
	for _, c := range []struct{ family, scope, blocks string }{{"F4", "F", "F"}, {"F4", "all", "FM"}, {"M6", "M", "M"}, {"M6", "all", "FM"}} {
		panel := 0.0
		for m := range 4 {
			with := ofBoth(by, m, func(s slow) float64 { return s.fcs(c.blocks, "") })
			without := ofBoth(by, m, func(s slow) float64 { return s.fcs(c.blocks, c.family) })
			name := fmt.Sprint("m", m)
			near(t, name+" without "+c.family+" "+c.scope, cellAt(t, table, "fcs_without", name, c.family, c.scope).Estimate.Value, without)
			near(t, name+" change "+c.family+" "+c.scope, cellAt(t, table, "change", name, c.family, c.scope).Estimate.Value, without-with)
			panel += (without - with) / 4
		}
		e := cellAt(t, table, "change", "panel of 4 models", c.family, c.scope).Estimate
		near(t, "panel change", e.Value, panel)
		if !e.Lo.OK() || e.Lo.Or(0) > e.Hi.Or(0) {
			t.Errorf("%s %s: %+v", c.family, c.scope, e)
		}
	}
	if len(table.Rows) != 4*5 || len(table.Notes) != 4 {
		t.Errorf("%d rows, notes %q", len(table.Rows), table.Notes)
	}
	// Without F4 the change of accuracy is the mean of the other four edits.
	delta := tableOf(t, f, "leave_out_delta")
	for i, g := range f.Cells[:1] {
		sum, n := 0.0, 0.0
		for _, e := range []string{"F1-50", "F2", "F3", "F5"} {
			if v, ok := value(t, g, "fdelta", e).Value.Get(); ok {
				sum, n = sum+v, n+1
			}
		}
		near(t, fmt.Sprint("cell ", i), g.figure("fdelta_without", "F4").Value, sum/n)
	}
	if len(delta.Rows) != 5 || !strings.Contains(delta.Notes[0], "Median over 4 models") {
		t.Errorf("%d rows, %q", len(delta.Rows), delta.Notes)
	}
	none := tableOf(t, summarised(t, Options{Battery: trimmed("F4"), Bootstrap: 20}, records...), "leave_out")
	if e := cellAt(t, none, "fcs_without", "m0", "F4", "F").Estimate; e.Value.OK() || e.Why != "the battery has no F4" {
		t.Errorf("%+v", e)
	}
}

// trimmed is the paper's battery without a family.
func trimmed(family string) battery.Battery {
	b := paperBattery()
	b.Operators = slices.DeleteFunc(b.Operators, func(o battery.Operator) bool { return o.Family == family })
	return b
}

// TestUpdates: m0 has the shortest chains, below 40 words, and is left out in the last row.
func TestUpdates(t *testing.T) {
	records, by := drawn()
	table := tableOf(t, summarised(t, Options{Bootstrap: 20}, records...), "updates")
	panel, rest := 0.0, 0.0
	for m := range 4 {
		n, update, decoupled := 0.0, 0.0, 0.0
		for _, set := range []string{"s", "t"} { // pooled
			by[fmt.Sprintf("m%d %s", m, set)].trials(func(op battery.Operator) bool { return registering(op) }, func(_ Record, t OperatorTrial) {
				n, update, decoupled = n+1, update+bit(t.Token), decoupled+bit(!t.Token && t.Flip == Kept)
			})
		}
		near(t, fmt.Sprint("update of m", m), cellAt(t, table, "update", fmt.Sprint("m", m)).Estimate.Value, update/n)
		near(t, fmt.Sprint("CDR of m", m), cellAt(t, table, "cdr", fmt.Sprint("m", m)).Estimate.Value, decoupled/n)
		panel += decoupled / n / 4
		if m > 0 {
			rest += decoupled / n / 3
		}
	}
	near(t, "panel", cellAt(t, table, "cdr", "panel of 4 models").Estimate.Value, panel)
	near(t, "without m0", cellAt(t, table, "cdr", "without chain compression (3 of 4 models)").Estimate.Value, rest)
	if cellAt(t, table, "mode", "m0").Text != modeCompression {
		t.Error("m0 is not compressed")
	}
}

func TestFCSParams(t *testing.T) {
	records, by := drawn()
	table := tableOf(t, summarised(t, Options{Bootstrap: 20, Models: describedModels()}, records...), "fcs_params")
	if len(table.Rows) != 3 {
		t.Fatalf("%d rows", len(table.Rows))
	}
	var x, y []float64
	for m, params := range []float64{1, 2, 8} {
		want := ofBoth(by, m, func(s slow) float64 { return s.fcs("F", "") })
		near(t, "FCS", cellAt(t, table, "fcs", fmt.Sprint("m", m)).Estimate.Value, want)
		near(t, "params", cellAt(t, table, "params", fmt.Sprint("m", m)).Estimate.Value, params)
		near(t, "FCS on t", cellAt(t, table, "fcs_t", fmt.Sprint("m", m)).Estimate.Value, by[fmt.Sprintf("m%d t", m)].fcs("F", ""))
		x, y = append(x, math.Log10(params)), append(y, want)
	}
	if want := fmt.Sprintf("over 3 models (too few to say): Pearson r %s", percuss.Num(pearson(x, y)).Format(2)); !strings.Contains(table.Notes[0], want) {
		t.Errorf("%q lacks %q", table.Notes[0], want)
	}
	if none := tableOf(t, summarised(t, Options{Bootstrap: 20}, records...), "fcs_params"); none.Absent == "" {
		t.Error("points without a number of parameters")
	}
	four := []percuss.Number{percuss.Num(1), percuss.Num(2), percuss.Num(3), percuss.Num(4)}
	if note := correlationNote(four, []percuss.Number{four[1], four[0], four[3], four[2]}, 0.95); strings.Contains(note, tooFew) || !strings.Contains(note, "over 4 models: Pearson r 0.60 (") {
		t.Errorf("four models are enough for an interval: %q", note)
	}
}
