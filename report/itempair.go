package report

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/internal/worddiff"
)

// itemPair is one trial of an item in two runs.
type itemPair struct {
	Was, Is string // how each was answered
	Told    []worddiff.Piece
	Rough   bool // Told is one change, for there was too much to align
	Letters *barTable
	Said    replies
	None    string // why there are no replies side by side
}

// WritePair returns what two runs asked and replied to one trial of the same item: what each model was told, where that
// differs, the probabilities of the letters, and the replies step by step. The baseline is chain.BaseTrial. It is a part of
// a page with the style of an item's; what a model wrote is escaped.
func WritePair(before, after Item, trial string) (template.HTML, error) {
	a, b := find(before.Trials, trial), find(after.Trials, trial)
	was, is := readingOf(before.Record, trial), readingOf(after.Record, trial)
	p := itemPair{Was: reading(was), Is: reading(is)}
	if a.Request != nil && b.Request != nil {
		one, other := lastUser(a.Request)+"\n"+a.Request.Begin, lastUser(b.Request)+"\n"+b.Request.Begin
		if one != other {
			aligned := false
			p.Told, aligned = worddiff.Compared(clip(strings.TrimSpace(one), pageBytes), clip(strings.TrimSpace(other), pageBytes))
			p.Rough = !aligned
		}
	}
	if trial != string(chain.Shuffle) { // the letters of a shuffle stand for other options
		if bars := barsOf(before.Subject.Question, scores(before).of[trial], scores(after).of[trial], was, is); bars != nil {
			p.Letters = &barTable{bars, "Probability of each letter (in brackets its logarithm)", "Before", "After", "answer before", "answer after", "pairbars"}
			if !bars.Both {
				p.Letters.Title, p.Letters.Class = p.Letters.Title+"; before, no letters were read", "pairlast"
			}
		}
	}
	said, end := reply(before, a)
	now, nowEnd := reply(after, b)
	switch {
	case said == "" && now == "":
		p.None = "Neither run has a reply."
	case said == "":
		p.None = "There is no reply before; after:"
	case now == "":
		p.None = "There is no reply after; before:"
	}
	chains := newStepped(clip(said[:end], pageBytes)).beside(newStepped(clip(now[:nowEnd], pageBytes)))
	rest := newStepped(clip(said[end:], pageBytes)).whole().beside(newStepped(clip(now[nowEnd:], pageBytes)).whole())
	p.Said = replies{append(chains, rest...), "before", "after", "Before", "After", "pair"}
	var out bytes.Buffer
	if err := itemPages.ExecuteTemplate(&out, "itempair", p); err != nil {
		return "", fmt.Errorf("draw %s of item %s in two runs: %w", trial, before.Subject.Item, err)
	}
	return template.HTML(web.Visible(out.String())), nil // made by a template that escapes
}

// readingOf is what was read of a trial.
func readingOf(r chain.Record, trial string) chain.Reading {
	switch trial {
	case chain.BaseTrial:
		return r.Base
	case chain.DirectTrial:
		return r.Direct
	}
	for _, o := range r.Operators {
		if o.ID == trial {
			return o.Reading
		}
	}
	for _, c := range r.Controls {
		if string(c.ID) == trial {
			return c.Reading
		}
	}
	return chain.Reading{}
}
