package openai

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// A refused request is stored as such and never asked again, so it must be certain that the refusal concerns this
// request. The words of servers cannot tell: there are too many, and "invalid request" stands for an unknown parameter,
// an expired account and an offending question alike. Nor can counting: when all that is left of a resumed run is one
// offending question, its requests are refused one after the other although nothing is wrong with the server, and
// before the count is full, wrong answers are stored. So the server is asked: a control, which differs from the refused
// request by nothing but its harmless text, is either refused as well or not.
//
// Every refusal has its control, also late in a run: an account may run out at any time, and a refusal that was stored
// without one would stay. Refusals are rare, and so is their price: one short reply each.

// Call implements model.Caller.
func (c *client) Call(ctx context.Context, r percuss.Request) (percuss.Answer, error) {
	x, err := c.attempt(ctx, r, nil)
	return c.certain(ctx, r, x, err)
}

// certain is the answer to r of an attempt at it: a refusal, and scores that are missing, only where the control has
// shown that they concern this request alone.
func (c *client) certain(ctx context.Context, r percuss.Request, x exchange, err error) (percuss.Answer, error) {
	if len(r.Want.Letters) > 0 && kindIs(err, model.Capability) {
		return c.scoreless(ctx, r, x.answer, err)
	}
	if err == nil && x.status >= 400 && x.answer.Outcome == percuss.Refused {
		if err := c.control(ctx, r); err != nil {
			return percuss.Answer{}, err
		}
	}
	return x.answer, err
}

// control asks whether the server refuses every request like r. The error is that of an attempt at r: fatal when it
// does, any other when no reply came, so that r is asked again.
func (c *client) control(ctx context.Context, r percuss.Request) error {
	x, err := c.attempt(ctx, harmless(r), nil)
	switch {
	case err != nil:
		return err
	case x.status >= 400 && x.answer.Outcome == percuss.Refused:
		return &model.Fault{Kind: model.RefusesAll, Fatal: true, Err: fmt.Errorf("%s (it refuses every request of this form, whatever the text); mend what the server names, then resume the run", x.answer.Detail)}
	}
	return nil
}

// scoreless asks whether the server gives no scores at all, or none for this prompt: some write NaN or an empty list where
// their arithmetic overflows. a is what came with r, and fault why its scores cannot be used. Where the control has
// scores, r has its answer, which is empty; else the fault stands, which ends the run.
func (c *client) scoreless(ctx context.Context, r percuss.Request, a percuss.Answer, fault error) (percuss.Answer, error) {
	x, err := c.attempt(ctx, harmless(r), nil)
	switch {
	case kindIs(err, model.Capability):
		return percuss.Answer{}, fault
	case err != nil:
		return percuss.Answer{}, err
	case len(x.answer.Letters) == 0:
		return percuss.Answer{}, fault
	}
	a.Outcome, a.Letters = percuss.Empty, nil
	a.Detail = "no scores came for this prompt, though another has them: the server " + strings.TrimSuffix(errors.Unwrap(fault).Error(), ": "+withoutLetters)
	return a, nil
}

// kindIs reports whether an error is a fault of a kind.
func kindIs(err error, kind string) bool {
	var f *model.Fault
	return errors.As(err, &f) && f.Kind == kind
}

// harmless is a request with the text of its turns replaced. Everything else stays, also the system prompt, which all
// requests of a run share.
func harmless(r percuss.Request) percuss.Request {
	messages := make([]percuss.Message, len(r.Messages))
	for i, m := range r.Messages {
		if m.Role != percuss.System {
			m.Content = "Hello."
		}
		messages[i] = m
	}
	r.Messages = messages
	if r.Begin != "" {
		r.Begin = "Hello"
	}
	return r
}
