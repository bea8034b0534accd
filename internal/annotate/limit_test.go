package annotate

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

func TestLimiter(t *testing.T) {
	l, at := newLimiter(3, time.Minute), time.Unix(1000, 0)
	for range 3 {
		if w := l.take("a", at); w != 0 {
			t.Fatalf("wait %s", w)
		}
	}
	if w := l.take("a", at); w != time.Minute {
		t.Errorf("the fourth try waits %s", w)
	}
	if w := l.take("b", at); w != 0 {
		t.Errorf("another sender waits %s", w)
	}
	l.giveBack("a", at)
	if w := l.take("a", at); w != 0 {
		t.Errorf("a try that was given back waits %s", w)
	}
	at = at.Add(90 * time.Second)
	if first, second := l.take("a", at), l.take("a", at); first != 0 || second != 30*time.Second {
		t.Errorf("after 90 s the tries wait %s, %s", first, second)
	}
	if w := l.take("a", at.Add(-time.Hour)); w < time.Second {
		t.Errorf("a clock that was set back gives a try after %s", w)
	}
}

// However many senders there are, few are remembered; those who find no place share one allowance.
func TestLimiterIsBounded(t *testing.T) {
	l, at := newLimiter(2, time.Minute), time.Unix(1000, 0)
	for i := range mostKept {
		l.take(fmt.Sprint(i), at)
	}
	waits := 0
	for i := range 100 {
		if l.take(fmt.Sprint("late ", i), at) > 0 {
			waits++
		}
	}
	if waits != 98 || len(l.tries) > mostKept+1 {
		t.Errorf("%d of 100 late senders wait, %d are kept", waits, len(l.tries))
	}
	if l.take("after", at.Add(time.Hour)); len(l.tries) > 1 {
		t.Errorf("%d senders are kept who have their whole allowance", len(l.tries))
	}
}

// Who guesses links is kept waiting, alone and all together; who has a session is not.
func TestGuessedLinks(t *testing.T) {
	s := start(t, sample(2), Options{})
	ada := s.add(t, "Ada")
	rater, link := s.in(t, ada.ID), s.link(t, ada.ID)
	b := s.browser()
	tries := []func(n int) answered{
		func(n int) answered { return b.get(fmt.Sprint("/in/guess", n)) },
		func(n int) answered { return b.form("/in", "secret", fmt.Sprint("guess", n)) },
		func(n int) answered {
			b.cookies = map[string]string{s.cookie(false): fmt.Sprint("guess", n)}
			return b.json("/entries", "{}")
		},
	}
	for i, try := range tries {
		s.at.move(time.Hour)
		for n := range 20 {
			if got := try(n); got.code != 410 && got.code != 401 {
				t.Fatalf("guess %d of kind %d: %d", n, i, got.code)
			}
		}
		if got := try(20); got.code != 429 || got.header.Get("Retry-After") != "16" {
			t.Errorf("guess 21 of kind %d: %d, Retry-After %q", i, got.code, got.header.Get("Retry-After"))
		}
	}
	b.form("/in", "secret", link).want(t, "the right link after 20 wrong ones", 429, "Too many tries")
	rater.get("/state").want(t, "a session behind the same address", 200)
	elsewhere := s.browser()
	elsewhere.from = "192.0.2.2:5000"
	elsewhere.get("/in/"+link).want(t, "another address", 200)
	for n := range 1100 {
		many := s.browser()
		many.from = fmt.Sprintf("[2001:db8:%x::1]:1", n)
		many.get("/in/guess")
	}
	elsewhere.get("/in/"+link).want(t, "while a thousand addresses guess", 429)
	rater.get("/state").want(t, "a session meanwhile", 200)
	s.at.move(time.Minute)
	elsewhere.form("/in", "secret", link).want(t, "a minute later", 303)
}

// A rater's page that has gone mad does not keep the others waiting.
func TestBusyRater(t *testing.T) {
	s := start(t, sample(2), Options{})
	a, b := s.in(t, s.add(t, "Ada").ID), s.in(t, s.add(t, "Bob").ID)
	code := 0
	for n := 0; n < 301; n++ {
		code = a.get("/state").code
	}
	if code != 429 {
		t.Errorf("request 301 at one moment: %d", code)
	}
	b.get("/state").want(t, "another rater", 200)
	s.at.move(time.Second)
	a.get("/state").want(t, "a second later", 200)
}

// For whom a proxy asks is believed of one on this machine alone.
func TestSender(t *testing.T) {
	for _, c := range []struct{ from, told, want string }{
		{"192.0.2.1:5", "", "192.0.2.1"},
		{"192.0.2.1:5", "198.51.100.1", "192.0.2.1"},
		{"127.0.0.1:5", "198.51.100.1", "198.51.100.1"},
		{"127.0.0.1:5", "10.0.0.1, 198.51.100.1", "198.51.100.1"},
		{"127.0.0.1:5", "nonsense", "127.0.0.1"},
		{"[::1]:5", "2001:db8::1", "2001:db8::/64"},
		{"[::ffff:192.0.2.1]:5", "", "192.0.2.1"},
		{"[2001:db8::2]:5", "", "2001:db8::/64"},
		{"[fe80::1%eth0]:5", "", "fe80::/64"},
		{"", "", ""},
	} {
		r := &http.Request{RemoteAddr: c.from, Header: http.Header{}}
		if c.told != "" {
			r.Header.Set("X-Forwarded-For", c.told)
		}
		if got := sender(r); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
