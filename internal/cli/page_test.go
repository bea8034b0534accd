package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// rendered is what a real browser makes of a page, and what it logs.
func rendered(t *testing.T, path string) (page, log string) {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("needs chromium (make setup)")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
		"--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+path)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	return out.String(), errs.String()
}

// The report's page is read by a real browser: it is well-formed enough to be laid out, holds the figures and the
// items, its script runs under its own policy, and its console stays empty.
func TestReportInABrowser(t *testing.T) {
	folder := simulatedRun(t)
	page, log := rendered(t, filepath.Join(folder, "report.html"))
	if n := strings.Count(page, `<details class="item"`); n != 3 {
		t.Errorf("%d items in full for 3 items", n)
	}
	if n := strings.Count(page, "<svg"); n < 4 {
		t.Errorf("%d figures", n)
	}
	if !strings.Contains(page, "3 of 3 items") || !strings.Contains(page, `<button type="button">Baseline</button>`) {
		t.Error("the list cannot be filtered or sorted: its script did not run")
	}
	if strings.Contains(log, "CONSOLE") {
		t.Errorf("console: %s", log)
	}
	page, log = rendered(t, filepath.Join(folder, "items", "0002.html"))
	if !strings.Contains(page, `href="0003.html"`) || !strings.Contains(page, "Calls of this item") || strings.Contains(log, "CONSOLE") {
		t.Errorf("the page of an item: console %s", log)
	}
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
