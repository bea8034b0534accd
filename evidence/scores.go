package evidence

import (
	"math"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// rounding is a difference of two scores, in nats, that is none: means over rotations come out of sums in other orders.
const rounding = 1e-9

// table holds the scores of the prompts of one setting: a row for each prompt, a column for each candidate, in the order
// of the record.
type table struct {
	heading
	letters []percuss.Option // as they were shown
	column  []int            // of each letter
	sets    []lattice.Set    // shown units, by row
	rowOf   []int32          // by set: its row + 1; 0: not asked
	none    []float64        // a row without scores
	score   []float64        // nats, row by row; NaN: none
	bound   []bool           // the score is an upper bound only
	mass    []float64        // by row: the probability on the candidates' letters
	draws   []replies        // by row, for sampled letters
	state   State            // the worst of the answers; Scored: all of them have scores
	why     string
}

// replies counts the replies from which a letter was to be read.
type replies struct{ named, all int }

// newTable makes room for a setting. columns are those of the candidates by name. It returns nil where the heading names
// another case's candidates, one of them twice, or more units than can be.
func newTable(h heading, columns map[string]int) *table {
	if len(h.Candidates) != len(columns) || len(h.Units) > lattice.MaxUnits {
		return nil
	}
	t := &table{heading: h, state: Scored, rowOf: make([]int32, 1<<len(h.Units))}
	for i, name := range h.Candidates {
		at, ok := columns[name]
		if !ok || at >= len(columns) || slices.Contains(t.column, at) {
			return nil
		}
		t.column, t.none = append(t.column, at), append(t.none, math.NaN())
		t.letters = append(t.letters, percuss.Option{Label: percuss.Label(i), Text: name})
	}
	return t
}

// units is the number of audited units.
func (t *table) units() int { return len(t.Units) }

// width is the number of candidates.
func (t *table) width() int { return len(t.column) }

// row returns the row of a set, made where there is none; false for a set of other units.
func (t *table) row(shown lattice.Set) (int, bool) {
	if int(shown) >= len(t.rowOf) {
		return 0, false
	}
	if at := t.rowOf[shown]; at > 0 {
		return int(at) - 1, true
	}
	t.sets = append(t.sets, shown)
	t.rowOf[shown] = int32(len(t.sets))
	t.score = append(t.score, t.none...)
	t.bound = append(t.bound, make([]bool, t.width())...)
	t.mass = append(t.mass, 0)
	t.draws = append(t.draws, replies{})
	return len(t.sets) - 1, true
}

// at returns the scores of a row and which of them are bounds.
func (t *table) at(row int) ([]float64, []bool) {
	from, to := row*t.width(), (row+1)*t.width()
	return t.score[from:to:to], t.bound[from:to:to]
}

// worsen keeps the worst state: what is missing outweighs what cannot be used.
func (t *table) worsen(s State, why string) {
	if rank(s) > rank(t.state) {
		t.state, t.why = s, why
	}
}

// rank orders states from good to bad.
func rank(s State) int {
	return slices.Index([]State{Scored, Constant, Censored, Unscored, Waiting}, s)
}

// put reads the answer to the prompt that shows a set of units.
func (t *table) put(shown lattice.Set, a percuss.Answer, ok bool) {
	row, known := t.row(shown)
	switch {
	case !known:
	case !ok:
		t.worsen(Waiting, "an answer is missing")
	case a.Outcome == percuss.ContextExceeded:
		t.worsen(Unscored, "a prompt is longer than the model's context")
	case a.Outcome == percuss.PromptTruncated, a.Outcome == percuss.Refused:
		t.worsen(Unscored, "an answer is "+string(a.Outcome))
	case t.Sampled > 0:
		t.draw(row, a)
	case a.Outcome != percuss.OK && a.Outcome != percuss.Truncated:
		t.worsen(Unscored, "an answer is "+string(a.Outcome))
	default:
		t.read(row, a.Letters)
	}
}

// read takes the log-probabilities of an answer.
func (t *table) read(row int, letters []percuss.LetterScore) {
	scores, bounds := t.at(row)
	for i, o := range t.letters {
		at := i
		if i >= len(letters) || letters[i].Letter != o.Label { // in another order, or fewer than asked for
			at = slices.IndexFunc(letters, func(l percuss.LetterScore) bool { return l.Letter == o.Label })
		}
		if at < 0 || !letters[at].LogProb.OK() {
			t.worsen(Unscored, "an answer has no score for some letter")
			continue
		}
		scores[t.column[i]], bounds[t.column[i]] = letters[at].LogProb.Or(0), letters[at].Censored
		if !letters[at].Censored {
			t.mass[row] += math.Exp(scores[t.column[i]])
		}
	}
}

// constant reports whether the candidates' scores differ in no prompt.
func (t *table) constant() bool {
	for row := range t.sets {
		scores, _ := t.at(row)
		for _, s := range scores {
			if math.Abs(s-scores[0]) > rounding {
				return false
			}
		}
	}
	return len(t.sets) > 0
}

// subtract takes the letters' own scores, those of a prompt without content, out of every row.
func (t *table) subtract(prior *table) {
	if prior == nil || prior.state != Scored || len(prior.sets) == 0 {
		state, why := Waiting, "the prompt without content has no answer"
		if prior != nil && prior.state != Waiting && len(prior.sets) > 0 {
			state, why = prior.state, "the prompt without content: "+prior.why
		}
		t.worsen(state, why)
		return
	}
	own, bounds := prior.at(0)
	if slices.Contains(bounds, true) {
		t.worsen(Unscored, "the prompt without content: some letter was not among those that the back-end returned")
	}
	for row := range t.sets {
		scores, _ := t.at(row)
		for i, at := range t.column {
			scores[at] -= own[prior.column[i]]
		}
	}
}

// overRotations is a setting over rotations of its candidates: the mean of each candidate's scores, which every letter enters
// once, so that what a letter adds is the same for all candidates. A score is a bound where one of its parts is.
func overRotations(tables []*table) *table {
	out := *tables[0]
	out.score, out.bound, out.mass = slices.Clone(out.score), slices.Clone(out.bound), slices.Clone(out.mass)
	parts := float64(len(tables))
	for _, t := range tables[1:] {
		out.worsen(t.state, t.why)
		for row, shown := range out.sets {
			other := 0
			if int(shown) < len(t.rowOf) {
				other = int(t.rowOf[shown])
			}
			if other == 0 {
				out.worsen(Waiting, "an answer is missing")
				continue
			}
			scores, bounds := t.at(other - 1)
			into, bound := out.at(row)
			for i := range into {
				into[i] += scores[i]
				bound[i] = bound[i] || bounds[i]
			}
			out.mass[row] += t.mass[other-1]
		}
	}
	for i := range out.score {
		out.score[i] /= parts
	}
	for i := range out.mass {
		out.mass[i] /= parts
	}
	return &out
}
