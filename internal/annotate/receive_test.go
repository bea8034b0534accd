package annotate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/review/ratings"
)

// What cannot be read is refused as a whole, what cannot be kept by itself, and both in words.
func TestEntriesThatAreRefused(t *testing.T) {
	s := start(t, sample(3), Options{})
	b := s.in(t, s.add(t, "Ada").ID)
	good := s.batch("e1", itemID(0), `{"so":"yes"}`)
	swap := func(old, with string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%s holds no %s", good, old)
		}
		return strings.Replace(good, old, with, 1)
	}
	many := strings.TrimSuffix(good, "]}") + strings.Repeat(","+good[strings.Index(good, "[")+1:len(good)-2], MostEntries) + "]}"
	for what, c := range map[string]struct {
		body string
		code int
		say  string
	}{
		"nothing":             {"", 400, "could not be read"},
		"no JSON":             {"{", 400, "could not be read"},
		"a list":              {"[]", 400, "could not be read"},
		"null":                {"null", 400, "could not be read"},
		"two":                 {good + good, 400, "could not be read"},
		"an unknown field":    {swap(`"now"`, `"tier":"x","now"`), 400, "could not be read"},
		"one of an entry":     {swap(`"seconds"`, `"model":"x","seconds"`), 400, "could not be read"},
		"no time":             {swap(`"now"`, `"Then"`), 400, "could not be read"},
		"another review":      {swap(s.Package.ID, "0123456789abcdef"), 400, "another review"},
		"too many":            {many, 413, "at most 200"},
		"too much":            {swap(`"labels"`, `"comment":"`+strings.Repeat("x", 1<<20)+`","labels"`), 413, "too much"},
		"deep":                {strings.Repeat(`{"entries":[`, 50_000), 400, "could not be read"},
		"a strange item":      {swap(itemID(0), "i000000000000"), 200, "not one that is judged here"},
		"a practice item":     {swap(itemID(0), "try"), 200, "not one that is judged here"},
		"a strange label":     {swap(`"yes"`, `"perhaps"`), 200, "is no label of so"},
		"a strange question":  {swap(`"so":`, `"gold":`), 200, `does not ask \"gold\"`},
		"one that is not due": {swap(`"so":"yes"`, `"so":"yes","why":"odd"`), 200, `does not ask \"why\"`},
		"a strange id":        {swap(`"e1"`, `"../e1"`), 200, "letters, digits"},
		"no id":               {swap(`"e1"`, `""`), 200, "letters, digits"},
		"a long comment":      {swap(`"labels"`, `"comment":"`+strings.Repeat("x", ratings.MostComment+1)+`","labels"`), 200, "at most 10000"},
		"less than no time":   {swap(`"seconds":2`, `"seconds":-2`), 200, "-2 seconds"},
	} {
		got := b.json("/entries", c.body)
		got.want(t, what, c.code, c.say)
		if kind := got.header.Get("Content-Type"); kind != "application/json" || !json.Valid([]byte(got.body)) {
			t.Errorf("%s: %s %.200s", what, kind, got.body)
		}
	}
	b.do("POST", "/entries", "text/plain", good).want(t, "another type", 400)
	b.do("POST", "/in", "application/x-www-form-urlencoded", "secret="+strings.Repeat("x", 2<<20)).want(t, "a huge form", 413, "too much")
	b.do("POST", "/pin", "application/x-www-form-urlencoded", "pin=%zz").want(t, "a broken form", 400)
	if all := s.kept(t); len(all) > 0 {
		t.Errorf("kept: %+v", all)
	}
	mixed := strings.Replace(good, `"entries":[`, `"entries":[{"id":"bad","item":"none","labels":{},"seconds":1,"at":"2026-03-01T12:00:00Z"},`, 1)
	b.json("/entries", mixed).want(t, "one of two", 200, `"kept":["e1"]`, `"refused":[{"id":"bad"`)
	b.json("/entries", good).want(t, "again", 200, `"kept":["e1"]`)
	if all := s.kept(t); len(all) != 1 {
		t.Errorf("kept: %+v", all)
	}
}

// An entry has the server's time: its age is that of the sender's clock, and it is never of the future.
func TestTimeOfAnEntry(t *testing.T) {
	s := start(t, sample(2), Options{})
	ada := s.add(t, "Ada")
	s.at.move(48 * time.Hour)
	now, wrong := s.at.now(), time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)
	for what, c := range map[string]struct{ at, sent, want time.Time }{
		"right clock":  {now.Add(-time.Minute), now, now.Add(-time.Minute)},
		"wrong clock":  {wrong.Add(-time.Minute), wrong, now.Add(-time.Minute)},
		"fast clock":   {now.Add(time.Hour - time.Second), now.Add(time.Hour), now.Add(-time.Second)},
		"future":       {now.Add(time.Hour), now, now},
		"far past":     {wrong, now, ada.Added},
		"year of 9999": {time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), now, now},
	} {
		e, err := s.accepted(ratings.Entry{ID: "e", Item: itemID(0), At: c.at, Seconds: 1}, ada, c.sent, now)
		if err != nil || !e.At.Equal(c.want) {
			t.Errorf("%s: %s %v, want %s", what, e.At, err, c.want)
		}
	}
	if _, err := s.accepted(ratings.Entry{ID: "e", Item: itemID(0)}, ada, now, now); err == nil {
		t.Error("an entry without a time is kept")
	}
}

// A closed review takes nothing, says so, and tells what it has.
func TestClosedReview(t *testing.T) {
	s := start(t, sample(2), Options{})
	b, desk := s.in(t, s.add(t, "Ada").ID), s.in(t, "")
	first := s.batch("first", itemID(0), `{"so":"yes"}`)
	b.json("/entries", first).want(t, "an answer", 200)
	desk.form("/desk/close").want(t, "closing", 303)
	b.json("/entries", s.batch("late", itemID(1), `{"so":"yes"}`)).want(t, "a late answer", 409, `"kept":[]`, `"shut":true`, "The review is closed")
	b.json("/entries", first).want(t, "one whose receipt was lost", 409, `"kept":["first"]`)
	b.get("/state").want(t, "the state", 200, `"shut":true`)
	b.get("/").want(t, "the page", 200)
	desk.form("/desk/open").want(t, "opening", 303)
	b.json("/entries", s.batch("late", itemID(1), `{"so":"yes"}`)).want(t, "the late answer", 200, `"kept":["late"]`)
}

// full is a book on a disk that is full, whose errors name files.
type full struct{ ratings.Book }

var errFull = errors.New("answers /runs/zephyrmodel/review: the disk is full")

func (f full) Add(context.Context, []ratings.Entry) (int, error) { return 0, errFull }
func (f full) Latest(context.Context, string) (map[string]ratings.Entry, error) {
	return nil, errFull
}
func (f full) Shut(context.Context, bool) error                           { return errFull }
func (f full) Backup(context.Context, string) error                       { return errFull }
func (f full) AddRater(context.Context, ratings.Rater) error              { return errFull }
func (f full) Issue(context.Context, ratings.Pass) error                  { return errFull }
func (f full) SetPIN(context.Context, string, []byte) error               { return errFull }
func (f full) Revoke(context.Context, string, string) error               { return errFull }
func (f full) Exchange(_ context.Context, _ string, _ ratings.Pass) error { return errFull }

// A fault of the book is told in words that name no file, and is in the log.
func TestFaultsTellNoFiles(t *testing.T) {
	s := start(t, sample(2), Options{})
	ada := s.add(t, "Ada")
	b, desk, link := s.in(t, ada.ID), s.in(t, ""), s.link(t, ada.ID)
	s.again(t, s.Package, full{s.Book}, s.Options)
	for pattern := range s.ofRaters() {
		if pattern != "GET /pin" {
			got := b.call(pattern, ada.ID)
			got.want(t, pattern, 500, "went wrong")
			if strings.Contains(got.body+fmt.Sprint(got.header), "zephyrmodel") {
				t.Errorf("%s tells: %s", pattern, got.body)
			}
		}
	}
	for _, pattern := range []string{"POST /desk/raters", "POST /desk/link", "POST /desk/close", "GET /desk/backup", "POST /desk/out"} {
		got := desk.call(pattern, ada.ID)
		got.want(t, pattern, 500, "went wrong")
		if strings.Contains(got.body+fmt.Sprint(got.header), "zephyrmodel") {
			t.Errorf("%s tells: %s", pattern, got.body)
		}
	}
	s.browser().form("/in", "secret", link).want(t, "a link", 500, "went wrong")
	if !strings.Contains(s.log.String(), "the disk is full") {
		t.Error("the log says nothing of it")
	}
}
