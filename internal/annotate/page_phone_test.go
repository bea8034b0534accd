package annotate

import (
	"strings"
	"testing"

	"github.com/percuss/percuss/report/pagetest"
)

// onAPhone goes through an item on a small screen by taps: from a long text to its questions and back by one button, with
// what is judged said in short, the state of saving always in sight, and the menu behind a button.
func onAPhone(t *testing.T, b *pagetest.Browser) {
	d := newDesk(t)
	d.set(func() {
		for _, item := range d.p.Items {
			item.Parts[1].Text += strings.Repeat(" long", 100)
		}
	})
	p := b.Look(t, d.URL+"/#1", pagetest.Look{Width: 375})
	inSight := func(selector string) bool {
		return pagetest.Eval[bool](t, p, `(r=>r.height>0&&r.top>=0&&r.bottom<=innerHeight)(document.querySelector("`+selector+`").getBoundingClientRect())`)
	}
	p.Until(t, `document.getElementById("jump").textContent==="Question ↓"`)
	tap(t, p, "#jump")
	p.Until(t, `document.getElementById("jump").textContent==="Text ↑"`)
	if got := p.Text(t, "section:not([hidden]) .short"); !inSight("section:not([hidden]) .short") || !contains(got, "man", "woman", "CT") || strings.Contains(got, "Rest") {
		t.Errorf("beside the questions is said in short %q", got)
	}
	p.Click(t, "section:not([hidden]) fieldset:first-of-type .choice:nth-of-type(2)")
	if got := p.Text(t, "section:not([hidden]) fieldset.active legend"); got != "What moves it?" || !inSight("section:not([hidden]) fieldset.active") {
		t.Errorf("after a tap %q is asked, in sight: %v", got, inSight("section:not([hidden]) fieldset.active"))
	}
	saved(t, p)
	if !inSight("#state") || !inSight("#next") {
		t.Error("the words about saving, or the button to the next item, are out of sight")
	}
	tap(t, p, "#jump")
	p.Until(t, `scrollY===0`)
	if inSight("#tools") {
		t.Error("the menu is open")
	}
	tap(t, p, ".more")
	p.Axe(t)
	p.Shot(t, "rater-menu")
	tap(t, p, "[data-do=undo]")
	p.Until(t, `document.getElementById("tools").getBoundingClientRect().height===0&&!at.querySelector("input:checked")`)
	if inSight("#tools") {
		t.Error("what was chosen in the menu leaves it open")
	}
	wide(t, p)
	p.As(t, pagetest.Look{})
	p.Until(t, `go("1")||at.querySelector(".short").offsetHeight===0`) // text and questions are both in the window
	pagetest.Eval[bool](t, p, `(at.querySelector(".part:nth-of-type(2) .text").textContent+="more ".repeat(2000),fit(),true)`)
	p.Until(t, `at.querySelector(".short").offsetHeight>0`)
	p.As(t, pagetest.Look{Width: 375})
	pagetest.Eval[bool](t, p, `(go("1"),document.documentElement.style.fontSize="200%",true)`)
	p.Until(t, `document.querySelector(".steps").offsetHeight<innerHeight/5&&getComputedStyle(document.querySelector(".status")).position==="static"`)
	p.Narrow(t)
	p.Axe(t)
}

// tap taps what is in sight. The driver's click scrolls what sticks to the window's edge into view first.
func tap(t *testing.T, p *pagetest.Page, selector string) {
	t.Helper()
	pagetest.Eval[bool](t, p, `(document.dispatchEvent(new PointerEvent("pointerdown")),document.querySelector("`+selector+`").click(),true)`)
}

// wide checks that what is tapped is 44 pixels high, on each kind of screen.
func wide(t *testing.T, p *pagetest.Page) {
	t.Helper()
	for _, place := range []string{"instructions", "practice-1", "1", "end"} {
		if small := pagetest.Eval[[]string](t, p, `(go("`+place+`"),more(true),[...app.querySelectorAll("button,label,summary")].filter(e=>{
			const r=e.getBoundingClientRect();
			return r.height>0&&r.height<43.5&&!/^(comment|flag)-/.test(e.htmlFor||"")&&e.htmlFor!="load"}).map(e=>e.textContent.trim()+" "+e.getBoundingClientRect().height))`); len(small) > 0 {
			t.Errorf("%s: too low for a finger: %q", place, small)
		}
	}
}

// What was answered in the practice, and that it is over, stays over a reload; it is sent nowhere. An item that was flagged
// and left without an answer is not asked for again.
func practiceStays(t *testing.T, b *pagetest.Browser) {
	d := newDesk(t)
	p := b.Look(t, d.URL+"/#practice-1", pagetest.Look{})
	p.Press(t, "2")
	reload(t, p)
	if got := p.Text(t, "section:not([hidden]) .feedback"); !contains(got, "An allergy moves it.", "so did you") {
		t.Errorf("loaded again the practice says %q", got)
	}
	p.Press(t, "ArrowRight", "ArrowRight")
	at(t, p, "1")
	for range 4 {
		p.Press(t, "1", "ArrowRight")
	}
	p.Press(t, leads("f")...)
	p.Press(t, "cut", "Escape", "ArrowRight")
	at(t, p, "end")
	if got := p.Text(t, "section:not([hidden])"); !contains(got, "All is done", "Flagged and left open: 1 item") || contains(got, "first open item") {
		t.Errorf("the end says %q", got)
	}
	if got := p.Text(t, "#count"); got != "4 of 5 answered" {
		t.Errorf("progress %q", got)
	}
	saved(t, p)
	if got := d.said(5); got.Flag != "cut" || len(got.Labels) != 0 || len(d.latest) != 5 {
		t.Errorf("kept are %d items, the flagged one as %+v", len(d.latest), got)
	}
}
