package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The operator that docs/adding.md shows is one, and the commands below it find what the guide says they find.
func TestAddingGuide(t *testing.T) {
	raw, err := os.ReadFile("../../docs/adding.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(?:yaml)?\n(.*?)```").FindAllStringSubmatch(string(raw), 2)
	if len(blocks) != 2 {
		t.Fatal("no operator and no commands")
	}
	dir := t.TempDir()
	file, kept := filepath.Join(dir, "mine.yaml"), filepath.Join(dir, "try")
	if err := os.WriteFile(file, []byte(blocks[0][1]), 0o644); err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for line := range strings.Lines(blocks[1][1]) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(strings.NewReplacer("mine.yaml", file, "runs/try", kept).Replace(line))
		said[strings.Join(words[1:3], " ")] += done(t, words[1:]...)
	}
	list := said["show "+kept]
	for want, in := range map[string]string{
		`X-smoking-a +1 of 32`:                       said["data check"],
		`\n +9 .*\n.* \d of 1 edits`:                 list, // the item that the guide goes on to
		`\[-for 40 years-\]|for 40 years ?-\]`:       list,
		`X-smoking-a smoker made a non-smoker: .* →`: list,
	} {
		if !regexp.MustCompile(want).MatchString(in) {
			t.Errorf("no %q in\n%s", want, in)
		}
	}
	if n := len(regexp.MustCompile(`\d of 1 edits`).FindAllString(list, -1)); n != 1 {
		t.Errorf("it fired on %d items", n)
	}
}
