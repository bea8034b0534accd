package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestShowOfAPart: of many models and prompts one is printed and the others are named; flags choose a part.
func TestShowOfAPart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "chain", "-m", "sim:faithful", "-m", "sim:inert", "-m", "sim:random", "--prompt", "neutral,strict", "-d", "demo", "-n", "2", "--battery", "M5+M2",
		"--controls", "none", "--no-direct", "-o", dir)
	for name, c := range map[string]struct {
		args       []string
		has, lacks []string
	}{
		"first":    {[]string{"1"}, []string{"The same item under 5 other models and prompt conditions", "--model random --prompt strict"}, []string{"(strict, random"}},
		"one":      {[]string{"1", "--model", "inert", "--prompt", "strict"}, []string{"inert", "M5-a", "M2-sex"}, []string{"The same item under", "faithful"}},
		"operator": {[]string{"1", "--model", "inert", "--prompt", "strict", "--operator", "M5-a", "--key"}, []string{"M5-a", "\nbase  "}, []string{"M2-sex", "M5-b"}},
		"family":   {[]string{"1", "--model", "inert", "--prompt", "strict", "--operator", "M2"}, []string{"M2-sex", "M2-age-a", "M2-age-b"}, []string{"M5-a", "M5-b"}},
		"part":     {[]string{"1", "--model", "inert", "--prompt", "strict", "--operator", "M2-age"}, []string{"M2-age-a", "M2-age-b"}, []string{"M2-sex"}},
		"list":     {[]string{"--prompt", "strict"}, []string{"strict"}, []string{"neutral"}},
	} {
		status, out, errs := command(t, append([]string{"show", dir}, c.args...)...)
		if status != exitDone {
			t.Fatalf("%s: status %d: %s", name, status, errs)
		}
		for _, s := range c.has {
			if !strings.Contains(out, s) {
				t.Errorf("%s: no %q in\n%s", name, s, out)
			}
		}
		for _, s := range c.lacks {
			if strings.Contains(out, s) {
				t.Errorf("%s: %q in\n%s", name, s, out)
			}
		}
	}
	for want, args := range map[string][]string{
		"--model nobody: the run has faithful, inert, random": {"1", "--model", "nobody"},
		"--prompt loud: the run has neutral, strict":          {"--prompt", "loud"},
		"--operator M9: the run has ":                         {"1", "--operator", "M9"},
		"--operator M2-s: the run has ":                       {"1", "--operator", "M2-s"},
	} {
		if status, _, errs := command(t, append([]string{"show", dir}, args...)...); status != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%q: status %d: %s", args, status, errs)
		}
	}
}
