package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// How often an operator of one's own fires is told before any model is asked; one on the chain has no rate here, and cases are
// never edited.
func TestFiringOfOwnOperators(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data := "custom:" + write("q.csv", "question,A,B,answer\nHe smokes daily. Why?,x,y,A\nShe smokes. What now?,x,z,B\nA child coughs. Why?,x,y,B\n")
	cases := "custom:" + write("c.jsonl", `{"units": ["Burning on urination.", "No fever."], "candidates": ["Cystitis", "Pyelonephritis", "Urethritis"], "gold": "Cystitis"}`)
	operator := "  - {family: X-%, title: t, does: d, block: %, intent: D, locus: Sur, source: ours, version: X-%/1, edit: regexp, find: 'smokes', to: 'has never smoked', variants: [{id: X-%-a, variant: a}]}\n"
	own := "extends: [paper]\noperators:\n"
	for _, block := range []string{"M", "F"} {
		own += strings.ReplaceAll(operator, "%", block)
	}
	file := write("own.yaml", own)

	status, out, errs := command(t, "data", "check", data, "--operators", file, "--battery", "X-M+X-F", "--json")
	var c checked
	if err := json.Unmarshal([]byte(out), &c); status != exitDone || err != nil {
		t.Fatalf("status %d, %v: %s", status, err, errs)
	}
	if len(c.Firing) != 1 || c.Firing[0].Operators[0] != "X-M-a" || c.Firing[0].Fired != 2 || c.Firing[0].Of != 3 {
		t.Errorf("fires: %+v", c.Firing)
	}
	if _, out, _ := command(t, "data", "check", data, "--operators", file, "--battery", "X-F"); !strings.Contains(out, "has no operator on the question") {
		t.Errorf("of the chain alone:\n%s", out)
	}
	for want, args := range map[string][]string{
		"name their families too":                         {data, "--operators", file},
		"--operators: no operator edits cases: leave one": {"demo", "--cases", "--operators", file},
		"holds cases: leave them out":                     {cases, "--operators", file, "--battery", "X-M"},
		"none.yaml: no such file":                         {data, "--operators", filepath.Join(dir, "none.yaml"), "--battery", "X-M"},
	} {
		if status, out, errs := command(t, append([]string{"data", "check"}, args...)...); status != exitUsage || out != "" || !strings.Contains(unfolded(errs), want) {
			t.Errorf("%q: status %d, %s%s", args, status, out, errs)
		}
	}
}
