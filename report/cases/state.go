package cases

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

// unscored says first of all that fewer than half of a cell's cases could be scored, and why; empty: more could.
func unscored(name string, c evidence.Cell) string {
	if 2*c.Scored >= c.Cases {
		return ""
	}
	out := fmt.Sprintf("%s: of %s, %s could be scored, so there is little to say what moves a diagnosis.", name, report.Plural(c.Cases, "case"), percuss.Grouped(c.Scored))
	var why []string
	for _, r := range c.Reasons {
		if r.N > 0 && len(why) < mostReasons {
			why = append(why, fmt.Sprintf("%s (%s)", r.Name, percuss.Grouped(r.N)))
		}
	}
	if len(why) > 0 {
		out += " Most often because: " + strings.Join(why, "; ") + "."
	}
	return out
}

// mostReasons is how many reasons an alert names.
const mostReasons = 2

// alerts are what a reader must know before any figure.
func alerts(r Report) []string {
	var out []string
	if s := report.Unfinished(r.Calls); s != "" {
		out = append(out, s)
	}
	for _, c := range r.Findings.Cells {
		if s := unscored(title(r.Findings, c), c); s != "" {
			out = append(out, s)
		}
	}
	return out
}
