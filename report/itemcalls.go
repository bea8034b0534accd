package report

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// callRow is one call of an item.
type callRow struct {
	Trial            string
	Outcome          percuss.Outcome
	Detail, Reported string
	Usage            percuss.Usage
	Given            string // how a beginning was given
	Key              percuss.Key
	Href             string // where request and answer are shown; empty: nowhere, as nothing is stored before an answer comes
}

// calls lists the requests of an item, with the address that raw gives each; it may be nil. A request that two trials share
// is listed with both.
func calls(it Item, raw func(percuss.Key) string) []callRow {
	var out []callRow
	for _, t := range it.Trials {
		if t.Request == nil {
			continue
		}
		r := callRow{Trial: t.ID, Key: t.Key(), Outcome: percuss.Failed, Detail: "no answer is stored"}
		if a, ok := answerTo(it, t); ok {
			if raw != nil {
				r.Href = raw(r.Key)
			}
			r.Outcome, r.Detail, r.Reported, r.Usage = a.Outcome, a.Detail, a.Reported, a.Usage
			switch {
			case a.Continued == percuss.Continues:
				r.Given = "continued"
			case a.Continued == percuss.Quotes || quoted(t):
				r.Given = "quoted"
			}
		}
		out = append(out, r)
	}
	return out
}

func answerTo(it Item, t percuss.Trial) (percuss.Answer, bool) {
	if t.Request == nil || it.Answers == nil {
		return percuss.Answer{}, false
	}
	return it.Answers.Answer(t.Key())
}

// scoreTable holds the log-probabilities of the letters: the baseline's and, below, those after each edit.
type scoreTable struct {
	Labels []string
	Rows   []scoreRow
	of     map[string][]percuss.LetterScore // by the trial that they were read after
}

type scoreRow struct {
	Trial string
	Cells []scoreCell
}

// scoreCell is one letter. Change is the difference to the baseline, in nats.
type scoreCell struct {
	Value, Change string
	Best          bool
}

// scores gathers the letters of all trials that have some; no rows when none has.
func scores(it Item) scoreTable {
	t := scoreTable{Labels: it.Subject.Question.Labels(), of: map[string][]percuss.LetterScore{}}
	before := map[string]percuss.LetterScore{}
	for _, trial := range it.Trials {
		a, ok := answerTo(it, trial)
		if !ok || len(a.Letters) == 0 {
			continue
		}
		name, own := readAfter(trial.ID), byLetter(a.Letters)
		t.of[name] = a.Letters
		if name == chain.BaseTrial {
			before = own
		}
		best, _, _ := a.Best()
		row := scoreRow{Trial: name}
		for _, label := range t.Labels {
			c := newScore(own[label], before[label], name == chain.BaseTrial)
			c.Best = best == label
			row.Cells = append(row.Cells, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// newScore formats a letter. A bound has no change: the real value is not known.
func newScore(own, before percuss.LetterScore, isBase bool) scoreCell {
	c := scoreCell{Value: fixed(own.LogProb, 2)}
	if own.Censored && own.LogProb.OK() {
		c.Value = "≤ " + c.Value
	}
	v, ok := own.LogProb.Get()
	was, had := before.LogProb.Get()
	if isBase || !ok || !had || own.Censored || before.Censored {
		return c
	}
	c.Change = fixed(percuss.Num(v-was), 2)
	if v > was && c.Change != "0.00" {
		c.Change = "+" + c.Change
	}
	return c
}
