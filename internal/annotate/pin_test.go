package annotate

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// pin is the hash that the book has of a rater's PIN.
func (s *served) pin(t *testing.T, id string) string {
	t.Helper()
	r, err := s.rater(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return string(r.PIN)
}

// A rater who chose a PIN is asked for it on a new device, and to change it.
func TestPINOfChoice(t *testing.T) {
	s := start(t, sample(2), Options{})
	ada := s.add(t, "Ada")
	b := s.in(t, ada.ID)
	b.get("/pin").want(t, "the page", 200, "A new PIN")
	for _, bad := range []string{"1", "123", strings.Repeat("x", 73)} {
		b.form("/pin", "pin", bad).want(t, "PIN "+bad, 422, "4 characters or more")
	}
	b.form("/pin", "pin", "2468").want(t, "a PIN", 303)
	if hash := s.pin(t, ada.ID); !strings.HasPrefix(hash, "$2a$") {
		t.Fatalf("the book keeps %q", hash)
	}
	b.form("/pin", "pin", "1357").want(t, "a change without the old one", 422)
	b.form("/pin", "pin", "1357", "old", "1111").want(t, "a change with a wrong one", 422)
	b.form("/pin", "pin", "", "old", "1111").want(t, "none with a wrong one", 422)
	b.form("/pin", "pin", "", "old", "2468").want(t, "none", 303)
	if s.pin(t, ada.ID) != "" {
		t.Error("the PIN is still there")
	}
	b.form("/pin", "pin", "2468").want(t, "a PIN again", 303)
	b.form("/pin", "pin", "97531", "old", "2468").want(t, "a change", 303)

	other, link := s.browser(), s.link(t, ada.ID)
	other.get("/in/"+link).want(t, "a new device", 200, "Your PIN", `type="password"`)
	other.form("/in", "secret", link).want(t, "no PIN", 422, "not the PIN")
	other.form("/in", "secret", link, "pin", "2468").want(t, "the old PIN", 422)
	other.form("/in", "secret", link, "pin", strings.Repeat("9", 80)).want(t, "a long PIN", 422)
	if len(other.cookies) > 0 {
		t.Fatalf("a wrong PIN gave a session: %v", other.cookies)
	}
	s.at.move(time.Hour)
	other.form("/in", "secret", link, "pin", "97531").want(t, "the PIN", 303)
}

// With PINs asked for, the first link sets one and no further link changes it.
func TestPINForAll(t *testing.T) {
	s := start(t, sample(2), Options{PIN: true})
	ada := s.add(t, "Ada")
	b, link := s.browser(), s.link(t, ada.ID)
	b.get("/in/"+link).want(t, "the link", 200, "Choose a PIN")
	b.form("/in", "secret", link, "pin", "12").want(t, "too short", 422, "4 characters or more")
	b.form("/in", "secret", link, "pin", "2468").want(t, "a PIN", 303)
	b.form("/pin", "pin", "", "old", "2468").want(t, "to be without one", 422)
	other, second := s.browser(), s.link(t, ada.ID)
	other.form("/in", "secret", second, "pin", "1357").want(t, "another PIN", 422)
	other.form("/in", "secret", second, "pin", "2468").want(t, "the PIN", 303)
	desk, first := s.browser(), s.link(t, "")
	if page := desk.get("/in/" + first); strings.Contains(page.body, "PIN") {
		t.Errorf("the coordinator is asked for a PIN: %s", page.body)
	}
	desk.form("/in", "secret", first).want(t, "the coordinator", 303)
}

// Who has somebody's link gets few tries at the PIN, also at one moment and from many addresses; then the link is gone.
func TestGuessedPIN(t *testing.T) {
	s := start(t, sample(2), Options{})
	ada := s.add(t, "Ada")
	s.in(t, ada.ID).form("/pin", "pin", "2468").want(t, "a PIN", 303)
	link := s.link(t, ada.ID)
	codes := make(chan int, 20)
	var all sync.WaitGroup
	for range cap(codes) {
		all.Go(func() { codes <- s.browser().form("/in", "secret", link, "pin", "0000").code })
	}
	all.Wait()
	close(codes)
	n := map[int]int{}
	for c := range codes {
		n[c]++
	}
	if n[422] != 5 || n[429] != 15 {
		t.Errorf("20 tries at one moment: %v", n)
	}
	s.browser().form("/in", "secret", link, "pin", "2468").want(t, "the right one just after", 429)
	for range 4 {
		s.at.move(5 * time.Minute)
		s.browser().form("/in", "secret", link, "pin", "0000").want(t, "a wrong one", 422)
	}
	s.at.move(5 * time.Minute)
	s.browser().form("/in", "secret", link, "pin", "0000").want(t, "the tenth wrong one", 410)
	s.at.move(time.Hour)
	s.browser().form("/in", "secret", link, "pin", "2468").want(t, "the right one afterwards", 410)
	s.browser().form("/in", "secret", s.link(t, ada.ID), "pin", "2468").want(t, "a new link", 303)
}
