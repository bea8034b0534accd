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
	"github.com/percuss/percuss/run"
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
	}
	return out
}

// write prints an item's lines: its number and names, and what moved.
func (l listed) write(w io.Writer) error {
	const hang = "      "
	if err := folded(w, hang, "%4d  %s  %s · %s · %s:%d", l.number, l.subject.Item, l.subject.Model, l.subject.Variant, l.source.File, l.source.Line); err != nil {
		return err
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

// listHead names the columns of the list as CSV.
func listHead(evidence bool) []string {
	head := []string{"number", "set", "item", "model", "prompt", "gold", "answer"}
	if evidence {
		return append(head, "salient", "suspicious", "without_interactions", "file", "line")
	}
	return append(head, "moved", "compared", "file", "line")
}

// cells are the item's row of the list as CSV.
func (l listed) cells() []string {
	out := []string{strconv.Itoa(l.number), l.subject.Set, l.subject.Item, l.subject.Model, l.subject.Variant, l.gold, l.answer}
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
