package annotate

import (
	"embed"
	"errors"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/review/ratings"
)

//go:embed session.gohtml coordinator.gohtml
var serverFiles embed.FS

//go:embed server.css
var serverStyle string

// serverAssets are all that is loaded by pages of raters and of the server.
func serverAssets() *web.Assets {
	files := PageAssets()
	files["server.css"] = serverStyle
	return web.NewAssets(files)
}

var serverPages = template.Must(web.Templates().Funcs(template.FuncMap{"moment": moment}).ParseFS(serverFiles, "session.gohtml", "coordinator.gohtml"))

// moment is a time to the minute; every machine that reads it shows the same.
func moment(t time.Time) string { return t.UTC().Format("2 Jan 2006 15:04") + " UTC" }

// visitor is who has a session.
type visitor struct {
	rater  ratings.Rater // none of the coordinator; without the PIN
	secret string
}

// cookie names the cookie of raters, or of the coordinator, who may try a rater's link in the same browser.
func (a *App) cookie(desk bool) string {
	if desk {
		return "percuss-desk-" + a.suffix
	}
	return "percuss-review-" + a.suffix
}

// admit gives a browser a session and leads on. What session it had before ends.
func (a *App) admit(w http.ResponseWriter, r *http.Request, secret string, desk bool) {
	if old, err := r.Cookie(a.cookie(desk)); err == nil && old.Value != "" {
		if p, err := a.Book.Find(r.Context(), old.Value); err == nil && p.Session {
			_ = a.Book.Revoke(r.Context(), old.Value, "") // it expires by itself where this fails
		}
	}
	a.setCookie(w, r, secret, desk, int(sessionLife/time.Second))
	http.Redirect(w, r, home(desk), http.StatusSeeOther)
}

// home is the first page of a rater, or of the coordinator.
func home(desk bool) string {
	if desk {
		return "/desk"
	}
	return "/"
}

func (a *App) setCookie(w http.ResponseWriter, r *http.Request, value string, desk bool, age int) {
	http.SetCookie(w, &http.Cookie{Name: a.cookie(desk), Value: value, Path: home(desk), MaxAge: age, HttpOnly: true, Secure: a.encrypted(r), SameSite: http.SameSiteStrictMode})
}

// asRater lets a rater with a session through.
func (a *App) asRater(h known) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if v, ok := a.visitor(w, r, false); ok {
			h(w, r, v)
		}
	}
}

// asCoordinator lets the coordinator through.
func (a *App) asCoordinator(h known) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if v, ok := a.visitor(w, r, true); ok {
			h(w, r, v)
		}
	}
}

// visitor finds whose session a request has; false: it has none of the kind, and was told so. What a session asks for counts
// for its rater alone, so that wrong guesses of others behind the same address keep nobody out.
func (a *App) visitor(w http.ResponseWriter, r *http.Request, desk bool) (visitor, bool) {
	c, err := r.Cookie(a.cookie(desk))
	if err != nil || c.Value == "" {
		a.unknown(w, r, desk)
		return visitor{}, false
	}
	v, err := visitor{secret: c.Value}, error(nil)
	pass, err := a.Book.Find(r.Context(), c.Value)
	switch {
	case err == nil && (!pass.Session || (pass.Rater == "") != desk):
		err = ratings.ErrUnknown
	case err == nil && !desk:
		v.rater, err = a.name(r.Context(), pass.Rater)
	}
	if errors.Is(err, ratings.ErrUnknown) {
		if a.guess(w, r) {
			a.unknown(w, r, desk)
		}
		return visitor{}, false
	}
	if err != nil {
		a.broken(w, r, err)
		return visitor{}, false
	}
	if wait := a.busy.take("r "+v.rater.ID, a.Options.Now()); wait > 0 {
		a.wait(w, r, wait)
		return visitor{}, false
	}
	return v, true
}

func (a *App) unknown(w http.ResponseWriter, r *http.Request, desk bool) {
	text := "Open the link that the coordinator gave you. If you have opened it in this browser before and came here from a mail or another page, go on to the first page. If the link is lost, or this is another device, ask the coordinator for a new link: your answers are kept."
	if desk {
		text = "Open the coordinator's link, which percuss review serve has printed. If you have opened it in this browser before, go on to the first page."
	}
	a.say(w, r, http.StatusUnauthorized, "You are not signed in", text)
}

// leave ends a session.
func (a *App) leave(w http.ResponseWriter, r *http.Request, v visitor) {
	if err := a.Book.Revoke(r.Context(), v.secret, ""); err != nil && !errors.Is(err, ratings.ErrUnknown) {
		a.broken(w, r, err)
		return
	}
	a.setCookie(w, r, "", isDesk(r), -1)
	a.draw(w, http.StatusOK, "message", messagePage{Frame: a.frame("You are signed out"), Head: "You are signed out", Text: "What you answered is kept. To come back you need a new link from the coordinator."})
}

// frame is that of a page of ours, without a script.
func (a *App) frame(title string) web.Frame {
	return web.Frame{Title: title, Assets: a.assets, Sheets: []string{"server.css"}}
}

// messagePage says something in words.
type messagePage struct {
	web.Frame
	Head, Text, Home string // Home: where it leads on to; empty: nowhere
}

const (
	wentWrong = "Something went wrong on the server"
	tryAgain  = "Nothing that was shown as saved is lost. Try again in a minute; if it stays so, tell the coordinator."
)

// isDesk says whether a request is for the coordinator's pages.
func isDesk(r *http.Request) bool {
	return r.URL.Path == "/desk" || strings.HasPrefix(r.URL.Path, "/desk/")
}

// say answers in words: scripts of the page by JSON, everybody else by a page.
func (a *App) say(w http.ResponseWriter, r *http.Request, code int, head, text string) {
	switch r.URL.Path {
	case "/state", "/entries", "/device":
		a.tell(w, code, map[string]any{"error": head + ". " + text})
		return
	}
	a.draw(w, code, "message", messagePage{Frame: a.frame(head), Head: head, Text: text, Home: home(isDesk(r))})
}

// broken answers to a fault that is not the visitor's. Its words go to the log only: they may name files.
func (a *App) broken(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil { // the visitor has not just gone
		a.Options.Log.Error("fault", "route", r.Pattern, "why", err.Error())
	}
	a.say(w, r, http.StatusInternalServerError, wentWrong, tryAgain)
}

// unreadable answers to a body that cannot be read.
func (a *App) unreadable(w http.ResponseWriter, r *http.Request, err error) {
	if tooLarge(err) {
		a.say(w, r, http.StatusRequestEntityTooLarge, "That is too much at once", "Send less.")
		return
	}
	a.say(w, r, http.StatusBadRequest, "That could not be read", "Load the page again and try once more.")
}

// wait answers to one who asks too often.
func (a *App) wait(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	seconds := int(wait/time.Second) + 1
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	a.say(w, r, http.StatusTooManyRequests, "Too many tries", "Wait "+strconv.Itoa(seconds)+" seconds and try again.")
}

// draw writes a page of the server's own.
func (a *App) draw(w http.ResponseWriter, code int, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	if err := web.Draw(w, serverPages, name, data); err != nil {
		a.Options.Log.Error("page", "why", err.Error())
	}
}
