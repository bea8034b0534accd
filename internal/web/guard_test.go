package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// echo answers with the path that reached it, and reads the body.
var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	_, _ = io.WriteString(w, "seen "+r.URL.Path)
})

func TestGuardRefusesStrangers(t *testing.T) {
	guard := Guard{Hosts: Local()}.Wrap(echo)
	for name, c := range map[string]struct {
		method, host, origin, site string
		want                       int
	}{
		"own":                    {method: "GET", host: "127.0.0.1:7377", want: 200},
		"by name":                {method: "GET", host: "LocalHost:7377", want: 200},
		"IPv6":                   {method: "GET", host: "[::1]:7377", want: 200},
		"IPv6 without a port":    {method: "GET", host: "[::1]", want: 200},
		"behind a tunnel":        {method: "GET", host: "localhost:9000", want: 200},
		"rebound name":           {method: "GET", host: "evil.example:7377", want: 421},
		"name that begins alike": {method: "GET", host: "localhost.evil.example", want: 421},
		"no host":                {method: "GET", host: "", want: 421},
		"own form":               {method: "POST", host: "localhost:7377", origin: "http://localhost:7377", want: 200},
		"form of another site":   {method: "POST", host: "localhost:7377", origin: "http://evil.example", want: 403},
		"form of another port":   {method: "POST", host: "localhost:7377", origin: "http://localhost:8000", want: 403},
		"form told by the browser to be of another site": {method: "POST", host: "localhost:7377", site: "cross-site", want: 403},
		"form of a page without origin":                  {method: "POST", host: "localhost:7377", origin: "null", want: 403},
		"put":                                            {method: "PUT", host: "localhost:7377", want: 405},
		"delete":                                         {method: "DELETE", host: "localhost:7377", want: 405},
		"trace":                                          {method: "TRACE", host: "localhost:7377", want: 405},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, "/notes", nil)
			r.Host = c.host
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			if c.site != "" {
				r.Header.Set("Sec-Fetch-Site", c.site)
			}
			w := httptest.NewRecorder()
			guard.ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("answered %d %q, want %d", w.Code, w.Body, c.want)
			}
			for _, h := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy"} {
				if w.Header().Get(h) == "" {
					t.Errorf("the answer has no %s", h)
				}
			}
			if p := w.Header().Get("Referrer-Policy"); p != "same-origin" {
				t.Errorf("referrers are told by %q: other sites get none, and the server's own forms need an origin", p)
			}
			if p := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'; ") || strings.ContainsAny(p, "*:") || strings.Contains(p, "unsafe") {
				t.Errorf("the policy lets in what is not the server's own: %s", p)
			}
		})
	}
}

func TestGuardReadsNoHugeBody(t *testing.T) {
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/notes", strings.NewReader(strings.Repeat("x", 10<<20)))
	Guard{}.Wrap(echo).ServeHTTP(w, r)
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a body of 10 MB was answered %d", w.Code)
	}
}

func TestTokenIsBroughtOnce(t *testing.T) {
	guard := Guard{Token: "right"}.Wrap(echo)
	get := func(target string, cookies ...*http.Cookie) *http.Response {
		r := httptest.NewRequest("GET", target, nil)
		for _, c := range cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		guard.ServeHTTP(w, r)
		return w.Result()
	}
	for _, target := range []string{"/", "/?token=", "/?token=wrong", "/?token=rightt", "/?TOKEN=right"} {
		if got := get(target); got.StatusCode != http.StatusUnauthorized || len(got.Cookies()) > 0 {
			t.Errorf("%s was answered %d with %d cookies", target, got.StatusCode, len(got.Cookies()))
		}
	}
	let := get("/trials?token=right&r=a&op=M2")
	if let.StatusCode != http.StatusSeeOther || let.Header.Get("Location") != "/trials?op=M2&r=a" {
		t.Fatalf("the token led to %d %q", let.StatusCode, let.Header.Get("Location"))
	}
	c := let.Cookies()
	if len(c) != 1 || !c[0].HttpOnly || c[0].SameSite != http.SameSiteStrictMode || strings.Contains(c[0].Value, "right") {
		t.Fatalf("cookies %v", c)
	}
	if got := get("/trials", c[0]); got.StatusCode != 200 {
		t.Errorf("with the cookie it was answered %d", got.StatusCode)
	}
	if got := get("/", &http.Cookie{Name: c[0].Name, Value: "right"}); got.StatusCode != http.StatusUnauthorized {
		t.Errorf("the token as cookie was answered %d", got.StatusCode)
	}
	if other := (Guard{Token: "other"}); other.cookie() == c[0].Name {
		t.Error("servers of other tokens share a cookie")
	}
}

// A token must not lead to another host, however the path is written.
func TestAdmissionStaysHere(t *testing.T) {
	for _, path := range []string{"//evil.example/", "/\\evil.example", "/%2f/evil.example", "///evil.example"} {
		r := httptest.NewRequest("GET", "/?token=right", nil)
		u, err := url.Parse("http://localhost" + path)
		if err != nil {
			continue // no server is given such a one
		}
		r.URL.Path = u.Path
		w := httptest.NewRecorder()
		Guard{Token: "right"}.Wrap(echo).ServeHTTP(w, r)
		to, err := url.Parse(w.Header().Get("Location"))
		if err != nil || to.Host != "" || strings.HasPrefix(w.Header().Get("Location"), "//") || strings.HasPrefix(w.Header().Get("Location"), "/\\") {
			t.Errorf("%q leads to %q", path, w.Header().Get("Location"))
		}
	}
}
