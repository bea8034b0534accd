package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/agreement"
	"github.com/percuss/percuss/review/blind"
)

// automatic are the tables of a run's report that hold what a program says against the raters, by task.
var automatic = map[blind.Kind][]string{blind.Perturbation: {"clinicians_chs"}, blind.ChainUpdate: {"rules_human"}, blind.Steps: {"experts", "experts_rates", "experts_pairs", "experts_order", "checks_experts"}}

// reportTables is what is read of a report.
type reportTables struct {
	Findings struct {
		Analyses []struct {
			Tables []percuss.Table `json:"tables"`
		} `json:"analyses"`
	} `json:"findings"`
}

// withAutomatic adds, once the key is open, how the run's own rules and judges stand against the raters. The run's report reckons
// it, from the answers of models that a review knows nothing of; a report that is older than the unsealing does not hold these labels.
func (a reviewed) withAutomatic(r agreement.Results) (agreement.Results, error) {
	wanted := automatic[r.Task]
	if !r.KeyOpen || len(wanted) == 0 || len(r.Only) > 0 {
		return r, nil
	}
	run := filepath.Dir(filepath.Dir(filepath.Clean(a.folder)))
	made, err := os.Stat(filepath.Join(run, "report", "report.json"))
	opened, unopened := os.Stat(filepath.Join(a.folder, review.UnsealedFile))
	if errors.Is(err, fs.ErrNotExist) || err == nil && unopened == nil && made.ModTime().Before(opened.ModTime()) {
		r.Lead = append(r.Lead, fmt.Sprintf("How the run's own rules and judges stand against the raters is told here once `percuss report %s` has joined the labels.", run))
		return r, nil
	} else if err = errors.Join(err, unopened); err != nil {
		return r, err
	}
	raw, err := os.ReadFile(filepath.Join(run, "report", "report.json"))
	if err != nil {
		return r, err
	}
	var told reportTables
	if err := json.Unmarshal(raw, &told); err != nil {
		return r, usage(fmt.Errorf("%s: %w: make it again with percuss report %s", filepath.Join(run, "report", "report.json"), err, run))
	}
	for _, analysis := range told.Findings.Analyses {
		for _, t := range analysis.Tables {
			if slices.Contains(wanted, t.ID) {
				t.Notes = append(t.Notes, "From the report of the run, which counts the labels of all its unsealed reviews.")
				r.Tables = append(r.Tables, t)
			}
		}
	}
	return r, nil
}
