package run

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/percuss/percuss"
)

// TimesFile says how long each subject took, a line each, for those who look at an item. It is disposable, and no report
// reads it: times are not of the answers.
const TimesFile = "timing.jsonl"

// Timing is how long one model took with one subject in one process, beside the others that were at work. A request has no
// time of its own, because those of a round are answered together.
type Timing struct {
	percuss.SubjectID
	Asked    string    `json:"asked"`    // the model that was asked: the subject's own, or a judge
	Requests int       `json:"requests"` // put in this process
	Seconds  float64   `json:"seconds"`  // from its first request to its last answer, waiting included
	At       time.Time `json:"at"`       // its end
}

// Times reads what is known of how long subjects took. A line that a crash cut is passed over; no file is none.
func Times(dir string) ([]Timing, error) {
	raw, err := os.ReadFile(filepath.Join(dir, TimesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("read the times of subjects: %w", err)
	}
	var out []Timing
	for line := range bytes.Lines(raw) {
		var t Timing
		if json.Unmarshal(line, &t) == nil {
			out = append(out, t)
		}
	}
	return out, nil
}

// How often a standing is written: when something has moved, and while nothing does.
const (
	standingSoon = 2 * time.Second
	standingIdle = 10 * time.Second
)

// watching writes down how far a run is. What cannot be written is left out: it is for those who look on.
type watching struct {
	dir   string
	now   func() time.Time
	state *tally
	stop  chan struct{}
	ended sync.WaitGroup

	mu    sync.Mutex
	file  *os.File // of times; nil before the first, and where there is none
	times *bufio.Writer
}

// watch begins to write the standing of a run.
func watch(l *Loop, state *tally) *watching {
	w := &watching{dir: l.Dir, now: l.Now, state: state, stop: make(chan struct{})}
	if w.dir == "" {
		return w
	}
	w.write("")
	w.ended.Go(w.beat)
	return w
}

// beat writes the standing while the run goes on.
func (w *watching) beat() {
	tick := time.NewTicker(standingSoon)
	defer tick.Stop()
	var told [6]int
	idle := time.Duration(0)
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
		}
		p := w.state.result().Progress
		moved := [6]int{p.Asked, p.Answered, p.Done, p.Judged, p.Retried, p.Failed}
		if idle += standingSoon; moved != told || idle >= standingIdle {
			told, idle = moved, 0
			w.write("")
			w.flush()
		}
	}
}

// write writes the standing.
func (w *watching) write(ended string) {
	_ = WriteStanding(w.dir, Standing{At: w.now().UTC(), Process: os.Getpid(), Ended: ended, Progress: w.state.result().Progress})
}

// end writes how the run ended.
func (w *watching) end(ctx context.Context, err error) {
	if w.dir == "" {
		return
	}
	close(w.stop)
	w.ended.Wait()
	switch {
	case err == nil:
		w.write(Done)
	case ctx.Err() != nil:
		w.write(Interrupted)
	default:
		w.write(err.Error())
	}
	w.flush()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file != nil {
		w.file.Close()
	}
}

// took notes how long a subject took.
func (w *watching) took(t Timing) {
	if w.dir == "" {
		return
	}
	line, err := json.Marshal(t)
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.times == nil {
		if w.file, err = os.OpenFile(filepath.Join(w.dir, TimesFile), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644); err != nil {
			w.file = nil
			return
		}
		w.times = bufio.NewWriter(w.file)
	}
	w.times.Write(slices.Concat(line, []byte("\n")))
}

// flush writes the times that are known by now.
func (w *watching) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.times != nil {
		w.times.Flush()
	}
}
