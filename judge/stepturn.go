package judge

import (
	"strings"
	"sync"
	"text/template"

	"github.com/percuss/percuss"
)

// drawn is what is drawn for an item, a judge and a repetition: all of a scene but the step. It is a type of its own so that a
// template that shows the step cannot be rendered with it.
type drawn struct {
	Examples []shownStep
	Labels   []named
	Kinds    []named
	Forms    []string
}

// scene is what is drawn, with a step.
func (d drawn) scene(s Step) stepScene {
	return stepScene{Step: showStep(s), Examples: d.Examples, Labels: d.Labels, Kinds: d.Kinds, Forms: d.Forms}
}

// order names what decides what is drawn.
type order struct {
	item, identity string
	seed           uint64
	draw           int
}

// mostTurns is how many system turns are remembered: those of the items that workers are at.
const mostTurns = 64

// turns are the system turns of late items. Steps are asked about item by item, and those of an item share theirs, which is
// most of the text of a request.
type turns struct {
	lock  sync.Mutex
	known map[order]turn
}

type turn struct {
	drawn
	system string
	fixed  bool // the system turn does not show the step
}

// of is the turn of an order, which made makes where it is not known.
func (t *turns) of(o order, made func() turn) turn {
	t.lock.Lock()
	found, ok := t.known[o]
	t.lock.Unlock()
	if ok {
		return found
	}
	found = made()
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.known == nil || len(t.known) >= mostTurns {
		t.known = make(map[order]turn, mostTurns)
	}
	t.known[o] = found
	return found
}

// turnOf is what is drawn for a step, with the system turn where it is the same for all steps of that order.
func (r StepRubric) turnOf(s Step, identity string, seed uint64) turn {
	return r.turns.of(order{s.Item, identity, seed, s.Draw}, func() turn {
		out := turn{drawn: r.drawn(s, identity, seed)}
		if r.alone {
			out.system, out.fixed = without(r.system, out.drawn)
		}
		return out
	})
}

// without is a template rendered without a step, false where it looks for one.
func without(t *template.Template, d drawn) (string, bool) {
	var b strings.Builder
	if err := t.Execute(&b, d); err != nil {
		return "", false
	}
	return strings.TrimSpace(b.String()), true
}

// drawn is drawn for an item, a judge and a repetition.
func (r StepRubric) drawn(s Step, identity string, seed uint64) drawn {
	var out drawn
	rng := percuss.Rand(seed, s.Item, identity, "judge steps "+string(rune('0'+s.Draw)))
	labels := []StepLabel{StepCorrect, StepError, StepAbstain}
	for _, i := range rng.Perm(len(labels)) {
		out.Labels = append(out.Labels, named{labels[i].line(), r.text.means(labels[i])})
		if labels[i] != StepError {
			out.Forms = append(out.Forms, labels[i].line())
			continue
		}
		for _, kind := range StepKinds() {
			out.Forms = append(out.Forms, StepVerdict{StepError, kind}.line())
		}
	}
	for _, kind := range StepKinds() {
		out.Kinds = append(out.Kinds, named{strings.ReplaceAll(kind, "_", " "), r.text.Kinds[kind]})
	}
	for _, i := range rng.Perm(len(r.text.Examples)) {
		e := r.text.Examples[i]
		shown := showStep(Step{Question: e.Question, Before: e.Before, Text: e.Step})
		shown.Verdict = StepVerdict{StepLabel(e.Verdict), e.Kind}.line()
		out.Examples = append(out.Examples, shown)
	}
	return out
}
