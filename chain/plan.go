package chain

import (
	"strings"

	"github.com/percuss/percuss"
)

// Later is what a subject may still ask beyond the requests of its trials, once their answers are there: upper bounds.
type Later struct {
	Texts   int            // continuations of edited chains
	Letters int            // readings of letters after a text, those for the margin alone included
	Judged  map[string]int // verdicts, by judge, those asked for once more included
}

// Later bounds what comes after the given trials of a subject and the answers that there are. A chain that is too
// short for an edit, and a reply whose answer was read, ask for less. Letters that the back-end cannot give are not
// counted.
func (a *Audit) Later(s percuss.Subject, trials []percuss.Trial, answers percuss.Answers) Later {
	l := Later{Judged: map[string]int{}}
	scored := cannotScore(a.o.Can[s.Model], s.Question) == ""
	for _, t := range trials {
		id, part, _ := strings.Cut(t.ID, "/")
		answered := false
		if t.Request != nil {
			_, answered = answers.Answer(t.Key())
		}
		switch judge, ofJudge := JudgeOf(t.ID); {
		case ofJudge && !answered && !strings.HasSuffix(t.ID, repairSuffix):
			l.Judged[judge]++ // it may have to be asked to say it once more
		case part != "":
		case waiting(t):
			l.Texts++
			l.Letters += a.letters(id, scored)
		case t.Request != nil && !answered:
			// With the text there, what follows it is among the trials already, or will not be asked for.
			l.Letters += a.letters(id, scored)
			if op, ok := a.o.Battery.Operator(id); ok && judges(op) {
				for _, j := range a.o.Judges {
					l.Judged[j.ID] += 2
				}
			}
		}
	}
	return l
}

// letters is how many readings of letters may follow a text, of a question whose letters can be scored or not.
func (a *Audit) letters(id string, scored bool) int {
	if !scored || a.o.Answer == Text && !(a.o.Margins && (id == BaseTrial || OfOperator(id))) {
		return 0
	}
	return 1
}
