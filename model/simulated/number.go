package simulated

import (
	"math/big"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
)

// near returns the answers that a reasoner may give to a question whose answer is a number: the right one, at a place that
// depends on the item, and others near it. The reasoner treats them as options that are not shown.
func near(q percuss.Question) (numbers []string, gold int) {
	right, ok := new(big.Rat).SetString(q.Gold)
	if !ok {
		return []string{q.Gold}, 0
	}
	numbers = []string{q.Gold}
	for _, step := range []int64{1, -1, 2, 10, -2, 5} {
		n := new(big.Rat).Add(right, big.NewRat(step, 1))
		text, ok := clinical.CanonicalNumber(n.RatString())
		if ok && len(numbers) < answersToNumber {
			numbers = append(numbers, text)
		}
	}
	rng := percuss.Rand(0, q.ID, "", "near")
	rng.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	return numbers, slices.Index(numbers, q.Gold)
}

// answersToNumber is how many answers a reasoner has in mind where the answer is a number.
const answersToNumber = 5

// numbers makes the numbers in question the labels of a view. What stands behind the stem is the instruction.
func (v *view) numbers(text string) {
	for i, n := range v.item.options {
		v.labels, v.option = append(v.labels, n), append(v.option, i)
	}
	stem := v.item.passages[len(v.item.passages)-1]
	if at := strings.LastIndex(text, stem); at >= 0 {
		v.before, v.after = text[:at+len(stem)], text[at+len(stem):]
	}
}

// form is the form of a chain about what a view shows.
func (v view) form() form {
	if v.item != nil && v.item.number {
		return numeric
	}
	return lettered
}
