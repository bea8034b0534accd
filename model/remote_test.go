package model

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/percuss/percuss"
)

// callFunc is a Caller.
type callFunc func(ctx context.Context, r percuss.Request) (percuss.Answer, error)

func (f callFunc) Call(ctx context.Context, r percuss.Request) (percuss.Answer, error) {
	return f(ctx, r)
}

func numbered(n int) []percuss.Request {
	requests := make([]percuss.Request, n)
	for i := range requests {
		requests[i] = percuss.Request{Begin: strconv.Itoa(i), Replicate: i}
	}
	return requests
}

// told is what done was told.
type told struct {
	answers map[int]percuss.Answer
	again   map[int][]string // kinds of the attempts that were made again
	failed  map[int]error
}

func askAll(ctx context.Context, t *testing.T, m Model, requests []percuss.Request) (told, error) {
	t.Helper()
	s, err := m.Open(ctx, "subject")
	if err != nil {
		t.Fatal(err)
	}
	got := told{map[int]percuss.Answer{}, map[int][]string{}, map[int]error{}}
	err = s.Answer(ctx, requests, func(i int, a percuss.Answer, err error) {
		var f *Fault
		switch {
		case err == nil:
			got.answers[i] = a
		case errors.As(err, &f) && f.Again:
			got.again[i] = append(got.again[i], f.Kind)
		default:
			got.failed[i] = err
		}
	})
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	return got, err
}

func fail(kind string) error { return &Fault{Kind: kind, Err: errors.New("no luck")} }

func TestRemoteAnswersAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int64
		m := Remote(callFunc(func(_ context.Context, r percuss.Request) (percuss.Answer, error) {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer now.Add(-1)
			time.Sleep(time.Second)
			return percuss.Answer{Outcome: percuss.OK, Text: r.Begin, Usage: percuss.Usage{Prompt: 3, Output: 2}}, nil
		}), percuss.Capabilities{Identity: "x", Text: true}, RemoteOptions{Concurrency: 16})
		got, err := askAll(t.Context(), t, m, numbered(300))
		if err != nil || len(got.answers) != 300 || len(got.failed)+len(got.again) > 0 {
			t.Fatalf("%d answers, failed %v, again %v, error %v", len(got.answers), got.failed, got.again, err)
		}
		for i, a := range got.answers {
			if a.Text != strconv.Itoa(i) {
				t.Errorf("request %d got the answer of %s", i, a.Text)
			}
		}
		if most.Load() <= firstLevel || most.Load() > 16 {
			t.Errorf("%d in flight at most, want more than %d and no more than 16", most.Load(), firstLevel)
		}
		if c := m.(Counter).Counts(); c.PromptAsked != 900 || c.Output != 600 {
			t.Errorf("counts %+v", c)
		}
	})
}

func TestRemoteRepeatsByKind(t *testing.T) {
	for _, kind := range []string{RateLimit, Overload, Server, Dropped, Stalled, Malformed} {
		synctest.Test(t, func(t *testing.T) {
			tries := 0
			m := Remote(callFunc(func(context.Context, percuss.Request) (percuss.Answer, error) {
				if tries++; tries < 3 {
					return percuss.Answer{}, fail(kind)
				}
				return percuss.Answer{Outcome: percuss.OK}, nil
			}), percuss.Capabilities{}, RemoteOptions{})
			got, err := askAll(t.Context(), t, m, numbered(1))
			if err != nil || len(got.answers) != 1 || !slices.Equal(got.again[0], []string{kind, kind}) {
				t.Errorf("%s: %+v, %v", kind, got, err)
			}
		})
	}
}

// A server that is away for a minute costs no answer.
func TestRemoteSurvivesAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		back := time.Now().Add(time.Minute)
		m := Remote(callFunc(func(context.Context, percuss.Request) (percuss.Answer, error) {
			if time.Now().Before(back) {
				return percuss.Answer{}, fail(Dropped)
			}
			return percuss.Answer{Outcome: percuss.OK}, nil
		}), percuss.Capabilities{}, RemoteOptions{})
		if got, err := askAll(t.Context(), t, m, numbered(50)); err != nil || len(got.answers) != 50 {
			t.Errorf("%d answers, error %v, failed %v", len(got.answers), err, got.failed)
		}
	})
}

// What waits because the server said so holds no slot.
func TestRemoteWaitsWithoutHoldingASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var mu sync.Mutex
		refused, last := map[string]bool{}, time.Duration(0)
		m := Remote(callFunc(func(_ context.Context, r percuss.Request) (percuss.Answer, error) {
			mu.Lock()
			defer mu.Unlock()
			if r.Replicate < 20 && !refused[r.Begin] {
				refused[r.Begin] = true
				return percuss.Answer{}, &Fault{Kind: RateLimit, RetryAfter: 2 * time.Minute, Err: errors.New("wait")}
			}
			if r.Replicate >= 20 {
				last = max(last, time.Since(start))
			} else if since := time.Since(start); since < 2*time.Minute {
				t.Errorf("asked again after %s", since)
			}
			return percuss.Answer{Outcome: percuss.OK}, nil
		}), percuss.Capabilities{}, RemoteOptions{Concurrency: 2})
		got, err := askAll(t.Context(), t, m, numbered(40))
		if err != nil || len(got.answers) != 40 {
			t.Fatalf("%d answers, error %v", len(got.answers), err)
		}
		if last > time.Second {
			t.Errorf("the requests that need not wait were done after %s", last)
		}
	})
}

func TestRemoteDoesNotWaitAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		m := Remote(callFunc(func(_ context.Context, r percuss.Request) (percuss.Answer, error) {
			if r.Replicate == 0 {
				return percuss.Answer{}, &Fault{Kind: RateLimit, RetryAfter: time.Hour, Err: errors.New("wait")}
			}
			return percuss.Answer{Outcome: percuss.OK}, nil
		}), percuss.Capabilities{}, RemoteOptions{})
		got, err := askAll(t.Context(), t, m, numbered(3))
		if err != nil || len(got.answers) != 2 {
			t.Fatalf("%d answers, error %v", len(got.answers), err)
		}
		if got.failed[0] == nil || IsFatal(got.failed[0]) {
			t.Errorf("the request failed with %v, want a fault that is not fatal", got.failed[0])
		}
		if waited := time.Since(start); waited > time.Minute {
			t.Errorf("waited %s", waited)
		}
	})
}

func TestRemoteGivesUpWhatStaysMalformed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		m := Remote(callFunc(func(context.Context, percuss.Request) (percuss.Answer, error) {
			calls++
			return percuss.Answer{}, fail(Malformed)
		}), percuss.Capabilities{}, RemoteOptions{})
		got, err := askAll(t.Context(), t, m, numbered(1))
		if err != nil || calls != 3 || len(got.again[0]) != 2 || got.failed[0] == nil {
			t.Errorf("%d calls, told %+v, error %v", calls, got, err)
		}
	})
}

func TestRemoteStopsAtAFatalFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		m := Remote(callFunc(func(ctx context.Context, r percuss.Request) (percuss.Answer, error) {
			if calls.Add(1) == 3 {
				time.Sleep(time.Second)
				return percuss.Answer{}, &Fault{Kind: "credentials", Fatal: true, Err: errors.New("key refused")}
			}
			time.Sleep(2 * time.Second)
			return percuss.Answer{Outcome: percuss.OK}, nil
		}), percuss.Capabilities{}, RemoteOptions{Concurrency: 4})
		got, err := askAll(t.Context(), t, m, numbered(100))
		if !IsFatal(err) || len(got.failed) != 1 {
			t.Fatalf("Answer returned %v, failed %v", err, got.failed)
		}
		if calls.Load() != 4 || len(got.answers) != 3 {
			t.Errorf("%d calls and %d answers; want 4 calls, and the 3 in flight delivered", calls.Load(), len(got.answers))
		}
		if _, err := m.Open(t.Context(), "next"); !IsFatal(err) {
			t.Errorf("another session opens although nothing can be asked: %v", err)
		}
	})
}

func TestRemoteOnCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("ctrl-c")
		ctx, cancel := context.WithCancelCause(t.Context())
		var arrived atomic.Int64
		m := Remote(callFunc(func(ctx context.Context, r percuss.Request) (percuss.Answer, error) {
			takes := []time.Duration{3 * time.Second, time.Hour, 0, 3 * time.Second}[(arrived.Add(1)-1)%4]
			if takes == 0 {
				return percuss.Answer{}, fail(Server)
			}
			select {
			case <-time.After(takes):
				return percuss.Answer{Outcome: percuss.OK}, nil
			case <-ctx.Done():
				return percuss.Answer{}, fail(Dropped)
			}
		}), percuss.Capabilities{}, RemoteOptions{Concurrency: 4})
		time.AfterFunc(time.Millisecond, func() { cancel(why) })
		start := time.Now()
		got, err := askAll(ctx, t, m, numbered(40))
		if !errors.Is(err, why) {
			t.Errorf("Answer returned %v, want the cause", err)
		}
		if len(got.answers) != 3 || len(got.failed) > 0 {
			t.Errorf("%d answers, failed %v; want the 3 that were nearly done", len(got.answers), got.failed)
		}
		if took := time.Since(start); took < 5*time.Second || took > 6*time.Second {
			t.Errorf("took %s, want the 5 seconds of grace", took)
		}
	})
}

func TestRemoteCancelledAfterTheLastAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		m := Remote(callFunc(func(context.Context, percuss.Request) (percuss.Answer, error) {
			cancel()
			return percuss.Answer{Outcome: percuss.OK}, nil
		}), percuss.Capabilities{}, RemoteOptions{})
		if got, err := askAll(ctx, t, m, numbered(1)); err != nil || len(got.answers) != 1 {
			t.Errorf("%d answers, error %v", len(got.answers), err)
		}
	})
}

func TestRemoteSharesOneLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int64
		m := Remote(callFunc(func(context.Context, percuss.Request) (percuss.Answer, error) {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Second)
			now.Add(-1)
			return percuss.Answer{Outcome: percuss.OK}, nil
		}), percuss.Capabilities{}, RemoteOptions{Concurrency: 3})
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if got, err := askAll(t.Context(), t, m, numbered(10)); err != nil || len(got.answers) != 10 {
					t.Errorf("%d answers, error %v", len(got.answers), err)
				}
			})
		}
		wg.Wait()
		if most.Load() != 3 {
			t.Errorf("%d in flight, want 3", most.Load())
		}
		if m.Workers() != 4 {
			t.Errorf("%d workers, want the 3 in flight and one that stores", m.Workers())
		}
	})
}
