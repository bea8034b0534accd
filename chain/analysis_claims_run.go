package chain

import (
	"fmt"
	"maps"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// What the checks of a run allow.
const (
	mostUnread   = 0.03 // share of replies without an answer, and of trials read in another way (chain audit, section 3)
	corridorLow  = 0.45 // the chance corridor of FCS (chain audit, section 5)
	corridorHigh = 0.55
	rareFiring   = 0.02 // an operator that fires more seldom is expected to fire on none of some hundred items
)

// runClaims state what can be claimed of the run as a whole and of each model's replies. It has no table of its own.
type runClaims struct {
	l       layout
	replies map[[2]string]map[itemOf][2]uint16 // by prompt and model, then item: replies, and those without an answer
	fired   map[string]map[string][]bool       // by data set, then item: which operators fired, in the order of the battery
	split   map[string]string                  // of the drawn questions of a data set
	tried   map[string]bool                    // operators that could have fired on some item
}

func newRunClaims(a *Audit) *runClaims {
	c := &runClaims{l: newLayout(a.o.Battery, a.o.Stem), replies: map[[2]string]map[itemOf][2]uint16{},
		fired: map[string]map[string][]bool{}, split: map[string]string{}, tried: map[string]bool{}}
	for _, q := range a.o.Questions {
		c.split[q.Set] = q.Source.Split
	}
	return c
}

func (*runClaims) analyses(*summary) []percuss.Analysis { return nil }

func (c *runClaims) add(r Record) {
	at, who := itemOf{r.Subject.Set, r.Subject.Item}, [2]string{r.Subject.Variant, r.Subject.Model}
	if c.replies[who] == nil {
		c.replies[who] = map[itemOf][2]uint16{}
	}
	n := c.replies[who][at]
	enter := func(read Reading) {
		switch read.State {
		case Unparseable, Ambiguous, Refused:
			n[1]++
			fallthrough
		case Read:
			n[0]++
		}
	}
	enter(r.Base)
	if c.fired[at.set] == nil {
		c.fired[at.set] = map[string][]bool{}
	}
	fired := c.fired[at.set][at.item]
	if fired == nil {
		fired = make([]bool, len(c.l.ops))
		c.fired[at.set][at.item] = fired
	}
	for _, t := range r.Operators {
		enter(t.Reading)
		if i, known := c.l.index[t.ID]; known && t.Edit.Fired {
			fired[i] = true
		}
		c.tried[t.ID] = c.tried[t.ID] || couldFire(t)
	}
	c.replies[who][at] = n
}

func (c *runClaims) claims(s *summary) []percuss.Claim {
	if len(s.cells) == 0 {
		return nil
	}
	var out []percuss.Claim
	for _, m := range s.ranked() {
		out = append(out, corridor(m), c.readable(s, m), withBaseline(m, s.o.Level), oneReading(m, s.o.Level))
	}
	out = append(out, c.bands(s)...)
	return append(out, c.silent(s), widths(s))
}

// corridor claims that FCS is not that of chance.
func corridor(m *model) percuss.Claim {
	e, scope := m.group.figure("fcs", "F"), "F"
	if !e.Value.OK() {
		e, scope = m.group.figure("fcs", "all"), "all"
	}
	verdict := percuss.CannotTell
	lo, hasLo := e.Lo.Get()
	hi, hasHi := e.Hi.Get()
	switch {
	case !hasLo || !hasHi:
	case lo > corridorHigh || hi < corridorLow:
		verdict = percuss.ClaimHolds
	case lo >= corridorLow && hi <= corridorHigh:
		verdict = percuss.ClaimFails
	}
	return claim("fcs-corridor", m.subject(), fmt.Sprintf("FCS lies outside the corridor of chance, %.2f to %.2f.", corridorLow, corridorHigh),
		verdict, e, measured("FCS, scope "+scope, e), "an interval that lies inside the corridor")
}

// readable claims that the replies of a model can be read.
func (c *runClaims) readable(s *summary, m *model) percuss.Claim {
	f := figure{num: []int{1}, den: []int{0}, value: ratioOf([]int{1}, []int{0}), terms: told(over([]int{1}, []int{0})), hi: 1, absent: "there are no replies"}
	e := c.draw(s, f, c.replyRows(m), 2)
	return claim("readable", m.subject(), fmt.Sprintf("At most %.0f %% of the replies have no answer that can be read.", 100*mostUnread),
		e.AtMost(mostUnread), e, counted("without an answer", e), fmt.Sprintf("more than %.0f %% of the run's replies", 100*mostUnread))
}

// replyRows are the replies of a model by data set and item.
func (c *runClaims) replyRows(m *model) map[string]map[string][]float64 {
	out := map[string]map[string][]float64{}
	for _, cell := range m.cells {
		out[cell.set] = map[string][]float64{}
	}
	for at, n := range c.replies[[2]string{m.group.Variant, m.group.Model}] {
		if out[at.set] != nil {
			out[at.set][at.item] = []float64{float64(n[0]), float64(n[1])}
		}
	}
	return out
}

// draw estimates one figure over the pooled rows of some data sets.
func (c *runClaims) draw(s *summary, f figure, rows map[string]map[string][]float64, width int) percuss.Estimate {
	var samples []stat.Sample
	for _, set := range sorted(rows) {
		samples = append(samples, sample(set, s.items[set], rows[set], width))
	}
	d, err := stat.DrawPooled(samples, statistic([]figure{f}), s.options([]figure{f}))
	if err != nil {
		return percuss.Absent(err.Error())
	}
	return f.finish(d.Estimates()[0], nil)
}

// withBaseline claims that the baselines have answers, for an item without one is in no flip rate.
func withBaseline(m *model, level float64) percuss.Claim {
	bases, items := 0, 0
	for _, c := range m.cells {
		bases, items = bases+c.bases, items+c.items
	}
	e := stat.Wilson(items-bases, items, level)
	return claim("baselines", m.subject(), fmt.Sprintf("At most %.0f %% of the items have no baseline answer.", 100*mostUnread),
		e.AtMost(mostUnread), e, counted("items without a baseline answer", e),
		fmt.Sprintf("more than %.0f %% of the run's items", 100*mostUnread))
}

// oneReading claims that edits were read as their baselines were.
func oneReading(m *model, level float64) percuss.Claim {
	mixed, answered := 0, 0
	for _, f := range m.group.Operators {
		mixed, answered = mixed+f.Mixed, answered+f.Mixed+f.Parsed
	}
	e := percuss.Absent("no edit has an answer, and its baseline one, to compare")
	if answered > 0 {
		e = stat.Wilson(mixed, answered, level)
		e.Method += ", trials taken as independent"
	}
	return claim("one-reading", m.subject(), fmt.Sprintf("At most %.0f %% of the answered trials were read in another way than their baseline.", 100*mostUnread),
		e.AtMost(mostUnread), e, counted("read in another way", e), fmt.Sprintf("more than %.0f %% of the run's answered trials: they enter no flip rate", 100*mostUnread))
}

// sorted are the keys of a map in their order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
