package chain

import (
	"fmt"
	"math"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// The slow way: figures straight from the records, by other loops than the columns of the tables.

// slow is the records of one model on one data set.
type slow []Record

// trials calls do for each trial of some operators that enters the rates.
func (s slow) trials(match func(battery.Operator) bool, do func(r Record, t OperatorTrial)) {
	for _, op := range paperBattery().Operators {
		if !match(op) {
			continue
		}
		for _, r := range s {
			for _, t := range r.Operators {
				if t.ID == op.ID && t.Edit.Fired && (t.Flip == Kept || t.Flip == Flipped) {
					do(r, t)
				}
			}
		}
	}
}

// afr is the mean flip rate of the operators that match; NaN where none has a trial.
func (s slow) afr(match func(battery.Operator) bool) float64 {
	flips, all := map[string]float64{}, map[string]float64{}
	s.trials(match, func(_ Record, t OperatorTrial) {
		all[t.ID]++
		if t.Flip == Flipped {
			flips[t.ID]++
		}
	})
	sum := 0.0
	for id, n := range all {
		sum += flips[id] / n
	}
	return sum / float64(len(all))
}

// fcs is FCS of some blocks without a family.
func (s slow) fcs(blocks, without string) float64 {
	of := func(intent battery.Intent) float64 {
		return s.afr(func(op battery.Operator) bool {
			return strings.Contains(blocks, string(op.Block)) && op.Family != without && op.Intent == intent
		})
	}
	return 0.5*of("D") + 0.5*(1-of("P"))
}

// chs is the mean over M3, M4 and M5 of the mean weight of their trials.
func (s slow) chs(w [3]float64) float64 {
	sum, families := 0.0, 0.0
	for _, family := range []string{"M3", "M4", "M5"} {
		load, n := 0.0, 0.0
		s.trials(func(op battery.Operator) bool { return op.Family == family }, func(r Record, t OperatorTrial) {
			n++
			switch {
			case t.Flip == Kept:
			case r.Base.Answer == "A": // the one high-acuity option; a flip leaves it
				load += w[0]
			case t.Reading.Answer == "A":
				load += w[1]
			default:
				load += w[2]
			}
		})
		if n > 0 {
			sum, families = sum+load/n, families+1
		}
	}
	return sum / families
}

// drawn are 4 models on 2 data sets of 12 items, with chains of different length, drawn once.
func drawn() (records []Record, by map[string]slow) {
	b := paperBattery()
	by = map[string]slow{}
	rng := percuss.Rand(11, "", "", "sensitivity")
	pick := func(answers ...string) string { return answers[rng.IntN(len(answers))] }
	for m := range 4 {
		for _, set := range []string{"s", "t"} {
			for i := range 12 {
				var edits []edit
				for _, op := range b.Operators {
					if rng.IntN(4) > 0 {
						edits = append(edits, edit{id: op.ID, answer: pick("A", "A", "B", "B", "C", unparsed), token: rng.IntN(3) == 0})
					}
				}
				r := record(set, itoa(i), "A", pick("A", "B"), "", b, edits...)
				r.Subject.Model = fmt.Sprint("m", m)
				r.Base.Words = 50*m + rng.IntN(30)
				records = append(records, r)
				by[r.Subject.Model+" "+set] = append(by[r.Subject.Model+" "+set], r)
			}
		}
	}
	return records, by
}

// ofBoth is the mean of a figure over the two data sets of a model.
func ofBoth(by map[string]slow, m int, of func(slow) float64) float64 {
	return (of(by[fmt.Sprintf("m%d s", m)]) + of(by[fmt.Sprintf("m%d t", m)])) / 2
}

// pearson is the textbook formula.
func pearson(x, y []float64) float64 {
	var sx, sy, sxx, syy, sxy float64
	n := float64(len(x))
	for i := range x {
		sx, sy = sx+x[i], sy+y[i]
		sxx, syy, sxy = sxx+x[i]*x[i], syy+y[i]*y[i], sxy+x[i]*y[i]
	}
	return (n*sxy - sx*sy) / math.Sqrt((n*sxx-sx*sx)*(n*syy-sy*sy))
}

// tau counts concordant less discordant pairs, for values without ties.
func tau(x, y []float64) float64 {
	score, n := 0.0, 0.0
	for i := range x {
		for j := range i {
			score += math.Copysign(1, (x[i]-x[j])*(y[i]-y[j]))
			n++
		}
	}
	return score / n
}

// describedModels are the described models of drawn.
func describedModels() map[string]Described {
	out := map[string]Described{}
	for m, params := range []float64{1e9, 2e9, 8e9} { // the fourth has none
		out[fmt.Sprint("m", m)] = Described{Tier: "general", Params: percuss.Num(params)}
	}
	return out
}
