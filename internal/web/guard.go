package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// noTime is a time that no header tells.
var noTime time.Time

// policyServed is the policy of served pages: everything comes from the server itself, and nothing stands in the page.
const policyServed = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// mostBody is the size of the largest request that is read, bytes.
const mostBody = 1 << 20

// Guard keeps a server to those it is for. Each request must name one of its hosts, so that no other name that leads
// here (DNS rebinding) is answered; what changes something must come from its own pages; and with a token, the browser
// must have brought it once.
type Guard struct {
	// Hosts are the names, without a port, by which browsers may call this server; none: any. A port is not looked at: it
	// is another one behind a tunnel, and no other site can choose the name.
	Hosts []string
	Token string // empty: none is asked for, as befits a loopback address
}

// Wrap returns the handler behind the guard.
func (g Guard) Wrap(h http.Handler) http.Handler {
	inner := http.NewCrossOriginProtection().Handler(h)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers(w.Header())
		switch {
		case len(g.Hosts) > 0 && !slices.Contains(g.Hosts, hostName(r.Host)):
			http.Error(w, "this server does not go by that name", http.StatusMisdirectedRequest)
		case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost:
			w.Header().Set("Allow", "GET, HEAD, POST")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		case g.Token == "" || g.known(r):
			r.Body = http.MaxBytesReader(w, r.Body, mostBody)
			inner.ServeHTTP(w, r)
		case g.brought(r):
			g.admit(w, r)
		default:
			http.Error(w, "open the address with the token that percuss has printed", http.StatusUnauthorized)
		}
	})
}

// headers are those of every answer.
func headers(h http.Header) {
	h.Set("Content-Security-Policy", policyServed)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // by "no-referrer" a browser sends "Origin: null" with a page's own form
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// Local are the names by which a server on a loopback address is called.
func Local() []string { return []string{"localhost", "127.0.0.1", "::1"} }

// hostName is a Host header without its port.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

// cookie is the name of the cookie that stands for the token. Cookies know no ports, so that servers of other tokens on
// the same host have other ones.
func (g Guard) cookie() string { return "percuss-" + hashOf("cookie " + g.Token)[:12] }

// session is what the cookie holds: not the token, so that a cookie that is seen opens nothing else.
func (g Guard) session() string { return hashOf("session " + g.Token) }

func (g Guard) known(r *http.Request) bool {
	c, err := r.Cookie(g.cookie())
	return err == nil && same(c.Value, g.session())
}

func (g Guard) brought(r *http.Request) bool {
	return r.Method == http.MethodGet && same(r.URL.Query().Get("token"), g.Token)
}

// admit hands out the cookie and leads to the same address without the token.
func (g Guard) admit(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: g.cookie(), Value: g.session(), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	to := *r.URL
	q := to.Query()
	q.Del("token")
	to.Scheme, to.Host, to.RawQuery = "", "", q.Encode()
	to.Path = "/" + strings.TrimLeft(to.Path, "/") // never to another host
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}

// same compares in a time that does not tell how much of it is right.
func same(got, want string) bool {
	a, b := sha256.Sum256([]byte(got)), sha256.Sum256([]byte(want))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// Loopback says whether an address is reached from this machine alone.
func Loopback(a net.Addr) bool {
	t, ok := a.(*net.TCPAddr)
	return ok && t.IP.IsLoopback()
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
