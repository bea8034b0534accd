package dataset

import (
	"cmp"
	"errors"
	"iter"
	"slices"

	"github.com/percuss/percuss"
)

// Collect reads a set to its end: the questions that can be used, the rows that cannot, and the error that ended the
// reading before its time.
func Collect(l Loader) (questions []percuss.Question, bad []*BadRow, err error) {
	return collect(l.Questions())
}

// CollectCases reads a set of cases to its end, as Collect reads one of questions.
func CollectCases(l CaseLoader) (cases []percuss.Case, bad []*BadRow, err error) {
	return collect(l.Cases())
}

func collect[I any](rows iter.Seq2[I, error]) (items []I, bad []*BadRow, err error) {
	for item, err := range rows {
		var b *BadRow
		switch {
		case errors.As(err, &b):
			bad = append(bad, b)
		case err != nil:
			return items, bad, err
		default:
			items = append(items, item)
		}
	}
	return items, bad, nil
}

// Draw returns a sample of n questions; all of them, shuffled, when n is not positive or too large. The samples of a
// seed are prefixes of one permutation, so a larger n only adds. A question's place depends on the seed and its id
// alone: neither the order of the file nor rows that were bad move the others. The slice given is not changed.
func Draw(questions []percuss.Question, seed uint64, n int) []percuss.Question {
	return draw(questions, seed, n, func(q percuss.Question) string { return q.ID })
}

// DrawCases returns a sample of n cases, as Draw does of questions.
func DrawCases(cases []percuss.Case, seed uint64, n int) []percuss.Case {
	return draw(cases, seed, n, func(c percuss.Case) string { return c.ID })
}

// SampleCases reads a set to its end and returns what DrawCases would return of all its cases, and how many there were.
// It holds a small multiple of n of them at a time: a published split has more than a hundred thousand.
func SampleCases(l CaseLoader, seed uint64, n int) (drawn []percuss.Case, usable int, bad []*BadRow, err error) {
	for c, err := range l.Cases() {
		var b *BadRow
		switch {
		case errors.As(err, &b):
			bad = append(bad, b)
		case err != nil:
			return nil, usable, bad, err
		default:
			usable++
			drawn = append(drawn, c)
		}
		if n > 0 && len(drawn) > 1000 && len(drawn)/2 > n {
			drawn = DrawCases(drawn, seed, n)
		}
	}
	return DrawCases(drawn, seed, n), usable, bad, nil
}

func draw[I any](items []I, seed uint64, n int, id func(I) string) []I {
	type ranked struct {
		rank uint64
		id   string
		at   int
	}
	order := make([]ranked, len(items))
	for i, item := range items {
		order[i] = ranked{percuss.Rand(seed, id(item), "", "draw").Uint64(), id(item), i}
	}
	slices.SortStableFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.id, b.id))
	})
	if n <= 0 || n > len(order) {
		n = len(order)
	}
	drawn := make([]I, n)
	for i := range drawn {
		drawn[i] = items[order[i].at]
	}
	return drawn
}
