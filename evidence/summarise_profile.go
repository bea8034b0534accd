package evidence

import (
	"math"
	"slices"
	"strconv"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// swept are the thresholds at which the mechanism shares are told, nats.
var swept = [...]float64{0.25, 0.5, 1, 2}

// unnamed stands for a rule that the table of labels does not have.
const unnamed = "unnamed"

// layout is where the columns of the profiles lie in the main block: for each profile and each rule a count and a
// strength. After the gold's profiles at the thresholds come that of every candidate and that above the noise floor.
type layout struct {
	rules      []Rule
	structured int            // so many rules, from the first, are those of structured cases
	slots      map[string]int // by rule id
	thresholds []float64      // of the gold's profiles, ascending
	gold       int            // the one at the salience threshold
	cells      []int          // [profile × rules + rule]: the column of the count; that of the strength follows
	pairs      []int          // the same by rule and the other sign's rule, plus 1; 0: no interaction so far
	oneSided   bool           // some interaction does not say what it would be under the other sign
	null       []int          // by rule: sets × signs of the scored cases

	lastRule string // the rule that was looked up last, and its slot: rules come in runs
	lastSlot int
}

func newLayout(o Options, b *block) layout {
	l := layout{slots: map[string]int{}, thresholds: swept[:], structured: len(o.Labels.Rules)}
	l.rules = append(slices.Concat(o.Labels.Rules, o.Labels.Narrative), Rule{ID: unnamed, Label: unnamed, Coarse: unnamed})
	for i, r := range l.rules {
		l.slots[r.ID] = i
	}
	if !slices.Contains(l.thresholds, o.Salient) {
		l.thresholds = slices.Sorted(slices.Values(append(slices.Clone(l.thresholds), o.Salient)))
	}
	l.gold = slices.Index(l.thresholds, o.Salient)
	l.null, l.lastSlot = make([]int, len(l.rules)), len(l.rules)-1
	for _, of := range [...]string{"gold", "everyone"} {
		b.column(targetColumn(of, false))
		b.column(targetColumn(of, true))
	}
	for p := range l.aboveFloor() + 1 {
		for _, r := range l.rules {
			at := strconv.Itoa(p) + "/" + r.ID
			l.cells = append(l.cells, b.column(at+"/count"))
			b.column(at + "/strength")
		}
		b.column(overuseColumn(p))
	}
	l.pairs = make([]int, len(l.cells)*len(l.rules))
	return l
}

// targetColumn counts the audited diagnoses, of structured cases only or of all.
func targetColumn(of string, structured bool) string {
	if structured {
		return "targets/" + of + "/structured"
	}
	return "targets/" + of
}

// everyone is the profile of every candidate.
func (l *layout) everyone() int { return len(l.thresholds) }

// aboveFloor is the profile of the gold's salient interactions above the noise floor of their order, the last.
func (l *layout) aboveFloor() int { return len(l.thresholds) + 1 }

// slot is the place of a rule.
func (l *layout) slot(rule string) int {
	if rule != l.lastRule {
		at, ok := l.slots[rule]
		if !ok {
			at = len(l.rules) - 1
		}
		l.lastRule, l.lastSlot = rule, at
	}
	return l.lastSlot
}

// column of a rule's count in a profile.
func (l *layout) column(profile, slot int) int { return l.cells[profile*len(l.rules)+slot] }

// pair is the place in pairs of a rule and the other sign's rule.
func (l *layout) pair(profile, own, opposite int) int {
	return (profile*len(l.rules)+own)*len(l.rules) + opposite
}

// ruled is an interaction as the profiles count it.
type ruled struct {
	strength      float64
	own, opposite int32 // slots of its rule and of the other sign's; −1: not known
}

// enter adds an interaction to a profile of a case's row, which grows where the pair of rules is new.
func (l *layout) enter(b *block, row []float64, profile int, x ruled) []float64 {
	at := l.column(profile, int(x.own))
	row[at]++
	row[at+1] += x.strength
	if x.opposite < 0 {
		l.oneSided = true
		return row
	}
	pair := &l.pairs[l.pair(profile, int(x.own), int(x.opposite))]
	if *pair == 0 {
		name := strconv.Itoa(profile) + "/" + strconv.Itoa(int(x.own)) + " or " + strconv.Itoa(int(x.opposite))
		*pair = b.column(name+"/count") + 1
		b.column(name + "/strength")
	}
	if n := *pair + 1; n > len(row) {
		row = append(row, make([]float64, n-len(row))...)
	}
	row[*pair-1]++
	row[*pair] += x.strength
	return row
}

// interactions enters those of a scored case, in the margin of the gold and of every other candidate.
func (c *cell) interactions(r Record) {
	c.cases.scored++
	l, item := &c.layout, r.Subject.Item
	for rule, n := range r.Null {
		l.null[l.slot(rule)] += n
	}
	row := make([]float64, l.column(l.aboveFloor(), len(l.rules)-1)+2)
	c.strength.deferred = append(c.strength.deferred, deferrals{item: item, structured: !r.Narrative})
	row = c.enter(row, r, r.Base, true)
	for _, other := range r.Others {
		if other.Measured.State == Scored {
			row = c.enter(row, r, other.Measured, false)
		}
	}
	for at, v := range row {
		if v != 0 {
			c.main.addAt(item, at, v)
		}
	}
	c.byOrder(r)
	c.strength.repeated(r)
}

// enter adds the interactions in the margin of one diagnosis to a case's row.
func (c *cell) enter(row []float64, r Record, m Measured, gold bool) []float64 {
	l, of, last := &c.layout, "everyone", &c.strength.deferred[len(c.strength.deferred)-1]
	if gold {
		of = "gold"
		row[c.main.column(targetColumn("everyone", false))]++
		row[c.main.column(targetColumn("everyone", true))] += bit(!r.Narrative)
	}
	row[c.main.column(targetColumn(of, false))]++
	row[c.main.column(targetColumn(of, true))] += bit(!r.Narrative)
	for _, i := range m.Interactions {
		x := ruled{i.strength(), int32(l.slot(i.Rule)), -1}
		if x.strength < l.thresholds[0] {
			continue
		}
		if i.Opposite != "" {
			x.opposite = int32(l.slot(i.Opposite))
		}
		for p, t := range l.thresholds {
			if gold && x.strength >= t {
				row = l.enter(c.main, row, p, x)
			}
		}
		if x.strength < c.o.Salient {
			continue
		}
		row = l.enter(c.main, row, l.everyone(), x)
		history := i.Value > 0 && l.rules[x.own].Coarse == background && !r.Narrative
		if gold || history {
			last.of = append(last.of, deferred{x, uint8(i.Set.Size()), gold, history})
		}
	}
	return row
}

// background is the coarse class of the rule for units that are history or risk only.
const background = "background"

// deferrals are a case's interactions whose place in the tables hangs on what is known after the last case: the strongest
// tenth, and the noise. They are the salient ones in the gold's margin, and every candidate's of history or risk.
type deferrals struct {
	item       string
	structured bool
	of         []deferred
}

type deferred struct {
	ruled
	order   uint8
	gold    bool // in the gold's margin
	history bool // may be overuse of history or risk: positive, of background units only, in a structured case
}

// late enters what could not be entered before the last case: the interactions above the floor of their order, and the
// potential overuse of history or risk, which is of the strongest tenth of the salient interactions in the gold's margin
// of structured cases. One strength holds for every candidate, threshold and floor. It is missing where there is none.
func (c *cell) late(floor map[int]float64) percuss.Number {
	l := &c.layout
	var strengths []float64
	for _, d := range c.strength.deferred {
		for _, x := range d.of {
			if x.gold && d.structured {
				strengths = append(strengths, x.strength)
			}
		}
	}
	cut := stat.Quantile(strengths, 0.9)
	for _, d := range c.strength.deferred {
		c.main.addAt(d.item, l.column(l.aboveFloor(), len(l.rules)-1)+1, 0)
		for _, x := range d.of {
			f, known := floor[int(x.order)]
			above := x.gold && known && x.strength >= f
			if above {
				c.main.rows[d.item] = l.enter(c.main, c.main.rows[d.item], l.aboveFloor(), x.ruled)
			}
			if x.history && x.strength >= cut.Or(math.Inf(1)) {
				c.overuse(d.item, x, above)
			}
		}
	}
	return cut
}

// overuse enters a potential overuse in the profiles that it is in.
func (c *cell) overuse(item string, x deferred, above bool) {
	l := &c.layout
	for p, t := range l.thresholds {
		if x.gold && x.strength >= t {
			c.main.add(item, overuseColumn(p), 1)
		}
	}
	c.main.add(item, overuseColumn(l.everyone()), 1)
	if above {
		c.main.add(item, overuseColumn(l.aboveFloor()), 1)
	}
}

func overuseColumn(profile int) string { return "overuse/" + strconv.Itoa(profile) }
