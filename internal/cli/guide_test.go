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
)

// TestGuideShowsWhatIsMade: the guide to a report shows the pictures that scripts/pictures takes, no more and no fewer, and
// names commands that are there.
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
	shown := named(guide, `\]\(pictures/([a-z]+)\.png\)`)
	if d := cmp.Diff(shown, named(read("scripts/pictures"), `(?m)^(?:picture|explored) ([a-z]+) `)); d != "" {
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
