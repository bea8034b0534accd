// Package ratings is the port to what raters of a package answer: append-only, with time. It knows neither runs nor keys,
// so that the review app can hold nothing that would unblind. An adapter is a sub-package named after its technology;
// package ratingstest holds the suite that each of them passes.
package ratings

import (
	"context"
	"errors"
	"iter"
	"time"
)

// Entry is everything that a rater says of one item at one time. A later one of the same rater and item replaces it for
// the results; all are kept.
type Entry struct {
	ID      string            `json:"id"`    // 1 to 64 letters, digits and hyphens, made by who sends it: what is sent twice is one entry
	Rater   string            `json:"rater"` // id
	Item    string            `json:"item"`
	Labels  map[string]string `json:"labels"`            // question -> label; a question that is missing is open
	Comment string            `json:"comment,omitempty"` // at most MostComment bytes
	Flag    string            `json:"flag,omitempty"`    // a problem with the item, in the rater's words; at most MostComment bytes
	Flagged bool              `json:"flagged,omitempty"` // there is a problem, with or without words
	Seconds float64           `json:"seconds"`           // for which the item was on the rater's screen in all
	At      time.Time         `json:"at"`                // when the rater answered, by the clock of who keeps the entry; UTC, milliseconds
	By      string            `json:"by,omitempty"`      // "app", "file", or the name of an imported file
}

// MostComment is the size of the longest comment, bytes.
const MostComment = 10_000

// Rater is one person who answers.
type Rater struct {
	ID    string    `json:"id"`   // opaque
	Name  string    `json:"name"` // as the coordinator calls them
	Added time.Time `json:"added"`
	PIN   []byte    `json:"-"` // bcrypt hash; nil: none was chosen
}

// Pass is a secret that lets somebody in: a link that is used once, or the session that it became. Only hashes are kept.
type Pass struct {
	Hash    [32]byte // SHA-256 of the secret
	Rater   string   // id; empty: the coordinator
	Session bool     // false: a link, used up by the first session that it makes
	Expires time.Time
}

// Faults of a book.
var (
	ErrClosed  = errors.New("the review is closed")    // no further answers are taken
	ErrUnknown = errors.New("no such rater")           // or a link that was used, or has expired
	ErrOther   = errors.New("it is another package's") // the book belongs to another package
)

// Book keeps the answers of one package. Its methods may be called from several goroutines; what a method has returned
// without an error is on the disk, and survives the end of the process at any moment.
type Book interface {
	// Add keeps entries, each once whatever how often it is given (by ID and rater), in the order given, and returns how many were new.
	// All of them or none are kept: an entry that Check refuses is an error, ErrClosed comes while the review is shut, ErrUnknown of a rater who was not added.
	Add(ctx context.Context, entries []Entry) (fresh int, err error)
	// Entries yields all entries in the order in which they came.
	Entries(ctx context.Context) iter.Seq2[Entry, error]
	// Latest returns the entry that counts for each item of a rater: that of the latest At, of equal ones the last to come.
	Latest(ctx context.Context, rater string) (map[string]Entry, error)
	// Raters lists the raters in the order in which they were added.
	Raters(ctx context.Context) ([]Rater, error)
	// AddRater adds a rater; an equal name is an error that says so.
	AddRater(ctx context.Context, r Rater) error
	// SetPIN sets or, with nil, takes away the hash of a rater's PIN.
	SetPIN(ctx context.Context, rater string, hash []byte) error
	// Issue keeps a pass.
	Issue(ctx context.Context, p Pass) error
	// Find returns the pass of a secret; ErrUnknown when there is none or it has expired.
	Find(ctx context.Context, secret string) (Pass, error)
	// Exchange uses up a link and keeps the session that it becomes, at once: of two that use one link, one gets ErrUnknown.
	Exchange(ctx context.Context, link string, session Pass) error
	// Revoke forgets a pass; with a rater's id and no secret, all of that rater's.
	Revoke(ctx context.Context, secret, rater string) error
	// Shut ends the taking of answers, or opens it again.
	Shut(ctx context.Context, shut bool) error
	IsShut(ctx context.Context) (bool, error)
	// Backup writes a whole copy to a file that is not there yet, while others go on answering.
	Backup(ctx context.Context, path string) error
	Close() error
}
