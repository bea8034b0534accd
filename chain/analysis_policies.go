package chain

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// policies are what fixed rules would score on the items of the run, computed without a model.
type policies struct {
	l       layout
	margin  float64
	items   map[string]map[string]policyItem // by data set, then item
	right   map[cellID]map[string]bool       // by item with a baseline answer: whether it is right
	repeats map[cellID]sums                  // of a model that repeats its baseline whatever is edited
	scores  []policyScore
	trials  []OperatorTrial // of the record made last; their room is used again and again
}

// policyItem is what a policy sees of an item: no text, and the edits that fired on it.
type policyItem struct {
	gold, longest string
	options       int
	acute         []string // labels
	fired         []bool   // by operator: it fired for some model
}

func newPolicies(a *Audit) *policies {
	return &policies{l: newLayout(a.o.Battery, a.o.Stem), margin: a.o.margin(), items: map[string]map[string]policyItem{},
		right: map[cellID]map[string]bool{}, repeats: map[cellID]sums{}}
}

func (p *policies) add(r Record) {
	if r.Options == 0 { // a question with a number for an answer has no letters to stick to
		return
	}
	set, at := r.Subject.Set, cellOfSubject(r.Subject)
	if p.items[set] == nil {
		p.items[set] = map[string]policyItem{}
	}
	it, known := p.items[set][r.Subject.Item]
	if !known {
		it = policyItem{gold: r.Gold, longest: r.Longest, options: r.Options, fired: make([]bool, len(p.l.ops))}
		if r.Acute != "" {
			it.acute = strings.Split(r.Acute, ",")
		}
		p.items[set][r.Subject.Item] = it
	}
	own := it // the edits that fired for this model
	own.fired = make([]bool, len(p.l.ops))
	for _, t := range r.Operators {
		if i, has := p.l.index[t.ID]; has && t.Edit.Fired {
			it.fired[i], own.fired[i] = true, true
		}
	}
	if p.right[at] == nil {
		p.right[at] = map[string]bool{}
	}
	if r.Base.State == Read {
		p.right[at][r.Subject.Item] = r.Base.Correct
	}
	p.repeats[at] = plus(p.repeats[at], p.l.row(p.answers(own, r.Base), nil))
}

// answers is the record of an item under a policy that gives one answer whatever is asked. It holds until the next one.
func (p *policies) answers(it policyItem, base Reading) Record {
	r := Record{Gold: it.gold, Options: it.options, Base: base, Direct: Reading{State: NotFired}, Operators: p.trials[:0]}
	flip := NoFlip
	if base.State == Read {
		flip = Kept
	}
	for i, fired := range it.fired {
		if fired {
			r.Operators = append(r.Operators, OperatorTrial{ID: p.l.ops[i].ID, Edit: battery.Edit{Fired: true}, Reading: base, Flip: flip,
				Rule: registering(p.l.ops[i])})
		}
	}
	p.trials = r.Operators
	return r
}

// fixed is the row of an item under a policy that always gives one label.
func (p *policies) fixed(it policyItem, label string) []float64 {
	return p.l.row(p.answers(it, Reading{State: Read, Via: ViaText, Answer: label, Correct: label == it.gold, Acute: slices.Contains(it.acute, label)}), nil)
}

// random is the expected row of an item under a policy that draws a label anew for every reply. It never shows a trace of
// an edit.
func (p *policies) random(it policyItem) []float64 {
	row := p.fixed(it, it.gold)
	k, a := float64(it.options), float64(len(it.acute))
	hit := 1 / k
	miss, within := a/k*(1-a/k), (a*a+(k-a)*(k-a))/(k*k)-hit
	truncations := 0
	for i, fired := range it.fired {
		if !fired {
			continue
		}
		own := row[column(i, 0):column(i+1, 0)]
		own[opFlip], own[opRight], own[opPairBase], own[opPairRight] = 1-hit, hit, hit, hit
		own[opMiss], own[opFalseAlarm], own[opSameClass] = miss, miss, within
		truncations += int(bit(p.l.ops[i].Family == "F1"))
	}
	row[colBaseRight], row[colM2Right] = hit, hit*row[colM2Base]
	row[colKept] = 1 - math.Pow(1-hit, float64(truncations))
	row[colToken], row[colInflected] = hit*row[colRule], hit*row[colRule]
	return row
}

// policyFigures are the figures that policies are scored by. Those of the joint table pool the trials of all data sets.
var policyFigures = [...]struct{ id, scope, head string }{
	{"acc", "", "Accuracy"}, {"afr_d", "F", "AFR_D, chain"}, {"afr_d", "M", "AFR_D, question"}, {"afr_p", "F", "AFR_P, chain"},
	{"afr_p", "M", "AFR_P, question"}, {"fcs", "F", "FCS, chain"}, {"fcs", "M", "FCS, question"}, {"fcs", "all", "FCS, all"},
	{"ecr", "", "ECR"}, {"cdr", "", "CDR"}, {"chs", "", "CHS"}, {"dfg", "", "DFG"}, {"mfc", "", "MFC"},
}

// policyScore is what one policy scores.
type policyScore struct {
	name   string
	model  string // that it repeats the baseline of
	letter func(set string, it policyItem) (label string, random bool)
	values []percuss.Number
	items  int
	// expected: the values are those of expected counts, so that a spread, which chance alone makes wider than it is in
	// expectation, is too small.
	expected bool
}

// rules are the policies that need no model.
func (p *policies) rules() []policyScore {
	commonest := map[string]string{}
	for set, items := range p.items {
		counts := map[string]int{}
		for _, it := range items {
			counts[it.gold]++
		}
		for _, label := range slices.Sorted(maps.Keys(counts)) {
			if best, ok := commonest[set]; !ok || counts[label] > counts[best] {
				commonest[set] = label
			}
		}
	}
	return []policyScore{
		{name: "always A", letter: func(string, policyItem) (string, bool) { return "A", false }},
		{name: "commonest letter of the keys", letter: func(set string, _ policyItem) (string, bool) { return commonest[set], false }},
		{name: "random letter, in expectation", expected: true, letter: func(string, policyItem) (string, bool) { return "", true }},
		{name: "longest option", letter: func(_ string, it policyItem) (string, bool) { return it.longest, false }},
	}
}

// chance is how likely a policy is to answer an item rightly.
func (x policyScore) chance(set string, it policyItem) float64 {
	label, random := x.letter(set, it)
	if random {
		return 1 / float64(it.options)
	}
	return bit(label == it.gold)
}

// score scores the policies on the items of some data sets.
func (p *policies) score(s *summary, sets []string) []policyScore {
	out := p.rules()
	for i := range out {
		var bySet []sums
		for _, set := range sets {
			var total sums
			for _, id := range slices.Sorted(maps.Keys(p.items[set])) {
				it := p.items[set][id]
				label, random := out[i].letter(set, it)
				row := p.fixed(it, label)
				if random {
					row = p.random(it)
				}
				total = plus(total, row)
				out[i].items++
			}
			if total != nil {
				bySet = append(bySet, total)
			}
		}
		out[i].values = p.figures(s, bySet)
	}
	return out
}

// repeated scores a model that repeats its baseline whatever is edited.
func (p *policies) repeated(s *summary, m *model) policyScore {
	out := policyScore{name: fmt.Sprintf("repeat the baseline of %s, %s", m.group.Model, m.group.Variant), model: m.group.Model}
	var bySet []sums
	for _, c := range m.cells {
		if total := p.repeats[c.id()]; total != nil {
			bySet = append(bySet, total)
			out.items += len(p.right[c.id()])
		}
	}
	out.values = p.figures(s, bySet)
	return out
}

// figures are the values of policyFigures: the mean of the data sets, as a model's are.
func (p *policies) figures(s *summary, bySet []sums) []percuss.Number {
	ecr := make([]percuss.Number, len(bySet))
	for i, total := range bySet {
		ecr[i] = quotient(total[colKept], total[colAsked])
	}
	figures := make([][]figure, len(bySet))
	updates, rules := 0.0, 0.0
	for j, total := range bySet {
		figures[j] = p.l.figures(s.w, gate{cell: withheld(ecr[j]), means: withheld(mean(ecr...)), aside: aside(total, bySet)})
		updates, rules = updates+total[colToken], rules+total[colRule]
	}
	out := make([]percuss.Number, len(policyFigures))
	for i, f := range policyFigures {
		switch f.id {
		case "cdr": // it pools the trials of the data sets
			out[i] = quotient(updates, rules)
		case "mfc":
			out[i] = s.w.overSets(figures, bySet, inMeans, f.scope)
		case "dfg":
			out[i] = s.w.overSets(figures, bySet, headlineGap, f.scope)
		default:
			out[i] = s.w.overSets(figures, bySet, f.id, f.scope)
		}
	}
	return out
}
