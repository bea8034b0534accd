// Package model is the port to language models. An adapter is a sub-package named after its technology; adapters
// never import one another. Package modeltest holds the suite that each of them passes.
package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/percuss/percuss"
)

// Model is one model, ready to be asked. Several goroutines may call its methods at once; an adapter that can serve
// only one subject at a time makes Open wait, and Workers says so.
type Model interface {
	// Capabilities are constant over the life of the model.
	Capabilities() percuss.Capabilities
	// Workers is the number of subjects that are worth having open at once, at least 1.
	Workers() int
	// Open starts the work on one subject. What an earlier round of the same session computed may be reused, but an
	// answer never depends on it.
	Open(ctx context.Context, subject string) (Session, error)
	// Close frees the model. No session may be open.
	Close() error
}

// Session answers the requests of one subject. It is used by one goroutine.
type Session interface {
	// Answer answers the requests, in whatever order suits, and calls done once for each that ended, from the calling
	// goroutine, as soon as it is known: i is the request's index. When err is not nil the answer is void; err is
	// Fatal when no further request can succeed, else the fault of this one attempt (see Fault). An attempt that failed
	// and is made again by the model itself is told as well, with a Fault whose Again is set: it is counted, and done
	// will be called once more for the request.
	// Answer itself returns an error only when the whole call could not be served: ctx is done, a fatal fault, or a
	// fault of kind Away, which is not fatal but ends the run: no session of the model is served any more.
	// When ctx is done, requests that have begun are finished if that takes at most a few seconds.
	Answer(ctx context.Context, requests []percuss.Request, done func(i int, a percuss.Answer, err error)) error
	Close() error
}

// Counter is implemented by models that know how many tokens they really computed, for the run's information. The
// counts grow over the life of the model.
type Counter interface{ Counts() Counts }

// Plus adds what another process or another opening counted.
func (c Counts) Plus(d Counts) Counts {
	return Counts{PromptAsked: c.PromptAsked + d.PromptAsked, PromptComputed: c.PromptComputed + d.PromptComputed, Output: c.Output + d.Output,
		PrefillSeconds: c.PrefillSeconds + d.PrefillSeconds, DecodeSeconds: c.DecodeSeconds + d.DecodeSeconds, Decodes: c.Decodes + d.Decodes,
		Drafted: c.Drafted + d.Drafted, Accepted: c.Accepted + d.Accepted,
		PromptDistinct: c.PromptDistinct + d.PromptDistinct, PlainTokens: c.PlainTokens + d.PlainTokens, PlainSeconds: c.PlainSeconds + d.PlainSeconds}
}

// Companion is implemented by models whose answers depend, in the last digits of a log-probability, on the requests
// that are answered with them, and which give the same digits again when everything since Open is the same.
type Companion interface {
	// InCompany reports whether a subject that was interrupted is to be answered again from its first request on, so
	// that it ends as if nothing had happened. What is stored already stays as it is.
	InCompany() bool
}

// Counts are tokens and time spent by a model.
type Counts struct {
	PromptAsked    int64   `json:"prompt_asked"`    // prompt tokens if every request were computed alone
	PromptComputed int64   `json:"prompt_computed"` // prompt tokens really computed
	Output         int64   `json:"output"`          // tokens generated
	PrefillSeconds float64 `json:"prefill_seconds"`
	DecodeSeconds  float64 `json:"decode_seconds"`
	Decodes        int64   `json:"decodes"` // engine calls during generation
	// Drafted tokens were proposed as the continuation of a text and computed with its next token; Accepted are those that
	// turned out to be it, so that they needed no decode of their own.
	Drafted  int64 `json:"drafted,omitempty"`
	Accepted int64 `json:"accepted,omitempty"`
	// PromptDistinct are the tokens of the trees of prompts, every common beginning of a call counted once: how few
	// could be computed without anything kept from earlier calls.
	PromptDistinct int64 `json:"prompt_distinct,omitempty"`
	// PlainTokens and PlainSeconds are of one plain decode of the engine's usual size, behind as many tokens as prompts
	// have, for comparison with the rate of prompt tokens.
	PlainTokens  int64   `json:"plain_tokens,omitempty"`
	PlainSeconds float64 `json:"plain_seconds,omitempty"`
}

// The kinds of fault that Remote treats in their own way; every other kind is met like Server.
const (
	RateLimit = "rate_limit" // 429: too many requests
	Overload  = "overload"   // the server says that it is busy: 503 and the like
	Server    = "server"     // another 5xx, or an error inside a 200
	Dropped   = "dropped"    // the connection broke, or never came about
	Stalled   = "stalled"    // no byte came for too long
	Malformed = "malformed"  // the reply breaks its own format

	// What no repetition mends. It ends the run, of a model with several addresses once all of them had such a fault.
	Credentials  = "credentials"   // the key or the account is refused
	Quota        = "quota"         // the account has nothing left
	UnknownModel = "unknown_model" // the server does not have the model
	Address      = "address"       // the URL is not the one that the server answers at
	TLS          = "tls"           // there is no secure connection

	RefusesAll = "refused"    // the server refuses every request of this form, whatever its text
	Capability = "capability" // the back-end cannot do what was asked: fatal for such requests, not for others

	// Away is the fault of a server that answers nobody: one after another was told to come back later, or given up.
	// It is not fatal, for the server may come back, but Open and Answer return it from then on. RetryAfter is when
	// the server wants to be asked again, where it said so.
	Away = "away"
)

// Fault is one failed attempt. Kind is a short word for counting: those above, and "engine" for what an embedded model
// fails by.
type Fault struct {
	Kind       string
	Fatal      bool          // credentials, unknown model, missing capability: asking again is useless
	Again      bool          // the model asks again by itself
	Absent     bool          // the model is a record without such a reply, and that is no failure: a log with fewer chains of one question
	Spent      bool          // the model has asked as often and waited as long as is sensible in this run
	RetryAfter time.Duration // the server asks to wait this long; 0: it says nothing
	Err        error
}

func (f *Fault) Error() string { return fmt.Sprintf("%s: %v", f.Kind, f.Err) }
func (f *Fault) Unwrap() error { return f.Err }

// IsFatal reports whether err says that no further request can succeed.
func IsFatal(err error) bool {
	var f *Fault
	return errors.As(err, &f) && f.Fatal
}

// LetterForm is the label that a token is, when it is one: the token without the one leading space that tokenizers put
// before a word, written as such or by their marks for it. A token that begins with two spaces is another form, whose
// probability belongs to no label, so only one is taken off.
func LetterForm(token string) string {
	for _, space := range []string{" ", "▁", "Ġ"} {
		if rest, ok := strings.CutPrefix(token, space); ok {
			return rest
		}
	}
	return token
}
