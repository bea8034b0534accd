package annotate

import (
	"strings"
	"testing"

	"github.com/percuss/percuss/report/pagetest"
)

// Every kind of screen stands four looks, by axe-core, by width, and by the Tab key alone; without scripts it says that it
// needs them.
func looks(t *testing.T, b *pagetest.Browser) {
	d := newDesk(t)
	p := b.Look(t, d.URL, pagetest.Look{})
	p.Keys(t)
	for _, place := range []string{"instructions", "practice-1", "pause", "1", "end"} {
		pagetest.Eval[bool](t, p, `(go("`+place+`"),true)`)
		if place == "practice-1" || place == "1" {
			p.Press(t, "2")
		}
		for _, at := range pagetest.Looks() {
			p.As(t, at)
			p.Narrow(t)
			switch { // another width and another scheme change little that the rules look at
			case at.Dark && at.Width == 375:
				p.Axe(t, "color-contrast")
			case !at.Dark && (at.Width == 1440 || place == "1"):
				p.Axe(t)
			}
			p.Shot(t, "rater-"+place)
		}
	}
	p.As(t, pagetest.Look{})
	p.Press(t, "ArrowLeft", "d")
	if got := p.Text(t, "section:not([hidden]) .plain"); !contains(got, "Before the change", "A man of", "After the change", "A woman of") {
		t.Errorf("without marks it shows %q", got)
	}
	p.As(t, pagetest.Look{Width: 375})
	pagetest.Eval[bool](t, p, `(document.documentElement.style.fontSize="200%",true)`)
	p.Narrow(t)
	p.Shot(t, "rater-large")
	p.Press(t, "?")
	p.Axe(t)
	p.Shot(t, "rater-keys")
	p.Press(t, "Escape")
	saved(t, p)
	bare := b.Look(t, d.URL, pagetest.Look{NoScript: true})
	if raw := drawPage(t, PageInput{Package: d.p, Order: d.order, Rater: "A"}); !strings.Contains(raw, `<noscript><p class="alert">This page needs JavaScript.`) {
		t.Error("nothing says that scripts are needed")
	}
	bare.Shot(t, "rater-noscript")
}
