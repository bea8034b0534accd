package explore

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/explore/index"
)

// The names in an address that say which run, subject and trial a page is of. They are none of a filter's names, so that
// an item's address can hold the filter that its neighbours are of.
const (
	atRun    = "r"
	atModel  = "m"
	atPrompt = "p"
	atSet    = "s"
	atItem   = "id"
	atTrial  = "t"
)

// itemAddress is the address of the page of an item or case. trial may be empty: none is pointed at. f is the filter
// within which the page's next and previous items are looked for.
func itemAddress(name string, id percuss.SubjectID, trial string, f index.Filter) string {
	q := f.Encode()
	q.Set(atRun, name)
	q.Set(atModel, id.Model)
	q.Set(atPrompt, id.Variant)
	q.Set(atSet, id.Set)
	q.Set(atItem, id.Item)
	if trial != "" {
		q.Set(atTrial, trial)
	}
	return "/item?" + q.Encode()
}

// trialOf is how an address names the trial of a row.
func trialOf(s percuss.Subject, h index.Hit) string {
	if trial, ok := stepTrial(h); ok {
		return trial
	}
	switch op := h.Of[index.Operator]; {
	case h.Bits != 0:
		return fmt.Sprintf("set-%d", h.Bits)
	case s.Case != nil && op != index.Base:
		return op + ":" + h.Of[index.Family]
	default:
		return op
	}
}

// runAddress is the address of a page of a run under a filter.
func runAddress(page, name string, f index.Filter) string {
	q := f.Encode()
	q.Set(atRun, name)
	return page + "?" + q.Encode()
}

// subject finds the place of the subject that an address names. A part that the address leaves out fits any.
func (v *volume) subject(q url.Values) (int, error) {
	fits := func(name, value string) bool { return !q.Has(name) || q.Get(name) == value }
	at := slices.IndexFunc(v.Subjects(), func(s percuss.Subject) bool {
		return s.Item == q.Get(atItem) && fits(atModel, s.Model) && fits(atPrompt, s.Variant) && fits(atSet, s.Set)
	})
	if at < 0 {
		return 0, fmt.Errorf("the run %s has no item %q of this model and prompt: the page of the run leads to those it has", v.Name, q.Get(atItem))
	}
	return at, nil
}
