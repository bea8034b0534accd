package spec

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const whole = `version: 1
seed: 7
models:
  - id: small
    model: llama:smollm2-135m
    tier: general
    family: smollm
    params: 135M
  - model: openai:big@https://host/v1
    tier: closed
    system_prompt: Be brief.
    price: {prompt: 2, output: 8}
data:
  - data: demo
    n: 8
  - data: medqa?options=5
    all: true
  - data: medmcqa
audits:
  chain:
    battery: families+F1
    prompts: [neutral, strict]
    stem: question+contexts
    direct: false
    answer: text+letters
    max_tokens: 128
limits: {attempts: 5, fail_share: 0.1}
price: {currency: EUR, prompt: 0.1, output: 0.2}
`

func TestRead(t *testing.T) {
	got, err := Read(strings.NewReader("\xef\xbb\xbf"+strings.ReplaceAll(whole, "\n", "\r\n")), "a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := Specification{Version: 1, Seed: 7,
		Models: []Model{
			{ID: "small", Model: "llama:smollm2-135m", Tier: "general", Family: "smollm", Params: "135M", Price: &Price{"EUR", 0.1, 0.2}},
			{ID: "big", Model: "openai:big@https://host/v1", Tier: "closed", SystemPrompt: "Be brief.", Price: &Price{"EUR", 2, 8}},
		},
		Data: []Data{{"demo", 8}, {"medqa?options=5", 0}, {"medmcqa", DefaultN}},
		Chain: &Chain{Battery: "families+F1", Prompts: []string{"neutral", "strict"}, Stem: "question+contexts", Answer: "text+letters", MaxTokens: 128,
			Controls: allControls(), Margins: true},
		Limits: Limits{Attempts: 5, FailShare: 0.1},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	short, err := Read(strings.NewReader("version: 1\nmodels: [{model: 'sim:faithful'}]\ndata: [{data: demo}]\naudits: {chain: {}}\n"), "b.yaml")
	if err != nil || short.Seed != DefaultSeed || !short.Chain.Direct || short.Chain.Battery != "paper" || short.Models[0].Price != nil {
		t.Errorf("%+v, %v", short, err)
	}
}

// Every mistake names file and line.
func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		want     []string
	}{
		"unknown field":    {"tier: general", "teir: general", []string{"teir", "[6:"}},
		"a name alone":     {"  - data: medmcqa\n", "  - medmcqa\n", []string{"[18:", "data: [{data: demo, n: 20}]"}},
		"wrong type":       {"n: 8", "n: many", []string{"[15:"}},
		"no YAML":          {"seed: 7", "seed: [7", []string{"a.yaml"}},
		"two of one name":  {"id: small", "id: big", []string{"a.yaml:9:", `"big"`, "id of its own"}},
		"no back-end":      {"model: llama:smollm2-135m", "model: smollm2", []string{"a.yaml:5:", "BACKEND:NAME"}},
		"a secret":         {"https://host/v1", "https://u:topsecret@host/v1", []string{"a.yaml:9:", "environment variable"}},
		"two sets":         {"medqa?options=5", "demo", []string{"a.yaml:16:", "named twice"}},
		"n and all":        {"    all: true", "    all: true\n    n: 4", []string{"a.yaml:16:", "n and all"}},
		"n of nothing":     {"n: 8", "n: 0", []string{"a.yaml:15:", "at least 1"}},
		"answer":           {"answer: text+letters", "answer: guess", []string{"a.yaml:25:", "guess"}},
		"stem":             {"question+contexts", "contexts", []string{"a.yaml:23:", "question or question+contexts"}},
		"a model's twice":  {"    tier: closed", "    tier: closed\n    prompts: [strict, strict]", []string{"a.yaml:11:", "twice"}},
		"prompts twice":    {"[neutral, strict]", "[neutral, neutral]", []string{"a.yaml:22:", "twice"}},
		"negative price":   {"output: 8", "output: -8", []string{"a.yaml:12:", "never negative"}},
		"fail share":       {"fail_share: 0.1", "fail_share: 3", []string{"a.yaml:27:", "0 to 1"}},
		"newer version":    {"version: 1", "version: 9", []string{"a.yaml:1:", "version: 1"}},
		"no audit":         {"audits:\n  chain:", "audits: {}\nx:\n  y:", []string{"unknown field"}},
		"two documents":    {"seed: 7", "seed: 7\n---\nseed: 8", []string{"a.yaml"}},
		"nothing at all":   {whole, "", []string{"a.yaml is empty"}},
		"only white space": {whole, " \n\n", []string{"a.yaml is empty"}},
	} {
		text := strings.Replace(whole, c.old, c.new, 1)
		if text == whole {
			t.Fatalf("%s: nothing was changed", name)
		}
		_, err := Read(strings.NewReader(text), "a.yaml")
		if err == nil {
			t.Errorf("%s: read", name)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q is not in: %v", name, w, err)
			}
		}
		if strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%s: the error holds the secret: %v", name, err)
		}
	}
}

func TestSecretsInURLs(t *testing.T) {
	for _, arg := range []string{"openai:m@http://user:topsecret@h/v1", "openai:m@https://h/v1?api_key=topsecret", "openai:m@https://h/v1#topsecret",
		"openai:m@http://topsecret@h/", "openai@http://u:topsecret@h/", "openai:m?%zz@https://u:topsecret@h/"} {
		if _, err := ParseModel(arg); err == nil || strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%s: %v", arg, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(whole)
	f.Add("version: 1\nmodels: {}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := Read(strings.NewReader(text), "a.yaml"); err == nil && s.Check() != nil {
			t.Errorf("read, but wrong: %v", s.Check())
		}
	})
}
