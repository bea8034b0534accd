package explore

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/internal/web"
)

// mostFits is how many trials of an item are named above it.
const mostFits = 24

// within is where an item stands within the filter that its page is of.
type within struct {
	links  []web.Link // up to the list that the item is of, and to its neighbours there
	fits   []web.Link // the item's trials that the filter lets through
	trials []string   // their names in an address
	remark string     // why the neighbours are not those within the filter
}

// front is the trial that comes first on the page: the one that the address names, else the first one within the filter.
// Empty: none.
func (n within) front(q url.Values) string {
	if trial := q.Get(atTrial); trial != "" {
		return trial
	}
	for _, t := range n.trials {
		if t != index.Base && t != index.Direct { // these have a place of their own
			return t
		}
	}
	return ""
}

// around finds the place of an item within a filter. Without a filter it is that in the run.
func (s *Server) around(r *http.Request, v *volume, at int, f index.Filter) within {
	out := within{links: []web.Link{s.ofRun(v)}}
	prev, next := at-1, at+1
	if next == len(v.Subjects()) {
		next = -1
	}
	if f.Any() {
		out.links[0].Rel = ""
		out.links = append(out.links, web.Link{Rel: "up", Href: runAddress("/trials", v.Name, f), Text: "Trials of the filter"})
		p, n, err := s.filtered(r.Context(), v, at, f, &out)
		switch {
		case err == nil:
			prev, next = p, n
		case errors.Is(err, errBuilding), errors.Is(err, index.ErrNoTexts):
			out.remark = "Next and previous are those of the whole run: what the filter needs is still being built."
		default:
			out.remark = "Next and previous are those of the whole run: " + err.Error() + "."
		}
	}
	for _, to := range []struct {
		at        int
		rel, text string
	}{{prev, "prev", "Previous item"}, {next, "next", "Next item"}} {
		if to.at >= 0 {
			out.links = append(out.links, web.Link{Rel: to.rel, Href: itemAddress(v.Name, v.Subjects()[to.at].SubjectID, "", f), Text: to.text})
		}
	}
	return out
}

// filtered finds the neighbours of an item within a filter, and adds the item's trials there.
func (s *Server) filtered(ctx context.Context, v *volume, at int, f index.Filter, out *within) (prev, next int, err error) {
	if len(f.Operator) == 1 && v.chain() {
		out.trials = slices.Clone(f.Operator) // holds without an index
	}
	x, err := s.index(ctx, v)
	if err != nil {
		return 0, 0, err
	}
	ask := v.ask(x, f)
	if prev, next, err = x.Beside(ctx, ask, at); err != nil {
		return 0, 0, err
	}
	hits, _, more, err := x.Page(ctx, only(ask, at), index.Begin(false), mostFits)
	if err != nil {
		return 0, 0, err
	}
	sub := v.Subjects()[at]
	out.trials = nil
	for _, h := range hits {
		trial := trialOf(sub, h)
		out.trials = append(out.trials, trial)
		text := trial
		if chain, _, _, ok := h.Place(); ok && chain == 0 {
			text = "the item as a whole"
		} else if !ok && h.Bits != 0 {
			text = findings(h.Bits)
		}
		out.fits = append(out.fits, web.Link{Href: itemAddress(v.Name, sub.SubjectID, trial, f), Text: text})
	}
	if more {
		out.fits = append(out.fits, web.Link{Text: "and more"})
	}
	return prev, next, nil
}

// only narrows what is asked for to one subject.
func only(a index.Ask, subject int) index.Ask {
	had, noted := a.Noted, a.Filter.Noted
	a.Filter.Noted = "yes"
	a.Noted = func(s int) bool {
		return s == subject && (noted == "" || (had != nil && had(s)) == (noted == "yes"))
	}
	return a
}
