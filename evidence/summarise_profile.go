package evidence

import (
	"math"
	"slices"
	"strconv"

	"github.com/percuss/percuss/stat"
)

// swept are the thresholds at which the mechanism shares are told, nats.
var swept = [...]float64{0.25, 0.5, 1, 2}

// unnamed stands for a rule that the table of labels does not have.
const unnamed = "unnamed"

// layout is where the columns of the profiles lie in the main block: for each profile and each rule a count and a
// strength. The profile of every candidate is the last.
type layout struct {
	rules      []Rule
	slots      map[string]int // by rule id
	thresholds []float64      // of the gold's profiles, ascending
	gold       int            // the one at the salience threshold
	cells      []int          // [profile × rules + rule]: the column of the count; that of the strength follows
	null       []int          // by rule: sets × signs of the scored cases

	lastRule string // the rule that was looked up last, and its slot: rules come in runs
	lastSlot int
}

func newLayout(o Options, b *block) layout {
	l := layout{slots: map[string]int{}, thresholds: swept[:]}
	l.rules = append(slices.Concat(o.Labels.Rules, o.Labels.Narrative), Rule{ID: unnamed, Label: unnamed, Coarse: unnamed})
	for i, r := range l.rules {
		l.slots[r.ID] = i
	}
	if !slices.Contains(l.thresholds, o.Salient) {
		l.thresholds = slices.Sorted(slices.Values(append(slices.Clone(l.thresholds), o.Salient)))
	}
	l.gold = slices.Index(l.thresholds, o.Salient)
	l.null, l.lastSlot = make([]int, len(l.rules)), len(l.rules)-1
	b.column("targets/gold")
	b.column("targets/everyone")
	for p := range len(l.thresholds) + 1 {
		for _, r := range l.rules {
			at := strconv.Itoa(p) + "/" + r.ID
			l.cells = append(l.cells, b.column(at+"/count"))
			b.column(at + "/strength")
		}
		b.column(overuseColumn(p))
	}
	return l
}

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

// interactions enters those of a scored case, in the margin of the gold and of every other candidate.
func (c *cell) interactions(r Record) {
	c.cases.scored++
	l, item := &c.layout, r.Subject.Item
	for rule, n := range r.Null {
		l.null[l.slot(rule)] += n
	}
	row := make([]float64, l.column(len(l.thresholds), len(l.rules)-1)+2)
	row[c.main.column("targets/gold")]++
	c.enter(row, item, r.Base, true)
	for _, other := range r.Others {
		if other.Measured.State == Scored {
			c.enter(row, item, other.Measured, false)
		}
	}
	for at, v := range row {
		if v != 0 {
			c.main.addAt(item, at, v)
		}
	}
	c.byOrder(r)
	for _, n := range r.Noise {
		c.strength.repeat(n)
	}
}

// enter adds the interactions in the margin of one diagnosis to a case's row.
func (c *cell) enter(row []float64, item string, m Measured, gold bool) {
	l, everyone := &c.layout, len(c.layout.thresholds)
	row[c.main.column("targets/everyone")]++
	add := func(profile, slot int, strength float64) {
		at := l.column(profile, slot)
		row[at]++
		row[at+1] += strength
	}
	for _, x := range m.Interactions {
		strength := math.Abs(x.Value)
		if strength < l.thresholds[0] {
			continue
		}
		slot := l.slot(x.Rule)
		for p, t := range l.thresholds {
			if gold && strength >= t {
				add(p, slot, strength)
			}
		}
		if strength < c.o.Salient {
			continue
		}
		add(everyone, slot, strength)
		if x.Value > 0 && l.rules[slot].Coarse == background {
			c.strength.histories = append(c.strength.histories, history{item, strength, gold})
		}
	}
}

// background is the coarse class of the rule for units that are history or risk only.
const background = "background"

// history is an interaction that may be overuse of history or risk: positive, of background units only.
type history struct {
	item     string
	strength float64
	gold     bool
}

// overuse enters the potential overuse of history or risk, now that the strongest tenth of the gold's salient
// interactions is known. The same strength holds for every candidate and every threshold.
func (c *cell) overuse() {
	cut, ok := stat.Quantile(c.strength.salient(c.o.Salient), 0.9).Get()
	if !ok {
		return
	}
	for _, h := range c.strength.histories {
		if h.strength < cut {
			continue
		}
		for p, t := range c.layout.thresholds {
			if h.gold && h.strength >= t {
				c.main.add(h.item, overuseColumn(p), 1)
			}
		}
		if h.strength >= c.o.Salient {
			c.main.add(h.item, overuseColumn(len(c.layout.thresholds)), 1)
		}
	}
}

func overuseColumn(profile int) string { return "overuse/" + strconv.Itoa(profile) }
