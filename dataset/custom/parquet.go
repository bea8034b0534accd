package custom

import (
	"fmt"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/percuss/percuss/dataset/source"
)

// parquetRows is the format of Parquet; the line of a row is its number.
func parquetRows(f source.File, name string) iter.Seq2[source.Row[row], error] {
	return source.Parquet(f, name, openRows, func(r row) (bad error) {
		for column, c := range r.cells {
			if !c.valid() {
				bad = fmt.Errorf("column %q is not valid UTF-8", column)
			}
		}
		return bad
	})
}

// openRows reads rows of whatever columns the file has.
func openRows(file *parquet.File) source.ParquetRows[row] {
	var columns []string
	for _, field := range file.Schema().Fields() {
		columns = append(columns, field.Name())
	}
	p := parquet.NewReader(file)
	return source.ParquetRows[row]{Close: p.Close, Next: func() (row, error) {
		values := map[string]any{}
		if err := p.Read(&values); err != nil {
			return row{}, err
		}
		r := row{columns: columns, cells: map[string]cell{}}
		for name, v := range values {
			r.cells[name] = fromGo(v)
		}
		return r, nil
	}}
}

func (c cell) valid() bool {
	return utf8.ValidString(c.text) && !slices.ContainsFunc(c.items, func(i cell) bool { return !i.valid() })
}
