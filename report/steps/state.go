package steps

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/step"
)

// What makes a caution.
const (
	fewItems    = 30   // fewer
	mostMissing = 0.05 // of the steps without a verdict
	mostUnread  = 0.2  // of the chains without an answer
)

// alerts are what a reader must know before any figure.
func alerts(r Report) []string {
	var out []string
	if s := report.Unfinished(r.Calls); s != "" {
		out = append(out, s)
	}
	for _, c := range r.Findings.Cells {
		if of := asked(r.Findings, c); 2*c.Chains < of {
			out = append(out, fmt.Sprintf("%s: of %s, %s have an answer that could be read, so there is little to say of its answers. Look at some replies as they came: percuss show, or the items of the page.",
				title(r.Findings, c), report.Plural(of, "chain"), percuss.Grouped(c.Chains)))
		}
	}
	if s := report.CutShort(r.Calls); s != "" {
		out = append(out, s)
	}
	return append(out, inventions(r.Findings)...)
}

// inventions say whose verdicts are made up: those of simulated judges on chains that no simulated model wrote.
func inventions(f step.Findings) []string {
	var out []string
	for _, judge := range f.Settings.Judges {
		var models []string
		for _, c := range f.Cells {
			if f.Settings.Invents(judge, c.Model) && !slices.Contains(models, c.Model) {
				models = append(models, c.Model)
			}
		}
		if len(models) > 0 {
			out = append(out, fmt.Sprintf("Judge %s is simulated, and knows which steps are wrong only where a simulated model wrote them. What it says of %s is drawn at random, so no rate and no comparison by it tells anything, however narrow its interval.",
				judge, listed(models)))
		}
	}
	return out
}

// asked is how many chains a cell should have.
func asked(f step.Findings, c step.Cell) int { return c.Items * max(f.Settings.K, 1) }

// cautions are with what the figures of a cell are to be read.
func cautions(f step.Findings, c step.Cell) []string {
	var out []string
	if c.Items < fewItems {
		out = append(out, fmt.Sprintf("%s: a small sample. Intervals cover the choice of items only, and are wide.", report.Plural(c.Items, "item")))
	}
	if of := asked(f, c); 2*c.Chains >= of && float64(of-c.Chains) > mostUnread*float64(of) && c.Short == 0 {
		out = append(out, fmt.Sprintf("%s of %s have no answer that could be read: they have no vote, and accuracy is that of the others.", percuss.Grouped(of-c.Chains), report.Plural(of, "chain")))
	}
	if c.Unvoted > 0 {
		out = append(out, fmt.Sprintf("%s without any vote: in no accuracy of votes.", report.Plural(c.Unvoted, "item")))
	}
	if c.Short > 0 {
		out = append(out, fmt.Sprintf("%s with fewer chains than others: they vote with what they have.", report.Plural(c.Short, "item")))
	}
	for _, t := range first(f, c) {
		if t.Steps == 0 {
			continue
		}
		if float64(t.Missing) > mostMissing*float64(t.Steps) {
			out = append(out, fmt.Sprintf("Judge %s gave no verdict in the form that was asked for on %s of %s: its rates are those of the others.", t.Judge, percuss.Grouped(t.Missing), report.Plural(t.Steps, "step")))
		}
		if t.Errors.Value.OK() && 2*t.Errors.N < c.Items {
			out = append(out, fmt.Sprintf("The error rate by judge %s rests on %d of %s: the chains of the others have no step with a verdict.", t.Judge, t.Errors.N, report.Plural(c.Items, "item")))
		}
		if 2*t.Abstained > t.Steps {
			out = append(out, fmt.Sprintf("Judge %s finds no claim to check in %s of %s: the error rate is of the few that claim something.", t.Judge, percuss.Grouped(t.Abstained), report.Plural(t.Steps, "step")))
		}
	}
	return out
}
