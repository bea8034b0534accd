package explore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/percuss/percuss/run"
)

// depth is how far below the root a run may lie, folders.
const depth = 2

// mostOpen is how many runs are kept open that no page is made of.
const mostOpen = 4

// shelf holds the runs that are open. A run is opened once and shared by all pages that are made of it at a time.
type shelf struct {
	mu   sync.Mutex
	open []*volume // the one used last at the end
}

// volume is an open run.
type volume struct {
	Run
	Name  string // its path below the root, with slashes; "." is the root itself
	stamp string // of run.json: another one when the run was extended
	users int
	gone  bool // dropped from the shelf: whoever leaves it last closes it
	made  indexes
	notes notes
	times times
}

// Close closes the run and what was built of it.
func (v *volume) Close() error { return errors.Join(v.made.close(), v.Run.Close()) }

// hold says that a run is used by one more.
func (s *Server) hold(v *volume) {
	s.shelf.mu.Lock()
	defer s.shelf.mu.Unlock()
	v.users++
}

// Names are the names of the runs at or below the root, in order: paths with slashes below the root, "." for the root
// itself. The error is of a root that is no folder that can be read.
func (s *Server) Names() ([]string, error) {
	if _, err := os.ReadDir(s.Root); err != nil {
		return nil, fmt.Errorf("%w: name the folder of a run, or one that holds runs", err)
	}
	return s.names(), nil
}

func (s *Server) names() []string {
	var out []string
	var walk func(name string, left int)
	walk = func(name string, left int) {
		dir := filepath.Join(s.Root, filepath.FromSlash(name))
		if info, err := os.Stat(filepath.Join(dir, run.ManifestFile)); err == nil && info.Mode().IsRegular() {
			out = append(out, name)
			return // what lies in a run's folder is its own
		}
		entries, err := os.ReadDir(dir)
		if err != nil || left == 0 {
			return
		}
		for _, e := range entries {
			if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
				walk(strings.TrimPrefix(name+"/"+e.Name(), "./"), left-1)
			}
		}
	}
	walk(".", depth)
	return out
}

// use opens the run that the address names by r, or takes the open one. Where there is none it has answered with a page
// that says so, and ok is false; else the caller leaves the run when its page is made.
func (s *Server) use(w http.ResponseWriter, r *http.Request) (v *volume, ok bool) {
	return s.useNamed(w, r, "r")
}

// useNamed is use for another name in the address, for pages of two runs.
func (s *Server) useNamed(w http.ResponseWriter, r *http.Request, parameter string) (*volume, bool) {
	v, err := s.take(r.Context(), r.URL.Query().Get(parameter))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.fail(w, http.StatusNotFound, err)
	case err != nil:
		s.fail(w, http.StatusUnprocessableEntity, err)
	}
	return v, err == nil
}

// take returns the open run of a name. The name is looked up among those that a walk finds and never made into a path
// that nobody has seen.
func (s *Server) take(ctx context.Context, name string) (*volume, error) {
	if !slices.Contains(s.names(), name) {
		return nil, fmt.Errorf("there is no run %q here: the list of runs shows those that there are (%w)", name, fs.ErrNotExist)
	}
	dir := filepath.Join(s.Root, filepath.FromSlash(name))
	stamp := stampOf(dir)
	s.shelf.mu.Lock()
	defer s.shelf.mu.Unlock()
	for i, v := range s.shelf.open {
		if v.Name != name {
			continue
		}
		s.shelf.open = slices.Delete(s.shelf.open, i, i+1)
		if v.stamp == stamp {
			s.shelf.open = append(s.shelf.open, v)
			v.users++
			return v, nil
		}
		v.drop(s)
		break
	}
	opened, err := s.Open(context.WithoutCancel(ctx), dir) // it outlives the request
	if err != nil {
		return nil, err
	}
	v := &volume{Run: opened, Name: name, stamp: stamp, users: 1}
	s.shelf.open = append(s.shelf.open, v)
	s.shelf.shrink(s)
	return v, nil
}

// stampOf is another text when the run's specification was written anew.
func stampOf(dir string) string {
	info, err := os.Stat(filepath.Join(dir, run.ManifestFile))
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// leave says that a page is made.
func (s *Server) leave(v *volume) {
	s.shelf.mu.Lock()
	defer s.shelf.mu.Unlock()
	v.users--
	if v.gone && v.users == 0 {
		s.note(v.Close())
	}
	s.shelf.shrink(s)
}

// shrink drops those used longest ago. The shelf is locked.
func (b *shelf) shrink(s *Server) {
	for i := 0; i < len(b.open) && len(b.open) > mostOpen; {
		if b.open[i].users > 0 {
			i++
			continue
		}
		b.open[i].drop(s)
		b.open = slices.Delete(b.open, i, i+1)
	}
}

// drop closes a run, at once or when its last user leaves it. The shelf is locked.
func (v *volume) drop(s *Server) {
	v.gone = true
	if v.users == 0 {
		s.note(v.Close())
	}
}

// Close ends what is built and closes all runs. No page may be under way.
func (s *Server) Close() error {
	s.begin()
	s.end()
	s.work.Wait()
	s.shelf.mu.Lock()
	defer s.shelf.mu.Unlock()
	var errs []error
	for _, v := range s.shelf.open {
		errs = append(errs, v.Close())
	}
	s.shelf.open = nil
	return errors.Join(errs...)
}
