package explore

import (
	"errors"
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
	if !v.chain() {
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
	it, b := v.Item(view)
	trial := q.Get(atTrial)
	if trial == "" && len(f.Operator) == 1 {
		trial = f.Operator[0]
	}
	p, err := s.itemPage(r, v, at, trial, f)
	if err != nil {
		s.fail(w, http.StatusInternalServerError, err)
		return
	}
	s.send(w, http.StatusOK, func(to io.Writer) error { return report.WriteItem(to, it, b, p) })
}

// itemPage is what stands around an item's page: links within the filter, the notes, and where requests are shown.
func (s *Server) itemPage(r *http.Request, v *volume, at int, trial string, f index.Filter) (report.ItemPage, error) {
	id := v.Subjects()[at].SubjectID
	links, remark := s.around(r, v, at, trial, f)
	p := report.ItemPage{Number: at + 1, Trial: trial, Timing: v.times.said(v.Dir(), id), Frame: s.frame(fmt.Sprintf("%s, item %d", id.Item, at+1), "keys.js", "Pages", links...)}
	p.Frame.Sheets = append(p.Frame.Sheets, itemSheet)
	own := itemAddress(v.Name, id, trial, f)
	p.Raw = func(k percuss.Key) string { return rawOf(own, k) }
	var err error
	p.Notes, err = s.itemNotes(v, id, trial, own, f, remark)
	return p, err
}

// around are the links of an item's page: up to the list that it is of, and to the items before and behind it there. The
// remark says where these could not be told within the filter.
func (s *Server) around(r *http.Request, v *volume, at int, trial string, f index.Filter) (links []web.Link, remark string) {
	links = []web.Link{v.ofRun()}
	prev, next := at-1, at+1
	if next == len(v.Subjects()) {
		next = -1
	}
	if f.Any() {
		links[0].Rel = ""
		links = append(links, web.Link{Rel: "up", Href: runAddress("/trials", v.Name, f), Text: "Trials of the filter"})
		x, err := s.index(r.Context(), v)
		if err == nil {
			var p, n int
			if p, n, err = x.Beside(r.Context(), v.ask(x, f), at); err == nil {
				prev, next = p, n
			}
		}
		if err != nil {
			remark = "Next and previous are those of the whole run: "
			if errors.Is(err, errBuilding) || errors.Is(err, index.ErrNoTexts) {
				remark += "what the filter needs is still being built."
			} else {
				remark += err.Error() + "."
			}
		}
	}
	if len(f.Operator) != 1 || f.Operator[0] != trial {
		trial = "" // of the next item, another trial may be the one within the filter
	}
	for _, to := range []struct {
		at        int
		rel, text string
	}{{prev, "prev", "Previous item"}, {next, "next", "Next item"}} {
		if to.at >= 0 {
			links = append(links, web.Link{Rel: to.rel, Href: itemAddress(v.Name, v.Subjects()[to.at].SubjectID, trial, f), Text: to.text})
		}
	}
	return links, remark
}

// itemNotes is what stands below an item's heading: the filter, and the form for a note on the trial in front, or on the
// item.
func (s *Server) itemNotes(v *volume, id percuss.SubjectID, trial, own string, f index.Filter, remark string) (template.HTML, error) {
	form, err := s.noteForm(v, id, trial, own)
	if err != nil {
		return "", err
	}
	all, err := v.notes.read(v.Dir())
	if err != nil {
		return "", err
	}
	data := struct {
		Chips                      []chip
		Remark, Trial, Whole, Noun string
		Form                       template.HTML
		Kept                       bool
	}{Remark: remark, Trial: trial, Form: form, Noun: "item", Chips: v.chips(f)}
	if !v.chain() {
		data.Noun = "case"
	}
	if trial != "" {
		data.Whole = itemAddress(v.Name, id, "", noFilter)
	}
	for _, n := range all {
		data.Kept = data.Kept || n.SubjectID == id && n.Trial == trial
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
