package run

import (
	"github.com/percuss/percuss"
)

// Part is the progress of one model on one data set. The counts of requests and the cost are of this process.
type Part struct {
	Model    string  `json:"model"` // its id
	Set      string  `json:"set"`
	Judging  bool    `json:"judging,omitempty"` // it is asked about what others said
	Subjects int     `json:"subjects"`          // in all
	Done     int     `json:"done"`              // finished ones
	Before   int     `json:"before"`            // of these, those that an earlier process had finished
	Asked    int     `json:"asked"`             // requests that were put
	Answered int     `json:"answered"`
	Failed   int     `json:"failed"` // after the allowed attempts, of finished subjects
	Cost     float64 `json:"cost"`   // in the currency of the prices; 0 without any
	Open     Work    `json:"open"`   // of these counts, those of subjects at work

	// Waiting is the message of the latest attempt, when it failed.
	Waiting string `json:"waiting,omitempty"`
}

// Work counts what was done for subjects that are not finished.
type Work struct {
	Subjects int     `json:"subjects"`
	Asked    int     `json:"asked"`
	Answered int     `json:"answered"`
	Cost     float64 `json:"cost"`
}

// aheadUnknown is what answered requests of the first subjects count: how many more come is not known, for edits of a chain
// come after the chain.
const aheadUnknown = 0.5

// Share is how much of the part is done, from 0 to 1: finished subjects, and of those at work what was answered of as many
// requests as a finished one took. It is an estimate, and may fall when a subject takes more than the ones before.
func (p Part) Share() float64 {
	if p.Subjects == 0 {
		return 1
	}
	open, ahead := p.Open, 0.0
	if open.Asked > 0 && open.Subjects > 0 {
		ahead = float64(open.Answered) / float64(open.Asked) // a share of what was put
		if here := p.Done - p.Before; here == 0 {
			ahead *= aheadUnknown
		} else if settled := p.Asked - open.Asked; settled > 0 {
			took := float64(settled) / float64(here) * float64(open.Subjects)
			ahead = min(ahead, float64(open.Answered)/took)
		}
	}
	return min(1, (float64(p.Done)+ahead*float64(open.Subjects))/float64(p.Subjects))
}

// leastPriced is how many finished subjects it takes to say what the others will cost.
const leastPriced = 3

// Expected is what the part will have cost this process in the end, were all subjects like those that it finished. It is
// missing before three are.
func (p Part) Expected() percuss.Number {
	here, left := p.Done-p.Before, p.Subjects-p.Before
	switch {
	case left == here:
		return percuss.Num(p.Cost)
	case here < leastPriced:
		return percuss.Number{}
	}
	return percuss.Num(max(p.Cost, (p.Cost-p.Open.Cost)/float64(here)*float64(left)))
}

// partOf names a part.
type partOf struct {
	model, set string
	judging    bool
}

// partsOf are the parts of a run in its order, judges last.
func (l *Loop) partsOf() (parts []Part, at map[partOf]int) {
	at = map[partOf]int{}
	add := func(of partOf) {
		i, ok := at[of]
		if !ok {
			i = len(parts)
			at[of], parts = i, append(parts, Part{Model: of.model, Set: of.set, Judging: of.judging})
		}
		parts[i].Subjects++
	}
	for _, s := range l.Subjects {
		add(partOf{s.Model, s.Set, false})
	}
	for _, j := range l.Judges {
		for _, s := range l.Subjects {
			if s.Identity != j.Identity {
				add(partOf{j.ID, s.Set, true})
			}
		}
	}
	return parts, at
}
