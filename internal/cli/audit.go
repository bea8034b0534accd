package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// runAudit begins or resumes a run and ends with its report.
func (a *app) runAudit(ctx context.Context, asked spec.Specification, dir string, on machine) (err error) {
	if dir == "" {
		dir = defaultFolder(asked)
	}
	leave, err := hold(dir)
	if err != nil {
		return err
	}
	defer leave()
	a.holds.Store(&dir)
	r, err := a.prepare(ctx, asked, dir, on)
	if ctx.Err() != nil && !fileExists(filepath.Join(dir, run.ManifestFile)) {
		return unkept{errors.Join(err, r.close())}
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	a.tellBegun(r, asked)
	if err := a.foretell(ctx, r); err != nil {
		return err
	}
	began := time.Now()
	result, err := r.ask(ctx, a)
	if err := errors.Join(err, r.writeInfo(dir, began, result, err)); err != nil {
		return unfinished{unreported{err, dir}}
	}
	a.tellSharing(r)
	// The report needs no model, and the files of the answers must stand as a later report finds them: it then has the
	// records of this one.
	if err := r.close(); err != nil {
		return err
	}
	got, err := a.writeReport(ctx, dir, endFormats, reading{}, false)
	if err != nil {
		return err
	}
	if result.Trials > 0 && float64(result.Failed) > r.manifest.Spec.Limits.FailShare*float64(result.Trials) {
		return unfinished{fmt.Errorf("%d of %d requests failed%s", result.Failed, result.Trials, reasons(result.Faults))}
	}
	return a.tellUseless(got, r.manifest.Spec.Limits.FailShare, dir)
}

// defaultFolder is where a run is whose folder was not named: by the first model and set, so that the same command finds it.
func defaultFolder(asked spec.Specification) string {
	name := asked.Models[0].ID + "-" + asked.Data[0].Data
	switch {
	case asked.Evidence != nil:
		name = "evidence-" + name
	case asked.Steps != nil:
		name = "steps-" + name
	}
	return filepath.Join("runs", slug(name))
}

// hold makes the folder of a run and locks it. leave lets go of it, and takes away what a run that never began has left.
func hold(dir string) (leave func(), err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, usage(fmt.Errorf("%w: name a folder that can be written with -o", err))
	}
	unlock, err := run.Lock(dir)
	if err != nil {
		return nil, usage(err)
	}
	return func() {
		unlock()
		takeAway(dir)
	}, nil
}

// takeAway removes the folder of a run that never began: it holds the lock alone.
func takeAway(dir string) {
	if !fileExists(filepath.Join(dir, run.ManifestFile)) {
		os.Remove(filepath.Join(dir, run.LockFile))
		os.Remove(dir)
	}
}

// tellBegun says what of the sets is used: rows that cannot be, and where the run holds more items than this command asks for.
func (a *app) tellBegun(r *running, asked spec.Specification) {
	for i, d := range r.manifest.Data {
		if d.Bad > 0 {
			told(a.err, "  ", "%s: %s can be used, %d cannot; `percuss data check` says why", d.Set, report.Plural(d.Rows, "row"), d.Bad)
		}
		if i < len(asked.Data) && asked.Data[i].N > 0 && asked.Data[i].N < d.Drawn {
			told(a.err, "  ", "%s: the run in %s has %s, more than the %d that this command names: it goes on with all of them; for fewer, name another folder with -o",
				d.Set, r.dir, report.Plural(d.Drawn, "item"), asked.Data[i].N)
		}
	}
}

// reasons lists the last message of each kind of fault, a line each.
func reasons(faults map[string]string) string {
	out := ""
	for _, kind := range slices.Sorted(maps.Keys(faults)) {
		out += "\n  " + kind + ": " + clip(report.Visible(faults[kind]), 160)
	}
	return out
}

// slug makes a folder name of a text.
func slug(s string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '-'
	}, s), "-.")
}

// loadItems reads and draws what the audit of a run asks.
func (a *app) loadItems(s spec.Specification) (items run.Items, infos []run.DataInfo, err error) {
	if s.Evidence != nil {
		items.Cases, infos, err = a.loadCases(s)
	} else {
		items.Questions, infos, err = a.loadData(s)
	}
	return items, infos, located(err, dataNames(s)...)
}

// dataNames are the sets of a specification as they were written.
func dataNames(s spec.Specification) []string {
	var out []string
	for _, d := range s.Data {
		out = append(out, d.Data)
	}
	return out
}

// located adds a remedy to the error of a named file that is not there. data are the sets that were asked for: a known one can
// be named without its file, a file of the user's own cannot.
func located(err error, data ...string) error {
	path := new(fs.PathError)
	if !errors.As(err, &path) || !errors.Is(path, fs.ErrNotExist) {
		return err
	}
	remedy := "name a file that is there, or the set alone; percuss data list says where sets are looked for"
	for _, d := range data {
		if arg, wrong := dataset.ParseArg(d); wrong == nil && arg.Path == path.Path && ownFile(arg.Set) {
			remedy = "name a file that is there"
			if !filepath.IsAbs(path.Path) {
				remedy += "; a path begins at the folder in which percuss is started"
			}
		}
	}
	return usage(fmt.Errorf("%w: %s", err, remedy))
}
