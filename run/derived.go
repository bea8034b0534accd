package run

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

// DerivedFolder holds what was computed from the answers and is quicker to read than to compute again. It is never a
// source: it may be deleted at any time.
const DerivedFolder = "derived"

// derivedFormat changes when the files of DerivedFolder do.
const derivedFormat = 1

// derived is the file beside the records that says what they are of. It is written last, so that records without it are
// half-written ones.
type derived struct {
	Format  int             `json:"format"`
	Of      string          `json:"of"`      // hash of all that the records depend on
	Records int             `json:"records"` // how many there are
	Beside  json.RawMessage `json:"beside"`  // what else was computed on the way
}

// derivedPaths are the files of the records and of what they are of.
func derivedPaths(dir string) (records, about string) {
	return filepath.Join(dir, DerivedFolder, "records"), filepath.Join(dir, DerivedFolder, "records.json")
}

// DerivedElsewhere says whether the derived folder of a run is a link out of the run. Nothing is written through it: a run
// that somebody else made could name any folder of the reader's that way.
func DerivedElsewhere(dir string) bool {
	at := filepath.Join(dir, DerivedFolder)
	to, err := filepath.EvalSymlinks(at)
	if err != nil { // there is none yet, or a link to what is not there
		is, err := os.Lstat(at)
		return err == nil && is.Mode()&fs.ModeSymlink != 0
	}
	whole, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return true
	}
	in, err := filepath.Rel(whole, to)
	return err != nil || !filepath.IsLocal(in)
}

// ErrDerived wraps every fault of derived records that were there: whoever meets it computes them anew.
var ErrDerived = errors.New("derived records cannot be read")

// Records are the kept records of a run, in their order.
type Records[R any] struct {
	Beside json.RawMessage // as given to KeepRecords

	path string
	n    int
}

// KeptRecords returns the records that were kept under of, the hash of all that they depend on; false where there are
// none.
func KeptRecords[R any](dir, of string) (Records[R], bool) {
	path, about := derivedPaths(dir)
	raw, err := os.ReadFile(about)
	var d derived
	if err != nil || json.Unmarshal(raw, &d) != nil || d.Format != derivedFormat || d.Of != of {
		return Records[R]{}, false
	}
	return Records[R]{d.Beside, path, d.Records}, true
}

// All yields every record. An error, which wraps ErrDerived, is the last one.
func (k Records[R]) All() iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		var none R
		f, err := os.Open(k.path)
		if err != nil {
			yield(none, fmt.Errorf("%w: %w", ErrDerived, err))
			return
		}
		defer f.Close()
		d := gob.NewDecoder(bufio.NewReaderSize(f, 1<<20))
		for i := range k.n {
			var r R
			if err := d.Decode(&r); err != nil {
				yield(none, fmt.Errorf("%w: %s, record %d of %d: %w", ErrDerived, k.path, i+1, k.n, err))
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Keeping writes the records of a run as they come.
type Keeping[R any] struct {
	dir, of string
	f       *os.File
	w       *bufio.Writer
	e       *gob.Encoder
	n       int
	err     error
}

// KeepRecords begins to keep records under of. What it cannot write it does not keep: the folder of a run may be
// readable alone, and DerivedElsewhere.
func KeepRecords[R any](dir, of string) *Keeping[R] {
	k := &Keeping[R]{dir: dir, of: of}
	if DerivedElsewhere(dir) {
		k.err = fmt.Errorf("%s is a link out of the run", filepath.Join(dir, DerivedFolder))
		return k
	}
	path, _ := derivedPaths(dir)
	if k.err = os.MkdirAll(filepath.Dir(path), 0o755); k.err == nil {
		k.f, k.err = os.CreateTemp(filepath.Dir(path), ".records.*")
	}
	if k.err == nil {
		k.w = bufio.NewWriterSize(k.f, 1<<20)
		k.e = gob.NewEncoder(k.w)
	}
	return k
}

// Add keeps one more.
func (k *Keeping[R]) Add(r R) {
	if k.err == nil {
		k.err = k.e.Encode(r)
		k.n++
	}
}

// Close finishes the file, or drops it: where keep is false, for not all records were there, or where something could
// not be written. beside is kept with the records.
func (k *Keeping[R]) Close(keep bool, beside any) {
	if k.f == nil {
		return
	}
	path, about := derivedPaths(k.dir)
	raw, err := json.Marshal(beside)
	err = errors.Join(err, k.err)
	if err == nil && keep {
		err = errors.Join(k.w.Flush(), k.f.Close())
	}
	if err != nil || !keep {
		k.f.Close() // a second time does no harm
		os.Remove(k.f.Name())
		return
	}
	os.Remove(about) // until the new one stands there, nothing is kept
	if os.Rename(k.f.Name(), path) != nil {
		os.Remove(k.f.Name())
		return
	}
	_ = WriteFile(about, func(w io.Writer) error { // without it the records are not used
		return json.NewEncoder(w).Encode(derived{derivedFormat, k.of, k.n, raw})
	})
}
