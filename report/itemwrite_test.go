package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report/pagetest"
)

// itemDrawn is an item's page for a server.
func itemDrawn(t *testing.T, it Item, p ItemPage) string {
	t.Helper()
	assets := web.NewAssets(map[string]string{"item.css": ItemStyle()})
	p.Frame = web.Frame{Title: "Item", Assets: assets, Sheets: []string{"item.css"}, Script: "keys.js", Label: "Pages", Nav: []web.Link{{Rel: "up", Href: "/run", Text: "Run"}}}
	var b bytes.Buffer
	if err := WriteItem(&b, it, small().Findings.Battery, p); err != nil {
		t.Fatal(err)
	}
	pagetest.Parse(t, b.String())
	return b.String()
}

func TestItemOfAServer(t *testing.T) {
	page := itemDrawn(t, scored(), ItemPage{Number: 7, Trial: "M5-a", Timing: "3 requests in 2 s.", Notes: "<p>Within a filter.</p>",
		Raw: func(k percuss.Key) string { return "/raw?key=" + string(k) }})
	order := []string{"<h1>Item 7: medqa/1</h1>", "<p>Within a filter.</p>", `<section class="trial" id="t-M5-a"><h2>M5-a`, "<h2>Question</h2>", "<h2>Edits</h2>",
		"stands at the top of this page", `id="t-F4"`, "3 requests in 2 s."}
	at := 0
	for _, want := range order {
		i := strings.Index(page[at:], want)
		if i < 0 {
			t.Fatalf("%q does not come where it should", want)
		}
		at += i
	}
	key := string(scored().Trials[1].Request.Key())
	for _, want := range []string{"<mark>Severe</mark>", `<a href="#t-M5-a">M5-a</a>`, "<del>Severe</del><ins>Mild</ins>", `<rect width="60.7%"`, "≤ 5.0 %", `<span class="tag">answer after</span>`,
		`<a href="/raw?key=` + key + `"><code>` + key, `<a href="/raw?key=` + key + `">The exact request`, "Reply step by step", `<th scope="col">Baseline</th>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(page, `id="t-M5-a"`); n != 1 {
		t.Errorf("the first trial stands %d times on the page", n)
	}
	for _, never := range []string{" style=", "<style", "onclick", "accesskey"} {
		if strings.Contains(page, never) {
			t.Errorf("the page has %q, which its policy forbids", never)
		}
	}
}

// Links within a page lead to places that are there, and each place is there once.
func TestPlacesOfAnItemsPage(t *testing.T) {
	for _, trial := range []string{"", "M5-a", "F4", "sham", "nonsense"} {
		page := itemDrawn(t, companioned("x"), ItemPage{Trial: trial})
		ids := map[string]int{}
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			ids[m[1]]++
			if ids[m[1]] > 1 {
				t.Errorf("%q: %s is there twice", trial, m[1])
			}
		}
		for _, m := range regexp.MustCompile(` href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] == 0 {
				t.Errorf("%q: nothing is at #%s", trial, m[1])
			}
		}
	}
}

func TestTrialThatIsNotOnThePage(t *testing.T) {
	for trial, want := range map[string]string{"F1-50": "F1-50 was not made on this item: too short.", "M7": "This item has no trial M7.", "<b>": "This item has no trial &lt;b&gt;.",
		"sham": "The control sham</a> stands below"} {
		if page := itemDrawn(t, companioned(""), ItemPage{Trial: trial}); !strings.Contains(page, want) {
			t.Errorf("%s: the page does not say %q", trial, want)
		}
	}
	for _, trial := range []string{"", "base", "M5-a"} {
		if page := itemDrawn(t, items()[0], ItemPage{Trial: trial}); strings.Contains(page, `<p class="alert">`) {
			t.Errorf("%q: the page says that something is not there", trial)
		}
	}
}

// A server's page of a hostile item holds no tag of it, and stays small.
func TestHostileItemOfAServer(t *testing.T) {
	_, all := hostile()
	page := itemDrawn(t, all[0], ItemPage{Trial: "M5-a"})
	if strings.Contains(page, "<img") || strings.Contains(page, "\u202e") || !strings.Contains(page, "&lt;img src=x") || len(page) > 4<<20 {
		t.Errorf("%d bytes, or a tag got through, or the text is not shown", len(page))
	}
}

// Twenty options, none, and an item that nothing is known of are all drawn.
func TestOddItems(t *testing.T) {
	it := scored()
	it.Subject.Question.Options = nil
	for i := range 20 {
		it.Subject.Question.Options = append(it.Subject.Question.Options, percuss.Option{Label: percuss.Label(i), Text: fmt.Sprint("option ", i)})
	}
	if page := itemDrawn(t, it, ItemPage{}); !strings.Contains(page, "T. option 19") {
		t.Error("the last of twenty options is not there")
	}
	it.Subject.Question.Options = nil
	if page := itemDrawn(t, it, ItemPage{}); strings.Contains(page, `<table class="stack bars">`) {
		t.Error("bars without options")
	}
	if page := itemDrawn(t, Item{}, ItemPage{Trial: chain.BaseTrial}); !strings.Contains(page, "<h2>Calls</h2>") {
		t.Error("an empty item has no page")
	}
}
