package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// ProgressFile says how far a run is, for those who look on. It is disposable and never a source.
const ProgressFile = "progress.json"

// heartbeat is how old a standing may be while its run goes on: a run writes one every few seconds, also while it waits.
const heartbeat = 30 * time.Second

// Standing is what a run says of itself while it goes on, and at its end.
type Standing struct {
	At      time.Time `json:"at"`
	Process int       `json:"process"`
	Ended   string    `json:"ended"` // empty: it goes on; Done, Interrupted, or the error that ended it
	Progress
}

// How a run ends, but for an error.
const (
	Done        = "done"
	Interrupted = "interrupted"
)

// Going reports whether the run goes on at the time now. A process that was killed says nothing, so that its standing
// grows old; the lock is not tried, for a run that begins would find it held.
func (s Standing) Going(now time.Time) bool {
	return s.Ended == "" && now.Sub(s.At) < heartbeat
}

// WriteStanding replaces the standing of a run. It is written aside and renamed, and not flushed: whoever reads it sees a
// whole one, and after a power cut there may be none.
func WriteStanding(dir string, s Standing) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write the progress: %w", err)
	}
	f, err := os.CreateTemp(dir, "."+ProgressFile+".*")
	if err != nil {
		return fmt.Errorf("write the progress: %w", err)
	}
	_, err = f.Write(append(raw, '\n'))
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, ProgressFile))
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("write the progress: %w", err)
	}
	return nil
}

// ReadStanding reads the standing of a run. An error that wraps fs.ErrNotExist says that there is none, as of a run of an
// earlier version.
func ReadStanding(dir string) (Standing, error) {
	var s Standing
	raw, err := os.ReadFile(filepath.Join(dir, ProgressFile))
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s cannot be read (%w): delete it, it is only for those who look on", filepath.Join(dir, ProgressFile), err)
	}
	return s, err
}
