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
// dropped whole is gone. A border that stands before or after all that was changed is found by its distance from that
// end of the text; with changes on both sides, by its number among the blank lines. nil: it is not to be found.
func parted(parts []string, whole, edited string) []string {
	before, after := commonEnds(whole, edited)
	var out []string
	from, at := 0, 0 // where the part begins in the edited text, and in the whole one
	for i, part := range parts {
		end, next := len(edited), len(edited)
		if i < len(parts)-1 {
			at += len(part) + len(passageGap)
			switch {
			case len(whole)-at <= after:
				next = len(edited) - (len(whole) - at)
			case at <= before:
				next = at
			default:
				next = numbered(whole, edited, at)
			}
			if end = next - len(passageGap); next < from { // also where no border was found
				return nil
			}
		}
		last := i == len(parts)-1
		if end <= from && !last { // nothing of the passage is left
			from = next
			continue
		}
		if !last && edited[end:next] != passageGap {
			return nil
		}
		out = append(out, edited[from:end])
		from = next
	}
	return out
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

// numbered returns where the border at byte i of the whole text stands in the edited one when both have the same
// number of blank lines, else -1.
func numbered(whole, edited string, i int) int {
	if strings.Count(whole, passageGap) != strings.Count(edited, passageGap) {
		return -1
	}
	at := 0
	for range strings.Count(whole[:i], passageGap) {
		at += strings.Index(edited[at:], passageGap) + len(passageGap)
	}
	return at
}

// onStem are the figures without a scope that rest on edits of the question.
var onStem = [...]string{"cdr", "cdr_inflected", "cdr_mean", "cdr_inflected_mean", "chs", "chs_pooled", "dfg", "dfg_paired", "mfc"}

// stemOf says what the M-operators behind a figure edited; empty: there are none.
func (l layout) stemOf(id, scope string) StemMode {
	rests := scope == string(battery.M) || scope == "all" || slices.Contains(onStem[:], id)
	if !rests || !slices.ContainsFunc(l.ops, func(op battery.Operator) bool { return op.Block == battery.M }) {
		return ""
	}
	return l.stem
}
