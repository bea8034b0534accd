package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
)

// quietly is how often a line is printed when the output is no terminal.
const quietly = 30 * time.Second

// progress prints how far a run is: one line rewritten on a terminal, else a line now and then.
type progress struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	currency string // of the cost; empty: none is shown
	requests int    // that this process will put at least, where that is known before it begins; else 0
	began    time.Time
	last     time.Time
	drawn    bool
}

func newProgress(w io.Writer, currency string) *progress {
	now := time.Now()
	return &progress{w: w, currency: currency, terminal: terminal(w), began: now, last: now}
}

// terminal reports whether w is one.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// show prints, at most ten times a second on a terminal.
func (p *progress) show(now run.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	wait := quietly
	if p.terminal {
		wait = 100 * time.Millisecond
	}
	ended := now.Done == now.Subjects && now.Judged == now.ToJudge
	if time.Since(p.last) < wait && !ended {
		return
	}
	if !p.terminal && ended && now.Answered == 0 {
		return
	}
	p.last = time.Now()
	elapsed := p.last.Sub(p.began).Seconds()
	line := fmt.Sprintf("%s  %d of %d subjects, ", now.Model, now.Done, now.Subjects)
	if now.ToJudge > 0 {
		line += fmt.Sprintf("%d of %d judged, ", now.Judged, now.ToJudge)
	}
	line += p.pace(now, elapsed)
	if p.currency != "" {
		line += fmt.Sprintf(", %.2f %s", now.Cost, p.currency)
	}
	if now.Retried > 0 {
		line += fmt.Sprintf(", %d retries", now.Retried)
	}
	if now.Last != "" {
		line += fmt.Sprintf(", waiting after: %s", clip(report.Visible(now.Faults[now.Last]), 70))
	}
	if now.Failed > 0 {
		line += fmt.Sprintf(", %d failed", now.Failed)
	}
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", line)
		p.drawn = true
		return
	}
	fmt.Fprintln(p.w, line)
}

// pace says how many requests are answered, how fast, and how long the rest takes: by requests where their number is
// known, else by subjects.
func (p *progress) pace(now run.Progress, elapsed float64) string {
	left := "–"
	seconds := func(s float64) string { return (time.Duration(s) * time.Second).String() }
	if p.requests > 0 {
		all := max(p.requests, now.Asked)
		if now.Answered > 0 {
			left = seconds(elapsed / float64(now.Answered) * float64(all-now.Answered))
		}
		return fmt.Sprintf("%d of %d requests, %.1f a second, %s left", now.Answered, all, float64(now.Answered)/max(elapsed, 0.001), left)
	}
	if here := now.Done - now.Before; here > 0 && now.Judged == now.ToJudge {
		left = seconds(elapsed / float64(here) * float64(now.Subjects-now.Done))
	}
	return fmt.Sprintf("%d of %d requests put so far, %.0f tokens/s, %s left", now.Answered, now.Asked, float64(now.Tokens)/max(elapsed, 0.001), left)
}

// end leaves the last line standing.
func (p *progress) end() {
	if p.drawn {
		fmt.Fprintln(p.w)
	}
}
