package evidence

import (
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/stat/lattice"
)

// counterfactuals asks the full evidence again with one family changed, for the families that the base setting points
// to. Nothing is asked before the base setting is answered.
func (b *builder) counterfactuals(units []percuss.Unit, answers percuss.Answers) {
	if answers == nil || len(percuss.Missing(b.trials[:1], answers)) > 0 {
		return
	}
	got := b.a.read(b.s, b.trials[:b.asked], answers)
	switch m := got.gold(got.base()); {
	case m.State == Waiting:
		return
	case m.State != Scored:
		b.skip(changesTrial, "counterfactuals: the base setting is not scored: "+m.Why)
		return
	default:
		of := families(*b.s.Case, units)
		// The threshold of the tables may be changed when a report is made; requests do not follow it.
		b.a.stratify(b.s.Item, of, m.Interactions, Salient)
		for _, f := range b.a.choose(b.s.Item, of) {
			for _, e := range b.edits() {
				b.change(units, f, e)
			}
		}
	}
}

// edits are what is done to a family of this case.
func (b *builder) edits() []Edit {
	if b.s.Case.Narrative { // whether a sentence says yes or no is not known
		return []Edit{Remove, Unspecify, Administrative}
	}
	return []Edit{Remove, Unspecify, Flip, Administrative}
}

// change asks the full evidence with one family changed.
func (b *builder) change(units []percuss.Unit, f family, e Edit) {
	id := changePrefix + f.ID + "/" + string(e)
	edited, why := b.a.edit(f, e)
	if why != "" {
		b.skip(id, string(e)+": "+why)
		return
	}
	base := b.a.base()
	options := b.a.candidates(*b.s.Case, base)
	shown := prompt.Shown{Facts: facts(*b.s.Case, units, edited), Options: options, Units: slices.Clone(units),
		EvidenceFirst: base.EvidenceFirst, Neutralize: e == Unspecify}
	for i, u := range units {
		switch c, ok := edited[u.ID]; {
		case !ok:
		case c.gone || e == Unspecify:
			shown.Hidden |= 1 << i
		default:
			shown.Units[i] = c.unit
		}
	}
	messages, err := b.a.o.Prompts.Chat(base.Wording, shown)
	if err != nil {
		b.skip(id, string(e)+": "+err.Error())
		return
	}
	if why := refuseLength(messages, b.can); why != "" {
		b.skip(id, string(e)+": "+why)
		return
	}
	l := labels{Kind: ofFamily, In: base.String(), Shown: lattice.Full(len(units)), Family: f.ID, Edit: e, Before: f.Texts}
	for _, u := range f.findings {
		if c := edited[u.ID]; !c.gone && !slices.Contains(l.After, c.unit.Text) {
			l.After = append(l.After, c.unit.Text)
		}
	}
	b.ask(id, l, messages, options)
}

// changed is what stands in the place of a finding.
type changed struct {
	unit percuss.Unit
	gone bool // nothing
}

// edit changes every finding of a family; the result is by id. It says why the edit cannot be made, or nothing.
func (a *Audit) edit(f family, e Edit) (out map[string]changed, why string) {
	out = map[string]changed{}
	flipped, denied := 0, false
	for i, u := range f.findings {
		switch e {
		case Remove:
			out[u.ID] = changed{gone: true}
		case Unspecify:
			out[u.ID] = changed{unit: withValue(u, a.o.Prompts.Unspecified)}
		case Administrative:
			out[u.ID] = changed{unit: percuss.Unit{ID: u.ID, Text: a.o.Prompts.Administrative[i%len(a.o.Prompts.Administrative)]}}
		case Flip:
			if to := opposite(u.Value); to != "" {
				c := withValue(u, to)
				c.Absent = to == "no"
				out[u.ID], flipped, denied = changed{unit: c}, flipped+1, denied || c.Absent
			}
		}
	}
	if e != Flip {
		return out, ""
	}
	if flipped == 0 {
		return nil, "no finding of the family is answered by yes or no"
	}
	for _, u := range f.findings { // where the pain is says that there is one
		if _, ok := out[u.ID]; !ok {
			out[u.ID] = changed{unit: u, gone: denied}
		}
	}
	return out, ""
}

// opposite is the other answer to a question of yes or no; empty where it is none.
func opposite(value string) string {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "yes":
		return "no"
	case "no":
		return "yes"
	}
	return ""
}

// withValue is a finding with another value, in its text too.
func withValue(u percuss.Unit, value string) percuss.Unit {
	stem, ok := strings.CutSuffix(strings.TrimRight(u.Text, "."), u.Value)
	switch {
	case ok && u.Value != "":
		u.Text = stem + value
	case u.Asked != "":
		u.Text = u.Asked + " " + value
	default:
		u.Text = value
	}
	u.Value = value
	return u
}
