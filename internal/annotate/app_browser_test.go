package annotate

import (
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/review/ratings/sqlite"
)

// wholeApp is the page behind the real server and its book: in by a link, answers, on with another device, out.
func wholeApp(t *testing.T, b *pagetest.Browser) {
	p := fixture()
	book, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "answers.db"), p.ID, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	app, err := New(p, book, Options{Practice: true})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(app.Handler())
	t.Cleanup(server.Close)
	rater, err := app.AddRater(ctx, "Dr Abel")
	if err != nil {
		t.Fatal(err)
	}
	link, err := app.Link(ctx, rater.ID, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	page := b.Look(t, server.URL+link, pagetest.Look{Width: 375})
	answerTwo(t, page, p, book, rater.ID)
	reload(t, page)
	if got := page.Text(t, "#count") + ", " + page.Text(t, "section:not([hidden]) h2"); got != "2 of 5 answered, Item 2 of 5 ✓ answered" {
		t.Errorf("loaded again it shows %q", got)
	}
	page.Click(t, "footer summary")
	page.Click(t, "[data-do=device]")
	page.Until(t, `/works once: http.*\/in\/[\w-]{43}$/.test(document.getElementById("device").textContent)`)
	if err := book.Shut(ctx, true); err != nil {
		t.Fatal(err)
	}
	page.Press(t, "ArrowRight", "1")
	page.Until(t, `document.getElementById("state").textContent.startsWith("Closed")`)
	page.Expected(t, "409")
	if err := book.Shut(ctx, false); err != nil {
		t.Fatal(err)
	}
	pagetest.Eval[bool](t, page, `refresh().then(()=>true)`)
	saved(t, page)
	page.Click(t, `form[action="/out"] button`)
	page.Until(t, `typeof at==="undefined"&&document.querySelector("h1")`)
	if latest, err := book.Latest(ctx, rater.ID); err != nil || len(latest) != 3 {
		t.Errorf("after it was opened again the book has %+v, %v", latest, err)
	}
}

// answerTwo opens the link, goes through the practice, and answers two items.
func answerTwo(t *testing.T, page *pagetest.Page, p blind.Package, book ratings.Book, rater string) {
	t.Helper()
	page.Click(t, "button")
	page.Until(t, `window.at!==undefined||typeof at==="object"`)
	page.Press(t, "Enter")
	at(t, page, "practice-1")
	page.Press(t, "2", "Enter", "Enter")
	at(t, page, "1")
	page.Press(t, "2", "1", "ArrowRight", "1", "f", "Backspace", "odd", "Escape")
	saved(t, page)
	latest, err := book.Latest(ctx, rater)
	order := Order(p, "Dr Abel") // by name, as in the file that a rater takes along: going on there shows the same order
	if one, two := latest[order[0]], latest[order[1]]; err != nil || len(latest) != 2 || one.Labels["why"] != "fact" || two.Flag != "odd" || two.Labels["shift"] != "no" || two.By != "app" {
		t.Errorf("the book has %+v, %v", latest, err)
	}
}
