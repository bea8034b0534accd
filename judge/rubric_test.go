package judge

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLoadAnotherRubric(t *testing.T) {
	text := strings.Replace(string(rubricYAML), "max_tokens: 256", "max_tokens: 4096", 1)
	r, err := Load(strings.NewReader(text), "mine.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Ask(someCase("x"), "j", 1).Sampling.MaxTokens; got != 4096 {
		t.Errorf("limit %d", got)
	}
	if r.Fingerprint == Default().Fingerprint || len(r.Fingerprint) != 16 || r.Name != "rubric-1" {
		t.Errorf("name %q, fingerprints %q and %q", r.Name, r.Fingerprint, Default().Fingerprint)
	}
}

// A rubric of another number of examples than the paper's is one, and says so.
func TestExamples(t *testing.T) {
	text := string(rubricYAML)
	at := strings.LastIndex(text, "  - kind:")
	r, err := Load(strings.NewReader(text[:at]), "mine.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got := [3]int{Default().Examples(), Rubric{}.Examples(), r.Examples()}; got != [3]int{8, 8, 7} {
		t.Errorf("%v examples", got)
	}
}

func TestLoadRefuses(t *testing.T) {
	good := string(rubricYAML)
	for want, text := range map[string]string{
		"unknown field":                 good + "\nexamplez: []\n",
		"remind is missing or empty":    good[:strings.Index(good, "remind: |")] + good[strings.Index(good, "examples:"):],
		"max_tokens is 0":               strings.Replace(good, "max_tokens: 256", "max_tokens: 0", 1),
		`verdict is "maybe"`:            strings.Replace(good, "verdict: updated", "verdict: maybe", 1),
		"example 1: it needs kind":      strings.Replace(good, "- kind: age", "- kind: \"\"", 1),
		"at least one of each":          strings.ReplaceAll(good, "verdict: not_updated", "verdict: updated"),
		"can't evaluate field Gold":     strings.Replace(good, "{{.Case.Kind}}", "{{.Case.Gold}}", 1),
		"Belief":                        strings.Replace(good, "  {{.Verdict}}\n", "  {{.Belief}}\n", 1),
		`show "> chain-7c" nowhere`:     strings.Replace(good, "{{.Case.Chain}}", "", 1),
		`show "VERDICT: UPDATED" now`:   strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(good, "{{.Line}}", "x"), "{{$v.Line}}", "x"), "{{.Verdict}}", "x"),
		`function "Before" not defined`: strings.Replace(good, "{{.Case.Kind}}", "{{.Case.Kind", 1),
	} {
		if text == good {
			t.Fatalf("%s: nothing was changed", want)
		}
		_, err := Load(strings.NewReader(text), "mine.yaml")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "mine.yaml") {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := Load(iotest.ErrReader(errors.New("disk gone")), "mine.yaml"); err == nil || !strings.Contains(err.Error(), "disk gone") {
		t.Errorf("a broken file: %v", err)
	}
}
