package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
)

// How often progress is told: lines on a terminal are rewritten, elsewhere there is one now and then, also while nothing
// moves.
const (
	rewriting = 100 * time.Millisecond
	quietly   = 30 * time.Second
	silence   = 15 * time.Second // after which it is said that nothing comes
)

// mostBelow is how many lines below the bars say what is of all.
const mostBelow = 3

// progress prints how far a run is: a bar a model and set on a terminal, with what is of all below, else a line now and
// then.
type progress struct {
	to       *messages
	now      func() time.Time
	currency string          // of the cost; empty: none is shown
	priced   map[string]bool // models that cost anything
	local    map[string]bool // models whose engine takes every core here, for nothing was said of --threads
	requests int             // that this process will put at least, where that is known before it begins; else 0
	began    time.Time

	mu    sync.Mutex
	last  time.Time
	heard time.Time    // when something came last
	asked time.Time    // when the first request was put
	known run.Progress // the latest, its parts our own
	moved bool         // since the last line
	bars  bars
	stop  chan struct{}
	ended sync.WaitGroup
}

// newProgress begins to tell; end ends it.
func newProgress(to *messages, now func() time.Time) *progress {
	p := &progress{to: to, now: now, began: now(), stop: make(chan struct{})}
	p.last, p.heard = p.began, p.began
	p.ended.Go(p.beat)
	return p
}

// beat tells also while nothing comes: of waiting, and of a window that has another size.
func (p *progress) beat() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
			p.mu.Lock()
			if p.known.Subjects > 0 {
				p.tell(false)
			}
			p.mu.Unlock()
		}
	}
}

// show notes how far the run is, and tells when it is time.
func (p *progress) show(now run.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	parts := append(p.known.Parts[:0], now.Parts...)
	if p.asked.IsZero() && now.Asked > 0 {
		p.asked = p.now()
	}
	p.known, p.moved, p.heard = now, true, p.now()
	p.known.Parts = parts
	ended := now.Done == now.Subjects && now.Judged == now.ToJudge
	if ended && now.Answered == 0 && !p.to.on.Terminal {
		return
	}
	p.tell(ended)
}

// tell prints when it is time, or at once.
func (p *progress) tell(once bool) {
	at := p.now()
	since := at.Sub(p.last)
	switch {
	case once:
	case p.to.on.Terminal:
		if since < rewriting {
			return
		}
	case since < quietly:
		return
	}
	p.last, p.moved = at, false
	elapsed := at.Sub(p.began).Seconds()
	said := strings.Join(append([]string{p.pace(elapsed)}, p.beside()...), ", ")
	if !p.to.on.Terminal {
		fmt.Fprintln(p.to, said)
		return
	}
	columns, height := p.to.on.Size()
	below := screen.Fold(said, "", "", max(barShort, columns-1))
	below = below[:min(len(below), mostBelow)]
	p.to.rewrite(append(p.bars.draw(p.known.Parts, columns, height-len(below)), below...))
}

// pace says how many subjects are done and requests answered, how fast, and how long the rest takes: by requests where their
// number is known, else by subjects.
func (p *progress) pace(elapsed float64) string {
	now := p.known
	line := fmt.Sprintf("%d of %d items, ", now.Done, now.Subjects)
	if !p.to.on.Terminal {
		line = report.Visible(now.Model) + "  " + line
	}
	if now.ToJudge > 0 {
		line += fmt.Sprintf("%d of %d judged, ", now.Judged, now.ToJudge)
	}
	left := "–"
	seconds := func(s float64) string { return (time.Duration(s) * time.Second).String() }
	if p.requests > 0 {
		all := max(p.requests, now.Asked)
		if now.Answered > 0 {
			left = seconds(elapsed / float64(now.Answered) * float64(all-now.Answered))
		}
		return line + fmt.Sprintf("%d of %d requests, %.1f a second, %s left", now.Answered, all, float64(now.Answered)/max(elapsed, 0.001), left)
	}
	if now.Asked == 0 {
		return line + "no request put yet"
	}
	if here := now.Done - now.Before; here > 0 && now.Judged == now.ToJudge {
		left = seconds(elapsed / float64(here) * float64(now.Subjects-now.Done))
	}
	return line + fmt.Sprintf("%d of %d requests so far, %.0f tokens/s, %s left", now.Answered, now.Asked, float64(now.Tokens)/max(elapsed, 0.001), left)
}

// beside is what else is said: the cost, what went wrong, and what is waited for.
func (p *progress) beside() []string {
	var out []string
	now := p.known
	if p.currency != "" {
		out = append(out, p.cost())
	}
	if now.Retried > 0 {
		out = append(out, fmt.Sprintf("%d retries", now.Retried))
	}
	if now.Failed > 0 {
		out = append(out, fmt.Sprintf("%d failed", now.Failed))
	}
	if p.starved() {
		out = append(out, "hardly any answers: other programs may keep the cores busy; stop (Ctrl-C) and give the same command with --threads 1")
	}
	open, still := now.Asked-now.Answered-now.Failed, p.now().Sub(p.heard)
	switch {
	case now.Last != "":
		out = append(out, "waiting after: "+clip(report.Visible(now.Faults[now.Last]), 70))
	case still >= silence && open > 0:
		out = append(out, fmt.Sprintf("waiting for %s, nothing for %s", report.Plural(open, "answer"), still.Truncate(time.Second)))
	}
	return out
}

// cost is what was spent, and what is expected in the end: from what finished subjects of each model cost. A model that is
// still to begin makes it a lower bound.
func (p *progress) cost() string {
	line := fmt.Sprintf("%.2f %s", p.known.Cost, p.currency)
	all, whole, some := 0.0, true, false
	for _, part := range p.known.Parts {
		if !p.priced[part.Model] {
			continue
		}
		v, ok := part.Expected().Get()
		if !ok {
			v, whole = part.Cost, false
		}
		some = some || ok && part.Done > part.Before
		all += v
	}
	about := fmt.Sprintf("%.2f %s", all, p.currency)
	switch {
	case !some || whole && about == line:
		return line
	case whole:
		return line + " of about " + about
	}
	return line + " of at least " + about
}

// end leaves the last lines standing; in a log it says how far a run came that ended before its end.
func (p *progress) end() {
	close(p.stop)
	p.ended.Wait()
	p.mu.Lock()
	if !p.to.on.Terminal && p.moved && p.known.Answered > 0 {
		p.tell(true)
	}
	p.mu.Unlock()
	p.to.leave()
}
