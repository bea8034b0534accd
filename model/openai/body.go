package openai

import (
	"encoding/json"
	"errors"
	"maps"
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
	fields := map[string]any{}
	maps.Copy(fields, c.row.neutral)
	if len(r.Extra) > 0 {
		var extra map[string]json.RawMessage
		if err := json.Unmarshal(r.Extra, &extra); err != nil || extra == nil {
			return nil, "", errors.New("the request's further parameters are no JSON object")
		}
		for k, v := range extra {
			fields[k] = v
		}
	}
	fields["model"] = c.name
	fields["n"] = 1
	messages := make([]percuss.Message, len(r.Messages), len(r.Messages)+1)
	copy(messages, r.Messages)
	if r.Begin != "" {
		if given = percuss.Quotes; c.can.Continue {
			given = percuss.Continues
			maps.Copy(fields, c.row.continuing)
			messages = append(messages, percuss.Message{Role: percuss.Assistant, Content: r.Begin})
		} else {
			messages = model.Quote(messages, r.Begin)
		}
	}
	fields["messages"] = messages
	if len(r.Want.Letters) > 0 {
		c.scoring(fields, s.top)
	} else {
		c.sampling(fields, r.Sampling)
		fields["stream"] = !s.plain
		if !s.plain {
			fields["stream_options"] = map[string]any{"include_usage": true}
		}
	}
	if p, ok := fields["top_p"].(float64); ok && p == 1 && c.row.omitTopP1 {
		delete(fields, "top_p")
	}
	for name := range s.absent {
		delete(fields, name)
	}
	body, err = json.Marshal(fields)
	return body, given, err
}

// sampling sets every parameter, so that no default of server or model decides.
func (c *client) sampling(fields map[string]any, s percuss.Sampling) {
	fields["temperature"], fields["top_p"], fields["seed"] = s.Temperature, s.TopP, seed(s.Seed)
	if s.MaxTokens > 0 {
		fields[c.row.limit] = s.MaxTokens
	}
	if len(s.Stop) > 0 {
		fields["stop"] = s.Stop
	}
}

// scoring asks for one token with its alternatives. Temperature 1 and top_p 1 are sent although nothing is sampled
// that anyone reads: some servers give the values after both, and only then are they the model's own.
func (c *client) scoring(fields map[string]any, top int) {
	fields["temperature"], fields["top_p"], fields["seed"] = 1.0, 1.0, 0
	fields[c.row.limit] = 1
	fields["logprobs"], fields["top_logprobs"] = true, top
	fields["stream"] = false
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
