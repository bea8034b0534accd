package cases

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss/report/pagetest"
)

// A real browser runs the page's own script under its policy: the list gets its filters, each a selection that needs no
// mouse, and the console stays empty.
func TestPagesInABrowser(t *testing.T) {
	dir := t.TempDir()
	page, beside := written(t, small(), slices.Values(someCases(3)), 1)
	for name, text := range map[string]string{"report.html": page, "0001.html": beside["items/0001.html"]} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := pagetest.Open(t)
	p := b.Look(t, "file://"+filepath.Join(dir, "report.html"), pagetest.Look{})
	got := pagetest.Eval[string](t, p, `document.documentElement.outerHTML`)
	for _, want := range []string{"3 of 3 cases", `<option value="held">with one that survives every check</option>`, `<option value="">any change</option>`, `<button type="button">Strongest suspicious</button>`} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(got, "<select"); n != 3 {
		t.Errorf("%d selections", n)
	}
	p = b.Look(t, "file://"+filepath.Join(dir, "0001.html"), pagetest.Look{})
	if !pagetest.Eval[bool](t, p, `document.querySelector("svg.combinations").getBoundingClientRect().width>300`) {
		t.Error("the page of a case shows no combinations")
	}
}
