package chain

import (
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// StemMode says which text of a question the M-operators edit.
type StemMode string

// The two ways (chain audit, section 4). They differ only where passages are shown with a question (PubMedQA).
const (
	StemQuestion StemMode = "question"          // the question alone; the default
	StemContexts StemMode = "question+contexts" // the passages and the question after them, as one text
)

// orDefault fills in what a run of an earlier version does not say.
func (m StemMode) orDefault() StemMode {
	if m == "" {
		return StemQuestion
	}
	return m
}

// passageGap stands between passages, and between them and the question, in the text that an operator edits. It is
// the blank line that the prompts put there.
const passageGap = "\n\n"

// edit lets an operator edit a question and returns it edited. Where the edit did not fire it is unchanged.
func (m StemMode) edit(op battery.Operator, q percuss.Question, seed uint64) (battery.Edit, percuss.Question) {
	parts := []string{q.Stem}
	if m == StemContexts {
		parts = append(slices.Clone(q.Context), q.Stem)
	}
	whole := strings.Join(parts, passageGap)
	e := op.Apply(whole, seed, q.ID)
	if !e.Fired {
		return e, q
	}
	edited := parted(parts, whole, e.Text)
	if edited == nil {
		return battery.Edit{Why: "the edit runs over the border of a passage"}, q
	}
	last := len(edited) - 1
	q.Stem = edited[last]
	if m == StemContexts {
		q.Context = edited[:last]
	}
	return e, q
}

// parted splits an edited text into the passages and the question that it was joined from; a passage that the edit
// dropped whole is gone. nil: a border of a passage is not to be found again.
//
// What was changed is not unique: "b" and what follows it may have been dropped from "a b b", or the first "b". So all
// places are tried from the last to the first, and the first that leaves every border whole is taken.
func parted(parts []string, whole, edited string) []string {
	before, after := commonEnds(whole, edited)
	for kept := before; kept >= 0 && kept >= min(len(whole), len(edited))-after || kept == before; kept-- {
		c := change{whole: whole, edited: edited, start: kept, rest: min(after, len(whole)-kept, len(edited)-kept)}
		if out := c.parted(parts); out != nil {
			return out
		}
	}
	return nil
}

// change is one way to see two texts: they share what stands before byte start, and the rest at their end.
type change struct {
	whole, edited string
	start, rest   int
}

// parted is parted for one place of the change.
func (c change) parted(parts []string) []string {
	var out []string
	from, at := 0, 0 // where the part begins in the edited text, and in the whole one
	for _, part := range parts[:len(parts)-1] {
		at += len(part) + len(passageGap)
		next := c.border(at)
		switch end := next - len(passageGap); {
		case next == from: // the passage is gone with its gap
		case end < from || c.edited[end:next] != passageGap:
			return nil
		case end > from:
			out = append(out, c.edited[from:end])
		}
		from = next
	}
	return append(out, c.edited[from:])
}

// border returns where the border at byte i of the whole text stands in the edited one. Before and after the change it
// keeps its distance from that end of the text; within, its number among the blank lines. -1: nowhere.
func (c change) border(i int) int {
	switch {
	case i <= c.start:
		return i
	case len(c.whole)-i <= c.rest:
		return len(c.edited) - (len(c.whole) - i)
	case strings.Count(c.whole, passageGap) != strings.Count(c.edited, passageGap):
		return -1
	}
	at := 0
	for range strings.Count(c.whole[:i], passageGap) {
		at += strings.Index(c.edited[at:], passageGap) + len(passageGap)
	}
	return at
}

// commonEnds returns how many bytes two texts share at their beginning, and at their end.
func commonEnds(a, b string) (before, after int) {
	n := min(len(a), len(b))
	for before < n && a[before] == b[before] {
		before++
	}
	for after < n && a[len(a)-1-after] == b[len(b)-1-after] {
		after++
	}
	return before, after
}

// onStem are the figures without a scope that rest on edits of the question.
var onStem = [...]string{"cdr", "cdr_inflected", "cdr_mean", "cdr_inflected_mean", "chs", "chs_pooled", "dfg", "dfg_all",
	"dfg_paired", "mfc"}

// stemOf says what the M-operators behind a figure edited; empty: there are none.
func (l layout) stemOf(id, scope string) StemMode {
	rests := scope == string(battery.M) || scope == "all" || slices.Contains(onStem[:], id)
	if !rests || !slices.ContainsFunc(l.ops, func(op battery.Operator) bool { return op.Block == battery.M }) {
		return ""
	}
	return l.stem
}
