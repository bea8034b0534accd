package chain

import (
	"slices"

	"github.com/percuss/percuss/chain/battery"
)

// The columns of an item that belong to no operator. All are 0 or 1, but for the three of the joint table, which
// count trials, and the words of the chain.
const (
	colItem        = iota
	colBase        // the baseline has an answer
	colBaseRight   // and it is right
	colDirect      // the direct prompt has an answer
	colDirectRight // and it is right
	colPair        // both have one
	colPairBase    // and the baseline's is right
	colPairDirect  // and the direct one is right
	colPairMixed   // the two were read in different ways
	colAsked       // the baseline has an answer, and the model could be asked more: a foreign log cannot
	colF1          // and an F1 variant fired
	colKept        // and an F1 variant kept the answer
	colUnsure      // F1 fired, none kept, and one of them cannot be compared
	colM2          // one of the three variants of M2 fired
	colM2Base      // and the baseline has an answer
	colM2Right     // and it is right
	colRule        // trials of the joint table
	colToken       // of which neither update, by the published rule, nor flip
	colInflected   // the same by the inflected rule
	colChain       // the baseline's reply has a text to look at
	colWords       // of its chain
	colBlock       // its chain holds a reasoning block
	itemColumns
)

// The columns of an operator, all 0 or 1.
const (
	opParsed     = iota // fired, and comparable with the baseline
	opFlip              // and flipped
	opRead              // fired, and has an answer
	opRight             // and it is right
	opPairBase          // comparable, and the baseline's answer is right
	opPairRight         // comparable, and the edited answer is right
	opMiss              // flip from a high-acuity to a benign answer
	opFalseAlarm        // the other way round
	opSameClass         // flip within a class
	columnsPerOperator
)

// layout knows where the columns of a battery stand.
type layout struct {
	battery battery.Battery
	ops     []battery.Operator
	index   map[string]int
	counts  []bool   // which operators the metrics are over, see whichCount
	stem    StemMode // what the M-operators edited
}

func newLayout(b battery.Battery, stem StemMode) layout {
	l := layout{battery: b, ops: b.Operators, index: map[string]int{}, counts: whichCount(b.Operators), stem: stem.orDefault()}
	for i, op := range b.Operators {
		l.index[op.ID] = i
	}
	return l
}

// column is the place of an operator's column in an item's row.
func column(op, what int) int { return itemColumns + op*columnsPerOperator + what }

// columns are the places of one column of several operators.
func columns(ops []int, what int) []int {
	out := make([]int, len(ops))
	for i, op := range ops {
		out[i] = column(op, what)
	}
	return out
}

// where returns the operators that match.
func (l layout) where(match func(battery.Operator) bool) []int {
	var out []int
	for i, op := range l.ops {
		if match(op) {
			out = append(out, i)
		}
	}
	return out
}

// families are the families of the battery in its order.
func (l layout) families() []string {
	var out []string
	for _, op := range l.ops {
		if !slices.Contains(out, op.Family) {
			out = append(out, op.Family)
		}
	}
	return out
}

// family returns the operators of a family.
func (l layout) family(name string) []int {
	return l.where(func(op battery.Operator) bool { return op.Family == name })
}

// demographic are the variants of M2 whose accuracies the fairness gap compares, in the paper's order.
var demographic = [...]string{"age-a", "age-b", "sex"}

// isDemographic reports whether an operator is one of the three variants of the fairness gap.
func isDemographic(op battery.Operator) bool {
	return op.Family == "M2" && slices.Contains(demographic[:], op.Variant)
}

// bit is 1 for true.
func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// enters reports whether a trial enters the flip rates.
func enters(t OperatorTrial) bool {
	return t.Edit.Fired && (t.Flip == Kept || t.Flip == Flipped)
}

// width is the number of columns of an item's row.
func (l layout) width() int { return itemColumns + len(l.ops)*columnsPerOperator }

// row turns a record into the item's row, in into where that is large enough.
func (l layout) row(r Record, into []float64) []float64 {
	row := zeros(into, l.width())
	base, direct := r.Base.State == Read, r.Direct.State == Read
	row[colItem] = 1
	row[colBase], row[colBaseRight] = bit(base), bit(base && r.Base.Correct)
	row[colDirect], row[colDirectRight] = bit(direct), bit(direct && r.Direct.Correct)
	row[colAsked] = bit(base && !r.Given)
	row[colPair] = bit(base && direct)
	row[colPairBase], row[colPairDirect] = bit(base && direct && r.Base.Correct), bit(base && direct && r.Direct.Correct)
	row[colPairMixed] = bit(base && direct && r.Base.Via != r.Direct.Via)
	if r.Base.Outcome.HasText() {
		row[colChain], row[colWords], row[colBlock] = 1, float64(max(r.Base.Words, 0)), bit(r.Base.Block)
	}
	for _, t := range r.Operators {
		i, known := l.index[t.ID]
		if known && t.Edit.Fired {
			l.enter(row, row[column(i, 0):column(i+1, 0)], i, r.Base, t)
		}
	}
	row[colUnsure] *= 1 - row[colKept]
	row[colM2Base], row[colM2Right] = row[colM2]*row[colBase], row[colM2]*row[colBaseRight]
	return row
}

// enter enters a fired trial into an item's row and into the operator's part of it.
func (l layout) enter(row, own []float64, at int, base Reading, t OperatorTrial) {
	op := l.ops[at]
	read, parsed, flipped := t.Reading.State == Read, enters(t), t.Flip == Flipped
	own[opParsed], own[opFlip] = bit(parsed), bit(flipped)
	own[opRead], own[opRight] = bit(read), bit(read && t.Reading.Correct)
	own[opPairBase], own[opPairRight] = bit(parsed && base.Correct), bit(parsed && t.Reading.Correct)
	own[opMiss] = bit(flipped && base.Acute && !t.Reading.Acute)
	own[opFalseAlarm] = bit(flipped && !base.Acute && t.Reading.Acute)
	own[opSameClass] = bit(flipped && base.Acute == t.Reading.Acute)
	if op.Family == "F1" && row[colAsked] == 1 {
		row[colF1] = 1
		row[colKept] = max(row[colKept], bit(t.Flip == Kept))
		row[colUnsure] = max(row[colUnsure], bit(!parsed))
	}
	if isDemographic(op) {
		row[colM2] = 1
	}
	if l.registers(at) && t.Rule && parsed {
		row[colRule]++
		row[colToken] += bit(!t.Token && !flipped)
		row[colInflected] += bit(!t.Inflected && !flipped)
	}
}
