package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The guide to the step audit quotes the run that it tells the reader to make, and its figures of the models are that run's.
func TestStepsGuideQuotesItsRun(t *testing.T) {
	raw, err := os.ReadFile("../../docs/steps.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := string(raw)
	dir := filepath.Join(t.TempDir(), "run")
	status, out, errs := command(t, "run", filepath.Join(examples, "steps.yaml"), "-o", dir)
	if status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	quoted := 0
	for _, block := range regexp.MustCompile("(?s)```\n(.*?)```").FindAllStringSubmatch(guide, -1) {
		if strings.Contains(block[1], "percuss ") && !strings.Contains(block[1], "percuss check lists") {
			continue // a command
		}
		quoted++
		if !strings.Contains(out, block[1]) {
			t.Errorf("the run does not say\n%s", block[1])
		}
	}
	if quoted != 3 {
		t.Errorf("the guide quotes the run %d times", quoted)
	}
	flat := strings.Join(strings.Fields(out), " ")
	for _, row := range regexp.MustCompile(`(?m)^\| .(\w+). \| \d+ % \| ([\d.]+ %) \(([\d.]+) to ([\d.]+)\) \| ([\d.]+ %) \(`).FindAllStringSubmatch(guide, -1) {
		for _, want := range []string{"(" + row[2] + "; 95 % interval " + strings.TrimSuffix(row[3], ".0") + " to " + strings.TrimSuffix(row[4], ".0") + " %", "judge, " + row[5] + " are wrong"} {
			if !strings.Contains(flat, want) {
				t.Errorf("%s: the run does not say %q", row[1], want)
			}
		}
		quoted++
	}
	if quoted != 6 {
		t.Errorf("the guide tells of %d models", quoted-3)
	}
}

// Every command of the guide is there, with the flags that it is given.
func TestStepsGuideNamesWhatIsThere(t *testing.T) {
	raw, err := os.ReadFile("../../docs/steps.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(raw), "\\\n", " ")
	seen := 0
	for _, m := range regexp.MustCompile("percuss (plan steps|review [a-z]+|steps|report|check|show|view|run|define)([^`\n]*)").FindAllStringSubmatch(text, -1) {
		args := append(strings.Fields(m[1]), "--help")
		status, help, errs := command(t, args...)
		if status != exitDone {
			t.Errorf("percuss %s: status %d: %s", m[1], status, errs)
		}
		for _, f := range regexp.MustCompile(`--[a-z][a-z-]+`).FindAllString(m[2], -1) {
			if !regexp.MustCompile(f + `\b`).MatchString(help) {
				t.Errorf("percuss %s has no %s", m[1], f)
			}
		}
		seen++
	}
	if seen < 12 {
		t.Errorf("the guide names %d commands", seen)
	}
}
