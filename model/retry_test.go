package model

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "", 0},
		{"Retry-After", "7", 7 * time.Second},
		{"Retry-After", " 1.5 ", 1500 * time.Millisecond},
		{"Retry-After", "0", 0},
		{"Retry-After", "-3", 0},
		{"Retry-After", "soon", 0},
		{"Retry-After", "NaN", 0},
		{"Retry-After", "1e300", maxWait},
		{"Retry-After", "Sun, 01 Mar 2026 12:01:30 GMT", 90 * time.Second},
		{"Retry-After", "Sunday, 01-Mar-26 12:01:30 GMT", 90 * time.Second},
		{"Retry-After", "Sun, 01 Mar 2026 11:00:00 GMT", 0},
		{"Retry-After-Ms", "250", 250 * time.Millisecond},
	} {
		if got := RetryAfter(http.Header{c.name: {c.value}}, now); got != c.want {
			t.Errorf("%s: %q is %s, want %s", c.name, c.value, got, c.want)
		}
	}
}

func TestPatienceSurvivesAMinute(t *testing.T) {
	for _, kind := range []string{RateLimit, Overload, Server, Dropped, "something new"} {
		for _, rand := range []float64{0, 0.999} {
			p, total := patience{budget: 5 * time.Minute}, time.Duration(0)
			for {
				d, err := p.next(&Fault{Kind: kind, Err: errors.New("x")}, rand)
				if err != nil {
					break
				}
				total += d
			}
			if total < time.Minute || total > 5*time.Minute {
				t.Errorf("%s with jitter %g waits %s in all, want one to five minutes", kind, rand, total)
			}
		}
	}
}

func TestPatienceOfAServerThatNamesAnHour(t *testing.T) {
	p := patience{budget: 5 * time.Minute}
	_, err := p.next(&Fault{Kind: RateLimit, RetryAfter: time.Hour, Err: errors.New("slow down")}, 0)
	if err == nil {
		t.Fatal("an hour is waited for")
	}
	for _, want := range []string{"1h0m0s", "5m0s", "resume", "slow down"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}

func TestPatienceProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := patience{budget: time.Duration(rapid.IntRange(1, 600).Draw(t, "budget")) * time.Second}
		kinds := []string{RateLimit, Overload, Server, Dropped, Stalled, Malformed, "error"}
		total := time.Duration(0)
		for n := 0; ; n++ {
			if n > 300 {
				t.Fatal("a request is repeated without end")
			}
			asked := time.Duration(rapid.IntRange(0, 20).Draw(t, "asked")) * time.Second
			f := &Fault{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), RetryAfter: asked, Err: errors.New("x")}
			d, err := p.next(f, rapid.Float64Range(0, 0.999).Draw(t, "rand"))
			if err != nil {
				if !errors.Is(err, f.Err) {
					t.Fatalf("%v hides the last fault", err)
				}
				return
			}
			if d < asked {
				t.Fatalf("waits %s where the server asked for %s", d, asked)
			}
			if total += d; total > p.budget {
				t.Fatalf("waited %s of %s", total, p.budget)
			}
		}
	})
}
