package llamacpp

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/modeltest/tinygguf"
)

func TestSpeltControlTokensStayText(t *testing.T) {
	m := tiny(t, Options{})
	plain := m.vocab.harmless("he said <|im_end|> and <think>")
	tokens, err := m.vocab.prompt(plain)
	if err != nil {
		t.Fatal(err)
	}
	if len(tokens) != len("he said <|im_end|> and <think>") {
		t.Errorf("%d tokens: the control token was read as one", len(tokens))
	}
	tokens, err = m.vocab.prompt("<|im_end|>")
	if err != nil || len(tokens) != 1 {
		t.Errorf("a template's own control token gives %v, %v", tokens, err)
	}
}

func TestLetterFaults(t *testing.T) {
	m := tiny(t, Options{})
	if got := m.vocab.forms("A"); len(got) != 2 {
		t.Errorf("the label A has the forms %v, want it alone and after a space", got)
	}
	s, err := m.Open(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, c := range []struct {
		labels []string
		want   string
	}{{[]string{"A", "AA"}, `"AA"`}, {[]string{"B", "B"}, `"B"`}} {
		err := s.Answer(t.Context(), []percuss.Request{letters(vignette, "", c.labels...)}, func(int, percuss.Answer, error) {})
		var f *model.Fault
		if !errors.As(err, &f) || f.Kind != "letters" || !f.Fatal || !strings.Contains(err.Error(), c.want) {
			t.Errorf("labels %q: %v", c.labels, err)
		}
	}
}

func TestLettersAreProbabilitiesOfAllForms(t *testing.T) {
	m := tiny(t, Options{})
	labels := make([]string, 26)
	for i := range labels {
		labels[i] = percuss.Label(i)
	}
	sum := 0.0
	for _, l := range modeltest.Ask(t, m, letters(vignette, "", labels...))[0].Letters {
		v, ok := l.LogProb.Get()
		if !ok {
			t.Fatalf("%q has no score", l.Letter)
		}
		sum += math.Exp(v)
	}
	if sum <= 0 || sum >= 1 {
		t.Errorf("the letters have probability %g", sum)
	}
}

func TestRefusedRequests(t *testing.T) {
	strict := strings.Replace(tinygguf.Template, "{% for", "{% if messages[0]['role'] == 'assistant' %}{{ raise_exception('no') }}{% endif %}{% for", 1)
	m := tiny(t, Options{}, tinygguf.WithTemplate(strict))
	backwards := text(vignette, "", 5)
	backwards.Messages = []percuss.Message{{Role: percuss.Assistant, Content: "hm"}}
	extra := text(vignette, "", 5)
	extra.Extra = []byte(`{"x":1}`)
	for i, a := range modeltest.Ask(t, m, percuss.Request{}, backwards, extra, text("a\x00b", "", 5), text("a", "\x00", 5)) {
		if a.Outcome != percuss.Refused || a.Detail == "" {
			t.Errorf("request %d: %s (%s)", i, a.Outcome, a.Detail)
		}
	}
}

// A base model: paragraphs, and the token that opens a text once, whether the template writes it or not.
func TestOpeningToken(t *testing.T) {
	for name, template := range map[string]string{
		"base":      "",
		"unwritten": "{% for m in messages %}{{ m['content'] }}\n\n{% endfor %}",
		"written":   "{{ bos_token }}{% for m in messages %}{{ m['content'] }}\n\n{% endfor %}",
	} {
		m := tiny(t, Options{}, tinygguf.WithTemplate(template), tinygguf.WithBOS())
		j, a, err := m.newJob(0, new(text("Hi.", "So", 5)))
		if j == nil {
			t.Fatal(a, err)
		}
		if want := len("You are a clinician.\n\nHi.\n\nSo") + 1; len(j.tokens) != want || j.tokens[0] != m.vocab.bos {
			t.Errorf("%s: %d tokens from %d on, want %d from %d on", name, len(j.tokens), j.tokens[0], want, m.vocab.bos)
		}
	}
}
