package index

import (
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/step"
)

// field is something that a reader may filter by and that every row has a value of, which may be empty.
type field int

// The fields. Their order is that of the columns of the cube.
const (
	Model field = iota
	Set
	Prompt
	Operator // of a chain audit; of an evidence audit the kind of row: Base, "order 2", or the edit of a change; of a step audit Item, Chain or "step VIEW"
	Family   // of operators; of an evidence audit the question that a changed finding belongs to
	Flip
	Joint
	State
	Outcome
	Role    // several: those of an interaction's findings
	Label   // of an interaction
	Stratum // several: those of a changed family
	Verdict // whether an interaction was found again
	Suspicious
	Right
	Size  // the largest class of Sizes that the change reaches; "0": below all of them
	Vote  // several, of a step audit: the vote of the item's chains
	Says  // several: what judges said of a step
	Error // several: judges that call the step, or one of the chain or item, wrong
	Found // several: what was found in it without a judge
	fields
)

// fieldNames are the fields' names in an address.
var fieldNames = [fields]string{"model", "set", "prompt", "op", "family", "flip", "joint", "state", "outcome",
	"role", "label", "stratum", "verdict", "suspicious", "right", "size",
	"vote", "says", "error", "found"}

// The rows that no operator and no edit makes.
const (
	Base   = "base"   // the baseline; of a case, the full evidence
	Direct = "direct" // the answer without a chain
)

// Dropped is the value of Joint of a trial whose edit fired and that has no answer to compare.
const Dropped = "dropped"

// several says which fields may have several values at once.
var several = [fields]bool{Role: true, Stratum: true, Vote: true, Says: true, Error: true, Found: true}

// between parts the values of a field that has several.
const between = "\x1f"

// leastStrength is the strength from which an interaction has a row, nats: half of what counts as salient. Of 255
// interactions of a case most are nothing but noise.
const leastStrength = 0.25

// Row is one trial of a chain audit, one reading, interaction or change of an evidence audit, or one item, chain or step of a
// step audit.
type Row struct {
	Subject int // its place in the run
	Of      [fields]string
	Change  percuss.Number // of the margin, or an interaction's strength, nats
	Bits    uint32         // of an interaction: its findings; of a chain or step: its place
	Answer  string         // of a base row or an item: what was answered, a label or a candidate
}

// RowsOf are the rows of a record, in an order that depends on the record alone. Model, set and prompt are filled in by
// Build.
func RowsOf(subject int, r percuss.Record) []Row {
	var out []Row
	switch r := r.(type) {
	case chain.Record:
		out = chainRows(r)
	case evidence.Record:
		out = caseRows(r)
	case step.Record:
		out = stepRows(r)
	}
	for i := range out {
		out[i].Subject = subject
		out[i].Of[Size] = sizeOf(out[i].Change)
	}
	return out
}

// sizeOf is the class of a change; empty where there is none.
func sizeOf(n percuss.Number) string {
	v, ok := n.Get()
	if !ok {
		return ""
	}
	class := "0"
	for i, least := range leastSizes {
		if math.Abs(v) >= least {
			class = Sizes[i]
		}
	}
	return class
}

// leastSizes are the numbers of Sizes.
var leastSizes = [len(Sizes)]float64{0.5, 1, 2, 4}

// chainRows are the baseline, the direct answer where it was asked, every operator and every control.
func chainRows(r chain.Record) []Row {
	out := make([]Row, 0, 2+len(r.Operators)+len(r.Controls))
	base := readingRow(Base, r.Base)
	base.Answer = r.Base.Answer
	out = append(out, base)
	if r.Direct.State != chain.NotFired {
		out = append(out, readingRow(Direct, r.Direct))
	}
	for _, o := range r.Operators {
		row := readingRow(o.ID, o.Reading)
		row.Of[Family], _, _ = strings.Cut(o.ID, "-")
		row.Of[Flip], row.Of[Joint] = string(o.Flip), jointOf(o)
		if !o.Edit.Fired && row.Of[State] == "" {
			row.Of[State] = string(chain.NotFired)
		}
		row.Change = difference(r.Base.Margin, o.Reading.Margin)
		out = append(out, row)
	}
	for _, c := range r.Controls {
		row := readingRow(string(c.ID), c.Reading)
		row.Of[Family], row.Of[Flip] = "controls", string(c.Flip)
		row.Change = difference(r.Base.Margin, c.Reading.Margin)
		out = append(out, row)
	}
	return out
}

// readingRow is the row of what was read of one reply.
func readingRow(op string, r chain.Reading) Row {
	var row Row
	row.Of[Operator], row.Of[State], row.Of[Outcome] = op, string(r.State), string(r.Outcome)
	if r.State == chain.Read {
		row.Of[Right] = yesNo(r.Correct)
	}
	return row
}

// jointOf is the cell of the joint table by the published rule: a and b update, b and d flip.
func jointOf(o chain.OperatorTrial) string {
	flipped := o.Flip == chain.Flipped
	switch {
	case !o.Edit.Fired:
		return ""
	case !flipped && o.Flip != chain.Kept:
		return Dropped
	case !o.Rule:
		return ""
	case o.Token && !flipped:
		return "a"
	case o.Token:
		return "b"
	case !flipped:
		return "c"
	}
	return "d"
}

// caseRows are the full evidence, the interactions from leastStrength on and the changes.
func caseRows(r evidence.Record) []Row {
	var base Row
	base.Of[Operator], base.Of[State], base.Answer = Base, string(r.Base.State), r.Base.Prediction
	if r.Why != "" {
		base.Of[State] = "refused"
	}
	if r.Base.Answered {
		base.Of[Right] = yesNo(r.Base.Correct)
	}
	out := []Row{base}
	for _, i := range r.Base.Interactions {
		if math.Abs(i.Value) >= leastStrength {
			out = append(out, interactionRow(r, i))
		}
	}
	strata := map[string]string{}
	for _, f := range r.Families {
		strata[f.ID] = joined(f.Strata)
	}
	for _, c := range r.Changes {
		row := Row{Change: c.Margin}
		row.Of[Operator], row.Of[Family], row.Of[State], row.Of[Stratum] = string(c.Edit), c.Family, string(c.State), strata[c.Family]
		if c.RankBefore > 0 && c.RankAfter > 0 {
			row.Of[Right], row.Of[Flip] = yesNo(c.RankAfter == 1), moved(c.RankBefore != c.RankAfter && (c.RankBefore == 1 || c.RankAfter == 1))
		}
		out = append(out, row)
	}
	return out
}

// interactionRow is the row of one interaction.
func interactionRow(r evidence.Record, i evidence.Interaction) Row {
	row := Row{Change: percuss.Num(i.Value), Bits: uint32(i.Set)}
	var roles []evidence.Role
	n := 0
	for at, u := range r.Units {
		if row.Bits&(1<<at) != 0 {
			n++
			if !slices.Contains(roles, u.Role) {
				roles = append(roles, u.Role)
			}
		}
	}
	slices.Sort(roles)
	row.Of[Operator], row.Of[Role], row.Of[Label], row.Of[Suspicious] = "order "+string(rune('0'+min(n, 9))), joined(roles), i.Label, yesNo(i.Suspicious)
	for _, s := range r.Cascade {
		if s.Set == i.Set {
			row.Of[Verdict] = verdictOf(s)
		}
	}
	return row
}

// verdictOf sums the checks of an interaction up: it fails where one fails, and holds where some were made and all hold.
func verdictOf(s evidence.Survival) string {
	all := []evidence.Verdict{s.Prompt, s.Order, s.Neutralize}
	switch {
	case slices.Contains(all, evidence.Fails):
		return string(evidence.Fails)
	case slices.Contains(all, evidence.Holds):
		return string(evidence.Holds)
	}
	return string(evidence.NotAsked)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func moved(b bool) string {
	if b {
		return string(chain.Flipped)
	}
	return string(chain.Kept)
}

// difference is after minus before; missing where one of them is.
func difference(before, after percuss.Number) percuss.Number {
	b, had := before.Get()
	a, has := after.Get()
	if !had || !has {
		return percuss.Number{}
	}
	return percuss.Num(a - b)
}

// joined is a list as one value.
func joined[S ~string](all []S) string {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = string(s)
	}
	return strings.Join(parts, between)
}
