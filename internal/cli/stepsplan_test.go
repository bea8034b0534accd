package cli

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
)

// stepsPlanned is what a plan of a step audit says of each model.
func stepsPlanned(t *testing.T, args ...string) map[string]planned {
	t.Helper()
	status, out, errs := command(t, append([]string{"plan", "steps", "--json"}, args...)...)
	var p struct{ Models []planned }
	if err := json.Unmarshal([]byte(out), &p); status != exitDone || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, errs)
	}
	rows := map[string]planned{}
	for _, r := range p.Models {
		rows[r.Model] = r
	}
	return rows
}

// The plan of a step audit: chains are counted to the request, verdicts and paraphrases are bounded, and once all is asked
// nothing is left. Half way the bound still holds.
func TestStepsPlanBounds(t *testing.T) {
	for name, more := range map[string][]string{
		"plain":     {"-k", "5"},
		"few steps": {"-k", "3", "--most", "2", "--repeats", "1"},
		"all judged": {"-k", "4", "--judged", "4", "--control", "4", "--repeats", "0.5", "--paraphraser", "sim:paraphraser", "--views",
			"sentence,markers,paragraph,raw,gold,paraphrase"},
		"malformed":       {"-k", "2", "--judge", "sim:step-judge?malformed=0.9&mend=0.1", "--repeats", "1"},
		"two conditions":  {"-k", "2", "--prompt", "neutral,strict"},
		"audited, judges": {"-k", "2", "--judge", "sim:stepwise"},
	} {
		args := append([]string{"-m", "sim:stepwise", "-m", "sim:stepwise?error=0.4&style=chatty", "--judge", "sim:step-judge", "-d", "demo", "-n", "3",
			"--price-prompt", "1", "--price-output", "2", "--currency", "EUR"}, more...)
		before := stepsPlanned(t, args...)
		dir := filepath.Join(t.TempDir(), "run")
		into := append([]string{"steps", "-o", dir}, args...)
		must(t, append(slices.Clone(into[:len(into)-len(more)]), append(slices.Clone(more), "-n", "1")...)...)
		half := stepsPlanned(t, append(slices.Clone(args), "-o", dir)...)
		must(t, into...)
		after := stepsPlanned(t, append(slices.Clone(args), "-o", dir)...)
		for id, p := range before {
			a, h := after[id], half[id]
			if a.Sure != 0 || a.Later != 0 || a.Known == 0 || a.Known > p.Sure+p.Later || a.Known > h.Known+h.Sure+h.Later {
				t.Errorf("%s: %s: planned %+v, half way %+v, asked %+v", name, id, p, h, a)
			}
			if p.Role == "" && (p.Known+p.Sure != a.Known || p.Later != 0 || !p.Cost.OK() || p.OutputTokens == 0) {
				t.Errorf("%s: chains of %s: planned %+v, asked %+v", name, id, p, a)
			}
			if p.Role != "" && (p.Sure != 0 || p.PromptTokens < int64(p.Later)) {
				t.Errorf("%s: %s is planned %+v", name, id, p)
			}
		}
	}
}
