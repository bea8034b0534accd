package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// --format all writes every rendering, and the summary says where each lies.
func TestEveryFormat(t *testing.T) {
	folder := simulatedRun(t, "-m", "sim:faithful")
	status, out, errs := command(t, "report", filepath.Dir(folder), "--format", "all")
	if status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	for _, want := range []string{"report.json", "report.html", "metrics.csv", "summary.csv", "tex/all.tex", "tex/summary.tex", "figures/afr.svg", "figures/afr.pdf", "figures/afr.csv",
		"figures/joint.svg", "figures/flips.pdf", "figures/afr.png", "figures/flips.png"} {
		if info, err := os.Stat(filepath.Join(folder, filepath.FromSlash(want))); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, want := range []string{"tex   " + filepath.Join(folder, "tex"), "svg   " + filepath.Join(folder, "figures"), "html  " + filepath.Join(folder, "report.html"), "card  " + filepath.Join(folder, "card.html"), "percuss define WORD"} {
		if !strings.Contains(out, want) {
			t.Errorf("the summary lacks %q:\n%s", want, out)
		}
	}
}

// A run ends with what is quick to make; only what is asked for is made besides.
func TestFormatsThatAreAskedFor(t *testing.T) {
	folder := simulatedRun(t)
	if _, err := os.Stat(filepath.Join(folder, "tex")); err == nil {
		t.Error("a run ends with LaTeX that nobody asked for")
	}
	status, _, errs := command(t, "report", filepath.Dir(folder), "--format", "tex,docx")
	if status != exitUsage || !strings.Contains(errs, `"docx"`) || !strings.Contains(errs, "json, csv, html, tex, svg, pdf, png and all") {
		t.Errorf("status %d\n%s", status, errs)
	}
	if status, _, errs := command(t, "report", filepath.Dir(folder), "--format", "pdf"); status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	if _, err := os.Stat(filepath.Join(folder, "figures", "afr.svg")); err == nil {
		t.Error("SVG was written for --format pdf")
	}
}

// An evidence audit has every rendering as well.
func TestFormatsOfAnEvidenceAudit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if status, _, errs := command(t, "evidence", "-m", "sim:additive", "-m", "sim:shortcut", "-d", "demo", "-n", "1", "-o", dir); status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	status, out, errs := command(t, "report", dir, "--format", "all")
	if status != exitDone || !strings.Contains(out, "tex"+string(filepath.Separator)) {
		t.Errorf("status %d\n%s\n%s", status, out, errs)
	}
	for _, want := range []string{"report.json", "report.html", "accuracy.csv", "tex/all.tex", "tex/panel_accuracy.tex", "tex/panel_mechanisms.tex", "figures/mechanisms.svg",
		"figures/orders.pdf", "figures/orders.png", "figures/orders.csv"} {
		if info, err := os.Stat(filepath.Join(dir, "report", filepath.FromSlash(want))); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// Of many subjects each model, prompt and set keeps its first ones, in order, and none goes without.
func TestFirstOfEach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []percuss.Subject
		for range rapid.IntRange(0, 60).Draw(t, "subjects") {
			all = append(all, percuss.Subject{SubjectID: percuss.SubjectID{Model: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "model"),
				Set: rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "set"), Item: string(rune('0' + len(all)))}})
		}
		most := rapid.IntRange(1, 40).Draw(t, "most")
		got := firstOfEach(all, most)
		cells := map[[2]string][]string{}
		for _, s := range all {
			cells[[2]string{s.Model, s.Set}] = append(cells[[2]string{s.Model, s.Set}], s.Item)
		}
		if len(got) > max(most, len(cells)) || len(all) <= most && len(got) != len(all) {
			t.Fatalf("%d of %d subjects, at most %d", len(got), len(all), most)
		}
		kept := map[[2]string][]string{}
		for _, s := range got {
			kept[[2]string{s.Model, s.Set}] = append(kept[[2]string{s.Model, s.Set}], s.Item)
		}
		for cell, items := range cells {
			if k := kept[cell]; len(k) == 0 || !slices.Equal(k, items[:len(k)]) {
				t.Fatalf("%v keeps %q of %q", cell, k, items)
			}
		}
	})
}

// TestPageThatStandsAlreadyStays: a page is written over only where another one is to stand there.
func TestPageThatStandsAlreadyStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "0001.html")
	long := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		page  string
		stays bool
	}{{"first", false}, {"first", true}, {"other", false}, {"", false}, {"", true}} {
		if err := writePage(path, []byte(c.page)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != c.page {
			t.Errorf("%q stands there instead of %q, error %v", got, c.page, err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if stays := info.ModTime().Equal(long); stays != c.stays {
			t.Errorf("%q: stays as it was: %v, want %v", c.page, stays, c.stays)
		}
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	if err := writePage(filepath.Join(t.TempDir(), "missing", "0001.html"), nil); err == nil {
		t.Error("written into a folder that is not there")
	}
}
