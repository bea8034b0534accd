package explore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/run"
)

// The files that are built of a run, in its derived folder.
const (
	indexFile = "index.db"
	textsFile = "texts.db"
)

const (
	patience  = 1500 * time.Millisecond // a page waits so long for an index before it says that one is built
	freshness = 5 * time.Second         // so long it is not looked whether there are new answers
	rebuilt   = time.Minute             // an index is built anew at most so often,
	share     = 20                      // and at most for one part in so many of the time, beside a run that goes on
	farewell  = time.Minute             // an index that another has replaced stays open so long, for pages under way
)

// indexes are what was built of a run.
type indexes struct {
	mu       sync.Mutex
	facets   *index.Index
	texts    *index.Texts
	of       string        // the state of the answers that facets is of
	at       time.Time     // when it was built or found
	took     time.Duration // to build all, at the last time
	checked  time.Time
	behind   bool          // there are newer answers
	building chan struct{} // closed when the work at hand is done; nil: there is none
	failed   error         // of the last build
	textless error         // why there is no full text, where it could not be built
	folder   string        // a folder of ours, where that of the run cannot be written
	rows     atomic.Int64  // of the index that is built
}

// indexView is an index as a page is made of it.
type indexView struct {
	*index.Index
	Texts  *index.Texts
	At     time.Time
	Behind bool
}

// errBuilding says that the index is built; the page is to be asked for again.
var errBuilding = errors.New("the index of this run is being built")

// index returns the index of a run. Where there is none it is built, and errBuilding returned when that takes longer than a
// page waits.
func (s *Server) index(ctx context.Context, v *volume) (indexView, error) {
	made := &v.made
	made.mu.Lock()
	if s.Now().Sub(made.checked) > freshness && made.building == nil {
		if err := s.check(ctx, v); err != nil {
			made.mu.Unlock()
			return indexView{}, err
		}
	}
	waiting := made.building
	if made.facets == nil && waiting != nil {
		made.mu.Unlock()
		select {
		case <-waiting:
		case <-time.After(patience):
		case <-ctx.Done():
		}
		made.mu.Lock()
	}
	defer made.mu.Unlock()
	switch {
	case made.facets != nil:
		return indexView{made.facets, made.texts, made.at, made.behind}, nil
	case made.failed != nil:
		err := made.failed
		made.failed, made.checked = nil, time.Time{} // the next page tries again
		return indexView{}, err
	}
	return indexView{}, errBuilding
}

// check looks whether there are new answers, and begins to build where that is due. The indexes are locked.
func (s *Server) check(ctx context.Context, v *volume) error {
	made := &v.made
	of, err := v.State(ctx)
	if err != nil {
		return err
	}
	made.checked = s.Now()
	made.behind = made.facets != nil && made.of != of
	if made.facets != nil && (!made.behind || s.Now().Sub(made.at) < max(rebuilt, share*made.took)) {
		return nil
	}
	made.building = make(chan struct{})
	made.rows.Store(0)
	s.hold(v)
	s.work.Go(func() {
		defer s.leave(v)
		s.build(v, of)
	})
	return nil
}

// build opens or builds the index, then the full text.
func (s *Server) build(v *volume, of string) {
	made, begun := &v.made, s.Now()
	facets, err := s.openOrBuild(v, of)
	made.mu.Lock()
	old, oldTexts := made.facets, made.texts
	if err == nil {
		made.facets, made.of, made.at, made.behind, made.texts, made.textless = facets, of, begun, false, nil, nil
		made.took = s.Now().Sub(begun)
	}
	made.failed = err
	close(made.building)
	made.building = nil
	if err == nil && !s.NoTexts {
		made.building = make(chan struct{}) // nothing else is begun beside it
	}
	made.mu.Unlock()
	if err != nil {
		s.note(err)
		return
	}
	if old != nil {
		time.AfterFunc(farewell, func() { s.note(old.Close()) })
	}
	if oldTexts != nil {
		time.AfterFunc(farewell, func() { s.note(oldTexts.Close()) })
	}
	if s.NoTexts {
		return
	}
	texts, err := s.openOrBuildTexts(v, of)
	made.mu.Lock()
	defer made.mu.Unlock()
	made.texts, made.textless, made.took = texts, err, s.Now().Sub(begun)
	close(made.building)
	made.building = nil
	s.note(err)
}

// openOrBuild returns the index of a state of the answers.
func (s *Server) openOrBuild(v *volume, of string) (*index.Index, error) {
	if v.made.folder == "" && run.DerivedElsewhere(v.Dir()) {
		var err error
		if v.made.folder, err = os.MkdirTemp("", "percuss-view-*"); err != nil {
			return nil, err
		}
		s.say("run %s: its folder %s is a link out of the run, which nothing is written through", v.Name, run.DerivedFolder)
	}
	path := s.place(v, indexFile)
	if x, err := index.Open(path, of); err == nil || !errors.Is(err, index.ErrStale) {
		return x, err
	}
	begun := s.Now()
	stats, err := index.Build(s.life, path, of, v.Subjects(), v.rows(s.life))
	if unwritable(err) && v.made.folder == "" {
		if v.made.folder, err = os.MkdirTemp("", "percuss-view-*"); err != nil {
			return nil, err
		}
		return s.openOrBuild(v, of)
	}
	if err != nil {
		return nil, err
	}
	s.say("run %s: index of %d rows of %d items built in %.1f s: %s", v.Name, stats.Rows, stats.Subjects, s.Now().Sub(begun).Seconds(), path)
	return index.Open(path, of)
}

// openOrBuildTexts returns the full text of a state of the answers.
func (s *Server) openOrBuildTexts(v *volume, of string) (*index.Texts, error) {
	path, of := s.place(v, textsFile), textFormat+" "+of
	if x, err := index.OpenTexts(path, of); err == nil || !errors.Is(err, index.ErrStale) {
		return x, err
	}
	begun := s.Now()
	if err := index.BuildTexts(s.life, path, of, v.texts(s.life)); err != nil {
		return nil, err
	}
	s.say("run %s: full text built in %.1f s: %s", v.Name, s.Now().Sub(begun).Seconds(), path)
	return index.OpenTexts(path, of)
}

// place is where a file of a run is built.
func (s *Server) place(v *volume, name string) string {
	if v.made.folder != "" {
		return filepath.Join(v.made.folder, name)
	}
	return filepath.Join(v.Dir(), run.DerivedFolder, name)
}

// unwritable reports whether an error may be that of a folder in which no file can be made. A read that failed looks the
// same, and fails again where the files are made elsewhere.
func unwritable(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path)
}

// rows are the rows of all records, counted as they pass.
func (v *volume) rows(ctx context.Context) iter.Seq2[index.Row, error] {
	return func(yield func(index.Row, error) bool) {
		at, subjects := 0, v.Subjects()
		for r, err := range v.Records(ctx) {
			if err == nil && (at >= len(subjects) || r.Of() != subjects[at].SubjectID) {
				err = fmt.Errorf("record %d is of %s, which is not the run's item there", at+1, r.Of())
			}
			if err != nil {
				yield(index.Row{}, err)
				return
			}
			for _, row := range index.RowsOf(at, r) {
				if !yield(row, nil) {
					return
				}
				v.made.rows.Add(1)
			}
			at++
		}
	}
}

// texts are what was asked of each subject and what was replied, a text for each row of the index.
func (v *volume) texts(ctx context.Context) iter.Seq2[index.Text, error] {
	return func(yield func(index.Text, error) bool) {
		at, first := 0, 0
		for view, err := range v.Views(ctx) {
			if err != nil {
				yield(index.Text{}, err)
				return
			}
			text := textOf(at, first, view)
			if v.steps() {
				text.Replies = v.stepReplies(view, index.RowsOf(at, view.Record))
			}
			if !yield(text, nil) {
				return
			}
			at, first = at+1, first+len(text.Replies)
		}
	}
}

// textOf is what can be found of one subject: of a trial, its reply and what its edit put in.
func textOf(at, first int, view run.View) index.Text {
	rows := index.RowsOf(at, view.Record)
	text := index.Text{Item: view.Subject.Set + "\x00" + view.Subject.Item, Asked: askedOf(view.Subject), First: first, Replies: make([]string, len(rows))}
	keys := make(map[string]percuss.Key, len(view.Trials))
	for _, t := range view.Trials {
		keys[t.ID] = t.Key()
	}
	if view.Subject.Case != nil {
		return text // a case is answered by letters
	}
	edited := edits(view)
	for i, r := range rows {
		text.Replies[i] = edited[r.Of[index.Operator]]
		if a, ok := view.Answers.Answer(keys[r.Of[index.Operator]]); ok {
			text.Replies[i] += "\n" + a.Reasoning + "\n" + a.Text
		}
	}
	return text
}

// close closes what was built.
func (m *indexes) close() error {
	var errs []error
	if m.facets != nil {
		errs = append(errs, m.facets.Close())
	}
	if m.texts != nil {
		errs = append(errs, m.texts.Close())
	}
	if m.folder != "" {
		errs = append(errs, os.RemoveAll(m.folder))
	}
	return errors.Join(errs...)
}
