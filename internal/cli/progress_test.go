package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/run"
)

// terminalOf are the lines that a terminal shows after what was written to it; only the sequences that bars use are known.
func terminalOf(t *testing.T, written string) []string {
	t.Helper()
	lines, at := []string{""}, 0
	column := 0
	for written != "" {
		var up int
		switch {
		case strings.HasPrefix(written, "\x1b[J"):
			lines = lines[:at+1]
			lines[at] = lines[at][:min(column, len(lines[at]))]
			written = written[3:]
		case strings.HasPrefix(written, "\x1b[K"):
			lines[at] = lines[at][:min(column, len(lines[at]))]
			written = written[3:]
		case strings.HasPrefix(written, "\x1b["):
			if _, err := fmt.Sscanf(written, "\x1b[%dA", &up); err != nil || up > at {
				t.Fatalf("%q moves from line %d", written, at)
			}
			at -= up
			written = written[strings.IndexByte(written, 'A')+1:]
		case written[0] == '\r':
			column, written = 0, written[1:]
		case written[0] == '\n':
			if at++; at == len(lines) {
				lines = append(lines, "")
			}
			column, written = 0, written[1:]
		default:
			if column < len(lines[at]) {
				lines[at] = lines[at][:column] + written[:1] + lines[at][column+1:]
			} else {
				lines[at] += written[:1]
			}
			column, written = column+1, written[1:]
		}
	}
	return lines
}

// Bars stand below the messages, whoever writes one, and are rewritten in place.
func TestMessagesStandAboveBars(t *testing.T) {
	var out bytes.Buffer
	m := &messages{on: screen.Screen{W: &out, Terminal: true}}
	fmt.Fprint(m, "begun")
	m.rewrite([]string{"bar 1 of the first kind", "bar 2", "total"})
	m.rewrite([]string{"bar 1", "total " + strings.Repeat("x", 100)})
	fmt.Fprintln(m, "a message")
	m.rewrite([]string{"bar 1", "total"})
	m.leave()
	fmt.Fprintln(m, "the end")
	want := []string{"begun", "a message", "bar 1", "total", "the end", ""}
	if got := terminalOf(t, out.String()); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q", got)
	}
}

// panel is a run of many models, one of which is at work.
func panel(models int) run.Progress {
	now := run.Progress{Subjects: 10 * models, Done: 4, Asked: 90, Answered: 50, Tokens: 1000, Model: "model-00", Cost: 2,
		Retried: 3, Failed: 1, Last: "rate", Faults: map[string]string{"rate": "429\x1b[2J " + strings.Repeat("too many requests ", 20)}}
	for i := range models {
		now.Parts = append(now.Parts, run.Part{Model: fmt.Sprintf("model-%02d", i), Set: "medqa", Subjects: 10})
	}
	now.Parts[0] = run.Part{Model: "model-00", Set: "medqa", Subjects: 10, Done: 4, Failed: 1, Asked: 90, Answered: 50, Cost: 2, Open: run.Work{Subjects: 2, Asked: 50, Answered: 10}}
	return now
}

// On a terminal there is a bar a model and set, and what is of all; no line is wider than the window, and the bars leave
// room for it.
func TestBarsFitTheWindow(t *testing.T) {
	for _, columns := range []int{40, 80, 200} {
		for _, models := range []int{1, 3, 40} {
			for _, height := range []int{5, 24} {
				now := panel(models)
				var b bars
				lines := b.draw(now.Parts, columns, height)
				if len(lines) > height || len(lines) < min(models, height-2, 8) || !strings.Contains(strings.Join(lines, "\n"), "4/10, 1 failed") {
					t.Errorf("%d models in %d × %d: %q", models, columns, height, lines)
				}
				for _, l := range lines {
					if w := screen.Width(l); w > columns && columns > 40 {
						t.Errorf("%d columns of %d: %q", w, columns, l)
					}
				}
			}
		}
	}
}

// Bars of one model on two sets are told apart however long its name is.
func TestNamesOfBars(t *testing.T) {
	long := strings.Repeat("model-", 12)
	for _, c := range []struct {
		of      run.Part
		columns int
		want    string
	}{
		{run.Part{Model: "m", Set: "demo"}, 34, "m · demo"},
		{run.Part{Model: long, Set: "demo"}, 20, "model-model-… · demo"},
		{run.Part{Model: long, Set: "medqa"}, 20, "model-model… · medqa"},
		{run.Part{Model: long, Set: long}, 20, "model… · model-mode…"},
		{run.Part{Model: "m", Set: long}, 20, "m · model-model-mod…"},
		{run.Part{Model: long, Set: "demo", Judging: true}, 20, "model-m… judges demo"},
		{run.Part{Model: long, Set: long}, 8, "model… …"},
	} {
		if got := partName(c.of, c.columns); got != c.want {
			t.Errorf("%d columns: %q, want %q", c.columns, got, c.want)
		}
	}
}

// While nothing comes, it is said for how long, and how much is waited for.
func TestSilenceIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&messages{on: screen.Screen{W: &out, Terminal: true}}, time.Now)
		defer p.end()
		p.show(run.Progress{Subjects: 2, Asked: 9, Answered: 4, Failed: 1})
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if shown := strings.Join(terminalOf(t, out.String()), " "); strings.Contains(shown, "nothing for") {
			t.Errorf("after ten seconds: %s", shown)
		}
		time.Sleep(14 * time.Second)
		synctest.Wait()
		if shown := strings.Join(terminalOf(t, out.String()), " "); !strings.Contains(shown, "waiting for 4 answers, nothing for 24s") {
			t.Errorf("after 24 seconds: %s", shown)
		}
		p.show(run.Progress{Subjects: 2, Asked: 9, Answered: 5, Failed: 1})
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if shown := strings.Join(terminalOf(t, out.String()), " "); strings.Contains(shown, "nothing for") {
			t.Errorf("after an answer: %s", shown)
		}
	})
}

// A bar does not run backwards when subjects turn out to take more than the first one.
func TestBarsOnlyGrow(t *testing.T) {
	var b bars
	full := func(p run.Part) int { return strings.Count(b.draw([]run.Part{p}, 80, 24)[0], "#") }
	was := full(run.Part{Subjects: 2, Done: 1, Asked: 20, Open: run.Work{Subjects: 1, Asked: 10, Answered: 10}})
	if now := full(run.Part{Subjects: 2, Done: 1, Asked: 90, Open: run.Work{Subjects: 1, Asked: 80, Answered: 10}}); now < was || was == 0 {
		t.Errorf("%d after %d", now, was)
	}
	if now := full(run.Part{Subjects: 2, Done: 2}); now != barLong {
		t.Errorf("%d of %d when all is done", now, barLong)
	}
}

// The running ones are shown, then those to come, then the latest that are finished.
func TestBarsOfAPanel(t *testing.T) {
	part := func(done, open int) run.Part {
		return run.Part{Subjects: 2, Done: done, Open: run.Work{Subjects: open}}
	}
	parts := []run.Part{part(2, 0), part(2, 0), part(0, 0), part(1, 1), part(0, 0)}
	for n, want := range map[int]string{1: "[3]", 2: "[2 3]", 3: "[2 3 4]", 4: "[1 2 3 4]", 9: "[0 1 2 3 4]"} {
		if got := fmt.Sprint(atWork(parts, n)); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// Elsewhere there is a line every half a minute, also while nothing moves, and none of what was done before.
func TestProgressOfALog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&messages{on: screen.Screen{W: &out}}, time.Now)
		p.currency, p.priced = "USD", map[string]bool{"model-00": true}
		written := func() string {
			synctest.Wait()
			p.to.mu.Lock()
			defer p.to.mu.Unlock()
			return out.String()
		}
		for range 60 {
			p.show(panel(1))
			time.Sleep(time.Second)
		}
		if n := strings.Count(written(), "\n"); n != 1 && n != 2 {
			t.Errorf("%d lines in a minute:\n%s", n, written())
		}
		before := strings.Count(written(), "\n")
		time.Sleep(11 * time.Minute)
		if n := strings.Count(written(), "\n") - before; n < 21 || n > 23 {
			t.Errorf("%d lines in eleven minutes of waiting, want one every half a minute", n)
		}
		p.end()
		first, _, _ := strings.Cut(out.String(), "\n")
		for _, want := range []string{"model-00  4 of 10 items, 50 of 90 requests so far", " left", "2.00 USD of about 5.00 USD", "3 retries", "1 failed", "waiting after: 429"} {
			if !strings.Contains(first, want) {
				t.Errorf("no %q in %q", want, first)
			}
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("a sequence of the server's: %q", out.String())
		}
	})
}

// The expected cost is a lower bound while a model that costs something has finished too little, and is not told of models
// that cost nothing.
func TestExpectedCost(t *testing.T) {
	for name, c := range map[string]struct {
		priced map[string]bool
		change func(*run.Progress)
		want   string
	}{
		"one of two priced": {map[string]bool{"model-00": true}, func(*run.Progress) {}, "2.00 USD of about 5.00 USD"},
		"both priced":       {map[string]bool{"model-00": true, "model-01": true}, func(*run.Progress) {}, "2.00 USD of at least 5.00 USD"},
		"too little":        {map[string]bool{"model-00": true}, func(p *run.Progress) { p.Parts[0].Done = 2 }, "2.00 USD"},
		"done":              {map[string]bool{"model-00": true}, func(p *run.Progress) { p.Parts[0].Done = 10 }, "2.00 USD"},
	} {
		now := panel(2)
		c.change(&now)
		p := &progress{currency: "USD", priced: c.priced, known: now}
		if got := p.cost(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// What is left to do is told with the command, as a shell takes it.
func TestHowToGoOn(t *testing.T) {
	var errs bytes.Buffer
	a := &app{err: &errs, args: []string{"chain", "-m", "openai:a b@http://h/v1", "-o", "it's"}}
	if status := a.status(true, errors.New("x")); status != exitInterrupted || !strings.HasSuffix(errs.String(), "goes on from there:\n  percuss chain -m 'openai:a b@http://h/v1' -o 'it'\\''s'\n") {
		t.Errorf("%d, %s", status, errs.String())
	}
	errs.Reset()
	if a.status(false, unfinished{unreported{errors.New("x"), "a b"}}); !strings.Contains(errs.String(), "No report was made: `percuss report 'a b'` makes one") {
		t.Errorf("a run without its report ends with %q", errs.String())
	}
	for _, c := range []struct {
		err  error
		want int
		goOn bool
	}{{unfinished{errors.New("x")}, exitFailure, true}, {unfinished{unreported{usage(errors.New("x")), "d"}}, exitUsage, true}, {unfinished{usage(errors.New("x"))}, exitUsage, true}, {errors.New("x"), exitFailure, false}, {checkError{errors.New("x")}, exitGate, false}} {
		errs.Reset()
		if status := a.status(false, c.err); status != c.want || strings.Contains(errs.String(), "  percuss chain") != c.goOn {
			t.Errorf("%v: status %d, %s", c.err, status, errs.String())
		}
	}
}

// A log tells how far a run came that was stopped between two of its lines, and nothing twice.
func TestLogOfAStoppedRun(t *testing.T) {
	for _, c := range []struct {
		known run.Progress
		lines int
	}{{run.Progress{Subjects: 4, Done: 1, Asked: 9, Answered: 5}, 1}, {run.Progress{Subjects: 4, Done: 4, Asked: 9, Answered: 9}, 1}, {run.Progress{Subjects: 4}, 0}} {
		var out bytes.Buffer
		p := newProgress(&messages{on: screen.Screen{W: &out}}, time.Now)
		p.show(c.known)
		p.end()
		if got := strings.Count(out.String(), "\n"); got != c.lines {
			t.Errorf("%+v: %q", c.known, out.String())
		}
	}
}
