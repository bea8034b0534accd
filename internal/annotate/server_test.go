package annotate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/review/ratings/sqlite"
)

var ctx = context.Background()

// clock stands still until it is moved.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// served is an app on a book on the disk, with what it logs.
type served struct {
	*App
	h    http.Handler
	at   *clock
	log  *bytes.Buffer
	path string // of the book
}

const host = "review.example"

// sample is a package of n items, with a question that depends on another, and a practice item.
func sample(n int) blind.Package {
	p := blind.Package{Task: blind.Own, Title: "Is it so? <b>&", Instructions: []string{"Judge."}, Questions: []blind.Question{
		{ID: "so", Text: "Is it so?", Labels: []blind.Label{{ID: "yes", Name: "Yes"}, {ID: "no", Name: "No"}}},
		{ID: "why", Text: "Why not?", When: &blind.When{Question: "so", Label: "no"}, Labels: []blind.Label{{ID: "odd", Name: "Odd"}, {ID: "false", Name: "False"}}},
	}, Practice: []blind.Item{{ID: "try", Parts: []blind.Part{{Show: blind.ShowText, Text: "Try."}}, Expected: map[string]string{"so": "yes"}}}}
	for i := range n {
		p.Items = append(p.Items, blind.Item{ID: itemID(i), Parts: []blind.Part{{Show: blind.ShowText, Text: "Text of an item."}}})
	}
	return p.Sealed([]byte("key"))
}

func itemID(n int) string { return "i" + hashOf(fmt.Sprint(n))[:12] }

// start serves a sample.
func start(t testing.TB, p blind.Package, o Options) *served {
	t.Helper()
	return startIn(t, t.TempDir(), p, o)
}

// startIn serves a sample with its book in a folder.
func startIn(t testing.TB, dir string, p blind.Package, o Options) *served {
	t.Helper()
	s := &served{at: &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}, log: &bytes.Buffer{}, path: filepath.Join(dir, "answers.db")}
	book, err := sqlite.Open(ctx, s.path, p.ID, s.at.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	o.Now, o.Hosts, o.Log = s.at.now, []string{host}, slog.New(slog.NewTextHandler(s.log, nil))
	s.again(t, p, book, o)
	return s
}

// again serves the same book by a new app, as after a restart.
func (s *served) again(t testing.TB, p blind.Package, book ratings.Book, o Options) {
	t.Helper()
	app, err := New(p, book, o)
	if err != nil {
		t.Fatal(err)
	}
	app.cost = bcrypt.MinCost
	s.App, s.h = app, app.Handler()
}

// add adds a rater.
func (s *served) add(t testing.TB, name string) ratings.Rater {
	t.Helper()
	r, err := s.AddRater(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// browser keeps cookies, and says of what it sends that it comes from the page that it shows.
type browser struct {
	s       *served
	from    string // its address
	cookies map[string]string
	header  http.Header // in place of its own
	host    *string     // in place of the server's own
}

func (s *served) browser() *browser {
	return &browser{s: s, from: "192.0.2.1:5000", cookies: map[string]string{}}
}

// answered is an answer that was read.
type answered struct {
	code   int
	header http.Header
	body   string
}

func (b *browser) do(method, path, kind, body string) answered {
	r := httptest.NewRequest(method, "http://"+host+path, strings.NewReader(body))
	if r.RemoteAddr = b.from; b.host != nil {
		r.Host = *b.host
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Origin", "http://"+host)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for k, v := range b.header {
		r.Header[k] = v
		if v == nil {
			r.Header.Del(k)
		}
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.s.h.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if b.cookies[c.Name] = c.Value; c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
	raw, _ := io.ReadAll(w.Result().Body)
	return answered{w.Code, w.Header(), string(raw)}
}

func (b *browser) get(path string) answered { return b.do("GET", path, "", "") }

func (b *browser) form(path string, fields ...string) answered {
	v := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		v.Set(fields[i], fields[i+1])
	}
	return b.do("POST", path, "application/x-www-form-urlencoded", v.Encode())
}

func (b *browser) json(path, body string) answered {
	return b.do("POST", path, "application/json", body)
}

// link makes a link and returns its secret.
func (s *served) link(t testing.TB, rater string) string {
	t.Helper()
	path, err := s.Link(ctx, rater, LinkLife)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(path, "/in/")
}

// in is a browser in which a rater, or the coordinator, has opened a link.
func (s *served) in(t testing.TB, rater string) *browser {
	t.Helper()
	b := s.browser()
	if got := b.form("/in", "secret", s.link(t, rater)); got.code != http.StatusSeeOther {
		t.Fatalf("the link was answered %d %s", got.code, got.body)
	}
	return b
}

// want fails where an answer has another status or lacks a text.
func (got answered) want(t testing.TB, what string, code int, texts ...string) {
	t.Helper()
	if got.code != code {
		t.Errorf("%s: answered %d %.300s, want %d", what, got.code, got.body, code)
	}
	for _, text := range texts {
		if !strings.Contains(got.body, text) {
			t.Errorf("%s: the answer lacks %q: %.3000s", what, text, got.body)
		}
	}
}

// batch is a body with one entry.
func (s *served) batch(id, item, labels string) string {
	now := s.at.now().Format(time.RFC3339Nano)
	return `{"package":"` + s.Package.ID + `","now":"` + now + `","entries":[{"id":"` + id + `","item":"` + item + `","labels":` + labels + `,"seconds":2,"at":"` + now + `"}]}`
}

// kept are all entries of the book.
func (s *served) kept(t testing.TB) []ratings.Entry {
	t.Helper()
	var out []ratings.Entry
	for e, err := range s.Book.Entries(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// A rater opens a link, answers, goes on elsewhere and after a restart, and leaves.
func TestRaterFromLinkToEnd(t *testing.T) {
	s := start(t, sample(3), Options{Practice: true})
	ada := s.add(t, "Ada")
	b, link := s.browser(), s.link(t, ada.ID)
	b.get("/in/"+link).want(t, "the link", 200, "Welcome", "Ada", "Begin")
	if got := b.form("/in", "secret", link); got.code != http.StatusSeeOther || got.header.Get("Location") != "/" {
		t.Fatalf("%+v", got)
	}
	b.get("/").want(t, "the page", 200, "Ada")
	b.json("/entries", s.batch("e1", itemID(0), `{"so":"yes"}`)).want(t, "an answer", 200, `"kept":["e1"]`, `"shut":false`)
	s.again(t, s.Package, s.Book, s.Options)
	b.get("/state").want(t, "the state after a restart", 200, `"e1"`, `"so":"yes"`, `"shut":false`)
	got := b.json("/device", "")
	got.want(t, "another device", 200, `"link":"/in/`, `"expires":"2026-03-01T13:00:00Z"`)
	other := s.browser()
	other.form("/in", "secret", strings.Split(strings.SplitAfter(got.body, "/in/")[1], `"`)[0]).want(t, "its link", 303)
	other.get("/state").want(t, "the state there", 200, `"e1"`)
	out := b.form("/out")
	out.want(t, "leaving", 200, "You are signed out")
	b.get("/state").want(t, "afterwards", 401, `"error":`)
	other.get("/state").want(t, "the other device afterwards", 200, `"e1"`)
	if len(s.kept(t)) != 1 || s.kept(t)[0].Rater != ada.ID || s.kept(t)[0].By != "app" {
		t.Errorf("kept: %+v", s.kept(t))
	}
}
