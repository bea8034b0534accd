package chain

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// labelledRun builds one M2 trial an item: what the rule says and what each rater does. A rule that says nothing is "".
func labelledRun(rows ...[3]string) (records []Record, labels []Label) {
	b := paperBattery()
	for i, row := range rows {
		item := fmt.Sprintf("i%d", i)
		r := record("s", item, "A", "A", "", b, edit{id: "M2-age-a", answer: "A", token: row[0] == "updated"})
		for k := range r.Operators {
			r.Operators[k].Rule = r.Operators[k].Rule && row[0] != ""
		}
		records = append(records, r)
		for k, says := range row[1:] {
			if says != "" {
				labels = append(labels, Label{Rater: string(rune('A' + k)), Model: "m", Item: item, Operator: "M2-age-a", Task: TaskUpdate, Says: says})
			}
		}
	}
	return records, labels
}

// repeated is a row n times.
func repeated(n int, row [3]string) [][3]string { return slices.Repeat([][3]string{row}, n) }

// TestPublishedValidation: the counts that give the paper's figures for the token rule (36, 38, 1 and 47 of 122 labels) and
// for its judge (30, 6, 7 and 79), with the 28 ambiguous ones that it drops: precision .49 and .83, recall .97 and .81,
// accuracy .68, kappa .41 and .75 (section 6.4).
func TestPublishedValidation(t *testing.T) {
	for name, c := range map[string]struct {
		tp, fp, fn, tn                     int
		precision, recall, accuracy, kappa string
	}{
		"token rule": {36, 38, 1, 47, "0.49", "0.97", "0.68", "0.41"},
		"judge":      {30, 6, 7, 79, "0.83", "0.81", "0.89", "0.75"},
	} {
		var rows [][3]string
		rows = append(rows, repeated(c.tp, [3]string{"updated", "updated"})...)
		rows = append(rows, repeated(c.fp, [3]string{"updated", "not_updated"})...)
		rows = append(rows, repeated(c.fn, [3]string{"not_updated", "updated"})...)
		rows = append(rows, repeated(c.tn, [3]string{"not_updated", "not_updated"})...)
		rows = append(rows, repeated(28, [3]string{"updated", "ambiguous"})...)
		records, labels := labelledRun(rows...)
		g := gridOf(t, summarised(t, Options{Labels: labels}, records...), "rules", "rules_human", 2)["Token rule|all"]
		cells(t, name, g, map[string]string{"labels": "122.000", "ambiguous": "28.000", "undefined": "0.000", "paper": "0.410"})
		for id, want := range map[string]string{"precision": c.precision, "recall": c.recall, "accuracy": c.accuracy, "kappa": c.kappa} {
			if got := g[id].Estimate; got.Value.Format(2) != want || !got.Lo.OK() || !got.Hi.OK() {
				t.Errorf("%s, %s: %s, want %s (%+v)", name, id, got.Value.Format(2), want, got)
			}
		}
	}
}

func TestRulesAgainstPeople(t *testing.T) {
	records, labels := labelledRun(
		[3]string{"updated", "updated", "updated"}, [3]string{"updated", "updated", "not_updated"}, // no majority
		[3]string{"not_updated", "not_updated", ""}, [3]string{"not_updated", "ambiguous", "ambiguous"}, [3]string{"", "updated", ""})
	labels = append(labels, Label{Rater: "A", Model: "m", Item: "gone", Operator: "M2-age-a", Task: TaskUpdate, Says: "updated"},
		Label{Rater: "A", Model: "m", Item: "i0", Operator: "M5-a", Task: TaskUpdate, Says: "updated"}) // did not fire
	f := summarised(t, Options{Labels: labels, Judges: []Judge{{ID: "j"}}}, judgedTrials(records, "j", map[string]Says{"i0 M2-age-a": SaysNotUpdated, "i2 M2-age-a": SaysNotUpdated})...)
	g := gridOf(t, f, "rules", "rules_human", 2)
	for _, family := range []string{"all", "M2"} {
		cells(t, "token "+family, g["Token rule|"+family], map[string]string{"labels": "2.000", "ambiguous": "2.000", "undefined": "1.000", "accuracy": "1.000", "kappa": "1.000", "word": "almost perfect"})
	}
	cells(t, "judge", g["Judge j|all"], map[string]string{"labels": "2.000", "undefined": "1.000", "precision": "–", "recall": "0.000", "accuracy": "0.500", "paper": "0.750"})
	cells(t, "judge, M2", g["Judge j|M2"], map[string]string{"paper": "0.950"})
	cells(t, "inflected", g["Inflected rule|M2"], map[string]string{"paper": "–"})
	if _, ok := g["Token rule|M5"]; ok {
		t.Error("a row of a family without a label")
	}
	cells(t, "raters", gridOf(t, f, "rules", "rules_raters", 4)["update|all labels|A|B"], map[string]string{"n": "3.000", "agreement": "0.667", "first_milder": "–"})
	notes := strings.Join(analysisOf(t, f, "rules").Tables[3].Notes, "\n")
	if !strings.Contains(notes, "in no figure: 2.") || !strings.Contains(notes, "M2-age-a of gone by m") || !strings.Contains(notes, "M5-a of i0 by m") {
		t.Errorf("notes: %s", notes)
	}
	stray := summarised(t, Options{Labels: labels[len(labels)-1:]}, records...)
	if why := analysisOf(t, stray, "rules").Tables[3].Absent; !strings.Contains(why, "labels were given, but none is of a trial of this run. Labels of update that are in no figure: ") {
		t.Errorf("strays alone: %q", why)
	}
}

// An adjudicated label settles what raters disagree on, and stands for none of them.
func TestAdjudicatedUpdates(t *testing.T) {
	rows := append(repeated(4, [3]string{"updated", "updated", "not_updated"}), repeated(4, [3]string{"not_updated", "not_updated", "not_updated"})...)
	records, labels := labelledRun(rows...)
	for i := range 4 {
		labels = append(labels, Label{Rater: Adjudicated, Model: "m", Item: fmt.Sprintf("i%d", i), Operator: "M2-age-a", Task: TaskUpdate, Says: "updated"})
	}
	f := summarised(t, Options{Labels: labels}, records...)
	g := gridOf(t, f, "rules", "rules_human", 2)["Token rule|all"]
	cells(t, "token rule", g, map[string]string{"labels": "8.000", "ambiguous": "0.000", "accuracy": "1.000"})
	for _, a := range f.Analyses {
		for _, table := range a.Tables {
			if table.ID == "rules_raters" && (len(table.Rows) != 1 || table.Rows[0].Cells[2].Text != "A" || table.Rows[0].Cells[3].Text != "B") {
				t.Errorf("raters compared: %+v", table.Rows)
			}
		}
	}
}
