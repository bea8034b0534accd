package batch

import (
	"time"

	"github.com/percuss/percuss"
)

// Entry is a line of the journal of what was handed in, so that a run that was stopped goes on waiting and hands in
// nothing twice.
type Entry struct {
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

// Options say how batches are made. Past, Note and Token are needed; the rest may be zero.
type Options struct {
	Subjects int // open at once, since a round of all of them is one batch; 0: 1
	// Quiet is how long nothing more must have been asked before a batch is handed in; 0: 2 seconds.
	Quiet time.Duration
	Every time.Duration // between two polls of a batch; 0: 30 seconds

	Past   []Entry                // the journal so far, of any models
	Stored func(percuss.Key) bool // reports whether a request of Past has its answer already; nil: none has
	Note   func(Entry) error      // appends to it, durably
	Token  func() string          // a new unique word
	Tell   func(line string)      // says to the user what happens; nil: nothing is said
	Now    func() time.Time       // nil: time.Now
}

func (o Options) withDefaults() Options {
	o.Subjects = max(1, o.Subjects)
	if o.Quiet <= 0 {
		o.Quiet = 2 * time.Second
	}
	if o.Every <= 0 {
		o.Every = 30 * time.Second
	}
	if o.Stored == nil {
		o.Stored = func(percuss.Key) bool { return false }
	}
	if o.Tell == nil {
		o.Tell = func(string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
