package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"sync"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/internal/explore"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/step"
)

// viewed is a run as the explorer sees it. What it holds of the opened run is never changed.
type viewed struct {
	o        *opened
	subjects []percuss.Subject

	state struct { // what State found, and of which files
		sync.Mutex
		stamp, is string
	}
	noise noiseOfRun
}

// openViewed opens a run for the explorer.
func openViewed(ctx context.Context, dir string) (explore.Run, error) {
	o, err := openRun(ctx, dir, reading{})
	if err != nil {
		return nil, err
	}
	return &viewed{o: o, subjects: o.subjects}, nil
}

func (v *viewed) Dir() string                 { return v.o.dir }
func (v *viewed) Manifest() run.Manifest      { return v.o.manifest }
func (v *viewed) Subjects() []percuss.Subject { return v.subjects }
func (v *viewed) Close() error {
	v.noise.stop()
	return v.o.answers.Close()
}

// State counts the answers only where their files have changed.
func (v *viewed) State(ctx context.Context) (string, error) {
	v.state.Lock()
	defer v.state.Unlock()
	stamp := ""
	for _, name := range []string{run.AnswersFile, run.AnswersFile + "-wal", run.SubjectsFile} {
		if info, err := os.Stat(filepath.Join(v.o.dir, name)); err == nil && info.Size() > 0 {
			stamp += fmt.Sprintln(name, info.Size(), info.ModTime().UnixNano())
		}
	}
	if stamp == v.state.stamp {
		return v.state.is, nil
	}
	is, err := v.o.recordsOf(ctx)
	if err == nil {
		v.state.stamp, v.state.is = stamp, is
	}
	return is, err
}

func (v *viewed) View(ctx context.Context, at int) (run.View, error) {
	if at < 0 || at >= len(v.subjects) {
		return run.View{}, fmt.Errorf("subject %d: the run has %d", at, len(v.subjects))
	}
	for view, err := range run.Views(ctx, v.o.audit, v.o.answers, v.subjects[at:at+1], v.o.frozen) {
		return view, err
	}
	return run.View{}, errors.New("the run was closed")
}

func (v *viewed) Views(ctx context.Context) iter.Seq2[run.View, error] {
	return run.Views(ctx, v.o.audit, v.o.answers, v.subjects, v.o.frozen)
}

func (v *viewed) Records(ctx context.Context) iter.Seq2[percuss.Record, error] {
	switch {
	case v.o.manifest.Spec.Evidence != nil:
		return recordsAs[evidence.Record](ctx, v)
	case v.o.manifest.Spec.Steps != nil:
		return recordsAs[step.Record](ctx, v)
	}
	return recordsAs[chain.Record](ctx, v)
}

// recordsAs are records of type R: kept ones, or else what the answers are reduced to, which is kept as a report keeps it.
func recordsAs[R percuss.Record](ctx context.Context, v *viewed) iter.Seq2[percuss.Record, error] {
	return func(yield func(percuss.Record, error) bool) {
		of, err := v.o.recordsOf(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		n := 0
		if kept, ok := run.KeptRecords[R](v.o.dir, of); ok {
			for r, err := range kept.All() {
				if err != nil {
					break // those from here on are worked out anew
				}
				if n++; !yield(r, nil) {
					return
				}
			}
		}
		if n == 0 {
			reduceAndKeep[R](ctx, v, of, yield)
			return
		}
		for view, err := range run.Views(ctx, v.o.audit, v.o.answers, v.subjects[min(n, len(v.subjects)):], v.o.frozen) {
			if !yield(view.Record, err) || err != nil {
				return
			}
		}
	}
}

// reduceAndKeep yields the records of all subjects and keeps them.
func reduceAndKeep[R percuss.Record](ctx context.Context, v *viewed, of string, yield func(percuss.Record, error) bool) {
	tally, keeping, n := report.NewTally(), run.KeepRecords[R](v.o.dir, of), 0
	defer func() { keeping.Close(n == len(v.subjects), tally.Calls()) }()
	for view, err := range v.Views(ctx) {
		r, ok := view.Record.(R)
		if err == nil && !ok {
			err = errors.New("the audit returned no record of its own")
		}
		if err != nil {
			yield(nil, err)
			return
		}
		tally.Add(v.tallied(view))
		keeping.Add(r)
		if n++; !yield(r, nil) {
			return
		}
	}
}

// tallied is what the counts of calls need of a view.
func (v *viewed) tallied(view run.View) report.Item {
	switch r := view.Record.(type) {
	case chain.Record:
		return v.o.item(view, r)
	case step.Record:
		return v.steps(view, r)
	}
	return report.Item{Subject: view.Subject, Trials: view.Trials, Answers: view.Answers}
}

func (v *viewed) Item(view run.View) (report.Item, battery.Battery) {
	r, _ := view.Record.(chain.Record)
	it := v.o.item(view, r)
	if audit, ok := v.o.audit.(*chain.Audit); ok {
		return it, audit.Battery()
	}
	return it, battery.Battery{}
}

func (v *viewed) Answer(ctx context.Context, k percuss.Key) (percuss.Request, percuss.Answer, bool, error) {
	r, asked, err := v.o.answers.Request(ctx, k)
	if err != nil || !asked {
		return r, percuss.Answer{}, false, err
	}
	a, ok, err := v.o.answers.Get(ctx, k)
	return r, a, ok, err
}
