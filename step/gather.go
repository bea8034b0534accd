package step

import (
	"iter"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// cell gathers what the tables need of one model on one data set under one prompt.
type cell struct {
	subject   percuss.SubjectID // of the first record
	domain    string
	given     bool
	rows      *stat.Rows // a row an item: see the columns below
	ballots   []stat.Ballot
	forecasts []stat.Forecast
	several   bool // an item has more than one vote
	states    map[State]int
	outcomes  map[percuss.Outcome]int
	repeated  int // records of an item that was there already
	kinds     map[traceID]map[Says]int
	seen      []seenStep // what was judged under the first view
}

// traceID names what a judge said under a view.
type traceID struct{ judge, view string }

// key is the beginning of the trace's columns.
func (t traceID) key() string { return t.judge + "\x00" + t.view + "\x00" }

// seenStep is a step that was judged under the first view.
type seenStep struct {
	item        string
	chain, step int // from 1
	correct     bool
	words       int
	hedged      bool
	checks      Checks
	says, again []Says // by judge
	features    []uint16
	raw         []uint16
}

// The columns of a cell's rows that are no trace's. Those of a trace have its key before them.
const (
	colRight   = "right"   // chains with the right answer
	colRead    = "read"    // chains with an answer
	colChains  = "chains"  // chains that were answered
	colTokens  = "tokens"  // generated, over the chains whose count is known
	colCounted = "counted" // those chains
	colWords   = "words"   // over chains with a text
	colTexts   = "texts"   // chains with a text
	colSteps   = "steps"   // of them, under the first view
	colHedged  = "hedged"  // steps
	colSums    = "sums"    // calculations in steps
	colWrong   = "wrong"   // whose result is another
	colNumbers = "numbers" // in steps
	colNew     = "new"     // from nowhere
	colStated  = "stated"  // mentions of age, sex or side
	colOther   = "other"   // that contradict the question

	colErrors  = "errors"  // steps that a judge calls an error
	colJudged  = "judged"  // steps that it calls correct or an error
	colAsked   = "asked"   // steps that it was to judge, blank ones included
	colAbstain = "abstain" // steps without a claim, blank ones included
	colMissing = "missing" // steps without a verdict
	colFaulty  = "faulty"  // chains with at least one error
	colSeen    = "seen"    // chains with at least one step that is correct or an error
	colPlace   = "place"   // sum of the places of the first errors, 0 to 1
)

// gather reads the records into their cells, in the order in which the cells first appear.
func (a *Audit) gather(records iter.Seq[percuss.Record]) []*cell {
	type key struct{ variant, model, set string }
	var out []*cell
	index := map[key]*cell{}
	for record := range records {
		r, ok := record.(Record)
		if !ok {
			continue
		}
		k := key{r.Subject.Variant, r.Subject.Model, r.Subject.Set}
		c := index[k]
		if c == nil {
			c = &cell{subject: r.Subject, domain: r.Domain, rows: stat.NewRows(), states: map[State]int{}, outcomes: map[percuss.Outcome]int{}, kinds: map[traceID]map[Says]int{}}
			index[k] = c
			out = append(out, c)
		}
		c.add(a, r)
	}
	return out
}

// add enters a record. An item that is already there is counted, not entered again.
func (c *cell) add(a *Audit, r Record) {
	item := r.Subject.Item
	if c.rows.Has(item) {
		c.repeated++
		return
	}
	c.rows.Touch(item)
	c.given = c.given || r.Given
	answers := make([]string, len(r.Chains))
	for i, ch := range r.Chains {
		c.states[ch.State]++
		if ch.State != NoCall {
			c.outcomes[ch.Outcome]++
			c.rows.Add(item, colChains, 1)
			if ch.Tokens > 0 { // a log that counts none has 0 here
				c.rows.Add(item, colTokens, float64(ch.Tokens))
				c.rows.Add(item, colCounted, 1)
			}
		}
		if ch.State == Read {
			answers[i] = ch.Answer
			c.rows.Add(item, colRead, 1)
			c.rows.Add(item, colRight, bit(ch.Correct))
		}
		for at, v := range ch.Views {
			if at == 0 {
				c.surface(item, ch, v)
			}
			c.trace(a, item, i+1, at, ch, v)
		}
	}
	if r.Gold == "" || len(r.Chains) == 0 {
		return
	}
	c.ballots = append(c.ballots, stat.Ballot{Item: item, Gold: r.Gold, Answers: answers})
	c.several = c.several || c.rows.Of(item, colRead) > 1
	winner, share, tied := stat.Vote(answers)
	if len(tied) > 0 {
		winner = stat.BreakTie(tied, a.o.Seed, item)
	}
	if v, ok := share.Get(); ok {
		c.forecasts = append(c.forecasts, stat.Forecast{Item: item, Confidence: v, Correct: winner == r.Gold})
	}
}

// surface counts what can be seen of a chain's steps without a judge.
func (c *cell) surface(item string, ch Chain, v Viewed) {
	c.rows.Add(item, colTexts, 1)
	c.rows.Add(item, colWords, float64(ch.Words))
	for _, s := range v.Steps {
		c.rows.Add(item, colSteps, 1)
		c.rows.Add(item, colHedged, bit(s.Hedged))
		for _, n := range []struct {
			column string
			n      int
		}{{colSums, s.Checks.Sums}, {colWrong, s.Checks.WrongSums}, {colNumbers, s.Checks.Numbers}, {colNew, s.Checks.NewNumbers}, {colStated, s.Checks.Stated}, {colOther, s.Checks.Contradicts}} {
			if n.n > 0 {
				c.rows.Add(item, n.column, float64(n.n))
			}
		}
	}
}

// trace counts what the judges said of a chain's steps under one view.
func (c *cell) trace(a *Audit, item string, n, at int, ch Chain, v Viewed) {
	asked := 0 // blank steps stand among those that were judged; behind the last of them nothing was asked
	for i, s := range v.Steps {
		if len(s.Says) > 0 {
			asked = i + 1
		}
	}
	every := n <= min(a.o.Judged, a.o.Control)
	for j, judge := range a.o.Judges {
		t := traceID{judge.ID, v.View}
		first, claims := -1, 0
		for i, s := range v.Steps[:asked] {
			said := Abstain
			if !s.Blank && j < len(s.Says) {
				said = s.Says[j].Says
			}
			c.said(item, t, said, parts(ch, s, every, i, asked))
			if said.Judges() {
				claims++
			}
			if said.IsError() && first < 0 {
				first = i
			}
		}
		if claims > 0 {
			c.rows.Add(item, t.key()+colSeen, 1)
		}
		if first >= 0 {
			c.rows.Add(item, t.key()+colFaulty, 1)
			c.rows.Add(item, t.key()+colPlace, place(first, asked))
		}
	}
	if at == 0 {
		for i, s := range v.Steps[:asked] {
			if len(s.Says) > 0 {
				c.seen = append(c.seen, seenStep{item: item, chain: n, step: i + 1, correct: ch.State == Read && ch.Correct, words: s.Words, hedged: s.Hedged,
					checks: s.Checks, says: saysOf(s.Says), again: saysOf(s.Again), features: s.Features, raw: s.Raw})
			}
		}
	}
}

// said counts one verdict on a step of some parts.
func (c *cell) said(item string, t traceID, said Says, in []string) {
	key := t.key()
	c.rows.Add(item, key+colAsked, 1)
	if c.kinds[t] == nil {
		c.kinds[t] = map[Says]int{}
	}
	c.kinds[t][said]++
	switch {
	case said == Abstain:
		c.rows.Add(item, key+colAbstain, 1)
	case said == Missing:
		c.rows.Add(item, key+colMissing, 1)
	}
	if !said.Judges() {
		return
	}
	for _, part := range in {
		c.rows.Add(item, key+part+colJudged, 1)
		if said.IsError() {
			c.rows.Add(item, key+part+colErrors, 1)
		}
	}
}

// Parts of the judged steps that are looked at by themselves; empty: all of them.
const (
	partRight  = "right\x00"  // of chains with the right answer
	partWrong  = "wrong\x00"  // with another
	partShort  = "short\x00"  // steps of at most shortStep words
	partMiddle = "middle\x00" // of more, up to longStep
	partLong   = "long\x00"   // of more than that
	partEvery  = "every\x00"  // of chains that are judged under every view
	partFirst  = "first\x00"  // in the first third of a chain of at least three steps
	partSecond = "second\x00" // in the second
	partThird  = "third\x00"  // in the last
)

// shortStep and longStep part steps by their words, as they were written.
const shortStep, longStep = 12, 25

// parts are the parts that a judged step, the i-th of so many, belongs to; every says that its chain is judged under all views.
func parts(ch Chain, s Step, every bool, i, of int) []string {
	out := []string{"", partMiddle}
	switch {
	case s.Words <= shortStep:
		out[1] = partShort
	case s.Words > longStep:
		out[1] = partLong
	}
	if ch.State == Read {
		out = append(out, map[bool]string{true: partRight, false: partWrong}[ch.Correct])
	}
	if every {
		out = append(out, partEvery)
	}
	if of >= 3 {
		out = append(out, [...]string{partFirst, partSecond, partThird}[3*i/of])
	}
	return out
}

// place is where a step stands among so many, from 0, the first, to 1, the last.
func place(i, of int) float64 {
	if of < 2 {
		return 0
	}
	return float64(i) / float64(of-1)
}

func saysOf(all []Verdict) []Says {
	var out []Says
	for _, v := range all {
		out = append(out, v.Says)
	}
	return out
}

func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// traces are what the cell's judges said, by judge and then by view, in the order of the specification.
func (c *cell) traces(a *Audit) []traceID {
	var out []traceID
	for _, j := range a.o.Judges {
		for _, v := range a.o.Views {
			if t := (traceID{j.ID, v.ID}); c.kinds[t] != nil {
				out = append(out, t)
			}
		}
	}
	return slices.Clip(out)
}
