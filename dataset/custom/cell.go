package custom

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// cell is a value of a row, whatever the format: a text, a list, an object, or absent (the zero cell).
type cell struct {
	kind  kind
	text  string // of a text, number or truth value
	items []cell // of a list or object
	names []string
}

type kind int

const (
	absent kind = iota
	text
	list
	object
)

// row holds the cells of a row by column.
type row struct {
	columns []string // in the order of the file
	cells   map[string]cell
}

func textCell(s string) cell { return cell{kind: text, text: s} }

// parseJSON reads one JSON value. It goes token by token, so that the members of an object keep their order.
func parseJSON(raw []byte) (cell, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	c, err := decode(d)
	if err != nil {
		return cell{}, err
	}
	if d.More() {
		return cell{}, errors.New("more than one JSON value")
	}
	return c, nil
}

func decode(d *json.Decoder) (cell, error) {
	t, err := d.Token()
	if err != nil {
		return cell{}, err
	}
	switch t := t.(type) {
	case string:
		return textCell(t), nil
	case json.Number:
		return textCell(t.String()), nil
	case bool:
		return textCell(strconv.FormatBool(t)), nil
	case json.Delim:
		return decodeItems(d, t)
	}
	return cell{}, nil
}

// decodeItems reads what follows an opening bracket. A decoder never gives a closing one first.
func decodeItems(d *json.Decoder, open json.Delim) (cell, error) {
	c := cell{kind: list}
	if open == '{' {
		c.kind = object
	}
	for d.More() {
		if c.kind == object {
			name, err := d.Token()
			if err != nil {
				return cell{}, err
			}
			s, _ := name.(string)
			if slices.Contains(c.names, s) {
				return cell{}, fmt.Errorf("field %q stands twice", s)
			}
			c.names = append(c.names, s)
		}
		item, err := decode(d)
		if err != nil {
			return cell{}, err
		}
		c.items = append(c.items, item)
	}
	_, err := d.Token()
	return c, err
}

// fromGo turns a value as the Parquet reader gives it into a cell.
func fromGo(v any) cell {
	switch v := v.(type) {
	case nil:
		return cell{}
	case string:
		return textCell(v)
	case []byte:
		return textCell(string(v))
	case []any:
		c := cell{kind: list}
		for _, item := range v {
			c.items = append(c.items, fromGo(item))
		}
		return c
	case map[string]any:
		c := cell{kind: object}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			c.names, c.items = append(c.names, name), append(c.items, fromGo(v[name]))
		}
		return c
	}
	return textCell(fmt.Sprint(v))
}

// member returns a member of an object by its name, whatever its case.
func (c cell) member(names ...string) (cell, bool) {
	for _, name := range names {
		for i, n := range c.names {
			if strings.EqualFold(n, name) {
				return c.items[i], true
			}
		}
	}
	return cell{}, false
}

// texts returns the items of a list of texts.
func (c cell) texts() ([]string, error) {
	var out []string
	for i, item := range c.items {
		if item.kind != text {
			return nil, fmt.Errorf("item %d is no text", i+1)
		}
		out = append(out, item.text)
	}
	return out, nil
}

// blank reports whether there is nothing to read.
func (c cell) blank() bool {
	return c.kind == absent || c.kind == text && strings.TrimSpace(c.text) == ""
}
