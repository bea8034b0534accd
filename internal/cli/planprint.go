package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/report"
)

// planTail explains the table of a plan.
const planTail = `Nothing was sent. Every answer is taken as long as it may be, a token of a prompt as %d bytes; a tokenizer will differ
somewhat, and prompts that share their beginning cost less where it is computed once. An item counts once for
each prompt condition. Requests that are sure are known now; what comes later depends on the answers: edits of chains,
letters after texts, verdicts of judges, changed findings.`

// planHead are the heads of the table in two lines, planLine the numbers of a model below its name.
const (
	planHead = "\nmodel\n                               later,        prompt        output         cost,\n" +
		"    items answered      sure    up to        tokens        tokens         up to\n"
	planLine = "%9s %8s %9s %8s %13s %13s %13s\n"
)

// writePlan prints the table, with the sum of several models.
func writePlan(w io.Writer, rows []planned, samples int) error {
	fmt.Fprint(w, planHead)
	line := func(name string, r planned) {
		folded(w, "  ", "%s", name)
		fmt.Fprintf(w, planLine, thousands(int64(r.Subjects)), thousands(int64(r.Known)), thousands(int64(r.Sure)), thousands(int64(r.Later)),
			thousands(r.PromptTokens), thousands(r.OutputTokens), screen.Cut(report.Visible(costWords(r)), 13))
	}
	for _, r := range rows {
		line(r.Model, r)
	}
	if len(rows) > 1 {
		line("total", totalOf(rows))
	}
	fmt.Fprintln(w)
	if !slices.ContainsFunc(rows, func(r planned) bool { return r.Cost.OK() }) {
		folded(w, "", "No price was given: --price-prompt and --price-output, or price under a model in a file, each for a million tokens.")
	}
	if samples > 0 {
		folded(w, "", "A model that gives no log-probabilities is asked %d times as often: --samples.", samples)
	}
	return folded(w, "", planTail, bytesPerToken)
}

// planCells are the models as CSV.
func planCells(rows []planned) [][]string {
	out := [][]string{{"model", "role", "subjects", "answered", "sure", "later_at_most", "prompt_tokens", "output_tokens_at_most", "cost_at_most", "currency"}}
	for _, r := range rows {
		out = append(out, []string{r.Model, r.Role, strconv.Itoa(r.Subjects), strconv.Itoa(r.Known), strconv.Itoa(r.Sure), strconv.Itoa(r.Later),
			strconv.FormatInt(r.PromptTokens, 10), strconv.FormatInt(r.OutputTokens, 10), bare(r.Cost), r.Currency})
	}
	return out
}

// totalOf sums the models. The cost is that of all where each has a price in the same currency, else it is missing.
func totalOf(rows []planned) planned {
	sum := planned{Currency: rows[0].Currency}
	cost, whole := 0.0, true
	for _, r := range rows {
		if r.Role == "" {
			sum.Subjects += r.Subjects
		}
		sum.Known, sum.Sure, sum.Later = sum.Known+r.Known, sum.Sure+r.Sure, sum.Later+r.Later
		sum.PromptTokens, sum.OutputTokens = sum.PromptTokens+r.PromptTokens, sum.OutputTokens+r.OutputTokens
		v, ok := r.Cost.Get()
		cost, whole = cost+v, whole && ok && r.Currency == sum.Currency
	}
	if whole {
		sum.Cost = percuss.Num(cost)
	}
	return sum
}

// costWords is a cost with its currency.
func costWords(r planned) string {
	v, ok := r.Cost.Get()
	if !ok {
		return r.Cost.Format(2)
	}
	words := r.Cost.Format(2)
	if v > 0 && v < 1 {
		words = strconv.FormatFloat(v, 'g', 2, 64)
	}
	return strings.TrimSpace(words + " " + r.Currency)
}

// thousands prints a count with a comma between thousands.
func thousands(n int64) string {
	return percuss.Grouped(int(n))
}
