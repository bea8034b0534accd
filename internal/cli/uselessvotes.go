package cli

import (
	"errors"
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/step"
)

// tellVotes says of each model and prompt of a step audit how many items have a chain with an answer that could be read,
// where fewer than half have one, and of each judge how many of its verdicts could be read. A model without any such chain
// is a failure, for its replies are final and there is nothing to vote with; a judge without any verdict is a warning, for
// the answer side stands without it.
func (a *app) tellVotes(f *step.Findings, mute map[string]bool, dir string) error {
	if f == nil {
		return nil
	}
	var errs []error
	for _, c := range f.Cells {
		voted := c.Items - c.Unvoted
		said := fmt.Sprintf("%s, %s, %s: an answer could be read in a chain of %s of %s", c.Model, c.Variant, c.Set, percuss.Grouped(voted), report.Plural(c.Items, "item"))
		switch {
		case mute[c.Model] || 2*voted >= c.Items:
		case voted == 0:
			errs = append(errs, fmt.Errorf("%s. The replies are kept and not asked again. `percuss show %s 1` prints them: where they end before an answer, let them be longer (--max-tokens), in another folder (-o)", said, dir))
		default:
			told(a.err, "  ", "warning: %s; `percuss show %s` lists the items", said, dir)
		}
	}
	for _, v := range unreadVerdicts(f.Cells) {
		if !mute[v.judge] && 2*v.missing > v.steps {
			told(a.err, "  ", "warning: judge %s: no verdict could be read on %s of %s, which are in no rate. `percuss show %s 1` prints what it said",
				v.judge, percuss.Grouped(v.missing), report.Plural(v.steps, "step"), dir)
		}
	}
	return errors.Join(errs...)
}

// unread counts the steps of chains that a judge was to judge, and those of which it said nothing that could be read.
type unread struct {
	judge          string
	steps, missing int
}

// unreadVerdicts counts over all models, sets and views, in the order of the judges.
func unreadVerdicts(cells []step.Cell) []unread {
	var out []unread
	at := map[string]int{}
	for _, c := range cells {
		for _, t := range c.Traces {
			i, ok := at[t.Judge]
			if !ok {
				i = len(out)
				at[t.Judge] = i
				out = append(out, unread{judge: t.Judge})
			}
			out[i].steps += t.Steps
			out[i].missing += t.Missing
		}
	}
	return out
}
