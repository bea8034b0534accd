package steps

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/report/pagetest"
)

// placed writes the main page and that of the first item into a folder.
func placed(t *testing.T, w world) (main, item string) {
	t.Helper()
	m := w.make(t)
	dir := t.TempDir()
	page, beside := written(t, m.r, m.all(), 1)
	if err := os.Mkdir(filepath.Join(dir, "items"), 0o755); err != nil {
		t.Fatal(err)
	}
	main, item = filepath.Join(dir, "report.html"), filepath.Join(dir, "items", "0001.html")
	for path, text := range map[string]string{main: page, item: beside["items/0001.html"]} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return "file://" + main, "file://" + item
}

// The pages of a run whose texts are as bad as they can be, in a browser: narrow and wide, light and dark, and with the
// keyboard alone.
func TestHostilePagesInABrowser(t *testing.T) {
	b := pagetest.Open(t)
	main, item := placed(t, world{items: 1, bad: hostile + strings.Repeat("W", 200)})
	for name, address := range map[string]string{"steps-hostile": main, "steps-hostile-item": item} {
		p := b.Look(t, address, pagetest.Look{Width: 375})
		p.Keys(t)
		for _, look := range pagetest.Looks()[:3] { // a wide one in the dark differs from both in nothing
			p.As(t, look)
			p.Narrow(t)
			p.Shot(t, name)
			switch {
			case look.Width < 1000 && !look.Dark:
				p.Axe(t)
			case look.Width < 1000:
				p.Axe(t, "color-contrast")
			}
		}
		if pagetest.Eval[bool](t, p, `"hostile" in window`) {
			t.Error("a text of the run was executed")
		}
	}
}

// The script gives the list its filters, each a selection that needs no mouse.
func TestPageInABrowser(t *testing.T) {
	main, _ := placed(t, world{items: 3})
	p := pagetest.Open(t).Look(t, main, pagetest.Look{})
	p.Axe(t)
	p.Shot(t, "steps")
	got := pagetest.Eval[string](t, p, `document.documentElement.outerHTML`)
	for _, want := range []string{"6 of 6 items", `<option value="tied">vote tied</option>`, `<option value="error">a step called an error</option>`, `<option value="m1">new</option>`} {
		if !strings.Contains(got, want) {
			t.Errorf("the list has no filter %q", want)
		}
	}
}
