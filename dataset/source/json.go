package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"
)

// Element is one element of a JSON array, or one member of a JSON object.
type Element struct {
	Key   string // the member's name; empty in an array
	Value json.RawMessage
}

// Elements is the format of a file that is one JSON array or object: each element or member is a row, at the line
// where it begins.
func Elements(f File, name string) iter.Seq2[Row[Element], error] {
	return func(yield func(Row[Element], error) bool) {
		t, err := openText(f)
		if err == nil {
			lines := &lineCounter{r: t.in, line: 1}
			e := elements{text: t, name: name, lines: lines, d: json.NewDecoder(lines)}
			err = e.rows(func(r Row[Element]) bool { return yield(r, nil) })
		}
		if err != nil && !errors.Is(err, errStop) {
			yield(Row[Element]{}, err)
		}
	}
}

type elements struct {
	*text
	name  string
	lines *lineCounter
	d     *json.Decoder
}

func (e *elements) rows(yield func(Row[Element]) bool) error {
	open, err := e.d.Token()
	if err != nil {
		return e.fault(err)
	}
	if open != json.Delim('{') && open != json.Delim('[') {
		return errors.New("neither a JSON array nor an object")
	}
	for e.d.More() {
		row, err := e.next(open == json.Delim('{'))
		if err != nil {
			return e.fault(err)
		}
		if !yield(row) {
			return errStop
		}
	}
	if _, err := e.d.Token(); err != nil {
		return e.fault(err)
	}
	if _, err := e.d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: text after the end of the JSON value", e.lines.at(e.d.InputOffset()))
	}
	return e.unchanged()
}

func (e *elements) next(member bool) (Row[Element], error) {
	var el Element
	line := 0
	if member {
		key, err := e.d.Token()
		if err != nil {
			return Row[Element]{}, err
		}
		el.Key, _ = key.(string) // the decoder lets nothing else be a key
		line = e.lines.at(e.d.InputOffset())
	}
	if err := e.d.Decode(&el.Value); err != nil {
		return Row[Element]{}, err
	}
	if !member {
		line = e.lines.at(e.d.InputOffset() - int64(len(el.Value)))
	}
	row := NewRow(e.name, e.want, line, el)
	if !utf8.Valid(el.Value) {
		row.Bad = errNotUTF8
	}
	return row, nil
}

// fault says behind which line the file ceases to be JSON.
func (e *elements) fault(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("not JSON from line %d on: %w", e.lines.at(e.d.InputOffset()), err)
}

// lineCounter finds the line of an offset. Offsets are asked for in ascending order, so what lies behind is dropped.
type lineCounter struct {
	r    io.Reader
	seen int64   // bytes read
	ends []int64 // offsets of the line breaks that were read and not passed
	line int     // of the last offset asked for
}

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.seen+int64(i))
		}
	}
	c.seen += int64(n)
	return n, err
}

func (c *lineCounter) at(offset int64) int {
	passed := 0
	for passed < len(c.ends) && c.ends[passed] < offset {
		passed++
	}
	c.line += passed
	c.ends = c.ends[passed:]
	return c.line
}
