package report

import (
	"fmt"
	"html/template"
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

// optionBar is one option.
type optionBar struct {
	Name     string
	Gold     bool
	Was, Is  bool          // it was the answer at the reading before, and at that after
	Readings template.HTML // the cells of both and of the change; they hold nothing but our own numbers
}

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
		b := optionBar{Name: o.Label + ". " + clip(o.Text, pageBytes), Gold: o.Label == q.Gold, Was: out.Both && chose(was, o.Label), Is: chose(is, o.Label)}
		if b.Gold {
			b.Name += " (gold)"
		}
		cells := barOf(now[o.Label])
		if out.Both {
			change := newScore(now[o.Label], old[o.Label], false).Change
			if change == "" {
				change = "–"
			}
			cells = barOf(old[o.Label]) + cells + "<td>" + change + "</td>"
		}
		b.Readings = template.HTML(cells)
		out.Rows = append(out.Rows, b)
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

// barOf is the cell of a letter's probability, from 0 to 1: a bar, percent, and the logarithm. A bound is drawn as it is,
// and its numbers say that it is one.
func barOf(l percuss.LetterScore) string {
	v, ok := l.LogProb.Get()
	if !ok {
		return "<td>–</td>"
	}
	percent, bound := 100*math.Exp(min(v, 0)), ""
	if l.Censored {
		bound = "≤ "
	}
	return fmt.Sprintf(`<td><svg aria-hidden="true"><rect width="%.1f%%" height="100%%"/></svg> %s%.1f %% (%s)</td>`, percent, bound, percent, newScore(l, l, true).Value)
}

// barTable is optionBars with the words around them.
type barTable struct {
	*optionBars
	Title, First, Second string
	WasWord, IsWord      string // what marks the answers of the two readings
	Class                string // by which the sheet repeats First and Second where a narrow page has no columns
}

// Item are the bars of an item: at once, and after its own chain.
func (b *optionBars) Item() barTable {
	t := barTable{b, "Options, and the probability of each letter as the next token (in brackets its logarithm)", "At once, without a chain", "After the chain", "answer at once", "baseline's answer", "chain"}
	if b.Both {
		t.Class = "once"
	}
	return t
}

// Edit are the bars of an edit: after the chain of the baseline, and after that of the edit.
func (b *optionBars) Edit() barTable {
	t := barTable{b, "Probability of each letter after the chain (in brackets its logarithm)", "Before the edit", "After the edit", "answer before", "answer after", "edit"}
	if !b.Both {
		t.Title, t.Class = t.Title+"; before the edit no letters were read", "only"
	}
	return t
}
