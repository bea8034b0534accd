package cases

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
)

// threeByTwo is a panel of three models on two sets, without the last model on the last set.
func threeByTwo() Report {
	r := small()
	r.Findings.Cells = nil
	for i, model := range []string{"zeta", "alpha", "mid"} {
		for _, set := range []string{"ddxplus", "cupcase"} {
			c := cell(model, set)
			c.Accuracy = rateOf(20+i, 40)
			if model == "mid" && set == "cupcase" {
				continue
			}
			r.Findings.Cells = append(r.Findings.Cells, c)
		}
	}
	r.Findings.Panel = panelOf(r.Findings.Cells)
	r.Findings.Panel.Pairs = []evidence.PanelPair{{Set: "ddxplus", A: "zeta", B: "alpha", Cases: 40, OnlyA: 6, Accuracy: amount(0.15, 0.1, 40),
		P: percuss.Num(0.03125), Adjusted: percuss.Num(0.125), Scored: 38, Suspicious: amount(-0.02, 0.05, 38)},
		{Set: "ddxplus", A: "zeta", B: "mid", Accuracy: percuss.Absent("no case is answered under both models"), Suspicious: percuss.Absent("no case is scored under both models")}}
	return r
}

// grid is a table as the page shows it, values alone.
func grid(t *testing.T, r Report, id string) (out [][]string) {
	t.Helper()
	all := allTables(r)
	at := slices.IndexFunc(all, func(x percuss.Table) bool { return x.ID == id })
	if at < 0 {
		t.Fatalf("no table %s", id)
	}
	var b strings.Builder
	if err := pages.ExecuteTemplate(&b, "table", trimmed(all[at], r.Findings)); err != nil {
		t.Fatal(err)
	}
	cell := regexp.MustCompile(`<(th|td)[^>]*>(?:<span class="nb">|<button[^>]*>)?([^<]*)`)
	for _, line := range strings.Split(b.String(), "<tr")[1:] {
		var row []string
		for _, c := range cell.FindAllStringSubmatch(line, -1) {
			row = append(row, html.UnescapeString(c[2]))
		}
		out = append(out, row)
	}
	return out
}

func TestPanelTables(t *testing.T) {
	r := threeByTwo()
	for id, want := range map[string][][]string{
		"panel_accuracy": {{"Set", "zeta", "alpha", "mid", "Mean of the models"}, {"ddxplus", "50 %", "52.5 %", "55 %", "62 %"},
			{"cupcase", "50 %", "52.5 %", "–", "62 %"}, {"mean of the sets", "63 %", "63 %", "63 %", "61 %"}},
		"panel_mechanisms": {{"Set", "Model", "faithful/plausible", "conflict", "Suspicious"}, {"ddxplus", "zeta", "24 %", "43 %", "31 %"},
			{"ddxplus", "alpha", "24 %", "43 %", "31 %"}, {"ddxplus", "mid", "24 %", "43 %", "31 %"}, {"ddxplus", "mean of the models", "25 %", "44 %", "32 %"},
			{"cupcase", "zeta", "24 %", "43 %", "31 %"}, {"cupcase", "alpha", "24 %", "43 %", "31 %"}, {"cupcase", "mean of the models", "25 %", "44 %", "32 %"}},
		"panel_pairs": {{"Set", "First", "Second", "Cases", "Right, points", "Only first right", "Only second right", "p", "p, adjusted", "Scored", "Suspicious, points"},
			{"ddxplus", "zeta", "alpha", "40", "15.0", "6", "0", "0.031", "0.125", "38", "−2.0"},
			{"ddxplus", "zeta", "mid", "0", "–", "0", "0", "–", "–", "0", "–"}},
	} {
		if d := cmp.Diff(want, grid(t, r, id)); d != "" {
			t.Errorf("%s: %s", id, d)
		}
	}
	wordings, hiding := grid(t, r, "panel_wordings"), grid(t, r, "panel_hiding")
	if d := cmp.Diff([]string{"Set", "Model", "Cases", "Right, clinical-summary", "Right, questionnaire", "Suspicious, clinical-summary", "Suspicious, questionnaire"}, wordings[0]); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"ddxplus", "zeta", "8", "60 %", "50 %", "30 %", "25 %"}, wordings[1]); d != "" || len(wordings) != 6 {
		t.Errorf("%d rows %s", len(wordings), d)
	}
	if d := cmp.Diff([]string{"ddxplus", "zeta", "16", "3.00", "40 %"}, hiding[1]); d != "" || !slices.Contains(hiding[0], "Suspicious each, neutralize") {
		t.Errorf("%v %s", hiding[0], d)
	}
}

// TestPanelIsToldFirst: page and terminal open with the panel; of one cell there is none.
func TestPanelIsToldFirst(t *testing.T) {
	r := threeByTwo()
	text := summary(t, r, false)
	panel, first := strings.Index(text, "Models side by side"), strings.Index(text, "\nzeta, ddxplus")
	if panel < 0 || first < panel || strings.Count(text[panel:first], "\n") < 9 {
		t.Errorf("the panel is at %d, the first cell at %d:\n%s", panel, first, text[:min(len(text), 1500)])
	}
	if got := sections(r)[0].ID; got != "s-panel" {
		t.Errorf("the first section is %s", got)
	}
	page, _ := written(t, r, slices.Values(someCases(1)), 0)
	for _, says := range []string{"Models side by side", "Right, by set and model <span class=\"dim\">(the paper's Table 2)</span>", "mean of the sets", "the model was not asked on this set"} {
		if !strings.Contains(page, says) {
			t.Errorf("the page does not say %q", says)
		}
	}
	r.Findings.Cells, r.Findings.Panel = r.Findings.Cells[:1], nil
	if strings.Contains(summary(t, r, true), "side by side") {
		t.Error("one cell is no panel")
	}
}

// TestOneModelHasNoPairs: of one model on several sets there are rows of sets, and neither pairs nor means of models.
func TestOneModelHasNoPairs(t *testing.T) {
	r := small()
	for _, x := range allTables(r) {
		if x.ID == "panel_pairs" {
			t.Error("one model is held against itself")
		}
	}
	for _, row := range grid(t, r, "panel_mechanisms") {
		if slices.Contains(row, ofModels) {
			t.Errorf("a mean of one model: %v", row)
		}
	}
}
