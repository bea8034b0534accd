package cli

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/run"
)

// info is runinfo.json: what differs from one run of the same audit to the next.
type info struct {
	Began    time.Time               `json:"began"`
	Seconds  float64                 `json:"seconds"`
	Result   run.Result              `json:"result"`
	Models   map[string]model.Counts `json:"models"` // of this process
	Attempts map[string]int          `json:"failed_attempts"`
	Error    string                  `json:"error,omitempty"`
}

// writeInfo keeps times, rates and counts of this process.
func (r *running) writeInfo(dir string, began time.Time, result run.Result, failure error) error {
	i := info{Began: began.UTC(), Seconds: time.Since(began).Seconds(), Result: result, Models: map[string]model.Counts{}}
	maps.Copy(i.Models, r.counts)
	for id, m := range r.open {
		if c, ok := m.(model.Counter); ok {
			i.Models[id] = i.Models[id].Plus(c.Counts())
		}
	}
	if failure != nil {
		i.Error = failure.Error()
	}
	var err error
	if i.Attempts, err = r.store.Attempts(context.Background()); err != nil {
		return err
	}
	folder := filepath.Join(dir, run.ReportFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if result.Answered == 0 && result.Asked == 0 {
		if _, err := os.Stat(filepath.Join(folder, run.InfoFile)); err == nil {
			return nil // nothing was asked: what an earlier process wrote says more
		}
	}
	return run.WriteFile(filepath.Join(folder, run.InfoFile), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(i)
	})
}
