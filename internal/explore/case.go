package explore

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report/cases"
	"github.com/percuss/percuss/stat/lattice"
)

// The names in an address that say where on the page of a case one stands (cases.Walk).
const (
	atShown = "shown" // the findings shown, in binary, the first finding last, as in the names of trials
	atOf    = "of"
	atCalls = "calls"
)

// The assets of a case's page.
const (
	caseSheet  = "cases.css"
	caseScript = "case.js"
)

//go:embed case.js
var caseJS string

// caseAssets are they, by name.
func caseAssets() map[string]string {
	return map[string]string{caseSheet: cases.CSS(), caseScript: web.Text("keys.js") + caseJS}
}

// caseOf shows a case of an evidence audit. The trial that the address names, where it is a combination, is the subset at
// which the walk begins.
func (s *Server) caseOf(w http.ResponseWriter, r *http.Request) {
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
	at, err := v.subject(q)
	if err == nil && !v.cases() {
		err = fmt.Errorf("the run %s is no evidence audit: its items are pages of their own", v.Name)
	}
	if err != nil {
		s.fail(w, http.StatusNotFound, err)
		return
	}
	own := itemAddress(v.Name, v.Subjects()[at].SubjectID, q.Get(atTrial), f)
	walk, err := walkOf(q, own)
	if err != nil {
		s.fail(w, http.StatusBadRequest, err)
		return
	}
	view, err := v.View(r.Context(), at)
	if err != nil {
		s.fail(w, http.StatusInternalServerError, err)
		return
	}
	c, salient, noise, err := v.Case(r.Context(), view, q.Get(atSave) != "")
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
	p.Frame.Title = fmt.Sprintf("%s, case %d · Percuss", view.Subject.Item, at+1)
	p.Frame.Script, p.Frame.Sheets = caseScript, append(p.Frame.Sheets, caseSheet)
	if shown, ok := strings.CutPrefix(trial, "set-"); ok && !q.Has(atShown) {
		if set, err := strconv.ParseUint(shown, 10, lattice.MaxUnits); err == nil {
			walk.Shown = lattice.Set(set)
		}
	}
	if how := q.Get(atSave); how != "" {
		if p, err = v.filed(w, p, at, trial, how); err != nil {
			s.fail(w, http.StatusInternalServerError, err)
			return
		}
		walk.Href = nil // a file has no further steps
	}
	s.send(w, http.StatusOK, func(to io.Writer) error { return cases.WriteCase(to, c, salient, noise, p, walk) })
}

// walkOf is where the address of a case's page says that one stands; own is that address without it. Without a word on it
// all findings are shown.
func walkOf(q url.Values, own string) (cases.Walk, error) {
	w := cases.Walk{Shown: lattice.Full(lattice.MaxUnits), Of: q.Get(atOf), Calls: q.Has(atCalls)}
	if shown := q.Get(atShown); shown != "" {
		set, err := strconv.ParseUint(shown, 2, lattice.MaxUnits)
		if err != nil {
			return w, errors.New("shown= is one binary digit a finding, the first finding last, such as 0110: begin at the case's page")
		}
		w.Shown = lattice.Set(set)
	}
	w.Href = func(to cases.Walk) string {
		at, place := url.Values{atShown: {binary(to.Shown)}}, "#walk"
		if to.Of != "" {
			at.Set(atOf, to.Of)
		}
		if to.Calls {
			at.Set(atCalls, "all")
			place = "#calls"
		}
		return own + "&" + at.Encode() + place
	}
	return w, nil
}

// binary writes a set as addresses hold it.
func binary(s lattice.Set) string {
	return fmt.Sprintf("%0*b", max(bits.Len32(uint32(s)), 1), uint32(s))
}
