package model

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/percuss/percuss"
)

// server is a model server whose requests take longer the more of them there are.
type server struct {
	takes func(inFlight int) time.Duration
	rand  *rand.Rand // jitter of a fifth; nil: none

	mu       sync.Mutex
	inFlight int
	since    time.Time     // of the last change of inFlight
	held     time.Duration // sum over requests, up to since
	answered int

	first, last time.Time     // a request came
	byLast      time.Duration // held, when the last one came
}

// count notes that n requests more are in flight.
func (s *server) count(n int) {
	now := time.Now()
	s.held += time.Duration(s.inFlight) * now.Sub(s.since)
	s.inFlight, s.since = s.inFlight+n, now
	if n > 0 {
		s.last, s.byLast = now, s.held
		if s.first.IsZero() {
			s.first = now
		}
	}
}

// used is the mean number of requests in flight from the first to the last one's arrival.
func (s *server) used() float64 { return s.byLast.Seconds() / s.last.Sub(s.first).Seconds() }

func (s *server) Call(context.Context, percuss.Request) (percuss.Answer, error) {
	s.mu.Lock()
	s.count(1)
	// Of what comes now, those that are there already are served beside it.
	takes := s.takes(s.inFlight)
	if s.rand != nil {
		takes = time.Duration(float64(takes) * (0.8 + 0.4*s.rand.Float64()))
	}
	s.mu.Unlock()
	time.Sleep(takes)
	s.mu.Lock()
	s.count(-1)
	s.answered++
	s.mu.Unlock()
	return percuss.Answer{Outcome: percuss.OK, Usage: percuss.Usage{Prompt: 100, Output: 50}}, nil
}

// flat takes the same time however many there are.
func flat(int) time.Duration { return 200 * time.Millisecond }

// queueing serves as many as its knee at once.
func queueing(knee int) func(int) time.Duration {
	return func(n int) time.Duration {
		return time.Duration(max(1, float64(n)/float64(knee)) * float64(200*time.Millisecond))
	}
}

// batching is a batch that takes longer the wider it is, as those of GPUs do: 256 together take five times as long as one.
func batching(n int) time.Duration {
	return time.Duration((1 + float64(n)/64) * float64(200*time.Millisecond))
}

// audit asks subjects of thirty requests each, of which the first stands alone, and returns how long it takes.
func audit(t *testing.T, m Model, subjects int) time.Duration {
	t.Helper()
	began := time.Now()
	queue := make(chan int)
	var wg sync.WaitGroup
	for range m.Workers() {
		wg.Go(func() {
			for i := range queue {
				s, err := m.Open(t.Context(), strconv.Itoa(i))
				if err != nil {
					t.Error(err)
					return
				}
				for _, round := range []int{1, 29} {
					if err := s.Answer(t.Context(), numbered(round), func(int, percuss.Answer, error) {}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for i := range subjects {
		queue <- i
	}
	close(queue)
	wg.Wait()
	return time.Since(began)
}

// A server of 200 ms is filled: what is in flight on average, over a run of some thousand requests.
func TestRemoteFillsAFlatServer(t *testing.T) {
	for name, jitter := range map[string]*rand.Rand{"jitter": rand.New(rand.NewPCG(1, 2)), "none": nil} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{takes: flat, rand: jitter}
			took := audit(t, Remote(s, percuss.Capabilities{}, RemoteOptions{Concurrency: 256}), 256)
			share := s.held.Seconds() / took.Seconds() / 256
			t.Logf("%s: %.1f in flight of 256 (%.3f) over %d requests in %s; while sending %.1f", name, share*256, share, s.answered, took, s.used())
			if share < 0.95 {
				t.Errorf("%s: a share of %.3f of the connections is used", name, share)
			}
		})
	}
}

// The same where a subject is one request and its worker has other things to do between two of them: to store the
// answer, to look what is to be asked next.
func TestRemoteFillsWhileAnswersAreStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{takes: flat, rand: rand.New(rand.NewPCG(9, 10))}
		m := Remote(s, percuss.Capabilities{}, RemoteOptions{Concurrency: 256})
		const subjects = 6000
		queue := make(chan int)
		var wg sync.WaitGroup
		for range m.Workers() {
			wg.Go(func() {
				for range queue {
					if _, err := askAll(t.Context(), t, m, numbered(1)); err != nil {
						t.Error(err)
					}
					time.Sleep(40 * time.Millisecond)
				}
			})
		}
		for i := range subjects {
			queue <- i
		}
		close(queue)
		wg.Wait()
		t.Logf("%.1f in flight of 256 (%.3f)", s.used(), s.used()/256)
		if share := s.used() / 256; s.answered != subjects || share < 0.95 {
			t.Errorf("%d answers, a share of %.3f of the connections is used", s.answered, share)
		}
	})
}

// A minute of refusals is no sentence: the limit is back soon after it.
func TestClimbRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{takes: flat, rand: rand.New(rand.NewPCG(7, 8))}
		from, to := time.Now().Add(10*time.Second), time.Now().Add(time.Minute)
		m := Remote(callFunc(func(ctx context.Context, r percuss.Request) (percuss.Answer, error) {
			if now := time.Now(); now.After(from) && now.Before(to) {
				time.Sleep(10 * time.Millisecond)
				return percuss.Answer{}, &Fault{Kind: RateLimit, RetryAfter: to.Sub(now), Err: errors.New("wait")}
			}
			return s.Call(ctx, r)
		}), percuss.Capabilities{}, RemoteOptions{Concurrency: 64}).(*remote)
		var wg sync.WaitGroup
		wg.Go(func() { audit(t, m, 600) })
		time.Sleep(50 * time.Second)
		if l := m.ends[0].limit.level(); l > 2 {
			t.Errorf("while everything is refused the limit is %g", l)
		}
		for time.Since(to) < 30*time.Second && m.ends[0].limit.level() < 48 {
			time.Sleep(time.Second)
		}
		t.Logf("%.0f of 64 are in flight %s later", m.ends[0].limit.level(), time.Since(to).Round(time.Second))
		if l := m.ends[0].limit.level(); l < 48 {
			t.Errorf("half a minute later the limit is %g of 64", l)
		}
		wg.Wait()
	})
}

// level is how many may be in flight.
func (l *limiter) level() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.climb.level
}

// Where latency rises with load, the limit settles near the knee, wherever it began; and finds it again when it moves.
func TestClimbSettlesNearTheKnee(t *testing.T) {
	for _, knee := range []int{12, 40, 100} {
		synctest.Test(t, func(t *testing.T) {
			var now atomic.Int64
			now.Store(int64(knee))
			s := &server{rand: rand.New(rand.NewPCG(3, uint64(knee))),
				takes: func(n int) time.Duration { return queueing(int(now.Load()))(n) }}
			r := Remote(s, percuss.Capabilities{}, RemoteOptions{Concurrency: 256}).(*remote)
			for _, want := range []int{knee, 2 * knee, knee} {
				now.Store(int64(want))
				audit(t, r, 300)
				level := r.ends[0].limit.level()
				t.Logf("knee %d: the limit is %.0f", want, level)
				if level < 0.7*float64(want) || level > 2*float64(want)+4 {
					t.Errorf("the limit is %g, the knee %d", level, want)
				}
			}
		})
	}
}

// A batch gets slower long before more requests bring nothing.
func TestClimbFollowsThroughputNotLatency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{takes: batching, rand: rand.New(rand.NewPCG(5, 6))}
		r := Remote(s, percuss.Capabilities{}, RemoteOptions{Concurrency: 256}).(*remote)
		audit(t, r, 600)
		level := r.ends[0].limit.level()
		best, got := 256/batching(256).Seconds(), level/batching(int(level)).Seconds()
		t.Logf("at %.0f in flight %.0f a second, at 256 %.0f", level, got, best)
		if got < 0.75*best {
			t.Errorf("at %.0f in flight %.0f a second, at 256 %.0f", level, got, best)
		}
	})
}

// Scores and texts are not held against each other: a turn from one to the other is no sign of load.
func TestClimbTellsScoresFromTexts(t *testing.T) {
	c := newClimb(64)
	for i := 0; c.level < 64; i++ {
		if i > 100_000 {
			t.Fatalf("the limit stays at %g", c.level)
		}
		took, w := 4*time.Second, work{output: 400}
		if i/3000%2 == 1 {
			took, w = 700*time.Millisecond, work{scored: true, output: 1}
		}
		c.ended(c.stamp, took, w)
	}
	for i := range 20_000 {
		took, w := 4*time.Second, work{output: 400}
		if i/3000%2 == 1 {
			took, w = 700*time.Millisecond, work{scored: true, output: 1}
		}
		if c.ended(c.stamp, took, w); c.level < 64 {
			t.Fatalf("the limit falls to %g", c.level)
		}
	}
}
