package annotate

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/review/ratings/sqlite"
)

// wholeDesk is the coordinator in a browser: in by a link, a rater added, a link made, closed and opened, in every look.
func wholeDesk(t *testing.T, b *pagetest.Browser) {
	p := fixture()
	book, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "answers.db"), p.ID, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	app, err := New(p, book, Options{PIN: true})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(beyondLoopback(app.Handler()))
	t.Cleanup(server.Close)
	link, err := app.Link(ctx, "", DeskLife)
	if err != nil {
		t.Fatal(err)
	}
	page := b.Look(t, server.URL+link, pagetest.Look{})
	page.Click(t, "button")
	page.Until(t, `location.pathname=="/desk"`)
	page.Click(t, "input[name=name]")
	page.Press(t, "Dr Abel "+strings.Repeat("Longname", 12), "Enter")
	page.Until(t, `location.pathname=="/desk/raters"&&document.querySelector("code")`)
	everyLook(t, page, "desk")
	rater := page.Text(t, "code")
	page.As(t, pagetest.Looks()[0])
	page.Until(t, `innerWidth<400&&document.querySelector("tbody td.n").getBoundingClientRect().right<=innerWidth`) // who has done how much, on a phone
	page.As(t, pagetest.Look{})
	page.Click(t, `form[action="/desk/close"] button`)
	page.Until(t, `location.pathname=="/desk"&&document.querySelector("form[action='/desk/open']")`)
	page.Click(t, `form[action="/desk/open"] button`)
	page.Until(t, `document.querySelector("form[action='/desk/close']")`)

	page = b.Look(t, rater, pagetest.Look{NoScript: true})
	everyLook(t, page, "link")
}

// beyondLoopback is a server by another machine's address without TLS: to it browsers say where a form comes from by Origin
// alone.
func beyondLoopback(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Sec-Fetch-Site")
		h.ServeHTTP(w, r)
	})
}

// everyLook holds a page to what all are held to, narrow and wide, light and dark.
func everyLook(t *testing.T, page *pagetest.Page, name string) {
	t.Helper()
	for _, look := range pagetest.Looks() {
		look.NoScript = name == "link"
		page.As(t, look)
		page.Narrow(t)
		if !look.NoScript {
			page.Axe(t)
		}
		page.Shot(t, name)
	}
}

// Every field that a page of the server names is there.
func TestFieldsOfServerPages(t *testing.T) {
	for name, of := range map[string]any{"link": linkPage{}, "message": messagePage{}, "pin": pinPage{}, "desk": deskPage{}} {
		pagetest.Fields(t, serverPages, map[string]any{"moment": moment}, name, of)
	}
}
