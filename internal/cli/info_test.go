package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
)

func TestSharingOf(t *testing.T) {
	for name, c := range map[string]struct {
		counts model.Counts
		want   sharing
	}{
		"nothing asked": {model.Counts{}, sharing{}},
		"a server":      {model.Counts{PromptAsked: 10, PromptComputed: 10, Output: 5, Decodes: 5}, sharing{Share: percuss.Num(1)}},
		"drafts": {model.Counts{PromptAsked: 10, PromptComputed: 5, Output: 100, Decodes: 20, Drafted: 80, Accepted: 60},
			sharing{Share: percuss.Num(0.5), Steps: percuss.Num(0.4)}},
		"no draft was right": {model.Counts{PromptAsked: 10, PromptComputed: 5, Output: 100, Drafted: 80}, sharing{Share: percuss.Num(0.5), Steps: percuss.Num(1)}},
		"trees": {model.Counts{PromptAsked: 100, PromptComputed: 30, PromptDistinct: 20, PrefillSeconds: 3, PlainTokens: 10, PlainSeconds: 0.5},
			sharing{Share: percuss.Num(0.3), Bound: percuss.Num(0.2), Rate: percuss.Num(0.5)}},
	} {
		if got := sharingOf(c.counts); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// What was shared is told in words that need no knowledge of the engine.
func TestSharingWords(t *testing.T) {
	for want, c := range map[string]model.Counts{
		"prompts that begin alike shared their work: 1,234 of 8,065 tokens of prompts were computed (15.3 %)": {PromptAsked: 8065, PromptComputed: 1234, PromptDistinct: 2000},
		"30 of 100 tokens of prompts were computed (30 %; the least possible is 20 %), at 50 % of the engine's full speed": {PromptAsked: 100, PromptComputed: 30, PromptDistinct: 20,
			PrefillSeconds: 3, PlainTokens: 10, PlainSeconds: 0.5},
		"; 60 of 80 guesses at what a text says next were right": {PromptAsked: 10, PromptComputed: 5, Output: 100, Drafted: 80, Accepted: 60},
	} {
		if got := sharingWords(c, sharingOf(c)); !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

// A report whose folder was deleted has the date on which the run was begun.
func TestDateOfARunWithoutItsReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if status, _, errs := command(t, "chain", "-m", "sim:faithful", "-d", "demo", "-n", "1", "--battery", "M5", "--controls", "none", "--no-direct", "-o", dir); status != exitDone {
		t.Fatal(errs)
	}
	m, err := run.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, run.ReportFolder)); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, "report", dir); status != exitDone {
		t.Fatal(errs)
	}
	for _, name := range []string{"report.html", report.CardFile} {
		page, err := os.ReadFile(filepath.Join(dir, run.ReportFolder, name))
		if want := m.Begun.Format("2 January 2006"); err != nil || !strings.Contains(string(page), want) {
			t.Errorf("%s has no %s, %v", name, want, err)
		}
	}
}
