package chain

import (
	"slices"

	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// ruleAnalysis is analysis 4: does the chain register an edit, by the token rule, by its wider form and by each judge, and
// how do they compare with people and with each other?
type ruleAnalysis struct {
	families map[string]string                // of the operators of the joint table, by their id
	rules    []updateRule                     // as they stand side by side
	rows     map[cellName]map[string][]uint16 // by item: counts of its trials, in little room, for all are there to the end
	row      sums                             // room that is used again and again
	human    sightings[updateTrial]           // the trials that labels are of
	found    ruled                            // once the analyses are made
}

// cellName names a cell.
type cellName struct{ variant, model, set string }

// updateRule is one way to say whether a chain registers an edit.
type updateRule struct {
	id, name string
	judge    bool
}

// updateTrial is what the rules say of one trial, in their order.
type updateTrial struct {
	family string
	says   []Says
}

func newRuleAnalysis(o Options) *ruleAnalysis {
	a := &ruleAnalysis{families: map[string]string{}, rows: map[cellName]map[string][]uint16{}, human: sight[updateTrial](o.Labels, TaskUpdate),
		rules: []updateRule{{id: rules[0], name: "Token rule"}, {id: rules[1], name: "Inflected rule"}}}
	l := newLayout(o.Battery, o.Stem)
	for i, op := range l.ops {
		if op.Block == battery.M && l.registers(i) {
			a.families[op.ID] = op.Family
		}
	}
	for _, j := range o.Judges {
		a.rules = append(a.rules, updateRule{id: j.ID, name: "Judge " + j.ID, judge: true})
	}
	return a
}

// says is what the rules say of a trial.
func (a *ruleAnalysis) says(t OperatorTrial) []Says {
	out := make([]Says, len(a.rules))
	said := func(defined, update bool) Says {
		switch {
		case !defined:
			return SaysNothing
		case update:
			return SaysUpdated
		}
		return SaysNotUpdated
	}
	out[0], out[1] = said(t.Rule, t.Token), said(t.Rule, t.Inflected)
	for i, r := range a.rules[2:] {
		v, _ := verdictOf(t, r.id)
		out[2+i] = said(v.Says == SaysUpdated || v.Says == SaysNotUpdated, v.Says == SaysUpdated)
	}
	return out
}

// verdictOf is what a judge said of a trial.
func verdictOf(t OperatorTrial, judge string) (Verdict, bool) {
	i := slices.IndexFunc(t.Judged, func(v Verdict) bool { return v.Judge == judge })
	if i < 0 {
		return Verdict{}, false
	}
	return t.Judged[i], true
}

// The columns of a rule in an item's row: numbers of trials whose answer can be compared with the baseline's.
const (
	ruleSays    = iota // the rule says something
	ruleUpdate         // and that is "updated"
	ruleCDR            // neither update nor flip
	ruleMissing        // the rule says nothing
	ruleCut            // of these, the judge's reply was cut at its token limit
	ruleForm           // of these, it is complete and in another form
	ruleAgain          // a judge was asked a second time
	ruleColumns
)

// The columns of two rules: how often they meet, over the trials of which both say something.
const (
	pairBoth   = iota // both say "updated"
	pairFirst         // the first one alone
	pairSecond        // the second one alone
	pairNeither
	pairLess1 // trials of which the first alone says nothing
	pairLess2 // the second alone
	pairLess  // both
	pairCDR1  // of the trials of which both say something: neither update by the first rule nor flip
	pairCDR2  // by the second
	pairColumns
)

// pairs are the rules two by two.
func (a *ruleAnalysis) pairs() [][2]int {
	var out [][2]int
	for i := range a.rules {
		for j := i + 1; j < len(a.rules); j++ {
			out = append(out, [2]int{i, j})
		}
	}
	return out
}

// width is that of a row.
func (a *ruleAnalysis) width() int { return len(a.rules)*ruleColumns + len(a.pairs())*pairColumns }

// pairColumn is the place of a column of the n-th pair.
func (a *ruleAnalysis) pairColumn(n, what int) int {
	return len(a.rules)*ruleColumns + n*pairColumns + what
}

// add implements analyser.
func (a *ruleAnalysis) add(r Record) {
	a.row = zeros(a.row, a.width())
	for _, t := range r.Operators {
		family, ok := a.families[t.ID]
		if !ok || !t.Edit.Fired {
			continue
		}
		said := a.says(t)
		a.human.see(r, t.ID, func() updateTrial { return updateTrial{family, said} })
		if enters(t) {
			a.enter(a.row, t, said)
		}
	}
	name := cellName{r.Subject.Variant, r.Subject.Model, r.Subject.Set}
	if a.rows[name] == nil {
		a.rows[name] = map[string][]uint16{}
	}
	counts := make([]uint16, len(a.row))
	for i, n := range a.row {
		counts[i] = uint16(n)
	}
	a.rows[name][r.Subject.Item] = counts
}

// enter counts a comparable trial.
func (a *ruleAnalysis) enter(row sums, t OperatorTrial, said []Says) {
	kept := t.Flip == Kept
	for i, s := range said {
		own := row[i*ruleColumns:]
		own[ruleSays] += bit(s != SaysNothing)
		own[ruleUpdate] += bit(s == SaysUpdated)
		own[ruleCDR] += bit(s == SaysNotUpdated && kept)
		own[ruleMissing] += bit(s == SaysNothing)
		v, _ := verdictOf(t, a.rules[i].id)
		own[ruleCut] += bit(v.Why == verdictCut)
		own[ruleForm] += bit(v.Why == verdictForm)
		own[ruleAgain] += bit(a.rules[i].judge && v.Asked > 1)
	}
	for n, p := range a.pairs() {
		meet(row[a.pairColumn(n, 0):], said[p[0]], said[p[1]], kept)
	}
}

// meet counts a comparable trial for two rules.
func meet(own sums, x, y Says, kept bool) {
	switch {
	case x == SaysNothing && y == SaysNothing:
		own[pairLess]++
		return
	case x == SaysNothing:
		own[pairLess1]++
		return
	case y == SaysNothing:
		own[pairLess2]++
		return
	}
	first, second := x == SaysUpdated, y == SaysUpdated
	own[pairBoth] += bit(first && second)
	own[pairFirst] += bit(first && !second)
	own[pairSecond] += bit(second && !first)
	own[pairNeither] += bit(!first && !second)
	own[pairCDR1] += bit(!first && kept)
	own[pairCDR2] += bit(!second && kept)
}

// meetings are the columns of two rules over the trials of which both say something.
func (a *ruleAnalysis) meetings(n int) []int {
	return []int{a.pairColumn(n, pairBoth), a.pairColumn(n, pairFirst), a.pairColumn(n, pairSecond), a.pairColumn(n, pairNeither)}
}

// samples are the rows of some cells, along the items of their sets.
func (a *ruleAnalysis) samples(s *summary, cells []*cell) []stat.Sample {
	var out []stat.Sample
	for _, c := range cells {
		rows := map[string][]float64{}
		for id, counts := range a.rows[cellName{c.variant, c.model, c.set}] {
			rows[id] = make(sums, len(counts))
			for i, n := range counts {
				rows[id][i] = float64(n)
			}
		}
		out = append(out, sample(c.set, s.items[c.set], rows, a.width()))
	}
	return out
}
