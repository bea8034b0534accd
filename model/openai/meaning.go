package openai

import (
	"fmt"
	"net/http"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// phrases by which servers tell one refusal from another: status and code differ between them, the words less.
type phrases []string

func aboutContext() phrases {
	return phrases{"context length", "context_length", "context window", "context size", "context_size", "maximum context",
		"max_model_len", "maximum model length", "prompt is too long", "input is too long", "prompt too long",
		"reduce the length", "max_total_tokens", "max_new_tokens` must be", "`inputs` must have less than"}
}
func aboutFilter() phrases {
	return phrases{"content_filter", "content filter", "content management policy", "content_policy", "flagged", "moderation"}
}
func aboutQuota() phrases {
	return phrases{"insufficient_quota", "billing_hard_limit", "insufficient credit", "insufficient balance"}
}
func aboutRate() phrases { return phrases{"rate limit", "rate_limit", "too many requests"} }
func aboutLoad() phrases {
	return phrases{"overloaded", "at capacity", "loading model", "temporarily unavailable", "queue is full"}
}
func aboutKey() phrases {
	return phrases{"invalid_api_key", "authentication", "api key", "unauthorized"}
}
func aboutSupport() phrases {
	return phrases{"unsupported", "not supported", "does not support", "unrecognized", "not permitted", "unknown parameter",
		"unknown field", "unexpected keyword", "extra inputs"}
}

// noModel reports whether the server does not have the model.
func (p *problem) noModel() bool {
	return p.says("model_not_found", "unknown model", "no such model", "invalid model name") ||
		p.says("model") && p.says("does not exist", "not found")
}

// guess is the status of an error that came without one, in a reply that claims to be well.
func (p *problem) guess() int {
	switch {
	case p.says(aboutRate()...):
		return http.StatusTooManyRequests
	case p.says(aboutLoad()...):
		return http.StatusServiceUnavailable
	case p.says(aboutContext()...), p.says(aboutFilter()...), p.says(aboutQuota()...):
		return http.StatusBadRequest
	case p.says(aboutKey()...):
		return http.StatusUnauthorized
	case p.noModel():
		return http.StatusNotFound
	}
	return http.StatusInternalServerError
}

// meaning says what a problem is: an outcome of this one request, or a fault. scored is whether log-probabilities were
// asked for.
func (c *client) meaning(p *problem, scored bool) (percuss.Outcome, error) {
	status := p.status
	if status == 0 {
		status = p.guess()
	}
	fault := func(kind string) (percuss.Outcome, error) {
		return "", &model.Fault{Kind: kind, RetryAfter: p.after, Err: c.safe(p)}
	}
	fatal := func(kind, remedy string) (percuss.Outcome, error) {
		return "", &model.Fault{Kind: kind, Fatal: true, Err: fmt.Errorf("%w; %s", c.safe(p), remedy)}
	}
	switch {
	case status == http.StatusPaymentRequired, status < 500 && p.says(aboutQuota()...):
		return fatal("quota", "see to the account, then resume the run")
	case status == http.StatusTooManyRequests && !p.says(aboutLoad()...):
		return fault(model.RateLimit)
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable, status == 529:
		return fault(model.Overload)
	case status == http.StatusRequestTimeout:
		return fault(model.Stalled)
	case status < 500 && p.says(aboutContext()...), p.says("exceed_context_size", "context_length_exceeded"):
		return percuss.ContextExceeded, nil
	case status >= 500 && p.says(aboutLoad()...):
		return fault(model.Overload)
	case status >= 500, status == http.StatusConflict, status == http.StatusTooEarly:
		return fault(model.Server)
	case scored && p.says("logprobs"):
		return fatal(model.Capability, c.row.title+" gives no log-probabilities of this model: "+withoutLetters)
	case p.says("prefill"):
		return fatal(model.Capability, "a given beginning cannot be continued here: add continue=no to the model, or switch its reasoning off at the server")
	case p.says(aboutFilter()...):
		return percuss.Filtered, nil
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fatal("credentials", c.keyRemedy)
	case status == http.StatusNotFound, p.noModel():
		return fatal("unknown_model", "check the model's name and the URL")
	case status < 400:
		return fatal("address", "give the URL that the server itself answers at")
	}
	return percuss.Refused, nil
}

// withoutLetters is the remedy where scores are asked for in vain.
const withoutLetters = "add letters=no to the model, so that the audit asks for text alone"

// mostSaid is how much of a server's words is kept, in bytes.
const mostSaid = 1000

// safe is a problem whose words were cleared of the key, which some servers echo, and then shortened: the other way
// round, a part of a key could stay.
func (c *client) safe(p *problem) *problem {
	q := *p
	q.message, q.code = cut(c.wire.secret.redact(p.message), mostSaid), cut(c.wire.secret.redact(p.code), mostSaid)
	return &q
}
