package evidence

import (
	"math"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
)

// draw counts the letter that a reply names. A reply that names none, or two, counts as none.
func (t *table) draw(row int, a percuss.Answer) {
	t.draws[row].all++
	if !a.Outcome.HasText() {
		return
	}
	label := named(a, t.letters)
	for i, o := range t.letters {
		if label == o.Label {
			scores, _ := t.at(row)
			if math.IsNaN(scores[t.column[i]]) {
				scores[t.column[i]] = 0
			}
			scores[t.column[i]]++
			t.draws[row].named++
		}
	}
}

// smooth turns the counts of drawn letters into scores: the log of (count + 1/2) / (n + m/2) for n replies and m
// candidates, the posterior mean under Jeffreys' prior.
func (t *table) smooth() {
	if t.Sampled == 0 {
		return
	}
	for row, d := range t.draws {
		if d.all > 0 && d.named == 0 {
			t.worsen(Unscored, "no reply to some prompt names a letter")
		}
		if d.named == 0 {
			continue
		}
		scores, _ := t.at(row)
		n, m := float64(d.all), float64(len(scores))
		for i, count := range scores {
			if math.IsNaN(count) {
				count = 0
			}
			scores[i] = math.Log((count + 0.5) / (n + m/2))
		}
		t.mass[row] = float64(d.named) / n
	}
}

// named is the letter that a reply names; empty for none. A reply that was cut in its explanation has still begun with
// its letter, which is all that was asked for.
func named(a percuss.Answer, letters []percuss.Option) string {
	cut := a.Outcome == percuss.Truncated
	read := clinical.ReadAnswer(a.Text, letters, cut)
	if read.Status != clinical.Unparseable || !cut {
		return read.Label
	}
	begin := strings.TrimLeft(a.Text, " \t\r\n*(\"'`")
	for _, o := range letters {
		// A space is no end: "A patient" begins with no answer.
		if rest, ok := strings.CutPrefix(begin, o.Label); ok && rest != "" && strings.ContainsRune(".):,*\n", rune(rest[0])) {
			return o.Label
		}
	}
	return ""
}
