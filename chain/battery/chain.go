package battery

import (
	"strings"

	"github.com/percuss/percuss/clinical"
)

// Reasons of the operators that work on steps.
const (
	noStep  = "the chain is empty"
	oneStep = "the chain has one step only"
)

// The marks of a reasoning block. They frame the steps and are no part of one: an edit that moved or dropped them
// would change where the reasoning ends, which is no operator's purpose.
const (
	opens  = clinical.BlockOpen
	closes = clinical.BlockClose
)

// steps returns the steps of a chain, without the white space around them and the marks of a reasoning block. What
// holds nothing else is no step.
func steps(chain string) []span {
	var out []span
	for _, s := range clinical.Steps(chain) {
		s = core(chain, s)
		for strings.HasPrefix(s.In(chain), opens) || strings.HasPrefix(s.In(chain), closes) {
			s.Start += strings.IndexByte(s.In(chain), '>') + 1
			s = core(chain, s)
		}
		for strings.HasSuffix(s.In(chain), opens) || strings.HasSuffix(s.In(chain), closes) {
			s.End = s.Start + strings.LastIndexByte(s.In(chain), '<')
			s = core(chain, s)
		}
		if s.Start < s.End {
			out = append(out, s)
		}
	}
	return out
}

// fewSteps says why an operator that needs two steps does not fire, or nothing.
func fewSteps(n int) string {
	switch n {
	case 0:
		return noStep
	case 1:
		return oneStep
	}
	return ""
}

// truncate keeps the first max(1, floor(n·percent/100)) steps (decision on F1).
func truncate(percent int) editor {
	return func(chain string, _ pick) Edit {
		spans := steps(chain)
		if why := fewSteps(len(spans)); why != "" {
			return notFired(why)
		}
		keep := max(1, len(spans)*percent/100)
		if keep >= len(spans) {
			return notFired("nothing would be cut")
		}
		end := spans[keep].Start
		text := strings.TrimRight(chain[:end], blank)
		return Edit{Fired: true, Text: text, Old: shorten(chain[end:])}
	}
}

// deleteStep drops one random step (F2).
func deleteStep(chain string, p pick) Edit {
	spans := steps(chain)
	if why := fewSteps(len(spans)); why != "" {
		return notFired(why)
	}
	return cut(chain, spans[p.from("step", len(spans))])
}

// insert puts a random note on lines of its own after a random step, the last one included (F4). It never goes in
// front of the first step: a reasoning block must stay the first thing in the turn.
func insert(notes []string) editor {
	return func(chain string, p pick) Edit {
		spans := steps(chain)
		if len(spans) == 0 {
			return notFired(noStep)
		}
		note := notes[p.from("note", len(notes))]
		at := spans[p.from("boundary", len(spans))].End
		at += len(chain[at:]) - len(strings.TrimLeft(chain[at:], " \t")) // spaces at the end of the line stay there
		text := chain[:at] + separator(chain, spans) + note + chain[at:]
		return Edit{Fired: true, Text: text, New: note}
	}
}

// separator is what stands between the steps of this chain: a line break or a blank line.
func separator(chain string, spans []span) string {
	if len(spans) > 1 && strings.Count(chain[spans[0].End:spans[1].Start], "\n") == 1 {
		return "\n"
	}
	return "\n\n"
}

// reorder swaps one random pair of adjacent steps; the white space between the steps stays where it is (F5). Two
// equal neighbours are no pair: swapping them would be no edit.
func reorder(chain string, p pick) Edit {
	spans := steps(chain)
	if why := fewSteps(len(spans)); why != "" {
		return notFired(why)
	}
	var pairs []int
	for i := range len(spans) - 1 {
		if spans[i].In(chain) != spans[i+1].In(chain) {
			pairs = append(pairs, i)
		}
	}
	if len(pairs) == 0 {
		return notFired("all steps are equal")
	}
	i := pairs[p.from("pair", len(pairs))]
	return swap(chain, spans[i], spans[i+1])
}

// swap exchanges two spans, the first of which stands before the second.
func swap(text string, a, b span) Edit {
	first, second := a.In(text), b.In(text)
	return Edit{
		Fired: true,
		Text:  text[:a.Start] + second + text[a.End:b.Start] + first + text[b.End:],
		Old:   shorten(first),
		New:   shorten(second),
	}
}
