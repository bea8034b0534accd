package explore

import (
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/run"
)

// textFormat changes when what is put into the full text does; that of an earlier version is then built anew.
const textFormat = "edits"

// beyond is how many words of an edited question stand on each side of what was changed, so that a phrase which reaches
// over its end is found.
const beyond = 8

// edits are what the edits of a subject put into the question or the chain, by operator.
func edits(view run.View) map[string]string {
	r, ok := view.Record.(chain.Record)
	if !ok {
		return nil
	}
	asked := make(map[string]*percuss.Request, len(view.Trials))
	for _, t := range view.Trials {
		asked[t.ID] = t.Request
	}
	out := map[string]string{}
	base := asked[chain.BaseTrial]
	for _, o := range r.Operators {
		if of := asked[o.ID]; ofQuestion(base, of) {
			out[o.ID] = altered(told(base), told(of))
		} else if o.Edit.Fired {
			out[o.ID] = o.Edit.New
		}
	}
	return out
}

// ofQuestion says that a request differs from the baseline's in what the question is, and gives the model no chain.
func ofQuestion(base, r *percuss.Request) bool {
	return base != nil && r != nil && r.Begin == base.Begin && len(r.Messages) == len(base.Messages) && !strings.HasPrefix(told(r), told(base))
}

// told is all that a request tells the model.
func told(r *percuss.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Content)
		b.WriteByte('\n')
	}
	return b.String()
}

// altered is what stands in a text from the first to the last place in which it differs from another one, with some words
// on each side. Empty: they are equal.
func altered(before, after string) string {
	if before == after {
		return ""
	}
	from := 0
	for from < len(before) && from < len(after) && before[from] == after[from] {
		from++
	}
	end := 0 // from the end
	for end < len(before)-from && end < len(after)-from && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	return lastWords(after[:whole(after, from)]) + after[whole(after, from):whole(after, len(after)-end)] + firstWords(after[whole(after, len(after)-end):])
}

// whole moves a place back to where a character begins.
func whole(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// firstWords are the first words of a text. What stands before the first gap is the rest of a word that was cut.
func firstWords(s string) string {
	gaps := 0
	for i, r := range s {
		if r == ' ' || r == '\n' {
			if gaps++; gaps > beyond {
				return s[:i]
			}
		}
	}
	return s
}

// lastWords are the last words of a text, with the beginning of one that was cut.
func lastWords(s string) string {
	gaps := 0
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == ' ' || s[i] == '\n' {
			if gaps++; gaps > beyond {
				return s[i+1:]
			}
		}
	}
	return s
}

// askedOf is the text of what was asked.
func askedOf(s percuss.Subject) string {
	var parts []string
	if c := s.Case; c != nil {
		parts = append(append([]string{c.ID}, c.Facts...), c.Candidates...)
		for _, u := range c.Units {
			parts = append(parts, u.Text)
		}
	} else {
		parts = append(append([]string{s.Question.ID}, s.Question.Context...), s.Question.Stem)
		for _, o := range s.Question.Options {
			parts = append(parts, o.Text)
		}
	}
	return strings.Join(parts, "\n")
}
