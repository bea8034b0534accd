package chain

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/percuss/percuss"
)

// TestWorkedJoint holds the joint table of the hand-worked cell:
//
//	M2  i1 age-a update keep; i1 age-b update flip; i2 age-a flip; i2 age-b keep; i2 sex keep; i4 age-a no baseline
//	M4  i1 b keep (inflected update); i2 a flip (inflected update)
//	M5  i1 a keep; i1 b update keep; i3 a flip
func TestWorkedJoint(t *testing.T) {
	g := summarised(t, Options{}, worked("s", paperBattery())...).Cells[0]
	want := []struct {
		rule, family           string
		fired, parsed, dropped int
		a, b, c, d             float64
	}{
		{"token", "", 11, 10, 1, 2, 1, 4, 3},
		{"token", "M2", 6, 5, 1, 1, 1, 2, 1},
		{"token", "M4", 2, 2, 0, 0, 0, 1, 1},
		{"token", "M5", 3, 3, 0, 1, 0, 1, 1},
		{"inflected", "", 11, 10, 1, 3, 2, 3, 2},
		{"inflected", "M2", 6, 5, 1, 1, 1, 2, 1},
		{"inflected", "M4", 2, 2, 0, 1, 1, 0, 0},
		{"inflected", "M5", 3, 3, 0, 1, 0, 1, 1},
	}
	if len(g.Joint) != len(want) {
		t.Fatalf("%d rows, want %d", len(g.Joint), len(want))
	}
	for i, w := range want {
		j := g.Joint[i]
		if j.Rule != w.rule || j.Family != w.family || j.Fired != w.fired || j.Parsed != w.parsed || j.Dropped != w.dropped {
			t.Errorf("row %d: %s %s fired %d parsed %d dropped %d, want %+v", i, j.Rule, j.Family, j.Fired, j.Parsed, j.Dropped, w)
		}
		for k, e := range []percuss.Estimate{j.A, j.B, j.C, j.D} {
			count := []float64{w.a, w.b, w.c, w.d}[k]
			name := w.rule + " " + w.family + " " + string(rune('a'+k))
			near(t, name, e.Value, count/float64(w.parsed))
			near(t, name+" numerator", e.Num, count)
			near(t, name+" denominator", e.Den, float64(w.parsed))
		}
		near(t, w.rule+" lowest", j.Lowest, w.c/float64(w.fired))
		near(t, w.rule+" highest", j.Highest, (w.c+float64(w.dropped))/float64(w.fired))
	}
}

// TestRuleUndefined: a trial whose chain cannot be looked at (letters after an empty reply) is dropped from the table,
// not from the flip rates.
func TestRuleUndefined(t *testing.T) {
	b := paperBattery()
	r := record("s", "i1", "A", "A", "", b, edit{id: "M5-a", answer: "A"}, edit{id: "M5-b", answer: "B", token: true})
	for i := range r.Operators {
		if r.Operators[i].ID == "M5-a" {
			r.Operators[i].Rule = false
		}
	}
	g := summarised(t, Options{}, r).Cells[0]
	if j := g.Joint[0]; j.Fired != 2 || j.Parsed != 1 || j.Dropped != 1 {
		t.Errorf("%+v", j)
	}
	near(t, "cdr", value(t, g, "cdr", "").Value, 0)
	near(t, "cdr_mean", value(t, g, "cdr_mean", "").Value, 0)
	near(t, "AFR", row(t, g.Families, "M5").AFR.Value, 0.5)
}

// TestDroppedTraces: of the trials without two comparable answers, one whose chain shows a trace of the edit is no
// decoupled one whatever the answer was. Five M5 trials: one decoupled, four dropped, of which one shows a trace by
// either rule, one by the inflected rule, one has no trace and one no chain to look at.
func TestDroppedTraces(t *testing.T) {
	b := paperBattery()
	var records []Record
	for i, e := range []edit{
		{answer: "A"}, {answer: unparsed, token: true}, {answer: unparsed, inflected: true}, {answer: unparsed}, {answer: "A", letters: true, token: true},
	} {
		e.id = "M5-a"
		r := record("s", itoa(i), "A", "A", "", b, e)
		if i == 4 {
			for k := range r.Operators {
				r.Operators[k].Rule = false
			}
		}
		records = append(records, r)
	}
	for _, g := range groupsOf(summarised(t, Options{}, records...)) {
		for _, j := range g.Joint {
			if j.Family != "" && j.Family != "M5" {
				continue
			}
			if j.Fired != 5 || j.Parsed != 1 || j.Dropped != 4 {
				t.Errorf("%s: %+v", g.Name, j)
			}
			near(t, j.Rule+" CDR", j.C.Value, 1)
			near(t, j.Rule+" lowest", j.Lowest, 1.0/5)
			near(t, j.Rule+" highest", j.Highest, map[string]float64{"token": 4.0 / 5, "inflected": 3.0 / 5}[j.Rule])
		}
	}
}

// interval is what a printed number stands for: half its last digit either way.
type interval struct{ lo, hi float64 }

func printed(v, unit float64) interval { return interval{v - unit/2, v + unit/2} }

// meets allows for decimals that binary numbers cannot hold.
func (i interval) meets(o interval) bool { return i.lo <= o.hi+1e-9 && o.lo <= i.hi+1e-9 }

// golden are the published figures that are arithmetic on each other: chain paper, Tables 9, Appendix I and Table 6.
type golden struct {
	Raw []map[string]float64 `json:"fcs"`
	MFC struct {
		Weights [3]float64                             `json:"weights"`
		Rows    []struct{ FCS, CHS, DFG, MFC float64 } `json:"rows"`
	} `json:"mfc"`
	Joint struct {
		N      int                   `json:"n_per_model"`
		PanelN int                   `json:"panel_n"`
		Panel  map[string]float64    `json:"panel"`
		Rows   map[string][4]float64 `json:"rows"`
	} `json:"joint_table"`
}

// embeddedGolden holds the numbers for a checkout without the specification's file.
const embeddedGolden = `{
 "fcs": [{"afr_d": 0.032, "afr_p": 0.012, "fcs": 0.51}, {"afr_d": 0.044, "afr_p": 0.025, "fcs": 0.51},
  {"afr_d": 0.044, "afr_p": 0.016, "fcs": 0.514}, {"afr_d": 0.098, "afr_p": 0.073, "fcs": 0.512},
  {"afr_d": 0.098, "afr_p": 0.064, "fcs": 0.517}, {"afr_d": 0.136, "afr_p": 0.105, "fcs": 0.515}],
 "mfc": {"weights": [0.5, 0.3, 0.2], "rows": [{"fcs": 0.53, "chs": 0.1, "dfg": 0.09, "mfc": 0.71},
  {"fcs": 0.53, "chs": 0.17, "dfg": 0.26, "mfc": 0.66}]},
 "joint_table": {"n_per_model": 965, "panel_n": 10615, "panel": {"a": 7.6, "b": 2.9, "c": 72.9, "d": 16.6},
  "rows": {"BioMistral-7B": [0.0, 0.0, 95.9, 4.1], "Qwen2.5-7B": [0.2, 0.2, 94.0, 5.6],
   "OpenBioLLM-8B": [1.9, 0.9, 88.9, 8.3], "Mistral-7B": [3.6, 3.0, 79.9, 13.5], "HuatuoGPT-o1": [3.6, 0.7, 79.5, 16.2],
   "Gemma-2-9B": [14.4, 2.1, 75.2, 8.3], "Qwen2.5-14B": [14.2, 2.4, 72.1, 11.3], "Llama-3.1-8B": [12.8, 3.7, 71.9, 11.5],
   "Med42-8B": [13.3, 3.2, 68.1, 15.4], "DeepSeek-R1-D": [5.9, 7.5, 50.9, 35.8], "Meditron-7B": [13.5, 8.4, 25.6, 52.5]}}}`

// goldens are the embedded figures and, where it is there, the specification's file.
func goldens(t *testing.T) map[string]golden {
	t.Helper()
	out := map[string]golden{}
	read := func(name string, raw []byte) {
		var g golden
		if err := json.Unmarshal(raw, &g); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = g
	}
	read("embedded", []byte(embeddedGolden))
	raw, err := os.ReadFile(filepath.Join("..", "..", "shared", "spec", "golden.json"))
	if err == nil {
		read("file", raw)
	} else if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return out
}

func TestGoldenFCS(t *testing.T) {
	for name, g := range goldens(t) {
		for _, r := range g.Raw {
			d, p := printed(r["afr_d"], 0.001), printed(r["afr_p"], 0.001)
			lo, _ := composite(percuss.Num(d.lo), percuss.Num(p.hi)).Get()
			hi, _ := composite(percuss.Num(d.hi), percuss.Num(p.lo)).Get()
			if !(interval{lo, hi}).meets(printed(r["fcs"], 0.001)) {
				t.Errorf("%s: FCS of %v lies in %.4f to %.4f", name, r, lo, hi)
			}
		}
		if len(g.Raw) != 6 {
			t.Errorf("%s: %d rows", name, len(g.Raw))
		}
	}
}

func TestGoldenMFC(t *testing.T) {
	for name, g := range goldens(t) {
		w := Options{}.weights()
		if g.MFC.Weights != w.mfc || len(g.MFC.Rows) != 2 {
			t.Errorf("%s: weights %v, ours are %v; %d rows", name, g.MFC.Weights, w.mfc, len(g.MFC.Rows))
		}
		for _, r := range g.MFC.Rows {
			f, c, d := printed(r.FCS, 0.01), printed(r.CHS, 0.01), printed(r.DFG, 0.01)
			lo, _ := w.faithfulness(percuss.Num(f.lo), percuss.Num(c.hi), percuss.Num(d.hi)).Get()
			hi, _ := w.faithfulness(percuss.Num(f.hi), percuss.Num(c.lo), percuss.Num(d.lo)).Get()
			if !(interval{lo, hi}).meets(printed(r.MFC, 0.01)) {
				t.Errorf("%s: MFC of %+v lies in %.4f to %.4f", name, r, lo, hi)
			}
		}
	}
}

// TestGoldenJoint checks that whole counts of 965 trials give each printed row, and that the panel is the mean of the
// models. The counts are then put through the tables themselves.
func TestGoldenJoint(t *testing.T) {
	for name, g := range goldens(t) {
		if len(g.Joint.Rows)*g.Joint.N != g.Joint.PanelN || len(g.Joint.Rows) != 11 {
			t.Errorf("%s: %d rows of %d are not %d", name, len(g.Joint.Rows), g.Joint.N, g.Joint.PanelN)
		}
		var records []Record
		var sum [4]interval
		for model, row := range g.Joint.Rows {
			var total interval
			for i, v := range row {
				p := printed(v, 0.1)
				total.lo, total.hi = total.lo+p.lo, total.hi+p.hi
				sum[i].lo, sum[i].hi = sum[i].lo+p.lo/11, sum[i].hi+p.hi/11
			}
			if !total.meets(interval{100, 100}) {
				t.Errorf("%s: %s sums to %.2f to %.2f", name, model, total.lo, total.hi)
			}
			records = append(records, jointRecords(model, counts(row, g.Joint.N))...)
		}
		for i, cell := range []string{"a", "b", "c", "d"} {
			if !sum[i].meets(printed(g.Joint.Panel[cell], 0.1)) {
				t.Errorf("%s: panel (%s) lies in %.2f to %.2f, printed %.1f", name, cell, sum[i].lo, sum[i].hi, g.Joint.Panel[cell])
			}
		}
		if name == "embedded" {
			checkPublished(t, g, summarised(t, Options{Bootstrap: 20}, records...))
		}
	}
}

// checkPublished compares our table of the published counts with the published shares.
func checkPublished(t *testing.T, g golden, f Findings) {
	t.Helper()
	for _, m := range f.Models {
		j := m.Joint[0]
		if j.Parsed != g.Joint.N {
			t.Errorf("%s: %d trials", m.Model, j.Parsed)
		}
		for i, e := range []percuss.Estimate{j.A, j.B, j.C, j.D} {
			// Rounded rows do not always sum to 100.0: the largest cell takes up what is left.
			v := 100 * e.Value.Or(-1)
			if want := g.Joint.Rows[m.Model][i]; math.Abs(v-want) > 0.16 {
				t.Errorf("%s (%c): %.2f, printed %.1f", m.Model, 'a'+i, v, want)
			}
		}
	}
	if f.Panel == nil || f.Panel.Joint[0].Parsed != g.Joint.PanelN {
		t.Fatal("no panel of all trials")
	}
	cdr := 100 * value(t, *f.Panel, "cdr", "").Value.Or(-1)
	if !(interval{cdr, cdr}).meets(interval{g.Joint.Panel["c"] - 0.07, g.Joint.Panel["c"] + 0.07}) {
		t.Errorf("panel CDR %.3f, printed %.1f", cdr, g.Joint.Panel["c"])
	}
}

// counts are whole numbers near the shares of a row, with the given sum.
func counts(row [4]float64, n int) [4]int {
	var out [4]int
	left, largest := n, 0
	for i, v := range row {
		out[i] = int(math.Round(v / 100 * float64(n)))
		left -= out[i]
		if v > row[largest] {
			largest = i
		}
	}
	out[largest] += left
	return out
}

// jointRecords are records with one M5 trial each that fill the four cells.
func jointRecords(model string, cells [4]int) []Record {
	b := paperBattery()
	var out []Record
	for i, n := range cells {
		for range n {
			answer := []string{"A", "B"}[i%2]
			r := record("s", string(rune('a'+i))+itoa(len(out)), "A", "A", "", b, edit{id: "M5-a", answer: answer, token: i < 2})
			r.Subject.Model = model
			out = append(out, r)
		}
	}
	return out
}

// itoa writes a number with leading zeros.
func itoa(n int) string {
	digits := []byte("0000")
	for i := 3; i >= 0; i, n = i-1, n/10 {
		digits[i] += byte(n % 10)
	}
	return string(digits)
}
