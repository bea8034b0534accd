package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/steps"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/step"
)

// listed is one item in the list of items, under one model and prompt condition.
type listed struct {
	number       int
	subject      percuss.SubjectID
	gold, answer string
	source       percuss.Source

	// Of a chain audit, edits that moved the answer, of how many that could be compared; of an evidence audit, salient
	// interactions, and suspicious ones among them.
	counts   [2]int
	evidence bool
	why      string // why there are no interactions

	steps *steps.Brief // of a step audit
}

// listedOf is what the list says of a subject.
func listedOf(v run.View, number int) listed {
	out := listed{number: number, subject: v.Subject.SubjectID, source: v.Subject.Question.Source}
	switch r := v.Record.(type) {
	case chain.Record:
		out.gold, out.answer, out.counts = r.Gold, r.Base.Answer, flips(r)
	case evidence.Record:
		out.gold, out.answer, out.source, out.evidence = r.Gold, r.Base.Prediction, v.Subject.Case.Source, true
		out.counts, out.why = salientOf(r)
	case step.Record:
		b := steps.BriefOf(r)
		out.gold, out.answer, out.steps = r.Gold, b.Winner, &b
		if b.Tied {
			out.answer = "tied"
		}
	}
	return out
}

// write prints an item's lines: its number and names, and what moved.
func (l listed) write(w io.Writer) error {
	const hang = "      "
	if err := folded(w, hang, "%4d  %s  %s · %s · %s:%d", l.number, l.subject.Item, l.subject.Model, l.subject.Variant, l.source.File, l.source.Line); err != nil {
		return err
	}
	if l.steps != nil {
		return l.writeSteps(w, hang)
	}
	if !l.evidence {
		return folded(w, "", "%sgold %s, answer %s; %d of %d edits moved the answer", hang, l.gold, dash(l.answer), l.counts[0], l.counts[1])
	}
	if err := folded(w, "", "%sgold %s, answer %s", hang, l.gold, dash(l.answer)); err != nil {
		return err
	}
	if l.why != "" {
		return folded(w, "", "%s%s", hang, l.why)
	}
	return folded(w, "", "%s%s, %d suspicious", hang, report.Plural(l.counts[0], "salient interaction"), l.counts[1])
}

// writeSteps prints the vote of an item's chains, and what the first judge said of its steps.
func (l listed) writeSteps(w io.Writer, hang string) error {
	b := l.steps
	says := fmt.Sprintf("gold %s, vote %s; %d of %s right", l.gold, dash(l.answer), b.Right, report.Plural(b.Chains, "chain"))
	if b.Judge != "" {
		says += fmt.Sprintf("; %s: %d of %s with a claim called an error", b.Judge, b.Errors, report.Plural(b.Judged, "step"))
	}
	return folded(w, "", "%s%s", hang, says)
}

// head names the columns of the list as CSV.
func (l listed) head() []string {
	head := []string{"number", "set", "item", "model", "prompt", "gold", "answer"}
	if l.steps != nil {
		return append(head, "chains", "read", "right", "judge", "errors", "judged", "file", "line")
	}
	if l.evidence {
		return append(head, "salient", "suspicious", "without_interactions", "file", "line")
	}
	return append(head, "moved", "compared", "file", "line")
}

// cells are the item's row of the list as CSV.
func (l listed) cells() []string {
	out := []string{strconv.Itoa(l.number), l.subject.Set, l.subject.Item, l.subject.Model, l.subject.Variant, l.gold, l.answer}
	if b := l.steps; b != nil {
		out = append(out, strconv.Itoa(b.Chains), strconv.Itoa(b.Read), strconv.Itoa(b.Right), b.Judge)
		judged := []string{"", ""} // missing, not none
		if b.Judge != "" {
			judged = []string{strconv.Itoa(b.Errors), strconv.Itoa(b.Judged)}
		}
		return append(append(out, judged...), l.source.File, strconv.Itoa(l.source.Line))
	}
	counts := []string{strconv.Itoa(l.counts[0]), strconv.Itoa(l.counts[1])}
	if l.why != "" {
		counts = []string{"", ""} // missing, not none
	}
	out = append(out, counts...)
	if l.evidence {
		out = append(out, l.why)
	}
	return append(out, l.source.File, strconv.Itoa(l.source.Line))
}

// salientOf counts the strong interactions, and the suspicious ones among them, or says why there are none to count.
func salientOf(r evidence.Record) (counts [2]int, why string) {
	if r.Why != "" {
		return counts, "refused: " + clip(r.Why, 100)
	}
	if r.Base.State != evidence.Scored {
		return counts, strings.TrimSuffix(string(r.Base.State)+": "+clip(r.Base.Why, 100), ": ")
	}
	for _, i := range r.Base.Interactions {
		if math.Abs(i.Value) >= evidence.Salient {
			counts[0]++
			if i.Suspicious {
				counts[1]++
			}
		}
	}
	return counts, ""
}

// flips counts the edits that moved the answer, and those that could be compared.
func flips(r chain.Record) (counts [2]int) {
	for _, o := range r.Operators {
		switch o.Flip {
		case chain.Flipped:
			counts[0]++
			counts[1]++
		case chain.Kept:
			counts[1]++
		}
	}
	return counts
}

// tellShow says how one item of the list is printed.
func (a *app) tellShow(dir string) {
	fmt.Fprintf(a.err, "percuss show %s NUMBER prints one; --model, --prompt, --operator: a part.\n", dir)
}
