package model

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/percuss/percuss"
)

// place is one address: it notes whom it was asked for, and may be out of order.
type place struct {
	mu    sync.Mutex
	wrong *Fault // what it says instead of answering; nil: it answers
	asked map[string]int
	calls int
}

func (p *place) Call(_ context.Context, r percuss.Request) (percuss.Answer, error) {
	p.mu.Lock()
	wrong := p.wrong
	p.calls++
	if wrong == nil {
		p.asked[r.Begin]++
	}
	p.mu.Unlock()
	time.Sleep(100 * time.Millisecond)
	if wrong != nil {
		return percuss.Answer{}, wrong
	}
	return percuss.Answer{Outcome: percuss.OK}, nil
}

func (p *place) set(f *Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wrong = f
}

func (p *place) count() (calls, subjects int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls, len(p.asked)
}

// askSubjects asks subjects of ten requests each, named after them, and returns how many were answered.
func askSubjects(t *testing.T, m Model, subjects int) (answered int, err error) {
	t.Helper()
	var mu sync.Mutex
	queue := make(chan int)
	var wg sync.WaitGroup
	for range m.Workers() {
		wg.Go(func() {
			for i := range queue {
				s, failed := m.Open(t.Context(), strconv.Itoa(i))
				if failed == nil {
					requests := make([]percuss.Request, 10)
					for j := range requests {
						requests[j] = percuss.Request{Begin: strconv.Itoa(i), Replicate: j}
					}
					failed = s.Answer(t.Context(), requests, func(_ int, _ percuss.Answer, err error) {
						mu.Lock()
						defer mu.Unlock()
						if err == nil {
							answered++
						}
					})
					failed = errors.Join(failed, s.Close())
				}
				mu.Lock()
				err = errors.Join(err, failed)
				mu.Unlock()
			}
		})
	}
	for i := range subjects {
		queue <- i
	}
	close(queue)
	wg.Wait()
	return answered, err
}

func places(n int) ([]Caller, []*place) {
	var callers []Caller
	var all []*place
	for range n {
		p := &place{asked: map[string]int{}}
		callers, all = append(callers, p), append(all, p)
	}
	return callers, all
}

// A subject keeps to its address, and the addresses have as many subjects each.
func TestEndpointsKeepTheirSubjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		callers, all := places(3)
		n, err := askSubjects(t, Endpoints(callers, percuss.Capabilities{}, RemoteOptions{Concurrency: 8}), 90)
		if err != nil || n != 900 {
			t.Fatalf("%d answers, %v", n, err)
		}
		for i, p := range all {
			if _, subjects := p.count(); subjects < 24 || subjects > 36 {
				t.Errorf("address %d has %d of 90 subjects", i, subjects)
			}
			for subject, n := range p.asked {
				if n != 10 {
					t.Errorf("address %d had %d of the 10 requests of subject %s", i, n, subject)
				}
			}
		}
	})
}

// An address that is gone is drained, what waited for it is asked elsewhere, and it has subjects again when it is back.
func TestEndpointsDrain(t *testing.T) {
	for name, f := range map[string]*Fault{"gone": faultOf(fail(Dropped)), "busy": faultOf(fail(Overload)), "stalled": faultOf(fail(Stalled)), "another key": {Kind: "credentials", Fatal: true, Err: errors.New("no")}} {
		synctest.Test(t, func(t *testing.T) {
			callers, all := places(2)
			before, back := 0, 0
			time.AfterFunc(2*time.Second, func() { all[1].set(f); before, _ = all[1].count() })
			time.AfterFunc(40*time.Second, func() { all[1].set(nil); back, _ = all[1].count() })
			m := Endpoints(callers, percuss.Capabilities{}, RemoteOptions{Concurrency: 4})
			n, err := askSubjects(t, m, 1200)
			if err != nil || n != 12000 {
				t.Fatalf("%s: %d answers, %v", name, n, err)
			}
			calls, _ := all[1].count()
			if away, after := back-before, calls-back; away > 30 || after < 1000 {
				t.Errorf("%s: it was asked %d times while it was away, and %d times after", name, away, after)
			}
		})
	}
}

// An address that asks to wait for longer than a request waits is left alone for that long, and nothing is given up.
func TestEndpointsRest(t *testing.T) {
	for _, kind := range []string{RateLimit, Overload} {
		synctest.Test(t, func(t *testing.T) {
			callers, all := places(2)
			all[1].set(&Fault{Kind: kind, RetryAfter: time.Hour, Err: errors.New("later")})
			n, err := askSubjects(t, Endpoints(callers, percuss.Capabilities{}, RemoteOptions{Concurrency: 4}), 200)
			if calls, _ := all[1].count(); err != nil || n != 2000 || calls > 4 {
				t.Errorf("%s: %d answers, %d requests to the address that wants none, %v", kind, n, calls, err)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		callers, all := places(2)
		for _, p := range all {
			p.set(&Fault{Kind: RateLimit, RetryAfter: time.Hour, Err: errors.New("later")})
		}
		began := time.Now()
		_, err := askSubjects(t, Endpoints(callers, percuss.Capabilities{}, RemoteOptions{Concurrency: 4}), 50)
		var f *Fault
		if !errors.As(err, &f) || f.Kind != Away || f.RetryAfter != time.Hour || time.Since(began) > 20*time.Minute {
			t.Errorf("both want to rest: after %s %v", time.Since(began), err)
		}
	})
}

// A key that one address refuses ends no run while the other, which takes it, is away for a moment.
func TestEndpointsOneWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		callers, all := places(2)
		all[1].set(&Fault{Kind: "credentials", Fatal: true, Err: errors.New("no")})
		time.AfterFunc(16*time.Second, func() { all[0].set(faultOf(fail(Dropped))) })
		time.AfterFunc(40*time.Second, func() { all[0].set(nil) })
		n, err := askSubjects(t, Endpoints(callers, percuss.Capabilities{}, RemoteOptions{Concurrency: 4}), 400)
		if err != nil || n != 4000 {
			t.Errorf("%d answers, %v", n, err)
		}
	})
}

// An address that takes requests and never answers costs one of them each time that it is tried, not all that may be in
// flight; and it has its subjects again when it is back.
func TestEndpointsTryByOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		callers, all := places(2)
		hung, back := 0, time.Now().Add(450*time.Second)
		callers[1] = callFunc(func(ctx context.Context, r percuss.Request) (percuss.Answer, error) {
			if time.Now().After(back) {
				return all[1].Call(ctx, r)
			}
			all[1].mu.Lock()
			hung++
			all[1].mu.Unlock()
			time.Sleep(time.Minute)
			return percuss.Answer{}, fail(Stalled)
		})
		n, err := askSubjects(t, Endpoints(callers, percuss.Capabilities{}, RemoteOptions{Concurrency: 8}), 6000)
		if err != nil || n != 60000 {
			t.Fatalf("%d answers, %v", n, err)
		}
		after, _ := all[1].count()
		// All 8 at once to begin with, then one after a drain of 15 s, of 30 s and of 60 s.
		if hung > 8+3 || after < 1000 {
			t.Errorf("it was asked %d times before it answered, and %d times after", hung, after)
		}
	})
}

// What is wrong with all addresses is wrong with the model.
func TestEndpointsAllWrong(t *testing.T) {
	for want, f := range map[string]*Fault{Away: faultOf(fail(Dropped)), "credentials": {Kind: "credentials", Fatal: true, Err: errors.New("no")}} {
		synctest.Test(t, func(t *testing.T) {
			callers, all := places(2)
			for _, p := range all {
				p.set(f)
			}
			began := time.Now()
			_, err := askSubjects(t, Endpoints(callers, percuss.Capabilities{}, RemoteOptions{Concurrency: 4}), 50)
			var got *Fault
			if !errors.As(err, &got) || got.Kind != want || time.Since(began) > 20*time.Minute {
				t.Errorf("want %s: after %s %v", want, time.Since(began), err)
			}
		})
	}
}

// A drained address is tried again after a while that grows, and a reply ends it.
func TestEndpointDrainsLonger(t *testing.T) {
	e, now := &endpoint{}, time.Unix(0, 0)
	var told []string
	for range 6 {
		for !e.fails(now, false) {
		}
		told = append(told, fmt.Sprint(e.until.Sub(now)))
		if e.standing(now) != barred || e.standing(e.until) != due || e.try(now) || !e.try(e.until) || e.try(e.until) {
			t.Fatalf("until %s it is not asked, and then once", e.until)
		}
		now = e.until
	}
	if got, want := fmt.Sprint(told), "[15s 30s 1m0s 2m0s 4m0s 5m0s]"; got != want {
		t.Errorf("drained for %s, want %s", got, want)
	}
	if e.lives(); e.standing(time.Unix(0, 0)) != trusted || e.try(now) || e.fails(now, false) {
		t.Error("a reply does not end it")
	}
}
