package evidence

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
)

// From where on a caution is said.
const (
	fewCases   = 30   // scored cases below which intervals are wide and their level is only rough
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
	say(n.states[Waiting] > 0, "The run is not complete: answers are missing for %s of %s cases, which are in no table.", percuss.Grouped(n.states[Waiting]), percuss.Grouped(n.cases))
	say(n.scored == 0, "No case is scored: there are no interactions to speak of.")
	say(n.scored > 0 && n.scored < fewCases, "Only %s scored: intervals are wide, and the bootstrap's level is only rough below about %d cases.", map[bool]string{true: "1 case is", false: fmt.Sprintf("%d cases are", n.scored)}[n.scored == 1], fewCases)
	say(n.states[Constant] > 0, "In %s of %s cases every candidate has the same score in every prompt: the letters say nothing there.", percuss.Grouped(n.states[Constant]), percuss.Grouped(n.cases))
	c.accuracyCautions(out, say)
	mass, ok := out.Mass.Value.Get()
	say(ok && mass < lowMass, "Only %s of the model's probability lies on the candidates' letters, on the mean: it would rather write something else, and margins compare what is left.", percent(mass))
	bounds := float64(n.censored) / max(1, n.scores)
	say(bounds > manyBounds, "About %s of the scores are bounds only, for the back-end returned few letters: margins against such candidates are too small.", percent(bounds))
	say(float64(n.states[Censored]) > manyBounds*float64(max(1, n.cases)), "In %s of %s cases the gold's letter was not among those returned: they are left out, and they are not a random choice.", percuss.Grouped(n.states[Censored]), percuss.Grouped(n.cases))
	say(n.sampled > 0, "Scores are smoothed counts of %d drawn letters a prompt, no log-probabilities: read interactions against the noise of such counts.", n.sampled)
	c.floorCautions(out, say)
	nullCaution(out.Gold, say)
	say(n.narratives > 0 && n.structured > 0, "%s of %s cases are narratives, of which nothing is known of what a sentence is evidence for: they are in no suspicious figure.", percuss.Grouped(n.narratives), percuss.Grouped(n.cases))
	deepCaution(out, say)
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

// deepCaution says what an audit of orders 1 to 3 would miss, where that is clearly more than noise explains.
func deepCaution(out Cell, say sayer) {
	above, ok := out.Above.Value.Get()
	most, noisy := out.ByNoise.Most.Get()
	by := ""
	if noisy {
		by = fmt.Sprintf(" (noise of the size measured explains at most %s, and alone would give %s)", percent(most), percent(out.ByNoise.Alone.Or(0)))
	}
	say(ok && above-most > deepShare && out.Above.Lo.Or(above) > most, "%s of a case's strength lies above order %d, on the mean%s: an audit that stops there does not see it.", percent(above), depth, by)
}

// half is the share of the interactions whose name hangs on their sign that a coin puts on either side.
const half = 0.5

// nullCaution says which labels a coin for the signs would give as often. A label that does not occur is not named, for
// in a small sample that says little, but it may show that the distribution is not a coin's.
func nullCaution(p Profile, say sayer) {
	var within []string
	outside := 0
	for _, m := range p.Mechanisms {
		null, ok := m.SameSets.Count.Get()
		lo, okLo := m.SameSets.ByCount.Lo.Get()
		hi, okHi := m.SameSets.ByCount.Hi.Get()
		switch {
		case !ok || !okLo || !okHi:
		case lo > half || hi < half:
			outside++
		case m.Count > 0:
			within = append(within, fmt.Sprintf("%s (%s, by a coin %s)", m.Name, percent(m.Share.Value.Or(0)), percent(null)))
		}
	}
	say(len(within) > 0 && outside == 0, "No label's share by count differs, beyond its interval, from what a coin for the signs of the same salient interactions would give: the distribution of labels shows nothing of how the model uses their evidence.")
	say(len(within) > 0 && outside > 0, "The share by count of these labels does not differ, beyond its interval, from what a coin for the signs of the same salient interactions would give: %s.", strings.Join(within, "; "))
}
