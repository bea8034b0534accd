package evidence

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss/stat"
)

// From where on a caution is said.
const (
	fewCases   = 30   // scored cases below which intervals are wide and their level is only rough
	fewRepeats = 10   // degrees of freedom below which a floor is rough
	lowMass    = 0.5  // mean probability on the candidates' letters
	manyBounds = 0.05 // share of scores that are bounds, or of cases without the gold's letter
	deepShare  = 0.1  // share of the strength above order 3
)

// cautions are what a reader must know before the tables, the gravest first.
func (c *cell) cautions(out Cell) []string {
	list := []string{}
	say := func(applies bool, format string, args ...any) {
		if applies {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	n := c.cases
	say(n.states[Waiting] > 0, "The run is not complete: answers are missing for %d of %d cases, which are in no table.", n.states[Waiting], n.cases)
	say(n.scored == 0, "No case is scored: there are no interactions to speak of.")
	say(n.scored > 0 && n.scored < fewCases, "Only %d cases are scored: intervals are wide, and the bootstrap's level is only rough below about %d.", n.scored, fewCases)
	say(n.states[Constant] > 0, "In %d of %d cases every candidate has the same score in every prompt: the letters say nothing there.", n.states[Constant], n.cases)
	c.accuracyCautions(out, say)
	mass, ok := out.Mass.Value.Get()
	say(ok && mass < lowMass, "Only %s of the model's probability lies on the candidates' letters, on the mean: it would rather write something else, and margins compare what is left.", percent(mass))
	bounds := float64(n.censored) / max(1, n.scores)
	say(bounds > manyBounds, "About %s of the scores are bounds only, for the back-end returned few letters: margins against such candidates are too small.", percent(bounds))
	say(float64(n.states[Censored]) > manyBounds*float64(max(1, n.cases)), "In %d of %d cases the gold's letter was not among those returned: they are left out, and they are not a random choice.", n.states[Censored], n.cases)
	say(n.sampled > 0, "Scores are smoothed counts of %d drawn letters a prompt, no log-probabilities: read interactions against the noise of such counts.", n.sampled)
	c.floorCautions(out, say)
	nullCaution(out.Gold, say)
	above, ok := out.Above.Value.Get()
	say(ok && above > deepShare, "%s of a case's strength lies above order %d, on the mean: an audit that stops there misses it.", percent(above), depth)
	unmatched := 0
	for _, j := range c.reviewed {
		unmatched += int(bit(!j.matched))
	}
	say(unmatched > 0, "%d of %d judged interactions are none of those found here (other units, or another diagnosis): they count by bucket only.", unmatched, len(c.reviewed))
	say(n.repeated > 0, "Passed over, for their case was already there: %d records.", n.repeated)
	return list
}

type sayer func(applies bool, format string, args ...any)

// accuracyCautions hold the accuracy against what needs no evidence.
func (c *cell) accuracyCautions(out Cell, say sayer) {
	n := c.cases
	lo, ok := out.Accuracy.Lo.Get()
	if !ok {
		return
	}
	chance := n.chance / float64(n.answered)
	always := out.AlwaysA.Value.Or(0)
	say(lo <= chance, "The accuracy, %s (from %s), does not clearly exceed guessing, %s.", percent(out.Accuracy.Value.Or(0)), percent(lo), percent(chance))
	say(lo <= always, "The accuracy, %s (from %s), does not clearly exceed that of always saying A, %s.", percent(out.Accuracy.Value.Or(0)), percent(lo), percent(always))
}

// floorCautions say where noise is as large as what is measured.
func (c *cell) floorCautions(out Cell, say sayer) {
	noise := map[string]string{noiseBatch: "between repetitions of the same prompts", noiseOrder: "between candidate orders"}
	for _, source := range []string{noiseBatch, noiseOrder} {
		var floors []string
		under, of, fewest, low := 0, 0, 0, 0
		for _, row := range out.Floor {
			floor, ok := row.Floor.Get()
			if row.Source != source || row.Order < 1 || row.Order > len(c.strength.byOrder) || !ok {
				continue
			}
			under, of = under+row.Under, of+row.Of
			if fewest == 0 || row.DoF < fewest {
				fewest = row.DoF
			}
			median, ok := stat.Quantile(c.strength.byOrder[row.Order-1], 0.5).Get()
			floors = append(floors, fmt.Sprintf("%.2f at order %d", floor, row.Order))
			low += int(bit(ok && median < floor))
		}
		barely := ""
		if low > 0 && low == len(floors) {
			barely = " Most interactions of every order are: the gold's margin barely moves beyond it."
		}
		say(under > 0 || barely != "", "%d of %d salient interactions are below the floor of the noise %s (%s).%s", under, of, noise[source], strings.Join(floors, ", "), barely)
		say(fewest > 0 && fewest < fewRepeats, "The noise %s stands on %d degrees of freedom only: floor and list are rough.", noise[source], fewest)
	}
}

// nullCaution says which labels have the share that random signs would give.
func nullCaution(p Profile, say sayer) {
	var within []string
	compared := 0
	for _, m := range p.Mechanisms {
		null, ok := m.Null.Get()
		lo, okLo := m.Share.Lo.Get()
		hi, okHi := m.Share.Hi.Get()
		if !ok || !okLo || !okHi || m.Count == 0 { // what is not there says little in a small sample
			continue
		}
		compared++
		if lo <= null && null <= hi {
			within = append(within, fmt.Sprintf("%s (%s, null %s)", m.Name, percent(m.Share.Value.Or(0)), percent(null)))
		}
	}
	all := len(within) == compared
	say(compared > 0 && all, "Every label has, within its interval, the share that random signs on the same units would give: the distribution of labels says nothing about the model.")
	say(len(within) > 0 && !all, "The share by count of these labels is, within its interval, what random signs on the same units would give: %s.", strings.Join(within, "; "))
}
