package custom

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/percuss/percuss/dataset/source"
)

// parquetRows is the format of Parquet; the line of a row is its number.
func parquetRows(f source.File, name string) iter.Seq2[source.Row[row], error] {
	return func(yield func(source.Row[row], error) bool) {
		sum, err := source.SHA256(f)
		if err != nil {
			yield(source.Row[row]{}, err)
			return
		}
		p, err := openParquet(f)
		if err != nil {
			yield(source.Row[row]{}, err)
			return
		}
		defer p.Close()
		for n := 1; ; n++ {
			r, err := p.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(source.Row[row]{}, fmt.Errorf("row %d: %w", n, err))
				return
			}
			out := source.NewRow(name, sum, n, r)
			for column, c := range r.cells {
				if !c.valid() {
					out.Bad = fmt.Errorf("column %q is not valid UTF-8", column)
				}
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}

type parquetReader struct {
	*parquet.Reader
	columns []string
}

// damaged turns a panic of the library, which some damaged files cause, into an error.
func damaged(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("not a Parquet file that can be read: %v", p)
	}
}

func openParquet(f source.File) (p parquetReader, err error) {
	defer damaged(&err)
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return p, err
	}
	file, err := parquet.OpenFile(f, size)
	if err != nil {
		return p, fmt.Errorf("not a Parquet file that can be read: %w", err)
	}
	p.Reader = parquet.NewReader(file)
	for _, field := range file.Schema().Fields() {
		p.columns = append(p.columns, field.Name())
	}
	return p, nil
}

func (p parquetReader) next() (r row, err error) {
	defer damaged(&err)
	values := map[string]any{}
	if err := p.Read(&values); err != nil {
		return row{}, err
	}
	r = row{columns: p.columns, cells: map[string]cell{}}
	for name, v := range values {
		r.cells[name] = fromGo(v)
	}
	return r, nil
}

func (c cell) valid() bool {
	return utf8.ValidString(c.text) && !slices.ContainsFunc(c.items, func(i cell) bool { return !i.valid() })
}
