package explore

import (
	"net/http"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/run"
)

// withComparison compares the two runs that an address names and calls show; where there is no comparison, or none yet, it has
// answered with a page that says so.
func (s *Server) withComparison(w http.ResponseWriter, r *http.Request, show func(p *comparePage, c *comparison, a, b *volume)) {
	q := r.URL.Query()
	p := comparePage{A: q.Get("a"), B: q.Get("b"), ModelA: q.Get("ma"), ModelB: q.Get("mb"), Chosen: q.Get("op"), Frame: s.frame("Two runs", "explore.js", "Pages")}
	p.Runs = s.names()
	p.RunsB = p.Runs
	if p.A == "" || p.B == "" {
		s.choosePartner(&p)
		s.drawComparison(w, http.StatusOK, p)
		return
	}
	a, ok := s.useNamed(w, r, "a")
	if !ok {
		return
	}
	defer s.leave(a)
	b, ok := s.useNamed(w, r, "b")
	if !ok {
		return
	}
	defer s.leave(b)
	p.Frame = s.frame(p.A+" and "+p.B, "explore.js", "Pages", web.Link{Href: runAddress("/run", p.A, noFilter), Text: "Run " + p.A}, web.Link{Href: runAddress("/run", p.B, noFilter), Text: "Run " + p.B})
	if a.steps() || b.steps() {
		p.Problem = notCompared
		s.drawComparison(w, http.StatusUnprocessableEntity, p)
		return
	}
	p.ModelsA, p.ModelsB = modelsOf(a), modelsOf(b)
	p.Swap = p.address(url.Values{"a": {p.B}, "b": {p.A}, "ma": {p.ModelB}, "mb": {p.ModelA}})
	c, ok, err := s.comparison(r.Context(), a, b, p.ModelA, p.ModelB)
	switch {
	case err != nil:
		p.Problem = err.Error()
		s.drawComparison(w, http.StatusUnprocessableEntity, p)
	case !ok:
		p.Waiting = true
		w.Header().Set("Refresh", "2")
		s.drawComparison(w, http.StatusAccepted, p)
	default:
		show(&p, c, a, b)
	}
}

// choosePartner offers, beside a first run, those of the same audit.
func (s *Server) choosePartner(p *comparePage) {
	if p.A == "" {
		return
	}
	audit := func(name string) string {
		m, err := run.ReadManifest(filepath.Join(s.Root, filepath.FromSlash(name)))
		if err != nil {
			return ""
		}
		return auditOf(m)
	}
	if !slices.Contains(p.Runs, p.A) {
		return
	}
	of := audit(p.A)
	if of == stepAudit {
		p.RunsB, p.Problem = nil, notCompared
		return
	}
	p.RunsB = slices.DeleteFunc(slices.Clone(p.Runs), func(name string) bool { return name == p.A || audit(name) != of })
	if len(p.RunsB) == 0 {
		p.Problem = "There is no other run of this audit (" + of + ") here."
	}
}
