package annotate

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss/review/ratings"
)

// forbidden are the names of what no answer may tell. They stand in the folder, beside the package, in what others imported
// and in errors, which is all that the app could know them from.
var forbidden = []string{"zephyrmodel", "medqaset", "tiermedical", "bucketsuspicious", "operatorm5", "rulevalid", "labelshortcut", "runseven"}

// ofHostileNames serves a sample from a folder in which every name would unblind, with the key beside the package.
func ofHostileNames(t *testing.T) *served {
	t.Helper()
	p := sample(3)
	dir := filepath.Join(append([]string{t.TempDir()}, forbidden...)...)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "key.jsonl"), []byte(strings.Join(forbidden, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return startIn(t, dir, p, Options{Practice: true})
}

// everything asks every route in every way, and yields what was answered with what was asked.
func (s *served) everything(t *testing.T, rater string, yield func(asked string, got answered)) {
	t.Helper()
	paths := []string{"/in/none", "/nowhere", "/../key.jsonl", "/key.jsonl", "/package.json", "/answers.db", "/assets/", "/assets/none", "/desk/key", "//", "/%2e%2e/key.jsonl", "/state?item=" + itemID(0)}
	for name := range PageAssets() {
		paths = append(paths, "/assets/"+name)
	}
	routes := append(slices.Sorted(maps.Keys(s.ofRaters())), slices.Sorted(maps.Keys(s.ofCoordinator()))...)
	for who, open := range map[string]func() *browser{
		"stranger": s.browser, "rater": func() *browser {
			_ = s.Book.SetPIN(ctx, rater, nil) // one of the routes has set it
			return s.in(t, rater)
		}, "coordinator": func() *browser { return s.in(t, "") }} {
		for _, pattern := range routes {
			b := open()
			yield(who+" "+pattern, b.call(pattern, rater))
			method, path := route(pattern)
			yield(who+" "+pattern+" of nonsense", b.do(method, path, "application/json", "{"))
			yield(who+" "+"PUT "+path, b.do("PUT", path, "", ""))
			b.header = map[string][]string{"Origin": {"http://evil.example"}}
			yield(who+" "+pattern+" from elsewhere", b.do(method, path, "application/json", "{}"))
		}
		b := open()
		for _, path := range paths {
			yield(who+" "+"GET "+path, b.get(path))
		}
		yield(who+" "+"a link", b.get("/in/"+s.link(t, rater)))
		s.at.move(1e12)
	}
}

// No answer of any route tells what an item is: not in the page, its address, a header, a file's name, an error or a download.
func TestNothingUnblinds(t *testing.T) {
	s := ofHostileNames(t)
	ada := s.add(t, "Ada")
	imported := ratings.Entry{ID: "imported", Rater: ada.ID, Item: itemID(2), Labels: map[string]string{"so": "yes"}, At: s.at.now(), By: strings.Join(forbidden, " ") + ".csv"}
	if _, err := s.Book.Add(ctx, []ratings.Entry{imported}); err != nil {
		t.Fatal(err)
	}
	tells := regexp.MustCompile("(?i)" + strings.Join(forbidden, "|"))
	plain := regexp.MustCompile(`(?i)\b(model|models|tier|bucket|stratum|operator|perturbation|ground truth)\b`)
	seen := 0
	check := func(asked string, got answered) {
		seen++
		text := fmt.Sprint(got.header, got.body)
		if strings.HasPrefix(asked, "coordinator GET /desk/export") || strings.HasPrefix(asked, "coordinator GET /desk/backup") {
			text = fmt.Sprint(got.header) // these hold the name of the imported file, which the coordinator gave
		}
		if found := tells.FindString(text); found != "" {
			t.Errorf("%s tells %q: %.400s", asked, found, text)
		}
		if found := plain.FindString(text); found != "" && !strings.Contains(asked, "/assets/") {
			t.Errorf("%s speaks of a %q: %.2000s", asked, found, text)
		}
		for _, h := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"} {
			if got.header.Get(h) == "" {
				t.Errorf("%s: no %s", asked, h)
			}
		}
		if policy := got.header.Get("Content-Security-Policy"); strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%s: policy %s", asked, policy)
		}
		for _, h := range []string{"Server", "X-Powered-By", "Last-Modified", "ETag"} {
			if got.header.Get(h) != "" {
				t.Errorf("%s: %s is %q", asked, h, got.header.Get(h))
			}
		}
	}
	s.everything(t, ada.ID, check)
	if err := s.Book.SetPIN(ctx, ada.ID, nil); err != nil {
		t.Fatal(err)
	}
	b, desk := s.in(t, ada.ID), s.in(t, "")
	s.again(t, s.Package, full{s.Book}, s.Options)
	for _, pattern := range slices.Sorted(maps.Keys(s.ofRaters())) {
		check("broken "+pattern, b.call(pattern, ada.ID))
	}
	for _, pattern := range slices.Sorted(maps.Keys(s.ofCoordinator())) {
		if !strings.HasPrefix(pattern, "GET /desk/") {
			check("broken "+pattern, desk.call(pattern, ada.ID))
		}
	}
	if seen < 200 {
		t.Errorf("%d answers were read", seen)
	}
}

// The log tells routes and outcomes: no secret, name, PIN or answer.
func TestLogHoldsNoSecrets(t *testing.T) {
	s := start(t, sample(3), Options{})
	ada := s.add(t, "Ada Lovelace")
	b := s.in(t, ada.ID)
	link := s.link(t, ada.ID)
	b.get("/in/" + link)
	b.get("/nowhere?secret=" + link)
	b.form("/in", "secret", link)
	b.form("/pin", "pin", "246813579")
	words := strings.Replace(s.batch("e1", itemID(0), `{"so":"yes"}`), `"labels"`, `"comment":"Her words","labels"`, 1)
	b.json("/entries", words).want(t, "an answer", 200)
	b.json("/device", "")
	desk := s.in(t, "")
	desk.form("/desk/raters", "name", "Bob Secretname")
	desk.get("/desk")
	log := s.log.String()
	for _, never := range []string{link, b.cookies[s.cookie(false)], desk.cookies[s.cookie(true)], "Lovelace", "Secretname", "246813579", "Her words", itemID(0), "192.0.2.1"} {
		if strings.Contains(log, never) {
			t.Errorf("the log holds %q:\n%s", never, log)
		}
	}
	for _, want := range []string{`route="GET /in/{secret}" status=200`, `route="POST /in" status=303`, `route="POST /entries" status=200`, `route=/ status=404`} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %s:\n%s", want, log)
		}
	}
}

// A fault of ours is told in words, by a page or to a script, and the server goes on.
func TestFaultOfOurs(t *testing.T) {
	s := start(t, sample(1), Options{})
	b := s.in(t, s.add(t, "Ada").ID)
	s.again(t, s.Package, faulty{s.Book}, s.Options)
	b.get("/state").want(t, "a script", 500, `{"error":"Something went wrong`)
	b.get("/").want(t, "a page", 500, "<h1>Something went wrong")
	b.get("/pin").want(t, "afterwards", 200)
	if log := s.log.String(); !strings.Contains(log, "a fault in our code") {
		t.Error(log)
	}
}

// faulty is a book with a fault in its code.
type faulty struct{ ratings.Book }

func (faulty) Latest(context.Context, string) (map[string]ratings.Entry, error) {
	panic("a fault in our code")
}

// Only by its names is the server called.
func TestNamesOfHost(t *testing.T) {
	s := start(t, sample(1), Options{})
	b := s.in(t, s.add(t, "Ada").ID)
	for name, code := range map[string]int{host: 200, strings.ToUpper(host): 200, host + ":8443": 200, "evil.example": 421, host + ".evil.example": 421, "127.0.0.1": 421, "": 421} {
		b.host = &name
		if got := b.get("/state"); got.code != code {
			t.Errorf("called %q: %d", name, got.code)
		}
	}
}
