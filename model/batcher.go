package model

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/percuss/percuss"
)

// Batcher is implemented by models whose service takes requests as a file and answers them within a day, at a lower
// price. Package model/batch makes a model of it that a run can ask. Each method makes one attempt; its error is a *Fault, Fatal
// when the service takes no batches or none of this form. The methods are called one at a time.
type Batcher interface {
	// Fit is how many requests, counted from the front, one batch holds: at least 1.
	Fit(requests []percuss.Request) int
	// Submit hands in a batch of requests whose keys differ, and returns the batch's name at the service. Requests of a
	// form that was not asked before are tried by a single call first, so that no day is lost over what is refused.
	// token is unique to the batch and tells nothing.
	Submit(ctx context.Context, token string, requests []percuss.Request) (id string, err error)
	// Find names the batches that may be the one of an earlier Submit whose reply was never heard: by its token where
	// the service keeps that, else by the number of its requests and the time.
	Find(ctx context.Context, token string, requests int, since time.Time) (ids []string, err error)
	// Poll asks how far a batch is.
	Poll(ctx context.Context, id string) (BatchState, error)
	// Collect reads an ended batch and calls done once for each wanted request that it has something of, in any order,
	// from the calling goroutine. Answers are those that a single call would have brought. What expired or failed has
	// an error, which is Fatal when no further request can succeed, and is worth asking again otherwise.
	Collect(ctx context.Context, id string, wanted map[percuss.Key]percuss.Request, done func(percuss.Key, percuss.Answer, error)) error
}

// BatchState is how far a batch is.
type BatchState struct {
	Status      string // the service's word
	Done, Total int    // requests
	Ended       bool   // there is something to collect
	// Failed is why the service did not take the whole batch; nil: it did. None of its requests was answered, and where
	// it is not Fatal they are worth handing in again later.
	Failed *Fault
}

// FitBatch is Batcher.Fit for a service that takes at most so many requests and bytes at once. size is what a request
// takes, in bytes; false where it cannot be sent, and takes nothing.
func FitBatch(requests []percuss.Request, most, bytes int, size func(percuss.Request) (int, bool)) int {
	sum := 0
	for i, r := range requests {
		n, ok := size(r)
		if !ok {
			continue
		}
		if sum += n; i > 0 && (i >= most || sum > bytes) {
			return i
		}
	}
	return len(requests)
}

// NoneSendable is the fault of a batch of which nothing could be handed in.
func NoneSendable() *Fault {
	return &Fault{Kind: Capability, Fatal: true, Err: errors.New("none of the requests can be sent: their further parameters are no JSON object")}
}

// Tried remembers the forms of request that a service was tried with by a single call, which finds out which parameters
// the model refuses: without it a whole batch could come back a day later with nothing but refusals. Several goroutines
// may use it; the zero value is ready.
type Tried struct {
	mu    sync.Mutex
	forms map[string]bool
}

// Once calls try, unless it has succeeded for this form before.
func (t *Tried) Once(form string, try func() error) error {
	t.mu.Lock()
	done := t.forms[form]
	t.mu.Unlock()
	if done {
		return nil
	}
	if err := try(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.forms == nil {
		t.forms = map[string]bool{}
	}
	t.forms[form] = true
	return nil
}
