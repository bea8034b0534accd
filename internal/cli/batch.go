package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/batch"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// batchFile is the journal of what a run has handed in as batches.
const batchFile = "batches.jsonl"

// mostAtOnce bounds the subjects whose requests are held in memory while a round of them waits for its batch.
const mostAtOnce = 4096

// batching says whether models are asked by batches.
type batching struct {
	on    bool
	every time.Duration // between two looks at a batch; 0: the default
}

func (b *batching) bind(f *pflag.FlagSet) {
	f.BoolVar(&b.on, "batch", false, "hand requests to servers in as batch files, which are answered within a day and cost less (OpenAI's and Anthropic's services); the command waits, and after Ctrl-C the same command goes on waiting")
	f.DurationVar(&b.every, "poll", 0, "with --batch: how often a batch is asked for (default 30s)")
}

// check refuses batches where no model could be asked by them.
func (b batching) check(models []spec.Model) error {
	if b.every < 0 {
		return usage(fmt.Errorf("--poll %s: a duration such as 1m, or 0 for the default", b.every))
	}
	if b.on && !slices.ContainsFunc(models, remote) {
		return usage(errors.New("--batch: no model of this run is behind a service that takes batch files (openai:... and anthropic:...): leave it out"))
	}
	return nil
}

// batched makes a model that is asked by batches of one that can be, where the user wants that. It takes the other's
// place among the open ones.
func (r *running) batched(ctx context.Context, a *app, id string, m model.Model) (model.Model, error) {
	b, ok := m.(model.Batcher)
	if _, already := m.(*atService); !r.on.batch.on || !ok || already {
		return m, nil
	}
	journal, err := openJournal(filepath.Join(r.dir, batchFile))
	if err != nil {
		return nil, usage(err)
	}
	stored, err := r.stored(ctx, journal.past)
	if err != nil {
		return nil, errors.Join(err, journal.file.Close())
	}
	subjects := 0
	for _, s := range run.Subjects(r.manifest, r.items) {
		if s.Model == id || r.isJudge(id) {
			subjects++
		}
	}
	o := batch.Options{Subjects: min(subjects, mostAtOnce), Every: r.on.batch.every, Past: journal.past, Note: journal.note,
		Stored: func(k percuss.Key) bool { return stored[k] }, Token: rand.Text, Tell: a.tellLine}
	if o.Every > 0 { // a round is whole as soon as nothing is asked for this long
		o.Quiet = min(o.Every, 2*time.Second)
	}
	wrapped := &atService{Model: batch.New(m, b, o), journal: journal, app: a}
	r.open[id] = wrapped
	return wrapped, nil
}

// isJudge reports whether a model is asked about all subjects: a judge, or who paraphrases for it.
func (r *running) isJudge(id string) bool {
	for _, j := range r.manifest.Spec.Helpers() {
		if j.ID == id {
			return true
		}
	}
	return false
}

// tellLine prints a line beside the progress.
func (a *app) tellLine(line string) {
	told(a.err, "  ", "%s", line)
}

// atService is a model that is asked by batches. Its end says what goes on without it.
type atService struct {
	*batch.Model
	journal *journal
	app     *app
}

// Close implements model.Model.
func (s *atService) Close() error {
	err := errors.Join(s.Model.Close(), s.journal.file.Close())
	if n := s.Outstanding(); n > 0 {
		s.app.tellLine(fmt.Sprintf("%s handed in and not answered: the service goes on with them. The same command, with --batch, waits for them and hands in nothing twice.",
			report.Plural(n, "request")))
	}
	return err
}

// journal is a file of entries, one JSON object a line.
type journal struct {
	past []batch.Entry
	file *os.File
}

// openJournal reads a journal and opens it for more. A last line that was cut by a crash is taken off: what it told had
// not happened yet.
func openJournal(path string) (*journal, error) {
	past, whole, err := readJournal(path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(int64(whole)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.Seek(0, 2); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &journal{past, f}, nil
}

// readJournal reads the whole lines of a journal, and says how many bytes they are. No file is an empty one.
func readJournal(path string) (past []batch.Entry, whole int, err error) {
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	for n := 1; ; n++ {
		end := bytes.IndexByte(raw[whole:], '\n')
		if end < 0 {
			return past, whole, nil
		}
		var e batch.Entry
		if err := json.Unmarshal(raw[whole:whole+end], &e); err != nil {
			return nil, 0, fmt.Errorf("%s:%d is damaged (%w): restore the file from a copy, or delete it, and its requests are handed in anew", path, n, err)
		}
		past, whole = append(past, e), whole+end+1
	}
}

// note appends an entry, durably.
func (j *journal) note(e batch.Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

// stored are the keys of a journal that have their answers.
func (r *running) stored(ctx context.Context, past []batch.Entry) (map[percuss.Key]bool, error) {
	stored := map[percuss.Key]bool{}
	for _, e := range past {
		for _, k := range e.Keys {
			_, ok, err := r.store.Get(ctx, k)
			if err != nil {
				return nil, err
			}
			stored[k] = ok
		}
	}
	return stored, nil
}

// unfetched refuses to ask singly what is paid for already: requests that were handed in and have no answer yet.
func (r *running) unfetched(ctx context.Context) error {
	if r.on.batch.on {
		return nil
	}
	path := filepath.Join(r.dir, batchFile)
	past, _, err := readJournal(path)
	if err != nil {
		return usage(err)
	}
	stored, err := r.stored(ctx, past)
	if err != nil {
		return err
	}
	out := map[string][]percuss.Key{} // by token
	for _, e := range past {
		switch e.Event {
		case batch.Submitting:
			out[e.Token] = e.Keys
		case batch.Lost, batch.Collected:
			delete(out, e.Token)
		}
	}
	unanswered := map[percuss.Key]bool{} // an expired one may be in two batches
	for _, keys := range out {
		for _, k := range keys {
			if !stored[k] {
				unanswered[k] = true
			}
		}
	}
	if waiting := len(unanswered); waiting > 0 {
		return usage(fmt.Errorf("%s of this run were handed in as batches and have no answer yet: add --batch to wait for them, or delete %s to ask them singly",
			report.Plural(waiting, "request"), path))
	}
	return nil
}
