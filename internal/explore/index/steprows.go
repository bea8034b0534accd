package index

import (
	"slices"
	"strings"

	"github.com/percuss/percuss/stat"
	"github.com/percuss/percuss/step"
)

// The kinds of rows of a step audit: the vote of all chains of an item, one chain, and one step under a view, whose name
// follows stepKind.
const (
	Item     = "item"
	Chain    = "chain"
	stepKind = "step "
)

// Values of Vote. An item with a winner that has no known right answer has neither Right nor Wrong.
const (
	VoteRight = "right"
	VoteWrong = "wrong"
	VoteTied  = "tied"   // several answers have the most votes
	VoteNone  = "unread" // no chain has an answer
	VoteSplit = "split"  // beside one of the others: chains have different answers
)

// Values of Error beside the judges.
const (
	AnyJudge = "any judge"
	NoJudge  = "none" // something was judged, and no judge calls a step wrong
)

// The values of Found.
const (
	foundSum           = "sum"
	foundNumber        = "number"
	foundContradiction = "contradiction"
	foundHedge         = "hedge"
)

// stepRows are the vote, every chain, and of every view the steps that were judged or in which a check found something.
// What judges and checks say of a chain, and of the item, is that of its steps under the first view, as in all figures.
func stepRows(r step.Record) []Row {
	vote, winner := voteOf(r)
	item := Row{Answer: winner}
	item.Of[Operator], item.Of[Vote] = Item, joined(vote)
	switch {
	case slices.Contains(vote, VoteRight):
		item.Of[Right] = "yes"
	case slices.Contains(vote, VoteWrong):
		item.Of[Right] = "no"
	}
	out := []Row{item}
	var errors, found []string
	for n, c := range r.Chains {
		row := Row{Bits: stepBits(n+1, 0)}
		row.Of[Operator], row.Of[State], row.Of[Outcome] = Chain, string(c.State), string(c.Outcome)
		if c.State == step.Read {
			row.Of[Right] = yesNo(c.Correct)
		}
		at := len(out)
		out = append(out, row)
		for i, v := range c.Views {
			wrong, seen, rows := viewRows(n+1, v)
			out = append(out, rows...)
			if i == 0 {
				out[at].Of[Error], out[at].Of[Found] = joined(errorsOf(wrong)), joined(sorted(seen))
				errors, found = append(errors, wrong...), append(found, seen...)
			}
		}
	}
	out[0].Of[Error], out[0].Of[Found] = joined(errorsOf(errors)), joined(sorted(found))
	for i := range out {
		out[i].Of[Vote] = item.Of[Vote]
	}
	return out
}

// voteOf sums the answers of an item's chains up.
func voteOf(r step.Record) (values []string, winner string) {
	var answers []string
	for _, c := range r.Chains {
		if c.State == step.Read {
			answers = append(answers, c.Answer)
		}
	}
	winner, _, tied := stat.Vote(answers)
	switch {
	case len(tied) > 0:
		values = []string{VoteTied}
	case winner == "":
		values = []string{VoteNone}
	case r.Gold != "" && winner == r.Gold:
		values = []string{VoteRight}
	case r.Gold != "":
		values = []string{VoteWrong}
	}
	if len(sorted(answers)) > 1 {
		values = append(values, VoteSplit)
	}
	return values, winner
}

// viewRows are the rows of a chain's steps under a view. wrong are the judges that call a step wrong, with NoJudge for a
// step that none does, and found is what the checks found, of all steps.
func viewRows(chain int, v step.Viewed) (wrong, found []string, rows []Row) {
	asked := 0
	for i, s := range v.Steps {
		if len(s.Says) > 0 {
			asked = i + 1
		}
	}
	for i, s := range v.Steps {
		says, errors := saidOf(s, i < asked)
		seen := seenIn(s)
		wrong, found = append(wrong, errors...), append(found, seen...)
		if len(says) == 0 && !flagged(s.Checks) {
			continue
		}
		row := Row{Bits: stepBits(chain, i+1)}
		row.Of[Operator] = stepKind + v.View
		row.Of[Says], row.Of[Error], row.Of[Found] = joined(says), joined(errorsOf(errors)), joined(seen)
		rows = append(rows, row)
	}
	return wrong, found, rows
}

// saidOf is what the judges said of a step, each label once, and those who call it wrong: NoJudge where none does and one
// made a claim about it. A step of which nothing but style was there claims nothing, though no judge was asked.
func saidOf(s step.Step, judged bool) (says, errors []string) {
	if s.Blank && judged {
		return []string{string(step.Abstain)}, nil
	}
	for _, v := range s.Says {
		says = append(says, string(v.Says))
		switch {
		case v.Says.IsError():
			errors = append(errors, v.Judge)
		case v.Says == step.Correct:
			errors = append(errors, NoJudge)
		}
	}
	return sorted(says), errors
}

// errorsOf are the values of Error of what the judges said of several steps.
func errorsOf(all []string) []string {
	judges := slices.DeleteFunc(sorted(all), func(s string) bool { return s == NoJudge })
	switch {
	case len(judges) > 0:
		return append([]string{AnyJudge}, judges...)
	case len(all) > 0:
		return []string{NoJudge}
	}
	return nil
}

// seenIn is what can be seen of a step without a judge.
func seenIn(s step.Step) (out []string) {
	sum, number, contradiction := s.Checks.Flags()
	for _, f := range []struct {
		is   bool
		name string
	}{{contradiction, foundContradiction}, {s.Hedged, foundHedge}, {number, foundNumber}, {sum, foundSum}} {
		if f.is {
			out = append(out, f.name)
		}
	}
	return out
}

func flagged(c step.Checks) bool {
	sum, number, contradiction := c.Flags()
	return sum || number || contradiction
}

// sorted are the different values of a list, in order.
func sorted(all []string) []string {
	out := slices.Clone(all)
	slices.Sort(out)
	return slices.Compact(out)
}

// placeBits is how many of a row's bits hold the place of a step in its chain; the others hold the chain.
const placeBits = 16

// stepBits are chain and step as a row keeps them; a chain's own row has step 0. There are at most 4,096 chains.
func stepBits(chain, step int) uint32 {
	return uint32(chain)<<placeBits | uint32(min(step, 1<<placeBits-1))
}

// Place says which chain of a step audit a row is of, which step of it, from 1, and under which view. Of a chain's own row
// step is 0 and view is empty, of an item's chain is 0 too. ok is false for rows of the other audits.
func (r Row) Place() (chain, step int, view string, ok bool) {
	return placeOf(r.Of[Operator], r.Bits)
}

// Place is Row.Place.
func (h Hit) Place() (chain, step int, view string, ok bool) {
	return placeOf(h.Of[Operator], h.Bits)
}

func placeOf(kind string, bits uint32) (chain, step int, view string, ok bool) {
	view, isStep := strings.CutPrefix(kind, stepKind)
	if !isStep {
		view = ""
	}
	return int(bits >> placeBits), int(bits & (1<<placeBits - 1)), view, isStep || kind == Item || kind == Chain
}

// Votes, Says, Errors and Found are the values of these fields.
func (h Hit) Votes() []string  { return parts(h.Of[Vote]) }
func (h Hit) Says() []string   { return parts(h.Of[Says]) }
func (h Hit) Errors() []string { return parts(h.Of[Error]) }
func (h Hit) Found() []string  { return parts(h.Of[Found]) }

// Flags are the values of Found that a check finds: all but a hedge.
func Flags() []string { return []string{foundContradiction, foundNumber, foundSum} }

// Labels are all values of Says.
func Labels() []string {
	var out []string
	for _, s := range []step.Says{step.Abstain, step.Arithmetic, step.Contradicts, step.Correct, step.Erroneous, step.Factual, step.Missing, step.Unsupported} {
		out = append(out, string(s))
	}
	return out
}
