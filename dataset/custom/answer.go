package custom

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
)

// The ways in which a file gives its answers (?answers=).
const (
	byLabel = "letter"
	byIndex = "index"
	byText  = "text"

	asNumber = "number" // the answer is a number, and there are no options
)

// choices are the options of a row.
type choices struct {
	labels []string // as the file has them; nil: A, B, ...
	texts  []string
}

func (c choices) label(i int) string {
	if i < len(c.labels) {
		return c.labels[i]
	}
	return percuss.Label(i)
}

// labelled returns the option with the label, which may stand in brackets or before a full stop; -1 for none.
func (c choices) labelled(answer string) int {
	bare := strings.Trim(answer, "().: ")
	for i := range c.texts {
		if strings.EqualFold(c.label(i), bare) {
			return i
		}
	}
	return -1
}

// worded returns the option with the text; -1 for none, or for two that differ in case alone.
func (c choices) worded(answer string) int {
	answer = dataset.CleanOption(answer)
	found := -1
	for i, t := range c.texts {
		t = dataset.CleanOption(t)
		if t == answer {
			return i
		}
		if strings.EqualFold(t, answer) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// key is how the answers of a file are read.
type key struct {
	mode string // byLabel, byIndex, byText; empty: by whichever the answer is
	base int    // what an index counts from
}

// gold returns the index of the right option.
func (k key) gold(answer string, c choices) (int, error) {
	label, text := c.labelled(answer), c.worded(answer)
	number, isNumber := k.number(answer)
	switch {
	case k.mode == byLabel && label >= 0, k.mode == "" && label >= 0 && (text < 0 || text == label):
		return label, nil
	case k.mode == byText && text >= 0, k.mode == "" && text >= 0 && label < 0 && !isNumber:
		return text, nil
	case k.mode == "" && label >= 0:
		return 0, fmt.Errorf("answer %q is the label of one option and the text of another; say ?answers=letter or ?answers=text", answer)
	case k.mode == "" && text >= 0:
		return 0, fmt.Errorf("answer %q is an option's text, and may be a number of one; say ?answers=text or ?answers=index", answer)
	case isNumber && (number < k.base || number >= k.base+len(c.texts)):
		return 0, fmt.Errorf("answer %s where the file counts from %d and the row has %d options", answer, k.base, len(c.texts))
	case isNumber:
		return number - k.base, nil
	}
	return 0, fmt.Errorf("answer %q is no label, index or text of an option", answer)
}

// number reads an answer by index: 1 or 1.0. It is none where another way was asked for.
func (k key) number(answer string) (int, bool) {
	if k.mode == byLabel || k.mode == byText {
		return 0, false
	}
	f, err := strconv.ParseFloat(answer, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1e6 {
		return 0, false
	}
	return int(f), true
}

// counts returns the number by which an answer names an option, where only its base is in doubt.
func (k key) counts(answer string, c choices) (int, bool) {
	n, ok := k.number(answer)
	if k.mode == "" && (c.labelled(answer) >= 0 || c.worded(answer) >= 0) {
		return 0, false
	}
	return n, ok
}

// answerOf returns the answer of a row, trimmed.
func answerOf(r row, column string) (string, error) {
	c := r.cells[column]
	if c.kind == list && len(c.items) == 1 {
		c = c.items[0]
	}
	switch {
	case c.blank():
		return "", fmt.Errorf("no answer in %q", column)
	case c.kind == list:
		return "", fmt.Errorf("%d right answers in %q; a question has one", len(c.items), column)
	case c.kind == object:
		return "", fmt.Errorf("%q is an object, not an answer", column)
	}
	return strings.TrimSpace(c.text), nil
}

// choicesOf returns the options of a row from one column or several. Of several, the last may be blank: then the row
// has fewer.
func choicesOf(r row, columns []string, separator string) (choices, error) {
	if len(columns) == 1 {
		return choicesIn(r.cells[columns[0]], columns[0], separator)
	}
	var c choices
	for i, name := range columns {
		v := r.cells[name]
		rest := columns[i:]
		if v.blank() && !slices.ContainsFunc(rest, func(n string) bool { return !r.cells[n].blank() }) {
			break
		}
		if v.kind != text && v.kind != absent {
			return c, fmt.Errorf("%q is no text", name)
		}
		c.texts = append(c.texts, v.text)
	}
	return c, nil
}

// choicesIn reads options that stand in one cell: a list of texts, a list of objects with a text each, an object of
// labels and texts, an object of two lists, text and label, or a text, which is JSON or has a separator.
func choicesIn(v cell, name, separator string) (choices, error) {
	if v.blank() {
		return choices{}, fmt.Errorf("no options in %q", name)
	}
	if v.kind == text {
		if s := strings.TrimSpace(v.text); s[0] != '[' && s[0] != '{' {
			return split(s, separator)
		}
		parsed, err := parseJSON([]byte(v.text))
		if err != nil {
			return choices{}, fmt.Errorf("%q begins as JSON but is none (%w); give a JSON list, or options with a separator between them", name, err)
		}
		v = parsed
	}
	if v.kind == object {
		if texts, ok := v.member("text", "texts"); ok && texts.kind == list {
			labels, _ := v.member("label", "labels")
			return twoLists(labels, texts)
		}
		return labelled(v)
	}
	if len(v.items) > 0 && v.items[0].kind == object {
		return listOfObjects(v)
	}
	texts, err := v.texts()
	if err != nil {
		return choices{}, fmt.Errorf("%q: %w", name, err)
	}
	return choices{texts: texts}, nil
}

// split cuts a text at the separator that was asked for, else at line breaks, bars or semicolons, the first of which
// it holds.
func split(s, separator string) (choices, error) {
	for _, sep := range []string{"\n", "|", ";"} {
		if separator == "" && strings.Contains(s, sep) {
			separator = sep
		}
	}
	if separator == "" || !strings.Contains(s, separator) {
		return choices{}, errors.New("the options have no separator between them (a line break, | or ;); say ?separator=")
	}
	return choices{texts: strings.Split(s, separator)}, nil
}

// labelled reads an object of labels and texts in the order of its labels. A label without a text is no option.
func labelled(v cell) (choices, error) {
	type option struct{ label, text string }
	var options []option
	for i, name := range v.names {
		switch item := v.items[i]; {
		case item.kind == absent: // a table of structures has every label in every row
		case item.kind != text:
			return choices{}, fmt.Errorf("option %q is not a text", name)
		case strings.TrimSpace(name) == "":
			return choices{}, errors.New("an option has no label")
		default:
			options = append(options, option{name, item.text})
		}
	}
	slices.SortFunc(options, func(a, b option) int { return dataset.CompareLabels(a.label, b.label) })
	var c choices
	for _, o := range options {
		c.labels, c.texts = append(c.labels, o.label), append(c.texts, o.text)
	}
	return c, nil
}

func twoLists(labels, texts cell) (c choices, err error) {
	if c.texts, err = texts.texts(); err != nil {
		return c, err
	}
	if labels.kind == absent {
		return c, nil
	}
	if c.labels, err = labels.texts(); err != nil {
		return c, err
	}
	return c, c.check()
}

func listOfObjects(v cell) (choices, error) {
	var c choices
	for i, item := range v.items {
		t, ok := item.member("text", "value", "option")
		if !ok || t.kind != text {
			return c, fmt.Errorf("option %d has no text", i+1)
		}
		c.texts = append(c.texts, t.text)
		if l, ok := item.member("label", "key", "id"); ok && l.kind == text {
			c.labels = append(c.labels, l.text)
		}
	}
	return c, c.check()
}

// check makes sure that labels, where there are any, are those of the texts.
func (c choices) check() error {
	if len(c.labels) > 0 && len(c.labels) != len(c.texts) {
		return fmt.Errorf("%d labels for %d options", len(c.labels), len(c.texts))
	}
	for i, l := range c.labels {
		if slices.Contains(c.labels[:i], l) {
			return fmt.Errorf("label %q stands twice among the options", l)
		}
	}
	return nil
}
