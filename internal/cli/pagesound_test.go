package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/percuss/percuss/report/pagetest"
)

// The pages of both audits in a real browser: nothing is wider than a phone, no rule of axe-core is broken that is serious,
// in either scheme, and nothing is said on the console, with scripts or without.
func TestPagesOfReportsAreSound(t *testing.T) {
	chain := simulatedRun(t, "-m", "sim:faithful")
	evidence := filepath.Join(t.TempDir(), "cases")
	if status, _, errs := command(t, "evidence", "-m", "sim:shortcut", "-d", "demo", "-n", "2", "-o", evidence); status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	b := pagetest.Open(t)
	for name, path := range map[string]string{
		"report": filepath.Join(chain, "report.html"),
		"item":   filepath.Join(chain, "items", "0002.html"),
		"card":   filepath.Join(chain, "card.html"),
		"cases":  filepath.Join(evidence, "report", "report.html"),
		"case":   filepath.Join(evidence, "report", "items", "0001.html"),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(path); err != nil {
				t.Fatal(err)
			}
			for _, at := range pagetest.Looks() {
				p := b.Look(t, "file://"+path, at)
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
			b.Look(t, "file://"+path, pagetest.Look{NoScript: true, Width: 375}).Narrow(t)
		})
	}
}
