package step

import "github.com/percuss/percuss"

// Later is what a subject may still be asked beyond the requests of its trials: upper bounds, for a plan.
type Later struct {
	Asked map[string]int // by judge, verdicts, those asked for once more included; by the model that paraphrases, steps
}

// Later bounds what comes after the given trials of a subject and the answers that there are: as many steps of every chain
// as are ever judged.
func (a *Audit) Later(_ percuss.Subject, trials []percuss.Trial, answers percuss.Answers) Later {
	l := Later{Asked: map[string]int{}}
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
				l.Asked[j.ID] += asked
			}
			if v.Words == Paraphrased && a.o.Neutral != nil {
				l.Asked[a.o.Neutral.ID] += a.o.Most
			}
		}
	}
	return l
}

// Judging is a request to a judge about an empty step of an empty question, whose length a plan adds to.
func (a *Audit) Judging(j Model) percuss.Request {
	return a.o.Rubric.Ask(emptyStep, j.Identity, a.o.Seed)
}

// Paraphrasing is a request to the neutral model about an empty step.
func (a *Audit) Paraphrasing(n Model) percuss.Request { return a.o.Rubric.Paraphrase("", n.Identity) }

// Neutral is the model that paraphrases steps; nil: there is none.
func (a *Audit) Neutral() *Model { return a.o.Neutral }

// Judges are the models that judge steps, in the order of the specification.
func (a *Audit) Judges() []Model { return a.o.Judges }

// FirstView is the view that figures are told by; empty: there is none.
func (a *Audit) FirstView() string {
	if len(a.o.Views) == 0 {
		return ""
	}
	return a.o.Views[0].ID
}
