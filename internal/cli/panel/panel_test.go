package panel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/cli"
)

// command runs a command line in this process and returns what it prints.
func command(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := cli.Main(args, strings.NewReader(""), &out, &errs, os.Getenv); status != 0 {
		t.Fatalf("percuss %s: status %d\n%s", strings.Join(args, " "), status, errs.String())
	}
	return out.String()
}

// findings reads a run's report.
func findings(t *testing.T, dir string) chain.Findings {
	t.Helper()
	var r struct{ Findings chain.Findings }
	if err := json.Unmarshal([]byte(read(t, dir, "report", "report.json")), &r); err != nil {
		t.Fatal(err)
	}
	return r.Findings
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestPanel: one run of a whole panel; its report without labels, and with them in every format.
func TestPanel(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	command(t, "run", filepath.Join("testdata", "panel.yaml"), "-o", dir)
	t.Run("modes", func(t *testing.T) { landed(t, findings(t, dir)) })
	t.Run("without labels", func(t *testing.T) { unlabelled(t, dir, findings(t, dir)) })
	command(t, "report", dir, "--human", labels(t, dir), "--format", "all")
	f := findings(t, dir)
	t.Run("analyses", func(t *testing.T) { complete(t, f) })
	t.Run("formats", func(t *testing.T) { rendered(t, dir, f) })
	t.Run("groups", func(t *testing.T) { grouped(t, f) })
}

// landed: each reasoner lands in the failure mode that it was built for, under every prompt. Random letters move with every
// edit and no chain says why, which is what a derailed template looks like; one letter for everything moves with none, which
// is what an inert chain looks like.
func landed(t *testing.T, f chain.Findings) {
	want := map[string]string{"faithful": "coupled", "inert": "inert chain", "early-commit": "verbose early-commit",
		"compressed": "chain compression", "derail": "template derailment", "random": "template derailment", "always-a": "inert chain"}
	if len(f.Modes) != 4*len(want) {
		t.Errorf("%d modes of %d models under 4 prompts", len(f.Modes), len(want))
	}
	for _, m := range f.Modes {
		if m.Mode != want[m.Model] {
			t.Errorf("%s, %s: %q, want %q: %+v", m.Model, m.Variant, m.Mode, want[m.Model], m.Figures)
		}
	}
}

// unlabelled: without labels the two parts that need them say so, in the data and on the page.
func unlabelled(t *testing.T, dir string, f chain.Findings) {
	const says = "no labels were given"
	for _, a := range f.Analyses {
		if a.ID == "clinicians" && !strings.Contains(a.Absent, says) {
			t.Errorf("clinicians: %q", a.Absent)
		}
		for _, table := range a.Tables {
			if table.ID == "rules_human" && !strings.Contains(table.Absent, says) {
				t.Errorf("rules_human: %q", table.Absent)
			}
		}
	}
	if page := read(t, dir, "report", "report.html"); !strings.Contains(page, says) {
		t.Errorf("the page does not say that %s", says)
	}
}

// labels writes what two raters said of some trials of the run, and returns the file.
func labels(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("rater,model,variant,item,operator,task,label\n")
	for i, line := range strings.Split(strings.TrimSpace(read(t, dir, "subjects.jsonl")), "\n") {
		var q struct{ ID, Set string }
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		for k, rater := range []string{"A", "B"} {
			if q.Set != "demo" {
				continue
			}
			for _, op := range []string{"M2-age-a", "M2-sex", "M5-a"} {
				said := [4]string{"updated", "no_shift", "valid", "harmful"}
				if (i+k)%3 == 0 {
					said = [4]string{"not_updated", "ambiguous", "borderline", "neutral"}
				}
				fmt.Fprintf(&b, "%s,faithful,neutral,%s,%s,update,%s\n", rater, q.ID, op, said[0])
				fmt.Fprintf(&b, "%s,,,%s,%s,gold_shift,%s\n", rater, q.ID, op, said[1])
				fmt.Fprintf(&b, "%s,,,%s,%s,semantic_validity,%s\n", rater, q.ID, op, said[2])
				fmt.Fprintf(&b, "%s,faithful,neutral,%s,%s,hazard,%s\n", rater, q.ID, op, said[3])
			}
		}
	}
	path := filepath.Join(t.TempDir(), "labels.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// complete: every analysis of the list is there, none of them absent, each with a table that has rows; the tenth are the
// figures.
func complete(t *testing.T, f chain.Findings) {
	rows := map[int]int{}
	for _, a := range f.Analyses {
		if a.Absent != "" {
			t.Errorf("%s is absent: %s", a.ID, a.Absent)
		}
		for _, table := range a.Tables {
			rows[a.Number] += len(table.Rows)
			if table.Absent != "" {
				t.Errorf("%s is absent: %s", table.ID, table.Absent)
			}
		}
	}
	if got := slices.Sorted(maps.Keys(rows)); fmt.Sprint(got) != "[0 1 2 3 4 5 6 7 8 9 11]" {
		t.Errorf("analyses %v", got)
	}
	for number, n := range rows {
		if n == 0 {
			t.Errorf("analysis %d has no row", number)
		}
	}
	if len(f.Claims) == 0 {
		t.Error("no claim is made")
	}
}

// rendered: every table stands in the page, in a CSV file and in a LaTeX file, and the figures are drawn.
func rendered(t *testing.T, dir string, f chain.Findings) {
	page, all := read(t, dir, "report", "report.html"), read(t, dir, "report", "tex", "all.tex")
	for _, a := range f.Analyses {
		if !strings.Contains(page, a.Title) {
			t.Errorf("the page has no %q", a.Title)
		}
		for _, table := range a.Tables {
			rows := strings.Count(read(t, dir, "report", table.ID+".csv"), "\n")
			if rows < len(table.Rows) {
				t.Errorf("%s.csv has %d lines, the table %d rows", table.ID, rows, len(table.Rows))
			}
			if tex := read(t, dir, "report", "tex", table.ID+".tex"); !strings.Contains(tex, `\toprule`) || !strings.Contains(all, table.ID) {
				t.Errorf("%s.tex is no table, or not in all.tex", table.ID)
			}
		}
	}
	for _, figure := range []string{"afr", "joint", "fcs_params", "flips"} {
		for _, format := range []string{".svg", ".pdf", ".csv"} {
			if read(t, dir, "report", "figures", figure+format) == "" {
				t.Errorf("figure %s%s is empty", figure, format)
			}
		}
	}
}

// grouped: the panel is the mean of the seven models, the closed tier stands apart, and no mean of medical sets holds
// numbers or yes and no.
func grouped(t *testing.T, f chain.Findings) {
	var tiers []string
	for _, g := range f.Tiers {
		tiers = append(tiers, g.Tier)
	}
	if fmt.Sprint(tiers) != "[general reasoning medical closed]" || f.Panel == nil || f.Panel.Items != 7*8 {
		t.Errorf("tiers %v, panel %+v", tiers, f.Panel)
	}
	want := percuss.Number{}
	for _, g := range f.Cells {
		if m, ok := g.Metric("acc", ""); g.Model == "faithful" && g.Variant == "neutral" && g.Domain == "" && ok {
			want = percuss.Num(want.Or(0) + m.Value.Or(0)/2) // of the two medical sets
		}
	}
	for _, g := range f.Models {
		if m, ok := g.Metric("acc", ""); g.Model == "faithful" && g.Variant == "neutral" && (!ok || m.Value.Format(9) != want.Format(9)) {
			t.Errorf("accuracy of faithful %s, its medical sets have %s", m.Value.Format(9), want.Format(9))
		}
	}
}
