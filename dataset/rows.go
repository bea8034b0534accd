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
	return func(yield func(percuss.Question, error) bool) {
		for row, err := range rows {
			if err != nil {
				yield(percuss.Question{}, fmt.Errorf("data set %s: %w", set, err))
				return
			}
			var q percuss.Question
			err = row.Bad
			if err == nil {
				q, err = question(row.Value)
			}
			if err != nil {
				q, err = percuss.Question{}, &BadRow{File: row.Source.File, Line: row.Source.Line, Why: err.Error()}
			} else {
				q.Source = row.Source
				q.Source.Split = split
			}
			if !yield(q, err) {
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
