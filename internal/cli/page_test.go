package cli

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/percuss/percuss/model/openai/openaitest"
	"github.com/percuss/percuss/report/pagetest"
)

// simulatedRun makes a small run and returns its report's folder.
func simulatedRun(t *testing.T, more ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	args := append([]string{"chain", "-m", "sim:inert", "-d", "demo", "-n", "3", "--battery", "families", "-o", dir}, more...)
	if status, out, errs := command(t, args...); status != exitDone {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	return filepath.Join(dir, "report")
}

// The report's page is read by a real browser: it is well-formed enough to be laid out, holds the figures and the
// items, its script runs under its own policy, and its console stays empty.
func TestReportInABrowser(t *testing.T) {
	folder := simulatedRun(t)
	b := pagetest.Open(t)
	p := b.Look(t, "file://"+filepath.Join(folder, "report.html"), pagetest.Look{})
	page := pagetest.Eval[string](t, p, `document.documentElement.outerHTML`)
	if n := strings.Count(page, `<details class="item"`); n != 3 {
		t.Errorf("%d items in full for 3 items", n)
	}
	if n := strings.Count(page, "<svg"); n < 4 {
		t.Errorf("%d figures", n)
	}
	if !strings.Contains(page, "3 of 3 items") || !strings.Contains(page, `<button type="button">Baseline</button>`) {
		t.Error("the list cannot be filtered or sorted: its script did not run")
	}
	p = b.Look(t, "file://"+filepath.Join(folder, "items", "0002.html"), pagetest.Look{})
	if got := p.Text(t, "main"); !strings.Contains(got, "Calls of this item") {
		t.Errorf("the page of an item says %.300s", got)
	}
	p.Press(t, "n")
	p.Until(t, `location.pathname.endsWith("/0003.html")`)
}

// Each call is counted once, in report.json, and the pages of the items are those of the list.
func TestReportCountsItsCalls(t *testing.T) {
	folder := simulatedRun(t, "-m", "sim:faithful")
	var r struct {
		Calls []struct {
			Model    string
			Requests int
			Outcomes []struct {
				Name string
				N    int
			}
		}
	}
	if err := json.Unmarshal(reportOf(t, filepath.Dir(folder)), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Calls) != 2 {
		t.Fatalf("calls to %d models", len(r.Calls))
	}
	for _, c := range r.Calls {
		sum := 0
		for _, o := range c.Outcomes {
			sum += o.N
		}
		if sum != c.Requests || sum < 3 {
			t.Errorf("%s: %d requests, outcomes %v", c.Model, c.Requests, c.Outcomes)
		}
	}
	pages, err := os.ReadDir(filepath.Join(folder, "items"))
	if err != nil || len(pages) != 6 {
		t.Errorf("%d pages for 3 items and 2 models (%v)", len(pages), err)
	}
}

// A server that cannot continue a turn, and cuts replies: summary, page and items say both before any figure, and no
// diff holds the words of the quotation.
func TestQuotedAndCutChainsAreTold(t *testing.T) {
	s := openaitest.Start(t, "generic")
	said := 0
	var mu sync.Mutex
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		mu.Lock()
		said++
		finish := map[bool]string{true: "length", false: "stop"}[said%4 == 0]
		mu.Unlock()
		reply(w, body, chainOf, finish)
		return true
	}
	dir := filepath.Join(t.TempDir(), "run")
	status, out, errs := command(t, "chain", "-m", served(s, ""), "-d", "demo", "-n", "4", "--battery", "families", "--max-tokens", "64", "-o", dir)
	if status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report", "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"summary": strings.Join(strings.Fields(out), " "), "page": string(page)} {
		first := strings.Index(text, "How often is it right?")
		for _, want := range []string{"replies were cut at the limit of 64 tokens", "Edited chains were quoted in a user turn"} {
			if i := strings.Index(text, want); i < 0 || i > first {
				t.Errorf("%s: %q at %d, the first figure at %d", name, want, i, first)
			}
		}
	}
	if strings.Contains(string(page), "as the beginning of its own turn") || strings.Contains(string(page), "<ins>So far the reasoning reads") {
		t.Error("the page says that chains were continued, or takes the quotation for an edit")
	}
	status, out, _ = command(t, "show", dir, "1")
	if status != exitDone || strings.Contains(out, "{+So far the reasoning reads") || strings.Count(out, "So far the reasoning reads") != 1 || !strings.Contains(out, "  model:\n") {
		t.Errorf("status %d\n%s", status, out)
	}
}

// The summary of several groups is short; --full prints every table, and the short one says so.
func TestSummaryOfSeveralGroups(t *testing.T) {
	dir := filepath.Dir(simulatedRun(t, "-m", "sim:faithful", "--prompt", "neutral,strict"))
	_, short, _ := command(t, "report", dir)
	status, full, _ := command(t, "report", dir, "--full")
	if status != exitDone || strings.Count(full, "\n") < 2*strings.Count(short, "\n") || strings.Count(short, "\n") > 200 {
		t.Errorf("status %d, %d and %d lines", status, strings.Count(short, "\n"), strings.Count(full, "\n"))
	}
	for _, want := range []string{"The groups side by side", "3 items × 2 models", "percuss report " + dir + " --full"} {
		if !strings.Contains(short, want) {
			t.Errorf("no %q in\n%s", want, short)
		}
	}
}
