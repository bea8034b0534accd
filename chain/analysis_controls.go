package chain

import (
	"cmp"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// alpha is the level of the one-sided tests of equivalence, and of tests against the noise floor.
const alpha = 0.05

// margin is that of the tests of equivalence, a difference of flip rates.
func (o Options) margin() float64 { return cmp.Or(o.Margin, DefaultMargin) }

// controls hold the effects of the operators against the controls and the preserving edits of the same items.
type controls struct {
	l       layout
	margin  float64
	items   map[cellID]map[string]moves
	options map[itemOf]int                 // how many an item has
	fired   map[cellID]map[Control]int     // items on which a control was asked
	why     map[Control]map[string]unasked // why one was not, by reason
	found   []modelEffects
}

// itemOf is an item of a data set.
type itemOf struct{ set, item string }

// cellID is a cell by name.
type cellID struct{ variant, model, set string }

func cellOfSubject(id percuss.SubjectID) cellID { return cellID{id.Variant, id.Model, id.Set} }

func (c *cell) id() cellID { return cellID{c.variant, c.model, c.set} }

// move says whether an answer moved from the baseline's.
type move uint8

const (
	unknown move = iota // no two answers to compare
	stayed
	moved
)

func moveOf(f Flip) move {
	switch f {
	case Kept:
		return stayed
	case Flipped:
		return moved
	}
	return unknown
}

// moves are what the operators and the controls did to one item.
type moves struct {
	ops      []move // in the order of the battery
	controls []move // in that of AllControls
}

func (m moves) control(c Control) move { return m.controls[slices.Index(AllControls(), c)] }

func newControls(a *Audit) *controls {
	return &controls{l: newLayout(a.o.Battery, a.o.Stem), margin: a.o.margin(), items: map[cellID]map[string]moves{}, options: map[itemOf]int{},
		fired: map[cellID]map[Control]int{}, why: map[Control]map[string]unasked{}}
}

func (c *controls) add(r Record) {
	p := cellOfSubject(r.Subject)
	if c.items[p] == nil {
		c.items[p], c.fired[p] = map[string]moves{}, map[Control]int{}
	}
	m := moves{ops: make([]move, len(c.l.ops)), controls: make([]move, len(AllControls()))}
	for _, t := range r.Operators {
		if i, known := c.l.index[t.ID]; known && enters(t) {
			m.ops[i] = moveOf(t.Flip)
		}
	}
	for _, t := range r.Controls {
		i := slices.Index(AllControls(), t.ID)
		switch {
		case i < 0:
		case t.Fired:
			c.fired[p][t.ID]++
			m.controls[i] = moveOf(t.Flip)
		default:
			c.unasked(t.ID, t.Why, itemOf{p.set, r.Subject.Item})
		}
	}
	c.items[p][r.Subject.Item] = m
	c.options[itemOf{p.set, r.Subject.Item}] = r.Options
}

// unasked counts how often a control was not asked for one reason, over models and prompts, and on which items.
type unasked struct {
	times int
	items map[itemOf]bool
}

// unasked counts a control that was not asked.
func (c *controls) unasked(id Control, why string, at itemOf) {
	if c.why[id] == nil {
		c.why[id] = map[string]unasked{}
	}
	n := c.why[id][why]
	if n.items == nil {
		n.items = map[itemOf]bool{}
	}
	n.times++
	n.items[at] = true
	c.why[id][why] = n
}

// The columns of an operator in the table of effects.
const (
	effBoth     = iota // the operator and its sham both have an answer to compare
	effOwn             // of these, the operator moved the answer
	effSham            // of these, the sham did
	effOwnAlone        // of these, the operator alone did
	effPaired          // the operator and a preserving edit of the same block have one
	effPairOwn         // of these, the operator moved the answer
	effPairP           // the share of the item's preserving edits that did
	effColumns
)

// effect is what a row of the table of effects says: of one operator, or of a group of them.
type effect struct {
	name   string
	ops    []int
	group  bool
	intent battery.Intent
	block  battery.Block // empty: both

	own, floor   percuss.Estimate // flip rates of the edits and of the sham on the same items
	sham, narrow percuss.Estimate // difference to the sham; the second at level 1 − 2·alpha
	alone, other int              // items that only the operator moved, and only the sham; of an operator
	p, adjusted  percuss.Number   // McNemar's exact test of an operator, and by Holm over the operators of the model
	against      percuss.Estimate // difference to the preserving edits of the same items; of destructive edits
	pAgainst     percuss.Number   // bootstrap
	adjustedP    percuss.Number   // by Holm over the operators of the model
}

// modelEffects are the effects of one model under one prompt.
type modelEffects struct {
	m      *model
	floors map[battery.Block]Control
	rows   []effect // groups first
}

// group returns the effect of all operators of an intent in a block; nil: the battery has none.
func (m modelEffects) group(intent battery.Intent, block battery.Block) *effect {
	for i, e := range m.rows {
		if e.group && e.intent == intent && e.block == block {
			return &m.rows[i]
		}
	}
	return nil
}

// floorsOf says what each block is held against: edits of the chain against the model's own chain given back where that
// was asked, for both continue a chain; edits of the question against the question asked again.
func (c *controls) floorsOf(m *model) map[battery.Block]Control {
	out := map[battery.Block]Control{battery.F: Sham, battery.M: Sham}
	for _, cell := range m.cells {
		for _, item := range c.items[cell.id()] {
			if item.control(ShamChain) != unknown {
				out[battery.F] = ShamChain
				return out
			}
		}
	}
	return out
}

// row turns an item's moves into its row.
func (c *controls) row(m moves, floors map[battery.Block]Control) []float64 {
	row := make([]float64, len(c.l.ops)*effColumns)
	flips, n := map[battery.Block]float64{}, map[battery.Block]float64{}
	for i, op := range c.l.ops {
		if op.Intent == battery.Preserving && m.ops[i] != unknown {
			flips[op.Block] += bit(m.ops[i] == moved)
			n[op.Block]++
		}
	}
	for i, op := range c.l.ops {
		if m.ops[i] == unknown {
			continue
		}
		own, flip := row[i*effColumns:(i+1)*effColumns], m.ops[i] == moved
		if sham := m.control(floors[op.Block]); sham != unknown {
			own[effBoth], own[effOwn], own[effSham] = 1, bit(flip), bit(sham == moved)
			own[effOwnAlone] = bit(flip && sham == stayed)
		}
		if op.Intent == battery.Destructive && n[op.Block] > 0 {
			own[effPaired], own[effPairOwn], own[effPairP] = 1, bit(flip), flips[op.Block]/n[op.Block]
		}
	}
	return row
}

// rows are the effects to be measured: of the intents in each scope, then of each operator.
func (c *controls) rows() []effect {
	var out []effect
	for _, intent := range [...]battery.Intent{battery.Destructive, battery.Preserving} {
		for _, scope := range scopes {
			ops := c.l.intentOps(intent, scope)
			if len(ops) == 0 {
				continue
			}
			name, block := "all "+intentName(intent)+" edits", battery.Block("")
			if scope != "all" {
				block = battery.Block(scope)
				name = intentName(intent) + " edits, " + scope + "-block"
			}
			out = append(out, effect{name: name, ops: ops, group: true, intent: intent, block: block})
		}
	}
	for i, op := range c.l.ops {
		out = append(out, effect{name: op.ID, ops: []int{i}, intent: op.Intent, block: op.Block})
	}
	return out
}

// effFigures are the figures of a row: the difference to the sham and that to the preserving edits, each the mean over the
// row's operators.
const effFigures = 2

func (e effect) figures(floor string) []figure {
	at := func(what int) []int {
		out := make([]int, len(e.ops))
		for i, op := range e.ops {
			out[i] = op*effColumns + what
		}
		return out
	}
	difference := func(plus, less, den int, why string) figure {
		gaps := make([]stat.Quotient, len(e.ops))
		for i, op := range e.ops {
			own := op * effColumns
			gaps[i] = excess(1, []int{own + plus}, []int{own + less}, []int{own + den})
		}
		return figure{kind: share, lo: -1, hi: 1, den: at(den), absent: why, terms: told(gaps...),
			value: func(s sums) percuss.Number {
				values := make([]percuss.Number, len(e.ops))
				for i, op := range e.ops {
					own := s[op*effColumns : (op+1)*effColumns]
					values[i] = quotient(own[plus]-own[less], own[den])
				}
				return mean(values...)
			}}
	}
	none := "there are no preserving edits of the same items"
	if e.intent == battery.Preserving {
		none = "it is one of them"
	}
	return []figure{difference(effOwn, effSham, effBoth, floor), difference(effPairOwn, effPairP, effPaired, none)}
}
