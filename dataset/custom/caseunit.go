package custom

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
)

// record holds the fields of a row or of a unit under the names that they are known by.
type record map[string]cell

// known makes a record. Case, hyphens and spaces in names do not count. A null is no field.
func known(names []string, value func(int) cell, fields []string, what string) (record, error) {
	out := record{}
	for i, name := range names {
		field := firstOf(fields, []string{name})
		c := value(i)
		_, twice := out[field]
		switch {
		case c.kind == absent:
		case field == "":
			return nil, fmt.Errorf("unknown field: %q; a %s has %s", name, what, strings.Join(fields, ", "))
		case twice:
			return nil, fmt.Errorf("field stands twice: %q, in two spellings", field)
		default:
			out[field] = c
		}
	}
	return out, nil
}

func (r record) text(field string) (string, error) {
	if c := r[field]; c.kind == list || c.kind == object {
		return "", fmt.Errorf("no text: %s is a list or an object", field)
	}
	return r[field].text, nil
}

// list reads a list of texts; a text that is a JSON list, as in a cell of a CSV file, is read too. A single text is
// one item.
func (r record) list(field string) ([]string, error) {
	c, err := r[field].unpacked()
	if err != nil {
		return nil, fmt.Errorf("no list: %s begins as one but is no JSON: %w", field, err)
	}
	switch {
	case c.blank():
		return nil, nil
	case c.kind == text:
		return []string{c.text}, nil
	case c.kind == object:
		return nil, fmt.Errorf("no list: %s is an object; give a list of texts", field)
	}
	texts, err := c.texts()
	if err != nil {
		return nil, fmt.Errorf("no list of texts: %s, %w", field, err)
	}
	return texts, nil
}

func (r record) truth(field string) (bool, error) {
	c := r[field]
	if c.blank() {
		return false, nil
	}
	is, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(c.text)))
	if c.kind != text || err != nil {
		return false, fmt.Errorf("neither true nor false: %s is %q", field, c.text)
	}
	return is, nil
}

// narrative returns "true", "false" or "" for none; or the text of a report.
func (r record) narrative() (value string, isText bool, err error) {
	value, err = r.text("narrative")
	value = strings.TrimSpace(value)
	if is, e := strconv.ParseBool(strings.ToLower(value)); e == nil {
		return strconv.FormatBool(is), false, err
	}
	return value, value != "", err
}

// fill reads fields and keeps the first error.
type fill struct {
	fields record
	err    error
}

func (f *fill) text(field string) string   { return keep(f, field, f.fields.text) }
func (f *fill) list(field string) []string { return keep(f, field, f.fields.list) }
func (f *fill) truth(field string) bool    { return keep(f, field, f.fields.truth) }

func keep[T any](f *fill, field string, read func(string) (T, error)) T {
	v, err := read(field)
	if f.err == nil {
		f.err = err
	}
	return v
}

// unpacked parses a text that begins as a JSON list or object.
func (c cell) unpacked() (cell, error) {
	if s := strings.TrimSpace(c.text); c.kind == text && s != "" && (s[0] == '[' || s[0] == '{') {
		return parseJSON([]byte(s))
	}
	return c, nil
}

// unitsOf reads the units of a row; sentences: they are texts.
func unitsOf(c cell) (units []percuss.Unit, sentences bool, err error) {
	if c, err = c.unpacked(); err != nil {
		return nil, false, fmt.Errorf("no units: the field begins as a list but is no JSON: %w", err)
	}
	if c.kind != list && !c.blank() {
		return nil, false, errors.New("no list: units is a text or an object; give a list of sentences or of findings")
	}
	for i, item := range c.items {
		if i > 0 && (item.kind == text) != sentences {
			return nil, false, fmt.Errorf("mixed units: number %d is not of the kind of those before it; give sentences or findings", i+1)
		}
		sentences = item.kind == text
		u, err := unitOf(item)
		if err != nil {
			return nil, false, fmt.Errorf("%w (unit %d)", err, i+1)
		}
		units = append(units, u)
	}
	return units, sentences, nil
}

func complaintOf(c cell) (*percuss.Unit, error) {
	c, err := c.unpacked()
	if err != nil {
		return nil, fmt.Errorf("no complaint: the field begins as an object but is no JSON: %w", err)
	}
	if c.blank() {
		return nil, nil
	}
	u, err := unitOf(c)
	if err != nil {
		return nil, fmt.Errorf("%w (the complaint)", err)
	}
	return &u, nil
}

// unitOf reads a sentence, or a finding.
func unitOf(c cell) (percuss.Unit, error) {
	if c.kind == text {
		return percuss.Unit{Text: c.text}, nil
	}
	var u percuss.Unit
	if c.kind != object {
		return u, errors.New("neither a text nor an object")
	}
	fields, err := known(c.names, func(i int) cell { return c.items[i] }, unitFields, "unit")
	if err != nil {
		return u, err
	}
	f := fill{fields: fields}
	u = percuss.Unit{ID: f.text("id"), Text: f.text("text"), Family: f.text("family"), Asked: f.text("asked"), Value: f.text("value"),
		Absent: f.truth("absent"), Antecedent: f.truth("antecedent"), SymptomOf: f.list("symptom_of"), AntecedentOf: f.list("antecedent_of")}
	return u, f.err
}
