package openai

import (
	"bytes"
	"slices"
	"strconv"
)

// plain reads chunks of the form that nearly all have. Servers that stream send one for every token, some hundred a
// reply: by encoding/json they cost more than all else that is done for a request.
type plain struct {
	row row

	// What the chunk before had, whose memory is used again.
	model, fingerprint string
	choices            []choice
}

// read reads a chunk and reports whether it has the usual form. The chunk holds until the next one is read, and points
// into data.
func (p *plain) read(data []byte) (c chunk, ok bool) {
	in := cursor{data: data}
	for name := range in.object {
		switch string(name) {
		case "model":
			p.model = in.string(p.model)
			c.Model = p.model
		case "system_fingerprint":
			p.fingerprint = in.string(p.fingerprint)
			c.Fingerprint = p.fingerprint
		case "usage":
			c.Usage = in.usage()
		case "choices":
			p.readChoices(&in)
			c.Choices = &p.choices
		default:
			in.value()
		}
	}
	// Without choices it may be an error, which is for readProblem to say.
	return c, in.peek() == 0 && in.at == len(data) && !in.odd && c.Choices != nil && len(p.choices) > 0
}

// string reads a string, or a null, which is an empty one here. was is what it mostly is.
func (c *cursor) string(was string) string {
	if c.null() {
		return ""
	}
	written := c.text()
	if string(inside(written)) == was && bytes.IndexByte(written, '\\') < 0 {
		return was
	}
	s, ok := unquote(written)
	c.odd = c.odd || !ok
	return s
}

func (c *cursor) usage() *usage {
	if c.null() {
		return nil
	}
	u := new(usage)
	for name := range c.object {
		switch string(name) {
		case "prompt_tokens":
			_ = u.Prompt.UnmarshalJSON(c.value()) // it never fails
		case "completion_tokens":
			_ = u.Output.UnmarshalJSON(c.value())
		default:
			c.value()
		}
	}
	return u
}

// readChoices reads into the memory of the choices before.
func (p *plain) readChoices(in *cursor) {
	all := p.choices[:0]
	for range in.array {
		var had choice
		if n := len(all); n < cap(all) {
			had = all[:n+1][n]
		}
		all = append(all, p.choice(in, had.Delta[:0]))
	}
	p.choices = all
}

// choice reads one choice; room is memory for the fields of its part of a message.
func (p *plain) choice(in *cursor, room message) choice {
	var c choice
	for name := range in.object {
		switch string(name) {
		case "index":
			c.Index = in.int()
		case "finish_reason":
			c.Finish = in.string("")
		case "delta":
			c.Delta = p.message(in, room)
		case "message":
			c.Message = p.message(in, nil)
		case "logprobs":
			c.LogProbs = in.scores()
		default:
			in.value()
		}
	}
	return c
}

// message reads those fields of a message that are asked for later.
func (p *plain) message(in *cursor, room message) message {
	if in.null() {
		return nil
	}
	m := room
	if m == nil {
		m = message{}
	}
	for name := range in.object {
		v := in.value()
		switch string(name) {
		case "content":
			m = append(m, member{"content", v})
		case "refusal":
			m = append(m, member{"refusal", v})
		default:
			if i := slices.IndexFunc(p.row.reasoning, func(s string) bool { return s == string(name) }); i >= 0 {
				m = append(m, member{p.row.reasoning[i], v})
			}
		}
	}
	return m
}

// int reads a number without a fraction.
func (c *cursor) int() int {
	n, err := strconv.Atoi(string(c.value()))
	c.odd = c.odd || err != nil
	return n
}

func (c *cursor) scores() *scores {
	if c.null() {
		return nil
	}
	s := new(scores)
	for name := range c.object {
		if string(name) != "content" {
			c.value()
			continue
		}
		if c.null() {
			continue
		}
		for range c.array {
			s.Content = append(s.Content, c.position())
		}
	}
	return s
}

func (c *cursor) position() (p position) {
	for name := range c.object {
		if string(name) != "top_logprobs" {
			c.part(name, &p.token)
			continue
		}
		if c.null() {
			continue
		}
		for range c.array {
			var t token
			for name := range c.object {
				c.part(name, &t)
			}
			p.Top = append(p.Top, t)
		}
	}
	return p
}

// part reads one field of a token.
func (c *cursor) part(name []byte, t *token) {
	switch string(name) {
	case "token":
		t.Token = c.string("")
	case "logprob":
		_ = t.LogProb.UnmarshalJSON(c.value()) // it never fails
	case "bytes":
		if !c.null() {
			t.Bytes = []int{}
			for range c.array {
				t.Bytes = append(t.Bytes, c.int())
			}
		}
	default:
		c.value()
	}
}
