package simulated

import (
	"slices"

	"github.com/percuss/percuss"
)

// state is how a request shows a unit of a case.
type state int8

// The states.
const (
	hidden   state = iota // not shown, or its value not specified
	recorded              // shown as the record has it
	flipped               // shown with the contrary value: present where it is recorded absent, or the other way round
)

// plan is what a reasoner makes of one case: the margin of the gold over its rival, in nats, as a function of what is
// shown. Only the gold's score moves, so the interactions of the margin are those that are written here.
type plan struct {
	gold, rival string
	base        float64 // the margin when nothing is shown
	units       []pull  // by unit; the complaint last, where it is a unit
	pair        []int   // two units that count only together; nil: there are none
	together    float64 // what the pair adds
}

// pull is what one unit adds to the margin.
type pull struct{ recorded, flipped float64 }

// The weights of units in nats at scale 1, before they are spread by ±25 %. Each is salient to the audit (0.5 nats).
const (
	symptomWeight    = 1.0
	antecedentWeight = 0.8
	againstWeight    = -0.8 // an absent finding that would support the gold, or a finding of others only
	plantedWeight    = 2.0  // the pair of "and", and the unit that "shortcut" jumps at
	startMargin      = -1.0 // the rival leads while nothing is shown
)

// plan makes the plan of a case. Draws are keyed by what a unit is and not by the case, so that two cases that give
// the same prompt are read alike.
func (p policy) plan(c percuss.Case) plan {
	units := shownUnits(c)
	pl := plan{gold: c.Gold, rival: p.rival(c), units: make([]pull, len(units))}
	if p.kind == letterBias || !c.Candidate(c.Gold) {
		return pl
	}
	pl.base = startMargin * p.scale
	if p.kind == and {
		pl.pair, pl.together = pairOf(c), plantedWeight*p.scale
		return pl
	}
	for i, u := range units {
		spread := p.scale * (0.75 + 0.5*percuss.Rand(p.seed, c.Gold, u.ID, "evidence/weight").Float64())
		if c.Narrative {
			w := p.sentence(c, u) * spread
			pl.units[i] = pull{w, -w}
			continue
		}
		pl.units[i] = pull{p.weight(u, c.Gold, u.Absent) * spread, p.weight(u, c.Gold, !u.Absent) * spread}
	}
	if at := irrelevant(c); p.kind == shortcut && at >= 0 {
		pl.units[at].recorded += plantedWeight * p.scale
	}
	return pl
}

// shownUnits are the units of a case that a prompt can show: its own, and the complaint.
func shownUnits(c percuss.Case) []percuss.Unit {
	if c.Complaint == nil {
		return c.Units
	}
	return append(slices.Clone(c.Units), *c.Complaint)
}

// weight is what a unit says for the gold, present or absent. To a sensible reasoner an absent finding never speaks
// for a diagnosis; absent-as-present does not see the difference.
func (p policy) weight(u percuss.Unit, gold string, absent bool) float64 {
	absent = absent && p.kind != absentAsPresent
	symptom, antecedent := slices.Contains(u.SymptomOf, gold), slices.Contains(u.AntecedentOf, gold)
	switch {
	case absent && (symptom || antecedent):
		return againstWeight
	case absent:
		return 0
	case symptom:
		return symptomWeight
	case antecedent:
		return antecedentWeight
	case len(u.SymptomOf)+len(u.AntecedentOf) > 0:
		return againstWeight
	}
	return 0
}

// sentence is what a sentence of a narrative says for the gold: nothing is known of it, so two of three support it.
func (p policy) sentence(c percuss.Case, u percuss.Unit) float64 {
	if percuss.Rand(p.seed, c.Gold, u.ID, "evidence/sentence").IntN(3) == 0 {
		return againstWeight
	}
	return symptomWeight
}

// rival draws the competitor that leads all others; empty when there is none.
func (p policy) rival(c percuss.Case) string {
	rival, best := "", -1.0
	for _, name := range c.Candidates {
		if v := percuss.Rand(p.seed, c.Gold, name, "evidence/rival").Float64(); name != c.Gold && v > best {
			rival, best = name, v
		}
	}
	return rival
}

// links says what a unit is evidence for.
type links struct{ symptom, antecedent, others, low, specific bool }

// linksOf reads the links with the thresholds that the evidence audit has by default.
func linksOf(c percuss.Case, u percuss.Unit) links {
	l := links{symptom: slices.Contains(u.SymptomOf, c.Gold), antecedent: slices.Contains(u.AntecedentOf, c.Gold)}
	linked, others := 0, 0
	for _, name := range c.Candidates {
		if slices.Contains(u.SymptomOf, name) || slices.Contains(u.AntecedentOf, name) {
			linked++
			if name != c.Gold {
				others++
			}
		}
	}
	l.others = others > 0
	l.low = linked > 0 && 2*linked >= len(c.Candidates)
	l.specific = (l.symptom || l.antecedent) && 4*others <= len(c.Candidates)-1
	return l
}

// pairOf chooses the two units of "and" among those that the audit's default selectors always take: symptoms that are
// specific to the gold, then its antecedents, then its other symptoms; of a narrative the first and the last sentence.
// It is nil when there are not two units.
func pairOf(c percuss.Case) []int {
	if len(c.Units) < 2 {
		return nil
	}
	if c.Narrative {
		return []int{0, len(c.Units) - 1}
	}
	classes := make([][]int, 5)
	for i, u := range c.Units {
		l, class := linksOf(c, u), 4
		switch {
		case u.Absent:
		case l.symptom && l.specific:
			class = 0
		case l.antecedent:
			class = 1
		case l.symptom && l.low:
			class = 2
		case l.symptom:
			class = 3
		}
		classes[class] = append(classes[class], i)
	}
	return slices.Sorted(slices.Values(slices.Concat(classes...)[:2]))
}

// irrelevant chooses the unit of "shortcut": the first present one that is linked to nothing; else one that is linked
// to other candidates only, of low specificity if there is one; else, where everything is linked to the gold (as in
// DDXPlus), its first symptom of low specificity, which the audit's rules call weak support. The last sentence of a
// narrative. It is −1 when there is none.
func irrelevant(c percuss.Case) int {
	if c.Narrative {
		return len(c.Units) - 1
	}
	for _, wanted := range []func(links) bool{
		func(l links) bool { return !l.symptom && !l.antecedent && !l.others },
		func(l links) bool { return !l.symptom && !l.antecedent && l.low },
		func(l links) bool { return !l.symptom && !l.antecedent },
		func(l links) bool { return l.symptom && !l.antecedent && l.low },
	} {
		if i := slices.IndexFunc(c.Units, func(u percuss.Unit) bool { return !u.Absent && wanted(linksOf(c, u)) }); i >= 0 {
			return i
		}
	}
	return -1
}

// margin is the margin of the gold over its rival when the units are in these states.
func (pl plan) margin(states []state) float64 {
	v := pl.base
	for i, u := range pl.units {
		switch states[i] {
		case recorded:
			v += u.recorded
		case flipped:
			v += u.flipped
		}
	}
	if len(pl.pair) == 2 && states[pl.pair[0]] == recorded && states[pl.pair[1]] == recorded {
		v += pl.together
	}
	return v
}
