package report

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report/pagetest"
)

// checkClosed checks that a page is closed and that its one script is ours.
func checkClosed(t *testing.T, page, own string, files map[string]bool) []pagetest.Element {
	t.Helper()
	if found := pagetest.Scripts(page); len(found) != 1 || found[0] != web.Text(own) {
		t.Errorf("%d scripts, or not ours", len(found))
	}
	return pagetest.Closed(t, page, files)
}

// written draws a report and the pages of its items.
func written(t *testing.T, r Report, all iter.Seq[Item], whole int) (page string, beside map[string]string) {
	t.Helper()
	beside = map[string]string{}
	var b bytes.Buffer
	var mu sync.Mutex // pages are written side by side
	err := WriteHTML(&b, r, HTML{Info: json.RawMessage(`{"wall_s":3}`), Items: all, Whole: whole,
		Beside: func(name string, page []byte) error {
			mu.Lock()
			defer mu.Unlock()
			beside[name] = string(page)
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), beside
}

// besideMain and besideItem are the files that a page may link to.
func besideMain(pages map[string]string) map[string]bool {
	out := map[string]bool{}
	for name := range pages {
		out[name] = true
	}
	return out
}

func besideItem(pages map[string]string) map[string]bool {
	out := map[string]bool{"../report.html#items": true}
	for name := range pages {
		out[strings.TrimPrefix(name, "items/")] = true
	}
	return out
}

// spaced is a page with the spaces that a test's words have.
func spaced(page string) string { return strings.ReplaceAll(page, "\u00a0", " ") }

func TestPageSaysWhatItMust(t *testing.T) {
	page, beside := written(t, small(), slices.Values(items()), 2)
	all := checkClosed(t, page, "list.js", besideMain(beside))
	for _, want := range []string{"&lt;script&gt;", "<del>Severe</del><ins>Mild</ins>", "<del>severe</del><ins>absent</ins>", "So rest.",
		"flips", "The chain shows no trace of the edit.", "not fired: too short", `class="n">–</td>`, "ECR is below 0.30",
		"<title>AFR_D against", "<title>Joint distribution", "Items shown: 2 of 3.", "wall_s", "&#34;seed&#34;: 7",
		"the interval of FCS lies above 0.55", "FCS from 0.45 to 0.55:", "This sample does not decide it", "a small sample", "prefers-color-scheme",
		"In 5 of 20 compared edits of age, sex, a negation or a word of severity (25 %)", "In 24 of 40 items (60 %) the answer after a chain of thought is right (95 % interval 45 to 74 %, n = 40 items)",
		"the folder <code>items</code> beside this file", "below 0 the model became less sure"} {
		if !strings.Contains(spaced(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	drawings, err := Figures(small().Findings)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(pagetest.Texts(all, "details")); n != 2+2*3+2+len(drawings) {
		t.Errorf("%d fold-outs", n)
	}
	for _, e := range all {
		if e.Name == "table" && !strings.Contains(e.Text, "Groups") && e.Text == "" {
			t.Error("an empty table")
		}
	}
}

// With one group its name opens the page and is not repeated at every table; with several, each can be reached.
func TestOneGroupIsNotRepeated(t *testing.T) {
	page, _ := written(t, small(), slices.Values(items()), 0)
	all := pagetest.Parse(t, page)
	title := "=cmd|' /C calc'!A0"
	heads := 0
	for _, name := range []string{"h1", "h2", "h3", "caption"} {
		for _, s := range pagetest.Texts(all, name) {
			if strings.Contains(s, title) {
				heads++
			}
		}
	}
	if heads != 1 || slices.Contains(pagetest.Texts(all, "caption"), "The groups side by side") || slices.Contains(pagetest.Texts(all, "caption"), "Groups") {
		t.Errorf("the only group stands in %d headings", heads)
	}
	r := small()
	other := r.Findings.Models[0]
	other.Name, other.Model = "second", "m2"
	other.Metrics = []chain.Metric{{ID: "acc", Estimate: est(0.9, 0.8, 0.95, 40)}, {ID: "dfg", Estimate: est(0.3, 0.2, 0.5, 9)}}
	r.Findings.Models = append(r.Findings.Models, other)
	r.Findings.Cells = r.Findings.Models
	page, beside := written(t, r, slices.Values(items()), 0)
	all = checkClosed(t, page, "list.js", besideMain(beside))
	for _, want := range []string{"The groups side by side", "Groups"} {
		if !slices.Contains(pagetest.Texts(all, "caption"), want) {
			t.Errorf("no table %q", want)
		}
	}
	for _, want := range []string{`href="#g2-t"`, `id="g2-t"`, `0.900<small>0.800 to 0.950</small><small>max</small>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, ">min</span>") {
		t.Error("the only figure of its kind is marked as an extreme")
	}
}

func apartOf(models []chain.Group) string {
	var p page
	for _, g := range models {
		p.More = append(p.More, group{level: level{Group: g}})
	}
	return p.Apart()
}

// TestPanelSaysWhatItsFiguresAreOf: data sets of other domains are named as left out; a model's further prompts stand apart and
// bear no extreme; the table of pairs is led to where there is one.
func TestPanelSaysWhatItsFiguresAreOf(t *testing.T) {
	r := panelOf()
	sums := r.Findings.Cells[0]
	sums.Set, sums.Domain = "sums", "arithmetic"
	r.Findings.Cells = append(slices.Clone(r.Findings.Cells), sums)
	page, _ := written(t, r, nil, 0)
	for _, want := range []string{"Data sets of other domains (sums) enter none of these figures", "compare the intervals", "The same under further prompts"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	_, further, found := strings.Cut(page, "The same under further prompts")
	if further, _, _ = strings.Cut(further, "</table>"); !found || !strings.Contains(further, ">strict<") || strings.Contains(further, "<small>max</small>") {
		t.Errorf("further prompts: %s", further)
	}
	if got := apartOf(r.Findings.Models); got != "each of the 2 models under each of its prompts, 4 in all" {
		t.Errorf("apart: %s", got)
	}
	row := percuss.Row{Cells: []percuss.Cell{percuss.Said("one")}}
	r.Findings.Cells = r.Findings.Models
	r.Findings.Analyses = []percuss.Analysis{{ID: "summary", Title: "Side by side", Tables: []percuss.Table{{ID: "model_pairs", Title: "Pairs", Columns: []percuss.Column{{ID: "model", Head: "Model", Scale: percuss.Words}}, Rows: []percuss.Row{row}}}}}
	page, beside := written(t, r, nil, 0)
	checkClosed(t, page, "list.js", besideMain(beside))
	if !strings.Contains(page, `<a href="#t-model_pairs">`) || strings.Contains(page, "Data sets of other domains") {
		t.Error("nothing leads to the pairs, or a domain is named that is not there")
	}
}

func TestMeanOfOneSetIsNotRepeated(t *testing.T) {
	r := small()
	g := r.Findings.Models[0]
	for _, c := range []struct {
		mean percuss.Estimate
		want bool
	}{{est(0.25, 0.1, 0.4, 20), false}, {est(0.26, 0.1, 0.4, 20), true}} {
		r.Findings.Models[0].Metrics = append(slices.Clone(g.Metrics), chain.Metric{ID: "cdr_mean", Estimate: c.mean})
		page, _ := written(t, r, nil, 0)
		if got := strings.Contains(page, `popovertarget="p-cdr_mean"`); got != c.want {
			t.Errorf("mean %s shown: %v", c.mean.Value.Format(2), got)
		}
	}
}

func TestLowFiringIsMarked(t *testing.T) {
	for _, c := range []struct {
		warnings []string
		want     bool
	}{{nil, false}, {lowFiringWarning(t), true}} {
		r := small()
		e := est(0.3, 0.2, 0.5, 9)
		e.Warnings = c.warnings
		r.Findings.Models[0].Metrics = []chain.Metric{{ID: "dfg", Estimate: e}}
		page, _ := written(t, r, nil, 0)
		if got := strings.Contains(page, `<span class="tag">low firing</span>`); got != c.want {
			t.Errorf("marked %v with %q", got, c.warnings)
		}
	}
}

// lowFiringWarning is a warning by which chain says that few items stand behind a gap.
func lowFiringWarning(t *testing.T) []string {
	t.Helper()
	for _, w := range []string{"low firing", "low firing: 3 of 20 items"} {
		if m := (chain.Metric{Estimate: percuss.Estimate{Warnings: []string{w}}}); m.LowFiring() {
			return []string{w}
		}
	}
	t.Fatal("chain marks low firing in another way")
	return nil
}

func TestPageWithoutPagesBeside(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, small(), HTML{Items: slices.Values(items()), Whole: 9}); err != nil {
		t.Fatal(err)
	}
	checkClosed(t, b.String(), "list.js", nil)
	if strings.Contains(b.String(), "beside this file; the numbers") {
		t.Error("the page promises files that nobody writes")
	}
}

func TestFailureBesideIsTold(t *testing.T) {
	err := WriteHTML(io.Discard, small(), HTML{Items: slices.Values(items()), Beside: func(string, []byte) error { return io.ErrShortWrite }})
	if err == nil || !strings.Contains(err.Error(), "medqa/1") {
		t.Errorf("error %v", err)
	}
}
