package simulated

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/percuss/percuss"
)

// reading finds out which units of a case a text shows. What was found is not looked at again: "Fever: yes" is not
// found once more within "Night sweats or Fever: yes".
type reading struct {
	text   string
	taken  []bool // by byte; nil: nothing yet
	states []state
	known  int // units that are there in any way
}

// factsIn counts the facts of a case in a text.
func factsIn(c *caseItem, text string) int {
	r, n := reading{text: text}, 0
	for _, f := range c.facts {
		if _, _, ok := r.find(f, whole); ok {
			n++
		}
	}
	return n
}

// readCase returns the states of a case's units in a text, and how many of its units are there at all.
// The recorded texts are looked for first, the longest of them first; what is left may be a unit with another value.
func readCase(c *caseItem, text string) reading {
	r := reading{text: text, taken: make([]bool, len(text)), states: make([]state, len(c.units))}
	for _, i := range c.byLength {
		u := c.units[i]
		from, to, ok := r.find(u.text, whole)
		for _, stem := range u.stems {
			if ok {
				break
			}
			from, to, ok = r.find(stem, followedBy(u.value))
		}
		if ok {
			r.take(from, to)
			r.states[i] = recorded
			r.known++
		}
	}
	for i, u := range c.units {
		if r.states[i] == recorded {
			continue
		}
		for _, stem := range u.stems {
			if from, to, ok := r.find(stem, anyValue); ok {
				r.states[i] = u.other(valueOf(text[from+len(stem) : to]))
				r.take(from, to)
				r.known++
				break
			}
		}
	}
	return r
}

// find returns the first place that is not taken where a text begins a statement and fit finds its end.
func (r *reading) find(needle string, fit func(text string, end int) int) (from, to int, ok bool) {
	if needle == "" {
		return 0, 0, false
	}
	for at := 0; ; at = from + 1 {
		i := strings.Index(r.text[at:], needle)
		if i < 0 {
			return 0, 0, false
		}
		from = at + i
		if r.taken != nil && r.taken[from] || !begins(r.text, from) {
			continue
		}
		if to = fit(r.text, from+len(needle)); to >= 0 {
			return from, to, true
		}
	}
}

func (r *reading) take(from, to int) {
	for i := from; i < to; i++ {
		r.taken[i] = true
	}
}

// begins reports whether a statement may begin at a place: at a line's begin, behind a bullet or a label such as
// "Reported:", or behind the end of another statement.
func begins(text string, at int) bool {
	before := strings.TrimRight(text[:at], " \t-*•")
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return line == "" || isLabel(line) || len(before) < at && (strings.HasSuffix(line, ".") || strings.HasSuffix(line, ";"))
}

// isLabel reports whether a line is one word with a colon.
func isLabel(line string) bool {
	word, ok := strings.CutSuffix(strings.TrimLeft(line, " \t"), ":")
	return ok && word != "" && strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// whole accepts a place where a statement ends.
func whole(text string, at int) int {
	end := at
	for end < len(text) && text[end] == '.' {
		end++
	}
	if end == len(text) || strings.ContainsRune("\n\r;", rune(text[end])) || end > at && text[end] == ' ' {
		return at
	}
	return -1
}

// gap stands between a question and its answer.
var gap = regexp.MustCompile(`^[ \t]*:?[ \t]*(?:\r?\n[ \t]*[A-Za-z]{1,10}:[ \t]*)?`)

// followedBy accepts a place where a value follows and ends the statement.
func followedBy(value string) func(string, int) int {
	return func(text string, at int) int {
		at += len(gap.FindString(text[at:]))
		if value == "" || !strings.HasPrefix(text[at:], value) {
			return -1
		}
		return whole(text, at+len(value))
	}
}

// anyValue accepts whatever follows to the end of the statement.
func anyValue(text string, at int) int {
	at += len(gap.FindString(text[at:]))
	for at < len(text) && whole(text, at) < 0 {
		at++
	}
	return at
}

// valueOf is the value in what follows a question.
func valueOf(rest string) string {
	return strings.ToLower(strings.TrimSpace(rest[len(gap.FindString(rest)):]))
}

// unitForms are the forms in which a unit may stand in a prompt.
type unitForms struct {
	text   string   // as a note has it, without its full stop
	stems  []string // what stands before its value: the beginning of text, and the question
	value  string
	absent bool
}

func formsOf(u percuss.Unit) unitForms {
	f := unitForms{text: trimStop(u.Text), value: trimStop(u.Value), absent: u.Absent}
	if f.value != "" {
		if stem, ok := strings.CutSuffix(f.text, f.value); ok && len(words(stem)) > 0 {
			f.stems = append(f.stems, strings.TrimRight(stem, " \t"))
		}
	}
	if asked := strings.TrimSpace(u.Asked); asked != "" && !slices.Contains(f.stems, asked) {
		f.stems = append(f.stems, asked)
	}
	return f
}

// trimStop removes what a prompt may end a statement with.
func trimStop(s string) string { return strings.TrimRight(strings.TrimSpace(s), ".") }

// The values that say that a finding is not there, and that it is.
var (
	absentValue  = regexp.MustCompile(`^(?:no|none|nowhere|never|n|na|n/a|absent|not present|negative|denied|0(?: of \d+)?)$`)
	presentValue = regexp.MustCompile(`^(?:yes|y|present|positive)$`)
)

// other is the state of a unit that is shown with another value than its own: only a plain "present" or "absent" says
// something of it.
func (u unitForms) other(value string) state {
	switch absent, present := absentValue.MatchString(value), presentValue.MatchString(value); {
	case absent && u.absent, present && !u.absent:
		return recorded
	case absent, present:
		return flipped
	}
	return hidden
}
