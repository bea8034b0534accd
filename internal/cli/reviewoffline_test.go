package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The file of each rater holds the package's items in that rater's order, and is written once.
func TestReviewOffline(t *testing.T) {
	dir := t.TempDir()
	items := filepath.Join(dir, "items.jsonl")
	var lines strings.Builder
	for _, text := range []string{"Fever is a sign.", "Rest heals.", "Water boils.", "Ice melts.", "Salt dissolves."} {
		lines.WriteString(`{"id":"` + text[:4] + `","parts":[{"show":"text","text":"` + text + `"}]}` + "\n")
	}
	if err := os.WriteFile(items, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, "review", "create", dir, "--task", "steps", "--items", items, "--practice")
	folder := filepath.Join(dir, "review", "steps")
	out := done(t, "review", "offline", folder, "--rater", "Dr Abel", "--rater", "Müller, B.")
	pages := map[string]string{}
	for name, end := range map[string]string{"Dr Abel": "-dr-abel.html", "Müller, B.": "-müller-b.html"} {
		found, err := filepath.Glob(filepath.Join(folder, "offline", "review-*"+end))
		if err != nil || len(found) != 1 || !strings.Contains(out, "for "+name+"  "+found[0]+" (5 items)") {
			t.Fatalf("%v %v of\n%s", found, err, out)
		}
		raw, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = string(raw)
		for _, want := range []string{"Salt dissolves.", "You answer as <bdi>" + name, "Practice 1 of 2"} {
			if !strings.Contains(pages[name], want) {
				t.Errorf("the file of %s lacks %q", name, want)
			}
		}
	}
	order := func(page string) string {
		return strings.Join(regexp.MustCompile(`data-item="[^"]*"`).FindAllString(page, -1), " ")
	}
	if abel, other := order(pages["Dr Abel"]), order(pages["Müller, B."]); len(abel) != len(other) || abel == other {
		t.Errorf("the orders of two raters are\n%s\n%s", abel, other)
	}
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"again":    {[]string{"--rater", "Dr Abel"}, "is there already"},
		"nobody":   {nil, "--rater"},
		"unnamed":  {[]string{"--rater", ""}, "name of 0 bytes"},
		"no room":  {[]string{"--rater", "A B", "-o", items}, "give another folder with -o"},
		"one file": {[]string{"--rater", "A B", "--rater", "a-b", "-o", filepath.Join(dir, "x")}, "one name"},
	} {
		status, _, errs := command(t, append([]string{"review", "offline", folder}, c.args...)...)
		if status != exitUsage || !strings.Contains(errs, c.says) {
			t.Errorf("%s: status %d, %s", name, status, errs)
		}
	}
}
