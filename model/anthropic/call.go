package anthropic

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	kit "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// Call implements model.Caller. A refusal is stored as such and never asked again, so it must concern this request
// alone: a control, which differs by nothing but its harmless text, tells a refused question from a server that
// refuses all of them.
func (c *client) Call(ctx context.Context, r percuss.Request) (percuss.Answer, error) {
	if len(r.Want.Letters) > 0 {
		return percuss.Answer{}, noLetters()
	}
	a, err := c.attempt(ctx, r)
	return c.certain(ctx, r, a, err)
}

// noLetters is the fault of a request for scores.
func noLetters() error {
	return &model.Fault{Kind: model.Capability, Fatal: true, Err: errors.New("the models of Anthropic give no log-probabilities: ask for text (--answer text)")}
}

// certain is the answer to r of an attempt at it: a refusal only where the control has shown that it concerns this
// request alone.
func (c *client) certain(ctx context.Context, r percuss.Request, a percuss.Answer, err error) (percuss.Answer, error) {
	if err != nil || a.Outcome != percuss.Refused {
		return a, err
	}
	if err := c.control(ctx, r); err != nil {
		return percuss.Answer{}, err
	}
	return a, nil
}

// control asks whether the service refuses every request like r. The error is fatal when it does, any other when no
// reply came.
func (c *client) control(ctx context.Context, r percuss.Request) error {
	control, err := c.attempt(ctx, harmless(r))
	switch {
	case err != nil:
		return err
	case control.Outcome == percuss.Refused:
		return &model.Fault{Kind: model.RefusesAll, Fatal: true,
			Err: fmt.Errorf("%s (every request of this form is refused, whatever the text); mend what the server names, then resume the run", control.Detail)}
	}
	return nil
}

// attempt sends a request, and sends it again at once where the model refuses a parameter that it can do without.
func (c *client) attempt(ctx context.Context, r percuss.Request) (percuss.Answer, error) {
	for {
		absent := c.dropped()
		params, extra, given, err := c.encode(r, absent)
		if err != nil {
			return percuss.Answer{Outcome: percuss.Refused, Detail: err.Error() + "; it was not sent"}, nil
		}
		var res *http.Response
		got, err := c.kit.Messages.New(ctx, params, append(setting(extra), option.WithResponseInto(&res))...)
		if res != nil {
			c.report(model.ReadAllowance(res.Header, c.now()))
		}
		if err == nil {
			var stated *problem
			if stated, err = c.statedIn(got, res); stated == nil && err == nil {
				return c.conclude(r, given, got, absent)
			} else if stated != nil {
				err = stated
			}
		}
		p := c.problemOf(ctx, err, res)
		if c.learn(p, absent) {
			continue
		}
		outcome, f := c.meaning(p)
		if f != nil {
			return percuss.Answer{}, f
		}
		return percuss.Answer{Outcome: outcome, Continued: given, Detail: p.Error()}, nil
	}
}

// dropped are the parameters that the model refuses, as far as is known.
func (c *client) dropped() map[string]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.absent
}

// learn leaves a parameter out of all further requests where the model refused it as such, and reports whether the
// request is worth sending again. was are the parameters that the refused request left out.
func (c *client) learn(p *problem, was map[string]bool) bool {
	if p.status != http.StatusBadRequest || !p.says("deprecated", "not supported", "unsupported", "not support", "cannot both", "may only be", "not permitted", "not allowed") {
		return false
	}
	for _, name := range slices.Backward(droppable()) { // where both are named, the cut goes first
		if p.says(name) && !was[name] {
			c.mu.Lock()
			defer c.mu.Unlock()
			absent := map[string]bool{name: true} // a new map: those in use are read without the lock
			maps.Copy(absent, c.absent)
			c.absent = absent
			return true
		}
	}
	return false
}

// harmless is a request with the text of its turns replaced. The system prompt stays, which all requests of a run
// share.
func harmless(r percuss.Request) percuss.Request {
	r.Messages = slices.Clone(r.Messages)
	for i, m := range r.Messages {
		if m.Role != percuss.System {
			r.Messages[i].Content = "Hello."
		}
	}
	if r.Begin != "" {
		r.Begin = "Hello"
	}
	return r
}

// conclude makes an answer of a reply.
func (c *client) conclude(r percuss.Request, given percuss.Continuation, got *kit.Message, absent map[string]bool) (percuss.Answer, error) {
	var text, reasoning strings.Builder
	for _, block := range got.Content {
		switch block.Type {
		case "text":
			text.WriteString(block.Text)
		case "thinking":
			reasoning.WriteString(block.Thinking)
		}
	}
	a := percuss.Answer{
		Text:      unrepeat(c.secret.redact(text.String()), r.Begin, given),
		Reasoning: c.secret.redact(reasoning.String()),
		Usage: percuss.Usage{Prompt: int(got.Usage.InputTokens + got.Usage.CacheCreationInputTokens + got.Usage.CacheReadInputTokens),
			Output: int(got.Usage.OutputTokens)},
		Continued: given,
		Reported:  c.secret.words(got.Model),
		Detail:    remark(absent),
	}
	switch got.StopReason {
	case kit.StopReasonEndTurn, kit.StopReasonStopSequence:
		a.Outcome = endedAs(a)
	case kit.StopReasonMaxTokens, kit.StopReasonModelContextWindowExceeded:
		a.Outcome = percuss.Truncated
	case kit.StopReasonRefusal:
		a.Outcome, a.Text, a.Reasoning = percuss.Filtered, "", ""
		a.Detail = c.secret.words(got.StopDetails.Explanation)
	default:
		return percuss.Answer{}, &model.Fault{Kind: model.Server, Err: fmt.Errorf("the reply was broken off (stop reason %q)", c.secret.words(string(got.StopReason)))}
	}
	return a, nil
}

// endedAs says what a reply is that ended by itself.
func endedAs(a percuss.Answer) percuss.Outcome {
	switch {
	case strings.TrimSpace(a.Text) != "":
		return percuss.OK
	case strings.TrimSpace(a.Reasoning) != "":
		return percuss.ReasoningOnly
	}
	return percuss.Empty
}

// unrepeat makes a text the continuation of its beginning: white space that the beginning already has, and the
// beginning itself where a quoting model repeats it, go.
func unrepeat(text, begin string, given percuss.Continuation) string {
	if given == percuss.Quotes {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \n\t"), strings.TrimSpace(begin)); ok {
			return rest
		}
		return text
	}
	if given == percuss.Continues && prefillOf(begin) != begin {
		return strings.TrimLeft(text, " \t\r\n")
	}
	return text
}

// remark says which parameters the model would not take.
func remark(absent map[string]bool) string {
	if len(absent) == 0 {
		return ""
	}
	return fmt.Sprintf("the model takes no %s, so its own default held", strings.Join(slices.Sorted(maps.Keys(absent)), ", "))
}
