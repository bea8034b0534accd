package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
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
// fields than the first is a bad row. A quote sign inside a field that does not begin with one is a sign as any other.
// A first line "sep=;", with which some programs name the separator, does that and is no record. A file whose lines end in
// CR alone is an error, for it would be read as one line.
func CSV(separator byte, header func(first []string) bool) Format[Record] {
	return func(f File, name string) iter.Seq2[Row[Record], error] {
		return func(yield func(Row[Record], error) bool) {
			t, err := openText(f)
			if err == nil {
				c := csvReader{text: t, name: name, separator: separator}
				err = c.rows(header, func(r Row[Record]) bool { return yield(r, nil) })
			}
			if err != nil && !errors.Is(err, errStop) {
				yield(Row[Record]{}, err)
			}
		}
	}
}

// separatorLine is a first line that names the separator.
var separatorLine = regexp.MustCompile(`^(?i:sep)=([,;\t|])\r?\n`)

// oldEnds says whether the first line, or what is seen of it, has a CR outside quotes that no LF follows.
func oldEnds(head []byte) bool {
	quoted := false
	for i, b := range head {
		switch {
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '\n':
			return false
		case b == '\r' && i+1 < len(head) && head[i+1] != '\n' && head[i+1] != '\r':
			return true
		}
	}
	return false
}

// errStop says that whoever reads the rows wants no more.
var errStop = errors.New("stop")

type csvReader struct {
	*text
	name      string
	separator byte
	header    []string
	width     int    // fields of the first record; 0: not seen yet
	again     []line // lines to be read again
	next      func() (line, error, bool)
}

func (c *csvReader) rows(header func([]string) bool, yield func(Row[Record]) bool) error {
	var stop func()
	c.next, stop = iter.Pull2(c.lines())
	defer stop()
	if err := c.begin(); err != nil {
		return err
	}
	for {
		at, fields, bad, err := c.record()
		switch {
		case errors.Is(err, io.EOF):
			return c.unchanged()
		case err != nil:
			return err
		}
		if bad != nil {
			row := NewRow(c.name, c.want, at, Record{})
			row.Bad = bad
			if !yield(row) {
				return errStop
			}
			continue
		}
		if c.width == 0 {
			c.width = len(fields)
			if header(fields) {
				if err := c.setHeader(fields); err != nil {
					return fmt.Errorf("line %d: %w", at, err)
				}
				continue
			}
		}
		if !yield(c.row(at, fields)) {
			return errStop
		}
	}
}

// begin finds the separator, and passes over a line that names it.
func (c *csvReader) begin() error {
	head, _ := c.in.Peek(c.in.Size()) // a short file gives what it has
	if oldEnds(head) {
		return errors.New("its lines end in CR alone, as those of old Macintosh programs do: save it as CSV in UTF-8")
	}
	named := separatorLine.FindSubmatch(head)
	if c.separator == 0 && named == nil {
		c.separator = sniff(head)
	} else if c.separator == 0 {
		c.separator = named[1][0]
	}
	if named == nil {
		return nil
	}
	_, err := c.line()
	return err
}

// line returns the next line, io.EOF after the last.
func (c *csvReader) line() (line, error) {
	if len(c.again) > 0 {
		l := c.again[0]
		c.again = c.again[1:]
		return l, nil
	}
	l, err, ok := c.next()
	if !ok {
		return line{}, io.EOF
	}
	return l, err
}

// longestField bounds how far the end of a field in quotes is looked for, in bytes.
const longestField = 16 << 20

// record reads one record and says at which line it begins. After a quote sign that never closes, or closes where no
// separator follows, reading goes on with the second line of the record: a stray sign costs its own line, not those
// up to the next one.
func (c *csvReader) record() (at int, fields []string, bad, err error) {
	l, err := c.line()
	for err == nil && len(l.text) == 0 {
		l, err = c.line()
	}
	if err != nil {
		return l.number, nil, nil, err
	}
	var more []line // of the record, after its first
	rest := l.text
	for {
		var field []byte
		found := false
		if len(rest) == 0 || rest[0] != '"' {
			field, rest, found = bytes.Cut(rest, []byte{c.separator})
		} else {
			if field, rest, bad, err = c.quoted(rest[1:], &more); bad != nil || err != nil {
				return l.number, nil, bad, err
			}
			if found = len(rest) > 0; found && rest[0] != c.separator {
				c.again = append(more, c.again...)
				return l.number, nil, fmt.Errorf("text after the quote sign that ends field %d; double the signs inside a field in quotes", len(fields)+1), nil
			} else if found {
				rest = rest[1:]
			}
		}
		fields = append(fields, string(field))
		if !found {
			return l.number, fields, nil, nil
		}
	}
}

// quoted reads a field from behind its opening quote sign, over further lines where it goes on there, and returns what
// follows its closing one.
func (c *csvReader) quoted(s []byte, more *[]line) (field, rest []byte, bad, err error) {
	field, rest, closed := unquote(nil, s)
	for !closed {
		l, err := c.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, nil, nil, err
		}
		if err != nil || len(field) > longestField {
			if err == nil {
				*more = append(*more, l)
			}
			c.again = append(*more, c.again...)
			return nil, nil, errors.New("a field begins with a quote sign and does not end with one; end it, and double the signs inside"), nil
		}
		*more = append(*more, l)
		field, rest, closed = unquote(append(field, '\n'), l.text)
	}
	return field, rest, nil, nil
}

// unquote adds to field what stands before the closing quote sign, and returns what stands after it.
func unquote(field, s []byte) (_, rest []byte, closed bool) {
	for {
		i := bytes.IndexByte(s, '"')
		switch {
		case i < 0:
			return append(field, s...), nil, false
		case i+1 < len(s) && s[i+1] == '"':
			field, s = append(field, s[:i+1]...), s[i+2:]
		default:
			return append(field, s[:i]...), s[i+1:], true
		}
	}
}

// setHeader takes the names of the columns; two of one name could not be told apart.
func (c *csvReader) setHeader(fields []string) error {
	for i, name := range fields {
		fields[i] = strings.TrimSpace(name)
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
	case len(fields) < c.width:
		row.Bad = fmt.Errorf("%d fields where the first record has %d; end the row with a separator for each empty field, and put a field of several lines in quotes", len(fields), c.width)
	case len(fields) > c.width:
		row.Bad = fmt.Errorf("%d fields where the first record has %d; put a field that holds the separator in quotes", len(fields), c.width)
	case slices.ContainsFunc(fields, func(s string) bool { return !utf8.ValidString(s) }):
		row.Bad = errNotUTF8
	}
	return row
}

// sniff returns the separator of the first record: the sign that stands most often outside quotes.
func sniff(head []byte) byte {
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
	return signs[slices.Index(counts, slices.Max(counts))]
}
