package dataset

import (
	"fmt"
	"iter"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset/source"
)

// Questions turns rows into questions of a set. A row that is bad, or that question refuses, comes as a *BadRow.
// What question returns needs no Source.
func Questions[T any](set, split string, rows iter.Seq2[source.Row[T], error], question func(T) (percuss.Question, error)) iter.Seq2[percuss.Question, error] {
	return items(set, split, rows, question, func(q *percuss.Question) *percuss.Source { return &q.Source })
}

// Cases turns rows into cases of a set, as Questions does for questions.
func Cases[T any](set, split string, rows iter.Seq2[source.Row[T], error], read func(T) (percuss.Case, error)) iter.Seq2[percuss.Case, error] {
	return items(set, split, rows, read, func(c *percuss.Case) *percuss.Source { return &c.Source })
}

// items turns rows into items; place says where an item keeps its source.
func items[T, I any](set, split string, rows iter.Seq2[source.Row[T], error], read func(T) (I, error), place func(*I) *percuss.Source) iter.Seq2[I, error] {
	return func(yield func(I, error) bool) {
		var none I
		for row, err := range rows {
			if err != nil {
				yield(none, fmt.Errorf("data set %s: %w", set, err))
				return
			}
			var item I
			err = row.Bad
			if err == nil {
				item, err = read(row.Value)
			}
			if err != nil {
				item, err = none, &BadRow{File: row.Source.File, Line: row.Source.Line, Why: err.Error()}
			} else {
				at := place(&item)
				*at = row.Source
				at.Split = split
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

// Fail is a sequence that ends with an error before its first question.
func Fail(set string, err error) iter.Seq2[percuss.Question, error] {
	return func(yield func(percuss.Question, error) bool) {
		yield(percuss.Question{}, fmt.Errorf("data set %s: %w", set, err))
	}
}
