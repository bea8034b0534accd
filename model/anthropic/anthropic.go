// Package anthropic is the back-end for models behind Anthropic's messages interface, on the vendor's own kit. The kit
// makes single attempts; waiting, repeating and limiting are package model's. The interface gives no
// log-probabilities; whether a model continues a given beginning of its turn differs between models, and is found out.
package anthropic

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	kit "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// Options say which model is asked, and how. Name is needed; the zero value of the rest is ready for use.
type Options struct {
	URL     string // base, e.g. https://host; empty: Anthropic's own. No user, password or query
	Name    string // the model, e.g. claude-sonnet-4-5
	Key     string // secret; sent in one header and kept nowhere
	KeyFrom string // where the key came from, for messages, e.g. "the variable ANTHROPIC_API_KEY"

	// Continue says whether the model continues a given beginning of its turn: "yes", "no", or "auto" (also when
	// empty), which finds it out by one call of one token.
	Continue string

	Patience  time.Duration       // most time for one reply; 0: 10 minutes
	Transport http.RoundTripper   // nil: Go's own, with the proxies of the environment
	Now       func() time.Time    // nil: time.Now; read for dates in Retry-After
	Remote    model.RemoteOptions // concurrency, waiting, jitter
}

func (o Options) withDefaults() Options {
	if o.Patience <= 0 {
		o.Patience = 10 * time.Minute
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.KeyFrom == "" {
		o.KeyFrom = "the environment variable that holds the key"
	}
	return o
}

// served is an opened model.
type served struct {
	model.Model
	model.Counter
	model.Batcher
	close func()
}

// Open checks that the key is taken and the model is there, by one free request, and finds out whether the model
// continues a given beginning. The model that it returns is a model.Counter and a model.Batcher. Errors name what the user can do.
func Open(ctx context.Context, o Options) (model.Model, error) {
	o = o.withDefaults()
	c, idle, err := newClient(o)
	if err != nil {
		return nil, fmt.Errorf("model anthropic:%s: %w", o.Name, err)
	}
	can, err := c.survey(ctx)
	if err == nil {
		can.Continue, err = c.continues(ctx, o, can)
	}
	if err != nil {
		idle()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("model anthropic:%s: %w", o.Name, err)
	}
	c.prefill = can.Continue
	m := model.Remote(c, can, o.Remote)
	return &served{Model: m, Counter: m.(model.Counter), Batcher: c, close: idle}, nil
}

// Close frees the connections.
func (s *served) Close() error {
	err := s.Model.Close()
	s.close()
	return err
}

// client makes single attempts. It is safe for use by several goroutines.
type client struct {
	kit       kit.Client
	name      string
	base      string // empty: Anthropic's own
	secret    secret
	keyRemedy string
	now       func() time.Time
	prefill   bool // beginnings are given in the assistant's turn; set before the first request of a run
	report    func(model.Allowance)

	mu     sync.Mutex
	absent map[string]bool // parameters that the model refuses, of those that a request can do without
	tried  model.Tried     // forms of requests that a batch may hold: with a beginning, without
}

// Report implements model.Reporter.
func (c *client) Report(to func(model.Allowance)) { c.report = to }

// newClient checks the options. idle closes the connections that wait for another request.
func newClient(o Options) (c *client, idle func(), err error) {
	if strings.TrimSpace(o.Name) == "" {
		return nil, nil, errors.New("no model is named: give its name, e.g. anthropic:claude-sonnet-4-5")
	}
	switch o.Continue {
	case "", "auto", "yes", "no":
	default:
		return nil, nil, fmt.Errorf("continue=%s is neither yes, no nor auto", o.Continue)
	}
	base, err := baseOf(o.URL)
	if err != nil {
		return nil, nil, err
	}
	key, err := newSecret(o.Key)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", o.KeyFrom, err)
	}
	if key == "" && base == "" {
		return nil, nil, fmt.Errorf("no key was given: put it into %s", o.KeyFrom)
	}
	transport := o.Transport
	if transport == nil {
		transport = model.Transport(o.Remote.Concurrency)
	}
	// Redirects are not followed: a body sent elsewhere would be answered by another server than the identity names.
	h := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	// The environment is read by the commands alone, so the kit's own reading of it is off, and so are its retries.
	with := []option.RequestOption{option.WithoutEnvironmentDefaults(), option.WithHTTPClient(h), option.WithMaxRetries(0),
		option.WithRequestTimeout(o.Patience)}
	if base != "" {
		with = append(with, option.WithBaseURL(base+"/"))
	}
	if key != "" {
		with = append(with, option.WithAPIKey(string(key)))
	}
	return &client{kit: kit.NewClient(with...), report: func(model.Allowance) {}, name: o.Name, base: base, secret: key, keyRemedy: "check the key in " + o.KeyFrom, now: o.Now},
		h.CloseIdleConnections, nil
}

// baseOf is the URL of a server in the form that the kit takes, which adds /v1 itself. The error never repeats the
// URL, which may hold a secret.
func baseOf(given string) (string, error) {
	if given == "" {
		return "", nil
	}
	u, err := url.Parse(given)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", errors.New("the server's URL cannot be read: give one like https://host")
	}
	if u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", errors.New("the server's URL holds a user, a password, a query or a fragment, which would end up in files: take it out, and give the key in a variable")
	}
	path := strings.TrimSuffix(strings.TrimRight(u.EscapedPath(), "/"), "/v1")
	if strings.HasSuffix(path, "/messages") {
		return "", errors.New("the server's URL ends in /messages: give the base URL before /v1")
	}
	return u.Scheme + "://" + strings.ToLower(u.Host) + path, nil
}

// survey asks for the model's entry, which is free, and says what can be done. A gateway that keeps no list of models
// is no error: the first call tells whether it has this one.
func (c *client) survey(ctx context.Context) (percuss.Capabilities, error) {
	const surveyTime = time.Minute
	can := percuss.Capabilities{Identity: "anthropic:" + c.name, Text: true, SystemRole: true, Engine: "Anthropic"}
	if c.base != "" {
		can.Identity += "@" + c.base
	}
	entry, err := c.kit.Models.Get(ctx, c.name, kit.ModelGetParams{}, option.WithRequestTimeout(surveyTime))
	if err == nil {
		if n := entry.MaxInputTokens; n > 0 && n < 1e9 {
			can.ContextTokens = int(n)
		}
		return can, nil
	}
	f := c.faultOf(ctx, err)
	if f.Fatal && (c.base == "" || f.Kind != model.UnknownModel) {
		return can, f
	}
	return can, nil // the first call meets what is transient with its attempts
}

// continues finds out whether the model continues a given beginning, with the patience of a run.
func (c *client) continues(ctx context.Context, o Options, can percuss.Capabilities) (bool, error) {
	if o.Continue == "yes" || o.Continue == "no" {
		return o.Continue == "yes", nil
	}
	c.prefill = true
	s, err := model.Remote(c, can, o.Remote).Open(ctx, "does it continue its turn")
	if err != nil {
		return false, err
	}
	ask := percuss.Request{Model: can.Identity, Begin: "The sky is", Sampling: percuss.Greedy(1),
		Messages: []percuss.Message{{Role: percuss.User, Content: "Say in one sentence which colour the sky has."}}}
	var answered error
	err = s.Answer(ctx, []percuss.Request{ask}, func(_ int, _ percuss.Answer, err error) { answered = err })
	switch {
	case kindIs(answered, model.Capability):
		return false, nil
	case answered != nil:
		return false, answered
	}
	return err == nil, errors.Join(err, s.Close())
}
