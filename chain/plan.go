package chain

import (
	"strings"

	"github.com/percuss/percuss"
)

// Later is what a subject may still ask beyond the requests of its trials, once their answers are there: upper bounds.
type Later struct {
	Texts   int // continuations of edited chains
	Letters int // readings of letters after a text
}

// Later bounds what comes after the given trials of a subject and the answers that there are. A chain that is too
// short for an edit, and a reply whose answer was read, ask for less.
func (a *Audit) Later(trials []percuss.Trial, answers percuss.Answers) Later {
	var l Later
	for _, t := range trials {
		switch {
		case strings.HasSuffix(t.ID, LettersSuffix):
		case !t.Fired && t.Why == waits:
			l.Texts++
			l.Letters++
		case t.Request == nil:
		default:
			// With the text there, its letters are among the trials already, or will not be asked for.
			if _, ok := answers.Answer(t.Request.Key()); !ok {
				l.Letters++
			}
		}
	}
	if a.o.Answer == Text {
		l.Letters = 0
	}
	return l
}
