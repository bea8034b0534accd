package prompt

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

var question = percuss.Question{Stem: "A 30-year-old man coughs. What next?", Gold: "B",
	Options: []percuss.Option{{Label: "A", Text: "Rest"}, {Label: "B", Text: "X-ray"}}}

func TestChat(t *testing.T) {
	s := Default()
	neutral, err := s.Chat(question, "neutral", "OWN", false)
	if err != nil || len(neutral) != 2 || neutral[0].Role != percuss.System {
		t.Fatalf("%v %v", neutral, err)
	}
	if user := neutral[1].Content; !strings.Contains(user, "A. Rest\nB. X-ray\n") || !strings.Contains(user, "Step n:") {
		t.Errorf("user turn:\n%s", user)
	}
	if strings.Contains(neutral[0].Content, "OWN") {
		t.Error("neutral has the model's own prompt")
	}
	strict, _ := s.Chat(question, "strict", "OWN", false)
	if c := strict[0].Content; !strings.HasPrefix(c, "OWN") || !strings.Contains(c, neutral[0].Content) || !strings.Contains(c, "board-certified") {
		t.Errorf("strict:\n%s", c)
	}
	direct, _ := s.Chat(question, "neutral", "", true)
	if strings.Contains(direct[1].Content, "Step n:") {
		t.Errorf("direct asks for steps:\n%s", direct[1].Content)
	}
	if _, err := s.Chat(question, "kind", "", false); err == nil || !strings.Contains(err.Error(), "neutral, strict") {
		t.Errorf("unknown condition: %v", err)
	}
}

func TestClose(t *testing.T) {
	s := Default()
	for chain, want := range map[string]string{
		"":                   "Answer:",
		"Step 1: x.\n":       "Step 1: x.\n\nAnswer:",
		"<think>a":           "<think>a\n</think>\n\nAnswer:",
		"<think>a</think> b": "<think>a</think> b\n\nAnswer:",
	} {
		if got := s.Close(chain); got != want {
			t.Errorf("%q: %q", chain, got)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	whole := string(defaultYAML)
	for name, text := range map[string]string{
		"unknown field": whole + "\nextra: 1\n",
		"missing":       strings.Replace(whole, "cue: \"Answer:\"\n", "", 1),
		"white space":   strings.Replace(whole, "cue: \"Answer:\"", "cue: \"Answer: \"", 1),
		"template":      strings.Replace(whole, "{{.Stem}}", "{{.Gold}}", 1),
	} {
		if _, err := Load(strings.NewReader(text), "mine.yaml"); err == nil || !strings.Contains(err.Error(), "mine.yaml") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
