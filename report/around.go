package report

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
)

// Around is what stands behind a figure in words: its interval and sample, e.g. "95 % interval 3.1 to 20 %, n = 40 items".
func Around(e percuss.Estimate, format func(percuss.Number) string, noun string) string {
	out := "no interval"
	if e.Lo.OK() && e.Hi.OK() {
		out = "interval " + strings.TrimSuffix(format(e.Lo), " %") + " to " + format(e.Hi)
		if e.Level > 0 {
			out = fmt.Sprintf("%g %% %s", e.Level*100, out)
		}
	}
	return out + ", n = " + Plural(e.N, noun)
}

// Unknown says in a sentence why a figure is missing.
func Unknown(e percuss.Estimate) string {
	if e.Why == "" {
		return "Not known: the value is missing."
	}
	return "Not known: " + strings.TrimSuffix(e.Why, ".") + "."
}
