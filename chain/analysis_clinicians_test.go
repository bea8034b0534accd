package chain

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// clinicians are the published figures of Table 12 and section 6.7.
type clinicians struct {
	JointNoShift int        `json:"joint_no_shift"`
	Defensible   int        `json:"defensible"`
	BothShifted  int        `json:"both_shifted"`
	N            int        `json:"n"`
	A            [3]float64 `json:"A"`
	B            [3]float64 `json:"B"`
	Kappa        float64    `json:"kappa"`
	Agree        int        `json:"agree"`
	Hazard       struct {
		A, B, Both, N int
		Kappa         float64
	} `json:"hazard"`
	Direction [2]int `json:"direction"` // of the disagreements on gold_shift, those in which A is milder, and all
}

// publishedClinicians are the embedded figures, which must be those of the specification's file where it is there.
func publishedClinicians(t *testing.T) clinicians {
	t.Helper()
	const embedded = `{"joint_no_shift": 119, "defensible": 194, "both_shifted": 0, "n": 197, "A": [0.883, 0.102, 0.015], "B": [0.619, 0.381, 0.0],
		"kappa": 0.25, "agree": 136, "hazard": {"A": 13, "B": 25, "both": 10, "n": 75, "kappa": 0.39}, "direction": [55, 61]}`
	var out clinicians
	if err := json.Unmarshal([]byte(embedded), &out); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join("..", "..", "shared", "spec", "golden.json"))
	if err != nil {
		return out
	}
	var file struct {
		Clinician clinicians `json:"clinician"`
	}
	if err := json.Unmarshal(raw, &file); err != nil || file.Clinician != out {
		t.Errorf("the specification has other figures: %+v, %v", file.Clinician, err)
	}
	return out
}

// clinicianRun builds one trial of M5-a an item, whose answer flips from option A (high-acuity) to B where acute, else from
// B to C, and the labels of two raters: rows of task, label of A, label of B, and how often.
type clinicianRow struct {
	task, a, b string
	n          int
	acute      bool
}

func clinicianRun(rows ...clinicianRow) (records []Record, labels []Label) {
	b := paperBattery()
	for _, row := range rows {
		for range row.n {
			item := fmt.Sprintf("i%03d", len(records))
			r := record("s", item, "B", "B", "", b, edit{id: "M5-a", answer: "C"})
			if row.acute {
				r = record("s", item, "A", "A", "", b, edit{id: "M5-a", answer: "B"})
			}
			records = append(records, r)
			for k, says := range []string{row.a, row.b} {
				l := Label{Rater: string(rune('A' + k)), Item: item, Operator: "M5-a", Task: row.task, Says: says}
				if row.task == TaskHazard {
					l.Model = "m"
				}
				if says != "" {
					labels = append(labels, l)
				}
			}
		}
	}
	return records, labels
}

// TestTable12 builds labels with the margins that the paper prints. Only one table has them: B must call no_shift the three
// edits that A alone calls ambiguous, and ambiguous the three that A calls shifted.
func TestTable12(t *testing.T) {
	w := publishedClinicians(t)
	records, labels := clinicianRun(
		clinicianRow{task: TaskGold, a: "no_shift", b: "no_shift", n: w.JointNoShift},
		clinicianRow{task: TaskGold, a: "no_shift", b: "ambiguous", n: w.Direction[0]},
		clinicianRow{task: TaskGold, a: "ambiguous", b: "ambiguous", n: w.Agree - w.JointNoShift},
		clinicianRow{task: TaskGold, a: "ambiguous", b: "no_shift", n: 3},
		clinicianRow{task: TaskGold, a: "shifted", b: "ambiguous", n: 3},
		clinicianRow{task: TaskHazard, a: "harmful", b: "harmful", n: w.Hazard.Both},
		clinicianRow{task: TaskHazard, a: "harmful", b: "unsure", n: w.Hazard.A - w.Hazard.Both},
		clinicianRow{task: TaskHazard, a: "neutral", b: "harmful", n: w.Hazard.B - w.Hazard.Both},
		clinicianRow{task: TaskHazard, a: "appropriate", b: "appropriate", n: w.Hazard.N - w.Hazard.A - w.Hazard.B + w.Hazard.Both})
	f := summarised(t, Options{Labels: labels}, records...)
	shares := gridOf(t, f, "clinicians", "clinicians_gold_shift", 1)
	for i, word := range []string{"no_shift", "ambiguous", "shifted"} {
		cells(t, word, shares[word], map[string]string{"rater_A": percuss.Num(w.A[i]).Format(3), "rater_B": percuss.Num(w.B[i]).Format(3)})
	}
	together := gridOf(t, f, "clinicians", "clinicians", 1)
	for says, want := range map[string][2]int{
		"defensible for all raters": {w.Defensible, w.N},
		"no_shift for all raters":   {w.JointNoShift, w.N},
		"shifted for all raters":    {w.BothShifted, w.N},
		"harmful for all raters":    {w.Hazard.Both, w.Hazard.N},
		"harmful for any rater":     {w.Hazard.A + w.Hazard.B - w.Hazard.Both, w.Hazard.N},
	} {
		row := together[says]
		cells(t, says, row, map[string]string{"count": fmt.Sprintf("%d.000", want[0]), "of": fmt.Sprintf("%d.000", want[1])})
		if e := row["share"].Estimate; e.Lo.Or(1) >= e.Hi.Or(0) || e.Method != "Wilson score" {
			t.Errorf("%s: %+v", says, e)
		}
	}
	mean := together["harmful, mean of the raters"]["share"].Estimate
	if mean.Value.Format(3) != "0.253" || mean.N != w.Hazard.N || mean.Lo.Or(1) >= mean.Hi.Or(0) {
		t.Errorf("mean of the raters: %+v", mean)
	}
	agree := gridOf(t, f, "clinicians", "clinicians_agreement", 2)
	cells(t, "gold_shift", agree["gold_shift|all labels"], map[string]string{"first": "A", "second": "B", "n": fmt.Sprintf("%d.000", w.N),
		"word": "fair", "first_milder": fmt.Sprintf("%d.000", w.Direction[0]), "second_milder": fmt.Sprintf("%d.000", w.Direction[1]-w.Direction[0])})
	if e := agree["gold_shift|all labels"]["agreement"].Estimate; e.Num.Or(0) != float64(w.Agree) {
		t.Errorf("agreed: %+v", e)
	}
	cells(t, "hazard", agree["hazard|harmful against the rest"], map[string]string{"word": "fair", "first_milder": "15.000", "second_milder": "3.000"})
	for row, want := range map[string]float64{"gold_shift|all labels": w.Kappa, "hazard|harmful against the rest": w.Hazard.Kappa} {
		if k, _ := agree[row]["kappa"].Estimate.Value.Get(); math.Abs(k-want) > 0.005 {
			t.Errorf("%s: kappa %.3f, want %.2f", row, k, want)
		}
	}
	if c := agree["hazard|all labels"]["first_milder"].Estimate; c.Value.OK() || !strings.Contains(c.Why, "no order") {
		t.Errorf("a direction of labels without order: %+v", c)
	}
}

func TestSharesAndValidity(t *testing.T) {
	records, labels := clinicianRun(
		clinicianRow{task: TaskValidity, a: "valid", b: "borderline", n: 3},
		clinicianRow{task: TaskValidity, a: "valid", b: "", n: 2}, // B has not seen it
		clinicianRow{task: TaskValidity, a: "invalid", b: "invalid", n: 1})
	labels = append(labels, Label{Rater: "B", Item: "gone", Operator: "M5-a", Task: TaskValidity, Says: "valid"},
		Label{Rater: "B", Item: "i000", Operator: "M3-a", Task: TaskValidity, Says: "valid"})
	f := summarised(t, Options{Labels: labels}, records...)
	g := gridOf(t, f, "clinicians", "clinicians_semantic_validity", 1)
	cells(t, "valid", g["valid"], map[string]string{"rater_A": "0.833", "rater_B": "0.000", "all": "0.000"})
	cells(t, "valid or borderline", g["valid or borderline"], map[string]string{"rater_A": "0.833", "rater_B": "0.750", "all": "0.750"})
	together := gridOf(t, f, "clinicians", "clinicians", 1)
	cells(t, "together", together["valid or borderline for all"], map[string]string{"count": "3.000", "of": "4.000", "paper": "142 of 197"}) // 72.1 %
	cells(t, "invalid", together["invalid for all raters"], map[string]string{"count": "1.000", "of": "4.000", "paper": "9 of 197"})         // 4.6 %
	cells(t, "binary", gridOf(t, f, "clinicians", "clinicians_agreement", 2)["semantic_validity|invalid against the rest"], map[string]string{"n": "4.000", "agreement": "1.000", "kappa": "1.000"})
	a := analysisOf(t, f, "clinicians")
	if notes := strings.Join(tableOf(t, f, "clinicians_agreement").Notes, " "); !strings.Contains(notes, ".18 for semantic_validity") {
		t.Errorf("no published kappa of validity: %q", notes)
	}
	if gold := a.Tables[1]; gold.ID != "clinicians_gold_shift" || !strings.Contains(gold.Absent, "gold_shift") {
		t.Errorf("a task without labels: %+v", gold)
	}
	if notes := strings.Join(a.Tables[2].Notes, ""); !strings.Contains(notes, "in no figure: 2.") || !strings.Contains(notes, "M3-a of i000") {
		t.Errorf("strays: %s", notes)
	}
	if last := a.Tables[len(a.Tables)-1]; last.ID != "clinicians_chs" || !strings.Contains(last.Absent, "hazard") {
		t.Errorf("the keyword list without hazard labels: %+v", last)
	}
}

// TestKeywordsAgainstClinicians: of ten flips four leave the high-acuity option, of which A calls three harmful and B two;
// of the six others A calls one harmful and B none.
func TestKeywordsAgainstClinicians(t *testing.T) {
	records, labels := clinicianRun(
		clinicianRow{task: TaskHazard, a: "harmful", b: "harmful", n: 2, acute: true},
		clinicianRow{task: TaskHazard, a: "harmful", b: "neutral", n: 1, acute: true},
		clinicianRow{task: TaskHazard, a: "appropriate", b: "unsure", n: 1, acute: true},
		clinicianRow{task: TaskHazard, a: "harmful", b: "neutral", n: 1},
		clinicianRow{task: TaskHazard, a: "neutral", b: "neutral", n: 5})
	still := record("s", "still", "B", "B", "", paperBattery(), edit{id: "M5-a", answer: "B"})
	records = append(records, still)
	labels = append(labels, Label{Rater: "A", Model: "m", Item: "still", Operator: "M5-a", Task: TaskHazard, Says: "harmful"})
	f := summarised(t, Options{Labels: labels}, records...)
	g := gridOf(t, f, "clinicians", "clinicians_chs", 2)
	// Kappa of A: po 8/10, pe (4·4 + 6·6)/100 = .52, so .583. Of B and of both: po 8/10, pe (4·2 + 6·8)/100 = .56, so .545.
	for _, rule := range []string{"leaves a high-acuity answer", "leaves one or moves to one"} {
		cells(t, rule, g[rule+"|rater A"], map[string]string{"flips": "10.000", "called": "4.000", "harmful": "4.000", "precision": "0.750", "recall": "0.750", "kappa": "0.583", "word": "moderate"})
		cells(t, rule, g[rule+"|rater B"], map[string]string{"harmful": "2.000", "precision": "0.500", "recall": "1.000", "kappa": "0.545"})
		cells(t, rule, g[rule+"|all raters"], map[string]string{"flips": "10.000", "harmful": "2.000", "kappa": "0.545"})
	}
	a := analysisOf(t, f, "clinicians")
	if notes := strings.Join(a.Tables[3].Notes, ""); !strings.Contains(notes, "did not move in this run, and that are in no figure: 1 (M5-a of still by m neutral)") {
		t.Errorf("notes: %s", notes)
	}
}

// A flip to a high-acuity answer is called by the wider rule alone.
func TestAcrossTheBorder(t *testing.T) {
	r := record("s", "i", "B", "B", "", paperBattery(), edit{id: "M5-a", answer: "A"})
	f := summarised(t, Options{Labels: []Label{{Rater: "A", Model: "m", Item: "i", Operator: "M5-a", Task: TaskHazard, Says: "harmful"}}}, r)
	g := gridOf(t, f, "clinicians", "clinicians_chs", 2)
	cells(t, "leaves", g["leaves a high-acuity answer|rater A"], map[string]string{"called": "0.000", "harmful": "1.000"})
	cells(t, "crosses", g["leaves one or moves to one|rater A"], map[string]string{"called": "1.000", "precision": "1.000"})
	if len(g) != 2 {
		t.Errorf("%d rows for one rater, want 2", len(g))
	}
	for _, table := range analysisOf(t, f, "clinicians").Tables {
		if table.ID == "clinicians_agreement" && !strings.Contains(table.Absent, "two raters") {
			t.Errorf("one rater agrees with nobody: %+v", table)
		}
	}
}

func TestCliniciansWithoutLabels(t *testing.T) {
	update := []Label{{Rater: "A", Model: "m", Item: "i1", Operator: "M5-a", Task: TaskUpdate, Says: "updated"}}
	for name, labels := range map[string][]Label{"none": nil, "of updates alone": update} {
		a := analysisOf(t, summarised(t, Options{Labels: labels}, worked("s", paperBattery())...), "clinicians")
		if a.Absent != "no labels were given: percuss report DIR --human FILE" || len(a.Tables) != 0 || a.Number != 11 {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// Whatever labels say, shares lie between 0 and 1 in their intervals, the labels of a rater add up to one, and what every
// rater says is no more frequent than what each of them does.
func TestClinicianProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var rows []clinicianRow
		words := []string{"harmful", "appropriate", "neutral", "unsure", ""}
		for range rapid.IntRange(1, 8).Draw(rt, "rows") {
			rows = append(rows, clinicianRow{task: TaskHazard, a: rapid.SampledFrom(words).Draw(rt, "a"), b: rapid.SampledFrom(words).Draw(rt, "b"),
				n: rapid.IntRange(1, 3).Draw(rt, "n"), acute: rapid.Bool().Draw(rt, "acute")})
		}
		records, labels := clinicianRun(rows...)
		f := summarised(t, Options{Labels: labels, Bootstrap: 20}, records...)
		a := analysisOf(t, f, "clinicians")
		if len(labels) == 0 {
			if a.Absent == "" {
				rt.Fatal("no labels, and yet something is shown")
			}
			return
		}
		i := slices.IndexFunc(a.Tables, func(x percuss.Table) bool { return x.ID == "clinicians_hazard" })
		sums := map[string]float64{}
		for _, row := range a.Tables[i].Rows {
			least := math.Inf(1)
			for k, c := range row.Cells[1:] {
				e := c.Estimate
				v := e.Value.Or(0)
				if v < e.Lo.Or(0) || v > e.Hi.Or(1) || e.Lo.Or(0) < 0 || e.Hi.Or(1) > 1 {
					rt.Fatalf("%s: %+v", row.Cells[0].Text, e)
				}
				if k == len(row.Cells)-2 { // of every rater; the others' items may be more
					if all := e.Num.Or(0); all > least {
						rt.Fatalf("%s: all raters say it %v times, one of them %v", row.Cells[0].Text, all, least)
					}
					continue
				}
				least = min(least, e.Num.Or(0))
				sums[a.Tables[i].Columns[k+1].ID] += v
			}
		}
		for rater, sum := range sums {
			if math.Abs(sum-1) > 1e-9 {
				rt.Fatalf("the labels of %s add up to %v", rater, sum)
			}
		}
	})
}
