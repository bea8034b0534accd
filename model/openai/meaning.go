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
	return phrases{"insufficient_quota", "billing_hard_limit", "billing_not_active", "insufficient credit", "insufficient balance",
		"insufficient funds", "credit balance is too low", "out of credits", "not enough credits"}
}

// aboutBilling are words that replies about a rate use as well ("see .../account/billing"): they count outside a 429.
func aboutBilling() phrases {
	return phrases{"billing", "exceeded your current quota", "quota exceeded", "quota has been exceeded", "payment required"}
}
func aboutRate() phrases { return phrases{"rate limit", "rate_limit", "too many requests"} }
func aboutLoad() phrases {
	return phrases{"overloaded", "at capacity", "loading model", "model is loading", "currently loading", "temporarily unavailable",
		"service unavailable", "queue is full", "server is busy"}
}
func aboutKey() phrases {
	return phrases{"invalid_api_key", "api_key_invalid", "authentication", "api key", "api-key", "apikey", "unauthorized", "unauthenticated",
		"permission_denied", "permission denied", "access denied", "not authorized", "access token", "invalid credentials",
		"account is not active", "account is inactive", "account_deactivated", "account has been", "organization has been",
		"location is not supported", "unsupported_country", "region, or territory"}
}
func aboutSupport() phrases {
	return phrases{"unsupported", "not supported", "does not support", "unrecognized", "not permitted", "unknown parameter",
		"unknown field", "unknown name", "unexpected keyword", "extra inputs", "not enabled"}
}

// noModel reports whether the server does not have the model.
func (p *problem) noModel() bool {
	return p.says("model_not_found", "unknown model", "unknown_model", "no such model", "invalid model name", "not a valid model",
		"no models loaded", "no model loaded", "model is not loaded", "model_not_supported", "model_not_available") ||
		p.says("model") && p.says("does not exist", "not found")
}

// guess is the status of an error that came without one, in a reply that claims to be well.
func (p *problem) guess() int {
	switch {
	case p.says(aboutRate()...):
		return http.StatusTooManyRequests
	case p.says(aboutLoad()...):
		return http.StatusServiceUnavailable
	case p.says(aboutContext()...), p.says(aboutFilter()...), p.says(aboutQuota()...), p.says(aboutBilling()...):
		return http.StatusBadRequest
	case p.says(aboutKey()...):
		return http.StatusUnauthorized
	case p.noModel():
		return http.StatusNotFound
	}
	return http.StatusInternalServerError
}

// meaning says what a problem is: an outcome of this one request, or a fault. scored is whether log-probabilities were
// asked for. Status codes are not enough to tell a refused key or account, a missing model and a busy server from a
// refused question: each of them comes as a 400 from some server. What is left, and no words are known for, counts as a
// refusal of this one request until Call has made sure (control.go).
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
	case status == http.StatusPaymentRequired, status < 500 && p.says(aboutQuota()...),
		status < 500 && status != http.StatusTooManyRequests && p.says(aboutBilling()...):
		return fatal(model.Quota, "see to the account, then resume the run")
	case status == http.StatusTooManyRequests && !p.says(aboutLoad()...):
		return fault(model.RateLimit)
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable, status == 529:
		return fault(model.Overload)
	case status == http.StatusRequestTimeout:
		return fault(model.Stalled)
	case status < 500 && p.says(aboutContext()...), p.says("exceed_context_size", "context_length_exceeded"):
		return percuss.ContextExceeded, nil
	case p.says(aboutLoad()...):
		return fault(model.Overload)
	case status < 500 && p.says(aboutRate()...):
		return fault(model.RateLimit)
	case status >= 500, status == http.StatusConflict, status == http.StatusTooEarly:
		return fault(model.Server)
	case scored && p.says("logprobs"):
		return fatal(model.Capability, c.row.title+" gives no log-probabilities of this model: "+withoutLetters)
	case p.says("prefill"):
		return fatal(model.Capability, "a given beginning cannot be continued here: add continue=no to the model, or switch its reasoning off at the server")
	case p.says(aboutFilter()...):
		return percuss.Filtered, nil
	case status == http.StatusUnauthorized, status == http.StatusForbidden, p.says(aboutKey()...):
		return fatal(model.Credentials, c.keyRemedy)
	case status == http.StatusNotFound, status == http.StatusGone, p.noModel():
		return fatal(model.UnknownModel, "check the model's name and the URL")
	case status < 400:
		return fatal(model.Address, "give the URL that the server itself answers at")
	}
	return percuss.Refused, nil
}

// withoutLetters is the remedy where scores are asked for in vain.
const withoutLetters = "add letters=no to the model, so that the audit asks for text alone"

// mostSaid is how much of a server's words is kept, in bytes.
const mostSaid = 1000

// safe is a problem whose words were cleared of the key, which some servers echo, and shortened.
func (c *client) safe(p *problem) *problem {
	q := *p
	q.message, q.code = c.wire.secret.words(p.message, mostSaid), c.wire.secret.words(p.code, mostSaid)
	return &q
}
