package versus

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
)

// measure is something that is measured on an item in both runs.
type measure struct {
	id, title string
	op        uint32 // of one operator or edit
	rate      bool   // a share of trials; else a mean
	single    bool   // at most one trial an item, so that changes may be counted by McNemar's test
	control   bool
}

// The measures that are not of one operator. Those of a chain audit and of an evidence audit differ from the second on.
const (
	mRight     = 0
	mRegisters = 1 // the chain registers the edit
	mDecoupled = 2 // no trace, and the answer stays
	mMoves     = 3 // over all operators

	mMargin     = 1
	mSalient    = 2
	mSuspicious = 3

	mFirst = 4 // of the operators' and edits' own
)

// count is how trials of one operator came out in both runs.
type count struct {
	both, before, after  int // answers that move
	neither              int
	lostBefore, lostNow  int // dropped
	strongBefore, strong int // of combinations: suspicious ones
}

// fixed are the measures of an audit.
func fixed(of audit) []measure {
	right := measure{id: "right", title: "right", rate: true, single: true}
	if of == ofEvidence {
		return []measure{right, {id: "margin", title: "margin of the right diagnosis"}, {id: "salient", title: "salient combinations a case"}, {id: "suspicious", title: "suspicious ones a case"}}
	}
	return []measure{right, {id: "registers", title: "the chain registers the edit", rate: true}, {id: "decoupled", title: "no trace, and the answer stays", rate: true},
		{id: "moves", title: "all edits", rate: true}}
}

// first reads the first run and decides what is measured.
func (p *pairs) first(a Run) error {
	var ops []measure
	known := map[uint32]bool{}
	for r, err := range a.Records {
		if err != nil {
			return fmt.Errorf("read %s: %w", a.Name, err)
		}
		pair, ok := p.pairs[r.Of()]
		if !ok {
			continue
		}
		if pair.was, err = p.brief(r); err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
		p.pairs[r.Of()] = pair
		for _, t := range pair.was.trials {
			if !known[t.op] {
				known[t.op] = true
				name := p.names.all[t.op]
				ops = append(ops, measure{id: name, title: name, op: t.op, rate: true, single: p.audit == ofChain, control: t.control})
			}
		}
	}
	p.measures = append(fixed(p.audit), ops...)
	for _, g := range p.groups {
		g.counts = make([]count, len(p.measures))
	}
	return nil
}

// second reads the second run and counts.
func (p *pairs) second(b Run) error {
	at := map[uint32]int{}
	for i, m := range p.measures[mFirst:] {
		at[m.op] = mFirst + i
	}
	for r, err := range b.Records {
		if err != nil {
			return fmt.Errorf("read %s: %w", b.Name, err)
		}
		from, ok := p.of[r.Of()]
		if !ok {
			continue
		}
		is, err := p.brief(r)
		if err != nil {
			return fmt.Errorf("%s: %w", b.Name, err)
		}
		pair := p.pairs[from]
		h := held{p: p, g: pair.group, was: pair.was, is: is, at: at, row: make([]float64, 3*len(p.measures))}
		h.whole()
		item := Moved{Kind: kindOf(h.was, h.is), Before: from, After: r.Of(), Trials: []MovedTrial{}}
		if h.was.read {
			item.Was = p.names.all[h.was.answer]
		}
		if h.is.read {
			item.Is = p.names.all[h.is.answer]
		}
		item.Trials = append(item.Trials, h.trials()...)
		pair.group.kinds[item.Kind]++
		if h.was.read && h.is.read && h.was.answer != h.is.answer {
			pair.group.others++
		}
		pair.group.rows = append(pair.group.rows, h.row)
		p.items = append(p.items, item)
	}
	return nil
}

// held is one item of both runs.
type held struct {
	p       *pairs
	g       *group
	was, is brief
	at      map[uint32]int // the measures of operators
	row     []float64      // before, after and 1 for each measure
}

// put adds a measurement of the item.
func (h held) put(m int, before, after float64) {
	h.row[3*m] += before
	h.row[3*m+1] += after
	h.row[3*m+2]++
}

// whole measures what is of the item and not of one trial.
func (h held) whole() {
	if h.was.read && h.is.read {
		h.put(mRight, one(h.was.right), one(h.is.right))
	}
	if h.p.audit != ofEvidence {
		return
	}
	before, had := h.was.margin.Get()
	after, has := h.is.margin.Get()
	if had && has {
		h.put(mMargin, before, after)
	}
	if h.was.scored && h.is.scored {
		h.put(mSalient, float64(h.was.salient), float64(h.is.salient))
		h.put(mSuspicious, float64(h.was.suspicious), float64(h.is.suspicious))
	}
}

// trials measures every trial that both have and returns those that came out in another way.
func (h held) trials() []MovedTrial {
	var out []MovedTrial
	for _, x := range h.was.trials {
		y, ok := h.is.find(x.id)
		switch {
		case x.turn >= weak && !h.comparable(x):
			continue
		case !ok && x.turn < weak:
			continue // only the first run's battery, or plan, has it
		case !ok:
			y = trial{id: x.id, op: x.op, turn: weak}
		}
		if h.count(x, y); x.turn != y.turn || x.cell != y.cell {
			out = append(out, h.moved(x, y))
		}
	}
	for _, y := range h.is.trials {
		if _, ok := h.was.find(y.id); ok || y.turn < weak || !h.comparable(y) {
			continue
		}
		x := trial{id: y.id, op: y.op, turn: weak}
		h.count(x, y)
		out = append(out, h.moved(x, y))
	}
	return out
}

// comparable says whether an interaction that one run has could have been found in both: the same units were audited, to
// its order.
func (h held) comparable(t trial) bool {
	set, err := strconv.ParseUint(strings.TrimPrefix(h.p.names.all[t.id], "set-"), 10, 32)
	return err == nil && h.was.scored && h.is.scored && h.was.units == h.is.units && bits.OnesCount64(set) <= min(h.was.order, h.is.order)
}

// count counts a trial of both runs.
func (h held) count(x, y trial) {
	m, ok := h.at[x.op]
	if !ok {
		return // a kind of combination that the first run has none of
	}
	c := &h.g.counts[m]
	if x.turn >= weak {
		h.combination(c, x, y)
		return
	}
	if x.turn == dropped {
		c.lostBefore++
	}
	if y.turn == dropped {
		c.lostNow++
	}
	if x.turn < stays || y.turn < stays {
		return
	}
	before, after := x.turn == moves, y.turn == moves
	switch {
	case before && after:
		c.both++
	case before:
		c.before++
	case after:
		c.after++
	default:
		c.neither++
	}
	h.put(m, one(before), one(after))
	if x.control || h.p.audit == ofEvidence {
		return
	}
	h.put(mMoves, one(before), one(after))
	if x.cell != 0 && y.cell != 0 {
		h.put(mRegisters, one(x.cell <= 'b'), one(y.cell <= 'b'))
		h.put(mDecoupled, one(x.cell == 'c'), one(y.cell == 'c'))
	}
}

// combination counts an interaction that is salient in one run at least.
func (h held) combination(c *count, x, y trial) {
	before, after := x.turn >= salient, y.turn >= salient
	switch {
	case before && after:
		c.both++
	case before:
		c.before++
	case after:
		c.after++
	}
	c.strongBefore += int(one(x.turn == suspicious))
	c.strong += int(one(y.turn == suspicious))
}

// moved is a trial that came out in another way.
func (h held) moved(x, y trial) MovedTrial {
	m := MovedTrial{ID: h.p.names.all[x.id], Operator: h.p.names.all[x.op], Was: turns[x.turn], Is: turns[y.turn], Cell: cell(x), CellIs: cell(y)}
	if x.turn >= salient {
		m.Strength = percuss.Num(float64(x.strength))
	}
	if y.turn >= salient {
		m.NowAt = percuss.Num(float64(y.strength))
	}
	return m
}

func cell(t trial) string {
	if t.cell == 0 {
		return ""
	}
	return string(rune(t.cell))
}

func kindOf(was, is brief) Kind {
	switch {
	case !was.read && !is.read:
		return Unread
	case !is.read:
		return Lost
	case !was.read:
		return Gained
	case was.right && !is.right:
		return Broke
	case is.right && !was.right:
		return Fixed
	case is.right:
		return StaysRight
	}
	return StaysWrong
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
