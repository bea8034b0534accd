package cli

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss/review"
)

// TestGuideShowsWhatIsMade: the guides to a report and to a review show the pictures that scripts/pictures takes, no more and
// no fewer, and the one to a report names commands that are there.
func TestGuideShowsWhatIsMade(t *testing.T) {
	read := func(name string) string {
		raw, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	named := func(text, pattern string) []string {
		out := map[string]bool{}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			out[m[1]] = true
		}
		return slices.Sorted(maps.Keys(out))
	}
	guide := read("docs/reading-a-report.md")
	shown := named(guide+read("docs/review.md"), `\]\(pictures/([a-z]+)\.png\)`)
	if d := cmp.Diff(shown, named(read("scripts/pictures"), `(?m)^(?:picture|explored|begun) ([a-z]+) `)); d != "" {
		t.Errorf("shown and taken differ:\n%s", d)
	}
	files, err := filepath.Glob("../../docs/pictures/*")
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), ".png")
	}
	if d := cmp.Diff(shown, files); d != "" {
		t.Errorf("shown and kept differ:\n%s", d)
	}
	verbs := named(guide, `(?m)(?:^|\x60)percuss ([a-z]+)`)
	if len(verbs) < 4 {
		t.Errorf("the guide names %v", verbs)
	}
	for _, verb := range verbs {
		if status, _, errs := command(t, verb, "--help"); status != exitDone {
			t.Errorf("percuss %s: status %d: %s", verb, status, errs)
		}
	}
}

// Every command of the guide to reviews is there, with the flags that it is given.
func TestReviewGuideNamesWhatIsThere(t *testing.T) {
	raw, err := os.ReadFile("../../docs/review.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile("percuss review ([a-z]+)([^`\n]*)").FindAllStringSubmatch(string(raw), -1) {
		verb, flags := m[1], regexp.MustCompile(`--[a-z]+`).FindAllString(m[2], -1)
		seen[verb] = true
		status, help, errs := command(t, "review", verb, "--help")
		if status != exitDone || !strings.Contains(help, "percuss review "+verb) {
			t.Errorf("percuss review %s: status %d: %s", verb, status, errs)
		}
		for _, f := range flags {
			if !regexp.MustCompile(f + `\b`).MatchString(help) {
				t.Errorf("percuss review %s has no %s", verb, f)
			}
		}
	}
	_, list, _ := command(t, "review", "--help")
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+)  +[A-Z]`).FindAllStringSubmatch(list, -1) {
		if !seen[m[1]] {
			t.Errorf("the guide does not tell of percuss review %s", m[1])
		}
	}
	if len(seen) < 9 {
		t.Errorf("the guide tells of %v", seen)
	}
}

// The example of questions of one's own makes a review, with its practice and attention items, and its ids tell no model.
func TestExampleOfOwnQuestions(t *testing.T) {
	dir := t.TempDir()
	const from = "../../examples/review/"
	must(t, "review", "create", dir, "--task", "own", "--form", from+"form.yaml", "--items", from+"items.jsonl", "--practice", "--attention", "1", "--repeats", "1")
	p, err := review.OpenPackage(filepath.Join(dir, "review", "own"))
	if err != nil || len(p.Items) != 5 || len(p.Practice) != 1 || len(p.Questions) != 2 {
		t.Fatalf("%+v, %v", p, err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "review", "own", review.PackageFile))
	if err != nil || strings.Contains(string(raw), "model-a") {
		t.Errorf("%v: the package names a model", err)
	}
}
