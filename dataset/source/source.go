// Package source reads the files of data sets row by row: JSON lines, one JSON value, CSV. Whatever the format, a row
// knows the hash of its file and its line, and a row that cannot be read does not keep the others from being read.
package source

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

// Read opens a file and yields its rows.
func Read[T any](path string, format Format[T]) iter.Seq2[Row[T], error] {
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
