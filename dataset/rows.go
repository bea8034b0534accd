package dataset

import (
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/percuss/percuss"
)

// File is what a format reads: an *os.File, or a *bytes.Reader.
type File interface {
	io.ReadSeeker
	io.ReaderAt
}

// Row is one row of a file, in the form that its format gives it.
type Row[T any] struct {
	Source percuss.Source // file, hash and line; the split is for the loader to say
	Value  T
	Bad    error // why the row cannot be read; those after it can
}

// NewRow returns the row at a line of a file with the given hash.
func NewRow[T any](name, sha256 string, line int, value T) Row[T] {
	return Row[T]{Source: percuss.Source{File: name, SHA256: sha256, Line: line}, Value: value}
}

// Format reads the rows of a file of the given name, one after another, never the whole into memory. An error ends
// the sequence. It can be read again.
type Format[T any] func(f File, name string) iter.Seq2[Row[T], error]

// ReadFile opens a file and yields its rows.
func ReadFile[T any](path string, format Format[T]) iter.Seq2[Row[T], error] {
	return func(yield func(Row[T], error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(Row[T]{}, err)
			return
		}
		defer f.Close()
		for row, err := range format(f, filepath.Base(path)) {
			if err != nil {
				err = fmt.Errorf("%s: %w", path, err)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Questions turns rows into questions of a set. A row that is bad, or that question refuses, comes as a *BadRow.
// What question returns needs no Source.
func Questions[T any](set, split string, rows iter.Seq2[Row[T], error], question func(T) (percuss.Question, error)) iter.Seq2[percuss.Question, error] {
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
