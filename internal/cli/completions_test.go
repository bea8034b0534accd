package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/spec"
)

// completions are what a shell is offered for the last of args.
func completions(t *testing.T, args ...string) []string {
	t.Helper()
	status, out, errs := command(t, append([]string{"__complete"}, args...)...)
	if status != exitDone {
		t.Fatalf("%q: status %d: %s", args, status, errs)
	}
	var offered []string
	for line := range strings.Lines(out) {
		if name, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); !strings.HasPrefix(name, ":") {
			offered = append(offered, name)
		}
	}
	return offered
}

// A shell is offered the values of flags whose values are few, and names where a command takes one.
func TestCompletions(t *testing.T) {
	for _, c := range []struct {
		args   []string
		want   string
		absent string
	}{
		{[]string{"chain", "-d", ""}, "medqa", "ddxplus"},
		{[]string{"evidence", "--data", ""}, "ddxplus", "medqa"},
		{[]string{"steps", "-d", ""}, "custom:", "cupcase"},
		{[]string{"plan", "chain", "-d", ""}, "log:", "ddxplus"},
		{[]string{"data", "check", ""}, "pubmedqa", ""},
		{[]string{"chain", "-m", ""}, "llama:smollm2-135m", "llama"},
		{[]string{"steps", "--judge", ""}, "openai:", ""},
		{[]string{"chain", "--prompt", ""}, "neutral+self-grounding", ""},
		{[]string{"steps", "--views", ""}, "paraphrase", ""},
		{[]string{"chain", "--answer", ""}, "text+letters", ""},
		{[]string{"chain", "--tier", ""}, "closed", ""},
		{[]string{"model", "pull", ""}, "smollm2-135m", ""},
		{[]string{"define", ""}, "token_rule", ""},
		{[]string{"review", "create", "x", "--task", ""}, "operator-tags", ""},
	} {
		got := completions(t, c.args...)
		if !slices.Contains(got, c.want) || c.absent != "" && slices.Contains(got, c.absent) {
			t.Errorf("%q: offered %q; want %q and not %q", c.args, got, c.want, c.absent)
		}
		if slices.Sort(got); len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Errorf("%q: offered twice: %q", c.args, got)
		}
	}
	if got := completions(t, "show", "run", "--prompt", ""); len(got) != 0 {
		t.Errorf("show knows no condition of a run: %q", got)
	}
}

// What is offered is taken.
func TestCompletionsAreValues(t *testing.T) {
	for _, name := range completions(t, "chain", "--battery", "") {
		if _, err := battery.Parse(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range completions(t, "data", "check", "") {
		if _, _, err := findSet(strings.TrimSuffix(name, ":")); err != nil {
			t.Error(err)
		}
	}
	for _, name := range completions(t, "chain", "-m", "") {
		if strings.HasSuffix(name, ":") {
			name += "x" // the user goes on
		}
		if _, err := spec.ParseModel(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range completions(t, "chain", "--controls", "") {
		status, _, errs := command(t, "plan", "chain", "-m", "sim:inert", "-d", "demo", "-n", "1", "--controls", name)
		if status != exitDone {
			t.Errorf("--controls %s: %s", name, errs)
		}
	}
}
