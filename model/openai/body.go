package openai

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// shape is how requests to a server have to look. It is found out once and then holds for all.
type shape struct {
	plain  bool            // the server does not stream
	top    int             // alternatives to ask for
	absent map[string]bool // parameters that the server refuses, of those that it may refuse
}

// encode writes a request for the server, and says how its beginning is given. An error means that this request cannot
// be sent.
func (c *client) encode(r percuss.Request, s shape) (body []byte, given percuss.Continuation, err error) {
	c.prepare.Do(func() {
		for name, v := range c.row.neutral {
			c.neutral.set(name, v)
		}
	})
	f := c.neutral.copy()
	if len(r.Extra) > 0 {
		var extra map[string]json.RawMessage
		if err := json.Unmarshal(r.Extra, &extra); err != nil || extra == nil {
			return nil, "", errors.New("the request's further parameters are no JSON object")
		}
		for name, v := range extra {
			f.set(name, v)
		}
	}
	f.set("model", c.name)
	f.set("n", 1)
	messages := make([]percuss.Message, len(r.Messages), len(r.Messages)+1)
	copy(messages, r.Messages)
	if r.Begin != "" {
		if given = percuss.Quotes; c.can.Continue {
			given = percuss.Continues
			for name, v := range c.row.continuing {
				f.set(name, v)
			}
			messages = append(messages, percuss.Message{Role: percuss.Assistant, Content: r.Begin})
		} else {
			messages = model.Quote(messages, r.Begin)
		}
	}
	f.set("messages", messages)
	if len(r.Want.Letters) > 0 {
		c.scoring(&f, s.top)
	} else {
		c.sampling(&f, r.Sampling)
		f.set("stream", !s.plain)
		if !s.plain {
			f.set("stream_options", json.RawMessage(`{"include_usage":true}`))
		}
	}
	for name := range s.absent {
		f.drop(name)
	}
	body, err = f.json()
	return body, given, err
}

// sampling sets every parameter, so that no default of server or model decides.
func (c *client) sampling(f *fields, s percuss.Sampling) {
	c.randomness(f, s.Temperature, s.TopP, seed(s.Seed))
	if s.MaxTokens > 0 {
		f.set(c.row.limit, s.MaxTokens)
	}
	if len(s.Stop) > 0 {
		f.set("stop", s.Stop)
	}
}

// scoring asks for one token with its alternatives. Temperature 1 and top_p 1 are sent although nothing is sampled
// that anyone reads: some servers give the values after both, and only then are they the model's own.
func (c *client) scoring(f *fields, top int) {
	c.randomness(f, 1, 1, 0)
	f.set(c.row.limit, 1)
	f.set("logprobs", true)
	f.set("top_logprobs", top)
	f.set("stream", false)
}

func (c *client) randomness(f *fields, temperature, topP float64, seed uint64) {
	f.set("temperature", temperature)
	f.set("seed", seed)
	if f.set("top_p", topP); topP == 1 && c.row.omitTopP1 {
		f.drop("top_p")
	}
}

// seed folds a seed to 31 bits, which every server takes; a smaller one stays as it is.
func seed(s uint64) uint64 {
	const bits = 31
	return (s ^ s>>bits ^ s>>(2*bits)) & (1<<bits - 1)
}

// unrepeat takes a repeated beginning off a text.
func (c *client) unrepeat(text, begin string, given percuss.Continuation, streamed bool) string {
	if begin == "" || given == percuss.Continues && c.row.continues && (streamed || !c.row.repeats) {
		return text // what looks like a repetition is the model's
	}
	for _, b := range []string{begin, strings.TrimRight(begin, " \n\t")} {
		if rest, ok := strings.CutPrefix(text, b); ok && b != "" {
			return rest
		}
	}
	if given == percuss.Quotes {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \n\t"), strings.TrimSpace(begin)); ok {
			return rest
		}
	}
	return text
}
