package pagetest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// watched is a test whose errors are kept rather than told, for the tests of what finds faults.
type watched struct {
	testing.TB
	errs  []string
	after []func()
}

func (w *watched) Errorf(format string, args ...any) {
	w.errs = append(w.errs, fmt.Sprintf(format, args...))
}
func (w *watched) Error(args ...any) { w.errs = append(w.errs, fmt.Sprint(args...)) }
func (w *watched) Cleanup(f func())  { w.after = append(w.after, f) }

func (w *watched) end() string {
	for i := len(w.after) - 1; i >= 0; i-- {
		w.after[i]()
	}
	return strings.Join(w.errs, "\n")
}

// served serves pages by their path, each but /open under a policy that lets nothing but its own files in.
func served(t *testing.T, pages map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if r.URL.Path != "/open" {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; connect-src 'self'")
		}
		kind := "text/html; charset=utf-8"
		if strings.HasSuffix(r.URL.Path, ".js") {
			kind = "text/javascript"
		}
		if strings.HasSuffix(r.URL.Path, ".css") {
			kind = "text/css"
		}
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, text)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

const (
	head = `<!DOCTYPE html><html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width">`
	body = `</head><body><main><h1>A page</h1>`
	foot = `</main></body></html>`
)

// What a page should not do is found, and a page that does nothing of it is not blamed.
func TestLookFindsFaults(t *testing.T) {
	base := served(t, map[string]string{
		"/good":       head + `<script src="/good.js" defer></script>` + body + `<p id="p">one</p>` + foot,
		"/good.js":    `document.getElementById("p").textContent = "two"`,
		"/console":    head + `<script src="/console.js"></script>` + body + foot,
		"/console.js": `console.log("hello", 7)`,
		"/throws":     head + `<script src="/throws.js"></script>` + body + foot,
		"/throws.js":  `throw new Error("by design")`,
		"/inline":     head + body + `<p style="color:red">red</p>` + foot,
		"/open":       head + body + `<img src="http://127.0.0.1:9/x.png" alt="x">` + foot,
		"/elsewhere":  head + body + `<img src="http://127.0.0.1:9/x.png" alt="x">` + foot,
		"/missing":    head + `<script src="/missing.js"></script>` + body + foot,
		"/late":       head + `<script src="/late.js"></script>` + body + foot,
		"/late.js":    `addEventListener("keydown", e => console.warn("key " + e.key))`,
	})
	b := Open(t)
	for path, want := range map[string]string{
		"/good": "", "/console": `"hello" 7`, "/throws": "by design", "/inline": "Content Security Policy", "/open": "asks for http://127.0.0.1:9/x.png", "/elsewhere": "Content Security Policy", "/missing": "404", "/late": "key ArrowDown",
	} {
		t.Run(path[1:], func(t *testing.T) {
			w := &watched{TB: t}
			p := b.Look(w, base+path, Look{})
			if path == "/late" {
				p.Press(t, "ArrowDown")
			}
			got := w.end()
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("said %q, want %q in it", got, want)
			}
		})
	}
}

// Width, scheme, script and paper are what the look says.
func TestLookIsWhatItSays(t *testing.T) {
	base := served(t, map[string]string{
		"/":        head + `<script src="/page.js" defer></script>` + body + `<p id="p">not run</p>` + foot,
		"/page.js": `document.getElementById("p").textContent = "run"`,
	})
	b := Open(t)
	for _, at := range append(Looks(), Look{NoScript: true}, Look{Paper: true}) {
		p := b.Look(t, base, at)
		type seen struct {
			Width       int
			Dark, Print bool
			Text        string
		}
		got := Eval[seen](t, p, `({Width:innerWidth,Dark:matchMedia("(prefers-color-scheme: dark)").matches,Print:matchMedia("print").matches,Text:document.getElementById("p").textContent})`)
		want := seen{Width: at.width(), Dark: at.Dark, Print: at.Paper, Text: "run"}
		if at.NoScript {
			want.Text = "not run"
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", at, got, want)
		}
	}
	p := b.Look(t, base, Look{Width: 375})
	Eval[bool](t, p, `(window.kept=true)`)
	p.As(t, Look{Dark: true})
	if !Eval[bool](t, p, `kept && innerWidth==1440 && matchMedia("(prefers-color-scheme: dark)").matches`) {
		t.Error("the page was loaded again, or the other look is not what it says")
	}
}

// A page that is too wide, and one that axe finds fault with, are told with the element.
func TestNarrowAndAxe(t *testing.T) {
	long := strings.Repeat("x", 400)
	base := served(t, map[string]string{
		"/wide": head + body + `<p class="culprit">` + long + `</p>` + foot,
		"/bad":  head + body + `<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">` + foot,
	})
	b := Open(t)
	w := &watched{TB: t}
	b.Look(t, base+"/wide", Look{Width: 375}).Narrow(w)
	if got := w.end(); !strings.Contains(got, "wider than its window") || !strings.Contains(got, "culprit") {
		t.Errorf("too wide: %q", got)
	}
	w = &watched{TB: t}
	b.Look(t, base+"/bad", Look{Width: 375}).Axe(w)
	if got := w.end(); !strings.Contains(got, "image-alt") {
		t.Errorf("an image without a text: %q", got)
	}
	w = &watched{TB: t}
	b.Look(t, base+"/bad", Look{Dark: true}).Axe(w, "color-contrast")
	if got := w.end(); got != "" {
		t.Errorf("of one rule: %q", got)
	}
}

// Keys, clicks, waiting, printing and pictures work on a page that is a file.
func TestPageIsUsed(t *testing.T) {
	dir := t.TempDir()
	script := `<script>addEventListener("keydown",e=>{if(e.key=="n")location="b.html"});document.querySelector("button").onclick=()=>{document.querySelector("p").textContent="clicked"}</script>`
	sheets := `<style>.sheet{break-after:page}</style>`
	for name, text := range map[string]string{
		"a.html": head + sheets + body + `<input><button>Go</button><p class="sheet">first</p><p class="sheet">second</p><p>third</p>` + script + foot,
		"b.html": head + body + `<p>the next</p>` + foot,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shots := filepath.Join(dir, "shots")
	t.Setenv("PERCUSS_SHOTS", shots)
	p := Open(t).Look(t, "file://"+filepath.Join(dir, "a.html"), Look{})
	p.Press(t, "Tab", "abc", "Backspace")
	if got := Eval[string](t, p, `document.activeElement.value`); got != "ab" {
		t.Errorf("typed %q", got)
	}
	p.Click(t, "button")
	if got := p.Text(t, "p"); got != "clicked" {
		t.Errorf("text %q after the click", got)
	}
	if n := p.PDF(t); n != 3 {
		t.Errorf("%d pages", n)
	}
	p.Shot(t, "a")
	if info, err := os.Stat(filepath.Join(shots, "a-1440-light.png")); err != nil || info.Size() < 1000 {
		t.Errorf("the picture: %v", err)
	}
	p.Press(t, "n")
	p.Until(t, `document.body.innerText.includes("the next")`)
	if got := p.Address(t); !strings.HasSuffix(got, "/b.html") {
		t.Errorf("at %s", got)
	}
}

// A way by key that is broken is told: what no key reaches, what hides the focus, what begins elsewhere, what does not let
// go.
func TestKeysFindsBrokenWays(t *testing.T) {
	const skip = `<a href="#main">Skip</a>`
	main := strings.Replace(body, "<main>", skip+`<main id="main">`, 1)
	base := served(t, map[string]string{
		"/good":   head + main + `<a href="/good">Again</a><label>Word <input></label><details><summary>More</summary><button>Inner</button></details>` + foot,
		"/late":   head + body + `<a href="/good">Elsewhere</a>` + skip + foot,
		"/inert":  head + main + `<div inert><button>Asleep</button></div>` + foot,
		"/hidden": head + `<link rel="stylesheet" href="/hidden.css">` + main + `<button>Quiet</button>` + foot, "/hidden.css": `button:focus{outline:none}`,
		"/trap":    head + `<script src="/trap.js" defer></script>` + main + `<button>Stay</button>` + foot,
		"/trap.js": `document.querySelector("button").addEventListener("keydown",e=>e.preventDefault())`,
	})
	b := Open(t)
	for path, want := range map[string]string{"/good": "", "/late": "first that is reached by key is /good", "/inert": "no key reaches 1: <button> Asleep", "/hidden": "nothing shows the focus of 1: <button> Quiet", "/trap": "never comes back"} {
		w := &watched{TB: t}
		b.Look(t, base+path, Look{}).Keys(w)
		if got := w.end(); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: said %q, want %q in it", path, got, want)
		}
	}
}
