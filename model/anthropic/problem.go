package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	kit "github.com/anthropics/anthropic-sdk-go"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// problem is what a server says when it does not answer, or why nothing was heard of it.
type problem struct {
	status  int    // of HTTP; 0: no reply came, or an error inside a 200 that names no status
	kind    string // Anthropic's word, e.g. "overloaded_error"
	message string // the server's words, fit to be shown
	after   time.Duration
	fault   *model.Fault // already known; then the rest is empty
}

func (p *problem) Error() string {
	switch {
	case p.fault != nil:
		return p.fault.Error()
	case p.status > 0:
		return fmt.Sprintf("the server says %d %s: %s", p.status, http.StatusText(p.status), p.message)
	}
	return "the server says: " + p.message
}

// says reports whether the server's words contain one of the phrases, in any case.
func (p *problem) says(phrases ...string) bool {
	all := strings.ToLower(p.message)
	for _, s := range phrases {
		if strings.Contains(all, s) {
			return true
		}
	}
	return false
}

// stated is an error object as the interface writes it.
type stated struct {
	Error struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	} `json:"error"`
}

// read fills in what a body says.
func (p *problem) read(body string, s secret) {
	var e stated
	if json.Unmarshal([]byte(body), &e) == nil && e.Error.Message != "" {
		p.kind, p.message = e.Error.Type, s.words(e.Error.Message)
		return
	}
	p.message = s.words(strings.TrimSpace(body))
}

// statedIn looks for an error inside a reply that claims to be well. A reply that is neither is malformed.
func (c *client) statedIn(got *kit.Message, res *http.Response) (*problem, error) {
	switch {
	case res != nil && res.StatusCode >= 300:
		return nil, &model.Fault{Kind: model.Address, Fatal: true, Err: fmt.Errorf("the server sends requests elsewhere (%s): give the URL that it answers at itself", res.Status)}
	case got == nil:
		return nil, &model.Fault{Kind: model.Malformed, Err: errors.New("the reply is empty")}
	case string(got.Type) == "error":
		p := &problem{}
		p.read(got.RawJSON(), c.secret)
		if res != nil {
			p.after = model.RetryAfter(res.Header, c.now())
		}
		return p, nil
	case !got.JSON.Content.Valid():
		return nil, &model.Fault{Kind: model.Malformed, Err: errors.New("the reply has no content field")}
	}
	return nil, nil
}

// problemOf reads what the kit says.
func (c *client) problemOf(ctx context.Context, err error, res *http.Response) *problem {
	var p *problem
	var f *model.Fault
	var said *kit.Error
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &f):
		return &problem{fault: f}
	case errors.As(err, &said):
		p = &problem{status: said.StatusCode}
		p.read(said.RawJSON(), c.secret)
		if said.Response != nil {
			p.after = model.RetryAfter(said.Response.Header, c.now())
		}
		return p
	}
	text := &redacted{c.secret.words(err.Error()), err}
	switch {
	case res != nil && res.StatusCode/100 == 3:
		_, err = c.statedIn(nil, res)
		errors.As(err, &f)
		return &problem{fault: f}
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		f = &model.Fault{Kind: model.Stalled, Err: fmt.Errorf("no reply came in time: %w", text)}
	case model.IsTLS(err):
		f = &model.Fault{Kind: model.TLS, Fatal: true, Err: fmt.Errorf("no secure connection: %w; check the URL, and that the machine trusts the server's certificate", text)}
	case strings.Contains(err.Error(), "parsing response json"), strings.Contains(err.Error(), "expected destination type"):
		f = &model.Fault{Kind: model.Malformed, Err: text}
	default:
		f = &model.Fault{Kind: model.Dropped, Err: text}
	}
	return &problem{fault: f}
}

// faultOf is an error of the kit as a fault; a refusal of this one request is one too.
func (c *client) faultOf(ctx context.Context, err error) *model.Fault {
	p := c.problemOf(ctx, err, nil)
	_, meant := c.meaning(p)
	var f *model.Fault
	if !errors.As(meant, &f) {
		f = &model.Fault{Kind: model.Server, Err: p}
	}
	return f
}

// meaning says what a problem is: an outcome of this one request, or a fault. What is left, and no words are known
// for, counts as a refusal of this one request until Call has made sure.
func (c *client) meaning(p *problem) (percuss.Outcome, error) {
	fault := func(kind string) (percuss.Outcome, error) {
		return "", &model.Fault{Kind: kind, RetryAfter: p.after, Err: p}
	}
	fatal := func(kind, remedy string) (percuss.Outcome, error) {
		return "", &model.Fault{Kind: kind, Fatal: true, Err: fmt.Errorf("%w; %s", p, remedy)}
	}
	is := func(status int, kind string) bool { return p.status == status || p.status == 0 && p.kind == kind }
	switch {
	case p.fault != nil:
		return "", p.fault
	case is(http.StatusPaymentRequired, "billing_error"), p.status < 500 && p.says("credit balance", "usage limits", "billing"):
		return fatal(model.Quota, "see to the account, then resume the run")
	case is(http.StatusTooManyRequests, "rate_limit_error"):
		return fault(model.RateLimit)
	case is(529, "overloaded_error"), p.kind == "overloaded_error", p.status == http.StatusServiceUnavailable:
		return fault(model.Overload)
	case p.status == http.StatusRequestTimeout, is(http.StatusGatewayTimeout, "timeout_error"):
		return fault(model.Stalled)
	case p.status >= 500, p.status == http.StatusConflict, p.status == 0 && p.kind != "invalid_request_error" && !about(p.kind):
		return fault(model.Server)
	case is(http.StatusUnauthorized, "authentication_error"), is(http.StatusForbidden, "permission_error"):
		return fatal(model.Credentials, c.keyRemedy)
	case is(http.StatusNotFound, "not_found_error"):
		return fatal(model.UnknownModel, "check the model's name and the URL")
	case p.status == http.StatusRequestEntityTooLarge, p.says("prompt is too long", "context window", "context limit"):
		return percuss.ContextExceeded, nil
	case p.says("prefill", "must end with a user message", "final position must"):
		return fatal(model.Capability, "this model does not continue a given beginning: add continue=no to it")
	case p.says("content filtering", "content policy", "blocked by"):
		return percuss.Filtered, nil
	}
	return percuss.Refused, nil
}

// about reports whether an error type says what to do by itself.
func about(kind string) bool {
	return kind == "authentication_error" || kind == "permission_error" || kind == "not_found_error" || kind == "request_too_large"
}

// redacted is an error whose text was cleared of secrets.
type redacted struct {
	text string
	err  error
}

func (r *redacted) Error() string { return r.text }
func (r *redacted) Unwrap() error { return r.err }

// kindIs reports whether an error is a fault of a kind.
func kindIs(err error, kind string) bool {
	var f *model.Fault
	return errors.As(err, &f) && f.Kind == kind
}
