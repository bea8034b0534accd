package explore

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/internal/web"
)

// mostNote is the length of the longest note, bytes.
const mostNote = 20_000

// noted says of every subject whether something was written of it.
func (v *volume) noted() func(subject int) bool {
	v.notes.mu.Lock()
	defer v.notes.mu.Unlock()
	if err := v.notes.load(filepath.Join(v.Dir(), NotesFile)); err != nil {
		return nil // the page of the notes says why
	}
	has, subjects := v.notes.has, v.Subjects() // the next load makes another map
	return func(s int) bool { return s < len(subjects) && has[subjects[s].SubjectID] }
}

// ask is what the index is asked for a filter.
func (v *volume) ask(x indexView, f index.Filter) index.Ask {
	return index.Ask{Filter: f, Noted: v.noted(), Texts: x.Texts}
}

// noteForm is the form for the note of an item, or of one trial of it, for the page of the item. back is the address of
// that page.
func (s *Server) noteForm(v *volume, id percuss.SubjectID, trial, back string) (template.HTML, error) {
	all, err := v.notes.read(v.Dir())
	if err != nil {
		return "", err
	}
	data := struct {
		Action, Back string
		Most         int
		Note
	}{Back: back, Most: mostNote}
	for _, n := range all {
		if n.SubjectID == id && n.Trial == trial {
			data.Note = n
		}
	}
	data.Action = "/notes?" + strings.TrimPrefix(itemAddress(v.Name, id, trial, noFilter), "/item?")
	var b strings.Builder
	if err := pages.ExecuteTemplate(&b, "noteform", data); err != nil {
		return "", fmt.Errorf("draw the form of a note: %w", err)
	}
	return template.HTML(b.String()), nil // made by a template that escapes
}

// writeNote keeps a note and leads back to its item.
func (s *Server) writeNote(w http.ResponseWriter, r *http.Request) {
	v, ok := s.use(w, r)
	if !ok {
		return
	}
	defer s.leave(v)
	if err := r.ParseForm(); err != nil {
		s.fail(w, http.StatusRequestEntityTooLarge, fmt.Errorf("the note cannot be read: %w", err))
		return
	}
	text := strings.TrimSpace(r.PostForm.Get("text"))
	if len(text) > mostNote {
		s.fail(w, http.StatusRequestEntityTooLarge, fmt.Errorf("a note holds %d bytes at most, this one has %d: shorten it", mostNote, len(text)))
		return
	}
	q := r.URL.Query()
	at, err := v.subject(q)
	if err != nil {
		s.fail(w, http.StatusNotFound, err)
		return
	}
	id := v.Subjects()[at].SubjectID
	note := Note{SubjectID: id, Trial: q.Get(atTrial), Text: strings.ToValidUTF8(text, "\uFFFD"), Marked: r.PostForm.Get("marked") != "", At: s.Now().UTC()}
	if err := v.notes.add(v.Dir(), note); err != nil {
		s.fail(w, http.StatusInternalServerError, err)
		return
	}
	back := itemAddress(v.Name, id, note.Trial, noFilter)
	if u, err := url.Parse(r.PostForm.Get("back")); err == nil && u.Scheme == "" && u.Host == "" && u.Path == "/item" {
		back = "/item?" + u.RawQuery
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
}

// noteLine is a note in the list.
type noteLine struct {
	Note
	Href, When string
}

// notesPage is what the template needs.
type notesPage struct {
	web.Frame
	Name, JSON, CSV string
	Notes           []noteLine
	Torn            []string // lines of the file that are no notes
}

// noteList shows all notes of a run.
func (s *Server) noteList(w http.ResponseWriter, r *http.Request) {
	v, ok := s.use(w, r)
	if !ok {
		return
	}
	defer s.leave(v)
	all, err := v.notes.read(v.Dir())
	if err != nil {
		s.fail(w, http.StatusInternalServerError, err)
		return
	}
	var lines []noteLine
	for _, n := range all {
		lines = append(lines, noteLine{n, itemAddress(v.Name, n.SubjectID, n.Trial, index.Filter{Noted: "yes"}), n.At.Format("2006-01-02 15:04 UTC")})
	}
	s.draw(w, http.StatusOK, "notes", notesPage{s.frame("Notes, "+v.Name, "keys.js", "Pages", s.ofRun(v)), v.Name, runAddress("/notes.jsonl", v.Name, noFilter), runAddress("/notes.csv", v.Name, noFilter), lines, v.notes.damage()})
}

// exportNotes hands the notes of a run out as a file.
func (s *Server) exportNotes(w http.ResponseWriter, r *http.Request) {
	v, ok := s.use(w, r)
	if !ok {
		return
	}
	defer s.leave(v)
	all, err := v.notes.read(v.Dir())
	if err != nil {
		s.fail(w, http.StatusInternalServerError, err)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	if name == "notes.csv" {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		s.note(writeNotes(w, all))
		return
	}
	w.Header().Set("Content-Type", "application/jsonl; charset=utf-8")
	e := json.NewEncoder(w)
	for _, n := range all {
		if err := e.Encode(n); err != nil {
			return // whoever asked has gone
		}
	}
}

// writeNotes writes notes as CSV.
func writeNotes(w io.Writer, all []Note) error {
	c := csv.NewWriter(w)
	_ = c.Write([]string{"model", "prompt", "set", "item", "trial", "marked", "text", "at"})
	for _, n := range all {
		row := []string{n.Model, n.Variant, n.Set, n.Item, n.Trial, fmt.Sprint(n.Marked), web.Visible(n.Text), n.At.Format(time.RFC3339)}
		for i, cell := range row {
			if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "+") || strings.HasPrefix(cell, "-") || strings.HasPrefix(cell, "@") {
				row[i] = "'" + cell // a spreadsheet would compute it
			}
		}
		_ = c.Write(row)
	}
	c.Flush()
	return c.Error()
}
