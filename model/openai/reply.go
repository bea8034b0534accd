package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

var errLongLine = errors.New("a line of the stream is longer than 64 MiB")

// chunk is a reply, or an event of a streamed one, as servers send it.
type chunk struct {
	Model       string    `json:"model"`
	Fingerprint string    `json:"system_fingerprint"`
	Choices     *[]choice `json:"choices"`
	Usage       *usage    `json:"usage"`
}

type choice struct {
	Index    int     `json:"index"`
	Message  message `json:"message"`
	Delta    message `json:"delta"`
	Finish   string  `json:"finish_reason"`
	LogProbs *scores `json:"logprobs"`
}

type scores struct {
	Content []position `json:"content"`
}

type usage struct {
	Prompt count `json:"prompt_tokens"`
	Output count `json:"completion_tokens"`
}

// count is a number of tokens; what is none, or not a number, is 0: unknown.
type count int

// UnmarshalJSON implements json.Unmarshaler; it never fails.
func (c *count) UnmarshalJSON(b []byte) error {
	*c = 0
	if v, err := strconv.ParseFloat(string(b), 64); err == nil && v > 0 && v < 1<<31 {
		*c = count(v)
	}
	return nil
}

// position is one generated token with its alternatives.
type position struct {
	token
	Top []token `json:"top_logprobs"`
}

type token struct {
	Token   string  `json:"token"`
	Bytes   []int   `json:"bytes"`
	LogProb logProb `json:"logprob"`
}

// logProb is a log-probability as servers write it. What is no number is missing: in Go a null would be read as 0,
// which is probability 1.
type logProb struct{ percuss.Number }

// UnmarshalJSON implements json.Unmarshaler; it never fails.
func (l *logProb) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		l.Number = percuss.Number{}
		return nil
	}
	l.Number = percuss.Num(v)
	return nil
}

// message is a message or a part of one; nil: there is none.
type message []member

// member is a field by its name.
type member struct {
	name  string
	value json.RawMessage
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *message) UnmarshalJSON(b []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil || fields == nil {
		return err
	}
	*m = message{}
	for name, v := range fields {
		*m = append(*m, member{name, v})
	}
	return nil
}

// text reads a field that is a string, null, or a list of parts with a text.
func (m message) text(name string) string {
	i := slices.IndexFunc(m, func(f member) bool { return f.name == name })
	if i < 0 {
		return ""
	}
	raw := m[i].value
	if raw[0] != '[' {
		s, _ := unquote(raw)
		return s
	}
	var s string
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		s += p.Text
	}
	return s
}

// reply is a whole reply, put together.
type reply struct {
	model, fingerprint       string // as reported
	text, reasoning, refusal string
	finish                   string
	streamed                 bool
	message                  bool // there was one
	scored                   bool // log-probabilities were there, if only an empty list
	first                    *position
	usage                    usage
}

// add takes in a chunk.
func (r *reply) add(c chunk, row row) {
	if c.Model != "" {
		r.model, r.fingerprint = c.Model, c.Fingerprint
	}
	if c.Usage != nil {
		r.usage = *c.Usage
	}
	if c.Choices == nil {
		return
	}
	for _, ch := range *c.Choices {
		if ch.Index != 0 {
			continue
		}
		if ch.Finish != "" {
			r.finish = ch.Finish
		}
		if ch.LogProbs != nil {
			r.scored = true
			if r.first == nil && len(ch.LogProbs.Content) > 0 {
				r.first = &ch.LogProbs.Content[0]
			}
		}
		for _, m := range []message{ch.Message, ch.Delta} {
			if m == nil {
				continue
			}
			r.message = true
			r.text += m.text("content")
			r.refusal += m.text("refusal")
			for _, name := range row.reasoning {
				if s := m.text(name); s != "" {
					r.reasoning += s
					break
				}
			}
		}
	}
}

// whole reads a reply that came in one piece.
func whole(body []byte, p *plain) (r reply, err error) {
	c, err := decode(body, p)
	if err != nil {
		return r, err
	}
	if c.Choices == nil || len(*c.Choices) == 0 {
		return r, malformed("the reply has no choices")
	}
	r.add(c, p.row)
	if r.finish == "" {
		return r, malformed("the reply names no finish reason, so it may have been cut")
	}
	return r, nil
}

// stream takes in a stream until its end. A stream without a finish reason was cut, whatever it ends with; one with it
// is whole, even where the line [DONE] is missing.
func (r *reply) stream(e *events, p *plain) error {
	var pieces, thoughts strings.Builder
	for {
		name, data, err := e.next()
		data = bytes.TrimSpace(data)
		if err == nil && len(data) == 0 {
			continue
		}
		if err != nil || string(data) == "[DONE]" {
			r.text, r.reasoning = pieces.String(), thoughts.String()
			switch {
			case r.finish != "":
				return nil
			case errors.Is(err, errLongLine):
				return malformed(err.Error())
			case err == nil || err == io.EOF:
				return &model.Fault{Kind: model.Dropped, Err: errors.New("the stream ended without a finish reason")}
			}
			return err
		}
		if name == "error" {
			return readProblem(0, data)
		}
		c, err := decode(data, p)
		if err != nil {
			return err
		}
		r.add(c, p.row)
		pieces.WriteString(r.text)
		thoughts.WriteString(r.reasoning)
		r.text, r.reasoning = "", "" // joined at the end: a sum of strings would take quadratic time
	}
}

// decode reads the JSON of a chunk. It holds until the next one is read.
func decode(data []byte, p *plain) (chunk, error) {
	if c, ok := p.read(data); ok {
		return c, nil
	}
	return decodeAny(data)
}

// decodeAny is decode for what has not the usual form.
func decodeAny(data []byte) (c chunk, err error) {
	err = json.Unmarshal(data, &c)
	if err != nil {
		fixed := finite(data)
		c = chunk{}
		err = json.Unmarshal(fixed, &c)
		data = fixed
	}
	if c.Choices == nil || len(*c.Choices) == 0 {
		if p := readProblem(0, data); p.stated {
			return c, p
		}
	}
	if err != nil {
		return c, malformed(fmt.Sprintf("the reply is no JSON of the expected form: %v", err))
	}
	return c, nil
}

func malformed(what string) error {
	return &model.Fault{Kind: model.Malformed, Err: errors.New(what)}
}
