package annotate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Fifty raters answer two hundred items each, over HTTP, at twenty answers a second of the server's clock, which runs as fast as
// the machine allows. Every fifth batch is sent twice, as after a lost receipt. Nothing is lost and nothing doubled.
func TestFiftyRaters(t *testing.T) {
	const raters, items = 50, 200
	s := start(t, sample(items), Options{})
	sessions := make([]string, raters)
	for i := range sessions {
		r := s.add(t, fmt.Sprint("Rater ", i))
		b := s.browser()
		b.from = fmt.Sprintf("192.0.2.%d:5000", i)
		b.form("/in", "secret", s.link(t, r.ID)).want(t, "a link", 303)
		sessions[i] = b.cookies[s.cookie(false)]
	}
	server := httptest.NewServer(s.h)
	defer server.Close()
	client := server.Client()
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = raters
	began, from := time.Now(), s.at.now()
	var all sync.WaitGroup
	for i := range raters {
		all.Go(func() {
			for n, item := range s.Package.Items {
				s.at.move(time.Second / 20)
				body := s.batch(fmt.Sprintf("e-%d", n), item.ID, `{"so":"yes"}`)
				for range 1 + (i+n)%5/4 {
					if code, kept := post(t, client, server.URL, s.cookie(false), sessions[i], body); code != 200 || len(kept) != 1 {
						t.Errorf("rater %d, item %d: %d %v", i, n, code, kept)
						return
					}
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d answers, %s of the server's clock, in %s", raters*items, s.at.now().Sub(from), time.Since(began).Round(time.Millisecond))
	each := map[string]map[string]int{}
	for _, e := range s.kept(t) {
		if each[e.Rater] == nil {
			each[e.Rater] = map[string]int{}
		}
		each[e.Rater][e.Item]++
	}
	if len(each) != raters {
		t.Errorf("answers of %d raters", len(each))
	}
	for rater, of := range each {
		if len(of) != items {
			t.Errorf("%s: %d items", rater, len(of))
		}
		for item, n := range of {
			if n != 1 {
				t.Errorf("%s, %s: %d entries", rater, item, n)
			}
		}
	}
}

// post sends a batch as a page of the server does, and returns what was kept of it.
func post(t *testing.T, client *http.Client, server, cookie, session, body string) (code int, kept []string) {
	r, err := http.NewRequest("POST", server+"/entries", bytes.NewReader([]byte(body)))
	if err != nil {
		t.Error(err)
		return 0, nil
	}
	r.Host = host
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", "http://"+host)
	r.AddCookie(&http.Cookie{Name: cookie, Value: session})
	got, err := client.Do(r)
	if err != nil {
		t.Error(err)
		return 0, nil
	}
	defer got.Body.Close()
	raw, err := io.ReadAll(got.Body)
	var told struct{ Kept []string }
	if err != nil || json.Unmarshal(raw, &told) != nil {
		t.Errorf("%v %s", err, raw)
	}
	return got.StatusCode, told.Kept
}
