package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// optionBars are the probabilities of the options' letters at two readings, as bars.
type optionBars struct {
	Both bool // there is a reading before; else only that after is shown
	Rows []optionBar
}

// optionBar is one option. Was and Is say whether it was the answer at the reading before and at that after.
type optionBar struct {
	Label, Text   string
	Gold, Was, Is bool
	Before, After barCell
	Change        string // of the log-probability, nats; empty: it is not known
}

// barCell is one bar: Width as SVG has it, "" where there is none, and what it stands for in numbers.
type barCell struct{ Width, Percent, LogProb string }

// readAfter is the trial after which a trial's letters were read: itself, where it has no reply of its own.
func readAfter(id string) string {
	return strings.TrimSuffix(strings.TrimSuffix(id, chain.LettersSuffix), chain.MarginSuffix)
}

// barsOf compares two readings of the letters; nil: there are none after.
func barsOf(q percuss.Question, before, after []percuss.LetterScore, was, is chain.Reading) *optionBars {
	if len(after) == 0 || len(q.Options) == 0 {
		return nil
	}
	old, now := byLetter(before), byLetter(after)
	out := &optionBars{Both: len(before) > 0}
	for _, o := range q.Options {
		out.Rows = append(out.Rows, optionBar{
			Label: o.Label, Text: o.Text, Gold: o.Label == q.Gold, Was: chose(was, o.Label), Is: chose(is, o.Label),
			Before: newBarCell(old[o.Label]), After: newBarCell(now[o.Label]), Change: newScore(now[o.Label], old[o.Label], false).Change})
	}
	return out
}

func chose(r chain.Reading, label string) bool { return r.State == chain.Read && r.Answer == label }

func byLetter(all []percuss.LetterScore) map[string]percuss.LetterScore {
	out := make(map[string]percuss.LetterScore, len(all))
	for _, l := range all {
		out[l.Letter] = l
	}
	return out
}

// newBarCell draws a letter's probability. A bound is drawn as it is, and its numbers say that it is one.
func newBarCell(l percuss.LetterScore) barCell {
	v, ok := l.LogProb.Get()
	if !ok {
		return barCell{Percent: fixed(l.LogProb, 0)}
	}
	percent := 100 * math.Exp(min(v, 0))
	c := barCell{Width: fmt.Sprintf("%.1f%%", percent), Percent: fixed(percuss.Num(percent), 1) + " %", LogProb: newScore(l, l, true).Value}
	if l.Censored {
		c.Percent = "≤ " + c.Percent
	}
	return c
}

// barTable is optionBars with the words around them.
type barTable struct {
	*optionBars
	Title, First, Second string
	WasWord, IsWord      string // what marks the answers of the two readings
}

// Item are the bars of an item: at once, and after its own chain.
func (b *optionBars) Item() barTable {
	return barTable{b, "Options, and the probability of each letter as the next token (in brackets its logarithm)", "At once, without a chain", "After the chain", "answer at once", "baseline's answer"}
}

// Edit are the bars of an edit: after the chain of the baseline, and after that of the edit.
func (b *optionBars) Edit() barTable {
	t := barTable{b, "Probability of each letter after the chain (in brackets its logarithm)", "Before the edit", "After the edit", "answer before", "answer after"}
	if !b.Both {
		t.Title += "; before the edit no letters were read"
	}
	return t
}
