package evidence

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// refused is the state of a case of which nothing was asked.
const refused = "refused"

// caseCounts are what is counted of cases, whatever their interactions.
type caseCounts struct {
	cases, scored, repeated int
	narratives, structured  int
	answered, correct       int // on the full evidence
	alwaysA                 int // answered cases whose gold stands under A
	chance                  float64
	sampled, censored       int
	scores                  float64 // that prompts under the base setting asked for
	shallow                 int     // scored cases of which orders up to 3 were not asked
	prompts                 [4]float64
	largestResidual         percuss.Number
	above                   []float64 // share of the strength above order 3, of each case that was asked at all orders
	aboveStrength           []float64 // the strength of each
	aboveUnits              []int     // its audited units
	states                  map[State]int
	reasons, unasked        map[string]int
	letters                 map[string]int
}

func newCaseCounts() caseCounts {
	return caseCounts{states: map[State]int{}, reasons: map[string]int{}, unasked: map[string]int{}, letters: map[string]int{}}
}

// count enters a case in the counts.
func (c *cell) count(r Record) {
	n := &c.cases
	n.cases++
	if r.Narrative {
		n.narratives++
	} else {
		n.structured++
	}
	for _, why := range r.Unasked {
		n.unasked[why]++
	}
	if r.Why != "" {
		n.states[refused]++
		n.reasons[r.Why]++
		return
	}
	n.states[r.Base.State]++
	if r.Base.State != Scored {
		n.reasons[cmp.Or(r.Base.Why, "the state is "+string(r.Base.State)+" and no reason is given")]++
	}
	n.sampled = max(n.sampled, r.Sampled)
	n.censored += r.Base.Censored
	if r.Base.State != Waiting {
		n.scores += prompts(len(r.Units), r.Order) * float64(len(r.Candidates))
	}
	if r.Base.Letter != "" {
		n.letters[r.Base.Letter]++
	}
	if r.Base.State == Scored {
		c.main.add(r.Subject.Item, "scored", 1)
	}
	if r.Base.Answered {
		c.main.add(r.Subject.Item, "answered", 1)
		c.main.add(r.Subject.Item, "correct", bit(r.Base.Correct))
		n.answered++
		n.correct += int(bit(r.Base.Correct))
		n.alwaysA += int(bit(r.Base.Letter == percuss.Label(0)))
		n.chance += 1 / float64(max(1, len(r.Candidates)))
	}
	item := r.Subject.Item
	c.main.mean(item, "mass", r.Base.Mass)
	c.main.mean(item, "empty", r.Base.Empty)
	c.main.mean(item, "full", r.Base.Margin)
}

// bit is 1 for true.
func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// prompts is the number of prompts that the interactions of n units up to an order and the full evidence take.
func prompts(n, order int) float64 {
	out := subsets(n, order)
	if order < n {
		out++
	}
	return out
}

// subsets is the number of subsets of n units with at most order of them.
func subsets(n, order int) float64 {
	sum, choose := 0.0, 1.0
	for k := 0; k <= min(n, order); k++ {
		sum += choose
		choose *= float64(n-k) / float64(k+1)
	}
	return sum
}

// caseTables fill in what is told of the cases.
func (c *cell) caseTables(out *Cell, o stat.Options) []figure {
	n := c.cases
	out.Cases, out.Scored, out.Sampled, out.Censored = n.cases, n.scored, n.sampled, n.censored
	out.States = []Count{}
	for _, s := range []State{Scored, Waiting, Censored, Constant, Unscored, refused} {
		out.States = append(out.States, Count{string(s), n.states[s]})
	}
	out.Reasons, out.Unasked = commonest(n.reasons), commonest(n.unasked)
	out.Letters = []Count{}
	for _, letter := range slices.SortedFunc(maps.Keys(n.letters), byLetter) {
		out.Letters = append(out.Letters, Count{letter, n.letters[letter]})
	}
	out.Accuracy = stat.Wilson(n.correct, n.answered, o.Level)
	out.AlwaysA = stat.Wilson(n.alwaysA, n.answered, o.Level)
	if n.answered == 0 {
		why := "no case has a usable answer on the full evidence"
		out.Accuracy, out.AlwaysA = percuss.Absent(why), percuss.Absent(why)
	}
	out.Residual = n.largestResidual
	b := c.main
	return []figure{
		{&out.Mass, []ratio{b.over("mass", "mass/n")}, rate, "the back-end gives no probabilities of letters"},
		{&out.Empty, []ratio{b.over("empty", "empty/n")}, amount, "no case has scores without its audited units"},
		{&out.Full, []ratio{b.over("full", "full/n")}, amount, "no case has scores on the full evidence"},
	}
}

// byLetter puts A before Z before AA.
func byLetter(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// commonest lists counts, the largest first and by name among equals.
func commonest(counts map[string]int) []Count {
	out := []Count{}
	for name, n := range counts {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(b.N-a.N, cmp.Compare(a.Name, b.Name)) })
	return out
}

// percent writes a share for a sentence.
func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
