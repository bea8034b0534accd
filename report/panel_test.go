package report

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
)

// panelGroup is model m of so many on set s, or on all sets where s is below 0.
func panelGroup(models, operators, m, s int) chain.Group {
	g := chain.Group{Variant: "neutral", Model: fmt.Sprintf("model_%d-%db & co", m, m+1), Items: 200, Tier: "general"}
	if m >= models-3 {
		g.Tier = closed
	}
	g.Name = g.Model
	if s >= 0 {
		g.Set = fmt.Sprintf("set-%d", s)
		g.Name += " on " + g.Set
	}
	v := float64((m*7+s*3+11)%20) / 20
	for _, id := range []string{"acc", "cdr", "ecr", "chs", "dfg", "mfc"} {
		g.Metrics = append(g.Metrics, chain.Metric{ID: id, Estimate: est(v, v/2, (v+1)/2, 200)})
	}
	for _, scope := range []string{"F", "M", "all"} {
		for _, id := range []string{"fcs", "afr_d", "afr_p"} {
			g.Metrics = append(g.Metrics, chain.Metric{ID: id, Scope: scope, Estimate: est(v, v/2, (v+1)/2, 200)})
		}
	}
	for _, rule := range []string{"token", "inflected"} {
		g.Joint = append(g.Joint, chain.Joint{Rule: rule, Fired: 200, Parsed: 200, A: est(0.25, 0.2, 0.3, 200), B: est(0.25, 0.2, 0.3, 200), C: est(0.3, 0.2, 0.4, 200), D: est(0.2, 0.1, 0.3, 200)})
	}
	for o := range operators {
		row := chain.Firing{ID: fmt.Sprintf("%c%d", "FM"[o%2], o), Title: "an edit", Intent: battery.Destructive, Items: 200, Fired: 180, Parsed: 170, Rate: est(0.9, 0.8, 0.95, 200), AFR: est(v, v/2, (v+1)/2, 170)}
		g.Operators = append(g.Operators, row)
		if o < 13 {
			g.Families = append(g.Families, row)
		}
	}
	return g
}

// wholePanel is a report on models of two tiers, each on all sets, with made-up figures.
func wholePanel(models, sets, operators int) Report {
	r := Report{Audit: "chain"}
	f := chain.Findings{Level: 0.95, Bootstrap: 100}
	flips := percuss.Table{ID: "flips", Title: "Flip rates", Paper: "Table 11", Columns: []percuss.Column{{ID: "operator", Head: "Operator"}}, Long: operators > 20}
	for o := range operators {
		flips.Rows = append(flips.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(fmt.Sprint("F", o))}})
	}
	sizes := percuss.Table{ID: "fcs_params", Title: "FCS and size", Paper: "Figure 4", Columns: []percuss.Column{{ID: "model", Head: "Model"},
		{ID: "params", Head: "Parameters, billions", Scale: percuss.Decimal}, {ID: "fcs", Head: "FCS", Scale: percuss.Rate}}}
	for m := range models {
		f.Models = append(f.Models, panelGroup(models, operators, m, -1))
		f.Modes = append(f.Modes, chain.Mode{Model: f.Models[m].Model, Variant: "neutral", Mode: "inert chain", Borderline: []string{"c 0.61 (0.55 to 0.67) against 0.60"}})
		flips.Columns = append(flips.Columns, percuss.Column{ID: fmt.Sprint("m", m), Head: f.Models[m].Model, Scale: percuss.Rate})
		for o := range flips.Rows {
			flips.Rows[o].Cells = append(flips.Rows[o].Cells, percuss.Measured(est(0.4, 0.3, 0.5, 200)))
		}
		sizes.Rows = append(sizes.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(f.Models[m].Model), percuss.Valued(percuss.Num(float64(m + 1))), percuss.Measured(est(0.5, 0.4, 0.6, 200))}})
		for s := range sets {
			f.Cells = append(f.Cells, panelGroup(models, operators, m, s))
		}
		for i, v := range []percuss.Holds{percuss.ClaimHolds, percuss.ClaimFails, percuss.CannotTell} {
			if i != 1 || m == 0 {
				f.Claims = append(f.Claims, percuss.Claim{ID: "noise-floor", Subject: f.Models[m].Model, Says: "Flips exceed the noise.", Verdict: v, Measure: est(0.3, 0.2, 0.4, 200),
					Shown: "0.300 (0.200 to 0.400), n 200", Against: "An interval that reaches 0."})
			}
		}
	}
	panel := panelGroup(models, operators, 0, -1)
	panel.Name, panel.Model, panel.Tier, panel.Items = fmt.Sprintf("panel of %d models", models), "", "", 200*models
	f.Panel = &panel
	f.Analyses = []percuss.Analysis{{ID: "flips", Number: 3, Title: "Flips", About: "What flips.", Tables: []percuss.Table{flips, sizes}},
		{ID: "clinicians", Number: 11, Title: "Clinicians", Absent: "no labels were given: percuss report DIR --human FILE"}}
	r.Findings = f
	r.Complete()
	return r
}

// A tier that holds all models of a panel says nothing that the panel does not; one of two tiers does.
func TestTierOfAllModelsIsLeftOut(t *testing.T) {
	for tiers, want := range map[int]int{1: 0, 2: 2} {
		f := wholePanel(4, 1, 3).Findings
		for i := range f.Models {
			f.Models[i].Tier = []string{"open", "closed"}[i%tiers]
		}
		for i := range tiers {
			f.Tiers = append(f.Tiers, chain.Group{Name: "tier", Tier: []string{"open", "closed"}[i]})
		}
		shows := 0
		for _, l := range shown(f) {
			if l.Kind == "tier" {
				shows++
			}
		}
		if shows != want {
			t.Errorf("of %d tiers %d are shown", tiers, shows)
		}
	}
}

// A panel of more than two models opens with its own sentences, and folds those of each model.
func TestOpeningOfAPanelIsShort(t *testing.T) {
	for models, folded := range map[int]bool{2: false, 3: true} {
		var b bytes.Buffer
		if err := WriteHTML(&b, wholePanel(models, 1, 3), HTML{}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "<summary>The same of ") != folded {
			t.Errorf("%d models: folded is not %v", models, folded)
		}
	}
}

// manyItems are items of a panel's models.
func manyItems(models, n int) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for m := range models {
			for k := range n {
				it := items()[0]
				it.Subject.SubjectID = percuss.SubjectID{Variant: "neutral", Model: fmt.Sprintf("model_%d", m), Set: "medqa", Item: fmt.Sprintf("medqa/%d", k)}
				if !yield(it) {
					return
				}
			}
		}
	}
}

// The page of the paper's panel: 14 models on 4 sets, 30 operators, 1,000 items a model, of which
// the page lists a part. It stays a page that a browser
// opens at once and a reader finds the way in: what is not a model is folded.
func TestPageOfAWholePanel(t *testing.T) {
	r := wholePanel(14, 4, 30)
	began := time.Now()
	var beside atomic.Int64
	var b bytes.Buffer
	err := WriteHTML(&b, r, HTML{Items: manyItems(14, 142), Of: 14000, Whole: 25, Beside: func(string, []byte) error { beside.Add(1); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	page := b.String()
	t.Logf("%d bytes, %d pages beside it, in %v", len(page), beside.Load(), time.Since(began).Round(time.Millisecond))
	if len(page) > 6<<20 || beside.Load() != 14*142 {
		t.Errorf("%d bytes, %d pages beside it", len(page), beside.Load())
	}
	for _, want := range []string{"Does this run support its own claims?", "Of 29 claims, 14 hold, 1 fails, and 14 cannot be told", "3. Flips", "11. Clinicians",
		"(not available)", "no labels were given", "The same of each of the 14 models", "<li>inert chain: model_0-1b &amp; co (borderline), model_1-2b", `<span class="verdict v-fails">fails</span> <span class="verdict v-open">cannot tell 14</span> <span class="verdict v-holds">holds 14</span> Flips exceed the noise.`, "15 groups", "The 56 cells", "1988 of 14000 items are listed"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if open := strings.Count(page, "<h3"); open > 40 {
		t.Errorf("%d headings", open)
	}
	if first, last := strings.Index(page, "<td>fails</td>"), strings.Index(page, "<td>holds</td>"); first < 0 || last < first {
		t.Error("a claim that holds stands before one that fails")
	}
}

// A smaller one is well formed, with all its folds.
func TestPanelIsWellFormed(t *testing.T) {
	r := wholePanel(7, 2, 5)
	page, beside := written(t, r, slices.Values(items()), 2)
	checkClosed(t, page, "list.js", besideMain(beside))
	if !strings.Contains(page, "<summary>model_0-1b &amp; co on set-1 (cell)</summary>") {
		t.Error("a cell of a panel is not folded")
	}
}

// An extreme is named among the open models, and among the closed ones apart.
func TestClosedTierHasItsOwnExtremes(t *testing.T) {
	r := wholePanel(6, 1, 2)
	for i := range r.Findings.Models {
		r.Findings.Models[i].Metrics = []chain.Metric{{ID: "acc", Estimate: est(float64(i)/10, 0, 1, 20)}}
	}
	var groups []group
	for i, l := range shown(r.Findings) {
		groups = append(groups, newGroup(l, r, i, false))
	}
	marks := map[string]string{}
	for _, row := range newOverview(groups, r).Rows {
		marks[row.Title] = row.Cells[0].Mark
	}
	if marks[r.Findings.Models[2].Name] != "max" || marks[r.Findings.Models[5].Name] != "max" || marks[r.Findings.Models[1].Name] != "" {
		t.Errorf("marks %v", marks)
	}
}

// Tables of different analyses that share an id get files of their own, none of which is the report's.
func TestTableIdsAreUnique(t *testing.T) {
	f := wholePanel(1, 1, 1).Findings
	one := percuss.Table{ID: "joint", Columns: []percuss.Column{{ID: "a"}}}
	f.Analyses = []percuss.Analysis{{ID: "x", Tables: []percuss.Table{one, one}}, {ID: "y", Tables: []percuss.Table{one, {ID: "claims"}, {ID: "a/b"}}}}
	var ids []string
	for _, table := range Tables(f) {
		ids = append(ids, table.ID)
	}
	if want := []string{"claims", "joint", "joint_2", "joint_3", "claims_2", "a-b"}; !slices.Equal(ids, want) {
		t.Errorf("%q, want %q", ids, want)
	}
	dir := t.TempDir()
	if err := WriteCSV(dir, Report{Findings: f}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"joint.csv", "joint_table.csv", "joint_2.csv", "claims.csv"} {
		if !fileThere(dir, name) {
			t.Errorf("no %s", name)
		}
	}
}

func fileThere(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}
