// Package probe finds out what a back-end really does, by a handful of small calls: are the log-probabilities of letters
// real, does a given beginning of a turn continue, is greedy decoding repeatable, is a long prompt silently cut. It asks
// through the model port alone, so every adapter is probed in the same way; what only a server can show comes through
// model.Inspector.
package probe

import (
	"context"
	"errors"
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// Verdict is the outcome of a check.
type Verdict string

// The verdicts.
const (
	Yes      Verdict = "yes"
	No       Verdict = "no"
	Unclear  Verdict = "unclear"
	NotAsked Verdict = "not asked"
)

// The checks, in the order in which they are made.
const (
	Text      = "text"       // does it generate text
	Reasoning = "reasoning"  // does reasoning come in a field or between marks of its own
	Repeats   = "repeats"    // does greedy decoding repeat itself, asked alone
	Company   = "company"    // and in the company of other requests
	Continues = "continues"  // does a given beginning of the assistant's turn continue
	Letters   = "letters"    // are there log-probabilities of the option letters
	OneToken  = "one-token"  // is each letter one token after the template
	Real      = "real"       // are the log-probabilities those before filtering, and do they follow the prompt
	Both      = "both-forms" // are a letter with and without a leading space summed, and copies counted once
	LongCut   = "long"       // does a long prompt arrive whole
	Seeds     = "seeds"      // is sampling repeatable by seed
	Unknown   = "unknown"    // is a parameter that does not exist refused
)

// Finding is the outcome of one check.
type Finding struct {
	Check    string  `json:"check"`
	Asks     string  `json:"asks"` // the question in words
	Verdict  Verdict `json:"verdict"`
	Evidence string  `json:"evidence"` // what was seen
}

// Report is what a probe found.
type Report struct {
	Identity string               `json:"identity"`
	Engine   string               `json:"engine,omitempty"`
	Findings []Finding            `json:"findings"`
	Can      percuss.Capabilities `json:"capabilities"` // the declared ones, corrected by what was found
	Calls    int                  `json:"calls"`
	Usage    percuss.Usage        `json:"usage"` // of all calls, as the back-end counts
}

// Of returns the finding of a check.
func (r Report) Of(check string) (Finding, bool) {
	for _, f := range r.Findings {
		if f.Check == check {
			return f, true
		}
	}
	return Finding{}, false
}

// Options say what is asked.
type Options struct {
	Chat    []percuss.Message // a question as the audit puts it
	Other   []percuss.Message // another one
	Cue     string            // closes a chain before the letters are read
	Letters []string          // labels; at least two
	// MaxTokens bounds the texts; 0: 96. A reply must be long enough to be cut in two.
	MaxTokens int
	// Long is the length of the longest prompt in words; 0: 2,000.
	Long int
	// Quick leaves out all but the checks that decide the capabilities: text, continues, letters, real.
	Quick bool
	// TextOnly leaves out what concerns letters: the audit will not ask for them.
	TextOnly bool
	// Found, when set, is told each finding as it is made.
	Found func(Finding)
}

// Run probes a model. An error is a fatal fault, or a context that is done: then the report holds what was found before.
func Run(ctx context.Context, m model.Model, o Options) (Report, error) {
	if len(o.Letters) < 2 || len(o.Chat) == 0 || len(o.Other) == 0 {
		return Report{}, errors.New("probe: two questions and at least two letters are needed")
	}
	if o.MaxTokens == 0 {
		o.MaxTokens = 96
	}
	if o.Long == 0 {
		o.Long = 2000
	}
	can := m.Capabilities()
	p := &prober{ctx: ctx, m: m, o: o, can: can, r: Report{Identity: can.Identity, Engine: can.Engine, Can: can}}
	checks := []func() error{p.text, p.continues, p.letters, p.real}
	switch {
	case o.Quick && o.TextOnly:
		checks = checks[:2]
	case o.TextOnly:
		checks = []func() error{p.text, p.reasoning, p.repeats, p.company, p.continues, p.long, p.seeds, p.unknown}
	case !o.Quick:
		checks = []func() error{p.text, p.reasoning, p.repeats, p.company, p.continues, p.letters, p.oneToken, p.real, p.both, p.long, p.seeds, p.unknown}
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return p.r, err
		}
	}
	return p.r, nil
}

// prober makes the checks of one probe.
type prober struct {
	ctx context.Context
	m   model.Model
	o   Options
	can percuss.Capabilities
	r   Report

	first      percuss.Answer    // the greedy reply
	scored     percuss.Answer    // the letters of the question
	seen       *model.Inspection // what lies behind scored
	inspection error
}

// found adds a finding.
func (p *prober) found(check, asks string, v Verdict, format string, args ...any) {
	f := Finding{check, asks, v, fmt.Sprintf(format, args...)}
	p.r.Findings = append(p.r.Findings, f)
	if p.o.Found != nil {
		p.o.Found(f)
	}
}

// outcome is the answer to one request, or the fault of its last attempt.
type outcome struct {
	percuss.Answer
	err error
}

// ask puts requests in one session. Only a fatal fault and a context that is done are errors.
func (p *prober) ask(requests ...percuss.Request) ([]outcome, error) {
	s, err := p.m.Open(p.ctx, "probe")
	if err != nil {
		return nil, err
	}
	defer s.Close()
	out := make([]outcome, len(requests))
	var fatal error
	err = s.Answer(p.ctx, requests, func(i int, a percuss.Answer, err error) {
		p.r.Calls++
		out[i] = outcome{a, err}
		p.r.Usage.Prompt += a.Usage.Prompt
		p.r.Usage.Output += a.Usage.Output
		if model.IsFatal(err) {
			fatal = err
		}
	})
	switch {
	case p.ctx.Err() != nil:
		return out, context.Cause(p.ctx)
	case capability(fatal) || capability(err):
		return out, nil
	case fatal != nil:
		return out, fatal
	}
	return out, err
}

// capability reports whether a fault says that the back-end cannot do what was asked: that is a finding, no failure.
func capability(err error) bool {
	var f *model.Fault
	return errors.As(err, &f) && f.Kind == model.Capability
}

// request is a call about the question.
func (p *prober) request(chat []percuss.Message, begin string, s percuss.Sampling) percuss.Request {
	return percuss.Request{Model: p.can.Identity, Messages: chat, Begin: begin, Sampling: s}
}

// greedy is a greedy call about the question.
func (p *prober) greedy(begin string) percuss.Request {
	return p.request(p.o.Chat, begin, percuss.Greedy(p.o.MaxTokens))
}
