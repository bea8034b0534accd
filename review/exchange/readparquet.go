package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/percuss/percuss/dataset/source"
)

// parquet reads a Parquet file of texts, numbers and truth values, or of flat records of Argilla.
func (g *gather) parquet() error {
	var names []string
	units := map[string]time.Duration{}
	open := func(file *parquet.File) source.ParquetRows[map[string]any] {
		for _, f := range file.Schema().Fields() {
			names = append(names, f.Name())
			if unit, ok := unitOf(f); ok {
				units[f.Name()] = unit
			}
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
	rows := func(f source.File, name string) iter.Seq2[source.Row[map[string]any], error] {
		return source.Parquet(f, name, open, func(map[string]any) error { return nil })
	}
	var columns []string
	for r, err := range source.Read(g.path, rows) {
		if err != nil {
			return err
		}
		where := fmt.Sprintf("%s: row %d", g.path, r.Source.Line)
		if slices.ContainsFunc(names, isResponses) {
			err = g.listed(where, r.Value)
		} else if columns == nil {
			columns, err = g.head(names)
		}
		if err == nil && columns != nil {
			err = g.filled(where, names, columns, units, r.Value)
		}
		if err != nil {
			return err
		}
	}
	return g.flush()
}

// filled takes a row of a sheet or of the long form.
func (g *gather) filled(where string, names, columns []string, units map[string]time.Duration, values map[string]any) error {
	r := row{where, map[string]string{}}
	if err := r.fill(names, columns, units, values); err != nil {
		return err
	}
	return g.row(r)
}

// listed takes a flat record of Argilla, whose answers are lists.
func (g *gather) listed(where string, values map[string]any) error {
	object := map[string]json.RawMessage{}
	for name, v := range values {
		if h := g.header.column(name); h != colID && h != colPackage && !strings.Contains(name, flatResponses) {
			continue
		}
		raw, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("%s: column %q: %w", where, name, err)
		}
		if g.size += int64(len(raw)); g.size > g.most.bytes {
			return fmt.Errorf("%s: more than %d bytes unpacked: give the file in parts", where, g.most.bytes)
		}
		object[name] = raw
	}
	if g.rows++; g.rows > g.most.rows {
		return fmt.Errorf("%s: more than %d rows: give the file in parts", where, g.most.rows)
	}
	g.some, g.program = true, true
	return g.record(where, object)
}

// fill enters the values of the columns that answers stand in.
func (r row) fill(names, columns []string, units map[string]time.Duration, values map[string]any) (err error) {
	for i, c := range columns {
		if c == "" {
			continue
		}
		v := values[names[i]]
		if unit, ok := units[names[i]]; ok {
			v = timeOf(v, unit)
		}
		if r.cells[c], err = cellOf(v); err != nil {
			return r.fault("column %q: %v", names[i], err)
		}
	}
	return nil
}

// unitOf is the unit in which a column counts time from 1970 on, where it does. Columns of 96 bits hold nothing else.
func unitOf(f parquet.Field) (time.Duration, bool) {
	if !f.Leaf() {
		return 0, false
	}
	if f.Type().Kind() == parquet.Int96 {
		return time.Nanosecond, true
	}
	logical := f.Type().LogicalType()
	if logical == nil {
		return 0, false
	}
	switch t := logical.Value.(type) {
	case *format.TimestampType:
		return t.Unit.Value.Duration(), true
	case *format.DateType:
		return 24 * time.Hour, true
	}
	return 0, false
}

// timeOf is the time that a column of a unit holds; what is no count of it stays as it is. 96 bits are a day of the Julian calendar and,
// before it, the nanoseconds since its midnight.
func timeOf(v any, unit time.Duration) any {
	const epoch = 2_440_588 // the Julian day of 1970-01-01
	count := int64(0)
	switch v := v.(type) {
	case int32:
		count = int64(v)
	case int64:
		count = v
	case deprecated.Int96:
		return time.Unix((int64(v[2])-epoch)*86_400, int64(v[1])<<32|int64(v[0])).UTC()
	default:
		return v
	}
	if unit >= time.Second {
		return time.Unix(count*int64(unit/time.Second), 0).UTC()
	}
	each := int64(time.Second / unit)
	return time.Unix(count/each, count%each*int64(unit)).UTC()
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
	case uint32:
		return strconv.FormatUint(uint64(v), 10), nil
	case uint64:
		return strconv.FormatUint(v, 10), nil
	case float32:
		return strconv.FormatFloat(float64(v), 'f', -1, 32), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case *big.Float:
		return v.Text('f', -1), nil
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano), nil
	}
	return "", fmt.Errorf("it holds neither texts nor numbers, but %T", v)
}
