package versus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/evidence"
)

// Turn is what became of one trial.
type Turn string

// The turns. A trial of a chain audit, or a change of a finding, moves the answer or does not; an interaction is strong or
// not.
const (
	Absent     Turn = "absent"  // the edit did not fire, or was not asked
	Dropped    Turn = "dropped" // it fired, and there is no answer that could be compared
	Stays      Turn = "stays"
	Moves      Turn = "moves"
	Weak       Turn = "weak"       // below evidence.Salient
	Salient    Turn = "salient"    // at or above it
	Suspicious Turn = "suspicious" // and a combination that no clinical reason explains
)

// audit is which one the records are of.
type audit string

const (
	ofChain    audit = "chain"
	ofEvidence audit = "evidence"
)

// names keeps each text once.
type names struct {
	at  map[string]uint32
	all []string
}

func (n *names) of(s string) uint32 {
	i, ok := n.at[s]
	if !ok {
		i = uint32(len(n.all))
		s = strings.Clone(s) // not the record that it is a part of
		n.at[s] = i
		n.all = append(n.all, s)
	}
	return i
}

// brief is what a comparison keeps of a record.
type brief struct {
	read, right         bool
	answer              uint32
	margin              percuss.Number
	scored              bool // of a case: salient and suspicious are counted
	salient, suspicious int
	order               int    // of a case: the highest order that was asked
	units               uint32 // of a case: the ids of its units, as one text
	trials              []trial
}

// trial is a trial in few bytes.
type trial struct {
	id, op   uint32
	strength float32 // of an interaction, nats
	turn     turn
	cell     byte // 'a' to 'd', or 0
	control  bool
}

// tie is the answer to a case whose best candidates are several.
const tie = "a tie"

// turn is a Turn in a byte.
type turn uint8

// turns are all turns, by their byte.
var turns = [...]Turn{Absent, Dropped, Stays, Moves, Weak, Salient, Suspicious}

const (
	absent turn = iota
	dropped
	stays
	moves
	weak
	salient
	suspicious
)

// brief reduces a record of either audit.
func (p *pairs) brief(r percuss.Record) (brief, error) {
	var b brief
	of := ofChain
	switch r := r.(type) {
	case chain.Record:
		b = p.names.chain(r)
	case evidence.Record:
		b, of = p.names.evidence(r), ofEvidence
	default:
		return brief{}, fmt.Errorf("a record of the kind %T cannot be compared: only those of the audits chain and evidence can", r)
	}
	if p.audit == "" {
		p.audit = of
	}
	if p.audit != of {
		return brief{}, fmt.Errorf("one run is of the audit %s, the other of %s: compare runs of one audit", p.audit, of)
	}
	if len(p.other) > 0 {
		b.trials = slices.DeleteFunc(b.trials, func(t trial) bool { return p.other[t.op] })
	}
	return b, nil
}

// chain reduces a record of a chain audit. Controls are trials beside the operators: of the same request asked again, how
// often an answer moves is the noise of a run.
func (n *names) chain(r chain.Record) brief {
	b := brief{read: r.Base.State == chain.Read, right: r.Base.Correct, margin: r.Base.Margin}
	if b.read {
		b.answer = n.of(r.Base.Answer)
	}
	b.trials = make([]trial, 0, len(r.Operators)+len(r.Controls))
	for _, o := range r.Operators {
		id := n.of(o.ID)
		t := trial{id: id, op: id, turn: turnOf(o.Edit.Fired, o.Flip)}
		if o.Rule && t.turn >= stays {
			t.cell = cellOf(o.Token, t.turn == moves)
		}
		b.trials = append(b.trials, t)
	}
	for _, c := range r.Controls {
		id := n.of(string(c.ID))
		b.trials = append(b.trials, trial{id: id, op: id, turn: turnOf(c.Fired, c.Flip), control: true})
	}
	return b
}

func turnOf(fired bool, f chain.Flip) turn {
	switch {
	case !fired:
		return absent
	case f == chain.Kept:
		return stays
	case f == chain.Flipped:
		return moves
	}
	return dropped
}

// cellOf is the cell of the joint table.
func cellOf(registers, moved bool) byte {
	switch {
	case registers && !moved:
		return 'a'
	case registers:
		return 'b'
	case !moved:
		return 'c'
	}
	return 'd'
}

// evidence reduces a record of an evidence audit: its salient interactions and its changes.
func (n *names) evidence(r evidence.Record) brief {
	b := brief{read: r.Base.Answered, right: r.Base.Correct, scored: r.Base.State == evidence.Scored, order: r.Order}
	if b.answer = n.of(tie); r.Base.Prediction != "" {
		b.answer = n.of(r.Base.Prediction)
	}
	if b.scored {
		b.margin = r.Base.Margin
	}
	ids := make([]string, len(r.Units))
	for i, u := range r.Units {
		ids[i] = u.ID
	}
	b.units = n.of(strings.Join(ids, "\x00"))
	for _, i := range r.Base.Interactions {
		if i.Value < evidence.Salient && i.Value > -evidence.Salient {
			continue
		}
		t := trial{id: n.of(fmt.Sprintf("set-%d", i.Set)), op: n.of(fmt.Sprintf("order %d", i.Set.Size())), strength: float32(i.Value), turn: salient}
		b.salient++
		if i.Suspicious {
			b.suspicious++
			t.turn = suspicious
		}
		b.trials = append(b.trials, t)
	}
	for _, c := range r.Changes {
		t := trial{id: n.of(string(c.Edit) + ":" + c.Family), op: n.of(string(c.Edit)), turn: dropped}
		if before, after := c.RankBefore, c.RankAfter; before > 0 && after > 0 {
			t.turn = stays
			if before != after && (before == 1 || after == 1) {
				t.turn = moves
			}
		}
		b.trials = append(b.trials, t)
	}
	return b
}

// find returns the trial of an id.
func (b brief) find(id uint32) (trial, bool) {
	i := slices.IndexFunc(b.trials, func(t trial) bool { return t.id == id }) // of a few dozen
	if i < 0 {
		return trial{}, false
	}
	return b.trials[i], true
}
