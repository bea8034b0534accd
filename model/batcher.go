package model

import (
	"context"
	"time"

	"github.com/percuss/percuss"
)

// Batcher is implemented by models whose service takes requests as a file and answers them within a day, at a lower
// price. Batched makes a model of it that a run can ask. Each method makes one attempt; its error is a *Fault, Fatal
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

// BatchEntry is a line of the journal of what was handed in, so that a run that was stopped goes on waiting and hands in
// nothing twice.
type BatchEntry struct {
	Event string        `json:"event"` // one of the constants below
	Token string        `json:"token"`
	Model string        `json:"model"` // identity
	At    time.Time     `json:"at"`
	ID    string        `json:"id,omitempty"`   // with Submitted
	Keys  []percuss.Key `json:"keys,omitempty"` // with Submitting
}

// The life of a batch.
const (
	Submitting = "submitting" // written before it is handed in
	Submitted  = "submitted"  // it has a name
	Lost       = "lost"       // the service never took it, or has it no more
	Collected  = "collected"  // all of its answers are stored
)

// BatchOptions say how batches are made. Past, Note and Token are needed; the rest may be zero.
type BatchOptions struct {
	Subjects int // open at once, since a round of all of them is one batch; 0: 1
	// Quiet is how long nothing more must have been asked before a batch is handed in; 0: 2 seconds.
	Quiet time.Duration
	Every time.Duration // between two polls of a batch; 0: 30 seconds

	Past  []BatchEntry           // the journal so far, of any models
	Note  func(BatchEntry) error // appends to it, durably
	Token func() string          // a new unique word
	Tell  func(line string)      // says to the user what happens; nil: nothing is said
	Now   func() time.Time       // nil: time.Now
}

func (o BatchOptions) withDefaults() BatchOptions {
	o.Subjects = max(1, o.Subjects)
	if o.Quiet <= 0 {
		o.Quiet = 2 * time.Second
	}
	if o.Every <= 0 {
		o.Every = 30 * time.Second
	}
	if o.Tell == nil {
		o.Tell = func(string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
