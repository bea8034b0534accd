package annotate

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/review/ratings"
)

// deskPage is what the coordinator sees: how far everybody is, and nothing of what was answered.
type deskPage struct {
	web.Frame
	Title     string
	Items     int
	Rows      []deskRow
	Shut      bool
	Why       string // a deed was refused
	For, Link string // a link that was just made, shown this once
}

// deskRow is one rater's progress.
type deskRow struct {
	ID, Name      string
	Done, Begun   int // items that are done; that have an answer, but are not
	Flagged       int // items with a problem
	HasPIN        bool
	Added, LastAt time.Time // LastAt: zero before the first answer
}

// desk counts what the coordinator sees.
func (a *App) desk(ctx context.Context) (deskPage, error) {
	p := deskPage{Frame: a.frame("Coordinator: " + a.Package.Title), Title: a.Package.Title, Items: len(a.Package.Items)}
	var err error
	if p.Shut, err = a.Book.IsShut(ctx); err != nil {
		return p, err
	}
	raters, err := a.Book.Raters(ctx)
	if err != nil {
		return p, err
	}
	said := ratings.Latest{}
	for e, err := range a.Book.Entries(ctx) {
		if err != nil {
			return p, err
		}
		said.Add(e)
	}
	for _, r := range raters {
		row := deskRow{ID: r.ID, Name: r.Name, HasPIN: r.PIN != nil, Added: r.Added}
		for _, e := range said[r.ID] {
			row.count(a, e)
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

func (row *deskRow) count(a *App, e ratings.Entry) {
	if e.At.After(row.LastAt) {
		row.LastAt = e.At
	}
	if e.Flagged || e.Flag != "" {
		row.Flagged++
	}
	switch item := a.items[e.Item]; {
	case item == nil: // imported, of an item that is not asked here
	case a.Package.Done(*item, e.Labels):
		row.Done++
	case len(e.Labels) > 0:
		row.Begun++
	}
}

// drawDesk shows the desk with what a deed brought.
func (a *App) drawDesk(w http.ResponseWriter, r *http.Request, code int, with func(*deskPage)) {
	p, err := a.desk(r.Context())
	if err != nil {
		a.broken(w, r, err)
		return
	}
	with(&p)
	a.draw(w, code, "desk", p)
}

func (a *App) showDesk(w http.ResponseWriter, r *http.Request, _ visitor) {
	a.drawDesk(w, r, http.StatusOK, func(*deskPage) {})
}

// deskRater adds a rater and shows the link.
func (a *App) deskRater(w http.ResponseWriter, r *http.Request, _ visitor) {
	if err := r.ParseForm(); err != nil {
		a.unreadable(w, r, err)
		return
	}
	who, err := a.AddRater(r.Context(), r.PostForm.Get("name"))
	var wrong NameError
	if errors.As(err, &wrong) {
		a.drawDesk(w, r, http.StatusUnprocessableEntity, func(p *deskPage) { p.Why = wrong.Why })
		return
	}
	if err != nil {
		a.broken(w, r, err)
		return
	}
	a.showNewLink(w, r, who)
}

func (a *App) showNewLink(w http.ResponseWriter, r *http.Request, who ratings.Rater) {
	link, err := a.Link(r.Context(), who.ID, LinkLife)
	if err != nil {
		a.broken(w, r, err)
		return
	}
	base := a.Options.Base
	if base == "" && a.encrypted(r) {
		base = "https://" + r.Host
	} else if base == "" {
		base = "http://" + r.Host
	}
	a.drawDesk(w, r, http.StatusOK, func(p *deskPage) { p.For, p.Link = who.Name, base+link })
}

// deskLink makes a new link for a rater; what they had before may be ended, and a forgotten PIN be taken away.
func (a *App) deskLink(w http.ResponseWriter, r *http.Request, _ visitor) {
	if err := r.ParseForm(); err != nil {
		a.unreadable(w, r, err)
		return
	}
	who, err := a.rater(r.Context(), r.PostForm.Get("rater"))
	if errors.Is(err, ratings.ErrUnknown) {
		a.drawDesk(w, r, http.StatusUnprocessableEntity, func(p *deskPage) { p.Why = "There is no such rater: choose one of the list." })
		return
	}
	if err == nil && r.PostForm.Has("revoke") {
		err = a.Book.Revoke(r.Context(), "", who.ID)
	}
	if err == nil && r.PostForm.Has("forget") {
		err = a.Book.SetPIN(r.Context(), who.ID, nil)
	}
	if err != nil {
		a.broken(w, r, err)
		return
	}
	a.showNewLink(w, r, who)
}

// deskShut closes the review or opens it again.
func (a *App) deskShut(shut bool) known {
	return func(w http.ResponseWriter, r *http.Request, _ visitor) {
		if err := a.Book.Shut(r.Context(), shut); err != nil {
			a.broken(w, r, err)
			return
		}
		http.Redirect(w, r, "/desk", http.StatusSeeOther)
	}
}

// export sends all entries as JSON lines, as blinded as they are: an entry knows its item by an opaque id.
func (a *App) export(w http.ResponseWriter, r *http.Request, _ visitor) {
	download(w, "application/x-ndjson", "answers.jsonl")
	lines := json.NewEncoder(w)
	for e, err := range a.Book.Entries(r.Context()) {
		if err == nil {
			err = lines.Encode(e)
		}
		if err != nil {
			a.Options.Log.Error("export", "why", err.Error())
			panic(http.ErrAbortHandler) // a download that ends early must not look whole
		}
	}
}

// backup sends a copy of the book, whole at one moment, while others go on answering.
func (a *App) backup(w http.ResponseWriter, r *http.Request, _ visitor) {
	dir, err := os.MkdirTemp("", "percuss-backup-")
	if err != nil {
		a.broken(w, r, err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "answers.db")
	if err := a.Book.Backup(r.Context(), path); err != nil {
		a.broken(w, r, err)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		a.broken(w, r, err)
		return
	}
	defer f.Close()
	download(w, "application/vnd.sqlite3", "answers.db")
	if _, err := io.Copy(w, f); err != nil {
		panic(http.ErrAbortHandler)
	}
}

func download(w http.ResponseWriter, kind, name string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
}
