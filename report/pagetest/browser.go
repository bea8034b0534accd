package pagetest

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long one step in the browser may take. The largest page takes twelve seconds under axe on a busy
// machine.
const patience = 2 * time.Minute

// Browser is a running Chromium.
type Browser struct{ ctx context.Context }

// Open starts Chromium for a test and those below it. Without Chromium the test is skipped.
func Open(t testing.TB) *Browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("needs chromium (make setup)")
	}
	ctx, cancel := chromedp.NewContext(context.Background(),
		chromedp.WithAllocatorOptions(chromedp.NoSandbox, chromedp.ExecPath(path), chromedp.WSURLReadTimeout(patience)))
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return &Browser{ctx}
}

// Look is how a page is looked at. The zero value is a wide, light window in which scripts run.
type Look struct {
	Width    int // pixels; 0: 1,440
	Dark     bool
	NoScript bool
	Paper    bool // as printed
}

func (l Look) String() string {
	s := fmt.Sprintf("%d-light", l.width())
	if l.Dark {
		s = fmt.Sprintf("%d-dark", l.width())
	}
	if l.NoScript {
		s += "-noscript"
	}
	if l.Paper {
		s += "-paper"
	}
	return s
}

func (l Look) width() int {
	if l.Width == 0 {
		return 1440
	}
	return l.Width
}

// Looks are the four that every page is to stand: narrow and wide, light and dark.
func Looks() []Look {
	return []Look{{Width: 375}, {Width: 375, Dark: true}, {Width: 1440}, {Width: 1440, Dark: true}}
}

// Page is a page in a tab of its own. The tab is closed when the test ends.
type Page struct {
	ctx     context.Context
	address string
	at      Look
	noun    string // what the page is called in messages

	mu     sync.Mutex
	faults []string
}

// Look loads a page, by http: or by file:. At the end of the test every line of the console, uncaught exception, breach of
// the page's policy, answer of 400 or more that the page did not ask for itself, and request to another origin, all from
// loading to the end, is an error.
func (b *Browser) Look(t testing.TB, address string, at Look) *Page {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p := &Page{address: address, at: at, noun: fmt.Sprintf("%s at %s", address, at)}
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithListener(func(event any) { p.hear(to, event) }))
	p.ctx = ctx
	t.Cleanup(cancel)
	t.Cleanup(func() { p.report(t) })
	if err := chromedp.Do(ctx); err != nil { // opens the tab
		t.Fatalf("%s: %v", p.noun, err)
	}
	p.do(t, p.dress(), chromedp.Navigate(address))
	return p
}

// report tells what the page did that it should not have.
func (p *Page) report(t testing.TB) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.faults {
		t.Errorf("%s: %s", p.noun, f)
	}
}

// Expected takes what the page did wrong so far and holds the text out of the report: a page whose server was stopped for
// the test. None is an error.
func (p *Page) Expected(t testing.TB, text string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	before := len(p.faults)
	p.faults = slices.DeleteFunc(p.faults, func(f string) bool { return strings.Contains(f, text) })
	if len(p.faults) == before {
		t.Errorf("%s: nothing was heard of %q", p.noun, text)
	}
}

// dress makes the window what the look says.
func (p *Page) dress() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		scheme, media := "light", ""
		if p.at.Dark {
			scheme = "dark"
		}
		if p.at.Paper {
			media = "print"
		}
		if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Media: media, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
		}); err != nil {
			return err
		}
		// Tabs of one window take the focus from each other; each has it this way.
		if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
			return err
		}
		if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: p.at.NoScript}); err != nil {
			return err
		}
		return chromedp.Do(ctx, chromedp.EmulateViewport(int64(p.at.width()), 900))
	})
}

// hear keeps what a page of an address should not do. It may run nothing in the browser.
func (p *Page) hear(of *url.URL, event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		fault = "the console says " + spoken(e.Args)
	case *runtime.EventExceptionThrown:
		fault = "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			fault += " " + e.ExceptionDetails.Exception.Description
		}
	case *log.EventEntryAdded:
		if e.Entry.Level != log.EntryLevelVerbose {
			fault = fmt.Sprintf("the console says: %s (%s)", e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if to, err := url.Parse(e.Request.URL); err != nil || !sameOrigin(of, to) {
			fault = "it asks for " + clip(e.Request.URL)
		}
	}
	if fault == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, fault)
}

// sameOrigin says whether an address lies where the page does. What stands in the page itself goes nowhere.
func sameOrigin(page, to *url.URL) bool {
	return to.Scheme == "data" || to.Scheme == "about" || to.Scheme == page.Scheme && to.Host == page.Host
}

func spoken(args []*runtime.RemoteObject) string {
	var out []string
	for _, a := range args {
		text := a.Description // of what is no text
		if text == "" {
			text = string(a.Value)
		}
		out = append(out, text)
	}
	return clip(strings.Join(out, " "))
}

func clip(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}
