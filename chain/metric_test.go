package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// TestWorkedMetrics holds every metric of the hand-worked cell (see worked).
func TestWorkedMetrics(t *testing.T) {
	g := summarised(t, Options{Direct: true}, worked("s", paperBattery())...).Cells[0]
	for _, c := range []struct {
		id, scope string
		want      float64
	}{
		// Right with a chain: i1 and i2 of i1, i2, i3. Without: i1 and i4 of four. On i1, i2, i3: 2 against 1.
		{"acc", "", 2.0 / 3}, {"acc_direct", "", 0.5}, {"cot_gap", "", 100.0 / 3},
		// No update and keep: M2-age-b and M2-sex on i2, M4-b and M5-a on i1; ten comparable trials. The inflected rule
		// sees M4-b on i1.
		{"cdr", "", 0.4}, {"cdr_inflected", "", 0.3}, {"cdr_mean", "", 0.4}, {"cdr_inflected_mean", "", 0.3},
		// F1-25 1/2, F1-50 2/2, F1-75 0/1, F2-a 0/3, F3-a 1/2, F5-a 0/1: mean of six.
		{"afr_d", "F", 2.0 / 6},
		// M1-a 1/2, M2-age-a 1/2, M2-age-b 1/2, M2-sex 0/1, M4-a 1/1, M4-b 0/1, M5-a 1/2, M5-b 0/1: mean of eight.
		{"afr_d", "M", 3.0 / 8}, {"afr_d", "all", 5.0 / 14},
		// F4-a 0/3, F4-b 1/1, F6-a 0/1; M3-a 2/3.
		{"afr_p", "F", 1.0 / 3}, {"afr_p", "M", 2.0 / 3}, {"afr_p", "all", (1 + 2.0/3) / 4},
		{"fcs", "F", 0.5/3 + 0.5*2/3}, {"fcs", "M", 0.5*3/8 + 0.5/3}, {"fcs", "all", 0.5*5/14 + 0.5*7/12},
		{"afr_d_pooled", "F", 4.0 / 11}, {"afr_d_pooled", "M", 5.0 / 12}, {"afr_d_pooled", "all", 9.0 / 23},
		{"afr_p_pooled", "F", 1.0 / 5}, {"afr_p_pooled", "M", 2.0 / 3}, {"afr_p_pooled", "all", 3.0 / 8},
		// F1 keeps i1 only, of i1, i2, i3 with a baseline; it fired on i1 and i2.
		{"ecr", "", 1.0 / 3}, {"ecr_fired", "", 0.5},
		// M3-a: i1 A to B 1, i2 B to A 0.3, of 3; M4: i2 B to C 0.5, of 2; M5: i3 D to A 0.3, of 3.
		{"chs", "", (1.3/3 + 0.5/2 + 0.3/3) / 3}, {"chs_pooled", "", 2.1 / 8},
		// Baseline on i1, i2: 2/2; age-a 2/3; age-b 1/2; sex 1/1. Paired: age-a and age-b lose one of two.
		{"dfg", "", 0.5}, {"dfg_paired", "", 0.5},
		{"mfc", "", 0.5*0.5 + 0.3*(1-(1.3/3+0.5/2+0.3/3)/3) + 0.2*0.5},
		// F1-50 0/2, F2 2/3, F3 1/2, F4 2/4, F5 1/1.
		{"facc", "", (2.0/3 + 0.5 + 0.5 + 1) / 5},
		// On the same items: F1-50 loses 2 of 2, F2 none of 3, F3 1 of 2, F4 1 of 4, F5 none of 1.
		{"fdelta", "", 35}, {"fdelta", "F1-50", 100}, {"fdelta", "F2", 0}, {"fdelta", "F3", 50}, {"fdelta", "F4", 25}, {"fdelta", "F5", 0},
		{"fdelta_paper", "", 100 * (2.0/3 - (2.0/3+0.5+0.5+1)/5)}, {"fdelta_paper", "F4", 100 * (2.0/3 - 0.5)},
	} {
		near(t, c.id+" "+c.scope, value(t, g, c.id, c.scope).Value, c.want)
	}
}

func TestNumeratorAndDenominator(t *testing.T) {
	g := summarised(t, Options{}, worked("s", paperBattery())...).Cells[0]
	for _, c := range []struct {
		id, scope string
		num, den  float64
		n         int
	}{
		{"acc", "", 2, 3, 3}, {"cot_gap", "", 1, 3, 3}, {"cdr", "", 4, 10, 3}, {"ecr", "", 1, 3, 3}, {"ecr_fired", "", 1, 2, 2},
		{"afr_d_pooled", "all", 9, 23, 3}, {"chs_pooled", "", 2.1, 8, 3}, {"fdelta", "F4", 1, 4, 3}, {"facc", "", 6, 12, 3},
	} {
		m := value(t, g, c.id, c.scope)
		near(t, c.id+" numerator", m.Num, c.num)
		near(t, c.id+" denominator", m.Den, c.den)
		if m.N != c.n {
			t.Errorf("%s: n = %d items, want %d", c.id, m.N, c.n)
		}
	}
}

// TestItemsOfDeltas: of four items three have a baseline, and F3 fired on two of those; the published form takes every
// baseline, the paired one the items of the edit.
func TestItemsOfDeltas(t *testing.T) {
	g := summarised(t, Options{}, worked("s", paperBattery())...).Cells[0]
	for _, c := range []struct {
		id, scope string
		n         int
	}{{"fdelta", "F3", 2}, {"fdelta_paper", "F3", 3}, {"fdelta", "F5", 1}, {"fdelta_paper", "F5", 3}, {"fdelta_paper", "", 3}} {
		if m := value(t, g, c.id, c.scope); m.N != c.n {
			t.Errorf("%s %s: n = %d items, want %d", c.id, c.scope, m.N, c.n)
		}
	}
}

func TestWarnings(t *testing.T) {
	g := summarised(t, Options{}, worked("s", paperBattery())...).Cells[0]
	for id, want := range map[string]string{
		"ecr":   "counted as not kept: 1 item", // i2: F1-25 and F1-50 flip, F1-75 has no answer
		"afr_d": "left out: F2-b, F2-c, F3-b, F3-c, F5-b, M1-b",
		"dfg":   "",
	} {
		scope := ""
		if id == "afr_d" {
			scope = "all"
		}
		got := strings.Join(value(t, g, id, scope).Warnings, "\n")
		if !strings.Contains(got, want) || want == "" && strings.Contains(got, lowFiring) {
			t.Errorf("%s warns %q, want %q", id, got, want)
		}
	}
	if m := value(t, g, "dfg", ""); !strings.Contains(m.Method, "baseline 2/2, M2-age-a 2/3, M2-age-b 1/2, M2-sex 1/1") {
		t.Errorf("DFG does not say what it compares: %q", m.Method)
	}
}

// TestCompositeNeedsCommitment: one truncation of four keeps the answer, so ECR is 0.25 and MFC is withheld.
func TestCompositeNeedsCommitment(t *testing.T) {
	b := paperBattery()
	records := worked("s", b)
	records[3] = record("s", "i4", "A", "A", "", b, edit{id: "F1-25", answer: "B"}, edit{id: "M2-age-a", answer: "A"})
	f := summarised(t, Options{}, records...)
	for _, g := range []Group{f.Cells[0], f.Models[0]} {
		m := value(t, g, "mfc", "")
		if m.Value.OK() || m.Why != "ECR is 0.25, below 0.30" {
			t.Errorf("%s: MFC %s, why %q", g.Name, m.Value.Format(2), m.Why)
		}
	}
}

// TestMixedTruncation: F1-50 gives the baseline's answer, but read from the letters: not kept.
func TestMixedTruncation(t *testing.T) {
	b := paperBattery()
	g := summarised(t, Options{}, record("s", "i1", "A", "A", "", b, edit{id: "F1-50", answer: "A", letters: true})).Cells[0]
	near(t, "ecr", value(t, g, "ecr", "").Value, 0)
	if r := row(t, g.Operators, "F1-50"); r.Mixed != 1 || r.MixedFlips != 0 {
		t.Errorf("F1-50: %+v", r)
	}
}

func TestWeights(t *testing.T) {
	g := summarised(t, Options{CHS: [3]float64{1, 0.6, 0.5}, MFC: [3]float64{1, 1, 2}}, worked("s", paperBattery())...).Cells[0]
	chs := (1.6/3 + 0.5/2 + 0.6/3) / 3
	near(t, "chs", value(t, g, "chs", "").Value, chs)
	near(t, "mfc", value(t, g, "mfc", "").Value, (0.5+(1-chs)+2*0.5)/4)
}

// TestFamilies: with one variant a family, ECR is labelled, and DFG and MFC are missing with the reason.
func TestFamilies(t *testing.T) {
	b := familiesBattery()
	records := []Record{
		record("s", "i1", "A", "A", "", b, edit{id: "F1-50", answer: "A"}, edit{id: "M2-age-a", answer: "B"}),
		record("s", "i2", "A", "A", "", b, edit{id: "F1-50", answer: "B"}, edit{id: "M3-a", answer: "A"}, edit{id: "F4-a", answer: "A"}),
	}
	f := summarised(t, Options{Battery: b}, records...)
	for _, g := range []Group{f.Cells[0], f.Models[0]} {
		ecr := value(t, g, "ecr", "")
		near(t, "ecr", ecr.Value, 0.5)
		if len(ecr.Warnings) == 0 || ecr.Warnings[0] != "F1-50 only" {
			t.Errorf("%s: ECR warns %q", g.Name, ecr.Warnings)
		}
		for _, id := range []string{"dfg", "dfg_paired", "mfc"} {
			if m := value(t, g, id, ""); m.Value.OK() || !strings.Contains(m.Why, "the battery has only M2-age-a") {
				t.Errorf("%s: %s = %s, why %q", g.Name, id, m.Value.Format(2), m.Why)
			}
		}
	}
}

// TestLowFiring: M2 fires on one of three items.
func TestLowFiring(t *testing.T) {
	b := paperBattery()
	records := []Record{
		record("s", "i1", "A", "A", "", b, edit{id: "M2-sex", answer: "B"}),
		record("s", "i2", "A", "A", "", b), record("s", "i3", "A", "A", "", b),
	}
	f := summarised(t, Options{}, records...)
	m := value(t, f.Cells[0], "dfg", "")
	near(t, "dfg", m.Value, 1)
	if !m.LowFiring() || !strings.Contains(strings.Join(m.Warnings, "\n"), "M2 fired on 1 of 3 items") {
		t.Errorf("warnings %q", m.Warnings)
	}
	if !value(t, f.Models[0], "dfg", "").LowFiring() {
		t.Error("the model's DFG has no mark")
	}
}

// TestWidth: where no resample differs, Wilson's interval stands in: of 4 items, none flips.
func TestWidth(t *testing.T) {
	b := paperBattery()
	var records []Record
	for _, id := range []string{"i1", "i2", "i3", "i4"} {
		records = append(records, record("s", id, "A", "A", "A", b, edit{id: "F1-50", answer: "A"}, edit{id: "F4-a", answer: "A"},
			edit{id: "M3-a", answer: "A"}, edit{id: "M2-sex", answer: "A"}))
	}
	g := summarised(t, Options{}, records...).Cells[0]
	// Wilson for 0 of 4: z² ÷ (n + z²) with z = 1.959964.
	const h = 3.841459 / (4 + 3.841459)
	for _, c := range []struct {
		id, scope string
		lo, hi    float64
	}{{"afr_d", "F", 0, h}, {"acc", "", 1 - h, 1}, {"cot_gap", "", -100 * h, 100 * h}, {"chs", "", 0, h}, {"dfg", "", 0, h}, {"fdelta", "", -100 * h, 100 * h}} {
		m := value(t, g, c.id, c.scope)
		lo, hi := m.Lo.Or(99), m.Hi.Or(99)
		if diff := max(lo-c.lo, c.lo-lo, hi-c.hi, c.hi-hi); diff > 1e-4 {
			t.Errorf("%s: %.4f to %.4f, want %.4f to %.4f", c.id, lo, hi, c.lo, c.hi)
		}
	}
	for _, m := range g.Metrics {
		if m.Value.OK() && m.Hi.Or(0)-m.Lo.Or(0) <= 0 {
			t.Errorf("%s %s: interval of no width %v %v (%v)", m.ID, m.Scope, m.Lo, m.Hi, m.Warnings)
		}
	}
}

func TestDefinitionsCoverTheMetrics(t *testing.T) {
	g := summarised(t, Options{}, worked("s", paperBattery())...).Cells[0]
	var order []string
	for _, m := range g.Metrics {
		if len(order) == 0 || order[len(order)-1] != m.ID {
			order = append(order, m.ID)
		}
	}
	var defined []string
	for _, d := range Definitions() {
		defined = append(defined, d.ID)
		if d.Name == "" || d.Means == "" || d.Range == "" || d.Source == "" {
			t.Errorf("%s is not explained: %+v", d.ID, d)
		}
		if d.Better != "lower" && d.Better != "higher" && d.Better != "neither" {
			t.Errorf("%s: better %q", d.ID, d.Better)
		}
	}
	order = append(order, "cdr_if_dropped_flipped", "cdr_if_dropped_kept", "margin_change")
	if strings.Join(order, " ") != strings.Join(defined, " ") {
		t.Errorf("metrics  %v\ndefined %v", order, defined)
	}
}

func TestHighAcuity(t *testing.T) {
	for text, want := range map[string]bool{
		"Septic shock": true, "ACUTE MYOCARDIAL INFARCTION": true, "Ectopic pregnancy": true, "breast Carcinoma": true,
		"Diabetic ketoacidosis": true, "Heatstroke": true, "Malignancy": false, "Haemorrhage": false, "Tension headache": false, "": false,
	} {
		if got := HighAcuity(text); got != want {
			t.Errorf("HighAcuity(%q) = %v", text, got)
		}
	}
	if len(acute) != 18 {
		t.Errorf("%d terms, the paper has 18", len(acute))
	}
}

// TestDeltas counts the published figures of Table 4 (golden.json, f_block_delta).
func TestDeltas(t *testing.T) {
	var changes []percuss.Estimate
	for _, v := range []float64{-1.7, 0, 0.7, 0.7, 1.2, -0.1, 3.2, -0.6, 4.1, -1.2, -0.5, -0.3, 0.3, -0.6} {
		changes = append(changes, percuss.Estimate{Value: percuss.Num(v), Lo: percuss.Num(v - 2), Hi: percuss.Num(v + 2)})
	}
	changes = append(changes, percuss.Absent("not measured"))
	if small, gaining, clear := deltas(changes); small != 11 || gaining != 7 || clear != 2 {
		t.Errorf("%d small, %d gaining, %d clear; want 11, 7, 2", small, gaining, clear)
	}
}

// TestMissingParts: a combination that has no value says which of its parts has none, and why.
func TestMissingParts(t *testing.T) {
	b := paperBattery()
	few := b
	few.Operators = slices.DeleteFunc(slices.Clone(b.Operators), func(o battery.Operator) bool { return o.Family != "F1" && o.Family != "M4" && o.Family != "M3" })
	records := func(b battery.Battery) []Record {
		return []Record{record("s", "i1", "A", "A", "", b, edit{id: "F1-25", answer: "A"}, edit{id: "M3-a", answer: "A"})}
	}
	for _, c := range []struct {
		battery   battery.Battery
		id, scope string
		want      string
	}{
		{few, "fcs", "F", "AFR_P is missing: the battery has no preserving operator of the F-block"},
		{few, "fcs", "M", "AFR_D is missing: no destructive operator of the M-block fired and was answered"},
		{few, "mfc", "", "FCS (scope F) is missing: AFR_P is missing: the battery has no preserving operator of the F-block; " +
			"DFG is missing: needs M2-age-a, M2-age-b and M2-sex; the battery has none of them"},
		{b, "fcs", "F", "AFR_P is missing: no preserving operator of the F-block fired and was answered"},
	} {
		f := summarised(t, Options{Battery: c.battery}, records(c.battery)...)
		for _, g := range []Group{f.Cells[0], f.Models[0]} {
			if m, ok := g.Metric(c.id, c.scope); !ok || m.Value.OK() || m.Why != c.want {
				t.Errorf("%s: %s %s: %q, want %q", g.Name, c.id, c.scope, m.Why, c.want)
			}
		}
	}
	two := summarised(t, Options{}, record("s", "i1", "A", "A", "", b, edit{id: "F1-25", answer: "A"}),
		record("u", "i2", "A", "A", "", b, edit{id: "F4-a", answer: "A"}))
	if m, _ := two.Models[0].Metric("fcs", "F"); m.Value.OK() || m.Why != noParts {
		t.Errorf("a part in each data set: %s, %q", m.Value.Format(2), m.Why)
	}
}
