package web

import (
	"html/template"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// drawn is a page of a frame around a text that is not ours.
func drawn(t *testing.T, f Frame, text string) string {
	t.Helper()
	page := template.Must(Templates().New("page").Parse(`{{template "top" .Frame}}<p>{{.Text}}</p>{{template "foot" .Frame}}`))
	var b strings.Builder
	if err := Draw(&b, page, "page", struct {
		Frame
		Text string
	}{f, text}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestServedPageHoldsNoScript(t *testing.T) {
	a := NewAssets(map[string]string{"own.js": "go()"})
	page := drawn(t, Frame{Title: "</title><script>alert(1)</script>", Assets: a, Script: "own.js", Label: "Pages",
		Nav: []Link{{Rel: "next", Href: "javascript:alert(1)", Text: "<b>"}}}, "<script>\x1b[31m\u202e</script>")
	if strings.Count(page, "<script") != 1 || !strings.Contains(page, `<script src="`+a.Address("own.js")+`" defer="defer"></script>`) {
		t.Errorf("scripts of the page:\n%s", page)
	}
	for _, never := range []string{"<style", "style=", "javascript:", "\x1b", "\u202e", "<b>"} {
		if strings.Contains(page, never) {
			t.Errorf("the page holds %q:\n%s", never, page)
		}
	}
	for _, want := range []string{`<main id="main">`, `href="#main"`, `<nav class="top" aria-label="Pages">`, `rel="next"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page)
		}
	}
}

func TestPageByItselfAllowsItsScriptAlone(t *testing.T) {
	page := drawn(t, Frame{Title: "a", Script: "keys.js", Style: ".own{color:red}"}, "text")
	for _, want := range []string{Text("keys.js"), ".own{color:red}", template.HTMLEscapeString("'sha256-")} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, " src=") || strings.Contains(page, "<link") {
		t.Error("the page loads something")
	}
	own := Frame{Title: "a", Script: "own.js", Code: "go()"}
	if page := drawn(t, own, "text"); !strings.Contains(page, "<script>go()</script>") || strings.Count(own.Policy(), "sha256-") != 1 || own.Policy() == Policy("keys.js") {
		t.Errorf("a script of its own, under the policy %s:\n%s", own.Policy(), page)
	}
	if p := Policy("list.js", "", "keys.js"); strings.Count(p, "sha256-") != 2 || strings.Count(p, "script-src") != 1 {
		t.Errorf("the policy of two scripts is %s", p)
	}
	if p := Policy(""); p != "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'" {
		t.Errorf("the policy of no script is %s", p)
	}
}

func TestAssets(t *testing.T) {
	a := NewAssets(map[string]string{"own.css": "p{}"})
	get := func(path string) *http.Response {
		w := httptest.NewRecorder()
		a.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Result()
	}
	for name, kind := range map[string]string{"own.css": "text/css", "keys.js": "javascript"} {
		got := get(a.Address(name))
		if got.StatusCode != 200 || !strings.Contains(got.Header.Get("Content-Type"), kind) || !strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", name, got.StatusCode, got.Header)
		}
	}
	for _, path := range []string{"/assets/", "/assets/frame.gohtml", "/assets/../guard.go", "/assets/own.css/"} {
		if got := get(path); got.StatusCode != 404 {
			t.Errorf("%s was answered %d", path, got.StatusCode)
		}
	}
	if NewAssets(map[string]string{"own.css": "p{color:red}"}).Address("own.css") == a.Address("own.css") {
		t.Error("another content has the same address")
	}
}
