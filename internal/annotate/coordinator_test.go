package annotate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/review/ratings/sqlite"
)

// The coordinator adds raters, sees how far they are and not what they say, makes new links, and takes copies.
func TestDesk(t *testing.T) {
	s := start(t, sample(3), Options{})
	desk := s.in(t, "")
	desk.get("/desk").want(t, "the empty desk", 200, "There are no raters yet", "<strong>Open.</strong>")
	got := desk.form("/desk/raters", "name", " Ada ")
	got.want(t, "adding a rater", 200, "The link of <bdi>Ada</bdi>", "http://"+host+"/in/")
	path := regexp.MustCompile(`/in/[\w-]{43}`).FindString(got.body)
	if page := desk.get("/desk"); strings.Contains(page.body, "/in/") {
		t.Error("the link is shown again")
	}
	ada := s.browser()
	ada.form("/in", "secret", strings.TrimPrefix(path, "/in/")).want(t, "the link", 303)
	s.at.move(time.Hour)
	ada.json("/entries", s.batch("e1", itemID(0), `{"so":"yes"}`)).want(t, "an answer", 200)
	ada.json("/entries", s.batch("e2", itemID(1), `{"so":"no"}`)).want(t, "half an answer", 200)
	flagged := strings.Replace(s.batch("e3", itemID(0), `{"so":"no","why":"odd"}`), `"labels"`, `"flagged":true,"flag":"Her flag","comment":"Her words","labels"`, 1)
	ada.json("/entries", flagged).want(t, "a flag", 200)
	page := desk.get("/desk")
	page.want(t, "the desk", 200, "<td class=\"n\">1 of 3</td><td class=\"n\">1</td><td class=\"n\">1</td><td class=\"when\">1 Mar 2026 13:00 UTC</td>")
	for _, never := range []string{"Odd", "odd", "Her flag", "Her words", itemID(0), `"yes"`} {
		if strings.Contains(page.body, never) {
			t.Errorf("the desk tells %q", never)
		}
	}
	export := desk.get("/desk/export")
	lines := strings.Split(strings.TrimSpace(export.body), "\n")
	var e ratings.Entry
	if err := json.Unmarshal([]byte(lines[2]), &e); len(lines) != 3 || err != nil || e.ID != "e3" || e.Flag != "Her flag" || strings.Contains(export.body, "Ada") {
		t.Errorf("%v %s", err, export.body)
	}
	if h := export.header.Get("Content-Disposition"); h != `attachment; filename="answers.jsonl"` {
		t.Error(h)
	}
	s.restored(t, desk.get("/desk/backup"), 3)
}

// restored opens a copy of the book.
func (s *served) restored(t *testing.T, got answered, n int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(path, []byte(got.body), 0o600); err != nil {
		t.Fatal(err)
	}
	copied, err := sqlite.Open(ctx, path, s.Package.ID, s.at.now)
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	count := 0
	for _, err := range copied.Entries(ctx) {
		if count++; err != nil {
			t.Fatal(err)
		}
	}
	if count != n {
		t.Errorf("the copy has %d entries, want %d", count, n)
	}
}

// A new link leaves sessions alone, or ends them, and may let a PIN be forgotten.
func TestNewLink(t *testing.T) {
	s := start(t, sample(2), Options{})
	desk, ada := s.in(t, ""), s.add(t, "Ada")
	b, lost := s.in(t, ada.ID), s.link(t, ada.ID)
	b.form("/pin", "pin", "2468").want(t, "a PIN", 303)
	desk.get("/desk").want(t, "the desk", 200, "<td>chosen</td>")
	desk.form("/desk/link", "rater", ada.ID).want(t, "a link", 200, "The link of <bdi>Ada</bdi>")
	b.get("/state").want(t, "the session", 200)
	desk.form("/desk/link", "rater", ada.ID, "revoke", "on", "forget", "on").want(t, "a link instead", 200, "/in/", "<td>none</td>")
	b.get("/state").want(t, "the session", 401)
	s.browser().form("/in", "secret", lost).want(t, "the lost link", 410)
	s.browser().form("/in", "secret", s.link(t, ada.ID)).want(t, "a link without a PIN", 303)
	desk.form("/desk/link", "rater", "", "revoke", "on").want(t, "nobody's link", 422, "no such rater")
	desk.get("/desk").want(t, "the coordinator", 200)
	desk.form("/desk/link", "rater", "r-none").want(t, "a stranger's link", 422, "no such rater")
	s.Options.Base = "https://" + host
	desk.form("/desk/link", "rater", ada.ID).want(t, "behind a proxy", 200, "<code>https://"+host+"/in/")
	desk.form("/desk/out").want(t, "leaving", 200, "signed out")
	desk.get("/desk").want(t, "afterwards", 401)
}

// Names are shown as they are, whatever is in them, and those that could be mistaken are refused.
func TestNamesOfRaters(t *testing.T) {
	s := start(t, sample(2), Options{})
	desk := s.in(t, "")
	for _, name := range []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `{{.Secret}}`, `'; DROP TABLE raters; --`, "Ärztin 医師"} {
		got := desk.form("/desk/raters", "name", name)
		got.want(t, name, 200)
		who, err := s.Book.Raters(ctx)
		if err != nil || who[len(who)-1].Name != name {
			t.Fatalf("%v: %v", err, who)
		}
		b := s.browser()
		pages := []answered{got, b.get("/in/" + s.link(t, who[len(who)-1].ID)), s.in(t, who[len(who)-1].ID).get("/")}
		for _, page := range pages {
			if strings.Contains(page.body, "alert(1)</script") || strings.Contains(page.body, "<img") || page.code != 200 {
				t.Errorf("%s: %d %s", name, page.code, page.body)
			}
		}
	}
	for what, name := range map[string]string{"none": " ", "taken": "Ärztin 医師", "turned": "Ada\u202e", "hidden": "A\u200bda", "two lines": "A\nB", "no text": "A\xff", "long": strings.Repeat("x", 201)} {
		got := desk.form("/desk/raters", "name", name)
		got.want(t, what, 422, `role="alert"`)
		if strings.Contains(got.body, s.path) {
			t.Errorf("%s: the page names the file", what)
		}
	}
	if who, _ := s.Book.Raters(ctx); len(who) != 5 {
		t.Errorf("%d raters", len(who))
	}
}
