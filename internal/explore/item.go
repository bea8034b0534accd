package explore

import (
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/steps"
)

// itemSheet is the asset with the style of an item's page.
const itemSheet = "item.css"

// item shows one item with all its edits, or a case. The trial that the address names comes first.
func (s *Server) item(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	f, err := index.Parse(q)
	if err != nil {
		s.fail(w, http.StatusBadRequest, err)
		return
	}
	v, ok := s.use(w, r)
	if !ok {
		return
	}
	defer s.leave(v)
	if v.cases() {
		s.caseOf(w, r)
		return
	}
	at, err := v.subject(q)
	if err != nil {
		s.fail(w, http.StatusNotFound, err)
		return
	}
	view, err := v.View(r.Context(), at)
	if err != nil {
		s.fail(w, http.StatusInternalServerError, err)
		return
	}
	around := s.around(r, v, at, f)
	trial := around.front(q)
	p, err := s.itemPage(v, at, trial, f, around)
	if err != nil {
		s.fail(w, http.StatusInternalServerError, err)
		return
	}
	if how := q.Get(atSave); how != "" {
		if p, err = v.filed(w, p, at, trial, how); err != nil {
			s.fail(w, http.StatusInternalServerError, err)
			return
		}
	}
	s.send(w, http.StatusOK, func(to io.Writer) error {
		if v.steps() {
			return steps.WriteItem(to, v.StepItem(view), p)
		}
		it, b := v.Item(view)
		return report.WriteItem(to, it, b, p)
	})
}

// itemPage is what stands around an item's page: links within the filter, the notes, and where requests are shown.
func (s *Server) itemPage(v *volume, at int, trial string, f index.Filter, around within) (report.ItemPage, error) {
	id := v.Subjects()[at].SubjectID
	p := report.ItemPage{Number: at + 1, Trial: trial, Timing: v.times.said(v.Dir(), id), Frame: s.frame(fmt.Sprintf("%s, item %d", id.Item, at+1), "keys.js", "Pages", around.links...)}
	if p.Frame.Sheets = append(p.Frame.Sheets, itemSheet); v.steps() {
		p.Frame.Sheets = append(p.Frame.Sheets, stepSheet)
	}
	own := itemAddress(v.Name, id, trial, f)
	p.Raw = func(k percuss.Key) string { return rawOf(own, k) }
	var err error
	p.Notes, err = s.itemNotes(v, id, trial, own, f, around)
	return p, err
}

// aboutItem is what stands below an item's heading.
type aboutItem struct {
	Chips                      []chip
	Fits                       []web.Link // the item's trials within the filter
	Remark, Trial, Whole, Noun string
	Form                       template.HTML
	Kept                       bool   // there is a note, or a bookmark
	Save, SaveNote             string // where the page comes as a file, and with the note in it
}

// itemNotes is what stands below an item's heading: the filter, and the form for a note on the trial in front, or on the
// item.
func (s *Server) itemNotes(v *volume, id percuss.SubjectID, trial, own string, f index.Filter, around within) (template.HTML, error) {
	form, err := s.noteForm(v, id, trial, own)
	if err != nil {
		return "", err
	}
	all, err := v.notes.read(v.Dir())
	if err != nil {
		return "", err
	}
	data := aboutItem{Remark: around.remark, Fits: around.fits, Trial: trial, Form: form, Noun: "item", Chips: v.chips(f), Save: own + "&" + atSave + "=" + saveAlone}
	if v.cases() {
		data.Noun = "case"
	}
	if trial != "" {
		data.Whole = itemAddress(v.Name, id, "", noFilter)
	}
	for _, n := range all {
		if n.SubjectID == id && n.Trial == trial {
			data.Kept = true
			if n.Text != "" {
				data.SaveNote = own + "&" + atSave + "=" + saveNote
			}
		}
	}
	var out strings.Builder
	if err := pages.ExecuteTemplate(&out, "itemnotes", data); err != nil {
		return "", fmt.Errorf("draw what stands around an item: %w", err)
	}
	return template.HTML(out.String()), nil // made by a template that escapes
}

// rawOf is the address of a request that the page of an item leads to, and that leads back there.
func rawOf(item string, k percuss.Key) string {
	return "/raw?" + strings.TrimPrefix(item, "/item?") + "&" + url.Values{"key": {string(k)}}.Encode()
}
