package openai

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// cursor walks over JSON whose form is known, several times as fast as encoding/json. It takes less than that takes, and
// nothing else: at the first byte that is unusual or wrong it turns odd, and the whole is left to encoding/json.
type cursor struct {
	data []byte
	at   int
	odd  bool // once true, whatever was read is void
}

// Bounds of what is usual. Members are those of an object that is read, not of one that is passed over.
const (
	mostMembers = 16
	mostDepth   = 32
)

// peek is the next byte after white space, 0 at the end.
func (c *cursor) peek() byte {
	for ; c.at < len(c.data); c.at++ {
		if b := c.data[c.at]; b != ' ' && b != '\n' && b != '\r' && b != '\t' {
			return b
		}
	}
	return 0
}

// eat passes over a byte if it is the next one.
func (c *cursor) eat(b byte) bool {
	if c.odd || c.peek() != b {
		return false
	}
	c.at++
	return true
}

// need passes over a byte that has to come.
func (c *cursor) need(b byte) bool {
	c.odd = c.odd || !c.eat(b)
	return !c.odd
}

// object goes through the names of an object; the loop's body reads the values. Names with other characters than small
// letters, digits and underscores are odd, for encoding/json passes over the case of letters; so are names that come twice.
func (c *cursor) object(yield func(name []byte) bool) {
	var had [mostMembers][]byte
	n := 0
	if !c.need('{') || c.eat('}') {
		return
	}
	for c.peek() == '"' && n < len(had) {
		name := inside(c.text())
		for _, b := range name {
			c.odd = c.odd || !plainInName(b)
		}
		for _, other := range had[:n] {
			c.odd = c.odd || bytes.Equal(other, name)
		}
		had[n] = name
		n++
		if !c.need(':') || !yield(name) || c.odd || c.eat('}') {
			return
		}
		c.need(',')
	}
	c.odd = true
}

// plainInName reports whether a byte of a field's name stands for itself, whoever reads it.
func plainInName(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '_' }

// array goes through the elements of an array; the loop's body reads them.
func (c *cursor) array(yield func() bool) {
	if !c.need('[') || c.eat(']') {
		return
	}
	for yield() && !c.odd && !c.eat(']') {
		if !c.need(',') {
			return
		}
	}
}

// inside is what stands between the first and the last byte.
func inside(quoted []byte) []byte {
	if len(quoted) < 2 {
		return nil
	}
	return quoted[1 : len(quoted)-1]
}

// text reads a string and returns it as it is written, with its marks.
func (c *cursor) text() []byte {
	if !c.need('"') {
		return nil
	}
	from, escaped := c.at-1, false
	for ; c.at < len(c.data); c.at++ {
		switch b := c.data[c.at]; {
		case b == '"':
			c.at++
			s := c.data[from:c.at]
			c.odd = c.odd || escaped && !json.Valid(s)
			return s
		case b == '\\':
			escaped = true
			c.at++
		case b < ' ':
			c.odd = true
			return nil
		}
	}
	c.odd = true
	return nil
}

// value passes over a value and returns it as it is written.
func (c *cursor) value() []byte {
	c.peek()
	from := c.at
	c.pass(0)
	if c.odd {
		return nil
	}
	return c.data[from:c.at]
}

// pass passes over a value.
func (c *cursor) pass(depth int) {
	switch b := c.peek(); {
	case depth > mostDepth:
		c.odd = true
	case b == '"':
		c.text()
	case b == '{':
		c.at++
		for ok := !c.eat('}'); ok; ok = !c.eat('}') && c.need(',') {
			c.text()
			c.need(':')
			c.pass(depth + 1)
		}
	case b == '[':
		for range c.array {
			c.pass(depth + 1)
		}
	case b == 't':
		c.word("true")
	case b == 'f':
		c.word("false")
	case b == 'n':
		c.word("null")
	default:
		c.number()
	}
}

// word passes over a word that has to come.
func (c *cursor) word(s string) {
	if !bytes.HasPrefix(c.data[c.at:], []byte(s)) {
		c.odd = true
		return
	}
	c.at += len(s)
}

// null passes over a null, if it comes next.
func (c *cursor) null() bool {
	if c.odd || c.peek() != 'n' {
		return false
	}
	c.word("null")
	return !c.odd
}

// number passes over a number.
func (c *cursor) number() {
	c.eatHere("-")
	if !c.eatHere("0") {
		c.digits()
	}
	if c.eatHere(".") {
		c.digits()
	}
	if c.eatHere("eE") {
		c.eatHere("+-")
		c.digits()
	}
}

// eatHere passes over one of some bytes, without white space before it.
func (c *cursor) eatHere(some string) bool {
	if c.at < len(c.data) && bytes.IndexByte([]byte(some), c.data[c.at]) >= 0 {
		c.at++
		return true
	}
	return false
}

// digits passes over at least one digit.
func (c *cursor) digits() {
	from := c.at
	for c.at < len(c.data) && c.data[c.at] >= '0' && c.data[c.at] <= '9' {
		c.at++
	}
	c.odd = c.odd || c.at == from
}

// unquote is the string that is written with its marks; ok is false where it is none.
func unquote(quoted []byte) (s string, ok bool) {
	if n := len(quoted); n >= 2 && quoted[0] == '"' && bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return string(quoted[1 : n-1]), true
	}
	return s, json.Unmarshal(quoted, &s) == nil
}
