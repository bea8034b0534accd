package realmodel

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	root "github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// simulated are the reasoners of known behaviour beside the real models. Which failure mode each lands in is tested where
// replies are long: 48 tokens cut their chains.
var simulated = []string{"faithful", "inert", "early-commit", "compressed", "random", "always-a"}

// panelOf is a specification of the real models that are here and of the simulated ones.
func panelOf(t *testing.T, real []string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("version: 1\nseed: 1\nmodels:\n")
	for _, name := range real {
		fmt.Fprintf(&b, "  - {id: %s, model: \"llama:%s\", tier: general}\n", name, name)
	}
	for _, name := range simulated {
		fmt.Fprintf(&b, "  - {id: %s, model: \"sim:%s\"}\n", name, name)
	}
	b.WriteString("data:\n  - {data: demo, n: 2}\naudits:\n  chain:\n    battery: families+F1+M2\n    answer: text+letters\n    max_tokens: 48\n")
	path := filepath.Join(t.TempDir(), "panel.yaml")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPanelOfRealModels: the embedded models and the simulated reasoners in one run, every analysis in its report, and
// margins beside the flips.
func TestPanelOfRealModels(t *testing.T) {
	cache := engine(t)
	if _, err := cache.FindModel(context.Background(), "smollm2-135m"); err != nil {
		t.Skip("needs the model smollm2-135m (make setup): ", err)
	}
	real := []string{"smollm2-135m"}
	if _, err := cache.FindModel(context.Background(), "gemma3-270m-base"); err == nil {
		real = append(real, "gemma3-270m-base")
	} else {
		t.Log("one real model only: gemma3-270m-base is not here: ", err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	spec := panelOf(t, real)
	if status, out, errs := percuss(t, "run", spec, "-o", dir); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "report", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r struct{ Findings chain.Findings }
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Findings.Models) != len(real)+len(simulated) || len(r.Findings.Cells) != len(r.Findings.Models) {
		t.Fatalf("%d models, %d cells", len(r.Findings.Models), len(r.Findings.Cells))
	}
	for _, g := range r.Findings.Models[:len(real)] {
		if m, ok := g.Metric("acc", ""); !ok || !m.Value.OK() {
			t.Errorf("%s: with letters every item has an answer, but the accuracy is missing: %s", g.Model, m.Why)
		}
	}
	analysed(t, r.Findings, real)
}

// analysed: the eleven analyses are there, each absent one with its reason, and the margins of the real models have values
// and intervals, and are held against the flips.
func analysed(t *testing.T, f chain.Findings, real []string) {
	t.Helper()
	seen := map[int]bool{}
	for _, a := range f.Analyses {
		seen[a.Number] = true
		for _, table := range a.Tables {
			if len(table.Rows) == 0 && table.Absent == "" {
				t.Errorf("%s is empty and does not say why", table.ID)
			}
			if table.ID != "margins" && table.ID != "margins_agreement" {
				continue
			}
			for _, name := range real {
				values, intervals := counted(table, name)
				t.Logf("%s: %s has %d values, %d with an interval", table.ID, name, values, intervals)
				if values == 0 || intervals == 0 {
					t.Errorf("%s: %s has %d values, %d with an interval", table.ID, name, values, intervals)
				}
			}
		}
	}
	for number := 1; number <= 11; number++ {
		if !seen[number] && number != 10 { // the tenth are the figures
			t.Errorf("analysis %d is not in the report", number)
		}
	}
}

// counted counts the values of a model's rows and those with an interval.
func counted(table root.Table, model string) (values, intervals int) {
	for _, row := range table.Rows {
		if row.Cells[0].Text != model {
			continue
		}
		for _, c := range row.Cells {
			if c.Estimate.Value.OK() && c.Estimate.Method != "" {
				values++
				if c.Estimate.Lo.OK() && c.Estimate.Hi.OK() {
					intervals++
				}
			}
		}
	}
	return values, intervals
}
