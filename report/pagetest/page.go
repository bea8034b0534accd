package pagetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// limited is the page's context for one step.
func (p *Page) limited() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.ctx, patience)
}

func (p *Page) do(t testing.TB, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := p.limited()
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatalf("%s: %v", p.noun, err)
	}
}

// Eval is the value of a JavaScript expression, awaited where it is a promise. T takes it as encoding/json would.
func Eval[T any](t testing.TB, p *Page, expression string) T {
	t.Helper()
	ctx, cancel := p.limited()
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %s: %v", p.noun, clip(expression), err)
	}
	return v
}

// Until waits until a JavaScript expression is true, also over the loading of another page.
func (p *Page) Until(t testing.TB, expression string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience/4)
	defer cancel()
	for {
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		if ok && err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s: it never came to %s (%v)", p.noun, expression, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// As shows the page in another look, without loading it again. Scripts stay as they were when it was loaded.
func (p *Page) As(t testing.TB, at Look) {
	t.Helper()
	if at.NoScript != p.at.NoScript {
		t.Fatalf("%s: scripts are let run or not when a page is loaded", p.noun)
	}
	p.at, p.noun = at, fmt.Sprintf("%s at %s", p.address, at)
	p.do(t, p.dress())
}

// Text is what the first element of a CSS selector shows, as a reader sees it.
func (p *Page) Text(t testing.TB, selector string) string {
	t.Helper()
	return Eval[string](t, p, fmt.Sprintf(`((e)=>e?e.innerText??e.textContent:"(no element)")(document.querySelector(%q))`, selector))
}

// Address is the path, query and fragment that the tab shows.
func (p *Page) Address(t testing.TB) string {
	t.Helper()
	return Eval[string](t, p, "location.pathname+location.search+location.hash")
}

// Press presses keys, one after another: a key by its name ("Tab", "Enter", "Escape", "Space", "ArrowDown"), or the
// letters of any other text. A page that a key leads to may not be there yet: see Until.
func (p *Page) Press(t testing.TB, keys ...string) {
	t.Helper()
	names := map[string]string{"Tab": kb.Tab, "Enter": kb.Enter, "Escape": kb.Escape, "Space": " ", "Backspace": kb.Backspace, "Home": kb.Home, "End": kb.End,
		"ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight, "ArrowUp": kb.ArrowUp, "ArrowDown": kb.ArrowDown}
	for _, k := range keys {
		if code, ok := names[k]; ok {
			k = code
		}
		p.do(t, chromedp.KeyEvent(k))
	}
}

// Click clicks the first element of a CSS selector with the mouse, once it can be seen.
func (p *Page) Click(t testing.TB, selector string) {
	t.Helper()
	p.do(t, chromedp.Click(chromedp.CSS(selector)))
}

// Narrow checks that the page is no wider than its window. What scrolls by itself may be wider.
func (p *Page) Narrow(t testing.TB) {
	t.Helper()
	const wider = `(()=>{const w=document.documentElement.clientWidth;
		if(document.documentElement.scrollWidth<=w) return [];
		const out=[...document.body.querySelectorAll("*")].filter(e=>{
			const r=e.getBoundingClientRect(),text=[...e.childNodes].some(n=>n.nodeType==3&&n.data.trim());
			return (r.right>w+1||text&&r.left+e.scrollWidth>w+1)&&!e.closest(".wide,figure.matrix,svg")});
		return ["the page is "+(document.documentElement.scrollWidth-w)+" px wider than its window"].concat(
			out.slice(0,5).map(e=>"<"+e.tagName.toLowerCase()+" class="+e.className+"> "+(e.textContent||"").trim().slice(0,60)))})()`
	if found := Eval[[]string](t, p, wider); len(found) > 0 {
		t.Errorf("%s: %s", p.noun, strings.Join(found, "\n\t"))
	}
}

// Shot writes a picture of the page, of at most its first 4,000 pixels, into the folder that PERCUSS_SHOTS names; without
// one it does nothing. The look is added to the name.
func (p *Page) Shot(t testing.TB, name string) {
	t.Helper()
	dir := os.Getenv("PERCUSS_SHOTS")
	if dir == "" {
		return
	}
	yes := true
	height := min(4000, Eval[float64](t, p, "document.documentElement.scrollHeight"))
	ctx, cancel := p.limited()
	defer cancel()
	got, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
		CaptureBeyondViewport: &yes, OptimizeForSpeed: &yes, Clip: &page.Viewport{Width: float64(p.at.width()), Height: height, Scale: 1},
	})
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+"-"+p.at.String()+".png"), got.Data, 0o644)
	}
	if err != nil {
		t.Errorf("%s: a picture: %v", p.noun, err)
	}
}

// sheet is a page of a PDF as Chromium writes it.
var sheet = regexp.MustCompile(`/Type\s*/Page\b`)

// PDF prints the page on A4, or what its style names, and returns how many pages it takes.
func (p *Page) PDF(t testing.TB) (pages int) {
	t.Helper()
	ctx, cancel := p.limited()
	defer cancel()
	raw, err := chromedp.Run(ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFPreferCSSPageSize(), chromedp.PDFPrintBackground()))
	if err != nil {
		t.Fatalf("%s: print: %v", p.noun, err)
	}
	return len(sheet.FindAll(raw, -1))
}
