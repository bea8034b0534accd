package annotate

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// Options are what a review is served with.
type Options struct {
	Practice bool             // raters see the practice items first
	PIN      bool             // each rater must choose a PIN with the first link; without it, a rater may
	Hosts    []string         // names, without a port, by which browsers may call the server; none: any, for tests
	Base     string           // what the links of raters begin with, e.g. https://review.example; empty: as the server was called
	Now      func() time.Time // nil: time.Now. Must be safe for concurrent use
	Random   io.Reader        // of secrets; nil: crypto/rand. Must be safe for concurrent use
	Log      *slog.Logger     // a line for each request, without secrets, names or answers; nil: none
}

// App serves one package to its raters and its coordinator. Whoever has no session sees no item; a rater's session reaches
// that rater's answers alone.
type App struct {
	Package blind.Package
	Book    ratings.Book
	Options Options

	assets  *web.Assets
	items   map[string]*blind.Item // those that are judged, by id
	suffix  string                 // of cookie names: cookies know no ports, so that two reviews on one host need two
	cost    int                    // of a PIN's hash
	guesses *limiter               // of links, sessions and PINs that were wrong, by address
	all     *limiter               // the same, of all addresses together
	pins    *limiter               // of wrong PINs, by rater
	busy    *limiter               // of what one rater asks for

	mu    sync.Mutex
	wrong map[[32]byte]int         // wrong PINs given with a link
	named map[string]ratings.Rater // raters that were looked up: nobody is renamed or taken away. Without PINs, which change
}

// New returns the app of a package whose book is open. It closes neither.
func New(p blind.Package, book ratings.Book, o Options) (*App, error) {
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("the package: %w", err)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	a := &App{Package: p, Book: book, Options: o, assets: serverAssets(), items: map[string]*blind.Item{}, suffix: hashOf("cookie " + p.ID)[:8],
		cost: bcrypt.DefaultCost, wrong: map[[32]byte]int{}, named: map[string]ratings.Rater{},
		guesses: newLimiter(20, time.Minute/4), all: newLimiter(1000, time.Second/10),
		pins: newLimiter(5, 5*time.Minute), busy: newLimiter(300, time.Second/10)}
	for i := range p.Items {
		a.items[p.Items[i].ID] = &p.Items[i]
	}
	return a, nil
}

// Handler is everything that the app serves.
func (a *App) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+web.AssetPath, a.assets)
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }) // browsers ask for it
	mux.HandleFunc("GET /in/{secret}", a.showLink)
	mux.HandleFunc("POST /in", a.useLink)
	for pattern, h := range a.ofRaters() {
		mux.HandleFunc(pattern, a.asRater(h))
	}
	for pattern, h := range a.ofCoordinator() {
		mux.HandleFunc(pattern, a.asCoordinator(h))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		a.say(w, r, http.StatusNotFound, "There is no such page", "Go on from the first page, or open your link again.")
	})
	return web.Guard{Hosts: a.Options.Hosts}.Wrap(a.watched(ownForms(mux, a)))
}

// known answers somebody who has a session.
type known = func(http.ResponseWriter, *http.Request, visitor)

// ofRaters are the routes of who has a rater's session.
func (a *App) ofRaters() map[string]known {
	return map[string]known{
		"GET /{$}": a.showItems, "GET /state": a.tellState, "POST /entries": a.takeEntries, "POST /device": a.addDevice,
		"GET /pin": a.showPIN, "POST /pin": a.setPIN, "POST /out": a.leave,
	}
}

// ofCoordinator are the routes of who has the coordinator's.
func (a *App) ofCoordinator() map[string]known {
	return map[string]known{
		"GET /desk": a.showDesk, "POST /desk/raters": a.deskRater, "POST /desk/link": a.deskLink, "POST /desk/close": a.deskShut(true),
		"POST /desk/open": a.deskShut(false), "GET /desk/export": a.export, "GET /desk/backup": a.backup, "POST /desk/out": a.leave,
	}
}

// ownForms refuses what changes something and does not say which page it comes from: every browser does, so that what is
// silent is none, and the guard could not tell whose it is.
func ownForms(h http.Handler, a *App) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.Header.Get("Origin") == "" && r.Header.Get("Sec-Fetch-Site") == "" {
			a.say(w, r, http.StatusForbidden, "This was not sent by a page of the review", "Open the review in a browser and try again there.")
			return
		}
		h.ServeHTTP(w, r)
	})
}

// watched logs each request by its route, for an address may hold a secret, and turns a fault of ours into words.
func (a *App) watched(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, seen := a.Options.Now(), &status{ResponseWriter: w}
		defer func() {
			fault := recover()
			if fault == http.ErrAbortHandler {
				panic(fault) // it cuts a download off, and is logged where it was thrown
			}
			if fault != nil {
				a.Options.Log.Error("fault", "route", r.Pattern, "what", fmt.Sprint(fault))
				if seen.code == 0 {
					a.say(seen, r, http.StatusInternalServerError, wentWrong, tryAgain)
				}
			}
			a.Options.Log.Info("request", "route", r.Pattern, "status", seen.code, "took", a.Options.Now().Sub(began).Round(time.Millisecond))
		}()
		h.ServeHTTP(seen, r)
	})
}

// status remembers what was answered.
type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	if s.code == 0 {
		s.code = code
	}
	s.ResponseWriter.WriteHeader(code)
}

func (s *status) Write(b []byte) (int, error) {
	if s.code == 0 {
		s.code = http.StatusOK
	}
	return s.ResponseWriter.Write(b)
}

// Unwrap lets the standard library find what the writer can do.
func (s *status) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// showItems is the page of a rater.
func (a *App) showItems(w http.ResponseWriter, r *http.Request, v visitor) {
	saved, shut, err := a.state(r.Context(), v.rater.ID)
	if err != nil {
		a.broken(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	err = WritePage(w, a.assets, PageInput{Package: a.Package, Order: Order(a.Package, v.rater.Name), Saved: saved, Rater: v.rater.Name, Shut: shut, Practice: a.Options.Practice, PIN: true})
	if err != nil {
		a.Options.Log.Error("page", "why", err.Error())
	}
}

// state is what counts of a rater's answers, as the rater may see it, and whether the review is closed.
func (a *App) state(ctx context.Context, rater string) (map[string]ratings.Entry, bool, error) {
	latest, err := a.Book.Latest(ctx, rater)
	if err != nil {
		return nil, false, err
	}
	own := map[string]ratings.Entry{}
	for item, e := range latest {
		e.Rater, e.By = "", "" // By may be the name of an imported file, which is the coordinator's
		own[item] = e
	}
	shut, err := a.Book.IsShut(ctx)
	return own, shut, err
}

// sender is the address that a request counts for. A reverse proxy on this machine says for whom it asks; of others that is
// not believed. A network of IPv6 is one sender, for each of its machines has any number of addresses.
func sender(r *http.Request) string {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	addr := at.Addr().Unmap()
	if told := r.Header.Values("X-Forwarded-For"); addr.IsLoopback() && len(told) > 0 {
		last := told[len(told)-1]
		if p, err := netip.ParseAddr(strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])); err == nil {
			addr = p.Unmap()
		}
	}
	if addr.Is6() {
		if p, err := addr.WithZone("").Prefix(64); err == nil {
			return p.String()
		}
	}
	return addr.String()
}

// encrypted says whether the browser's connection is: to this server, or to the proxy before it, as that says or as the
// server was told. A client that says so falsely hides its own cookie from itself, and nothing else.
func (a *App) encrypted(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") || "https://"+r.Host == a.Options.Base
}

// tooLarge says whether a body was cut by the guard.
func tooLarge(err error) bool {
	var e *http.MaxBytesError
	return errors.As(err, &e)
}
