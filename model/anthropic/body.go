package anthropic

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	kit "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// usualLimit is the most new tokens of a request that names none; the interface needs a number.
const usualLimit = 1024

// droppable are the parameters that a request can do without where the model refuses them: newer models take no
// temperature, and no model takes one beside its thinking.
func droppable() []string { return []string{"temperature", "top_p"} }

// encode writes a request for the kit, and says how its beginning is given. absent are parameters to leave out, and extra
// are those of the request that the kit does not know. An
// error means that this request cannot be sent.
func (c *client) encode(r percuss.Request, absent map[string]bool) (p kit.MessageNewParams, extra map[string]json.RawMessage, given percuss.Continuation, err error) {
	messages := r.Messages
	if r.Begin != "" {
		if given = percuss.Quotes; c.prefill {
			given = percuss.Continues
		} else {
			messages = model.Quote(messages, r.Begin)
		}
	}
	p = kit.MessageNewParams{Model: c.name, MaxTokens: usualLimit}
	if n := r.Sampling.MaxTokens; n > 0 {
		p.MaxTokens = int64(n)
	}
	for _, m := range messages {
		switch block := kit.NewTextBlock(m.Content); m.Role {
		case percuss.System:
			p.System = append(p.System, kit.TextBlockParam{Text: m.Content})
		case percuss.Assistant:
			p.Messages = append(p.Messages, kit.NewAssistantMessage(block))
		default:
			p.Messages = append(p.Messages, kit.NewUserMessage(block))
		}
	}
	if begin := prefillOf(r.Begin); given == percuss.Continues && begin != "" {
		p.Messages = append(p.Messages, kit.NewAssistantMessage(kit.NewTextBlock(begin)))
	}
	if !absent["temperature"] {
		p.Temperature = kit.Float(r.Sampling.Temperature)
	}
	// A cut at 1 is none; to name it beside a temperature is an error with some models.
	if r.Sampling.TopP < 1 && !absent["top_p"] {
		p.TopP = kit.Float(r.Sampling.TopP)
	}
	p.StopSequences = slices.DeleteFunc(slices.Clone(r.Sampling.Stop), func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(r.Extra) > 0 {
		if err := json.Unmarshal(r.Extra, &extra); err != nil || extra == nil {
			return p, nil, given, errors.New("the request's further parameters are no JSON object")
		}
	}
	return p, extra, given, nil
}

// setting puts further parameters into a request.
func setting(extra map[string]json.RawMessage) []option.RequestOption {
	var with []option.RequestOption
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		with = append(with, option.WithJSONSet(strings.NewReplacer(".", `\.`, "*", `\*`).Replace(name), extra[name]))
	}
	return with
}

// prefillOf is a beginning as the interface takes it: a turn that ends in white space is refused.
func prefillOf(begin string) string { return strings.TrimRight(begin, " \t\r\n") }
