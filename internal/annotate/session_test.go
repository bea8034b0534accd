package annotate

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// route is a method and a path of a pattern.
func route(pattern string) (method, path string) {
	method, path, _ = strings.Cut(strings.TrimSuffix(pattern, "{$}"), " ")
	return method, path
}

// call calls a route with a body that would do something.
func (b *browser) call(pattern, rater string) answered {
	method, path := route(pattern)
	if path == "/entries" {
		return b.json(path, b.s.batch("stranger", itemID(0), `{"so":"no"}`))
	}
	if method == http.MethodGet {
		return b.get(path)
	}
	return b.form(path, "name", "Eve", "rater", rater, "pin", "123456", "revoke", "on", "forget", "on")
}

// standing is everything of a book that a stranger could change.
func (s *served) standing(t *testing.T) string {
	t.Helper()
	shut, err := s.Book.IsShut(ctx)
	if err != nil {
		t.Fatal(err)
	}
	raters, err := s.Book.Raters(ctx)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(len(s.kept(t)), " answers ")
	for _, r := range raters {
		text += r.Name + string(r.PIN)
	}
	if shut {
		text += "shut"
	}
	return text
}

// Every route, with every session that is not its own, does nothing and shows nothing.
func TestRoutesNeedTheirSession(t *testing.T) {
	s := start(t, sample(2), Options{})
	ada := s.add(t, "Ada Secretname")
	rater, desk := s.in(t, ada.ID), s.in(t, "")
	rater.json("/entries", s.batch("own", itemID(1), `{"so":"yes"}`)).want(t, "own answer", 200)
	left := s.in(t, ada.ID)
	secrets := maps.Clone(left.cookies)
	left.form("/out")
	ofRater, ofDesk := s.cookie(false), s.cookie(true)
	with := map[string]map[string]string{
		"none":      {},
		"empty":     {ofRater: "", ofDesk: ""},
		"made up":   {ofRater: "x", ofDesk: "x"},
		"a link":    {ofRater: s.link(t, ada.ID), ofDesk: s.link(t, "")},
		"the other": {ofRater: desk.cookies[ofDesk], ofDesk: rater.cookies[ofRater]},
		"one ended": {ofRater: secrets[ofRater], ofDesk: secrets[ofRater]},
		"a rater's": {ofDesk: rater.cookies[ofRater]},
	}
	before := s.standing(t)
	patterns := slices.Concat(slices.Collect(maps.Keys(s.ofRaters())), slices.Collect(maps.Keys(s.ofCoordinator())))
	if len(patterns) != 15 {
		t.Fatalf("%d routes", len(patterns))
	}
	check := func(what, pattern string, b *browser) {
		got := b.call(pattern, ada.ID)
		got.want(t, what+": "+pattern, 401)
		for _, never := range []string{"Secretname", itemID(1), "Text of an item"} {
			if strings.Contains(got.body, never) {
				t.Errorf("%s: %s tells %q", what, pattern, never)
			}
		}
	}
	for what, cookies := range with {
		for _, pattern := range patterns {
			b := s.browser()
			b.cookies = maps.Clone(cookies)
			s.at.move(time.Minute) // so that nobody is kept waiting
			check(what, pattern, b)
		}
	}
	s.at.move(sessionLife)
	for _, pattern := range patterns {
		b := s.browser()
		b.cookies = map[string]string{ofRater: rater.cookies[ofRater], ofDesk: desk.cookies[ofDesk]}
		s.at.move(time.Minute)
		check("expired", pattern, b)
	}
	if now := s.standing(t); now != before {
		t.Errorf("strangers changed the book from %q to %q", before, now)
	}
}

// What one rater sends and sees is one rater's.
func TestRatersAreApart(t *testing.T) {
	s := start(t, sample(2), Options{})
	ada, bob := s.add(t, "Ada"), s.add(t, "Bob")
	a, b := s.in(t, ada.ID), s.in(t, bob.ID)
	a.json("/entries", s.batch("same", itemID(0), `{"so":"yes"}`)).want(t, "Ada", 200, `"kept":["same"]`)
	words := strings.Replace(s.batch("same", itemID(0), `{"so":"no","why":"odd"}`), `"labels"`, `"comment":"His words","labels"`, 1)
	b.json("/entries", words).want(t, "Bob", 200, `"kept":["same"]`)
	forged := strings.Replace(s.batch("forged", itemID(1), `{"so":"no"}`), `"id"`, `"rater":"`+ada.ID+`","id"`, 1)
	b.json("/entries", forged).want(t, "Bob as Ada", 200, `"kept":[]`, "another rater")
	a.get("/state").want(t, "Ada's", 200, `"so":"yes"`)
	b.get("/").want(t, "Bob's", 200, "His words")
	for _, page := range []string{"/state", "/"} {
		if got := a.get(page); strings.Contains(got.body, "His words") || strings.Contains(got.body, bob.ID) || strings.Contains(got.body, "Bob") {
			t.Errorf("Ada sees of Bob: %s", got.body)
		}
	}
	if all := s.kept(t); len(all) != 2 || all[0].Rater != ada.ID || all[1].Rater != bob.ID {
		t.Errorf("kept: %+v", all)
	}
}

// What another site makes a browser send changes nothing, nor what does not say where it comes from.
func TestForeignForms(t *testing.T) {
	s := start(t, sample(2), Options{})
	ada := s.add(t, "Ada")
	link := s.link(t, ada.ID)
	before := s.standing(t)
	for what, h := range map[string]http.Header{
		"another origin": {"Origin": {"https://evil.example"}, "Sec-Fetch-Site": nil},
		"another site":   {"Origin": nil, "Sec-Fetch-Site": {"cross-site"}},
		"a sister":       {"Origin": {"http://other." + host}, "Sec-Fetch-Site": {"same-site"}},
		"null":           {"Origin": {"null"}, "Sec-Fetch-Site": nil},
		"silent":         {"Origin": nil, "Sec-Fetch-Site": nil},
	} {
		b := s.browser()
		maps.Copy(b.cookies, s.in(t, ada.ID).cookies)
		maps.Copy(b.cookies, s.in(t, "").cookies)
		b.header = h
		for pattern := range s.ofRaters() {
			if method, _ := route(pattern); method == http.MethodPost {
				b.call(pattern, ada.ID).want(t, what+": "+pattern, 403)
			}
		}
		for pattern := range s.ofCoordinator() {
			if method, _ := route(pattern); method == http.MethodPost {
				b.call(pattern, ada.ID).want(t, what+": "+pattern, 403)
			}
		}
		b.form("/in", "secret", link).want(t, what+": /in", 403)
	}
	if now := s.standing(t); now != before {
		t.Errorf("other sites changed the book from %q to %q", before, now)
	}
	s.browser().form("/in", "secret", link).want(t, "the link afterwards", 303)
}

// A link opens once; a session is always new, and the one before it ends.
func TestSessionIsNew(t *testing.T) {
	s := start(t, sample(2), Options{})
	ada := s.add(t, "Ada")
	b, name := s.browser(), s.cookie(false)
	planted := strings.Repeat("p", 43)
	b.cookies[name] = planted
	b.form("/in", "secret", s.link(t, ada.ID)).want(t, "a link", 303)
	first := b.cookies[name]
	if len(first) != 43 || first == planted {
		t.Fatalf("session %q", first)
	}
	link := s.link(t, ada.ID)
	for range 3 {
		b.get("/in/"+link).want(t, "looking at a link", 200)
		b.do("HEAD", "/in/"+link, "", "").want(t, "asking for its head", 200)
	}
	got := b.form("/in", "secret", link)
	c, err := http.ParseSetCookie(got.header.Get("Set-Cookie"))
	if err != nil || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Secure || c.Value == first || c.Value == link {
		t.Errorf("cookie %+v, %v", c, err)
	}
	old := s.browser()
	old.cookies[name] = first
	old.get("/state").want(t, "the session before", 401)
	b.form("/in", "secret", link).want(t, "the link again", 410, "cannot be used any more")
	b.get("/in/"+link).want(t, "its page", 410)
	b.get("/state").want(t, "the session", 200)
	late := s.link(t, ada.ID)
	s.at.move(LinkLife)
	b.form("/in", "secret", late).want(t, "an expired link", 410)

	for base, secure := range map[string]bool{"https://" + host: true, "https://other.example": false, "http://" + host: false} {
		s.Options.Base = base
		got = s.browser().form("/in", "secret", s.link(t, ada.ID))
		if c, err := http.ParseSetCookie(got.header.Get("Set-Cookie")); err != nil || c.Secure != secure {
			t.Errorf("%s: cookie %+v, %v", base, c, err)
		}
	}
	s.Options.Base = ""
	tls := s.browser()
	tls.header = http.Header{"X-Forwarded-Proto": {"https"}}
	got = tls.form("/in", "secret", s.link(t, ""))
	if c, err := http.ParseSetCookie(got.header.Get("Set-Cookie")); err != nil || !c.Secure || c.Path != "/desk" || c.Name == name {
		t.Errorf("cookie %+v, %v", c, err)
	}
}

// Of many who open one link at the same time one gets in.
func TestLinkOpensOnce(t *testing.T) {
	s := start(t, sample(2), Options{})
	link := s.link(t, s.add(t, "Ada").ID)
	codes := make(chan int, 10)
	var all sync.WaitGroup
	for range cap(codes) {
		all.Go(func() { codes <- s.browser().form("/in", "secret", link).code })
	}
	all.Wait()
	close(codes)
	n := map[int]int{}
	for c := range codes {
		n[c]++
	}
	if n[303] != 1 || n[410] != 9 {
		t.Errorf("answers %v", n)
	}
}
