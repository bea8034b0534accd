package ddxplus

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// literal reads a list as Python prints it: texts in single or double quotes, numbers, lists of these. JSON readers
// stop at the first single quote.
type literal struct {
	s  string
	at int // of the next byte
}

// texts reads a list of texts, e.g. ['E_1', 'E_2_@_V_3'].
func texts(s string) ([]string, error) {
	l := literal{s: s}
	var out []string
	err := l.list(func() error {
		t, err := l.text()
		out = append(out, t)
		return err
	})
	if err == nil {
		err = l.end()
	}
	return out, err
}

// weighted is a diagnosis of a differential with its probability.
type weighted struct {
	name        string
	probability float64 // 0 to 1
}

// pairs reads a list of lists of a text and a number from 0 to 1, e.g. [['Croup', 0.25], ['URTI', 0.75]].
func pairs(s string) ([]weighted, error) {
	l := literal{s: s}
	var out []weighted
	err := l.list(func() error {
		w, err := l.pair()
		out = append(out, w)
		return err
	})
	if err == nil {
		err = l.end()
	}
	return out, err
}

func (l *literal) pair() (w weighted, err error) {
	n := 0
	err = l.list(func() error {
		n++
		var err error
		switch n {
		case 1:
			w.name, err = l.text()
		case 2:
			w.probability, err = l.number()
		default:
			err = l.wrong("the end of a pair")
		}
		return err
	})
	if err == nil && n != 2 {
		err = l.wrong("a name and a number")
	}
	return w, err
}

// list reads a list whose elements element reads.
func (l *literal) list(element func() error) error {
	if !l.take('[') {
		return l.wrong("[")
	}
	for !l.take(']') {
		if err := element(); err != nil {
			return err
		}
		if l.take(',') {
			continue
		}
		if !l.take(']') {
			return l.wrong(", or ]")
		}
		return nil
	}
	return nil
}

// take passes over white space, then over the byte if it comes next.
func (l *literal) take(b byte) bool {
	for l.at < len(l.s) && strings.IndexByte(" \t\r\n", l.s[l.at]) >= 0 {
		l.at++
	}
	if l.at < len(l.s) && l.s[l.at] == b {
		l.at++
		return true
	}
	return false
}

func (l *literal) end() error {
	l.take(' ')
	if l.at < len(l.s) {
		return l.wrong("the end")
	}
	return nil
}

func (l *literal) wrong(want string) error {
	return fmt.Errorf("character %d: %s expected", utf8.RuneCountInString(l.s[:min(l.at, len(l.s))])+1, want)
}

func (l *literal) number() (float64, error) {
	l.take(' ')
	n := strings.IndexFunc(l.s[l.at:], func(r rune) bool { return !strings.ContainsRune("0123456789+-.eE", r) })
	if n < 0 {
		n = len(l.s) - l.at
	}
	v, err := strconv.ParseFloat(l.s[l.at:l.at+n], 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, l.wrong("a probability from 0 to 1")
	}
	l.at += n
	return v, nil
}

// text reads a text in quotes. Python chooses double ones where the text holds a single one.
func (l *literal) text() (string, error) {
	quote := byte('\'')
	if !l.take(quote) {
		if quote = '"'; !l.take(quote) {
			return "", l.wrong("a text in quotes")
		}
	}
	var b strings.Builder
	for l.at < len(l.s) {
		c := l.s[l.at]
		l.at++
		switch c {
		case quote:
			return b.String(), nil
		case '\\':
			r, err := l.escape()
			if err != nil {
				return "", err
			}
			b.WriteString(r)
		default:
			b.WriteByte(c)
		}
	}
	return "", l.wrong("the closing quote sign")
}

var errEscape = errors.New("an escape that is cut short or names no character")

// escape reads what follows a backslash. One that Python does not know stands for itself, as it does there.
func (l *literal) escape() (string, error) {
	if l.at == len(l.s) {
		return "", errEscape
	}
	c := l.s[l.at]
	l.at++
	switch c {
	case '\\', '\'', '"':
		return string(rune(c)), nil
	case 'n':
		return "\n", nil
	case 't':
		return "\t", nil
	case 'r':
		return "\r", nil
	case 'x':
		return l.hex(2)
	case 'u':
		return l.hex(4)
	case 'U':
		return l.hex(8)
	}
	l.at--
	return `\`, nil
}

// hex reads a character by its number in so many hex digits.
func (l *literal) hex(digits int) (string, error) {
	if len(l.s)-l.at < digits {
		return "", errEscape
	}
	n, err := strconv.ParseUint(l.s[l.at:l.at+digits], 16, 32)
	if err != nil || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return "", errEscape
	}
	l.at += digits
	return string(rune(n)), nil
}
