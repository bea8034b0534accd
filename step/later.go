package step

import "github.com/percuss/percuss"

// Later is what a subject may still be asked beyond the requests of its trials: upper bounds, for a plan.
type Later struct {
	Judged      map[string]int // verdicts, by judge, those asked for once more included
	Paraphrases int
}

// Later bounds what comes after the given trials of a subject and the answers that there are: as many steps of every chain
// as are ever judged.
func (a *Audit) Later(trials []percuss.Trial, answers percuss.Answers) Later {
	l := Later{Judged: map[string]int{}}
	for i := range min(a.o.K, len(trials)) {
		if _, ok := answers.Answer(trials[i].Key()); ok {
			continue // what follows it is among the trials, but for repairs
		}
		for at, v := range a.o.Views {
			if i >= a.chainsUnder(at) {
				continue
			}
			asked := 2 * a.o.Most
			if at == 0 {
				asked += 2 * int(a.o.Repeats*float64(a.o.Most)+1)
			}
			for _, j := range a.o.Judges {
				l.Judged[j.ID] += asked
			}
			if v.Words == Paraphrased && a.o.Neutral != nil {
				l.Paraphrases += a.o.Most
			}
		}
	}
	return l
}

// Judging is a request to a judge about an empty step of an empty question, whose length a plan adds to.
func (a *Audit) Judging(j Model) percuss.Request {
	return a.o.Rubric.Ask(emptyStep, j.Identity, a.o.Seed)
}

// Judges are the models that judge steps, in the order of the specification.
func (a *Audit) Judges() []Model { return a.o.Judges }
