package annotate

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/review/ratings"
)

// How long passes hold.
const (
	LinkLife    = 30 * 24 * time.Hour // of a rater's link: a mail may lie for some weeks
	DeskLife    = 24 * time.Hour      // of the coordinator's, which is used where it is printed
	deviceLife  = time.Hour           // of a link that a rater makes for another device
	sessionLife = 90 * 24 * time.Hour // a review takes weeks
)

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// secret makes one of 256 bits, 43 characters.
func (a *App) secret() (string, error) {
	raw := make([]byte, 32)
	if _, err := io.ReadFull(a.Options.Random, raw); err != nil {
		return "", fmt.Errorf("make a secret: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// Link makes a link that lets a rater in once, within its life; of the empty id, the coordinator. It is a path of the server.
// A rater who was not added is ratings.ErrUnknown.
func (a *App) Link(ctx context.Context, rater string, life time.Duration) (string, error) {
	s, err := a.secret()
	if err != nil {
		return "", err
	}
	return "/in/" + s, a.Book.Issue(ctx, ratings.Pass{Hash: sha256.Sum256([]byte(s)), Rater: rater, Expires: a.Options.Now().Add(life)})
}

// NameError says what is wrong with a rater's name, in words for the coordinator.
type NameError struct{ Why string }

func (e NameError) Error() string { return e.Why }

// AddRater adds a rater. A name that cannot be, or is there already, is a NameError.
func (a *App) AddRater(ctx context.Context, name string) (ratings.Rater, error) {
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return ratings.Rater{}, NameError{"A rater needs a name."}
	case !utf8.ValidString(name) || !web.IsVisible(name) || strings.ContainsAny(name, "\r\n\t"):
		return ratings.Rater{}, NameError{"The name holds characters that cannot be seen: write it anew."}
	case len(name) > ratings.MostName:
		return ratings.Rater{}, NameError{fmt.Sprintf("The name is longer than %d bytes: shorten it.", ratings.MostName)}
	}
	all, err := a.Book.Raters(ctx)
	if err != nil {
		return ratings.Rater{}, err
	}
	if slices.ContainsFunc(all, func(r ratings.Rater) bool { return r.Name == name }) {
		return ratings.Rater{}, NameError{fmt.Sprintf("There is a rater %q already: give this one another name, or make a new link for the one who is there.", name)}
	}
	s, err := a.secret()
	if err != nil {
		return ratings.Rater{}, err
	}
	r := ratings.Rater{ID: "r" + hashOf(s)[:15], Name: name, Added: a.Options.Now()}
	return r, a.Book.AddRater(ctx, r)
}

// rater looks somebody up by id.
func (a *App) rater(ctx context.Context, id string) (ratings.Rater, error) {
	all, err := a.Book.Raters(ctx)
	if err != nil {
		return ratings.Rater{}, err
	}
	at := slices.IndexFunc(all, func(r ratings.Rater) bool { return r.ID == id })
	if at < 0 {
		return ratings.Rater{}, ratings.ErrUnknown
	}
	return all[at], nil
}

// name is rater without the PIN, which spares reading the book for each answer.
func (a *App) name(ctx context.Context, id string) (ratings.Rater, error) {
	a.mu.Lock()
	r, ok := a.named[id]
	a.mu.Unlock()
	if ok {
		return r, nil
	}
	r, err := a.rater(ctx, id)
	if err != nil {
		return r, err
	}
	r.PIN = nil
	a.mu.Lock()
	defer a.mu.Unlock()
	a.named[id] = r
	return r, nil
}

// guess takes one try of an address; false: it has none left, and was told so.
func (a *App) guess(w http.ResponseWriter, r *http.Request) bool {
	now, from := a.Options.Now(), sender(r)
	wait := a.guesses.take(from, now)
	if wait == 0 {
		if wait = a.all.take(others, now); wait > 0 {
			a.guesses.giveBack(from, now)
		}
	}
	if wait > 0 {
		a.wait(w, r, wait)
	}
	return wait == 0
}

// guessed returns the try of what was no guess.
func (a *App) guessed(r *http.Request) {
	now := a.Options.Now()
	a.guesses.giveBack(sender(r), now)
	a.all.giveBack(others, now)
}

// linkPage is what the page of a link shows.
type linkPage struct {
	web.Frame
	Secret, Name, Why string
	Desk              bool // it is the coordinator's
	Ask, Choose       bool // a PIN is asked for; is to be chosen
	Least             int  // characters of a PIN
}

// showLink shows a button and uses nothing up, for programs that look through mail open every link in it.
func (a *App) showLink(w http.ResponseWriter, r *http.Request) {
	page, _, ok := a.openLink(w, r, r.PathValue("secret"))
	if ok {
		a.draw(w, http.StatusOK, "link", page)
	}
}

// openLink finds a link that still lets somebody in, and what its page asks for; false: it is none, and that was told.
func (a *App) openLink(w http.ResponseWriter, r *http.Request, secret string) (linkPage, ratings.Rater, bool) {
	if !a.guess(w, r) {
		return linkPage{}, ratings.Rater{}, false
	}
	pass, err := a.Book.Find(r.Context(), secret)
	if err == nil && pass.Session {
		err = ratings.ErrUnknown
	}
	if errors.Is(err, ratings.ErrUnknown) {
		a.usedUp(w, r)
		return linkPage{}, ratings.Rater{}, false
	}
	a.guessed(r)
	page := linkPage{Frame: a.frame("Open the review"), Secret: secret, Desk: pass.Rater == "", Least: leastPIN}
	if err != nil || page.Desk {
		if err != nil {
			a.broken(w, r, err)
		}
		return page, ratings.Rater{}, err == nil
	}
	who, err := a.rater(r.Context(), pass.Rater)
	if err != nil {
		a.broken(w, r, err)
		return page, who, false
	}
	page.Name, page.Ask, page.Choose = who.Name, who.PIN != nil, who.PIN == nil && a.Options.PIN
	return page, who, true
}

func (a *App) usedUp(w http.ResponseWriter, r *http.Request) {
	a.say(w, r, http.StatusGone, "This link cannot be used any more",
		"A link works once and for a limited time. If you opened it in this browser before, go on to the first page. Otherwise ask the coordinator for a new link.")
}

// useLink makes a session of a link. The session's secret is always new, so that nobody can have put it into the browser before.
func (a *App) useLink(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		a.unreadable(w, r, err)
		return
	}
	link := r.PostForm.Get("secret")
	page, who, ok := a.openLink(w, r, link)
	if !ok {
		return
	}
	var chosen []byte
	if page.Ask || page.Choose {
		if chosen, ok = a.linkPIN(w, r, page, who); !ok {
			return
		}
	}
	s, err := a.secret()
	if err == nil {
		err = a.Book.Exchange(r.Context(), link, ratings.Pass{Hash: sha256.Sum256([]byte(s)), Rater: who.ID, Session: true, Expires: a.Options.Now().Add(sessionLife)})
	}
	if errors.Is(err, ratings.ErrUnknown) {
		a.usedUp(w, r)
		return
	}
	if err == nil && chosen != nil {
		err = a.Book.SetPIN(r.Context(), who.ID, chosen)
	}
	if err != nil {
		a.broken(w, r, err)
		return
	}
	a.admit(w, r, s, page.Desk)
}
