package model

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/percuss/percuss"
	"pgregory.net/rapid"
)

func isAway(err error) bool {
	var f *Fault
	return errors.As(err, &f) && f.Kind == Away
}

// A server that sends everybody off for an hour is not asked for hundreds of requests.
func TestRemoteStopsWhenSentOff(t *testing.T) {
	for _, concurrency := range []int{1, 32} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			var calls atomic.Int64
			m := Remote(callFunc(func(_ context.Context, r percuss.Request) (percuss.Answer, error) {
				if calls.Add(1) == 1 {
					return percuss.Answer{Outcome: percuss.OK}, nil
				}
				time.Sleep(100 * time.Millisecond)
				return percuss.Answer{}, &Fault{Kind: RateLimit, RetryAfter: time.Hour, Err: errors.New("slow down")}
			}), percuss.Capabilities{}, RemoteOptions{Concurrency: concurrency})
			got, err := askAll(t.Context(), t, m, numbered(300))
			var f *Fault
			if !errors.As(err, &f) || f.Kind != Away || f.Fatal || f.RetryAfter != time.Hour {
				t.Fatalf("Answer returned %v, want a fault %q that is not fatal", err, Away)
			}
			for _, want := range []string{"1h0m0s", "resume", "was answered is kept", "slow down"} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			if len(got.answers) != 1 || calls.Load() > 2*firstLevel || time.Since(start) > time.Minute {
				t.Errorf("%d answers, %d calls in %s", len(got.answers), calls.Load(), time.Since(start))
			}
			if _, err := m.Open(t.Context(), "next"); !isAway(err) {
				t.Errorf("another session opens: %v", err)
			}
		})
	}
}

// run asks subjects of one request each, so many at a time, until the model refuses to go on. failed are the requests
// that were given up.
func run(t *testing.T, m Model, subjects, workers int) (failed int, stopped error) {
	t.Helper()
	var mu sync.Mutex
	queue := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range queue {
				s, err := m.Open(t.Context(), strconv.Itoa(i))
				if err == nil {
					err = s.Answer(t.Context(), []percuss.Request{{Replicate: i}}, func(_ int, _ percuss.Answer, err error) {
						var f *Fault
						if errors.As(err, &f) && !f.Again {
							mu.Lock()
							failed++
							mu.Unlock()
						}
					})
				}
				if err != nil {
					mu.Lock()
					stopped = err
					mu.Unlock()
				}
			}
		})
	}
	for i := range subjects {
		queue <- i
	}
	close(queue)
	wg.Wait()
	return failed, stopped
}

// Of a server that is gone, not every one of hundreds of subjects is told by minutes of waiting.
func TestRemoteStopsWhenTheServerIsGone(t *testing.T) {
	for _, kind := range []string{Dropped, Server, Overload, RateLimit, Stalled} {
		for _, workers := range []int{1, 16} {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				m := Remote(callFunc(func(_ context.Context, r percuss.Request) (percuss.Answer, error) {
					if r.Replicate < 5 {
						return percuss.Answer{Outcome: percuss.OK}, nil
					}
					return percuss.Answer{}, fail(kind)
				}), percuss.Capabilities{}, RemoteOptions{Concurrency: workers})
				failed, err := run(t, m, 300, workers)
				if !isAway(err) || IsFatal(err) || !strings.Contains(err.Error(), "resume the run") {
					t.Errorf("%s, %d workers: ended with %v", kind, workers, err)
				}
				if took := time.Since(start); failed < 3 || failed > 3+workers || took > 20*time.Minute {
					t.Errorf("%s, %d workers: %d given up in %s", kind, workers, failed, took)
				}
			})
		}
	}
}

// What is wrong with some questions is no outage: the rest of the run goes on, and so does a run in which one subject
// is left.
func TestRemoteGoesOnPastPoisonedRequests(t *testing.T) {
	for name, c := range map[string]struct {
		kind     string
		poisoned func(n int) bool
		subjects int
	}{
		"every other one":     {Server, func(n int) bool { return n%2 == 0 }, 61},
		"some in a row":       {Server, func(n int) bool { return n >= 40 && n < 48 }, 60},
		"all, by their form":  {Malformed, func(int) bool { return true }, 20},
		"all, of one subject": {Server, func(int) bool { return true }, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := Remote(callFunc(func(_ context.Context, r percuss.Request) (percuss.Answer, error) {
				time.Sleep(time.Second)
				if c.poisoned(r.Replicate) {
					return percuss.Answer{}, fail(c.kind)
				}
				return percuss.Answer{Outcome: percuss.OK}, nil
			}), percuss.Capabilities{}, RemoteOptions{Concurrency: 16})
			if c.subjects == 1 {
				if got, err := askAll(t.Context(), t, m, numbered(40)); err != nil || len(got.failed) != 40 {
					t.Errorf("%s: %d failed, error %v", name, len(got.failed), err)
				}
				return
			}
			if _, err := run(t, m, c.subjects, 16); err != nil {
				t.Errorf("%s: ended with %v", name, err)
			}
		})
	}
}

// What was stopped delivers what is in flight, and ends at once what waits.
func TestRemoteWhenStoppedKeepsWhatIsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := Remote(callFunc(func(_ context.Context, r percuss.Request) (percuss.Answer, error) {
			switch {
			case r.Replicate == 0:
				time.Sleep(3 * time.Second)
				return percuss.Answer{Outcome: percuss.OK}, nil
			case r.Replicate == 1:
				return percuss.Answer{}, &Fault{Kind: RateLimit, RetryAfter: 4 * time.Minute, Err: errors.New("wait")}
			}
			time.Sleep(time.Second)
			return percuss.Answer{}, &Fault{Kind: RateLimit, RetryAfter: time.Hour, Err: errors.New("wait")}
		}), percuss.Capabilities{}, RemoteOptions{Concurrency: 8})
		start := time.Now()
		got, err := askAll(t.Context(), t, m, numbered(5))
		if !isAway(err) || len(got.answers) != 1 || time.Since(start) > 10*time.Second {
			t.Errorf("%d answers in %s, error %v", len(got.answers), time.Since(start), err)
		}
	})
}

// What one kind of request lacks, another may not need.
func TestRemoteGoesOnWithoutACapability(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := Remote(callFunc(func(_ context.Context, r percuss.Request) (percuss.Answer, error) {
			if r.Replicate == 0 {
				return percuss.Answer{}, &Fault{Kind: Capability, Fatal: true, Err: errors.New("no log-probabilities")}
			}
			return percuss.Answer{Outcome: percuss.OK}, nil
		}), percuss.Capabilities{}, RemoteOptions{})
		got, err := askAll(t.Context(), t, m, numbered(20))
		if err != nil || len(got.answers) != 19 || !IsFatal(got.failed[0]) {
			t.Errorf("%d answers, failed %v, error %v", len(got.answers), got.failed, err)
		}
	})
}

func TestOutageNeedsARow(t *testing.T) {
	hour := &Fault{Kind: RateLimit, RetryAfter: time.Hour, Err: errors.New("x")}
	rapid.Check(t, func(t *rapid.T) {
		var o outage
		row := 0
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			if rapid.Bool().Draw(t, "answered") {
				o.answered()
				row = 0
				continue
			}
			row++
			away := o.gaveUp("s", hour, &patience{budget: time.Minute})
			if (away != nil) != (row >= givenUpInARow) {
				t.Fatalf("after %d in a row: %v", row, away)
			}
		}
	})
}

func TestLetterForm(t *testing.T) {
	for token, want := range map[string]string{
		"A": "A", " A": "A", "▁A": "A", "ĠA": "A", "  A": " A", " ▁A": "▁A", "A ": "A ", "": "", " ": "", "\nA": "\nA", "АĠ": "АĠ",
	} {
		if got := LetterForm(token); got != want {
			t.Errorf("%q becomes %q, want %q", token, got, want)
		}
	}
}
