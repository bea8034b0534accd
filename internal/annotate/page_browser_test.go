package annotate

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/review/ratings"
)

// saved waits until the page says that everything is.
func saved(t *testing.T, p *pagetest.Page) {
	t.Helper()
	p.Until(t, `document.getElementById("state").textContent==="Saved"&&entriesKept("queue/").length===0`)
}

func at(t *testing.T, p *pagetest.Page, place string) {
	t.Helper()
	p.Until(t, fmt.Sprintf(`location.hash==="#%s"&&document.activeElement===document.querySelector("section:not([hidden]) h2")`, place))
}

// TestInABrowser is all that needs one, in one Chromium.
func TestInABrowser(t *testing.T) {
	b := pagetest.Open(t)
	for _, c := range []struct {
		name string
		test func(*testing.T, *pagetest.Browser)
	}{{"RaterByKeys", raterByKeys}, {"ReloadKeeps", reloadKeeps}, {"TwoTabs", twoTabs}, {"ConnectionDropped", connectionDropped}, {"ServerSays", serverSays}, {"OfflineInABrowser", offlineInABrowser}, {"Looks", looks}, {"WholeApp", wholeApp}, {"TimeOnScreen", timeOnScreen}, {"OnAPhone", onAPhone}, {"PracticeStays", practiceStays}, {"WholeDesk", wholeDesk}} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "Looks" { // the way of the focus is gone through before other tabs are there
				t.Parallel()
			}
			c.test(t, b)
		})
	}
}

// A rater goes through a review with the keyboard alone: practice with its feedback, a question that is asked after an
// answer, undo, a comment and a flag, the open item, the end.
func raterByKeys(t *testing.T, b *pagetest.Browser) {
	d := newDesk(t)
	p := b.Look(t, d.URL, pagetest.Look{})
	p.Press(t, "Enter")
	at(t, p, "practice-1")
	p.Press(t, "1")
	if got := p.Text(t, "section:not([hidden]) .feedback"); !contains(got, "An allergy moves it.", "you answered otherwise") {
		t.Errorf("feedback %q", got)
	}
	p.Press(t, "ArrowRight")
	at(t, p, "pause")
	p.Press(t, "Enter")
	at(t, p, "1")
	p.Press(t, "2")
	if got := p.Text(t, "section:not([hidden]) fieldset.active legend"); got != "What moves it?" {
		t.Errorf("after the first answer %q is asked", got)
	}
	p.Press(t, "2", "1", "u")
	saved(t, p)
	if got := d.said(1); got.Labels["why"] != "word" || len(got.Labels) != 2 {
		t.Errorf("undone it says %v", got.Labels)
	}
	toTheEnd(t, d, p)
	p.Axe(t)
}

// toTheEnd goes from the answered first item to the end, leaves one open, and closes it.
func toTheEnd(t *testing.T, d *desk, p *pagetest.Page) {
	p.Press(t, "ArrowRight")
	at(t, p, "2")
	p.Press(t, "1")
	p.Press(t, leads("c")...)
	p.Press(t, "d1 <b>?", "Escape")
	p.Press(t, leads("f")...)
	p.Press(t, "2u", "Escape", "ArrowRight")
	at(t, p, "3")
	for place := 4; place <= 5; place++ {
		p.Press(t, "ArrowRight")
		at(t, p, fmt.Sprint(place))
		p.Press(t, "1")
	}
	p.Press(t, "Enter")
	at(t, p, "end")
	if got := p.Text(t, "section:not([hidden])"); !contains(got, "1 item is open", "first open item") {
		t.Errorf("the end says %q", got)
	}
	if got := pagetest.Eval[string](t, p, `[...document.querySelectorAll("#openlist button")].map(b=>b.getAttribute("aria-label"))+""`); got != "Item 3 of 5" {
		t.Errorf("it leads to %q", got)
	}
	p.Press(t, "o")
	at(t, p, "3")
	p.Press(t, "2", "1", "o")
	at(t, p, "end")
	if got := p.Text(t, "section:not([hidden])"); !contains(got, "All items are answered", "Thank you") {
		t.Errorf("the end says %q", got)
	}
	saved(t, p)
	if got := d.said(2); got.Comment != "d1 <b>?" || !got.Flagged || got.Flag != "2u" || got.Labels["shift"] != "no" || got.Seconds <= 0 {
		t.Errorf("of item 2 is kept %+v", got)
	}
}

// An answer that takes a question away takes its answer, too; a reload shows everything as it was, in the same place.
func reloadKeeps(t *testing.T, b *pagetest.Browser) {
	d := newDesk(t)
	p := b.Look(t, d.URL+"/#2", pagetest.Look{})
	p.Press(t, "2", "1")
	saved(t, p)
	p.Click(t, "section:not([hidden]) fieldset:first-of-type .choice:nth-of-type(1)")
	saved(t, p)
	if got := d.said(2).Labels; len(got) != 1 || got["shift"] != "no" {
		t.Errorf("kept is %v", got)
	}
	p.Press(t, "ArrowRight", "2", "2")
	p.Press(t, leads("c")...)
	p.Press(t, "so שלום")
	pagetest.Eval[bool](t, p, `(flush(),true)`)
	saved(t, p)
	reload(t, p)
	if got := p.Text(t, "section:not([hidden]) h2"); !contains(got, "Item 3 of 5", "answered") {
		t.Errorf("loaded again it shows %q", got)
	}
	if got := pagetest.Eval[string](t, p, `at.querySelector("textarea").value+[...at.querySelectorAll("input:checked")].map(e=>e.value)`); got != "so שלוםyes,word" {
		t.Errorf("loaded again it has %q", got)
	}
	if got := p.Text(t, "#count"); got != "2 of 5 answered" {
		t.Errorf("progress %q", got)
	}
}

// Two tabs of one rater show the same, and so does a page whose rater answered on another device.
func twoTabs(t *testing.T, b *pagetest.Browser) {
	d := newDesk(t)
	one, two := b.Look(t, d.URL+"/#1", pagetest.Look{}), b.Look(t, d.URL+"/#1", pagetest.Look{})
	one.Press(t, "1")
	two.Until(t, `at.querySelector("input:checked")?.value==="no"`)
	two.Press(t, "Tab")
	two.Click(t, "section:not([hidden]) fieldset:first-of-type .choice:nth-of-type(2)")
	one.Until(t, `at.querySelector("input:checked")?.value==="yes"`)
	saved(t, one)
	saved(t, two)
	elsewhere := d.said(1)
	elsewhere.ID, elsewhere.Labels = "other", map[string]string{"shift": "no"}
	d.set(func() { d.latest[elsewhere.Item] = elsewhere })
	pagetest.Eval[bool](t, one, `refresh().then(()=>true)`)
	if got := pagetest.Eval[string](t, one, `at.querySelector("input:checked").value`); got != "no" {
		t.Errorf("after another device said no it shows %q", got)
	}
}

// While the server is away answers wait in words that say so, also over a reload; once it is back all are there, each once,
// also those that it had kept before the connection broke.
func connectionDropped(t *testing.T, b *pagetest.Browser) {
	d := newDesk(t)
	p := b.Look(t, d.URL+"/#1", pagetest.Look{})
	p.Press(t, "1")
	saved(t, p)
	d.set(func() { d.lose = true })
	p.Press(t, "ArrowRight", "1")
	p.Until(t, `document.getElementById("state").textContent.startsWith("Not sent: 1 answer waits")`)
	d.set(func() { d.lose, d.down = false, true })
	p.Press(t, "ArrowRight", "1", "ArrowRight", "1")
	p.Until(t, `document.getElementById("state").textContent.startsWith("Not sent: 3 answers wait")`)
	d.set(func() { d.down = false })
	pagetest.Eval[bool](t, p, `(dispatchEvent(new Event("online")),true)`)
	saved(t, p)
	p.Expected(t, "net::ERR_EMPTY_RESPONSE")
	for place := 1; place <= 4; place++ {
		if got := d.said(place).Labels["shift"]; got != "no" {
			t.Errorf("of item %d is kept %q", place, got)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	ids := map[string]int{}
	for _, e := range d.came {
		ids[e.ID]++
	}
	if len(ids) != 4 || len(d.came) < 5 {
		t.Errorf("%d entries came under %d ids", len(d.came), len(ids))
	}
}

// The time of an item runs while it is on the screen: not behind another tab, not while another item is shown, on from what
// it was before.
func timeOnScreen(t *testing.T, b *pagetest.Browser) {
	d := newDesk(t)
	first := d.order[0]
	d.latest[first] = ratings.Entry{ID: "before", Item: first, Labels: map[string]string{"shift": "no"}, Seconds: 100, At: time.Now().Add(-time.Hour)}
	p := b.Look(t, d.URL+"/#2", pagetest.Look{})
	pagetest.Eval[bool](t, p, `(()=>{
		let now=1e6,away=false;
		performance.now=()=>now;
		Object.defineProperty(document,"hidden",{get:()=>away});
		const turn=to=>{away=to;document.dispatchEvent(new Event("visibilitychange"))};
		since=now;go("1");
		now+=3000;turn(true);now+=50000;turn(false);now+=4000;
		go("3");now+=70000;go("1");now+=1000;
		digitKey(2);return true})()`)
	saved(t, p)
	if got := d.said(1).Seconds; got != 108 {
		t.Errorf("%v seconds of item 1, want 108", got)
	}
}

// What the server says is told: a refused answer with why, a session that is over, a review that is closed.
func serverSays(t *testing.T, b *pagetest.Browser) {
	d := newDesk(t)
	p := b.Look(t, d.URL+"/#1", pagetest.Look{})
	d.set(func() { d.refuses = d.order[0] })
	p.Press(t, "1")
	p.Until(t, `document.getElementById("trouble").textContent.endsWith("is not asked")`)
	d.set(func() { d.status = http.StatusUnauthorized })
	p.Press(t, "ArrowRight", "1")
	p.Until(t, `document.getElementById("state").textContent.includes("1 answer waits. Your session is over")`)
	p.Expected(t, "401")
	d.set(func() { d.status = http.StatusConflict })
	pagetest.Eval[bool](t, p, `(send(true),true)`)
	p.Until(t, `document.getElementById("state").textContent.startsWith("Closed")&&at.querySelector("fieldset").disabled`)
	p.As(t, pagetest.Look{Width: 375, Dark: true})
	p.Axe(t, "color-contrast")
	p.Narrow(t)
	p.Shot(t, "rater-closed")
	p.Expected(t, "409")
	d.set(func() { d.status = 0 })
	pagetest.Eval[bool](t, p, `refresh().then(()=>true)`)
	saved(t, p)
	if got := d.said(2).Labels["shift"]; got != "no" {
		t.Errorf("after the review was opened again %q is kept", got)
	}
	p.Click(t, "footer summary")
	p.Click(t, "[data-do=device]")
	p.Until(t, `document.getElementById("device").textContent.endsWith(location.origin+"/in/SECRET")`)
}

func contains(text string, wants ...string) bool {
	for _, want := range wants {
		if !strings.Contains(text, want) {
			return false
		}
	}
	return true
}

// reload loads the page again.
func reload(t *testing.T, p *pagetest.Page) {
	t.Helper()
	pagetest.Eval[bool](t, p, `(window.stale=true,setTimeout(()=>location.reload(),0),true)`)
	p.Until(t, `!window.stale&&typeof at==="object"&&at`)
}

// leads is a key that leads into a field. The driver of the browser writes its letter there, which a keyboard does not:
// there the page stops it.
func leads(key string) []string { return []string{key, "Backspace"} }
