package battery

import (
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
)

// hint adds a remark that another answer is right. The answer is a random one of the options that the baseline did not
// choose; where the option's label goes, a sentence has {option}.
func hint(sentences []string) editor {
	return func(stem string, p pick) Edit {
		var others []percuss.Option
		for _, o := range p.known.Options {
			if o.Label != p.known.Answer {
				others = append(others, o)
			}
		}
		switch {
		case p.known.Answer == "":
			return notFired("the baseline has no answer")
		case len(others) == 0:
			return notFired("there is no other option")
		}
		s := sentences[p.from("sentence", len(sentences))]
		s = strings.ReplaceAll(s, "{option}", others[p.from("option", len(others))].Label)
		text := strings.TrimRight(stem, blank)
		if !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, ".") { // the question goes on in its options
			return Edit{Fired: true, Text: s + " " + strings.TrimLeft(stem, blank), New: s}
		}
		return Edit{Fired: true, Text: text + " " + s, New: s}
	}
}

// donate puts another item's chain in the place of this one.
func donate(chain string, p pick) Edit {
	donor := strings.TrimSpace(p.known.Donor)
	switch {
	case len(steps(chain)) == 0:
		return notFired(noStep)
	case donor == "":
		return notFired("no other item has a chain")
	case donor == strings.TrimSpace(chain):
		return notFired("the other item's chain is the same")
	}
	return Edit{Fired: true, Text: donor, Old: shorten(chain), New: shorten(donor)}
}

// fill puts a sentence without content in the place of every step. The number of steps, their markers and what stands
// between them stay.
func fill(sentences []string) editor {
	return rewriting(func(chain string, p pick) found {
		all := steps(chain)
		if len(all) == 0 {
			return refused(noStep)
		}
		first := p.from("sentence", len(sentences))
		var f found
		for i, s := range all {
			to := " " + sentences[(first+i)%len(sentences)]
			end, marked := clinical.StepMarker(chain, s.Start)
			if !marked || end > s.End {
				end, to = s.Start, to[1:]
			}
			f.changes = append(f.changes, change{span{Start: end, End: s.End}, to})
		}
		return f
	})
}
