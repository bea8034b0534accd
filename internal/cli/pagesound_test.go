package cli

import (
	"testing"

	"github.com/percuss/percuss/report/pagetest"
)

// The pages of both audits in a real browser, of runs whose texts are as bad as files and models can make them: nothing is
// wider than a phone, no rule of axe-core is broken that is serious, in either scheme, every control is reached by key,
// nothing acts that is a text, and nothing is said on the console, with scripts or without.
func TestPagesOfHostileRunsAreSound(t *testing.T) {
	b := pagetest.Open(t)
	for name, address := range hostilePages(t) {
		t.Run(name, func(t *testing.T) {
			p := b.Look(t, address, pagetest.Look{Width: 375})
			p.Keys(t)
			for _, at := range pagetest.Looks() {
				p.As(t, at)
				p.Narrow(t)
				p.Shot(t, name)
				switch {
				case at.Width < 1000 && !at.Dark:
					p.Axe(t)
				case at.Width < 1000:
					p.Axe(t, "color-contrast")
				case !at.Dark: // what a wide window can change
					p.Axe(t, "scrollable-region-focusable", "region", "landmark-unique", "heading-order")
				}
			}
			if pagetest.Eval[bool](t, p, `"hostile" in window`) {
				t.Error("a text of the run was executed")
			}
			b.Look(t, address, pagetest.Look{NoScript: true, Width: 375}).Narrow(t)
		})
	}
}
