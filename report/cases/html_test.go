package cases

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report/pagetest"
)

// written draws a report and the pages of its cases.
func written(t *testing.T, r Report, all iter.Seq[Case], whole int) (page string, beside map[string]string) {
	t.Helper()
	beside = map[string]string{}
	var b bytes.Buffer
	err := WriteHTML(&b, r, HTML{Info: json.RawMessage(`{"wall_s":3}`), Cases: all, Whole: whole, Beside: func(name string, page []byte) error {
		beside[name] = string(page)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), beside
}

// fromMain and fromCase are the files that a page may link to.
func fromMain(pages map[string]string) map[string]bool {
	out := map[string]bool{}
	for name := range pages {
		out[name] = true
	}
	return out
}

func fromCase(pages map[string]string) map[string]bool {
	out := map[string]bool{"../report.html#items": true}
	for name := range pages {
		out[strings.TrimPrefix(name, "items/")] = true
	}
	return out
}

func TestPageSaysWhatItMust(t *testing.T) {
	page, beside := written(t, small(), slices.Values(someCases(6)), 2)
	all := pagetest.Closed(t, page, fromMain(beside))
	for _, want := range []string{"in 25 of 42 cases (59.5 %; 95 % interval", "The share of conflict equals its null.", "It cannot be said: in a narrative", "33 of 60 are found again in every other wording",
		"Changing only the order of the candidates: a measured margin lies within 0.39 nats of its mean", "Of 40 combinations judged, 25 are valid",
		"candidates are shuffled", "prefers-color-scheme", "wall_s",
		"<title>Mechanisms: share of the salient combinations", "<title>Suspicious share of the strength", "<title>Strength by order",
		"<title>Mechanisms at other thresholds", "<title>Stability under other settings",
		"<title>What survives the checks", "<title>What changing the evidence does", "<title>Review by bucket",
		"<title>All checks side by side", "Cases shown: 2 of 6.", "the folder <code>items</code> beside this file",
		"no judgements were read", "<td>exact</td>", "Fever: no</td><td>Fever: yes", "Rule 1: negated"} {
		if !strings.Contains(strings.ReplaceAll(page, "\u00a0", " "), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	captions := pagetest.Texts(all, "caption")
	for _, s := range sections(small()) {
		for _, table := range s.Tables {
			if named := strings.TrimSuffix(table.Title+" (the paper's "+table.Paper+")", " (the paper's )"); len(table.Rows) > 0 && !slices.Contains(captions, named) {
				t.Errorf("no table %q", table.Title)
			}
		}
	}
	if first, figures := strings.Index(page, "How often is it right?"), strings.Index(page, "<svg"); first < 0 || first > figures {
		t.Errorf("the answer stands at %d, the first figure at %d", first, figures)
	}
}

// What all cells share is not repeated in every row; what they differ in is.
func TestColumnsThatSayNothingAreLeftOut(t *testing.T) {
	heads := func(r Report) []string {
		page, _ := written(t, r, nil, 0)
		for _, e := range pagetest.Parse(t, page) {
			if e.Name == "table" && e.Attrs["id"] == "t-accuracy" {
				return strings.Fields(e.Text)
			}
		}
		t.Fatal("no table of accuracy")
		return nil
	}
	for _, c := range []struct {
		change func(*Report)
		model  bool
		set    bool
		prompt bool
	}{{func(*Report) {}, false, true, false}, {func(r *Report) { r.Findings.Cells = r.Findings.Cells[:1] }, false, false, false},
		{func(r *Report) { r.Findings.Cells[1].Model, r.Findings.Cells[1].Variant = "m2", "questionnaire" }, true, true, true}} {
		r := small()
		c.change(&r)
		got := heads(r)[:6]
		text := strings.Join(got, " ")
		if strings.Contains(text, "Model") != c.model || strings.Contains(text, "Set") != c.set || strings.Contains(text, "Prompt") != c.prompt {
			t.Errorf("heads %v", got)
		}
	}
}

// The list holds every case with what its filters ask for.
func TestListOfCases(t *testing.T) {
	page, _ := written(t, small(), slices.Values(someCases(3)), 0)
	var kinds string
	var is []string
	for _, e := range pagetest.Parse(t, page) {
		if e.Attrs["id"] == "list" {
			kinds = e.Attrs["data-kinds"]
		}
		if v, ok := e.Attrs["data-is"]; ok {
			is = append(is, v)
		}
	}
	want := []string{"right suspicious held moved m0 s0", "wrong clean moved m0 s0", "unscored m0 s0"}
	if !slices.Equal(is, want) {
		t.Errorf("rows are %q, want %q", is, want)
	}
	for _, word := range []string{"right", "wrong", "suspicious", "held", "clean", "flat", "moved", "unscored"} {
		if !strings.Contains(kinds, "|"+word+":") {
			t.Errorf("no filter for %s in %q", word, kinds)
		}
	}
	if strings.Contains(kinds, "all models") {
		t.Error("one model is offered as a choice")
	}
	two := someCases(2)
	two[1].Subject.Model = "m|2;"
	page, _ = written(t, small(), slices.Values(two), 0)
	if !strings.Contains(page, "all models|m0:m1|m1:m/2,") {
		t.Error("two models cannot be told apart, or a name breaks the filter")
	}
}

func TestEmptyReport(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, Report{}, HTML{}); err != nil || !strings.Contains(b.String(), "There are no findings.") {
		t.Error(err, b.Len())
	}
	pagetest.Closed(t, b.String(), nil)
	r := small()
	r.Findings.Cells = []evidence.Cell{{Model: "m", Set: "s"}} // a run that was not begun
	page, _ := written(t, r, nil, 0)
	if all := pagetest.Closed(t, page, nil); len(pagetest.Texts(all, "svg")) > 1 || !strings.Contains(page, "Not known") {
		t.Errorf("%d figures of nothing", len(pagetest.Texts(all, "svg")))
	}
}

func TestFailureBesideIsTold(t *testing.T) {
	err := WriteHTML(io.Discard, small(), HTML{Cases: slices.Values(someCases(2)), Beside: func(string, []byte) error { return io.ErrShortWrite }})
	if err == nil || !strings.Contains(err.Error(), "ddxplus:1") {
		t.Errorf("error %v", err)
	}
}

func TestPageWithoutPagesBeside(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, small(), HTML{Cases: slices.Values(someCases(2)), Whole: 9}); err != nil {
		t.Fatal(err)
	}
	pagetest.Closed(t, b.String(), nil)
	if strings.Contains(b.String(), "beside this file; the numbers") {
		t.Error("the page promises files that nobody writes")
	}
}

// A thousand cases are written in seconds, and the main page can still be mailed.
func TestThousandCases(t *testing.T) {
	const n = 1000
	files := 0
	var page bytes.Buffer
	began := time.Now()
	err := WriteHTML(&page, small(), HTML{Cases: slices.Values(someCases(n)), Whole: 25, Beside: func(string, []byte) error {
		files++
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("drawn in %v", time.Since(began).Round(time.Millisecond))
	if rows := strings.Count(page.String(), "<tr data-is="); rows != n || files != n || page.Len() > 4<<20 {
		t.Errorf("%d rows in the list, %d pages, %d bytes", rows, files, page.Len())
	}
}

// A page goes from the answer to a summary, then figures, claims, tables, method and limits.
func TestOrderOfSections(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, small(), HTML{}); err != nil {
		t.Fatal(err)
	}
	last := 0
	for _, id := range []string{`aria-label="Contents"`, `<h2 id="s-`, `<h2 id="figures"`, `<h2 id="s-mechanisms"`, `<h2 id="method"`, `<h2 id="limits"`} {
		at := strings.Index(b.String(), id)
		if at <= last {
			t.Errorf("%s stands at %d, after %d", id, at, last)
		}
		last = at
	}
	if !strings.Contains(b.String(), ">Summary: ") {
		t.Error("no summary")
	}
}
