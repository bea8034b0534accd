package annotate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/percuss/percuss/review/ratings"
)

// Batch is what a rater's page sends: entries without the rater, whom the session tells.
type Batch struct {
	Package string          `json:"package"` // its ID
	Now     time.Time       `json:"now"`     // the time of sending by the clock that the entries have theirs from
	Entries []ratings.Entry `json:"entries"` // at most MostEntries
}

// MostEntries is how many entries a batch may have. A batch is at most 1 MiB.
const MostEntries = 200

// receipt is what is answered to a batch.
type receipt struct {
	Kept    []string  `json:"kept"` // ids that are in the book, now or since before
	Refused []refusal `json:"refused,omitempty"`
	Shut    bool      `json:"shut"`
	At      time.Time `json:"at"`
	Error   string    `json:"error,omitempty"` // in words, where the review is closed
}

// refusal says why an entry is not kept, and will not be.
type refusal struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// takeEntries keeps a batch. An entry that cannot be kept is refused by itself.
func (a *App) takeEntries(w http.ResponseWriter, r *http.Request, v visitor) {
	batch, err := readBatch(r)
	if err != nil {
		a.unreadable(w, r, err)
		return
	}
	if batch.Package != a.Package.ID {
		a.say(w, r, http.StatusBadRequest, "These answers are of another review", "Load the page again.")
		return
	}
	if len(batch.Entries) > MostEntries {
		a.say(w, r, http.StatusRequestEntityTooLarge, "That is too much at once", fmt.Sprintf("Send at most %d answers.", MostEntries))
		return
	}
	out := receipt{Kept: []string{}, At: a.Options.Now().UTC().Truncate(time.Millisecond)}
	var fit []ratings.Entry
	for _, e := range batch.Entries {
		e, err := a.accepted(e, v.rater, batch.Now, out.At)
		if err != nil {
			out.Refused = append(out.Refused, refusal{fmt.Sprintf("%.64s", e.ID), err.Error()})
			continue
		}
		fit, out.Kept = append(fit, e), append(out.Kept, e.ID)
	}
	_, err = a.Book.Add(r.Context(), fit)
	switch {
	case errors.Is(err, ratings.ErrClosed):
		a.refuseClosed(w, r, v, fit, out)
	case err != nil:
		a.broken(w, r, err)
	default:
		a.tell(w, http.StatusOK, out)
	}
}

// refuseClosed answers while the review is closed. What is in the book since before, and was sent again because the answer
// got lost, is told as kept.
func (a *App) refuseClosed(w http.ResponseWriter, r *http.Request, v visitor, fit []ratings.Entry, out receipt) {
	latest, err := a.Book.Latest(r.Context(), v.rater.ID)
	if err != nil {
		a.broken(w, r, err)
		return
	}
	out.Kept, out.Shut, out.Error = []string{}, true, "The review is closed: answers are no longer taken. Ask the coordinator if yours are missing."
	for _, e := range fit {
		if latest[e.Item].ID == e.ID {
			out.Kept = append(out.Kept, e.ID)
		}
	}
	a.tell(w, http.StatusConflict, out)
}

var errBatch = errors.New("no batch of answers")

// readBatch reads one batch and nothing else.
func readBatch(r *http.Request) (Batch, error) {
	var b Batch
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return b, errBatch
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		return b, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return b, errors.Join(errBatch, err)
	}
	if b.Now.IsZero() {
		return b, errBatch
	}
	return b, nil
}

// accepted returns an entry as it is kept: of this rater, at the time of the server's clock. The age that it had when it was
// sent is right even where the sender's clock is not.
func (a *App) accepted(e ratings.Entry, who ratings.Rater, sent, now time.Time) (ratings.Entry, error) {
	if e.Rater != "" && e.Rater != who.ID {
		return e, errors.New("it is another rater's")
	}
	item := a.items[e.Item]
	if item == nil {
		return e, fmt.Errorf("item %.64q is not one that is judged here", e.Item)
	}
	if err := a.Package.CheckLabels(*item, e.Labels); err != nil {
		return e, fmt.Errorf("%.300s", err.Error())
	}
	if e.At.IsZero() {
		return e, errors.New("it has no time")
	}
	age := max(0, sent.Sub(e.At))
	e.Rater, e.By, e.At = who.ID, "app", now.Add(-age)
	if e.At.Before(who.Added) {
		e.At = who.Added
	}
	return e, e.Check(now)
}

// tellState says what counts of the rater's answers.
func (a *App) tellState(w http.ResponseWriter, r *http.Request, v visitor) {
	saved, shut, err := a.state(r.Context(), v.rater.ID)
	if err != nil {
		a.broken(w, r, err)
		return
	}
	a.tell(w, http.StatusOK, map[string]any{"package": a.Package.ID, "shut": shut, "entries": saved})
}

// addDevice makes a link by which the rater goes on elsewhere.
func (a *App) addDevice(w http.ResponseWriter, r *http.Request, v visitor) {
	link, err := a.Link(r.Context(), v.rater.ID, deviceLife)
	if err != nil {
		a.broken(w, r, err)
		return
	}
	a.tell(w, http.StatusOK, map[string]any{"link": link, "expires": a.Options.Now().Add(deviceLife).UTC().Truncate(time.Second)})
}

// tell answers by JSON.
func (a *App) tell(w http.ResponseWriter, code int, what any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	if err := json.NewEncoder(w).Encode(what); err != nil {
		a.Options.Log.Warn("answer not sent", "why", err.Error())
	}
}
