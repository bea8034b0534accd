package dataset

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// Record is one record of a CSV file.
type Record struct {
	Header []string // the names of the columns; nil where the file has none
	Fields []string // as many as the header, or the first record, has
}

// CSV is the format of comma-separated values. separator is the sign between fields; 0: a comma, semicolon or tab,
// whichever is the most frequent in the first record. header says whether the first record names the columns.
// Line numbers are those of the file: a field in quotes may run over several lines. A record with another number of
// fields than the first, or with a stray quote sign, is a bad row.
func CSV(separator rune, header func(first []string) bool) Format[Record] {
	return func(f File, name string) iter.Seq2[Row[Record], error] {
		return func(yield func(Row[Record], error) bool) {
			t, err := openText(f)
			if err == nil {
				c := csvReader{text: t, name: name}
				err = c.rows(separator, header, func(r Row[Record]) bool { return yield(r, nil) })
			}
			if err != nil && !errors.Is(err, errStop) {
				yield(Row[Record]{}, err)
			}
		}
	}
}

// errStop says that whoever reads the rows wants no more.
var errStop = errors.New("stop")

type csvReader struct {
	*text
	name   string
	header []string
	width  int // fields of the first record; 0: not seen yet
}

func (c *csvReader) rows(separator rune, header func([]string) bool, yield func(Row[Record]) bool) error {
	r := csv.NewReader(c.in)
	r.FieldsPerRecord = -1
	if r.Comma = separator; separator == 0 {
		head, _ := c.in.Peek(c.in.Size()) // a short file gives what it has
		r.Comma = sniff(head)
	}
	for {
		fields, err := r.Read()
		var broken *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return c.unchanged()
		case errors.As(err, &broken):
			row := NewRow(c.name, c.want, broken.StartLine, Record{})
			row.Bad = quoteFault(broken)
			if !yield(row) {
				return errStop
			}
			continue
		case err != nil:
			return err
		}
		line, _ := r.FieldPos(0)
		if c.width == 0 {
			c.width = len(fields)
			if header(fields) {
				if err := c.setHeader(fields); err != nil {
					return fmt.Errorf("line %d: %w", line, err)
				}
				continue
			}
		}
		if !yield(c.row(line, fields)) {
			return errStop
		}
	}
}

// setHeader takes the names of the columns; two of one name could not be told apart.
func (c *csvReader) setHeader(fields []string) error {
	for i, name := range fields {
		fields[i] = trim(name)
		if j := slices.Index(fields[:i], fields[i]); j >= 0 && fields[i] != "" {
			return fmt.Errorf("columns %d and %d are both named %q; rename one", j+1, i+1, fields[i])
		}
	}
	c.header = fields
	return nil
}

func (c *csvReader) row(line int, fields []string) Row[Record] {
	row := NewRow(c.name, c.want, line, Record{Header: c.header, Fields: fields})
	switch {
	case len(fields) != c.width:
		row.Bad = fmt.Errorf("%d fields where the first record has %d; put a field that holds the separator in quotes", len(fields), c.width)
	case slices.ContainsFunc(fields, func(s string) bool { return !utf8.ValidString(s) }):
		row.Bad = errNotUTF8
	}
	return row
}

func quoteFault(e *csv.ParseError) error {
	where := fmt.Sprintf("column %d", e.Column)
	if e.Line != e.StartLine {
		where += fmt.Sprintf(" of line %d", e.Line)
	}
	if errors.Is(e.Err, csv.ErrBareQuote) {
		return fmt.Errorf("a quote sign inside a field that is not in quotes, at %s; put the field in quotes and double the sign", where)
	}
	return fmt.Errorf("a field in quotes does not end where a separator or the line's end follows, at %s; double the quote signs inside it", where)
}

// sniff returns the separator of the first record: the sign that stands most often outside quotes.
func sniff(head []byte) rune {
	head = bytes.TrimLeft(head, "\r\n")
	signs := ",;\t"
	counts := make([]int, len(signs))
	quoted := false
	for _, b := range head {
		if b == '"' {
			quoted = !quoted
		}
		if quoted {
			continue
		}
		if b == '\n' {
			break
		}
		if i := strings.IndexByte(signs, b); i >= 0 {
			counts[i]++
		}
	}
	return rune(signs[slices.Index(counts, slices.Max(counts))])
}
