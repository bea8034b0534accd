package index

import (
	"slices"
	"strings"

	"github.com/percuss/percuss/step"
)

// Tally counts the rows of a group: those of one model, prompt and set, or of one edit.
type Tally struct {
	Of   [fields]string // the values that its rows share; empty where it is not grouped by the field
	Rows int

	Base, BaseRight, BaseAnswered int // baselines, or cases on the full evidence
	Kept, Flipped                 int // edits with a comparable answer
	Dropped                       int // edits that fired and have none
	Unfired                       int
	Salient, Suspicious           int // interactions of at least the first of Sizes, and those of them that the rules suspect

	Steps StepTally
}

// StepTally counts the rows of a step audit.
type StepTally struct {
	Voted, Right, Tied              int // items with a vote and a known right answer, or tied ones
	Read, ReadRight                 int // chains with an answer
	Judged, Faulty                  int // chains with a step that is correct or wrong by some judge; by any judge wrong
	Asked, Claims, Wrong, NoVerdict int // steps with a label; with a claim, by some judge; wrong by any; without a verdict of one
	Found                           int // steps that some check flags
}

// Tallies counts groups by fields, in the order in which they first occur.
func (x *Index) Tallies(by ...field) []Tally {
	var out []Tally
	at := map[[fields]string]int{}
	for i, k := range x.cube.keys {
		var group [fields]string
		for _, f := range by {
			group[f] = x.cube.names[f][k[f]]
		}
		place, ok := at[group]
		if !ok {
			place = len(out)
			at[group] = place
			out = append(out, Tally{Of: group})
		}
		out[place].add(x.cube.valuesOf(uint32(i)), x.cube.n[i])
	}
	return out
}

// add counts n rows of a combination.
func (t *Tally) add(of [fields]string, n int) {
	count := func(is bool, to *int) {
		if is {
			*to += n
		}
	}
	t.Rows += n
	t.Steps.add(of, n)
	base, interaction := of[Operator] == Base, of[Label] != "" || of[Role] != ""
	count(base, &t.Base)
	count(base && of[Right] != "", &t.BaseAnswered)
	count(base && of[Right] == "yes", &t.BaseRight)
	count(of[Flip] == "keep" && !interaction, &t.Kept)
	count(of[Flip] == "flip" && !interaction, &t.Flipped)
	count(of[Joint] == Dropped, &t.Dropped)
	count(of[State] == "not_fired", &t.Unfired)
	salient := interaction && slices.Index(Sizes[:], of[Size]) >= 0
	count(salient, &t.Salient)
	count(salient && of[Suspicious] == "yes", &t.Suspicious)
}

// add counts n rows of a combination.
func (t *StepTally) add(of [fields]string, n int) {
	count := func(is bool, to *int) {
		if is {
			*to += n
		}
	}
	has := func(at field, value string) bool { return slices.Contains(parts(of[at]), value) }
	wrong := has(Error, AnyJudge)
	switch kind := of[Operator]; {
	case kind == Item:
		count(of[Right] != "" || has(Vote, VoteTied), &t.Voted)
		count(of[Right] == "yes", &t.Right)
		count(has(Vote, VoteTied), &t.Tied)
	case kind == Chain:
		count(of[Right] != "", &t.Read)
		count(of[Right] == "yes", &t.ReadRight)
		count(of[Error] != "", &t.Judged)
		count(wrong, &t.Faulty)
	case strings.HasPrefix(kind, stepKind):
		count(of[Says] != "", &t.Asked)
		count(of[Error] != "", &t.Claims)
		count(wrong, &t.Wrong)
		count(has(Says, string(step.Missing)), &t.NoVerdict)
		count(has(Found, foundSum) || has(Found, foundNumber) || has(Found, foundContradiction), &t.Found)
	}
}
