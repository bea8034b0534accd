package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/recorded"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/sqlite"
)

// running is a prepared run.
type running struct {
	manifest run.Manifest
	items    run.Items
	store    store.Store
	dir      string
	open     map[string]model.Model  // at most one at a time: weights are large
	counts   map[string]model.Counts // of models that were open
	on       machine
	requests int // that are there to ask, where that is known; else 0
	audit    percuss.Audit
}

// release closes the models that are open, and keeps their counts.
func (r *running) release() error {
	var errs []error
	for id, m := range r.open {
		if c, ok := m.(model.Counter); ok {
			r.counts[id] = r.counts[id].Plus(c.Counts())
		}
		errs = append(errs, m.Close())
		delete(r.open, id)
	}
	return errors.Join(errs...)
}

// close ends the run's hold on models and answers; a second time it does nothing.
func (r *running) close() error {
	errs := []error{r.release()}
	if r.store != nil {
		errs = append(errs, r.store.Close())
		r.store = nil
	}
	return errors.Join(errs...)
}

// prepare settles the specification, the items and the capabilities, and writes them down.
func (a *app) prepare(ctx context.Context, asked spec.Specification, dir string, on machine) (r *running, err error) {
	r = &running{dir: dir, open: map[string]model.Model{}, counts: map[string]model.Counts{}, on: on}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	old, err := run.ReadManifest(dir)
	begun := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, usage(err)
	}
	r.manifest = run.Manifest{Spec: asked, Versions: versions(), Capabilities: map[string]percuss.Capabilities{}, Begun: time.Now().UTC()}
	if begun {
		merged, differences := spec.Extend(old.Spec, asked)
		if len(differences) > 0 {
			return r, usage(fmt.Errorf("%s was begun with other settings; give the same ones, or another -o:\n  %s", dir, strings.Join(differences, "\n  ")))
		}
		r.manifest = old
		r.manifest.Spec = merged
	}
	if r.items, r.manifest.Data, err = a.loadItems(r.manifest.Spec); err != nil {
		return r, err
	}
	if begun {
		if err := sameData(old.Data, r.manifest.Data); err != nil {
			return r, usage(err)
		}
	}
	if err := a.settle(ctx, r); err != nil {
		return r, err
	}
	var prints map[string]string
	r.audit, prints, err = buildAudit(r.manifest.Spec, r.items, r.manifest.Capabilities, keptIn(dir, r.manifest.Spec, begun), ownLabels(r.manifest.Spec, dir))
	if err != nil {
		return r, err
	}
	if begun && !samePrints(old.Fingerprints, prints) {
		return r, usage(fmt.Errorf("%s was begun with other prompts, other rules or another version of what makes its requests: `percuss report %s` still reads it; a new run needs another -o", dir, dir))
	}
	r.manifest.Fingerprints = prints
	if !begun {
		if err := checkLabels(r.items.Questions, r.manifest); err != nil {
			return r, usage(err)
		}
	}
	return r, r.write(dir, begun, old)
}

// keptIn is the folder of a run whose copies are read, because a file that it was begun with is no longer there; empty: the
// files themselves are.
func keptIn(dir string, s spec.Specification, begun bool) string {
	for _, given := range givenFiles(s) {
		if begun && gone(given) {
			return dir
		}
	}
	return ""
}

// gone reports whether a file that is named is not there.
func gone(path string) bool { return path != "" && !fileExists(path) }

// settle finds out what the models can do that the run does not know yet, and refuses what the audit cannot do
// without.
func (a *app) settle(ctx context.Context, r *running) error {
	if err := r.on.unused(r.manifest.Spec.Models); err != nil {
		return err
	}
	r.manifest.Capabilities = maps.Clone(r.manifest.Capabilities)
	for _, m := range r.manifest.Spec.Models {
		if _, ok := r.manifest.Capabilities[m.ID]; ok {
			continue
		}
		if err := r.release(); err != nil {
			return err
		}
		opened, err := a.openModel(ctx, m, r.items, r.on.within(r.manifest.Spec.Rate(m)))
		if err != nil {
			return err
		}
		r.open[m.ID] = opened
		can := opened.Capabilities()
		if err := checkCapabilities(m, can, r.manifest.Spec); err != nil {
			return err
		}
		if log, ok := opened.(*recorded.Log); ok && r.manifest.Spec.Steps != nil {
			if err := checkReplies(m.ID, r.manifest.Spec.Steps.K, log.Replies()); err != nil {
				return err
			}
		}
		if remote(m) {
			if can, err = a.confirm(ctx, m.ID, opened, r.items, asks(m, can, r.manifest.Spec)); err != nil {
				return usageOf(err)
			}
			if err := checkCapabilities(m, can, r.manifest.Spec); err != nil {
				return err
			}
		}
		r.manifest.Capabilities[m.ID] = can
	}
	return oneSource(r.manifest.Spec, r.manifest.Capabilities)
}

// remote reports whether a model's capabilities are a server's promise.
func remote(m spec.Model) bool {
	arg, err := spec.ParseModel(m.Model)
	return err == nil && (arg.Backend == "openai" || arg.Backend == "anthropic")
}

// usageOf marks a fatal fault, such as a refused key, as a user's mistake.
func usageOf(err error) error {
	if model.IsFatal(err) {
		return usage(err)
	}
	return err
}

// write keeps what was settled, when it is new.
func (r *running) write(dir string, begun bool, old run.Manifest) error {
	changed := !begun || !slices.EqualFunc(old.Data, r.manifest.Data, sameDraw) || len(old.Spec.Models) != len(r.manifest.Spec.Models)
	if changed {
		if begun {
			r.manifest.Extensions = append(r.manifest.Extensions, run.Extension{At: time.Now().UTC(),
				What: report.Plural(len(r.manifest.Spec.Models), "model") + ", " + report.Plural(r.items.Len(), "item")})
		}
		if err := run.WriteItems(dir, r.items); err != nil {
			return usage(err)
		}
		if err := keepFiles(dir, r.manifest.Spec, begun); err != nil {
			return usage(err)
		}
	}
	if changed || !slices.EqualFunc(old.Spec.Models, r.manifest.Spec.Models, sameFacts) {
		if err := run.WriteManifest(dir, r.manifest); err != nil {
			return usage(err)
		}
	}
	s, err := sqlite.Open(context.Background(), filepath.Join(dir, run.AnswersFile))
	if err != nil {
		return usage(err)
	}
	r.store = s
	return nil
}

// sameFacts reports whether as much is said of the price and the quality of two models: both are read by a report.
func sameFacts(a, b spec.Model) bool {
	return reflect.DeepEqual(a.Price, b.Price) && reflect.DeepEqual(a.Quality, b.Quality)
}

// sameDraw reports whether as much was drawn of the same set. What else is noted of a set may be more in a later version.
func sameDraw(a, b run.DataInfo) bool {
	return a.Set == b.Set && a.Rows == b.Rows && a.Drawn == b.Drawn
}

// sameData checks that the files are those that the run was begun with.
func sameData(old, now []run.DataInfo) error {
	for i, d := range now {
		if i < len(old) && (old[i].SHA256 != d.SHA256 || old[i].Rows != d.Rows) {
			return fmt.Errorf("the file of %s has changed since the run was begun (%s): give the old file, or another -o", d.Set, d.File)
		}
	}
	return nil
}

// ask runs the loop.
func (r *running) ask(ctx context.Context, a *app) (run.Result, error) {
	if err := r.unfetched(ctx); err != nil {
		return run.Result{}, err
	}
	prices, currency := r.prices()
	progress := newProgress(messagesTo(a.err, a.env), time.Now)
	progress.currency, progress.priced, progress.requests, progress.local = currency, r.priced(), r.requests, r.everyCore()
	defer progress.end()
	loop := run.Loop{Dir: r.dir, Audit: r.audit, Store: r.store, Attempts: r.manifest.Spec.Limits.Attempts, Now: time.Now, Progress: progress.show, Cost: prices,
		Subjects: run.Subjects(r.manifest, r.items), Judges: run.Judges(r.manifest),
		Models: func(ctx context.Context, id string) (model.Model, error) {
			if m, ok := r.open[id]; ok {
				return r.batched(ctx, a, id, m)
			}
			for _, m := range r.manifest.Spec.Models {
				if m.ID != id {
					continue
				}
				if err := r.release(); err != nil {
					return nil, err
				}
				on := r.on.within(r.manifest.Spec.Rate(m))
				if r.manifest.Spec.Evidence != nil {
					// The last digits of a score depend on the layout, so a run keeps the one that it was begun with.
					on.layout = r.manifest.Capabilities[id].Layout
				}
				opened, err := a.openModel(ctx, m, r.items, on)
				if err != nil {
					return nil, err
				}
				r.open[id] = opened
				if was := r.manifest.Capabilities[id].Identity; opened.Capabilities().Identity != was {
					return nil, usage(fmt.Errorf("model %s is not the one that the run was begun with (%s): give that one, or another -o", id, was))
				}
				return r.batched(ctx, a, id, opened)
			}
			return nil, fmt.Errorf("model %s is not in the run", id)
		}}
	return loop.Run(ctx)
}

// prices returns what an answer costs, and the currency; empty when no price is known.
func (r *running) prices() (func(string, percuss.Usage) float64, string) {
	known, currency := map[string]*spec.Price{}, ""
	for _, m := range r.manifest.Spec.Models {
		if m.Price != nil {
			known[m.ID], currency = m.Price, cmp.Or(m.Price.Currency, "spent")
		}
	}
	return func(model string, u percuss.Usage) float64 {
		if p := known[model]; p != nil {
			return p.Cost(int64(u.Prompt), int64(u.Output))
		}
		return 0
	}, currency
}

// priced are the models that cost anything.
func (r *running) priced() map[string]bool {
	out := map[string]bool{}
	for _, m := range r.manifest.Spec.Models {
		out[m.ID] = m.Price != nil
	}
	return out
}
