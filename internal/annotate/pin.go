package annotate

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"unicode/utf8"

	"golang.org/x/crypto/bcrypt"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/review/ratings"
)

// Limits of a PIN: bcrypt reads no more than 72 bytes.
const (
	leastPIN = 4 // characters
	mostPIN  = 72
)

// mostWrong is how many wrong PINs a link survives.
const mostWrong = 10

// hashPIN makes the hash of a PIN that may be one; otherwise it says why it may not.
func (a *App) hashPIN(pin string) (hash []byte, why string, err error) {
	if utf8.RuneCountInString(pin) < leastPIN || len(pin) > mostPIN {
		return nil, fmt.Sprintf("A PIN has %d characters or more, at most %d bytes.", leastPIN, mostPIN), nil
	}
	hash, err = bcrypt.GenerateFromPassword([]byte(pin), a.cost)
	return hash, "", err
}

// rightPIN holds a PIN against a rater's; false: it is wrong, or there were too many tries, which was told by answer.
func (a *App) rightPIN(w http.ResponseWriter, r *http.Request, who ratings.Rater, pin string, wrong func()) bool {
	now := a.Options.Now()
	if wait := a.pins.take(who.ID, now); wait > 0 { // before the hash: tries at one moment are tries, too
		a.wait(w, r, wait)
		return false
	}
	if len(pin) > mostPIN || bcrypt.CompareHashAndPassword(who.PIN, []byte(pin)) != nil {
		wrong()
		return false
	}
	a.pins.giveBack(who.ID, now)
	return true
}

// linkPIN asks for the PIN of who opens a link, or lets it be chosen. chosen is the hash of a new one.
func (a *App) linkPIN(w http.ResponseWriter, r *http.Request, page linkPage, who ratings.Rater) (chosen []byte, ok bool) {
	pin := r.PostForm.Get("pin")
	if page.Choose {
		hash, why, err := a.hashPIN(pin)
		switch {
		case err != nil:
			a.broken(w, r, err)
		case why != "":
			page.Why = why
			a.draw(w, http.StatusUnprocessableEntity, "link", page)
		}
		return hash, hash != nil
	}
	return nil, a.rightPIN(w, r, who, pin, func() {
		if a.tooWrong(r.PostForm.Get("secret")) {
			if err := a.Book.Revoke(r.Context(), page.Secret, ""); err != nil {
				a.broken(w, r, err)
				return
			}
			a.usedUp(w, r)
			return
		}
		page.Why = "That is not the PIN that you chose. If you have forgotten it, ask the coordinator for a new link without it."
		a.draw(w, http.StatusUnprocessableEntity, "link", page)
	})
}

// tooWrong counts a wrong PIN of a link and says whether the link has had enough of them.
func (a *App) tooWrong(link string) bool {
	hash := sha256.Sum256([]byte(link))
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wrong[hash]++
	if a.wrong[hash] < mostWrong && len(a.wrong) <= mostKept {
		return false
	}
	delete(a.wrong, hash)
	return true
}

// pinPage is the page on which a rater chooses a PIN.
type pinPage struct {
	web.Frame
	Why   string
	Has   bool // there is one already, which is asked for
	None  bool // having none is a choice
	Least int
}

func (a *App) showPIN(w http.ResponseWriter, r *http.Request, v visitor) {
	who, err := a.rater(r.Context(), v.rater.ID)
	if err != nil {
		a.broken(w, r, err)
		return
	}
	a.drawPIN(w, http.StatusOK, who, "")
}

func (a *App) drawPIN(w http.ResponseWriter, code int, who ratings.Rater, why string) {
	a.draw(w, code, "pin", pinPage{Frame: a.frame("Your PIN"), Why: why, Has: who.PIN != nil, None: who.PIN != nil && !a.Options.PIN, Least: leastPIN})
}

// setPIN sets or changes the PIN of a rater; who sits before a session that was left open does not know the old one.
func (a *App) setPIN(w http.ResponseWriter, r *http.Request, v visitor) {
	if err := r.ParseForm(); err != nil {
		a.unreadable(w, r, err)
		return
	}
	who, err := a.rater(r.Context(), v.rater.ID)
	if err != nil {
		a.broken(w, r, err)
		return
	}
	pin, old := r.PostForm.Get("pin"), r.PostForm.Get("old")
	if who.PIN != nil && old == "" {
		a.drawPIN(w, http.StatusUnprocessableEntity, who, "You have a PIN already: say it, too.")
		return
	}
	if who.PIN != nil && !a.rightPIN(w, r, who, old, func() {
		a.drawPIN(w, http.StatusUnprocessableEntity, who, "The PIN that you had is another one.")
	}) {
		return
	}
	var hash []byte // none is a choice, where PINs are one
	var why string
	if pin != "" || a.Options.PIN {
		hash, why, err = a.hashPIN(pin)
	}
	if why != "" {
		a.drawPIN(w, http.StatusUnprocessableEntity, who, why)
		return
	}
	if err == nil {
		err = a.Book.SetPIN(r.Context(), who.ID, hash)
	}
	if err != nil {
		a.broken(w, r, err)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
