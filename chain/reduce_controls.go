package chain

import (
	"slices"

	"github.com/percuss/percuss"
)

// control reads one control's trial and compares it with the baseline: by content, where the options were shuffled.
func (r reducer) control(t percuss.Trial, base Reading) ControlTrial {
	out := ControlTrial{ID: Control(t.ID), Fired: t.Fired, Why: t.Why}
	l := labelsOf(t)
	switch {
	case out.ID != Shuffle || !t.Fired:
		out.Reading, _ = r.reading(t.ID, base.Answer)
	case !permutes(l.Order, len(r.q.Options)):
		out.Reading = Reading{State: Unavailable, Why: "the ledger does not say in which order the options stood"}
	default:
		shown := r
		shown.q = shuffled(r.q, l.Order)
		out.Reading, _ = shown.reading(t.ID, shownAs(r.q, l.Order, base.Answer))
		out.Shown, out.Gold = out.Reading.Answer, shown.q.Gold
		out.Reading.Answer = meant(r.q, l.Order, out.Shown)
	}
	out.Reading.Quoted = l.Quoted && t.Request != nil
	out.Flip = compare(base, out.Reading)
	return out
}

// shownAs is the label under which an option of the question stands in a shuffle; empty: it is none of them.
func shownAs(q percuss.Question, order []int, label string) string {
	if place := slices.Index(order, slices.Index(q.Labels(), label)); place >= 0 {
		return q.Options[place].Label
	}
	return ""
}

// meant is the question's own label of the option that stands under a label in a shuffle; empty: there is none.
func meant(q percuss.Question, order []int, shown string) string {
	if place := slices.Index(q.Labels(), shown); place >= 0 {
		return q.Options[order[place]].Label
	}
	return ""
}
