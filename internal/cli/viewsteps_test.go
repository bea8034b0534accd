package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/run"
)

// The explorer shows a step audit from the run to the request behind a verdict, and what it keeps on the way serves the
// report: report.json is the same, byte for byte, from records that the explorer reduced.
func TestViewOfAStepAudit(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "run")
	must(t, "steps", "-m", "sim:faithful", "-d", "demo", "-n", "2", "-k", "2", "--judge", "sim:step-judge", "-o", dir)
	_, want, _ := command(t, "report", dir, "--json")
	if err := os.RemoveAll(filepath.Join(dir, run.DerivedFolder)); err != nil {
		t.Fatal(err)
	}
	get := explorer(t, root)
	for address, words := range map[string][]string{
		"/":                              {">steps<"},
		"/run?r=run":                     {"Chains with an error", "step markers", "Called wrong by"},
		"/trials?r=run&op=step+markers":  {"chain 1, step 1, markers", "Judges say"},
		"/trials?r=run&op=chain&by=size": {"chain 1", "in the order of the run"},
		"/items?r=run&vote=right":        {"Trials that fit"},
	} {
		status, page, _ := get(address)
		for _, w := range words {
			if status != 200 || !strings.Contains(page, w) {
				t.Errorf("%s: status %d, no word of %q:\n%.600s", address, status, w, page)
			}
		}
	}
	at := linkIn(t, get, "/trials?r=run&op=step+markers", "/item?")
	_, page, _ := get(at)
	for _, w := range []string{`href="#t-c1-markers-1"`, "step-judge says", "Note on c1/markers/1", "steps.css"} {
		if !strings.Contains(strings.ReplaceAll(page, "step-judge says", "step-judge says"), w) {
			t.Errorf("%s has no %s", at, w)
		}
	}
	if status, page, _ := get(linkIn(t, get, at, "/raw?")); status != 200 || !strings.Contains(page, "temperature") {
		t.Errorf("the request: status %d\n%.600s", status, page)
	}
	if status, page, _ := get(at + "&save=page"); status != 200 || strings.Contains(page, `href="/`) {
		t.Errorf("the saved page: status %d, or it leads to the server", status)
	}
	if status, page, _ := get("/case?" + strings.TrimPrefix(at, "/item?")); status != 404 || !strings.Contains(page, "no evidence audit") {
		t.Errorf("as a case: status %d", status)
	}
	if _, got, _ := command(t, "report", dir, "--json"); got != want || !strings.Contains(want, "step-judge") {
		t.Error("the report from what the explorer kept is another one")
	}
}

// Two step audits are not compared, and it is said where they are.
func TestStepAuditsAreNotComparedInTheExplorer(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a", "b"} {
		must(t, "steps", "-m", "sim:faithful", "-d", "demo", "-n", "1", "-k", "1", "-o", filepath.Join(root, name))
	}
	get := explorer(t, root)
	for address, want := range map[string]int{"/compare?a=a&b=b": 422, "/compare?a=a": 200} {
		if status, page, _ := get(address); status != want || !strings.Contains(page, "percuss steps --before") {
			t.Errorf("%s: status %d, want %d, with a word on --before", address, status, want)
		}
	}
	for _, address := range []string{"/", "/run?r=a"} {
		if _, page, _ := get(address); strings.Contains(page, "/compare?a=") {
			t.Errorf("%s leads to a comparison that there is not", address)
		}
	}
}

// linkIn is the first address on a page that begins so.
func linkIn(t *testing.T, get func(string) (int, string, http.Header), page, begins string) string {
	t.Helper()
	_, text, _ := get(page)
	for _, m := range hrefs.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(m[1], begins) {
			return strings.ReplaceAll(m[1], "&amp;", "&")
		}
	}
	t.Fatalf("%s leads to no %s:\n%.800s", page, begins, text)
	return ""
}
