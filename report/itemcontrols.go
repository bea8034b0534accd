package report

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/worddiff"
)

// controlView is one control on an item: what effects are held against.
type controlView struct {
	ID, Asks, Why string
	Fired         bool
	Change        string // the answers alone, e.g. "A → B"
	Verdict       string // whether the answer moved
	Moved         string // both, with how they were read
	Where         string // of a shuffle, where the gold option and the answer stood
	Pieces        []worddiff.Piece
	Reply         string
	Sides         []sideRow // the baseline's reply and this one, for the item's own page
	said          string    // the reply whole, and where its chain ends in it, in bytes
	end           int
}

// asks says what a control asks, as a clause.
func asks(c chain.Control) string {
	switch c {
	case chain.Sham:
		return "the same question again"
	case chain.ShamChain:
		return "the model's own chain given back unedited"
	case chain.FormatMarkers:
		return "the options marked (A) instead of A."
	case chain.FormatSpace:
		return "a blank line between the options"
	case chain.Shuffle:
		return "the options in another order; answers are compared by content"
	}
	return ""
}

// controlsOf are the controls of an item, in the order of its record.
func controlsOf(it Item, base percuss.Trial) []controlView {
	var out []controlView
	for _, c := range it.Record.Controls {
		t := find(it.Trials, string(c.ID))
		v := controlView{ID: string(c.ID), Asks: asks(c.ID), Why: c.Why, Fired: c.Fired}
		if c.Fired {
			o := chain.OperatorTrial{Flip: c.Flip}
			v.Change, v.Verdict = letter(it.Record.Base)+" → "+letter(c.Reading), verdict(o)
			v.Moved = moved(it.Record.Base, c.Reading, v.Verdict)
			v.Where = stood(c)
			v.said, v.end = reply(it, t)
			v.Reply = strings.TrimSpace(v.said)
			if was, is := lastUser(base.Request), lastUser(t.Request); t.Request != nil && is != was && c.ID != chain.ShamChain {
				v.Pieces = worddiff.Diff(was, is)
			}
		}
		out = append(out, v)
	}
	return out
}

// stood says where the gold option and the answer of a shuffle stood.
func stood(c chain.ControlTrial) string {
	if c.ID != chain.Shuffle || c.Gold == "" {
		return ""
	}
	out := "The gold option stood under " + c.Gold
	if c.Shown != "" {
		out += "; the model answered " + c.Shown + ", which is " + c.Reading.Answer + " of the question as it is"
	}
	return out + "."
}

// Whole is how an item's page shows a control's question: all of it.
func (v controlView) Whole() []worddiff.Piece { return trialView{Pieces: v.Pieces}.Whole() }

// judgements says what each judge said of a trial, in the order of the specification.
func judgements(o chain.OperatorTrial) []string {
	var out []string
	for _, v := range o.Judged {
		said := strings.ReplaceAll(string(v.Says), "_", " ")
		if v.Says == chain.SaysNothing {
			said = "no verdict"
		}
		if v.Why != "" {
			said += ", " + v.Why
		}
		out = append(out, v.Judge+": "+said)
	}
	return out
}

// marginOf is how the margin of the baseline's answer moved, e.g. "2.10 → 0.40 (-1.70)"; empty: it is not known.
func marginOf(base, edited chain.Reading) string {
	was, had := base.Margin.Get()
	is, ok := edited.Margin.Get()
	if !had || !ok {
		return ""
	}
	change := fixed(percuss.Num(is-was), 2)
	if is > was && change != "0.00" {
		change = "+" + change
	}
	return fmt.Sprintf("%s → %s (%s)", fixed(base.Margin, 2), fixed(edited.Margin, 2), change)
}

// donorOf is what another item was asked whose chain stands in the place of this one's; empty: none was used.
func donorOf(it Item, op string) string {
	return lastUser(find(it.Trials, op+chain.DonorSuffix).Request)
}
