package source

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/parquet-go/parquet-go"
)

// ParquetRows reads rows one by one. Next returns io.EOF after the last one.
type ParquetRows[T any] struct {
	Next  func() (T, error)
	Close func() error
}

// Parquet reads a Parquet file row by row; the line of a row is its number. open makes the reader of rows; bad says what
// makes a row unusable, nil when nothing does. A file that cannot be read, and one that the library panics on, ends the
// sequence with an error.
func Parquet[T any](f File, name string, open func(*parquet.File) ParquetRows[T], bad func(T) error) iter.Seq2[Row[T], error] {
	return func(yield func(Row[T], error) bool) {
		sum, err := SHA256(f)
		if err != nil {
			yield(Row[T]{}, err)
			return
		}
		rows, err := openParquet(f, open)
		if err != nil {
			yield(Row[T]{}, err)
			return
		}
		defer rows.Close()
		for n := 1; ; n++ {
			r, err := nextParquet(rows)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Row[T]{}, fmt.Errorf("row %d: %w", n, err))
				return
			}
			out := NewRow(name, sum, n, r)
			out.Bad = bad(r)
			if !yield(out, nil) {
				return
			}
		}
	}
}

// damaged turns a panic of the library, which some damaged files cause, into an error.
func damaged(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("not a Parquet file that can be read: %v", p)
	}
}

func openParquet[T any](f File, open func(*parquet.File) ParquetRows[T]) (rows ParquetRows[T], err error) {
	defer damaged(&err)
	size, err := footed(f)
	if err != nil {
		return rows, err
	}
	file, err := parquet.OpenFile(f, size)
	if err != nil {
		return rows, fmt.Errorf("not a Parquet file that can be read: %w", err)
	}
	return open(file), nil
}

// footed is the size of a Parquet file, and an error where its end tells of more than the file has: the library makes room for what it tells.
func footed(f File) (size int64, err error) {
	if size, err = f.Seek(0, io.SeekEnd); err != nil {
		return 0, err
	}
	var tail [8]byte // the length of the footer, and the format's mark
	if size < 12 {
		return 0, errors.New("not a Parquet file that can be read: it is cut")
	} else if _, err := f.ReadAt(tail[:], size-8); err != nil {
		return 0, err
	}
	if length := int64(binary.LittleEndian.Uint32(tail[:])); length > size-12 {
		return 0, fmt.Errorf("not a Parquet file that can be read: its footer has %d bytes, the file %d", length, size)
	}
	return size, nil
}

func nextParquet[T any](rows ParquetRows[T]) (r T, err error) {
	defer damaged(&err)
	return rows.Next()
}
