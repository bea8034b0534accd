package exchange

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/percuss/percuss/dataset/source"
)

// footed is an error where the end of a Parquet file tells of more than the file has: the library makes room for what it tells.
func footed(f source.File) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	var tail [8]byte // the length of the footer, and the format's mark
	if size < 12 {
		return errors.New("not a Parquet file that can be read: it is cut")
	} else if _, err := f.ReadAt(tail[:], size-8); err != nil {
		return err
	}
	if length := int64(binary.LittleEndian.Uint32(tail[:])); length > size-12 {
		return fmt.Errorf("not a Parquet file that can be read: its footer has %d bytes, the file %d", length, size)
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// parquet reads a Parquet file of texts, numbers and truth values.
func (g *gather) parquet() error {
	var names, columns []string
	open := func(file *parquet.File) source.ParquetRows[map[string]any] {
		for _, f := range file.Schema().Fields() {
			names = append(names, f.Name())
		}
		rows := parquet.NewReader(file)
		size := unpacked(file)
		return source.ParquetRows[map[string]any]{Close: rows.Close, Next: func() (map[string]any, error) {
			if size > g.most.unpacked {
				return nil, fmt.Errorf("its columns take %d bytes unpacked: at most %d are read", size, g.most.unpacked)
			}
			values := map[string]any{}
			err := rows.Read(&values)
			return values, err
		}}
	}
	format := func(f source.File, name string) iter.Seq2[source.Row[map[string]any], error] {
		if err := footed(f); err != nil {
			return func(yield func(source.Row[map[string]any], error) bool) { yield(source.Row[map[string]any]{}, err) }
		}
		return source.Parquet(f, name, open, func(map[string]any) error { return nil })
	}
	for r, err := range source.Read(g.path, format) {
		if err != nil {
			return fmt.Errorf("%s: %w", g.path, err)
		}
		if columns == nil {
			if columns, err = g.header.columns(names); err != nil {
				return fmt.Errorf("%s: %w", g.path, err)
			}
		}
		out := row{fmt.Sprintf("%s: row %d", g.path, r.Source.Line), map[string]string{}}
		if err := out.fill(names, columns, r.Value); err != nil {
			return err
		}
		if err := g.row(out); err != nil {
			return err
		}
	}
	return g.flush()
}

// fill enters the values of the columns that answers stand in.
func (r row) fill(names, columns []string, values map[string]any) (err error) {
	for i, c := range columns {
		if c == "" {
			continue
		}
		if r.cells[c], err = cellOf(values[names[i]]); err != nil {
			return r.fault("column %q: %v", names[i], err)
		}
	}
	return nil
}

// unpacked is what the columns take without compression, as the file declares it.
func unpacked(file *parquet.File) (size int64) {
	for _, group := range file.Metadata().RowGroups {
		for _, c := range group.Columns {
			if c.MetaData.TotalUncompressedSize < 0 || size > math.MaxInt64-c.MetaData.TotalUncompressedSize {
				return math.MaxInt64
			}
			size += c.MetaData.TotalUncompressedSize
		}
	}
	return size
}

// cellOf is a value of a column as a text.
func cellOf(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		if !utf8.ValidString(v) {
			return "", errors.New("a text that is not UTF-8")
		}
		return v, nil
	case []byte:
		return cellOf(string(v))
	case bool:
		return strconv.FormatBool(v), nil
	case int32:
		return strconv.FormatInt(int64(v), 10), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float32:
		return strconv.FormatFloat(float64(v), 'f', -1, 32), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano), nil
	}
	return "", fmt.Errorf("it holds neither texts nor numbers, but %T", v)
}
