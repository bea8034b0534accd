package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/review"
)

// mostStrays is how many names a warning holds.
const mostStrays = 3

// tellStrays warns of labels of --human that name a model, an item or an operator that the run does not have: the report
// counts them, but a file of another run should not go unnoticed.
func (a *app) tellStrays(o *opened) error {
	audit, ok := o.audit.(*chain.Audit)
	if !ok || len(o.with.human) == 0 {
		return nil
	}
	labels, err := review.ReadLabels(o.with.human)
	if err != nil {
		return usage(err)
	}
	known := map[string]bool{}
	for _, s := range o.subjects {
		known["model "+s.Model], known["item "+s.Item] = true, true
	}
	for _, op := range audit.Battery().Operators {
		known["operator "+op.ID] = true
	}
	strays := 0
	var names []string
	for _, l := range labels {
		stray := false
		for _, name := range []string{"model " + l.Model, "item " + l.Item, "operator " + l.Operator} {
			if known[name] || name == "model " {
				continue
			}
			stray = true
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if stray {
			strays++
		}
	}
	if strays == 0 {
		return nil
	}
	more := ""
	if n := len(names) - mostStrays; n > 0 {
		names, more = names[:mostStrays], fmt.Sprintf(" and %d more", n)
	}
	told(a.err, "  ", "warning: %d of %s given with --human are of nothing in this run, which has no %s%s", strays, report.Plural(len(labels), "label"),
		strings.Join(names, ", "), more)
	return nil
}
