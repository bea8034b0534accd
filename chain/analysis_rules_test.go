package chain

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// judgedTrials adds what a judge says to the trials of some records: item, space, operator -> verdict.
func judgedTrials(records []Record, judge string, says map[string]Says, again ...string) []Record {
	for i := range records {
		for k := range records[i].Operators {
			t := &records[i].Operators[k]
			name := records[i].Subject.Item + " " + t.ID
			if v, ok := says[name]; ok {
				t.Judged = append(t.Judged, Verdict{Judge: judge, Says: v, Asked: 1 + int(bit(slices.Contains(again, name)))})
			}
		}
	}
	return records
}

// workedJudge judges the trials of the hand-worked cell (see TestWorkedJoint); two verdicts are missing, one of them
// because the judge was never asked.
func workedJudge(records []Record) []Record {
	return judgedTrials(records, "j", map[string]Says{
		"i1 M2-age-a": SaysUpdated, "i1 M2-age-b": SaysNotUpdated, "i2 M2-age-a": SaysUpdated, "i2 M2-age-b": SaysNothing,
		"i2 M2-sex": SaysNotUpdated, "i4 M2-age-a": SaysUpdated, "i1 M4-b": SaysUpdated,
		"i1 M5-a": SaysNotUpdated, "i1 M5-b": SaysNotUpdated, "i3 M5-a": SaysNotUpdated, "i1 M3-a": SaysUpdated,
	}, "i1 M4-b", "i2 M2-age-b")
}

// analysisOf returns the analysis with an id.
func analysisOf(t testing.TB, f Findings, id string) percuss.Analysis {
	t.Helper()
	i := slices.IndexFunc(f.Analyses, func(a percuss.Analysis) bool { return a.ID == id })
	if i < 0 {
		t.Fatalf("no analysis %s", id)
	}
	return f.Analyses[i]
}

// grid is a table as its cells are read: by the text of the first columns, then by the column's id.
func gridOf(t testing.TB, f Findings, analysis, table string, first int) map[string]map[string]percuss.Cell {
	t.Helper()
	a := analysisOf(t, f, analysis)
	i := slices.IndexFunc(a.Tables, func(x percuss.Table) bool { return x.ID == table })
	if i < 0 {
		t.Fatalf("no table %s in %s", table, analysis)
	}
	out := map[string]map[string]percuss.Cell{}
	for _, row := range a.Tables[i].Rows {
		if len(row.Cells) != len(a.Tables[i].Columns) {
			t.Fatalf("%s: %d cells in a row of %d columns", table, len(row.Cells), len(a.Tables[i].Columns))
		}
		var name []string
		cells := map[string]percuss.Cell{}
		for k, c := range row.Cells {
			if k < first {
				name = append(name, c.Text)
			}
			cells[a.Tables[i].Columns[k].ID] = c
		}
		out[strings.Join(name, "|")] = cells
	}
	return out
}

// cells compares the values of some cells; a missing one is "–".
func cells(t testing.TB, what string, row map[string]percuss.Cell, want map[string]string) {
	t.Helper()
	for id, w := range want {
		c, ok := row[id]
		got := c.Text
		if got == "" {
			got = c.Estimate.Value.Format(3)
		}
		if !ok || got != w {
			t.Errorf("%s, %s: %q, want %q (%s)", what, id, got, w, c.Estimate.Why)
		}
	}
}

// TestWorkedRules: of the ten comparable trials the judge says something of eight. Token rule: a 2, b 1, c 4, d 3;
// inflected: a 3, b 2, c 3, d 2; judge: 3 updated, and of the 5 others 3 kept. On the judge's eight trials the token rule
// calls 3 updated, of which the judge 1, and has 3 decoupled.
func TestWorkedRules(t *testing.T) {
	f := summarised(t, Options{Judges: []Judge{{ID: "j"}}}, workedJudge(worked("s", paperBattery()))...)
	cells(t, "side by side", gridOf(t, f, "rules", "rules", 1)["m"], map[string]string{"prompt": "neutral", "cdr_token": "0.400", "cdr_inflected": "0.300", "cdr_j": "0.375"})
	g := gridOf(t, f, "rules", "rules_trials", 3)
	cells(t, "token", g["m|neutral|Token rule"], map[string]string{"trials": "10.000", "missing": "0.000", "again": "–", "update": "0.300", "cdr": "0.400", "difference": "–", "same": "10.000"})
	cells(t, "inflected", g["m|neutral|Inflected rule"], map[string]string{"trials": "10.000", "update": "0.500", "difference": "-0.100", "same": "10.000"})
	cells(t, "judge", g["m|neutral|Judge j"], map[string]string{"trials": "8.000", "missing": "2.000", "again": "2.000", "update": "0.375", "cdr": "0.375", "difference": "0.000", "same": "8.000"})
	if notes := analysisOf(t, f, "rules").Tables[1].Notes; len(notes) != 1 || !strings.Contains(notes[0], "Judge j has no verdict on 2 of 10 trials") {
		t.Errorf("notes: %q", notes)
	}
	g = gridOf(t, f, "rules", "rules_agreement", 2)
	cells(t, "token and judge", g["Token rule|Judge j"], map[string]string{"trials": "8.000", "only_first": "2.000", "only_second": "2.000",
		"agreement": "0.500", "kappa": "-0.067", "word": "poor", "less_first": "0.000", "less_second": "2.000", "less_both": "0.000"})
	cells(t, "token and inflected", g["Token rule|Inflected rule"], map[string]string{"trials": "10.000", "only_first": "0.000", "only_second": "2.000", "agreement": "0.800"})
	cells(t, "inflected and judge", g["Inflected rule|Judge j"], map[string]string{"only_first": "2.000", "only_second": "1.000", "agreement": "0.625"})
	for id, row := range gridOf(t, f, "rules", "rules_trials", 3) {
		for _, c := range []string{"update", "cdr"} {
			if e := row[c].Estimate; !e.Lo.OK() || !e.Hi.OK() || e.Hi.Or(0) <= e.Lo.Or(1) || e.Level != 0.95 || e.N == 0 || e.Method == "" {
				t.Errorf("%s, %s has no interval: %+v", id, c, e)
			}
		}
	}
	if e := g["Token rule|Judge j"]["kappa"].Estimate; !e.Lo.OK() || e.N != 3 {
		t.Errorf("kappa: %+v", e)
	}
	if a := analysisOf(t, f, "rules"); a.Number != 4 || a.Tables[0].Paper != "Table 7" || !strings.Contains(a.Tables[3].Absent, "--human FILE") {
		t.Errorf("%+v", a)
	}
}

// Two models, one of which the judge gave no verdict of: the mean of the panel leaves it out, and all trials as one have
// only the other's.
func TestRulesOfAPanel(t *testing.T) {
	b := paperBattery()
	one := workedJudge(worked("s", b))
	two := judgedTrials([]Record{record("s", "i1", "A", "A", "", b, edit{id: "M5-a", answer: "A"}, edit{id: "M5-b", answer: "A"})}, "j",
		map[string]Says{"i1 M5-a": SaysNothing})
	two[0].Subject.Model = "n"
	f := summarised(t, Options{Judges: []Judge{{ID: "j"}}}, append(one, two...)...)
	g := gridOf(t, f, "rules", "rules", 1)
	cells(t, "n", g["n"], map[string]string{"cdr_token": "1.000", "cdr_j": "–"})
	cells(t, "mean", g["mean of 2 models"], map[string]string{"cdr_token": "0.700", "cdr_inflected": "0.650", "cdr_j": "0.375"})
	cells(t, "pooled", g["all trials of 2 models"], map[string]string{"cdr_token": "0.500", "cdr_inflected": "0.417", "cdr_j": "0.375"})
	cells(t, "trials", gridOf(t, f, "rules", "rules_trials", 3)["all trials of 2 models||Judge j"], map[string]string{"trials": "8.000", "missing": "4.000"})
	cells(t, "agreement", gridOf(t, f, "rules", "rules_agreement", 2)["Token rule|Judge j"], map[string]string{"trials": "8.000", "less_second": "4.000"})
}

// What would give a judge its missing verdicts hangs on why they are missing.
func TestMissingVerdictsHaveTheirRemedy(t *testing.T) {
	for why, says := range map[string]string{verdictCut: "39 replies were cut at the token limit (a larger max_tokens", verdictForm: "39 were complete and in another form (another judge",
		"the judge was not asked": "39 got no reply"} {
		x := reasoner{n: 13, change: func(r *Record, _ int) {
			for k := range r.Operators {
				r.Operators[k].Judged = []Verdict{{Judge: "j", Says: SaysNothing, Why: why}}
			}
		}}
		f := summarised(t, Options{Battery: familiesBattery(), Judges: []Judge{{ID: "j"}}}, x.records()...)
		notes := tableOf(t, f, "rules_trials").Notes
		if len(notes) != 1 || !strings.HasPrefix(notes[0], "Judge j has no verdict on 39 of 39 trials") || !strings.Contains(notes[0], "Why: "+says) || strings.Contains(notes[0], "; ") {
			t.Errorf("%s: %q", why, notes)
		}
	}
}

// publishedCDR are the paper's CDR of eleven models under the token rule and under its judge, in per cent (Table 7).
const publishedCDR = `{"Mistral-7B": [79.9, 80.5], "Qwen2.5-7B": [94.0, 94.0], "Llama-3.1-8B": [71.9, 77.7], "Gemma-2-9B": [75.2, 82.4],
 "Qwen2.5-14B": [72.1, 78.0], "BioMistral-7B": [95.9, 95.5], "Meditron-7B": [25.6, 34.5], "Med42-8B": [68.1, 66.8],
 "OpenBioLLM-8B": [88.9, 88.9], "HuatuoGPT-o1": [79.5, 70.9], "DeepSeek-R1-D": [50.9, 48.4], "Panel": [72.9, 74.3]}`

// TestTable7 builds eleven models with the paper's shares, a thousand trials each: of the trials whose answer stays, the
// token rule calls the first so many not updated, and the judge its own number. The panel's row must be the mean of the
// models, as the paper's is.
func TestTable7(t *testing.T) {
	var published map[string][2]float64
	if err := json.Unmarshal([]byte(publishedCDR), &published); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(filepath.Join("..", "..", "shared", "spec", "golden.json")); err == nil {
		var file struct {
			CDR map[string][2]float64 `json:"cdr_token_judge"`
		}
		if err := json.Unmarshal(raw, &file); err != nil || !maps.Equal(file.CDR, published) {
			t.Errorf("the specification has other figures: %v, %v", file.CDR, err)
		}
	}
	b := paperBattery()
	b.Operators = slices.DeleteFunc(b.Operators, func(o battery.Operator) bool { return !registering(o) })
	const items = 143
	var records []Record
	for _, model := range slices.Sorted(maps.Keys(published)) {
		if model == "Panel" {
			continue
		}
		var share [2]int
		for i, v := range published[model] {
			share[i] = int(math.Round(v / 100 * items * float64(len(b.Operators))))
		}
		n := 0
		for i := range items {
			var edits []edit
			says := map[string]Says{}
			item := fmt.Sprintf("i%03d", i)
			for _, op := range b.Operators {
				e := edit{id: op.ID, answer: "B"}
				if n < max(share[0], share[1]) {
					e = edit{id: op.ID, answer: "A", token: n >= share[0]}
				}
				says[item+" "+op.ID] = SaysNotUpdated
				if n >= share[1] {
					says[item+" "+op.ID] = SaysUpdated
				}
				edits = append(edits, e)
				n++
			}
			r := judgedTrials([]Record{record("s", item, "A", "A", "", b, edits...)}, "referee", says)
			r[0].Subject.Model = model
			records = append(records, r...)
		}
	}
	f := summarised(t, Options{Battery: b, Judges: []Judge{{ID: "referee"}}, Bootstrap: 20}, records...)
	g := gridOf(t, f, "rules", "rules", 1)
	published["mean of 11 models"] = published["Panel"]
	delete(published, "Panel")
	for model, want := range published {
		for i, id := range []string{"cdr_token", "cdr_referee"} {
			if got, ok := g[model][id].Estimate.Value.Get(); !ok || math.Abs(100*got-want[i]) > 0.1 {
				t.Errorf("%s, %s: %.2f, want %.1f", model, id, 100*got, want[i])
			}
		}
	}
}

// Judges may be called anything; their columns stay apart from those of the rules and of each other.
func TestJudgesWithAwkwardNames(t *testing.T) {
	f := summarised(t, Options{Judges: []Judge{{ID: "token"}, {ID: "j"}}}, workedJudge(worked("s", paperBattery()))...)
	cells(t, "side by side", gridOf(t, f, "rules", "rules", 1)["m"], map[string]string{"cdr_token": "0.400", "cdr_token_2": "–", "cdr_j": "0.375"})
	if n := len(analysisOf(t, f, "rules").Tables[2].Rows); n != 6 {
		t.Errorf("%d pairs of four rules, want 6", n)
	}
	absent := gridOf(t, f, "rules", "rules_agreement", 2)["Judge token|Judge j"]
	cells(t, "no verdicts", absent, map[string]string{"trials": "0.000", "less_first": "8.000", "less_both": "2.000", "kappa": "–", "agreement": "–"})
	if why := absent["kappa"].Estimate.Why; !strings.Contains(why, "both say something") {
		t.Errorf("why there is no kappa: %q", why)
	}
}

func TestRulesWithoutTrials(t *testing.T) {
	b := paperBattery()
	b.Operators = slices.DeleteFunc(b.Operators, func(o battery.Operator) bool { return registering(o) })
	for name, f := range map[string]Findings{
		noRules:  summarised(t, Options{Battery: b}, record("s", "i1", "A", "A", "", b, edit{id: "F2-a", answer: "A"})),
		noModels: summarised(t, Options{}),
	} {
		for _, table := range analysisOf(t, f, "rules").Tables[:3] {
			if table.Absent != name || len(table.Rows) != 0 {
				t.Errorf("%s: %q with %d rows, want %q", table.ID, table.Absent, len(table.Rows), name)
			}
		}
	}
}

// Kappa from four counts is that of stat.Kappa from the pairs.
func TestKappaOfCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SliceOfN(rapid.IntRange(0, 9), 4, 4).Draw(t, "counts")
		var pairs [][2]string
		for i, p := range [][2]string{{"y", "y"}, {"y", "n"}, {"n", "y"}, {"n", "n"}} {
			pairs = append(pairs, slices.Repeat([][2]string{p}, n[i])...)
		}
		got, want := kappaOf(float64(n[0]), float64(n[1]), float64(n[2]), float64(n[3])), stat.Kappa(pairs, 0).Value
		if got.OK() != want.OK() || got.OK() && got.Format(9) != want.Format(9) {
			t.Fatalf("%v: %s, want %s", n, got.Format(9), want.Format(9))
		}
	})
}

// The order of the records moves nothing in the tables of rules and of clinicians.
func TestRulesDoNotDependOnOrder(t *testing.T) {
	records, labels := labelledRun(repeated(7, [3]string{"updated", "updated", "not_updated"})...)
	records = append(records, workedJudge(worked("s2", paperBattery()))...)
	for i := range 4 {
		labels = append(labels, Label{Rater: "A", Item: fmt.Sprintf("i%d", i), Operator: "M2-age-a", Task: TaskGold, Says: "no_shift"})
	}
	said := func(records []Record) string {
		f := summarised(t, Options{Judges: []Judge{{ID: "j"}}, Labels: labels}, records...)
		raw, err := json.Marshal([]percuss.Analysis{analysisOf(t, f, "rules"), analysisOf(t, f, "clinicians")})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	first := said(records)
	slices.Reverse(records)
	if again := said(records); again != first {
		t.Errorf("\n%s\n%s", first, again)
	}
}
