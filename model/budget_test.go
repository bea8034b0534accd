package model

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// sent notes when requests arrive and what they cost.
type sent struct {
	mu    sync.Mutex
	at    []time.Time
	costs []float64
}

func (s *sent) note(tokens float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at, s.costs = append(s.at, time.Now()), append(s.costs, tokens)
}

// most is the largest sum within a minute.
func (s *sent) most(of func(i int) float64) float64 {
	most := 0.0
	for i, from := range s.at {
		sum := 0.0
		for j := i; j < len(s.at) && s.at[j].Sub(from) < time.Minute; j++ {
			sum += of(j)
		}
		most = max(most, sum)
	}
	return most
}

// No minute holds more than the budget, nor much less while there is work.
func TestBudgetOfRequests(t *testing.T) {
	for _, perMinute := range []int{1, 60, 90, 3000} {
		synctest.Test(t, func(t *testing.T) {
			var s sent
			m := Remote(callFunc(func(context.Context, percuss.Request) (percuss.Answer, error) {
				s.note(0)
				time.Sleep(3 * time.Second)
				return percuss.Answer{Outcome: percuss.OK}, nil
			}), percuss.Capabilities{}, RemoteOptions{Concurrency: 512, RequestsPerMinute: perMinute})
			began := time.Now()
			got, err := askAll(t.Context(), t, m, numbered(3*perMinute))
			if err != nil || len(got.answers) != 3*perMinute {
				t.Fatalf("%d answers, error %v", len(got.answers), err)
			}
			most := s.most(func(int) float64 { return 1 })
			if most > 1.003*float64(perMinute) || time.Since(began) > 3*time.Minute+10*time.Second {
				t.Errorf("of %d a minute %g were sent in one; all took %s", perMinute, most, time.Since(began))
			}
		})
	}
}

// Tokens are set aside as allowed and corrected to what was counted: the budget is used, and kept to within the
// requests that were out at once.
func TestBudgetOfTokens(t *testing.T) {
	const perMinute, prompt, allowed, really = 60_000, 400, 500, 100
	synctest.Test(t, func(t *testing.T) {
		var s sent
		m := Remote(callFunc(func(context.Context, percuss.Request) (percuss.Answer, error) {
			s.note(prompt + really)
			time.Sleep(2 * time.Second)
			return percuss.Answer{Outcome: percuss.OK, Usage: percuss.Usage{Prompt: prompt, Output: really}}, nil
		}), percuss.Capabilities{}, RemoteOptions{Concurrency: 64, TokensPerMinute: perMinute})
		requests := numbered(600)
		for i := range requests {
			requests[i].Messages = []percuss.Message{{Role: percuss.User, Content: strings.Repeat("word", prompt)}}
			requests[i].Sampling.MaxTokens = allowed
		}
		began := time.Now()
		got, err := askAll(t.Context(), t, m, requests)
		if err != nil || len(got.answers) != len(requests) {
			t.Fatalf("%d answers, error %v", len(got.answers), err)
		}
		took := time.Since(began)
		most := s.most(func(i int) float64 { return s.costs[i] })
		ideal := time.Duration(float64(len(requests)*(prompt+really)) / perMinute * float64(time.Minute))
		t.Logf("%.0f tokens in the fullest minute, %s for %d requests, at best %s", most, took, len(requests), ideal)
		if most > 1.02*perMinute || took > ideal*11/10 {
			t.Errorf("%.0f tokens in one minute, and %s where %s would do", most, took, ideal)
		}
	})
}

// A request that waits for the budget holds no slot, and one that is larger than the budget goes out all the same.
func TestBudgetOfOneLargeRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := Remote(callFunc(func(context.Context, percuss.Request) (percuss.Answer, error) {
			return percuss.Answer{Outcome: percuss.OK}, nil
		}), percuss.Capabilities{}, RemoteOptions{TokensPerMinute: 100})
		requests := numbered(2)
		for i := range requests {
			requests[i].Sampling.MaxTokens = 250
		}
		began := time.Now()
		if got, err := askAll(t.Context(), t, m, requests); err != nil || len(got.answers) != 2 {
			t.Fatalf("%d answers, error %v", len(got.answers), err)
		}
		if took := time.Since(began); took < 2*time.Minute || took > 3*time.Minute {
			t.Errorf("the second one was sent after %s, want two and a half minutes", took)
		}
	})
}

// What the server says is left is not passed over: no request meets its refusal.
func TestBudgetFollowsTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := bucket{rate: 2, room: 40, level: 40}
		var mu sync.Mutex
		refused := 0
		c := &reporting{}
		c.callFunc = func(context.Context, percuss.Request) (percuss.Answer, error) {
			mu.Lock()
			defer mu.Unlock()
			if service.wait(time.Now(), 1) > 0 {
				refused++
				return percuss.Answer{}, fail(RateLimit)
			}
			service.level--
			c.to(Allowance{Requests: Remaining{Limit: service.room, Left: service.level,
				Full: time.Duration((service.room - service.level) / service.rate * float64(time.Second))}})
			return percuss.Answer{Outcome: percuss.OK}, nil
		}
		began := time.Now()
		got, err := askAll(t.Context(), t, Remote(c, percuss.Capabilities{}, RemoteOptions{}), numbered(160))
		if err != nil || len(got.answers) != 160 {
			t.Fatalf("%d answers, error %v", len(got.answers), err)
		}
		if took := time.Since(began); refused > 3 || took > 70*time.Second {
			t.Errorf("%d were refused, and all took %s; the service lets 40 and then two a second", refused, took)
		}
	})
}

// reporting is a caller that reports what is left.
type reporting struct {
	callFunc
	to func(Allowance)
}

func (r *reporting) Report(to func(Allowance)) { r.to = to }

func TestBudgetNeverLosesWhatItTook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		perMinute := rapid.Float64Range(1, 1e6).Draw(t, "per minute")
		b := newBudget(cost{inTokens: perMinute})
		now := time.Unix(0, 0)
		taken, slack := 0.0, max(1, perMinute/600)
		for range rapid.IntRange(1, 50).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.IntRange(0, 5000).Draw(t, "ms")) * time.Millisecond)
			c := cost{inTokens: rapid.Float64Range(0, perMinute).Draw(t, "cost")}
			if wait := b.take(now, c); wait > 0 {
				now = now.Add(wait + time.Microsecond)
				if again := b.take(now, c); again > 0 {
					t.Fatalf("after the wait of %s another of %s", wait, again)
				}
			}
			// What went out before this one is covered by the time that has passed.
			if most := slack + perMinute/60*now.Sub(time.Unix(0, 0)).Seconds(); taken > most+1e-6 {
				t.Fatalf("%g taken where %g had come in", taken, most)
			}
			was := cost{inTokens: rapid.Float64Range(0, c[inTokens]).Draw(t, "was")}
			b.settle(c, was)
			taken += was[inTokens]
		}
	})
}

func TestReadAllowance(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	openai := func(limit, left, reset string) http.Header {
		h := http.Header{}
		h.Set("x-ratelimit-limit-requests", limit)
		h.Set("x-ratelimit-remaining-requests", left)
		h.Set("x-ratelimit-reset-requests", reset)
		return h
	}
	for _, c := range []struct {
		name string
		h    http.Header
		want Allowance
	}{
		{"nothing", http.Header{}, Allowance{}},
		{"openai", openai("60", "59", "1s"), Allowance{Requests: Remaining{60, 59, time.Second}}},
		{"minutes", openai("150000", "0", "6m0s"), Allowance{Requests: Remaining{150000, 0, 6 * time.Minute}}},
		{"seconds", openai("10", "1", "9.5"), Allowance{Requests: Remaining{10, 1, 9500 * time.Millisecond}}},
		{"a day", openai("1000", "0", "23h0m0s"), Allowance{}},
		{"more than there is", openai("10", "11", "1s"), Allowance{}},
		{"no number", openai("10", "many", "1s"), Allowance{}},
		{"NaN", openai("NaN", "NaN", "1s"), Allowance{}},
		{"a huge reset", openai("10", "1", "1e300"), Allowance{}},
		{"the past", openai("10", "1", "2026-03-01T11:00:00Z"), Allowance{}},
		{"anthropic", http.Header{"Anthropic-Ratelimit-Requests-Limit": {"50"}, "Anthropic-Ratelimit-Requests-Remaining": {"49"},
			"Anthropic-Ratelimit-Requests-Reset": {"2026-03-01T12:00:02Z"}, "Anthropic-Ratelimit-Tokens-Limit": {"40000"},
			"Anthropic-Ratelimit-Tokens-Remaining": {"0"}, "Anthropic-Ratelimit-Tokens-Reset": {"2026-03-01T12:01:00Z"}},
			Allowance{Requests: Remaining{50, 49, 2 * time.Second}, Tokens: Remaining{40000, 0, time.Minute}}},
	} {
		if got := ReadAllowance(c.h, now); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestAlikeKeepsBeginningsTogether(t *testing.T) {
	ask := func(system, user, begin string) percuss.Request {
		return percuss.Request{Begin: begin, Messages: []percuss.Message{{Role: percuss.System, Content: system}, {Role: percuss.User, Content: user}}}
	}
	requests := []percuss.Request{ask("s", "b", ""), ask("s", "a", "x"), ask("s", "b", "y"), ask("s", "a", ""), ask("s", "a", "x"), {}}
	if got, want := alike(requests), []int{5, 3, 1, 4, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
