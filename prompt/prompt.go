// Package prompt turns questions into messages. The wordings are data: an embedded default, replaceable by a file, so
// that whoever holds a paper's exact prompts can run them without touching code.
package prompt

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"

	"github.com/goccy/go-yaml"
	"github.com/percuss/percuss"
)

//go:embed default.yaml
var defaultYAML []byte

// Set is one set of wordings.
type Set struct {
	Name        string
	Fingerprint string // hash of the file; a run keeps it
	text        wording
	user        *template.Template
	direct      *template.Template
}

// wording is the file's form.
type wording struct {
	Name     string            `yaml:"name"`
	System   map[string]string `yaml:"system"`   // by condition: neutral, strict
	User     string            `yaml:"user"`     // template of the user turn
	Direct   string            `yaml:"direct"`   // the same without the sentence that asks for steps
	Cue      string            `yaml:"cue"`      // closes a chain before the letters are read; no trailing space
	Quote    string            `yaml:"continue"` // asks in a user turn for a quoted chain to be continued; {{.Chain}}
	Thinking struct {
		Open  string `yaml:"open"`
		Close string `yaml:"close"`
	} `yaml:"thinking"`
}

// Default returns the wordings that Percuss ships.
func Default() Set {
	s, err := Load(bytes.NewReader(defaultYAML), "default.yaml")
	if err != nil {
		panic("prompt: the embedded wordings are broken: " + err.Error())
	}
	return s
}

// Load reads a file of wordings. Unknown or missing fields are errors that name file and line.
func Load(r io.Reader, name string) (Set, error) {
	w, fingerprint, err := read[wording](r, name)
	if err != nil {
		return Set{}, err
	}
	for field, v := range map[string]string{"system.neutral": w.System["neutral"], "system.strict": w.System["strict"],
		"user": w.User, "direct": w.Direct, "cue": w.Cue, "continue": w.Quote} {
		if v == "" {
			return Set{}, fmt.Errorf("prompts %s: %s is missing or empty", name, field)
		}
	}
	if strings.TrimRight(w.Cue, " \n") != w.Cue {
		return Set{}, fmt.Errorf("prompts %s: cue must not end in white space, which would be a token of its own", name)
	}
	s := Set{Name: w.Name, Fingerprint: fingerprint, text: w}
	if s.user, err = template.New("user").Option("missingkey=error").Parse(w.User); err != nil {
		return Set{}, fmt.Errorf("prompts %s: user: %w", name, err)
	}
	if s.direct, err = template.New("direct").Option("missingkey=error").Parse(w.Direct); err != nil {
		return Set{}, fmt.Errorf("prompts %s: direct: %w", name, err)
	}
	if _, err := s.render(s.user, percuss.Question{}); err != nil {
		return Set{}, fmt.Errorf("prompts %s: user: %w", name, err)
	}
	if _, err := s.render(s.direct, percuss.Question{}); err != nil {
		return Set{}, fmt.Errorf("prompts %s: direct: %w", name, err)
	}
	return s, nil
}

// read reads a file of form T, of which every field must be known, and its hash.
func read[T any](r io.Reader, name string) (file T, fingerprint string, err error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return file, "", fmt.Errorf("prompts %s: %w", name, err)
	}
	if err := yaml.UnmarshalWithOptions(raw, &file, yaml.Strict()); err != nil {
		return file, "", fmt.Errorf("prompts %s: %w", name, err)
	}
	sum := sha256.Sum256(raw)
	return file, hex.EncodeToString(sum[:8]), nil
}

// Conditions lists the names of the system prompts, sorted.
func (s Set) Conditions() []string {
	var names []string
	for n := range s.text.System {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Chat returns the messages that put a question under a prompt condition. own is the model's released system prompt,
// which strict prepends (chain paper, Appendix B); direct leaves out the sentence that asks for steps.
func (s Set) Chat(q percuss.Question, condition, own string, direct bool) ([]percuss.Message, error) {
	system, ok := s.text.System[condition]
	if !ok {
		return nil, fmt.Errorf("no prompt condition %q: there are %s", condition, strings.Join(s.Conditions(), ", "))
	}
	if condition == "strict" {
		system = strings.TrimSpace(own + "\n\n" + s.text.System["neutral"] + " " + system)
	}
	t := s.user
	if direct {
		t = s.direct
	}
	user, err := s.render(t, q)
	if err != nil {
		return nil, err
	}
	return []percuss.Message{{Role: percuss.System, Content: strings.TrimSpace(system)}, {Role: percuss.User, Content: user}}, nil
}

func (s Set) render(t *template.Template, q percuss.Question) (string, error) {
	var b strings.Builder
	err := t.Execute(&b, struct {
		Context []string
		Stem    string
		Options []percuss.Option
	}{q.Context, q.Stem, q.Options})
	return strings.TrimSpace(b.String()), err
}

// Close closes a chain, finished or cut, so that the next token is an option's letter.
func (s Set) Close(chain string) string {
	chain = strings.TrimRight(chain, " \t\n")
	open, end := s.text.Thinking.Open, s.text.Thinking.Close
	if open != "" && strings.LastIndex(chain, open) > strings.LastIndex(chain, end) {
		chain += "\n" + end
	}
	if chain == "" {
		return s.text.Cue
	}
	return chain + "\n\n" + s.text.Cue
}

// Quotation asks, in a user turn, for a chain to be continued: for back-ends that cannot continue their own turn.
func (s Set) Quotation(chain string) string {
	return strings.TrimSpace(strings.ReplaceAll(s.text.Quote, "{{.Chain}}", chain))
}
