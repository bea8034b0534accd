package chain

import (
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/clinical"
)

// stemEdit puts the edited question, and asks the judges about the chain that follows.
func (b *builder) stemEdit(op battery.Operator) {
	if b.s.Question.Domain != "" {
		b.skip(op.ID, op.Version, otherDomain)
		return
	}
	op, ok := b.knowing(op)
	if !ok {
		return
	}
	e, q := b.a.o.Stem.edit(op, b.s.Question, b.a.o.Seed)
	if !e.Fired {
		b.skip(op.ID, op.Version, e.Why)
		return
	}
	l := labels{Edit: e}
	if b.can.Given && slices.Equal(q.Context, b.s.Question.Context) {
		l.Surface = surfaceOf(q.Stem)
	}
	if reply := b.text(call{id: op.ID, version: op.Version, q: &posed{Question: q}, labels: l}); reply != nil {
		b.judged(op, e, q, *reply)
	}
}

// chainEdit gives the edited baseline chain as the beginning of the turn.
func (b *builder) chainEdit(op battery.Operator) {
	chain, why := b.chain()
	if why != "" {
		b.skip(op.ID, op.Version, why)
		return
	}
	op, ok := b.knowing(op)
	if !ok {
		return
	}
	e := op.Apply(chain, b.a.o.Seed, b.s.Question.ID)
	if !e.Fired {
		b.skip(op.ID, op.Version, e.Why)
		return
	}
	b.text(call{id: op.ID, version: op.Version, q: b.own, begin: strings.TrimRight(e.Text, " \t\r\n"), labels: labels{Edit: e}})
}

// chain is the baseline's, or why there is none.
func (b *builder) chain() (chain, why string) {
	if b.reply == nil {
		return "", waits
	}
	return chainOf(*b.reply, "the baseline")
}

// chainOf is the chain of a reply, or why there is none; whose says whose reply it is.
func chainOf(r clinical.Reply, whose string) (chain, why string) {
	switch {
	case !r.Usable():
		return "", whose + " has no chain: " + string(r.Answer.Outcome)
	case r.Read.Refused:
		return "", whose + " refuses to answer"
	}
	if chain = r.Chain(); chain == "" {
		return "", whose + " has no chain"
	}
	return chain, ""
}

// knowing gives an operator what it must know besides the text. Where that is not there, the trial is skipped with the
// reason, and ok is false.
func (b *builder) knowing(op battery.Operator) (battery.Operator, bool) {
	context := battery.Context{Options: b.s.Question.Options}
	why := ""
	switch op.Needs {
	case "":
		return op, true
	case battery.NeedsAnswer:
		context.Answer, why = b.answered()
	case battery.NeedsDonor:
		context.Donor, why = b.donor(op)
	}
	if why != "" {
		b.skip(op.ID, op.Version, why)
		return op, false
	}
	return op.Knowing(context), true
}

// answered is the baseline's answer, or why there is none.
func (b *builder) answered() (answer, why string) {
	base, _ := newReducer(b.s.Question, b.trials, b.answers).reading(BaseTrial, "")
	switch base.State {
	case Read:
		return base.Answer, ""
	case NoCall:
		return "", waits
	}
	return "", "the baseline has no answer that could be read"
}

// donor asks for the baseline of another item, the same request that that item's own subject makes, and returns its
// chain, or why there is none. It is drawn among the items that the permutation of the draw has before this one, so that
// a larger draw changes none.
func (b *builder) donor(op battery.Operator) (chain, why string) {
	place, drawn := b.a.places[b.s.Question.ID]
	before := b.a.sets[b.s.Question.Set]
	switch {
	case b.can.Given:
		return "", GivenOnly
	case !drawn:
		return "", "the drawn items are not known, so none can give its chain"
	case place == 0:
		return "", "the first item of a set has none before it that could give its chain"
	}
	other := before[percuss.Rand(b.a.o.Seed, b.s.Question.ID, op.ID, "donor").IntN(place)]
	reply := b.text(call{id: op.ID + DonorSuffix, version: op.Version, q: &posed{Question: b.a.o.Questions[other]}, bare: true})
	b.trials[len(b.trials)-1].Shared = true
	if reply == nil {
		return "", waitsDonor
	}
	return chainOf(*reply, "the item whose chain is used")
}
