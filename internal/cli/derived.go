package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
)

// recordsOf names all that the records of a run depend on: this program, what the run is, the answers that there are, and
// what the report is told that changes records.
func (o *opened) recordsOf(ctx context.Context) (string, error) {
	n, err := o.answers.Count(ctx)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	e := json.NewEncoder(h)
	put := func(v ...any) error { return e.Encode(v) }
	err = errors.Join(put("percuss.records/1", program(), o.frozen, o.with.labels, cmp.Or(o.with.salience, evidence.Salient), n), put(o.manifest.Spec, o.manifest.Capabilities))
	for _, k := range slices.Sorted(maps.Keys(o.prints)) {
		err = errors.Join(err, put(k, o.prints[k]))
	}
	for _, name := range []string{run.AnswersFile, run.AnswersFile + "-wal"} {
		// A log of writes that is empty comes and goes with whoever reads.
		if info, bad := os.Stat(filepath.Join(o.dir, name)); bad == nil && info.Size() > 0 {
			err = errors.Join(err, put(name, info.Size(), info.ModTime().UnixNano()))
		}
	}
	f, bad := os.Open(filepath.Join(o.dir, run.SubjectsFile))
	if bad == nil {
		_, bad = io.Copy(h, f)
		bad = errors.Join(bad, f.Close())
	}
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, bad)
}

// program tells one build from another: its version and, of a build that has none of its own, the file itself.
func program() string {
	name := Version
	if b, ok := debug.ReadBuildInfo(); ok {
		for _, s := range b.Settings {
			name += " " + s.Key + "=" + s.Value
		}
	}
	if path, err := os.Executable(); err == nil {
		if info, err := os.Stat(path); err == nil {
			name += " " + strconv.FormatInt(info.Size(), 10) + " " + info.ModTime().String()
		}
	}
	return name
}

// summarise computes the findings of type F from records of type R, in one pass that counts the calls on the way. The
// records are kept beside the answers, and taken from there where nothing has changed.
func summarise[R percuss.Record, F percuss.Findings](ctx context.Context, o *opened, item func(run.View, R) report.Item) (F, []report.Calls, error) {
	of, err := o.recordsOf(ctx)
	if err != nil {
		var none F
		return none, nil, err
	}
	defer o.list() // what comes after the draws may walk again
	if kept, ok := run.KeptRecords[R](o.dir, of); ok {
		o.subjects = nil
		if findings, calls, err := fromKept[R, F](ctx, o, kept); !errors.Is(err, run.ErrDerived) {
			return findings, calls, err
		}
		o.list()
	}
	var failure error
	var calls []report.Calls
	tally, keeping, all, complete := report.NewTally(), run.KeepRecords[R](o.dir, of), 0, false
	findings, err := findingsOf[F](o, func(yield func(percuss.Record) bool) {
		defer func() {
			complete, calls, tally = all == len(o.subjects), tally.Calls(), nil
			failure = errors.Join(failure, o.forget(ctx))
		}()
		for v, r := range views[R](ctx, o, &failure) {
			tally.Add(item(v, r))
			keeping.Add(r)
			if all++; !yield(r) {
				return
			}
		}
	})
	keeping.Close(failure == nil && err == nil && complete, calls)
	return findings, calls, errors.Join(failure, err)
}

// fromKept computes the findings from kept records.
func fromKept[R percuss.Record, F percuss.Findings](ctx context.Context, o *opened, kept run.Records[R]) (F, []report.Calls, error) {
	var calls []report.Calls
	if err := json.Unmarshal(kept.Beside, &calls); err != nil {
		var none F
		return none, nil, errors.Join(run.ErrDerived, err)
	}
	var failure error
	findings, err := findingsOf[F](o, func(yield func(percuss.Record) bool) {
		for r, err := range kept.All() {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				failure = err
				return
			}
			if !yield(r) {
				return
			}
		}
	})
	return findings, calls, errors.Join(failure, err)
}

// frugalPercent is how far the heap may grow beyond what is in use while tables are drawn, in percent (GOGC): a quarter as far
// as by default. Draws are made in each other's memory and leave little garbage, and what is in use is replicates, which are
// quickly passed over: for the paper's panel this takes a sixth less memory than twice as far and no more than a few
// hundredths more processor time.
const frugalPercent = 25

// frugal makes the process thrifty with memory until the returned function is called. Who set GOGC lower, or off, has it so.
func frugal() (restore func()) {
	before := debug.SetGCPercent(frugalPercent)
	if before < frugalPercent {
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}

// findingsOf are the findings of the run's audit, which are of type F.
func findingsOf[F percuss.Findings](o *opened, records func(func(percuss.Record) bool)) (F, error) {
	restore := func() {}
	defer func() { restore() }()
	findings, ok := o.audit.Summarise(func(yield func(percuss.Record) bool) {
		records(yield)
		restore = frugal() // from here on: the walk before leaves much garbage and has little in use
	}).(F)
	if !ok {
		return findings, errors.New("the audit returned no findings of its own")
	}
	return findings, nil
}
