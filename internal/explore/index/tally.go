package index

import "slices"

// Tally counts the rows of a group: those of one model, prompt and set, or of one edit.
type Tally struct {
	Of   [fields]string // the values that its rows share; empty where it is not grouped by the field
	Rows int

	Base, BaseRight, BaseAnswered int // baselines, or cases on the full evidence
	Kept, Flipped                 int // edits with a comparable answer
	Dropped                       int // edits that fired and have none
	Unfired                       int
	Salient, Suspicious           int // interactions of at least the first of Sizes, and those of them that the rules suspect
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
