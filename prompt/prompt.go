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
	"strings"

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
	letters     asking // questions with options
	number      asking // questions whose answer is a number
}

// asking is how one kind of question is put.
type asking struct {
	System map[string]string `yaml:"system"` // by condition: neutral, strict
	User   string            `yaml:"user"`   // template of the user turn
	Direct string            `yaml:"direct"` // the same without the sentence that asks for steps

	user, direct words
}

// wording is the file's form.
type wording struct {
	Name     string            `yaml:"name"`
	Letters  asking            `yaml:",inline"`  // questions with options
	Number   *asking           `yaml:"number"`   // nil: the built-in wording
	Addenda  map[string]string `yaml:"addenda"`  // what can be added to a condition, by name
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
	for field, v := range map[string]string{"cue": w.Cue, "continue": w.Quote} {
		if v == "" {
			return Set{}, fmt.Errorf("prompts %s: %s is missing or empty", name, field)
		}
	}
	if strings.TrimRight(w.Cue, " \n") != w.Cue {
		return Set{}, fmt.Errorf("prompts %s: cue must not end in white space, which would be a token of its own", name)
	}
	if err := w.checkAddenda(); err != nil {
		return Set{}, fmt.Errorf("prompts %s: %w", name, err)
	}
	if w.Number == nil {
		if w.Number, err = builtInNumber(); err != nil {
			return Set{}, fmt.Errorf("prompts %s: number: %w", name, err)
		}
	}
	s := Set{Name: w.Name, Fingerprint: fingerprint, text: w, letters: w.Letters, number: *w.Number}
	if err := s.letters.prepare(); err != nil {
		return Set{}, fmt.Errorf("prompts %s: %w", name, err)
	}
	if err := s.number.prepare(); err != nil {
		return Set{}, fmt.Errorf("prompts %s: number.%w", name, err)
	}
	return s, nil
}

// builtInNumber is how numbers are asked for where a file does not say, as one for questions with options need not.
func builtInNumber() (*asking, error) {
	w, _, err := read[wording](bytes.NewReader(defaultYAML), "default.yaml")
	return w.Number, err
}

// prepare checks a way of asking and parses its templates. Its errors begin with the field.
func (a *asking) prepare() error {
	for field, v := range map[string]string{"system.neutral": a.System["neutral"], "system.strict": a.System["strict"],
		"user": a.User, "direct": a.Direct} {
		if v == "" {
			return fmt.Errorf("%s is missing or empty", field)
		}
	}
	for _, t := range []struct {
		field, text string
		to          *words
	}{{"user", a.User, &a.user}, {"direct", a.Direct, &a.direct}} {
		var err error
		if *t.to, err = newWords(t.field, t.text); err != nil {
			return fmt.Errorf("%s: %w", t.field, err)
		}
	}
	return nil
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

// Chat returns the messages that put a question under a prompt condition, in the wording for its kind of answer. own is
// the model's released system prompt, which strict prepends (chain paper, Appendix B); direct leaves out the sentence that
// asks for steps.
func (s Set) Chat(q percuss.Question, condition, own string, direct bool) ([]percuss.Message, error) {
	return s.Prompter(condition, own)(q, direct)
}

// Prompter is Chat for many questions under one condition. The function it returns is for one goroutine at a time.
func (s Set) Prompter(condition, own string) func(q percuss.Question, direct bool) ([]percuss.Message, error) {
	made := map[percuss.Kind]string{} // system turns
	return func(q percuss.Question, direct bool) ([]percuss.Message, error) {
		system, ok := made[q.Kind]
		if !ok {
			var err error
			if system, err = s.system(q.Kind, condition, own); err != nil {
				return nil, err
			}
			made[q.Kind] = system
		}
		a := s.asking(q.Kind)
		t := a.user
		if direct {
			t = a.direct
		}
		user, err := t.put(q)
		if err != nil {
			return nil, err
		}
		return []percuss.Message{{Role: percuss.System, Content: system}, {Role: percuss.User, Content: user}}, nil
	}
}

// asking is how questions of a kind are put.
func (s *Set) asking(kind percuss.Kind) *asking {
	if kind == percuss.Numeric {
		return &s.number
	}
	return &s.letters
}

// system is the system turn for questions of a kind under a condition.
func (s *Set) system(kind percuss.Kind, condition, own string) (string, error) {
	base, addenda, err := s.split(condition)
	if err != nil {
		return "", err
	}
	a := s.asking(kind)
	system, ok := a.System[base]
	if !ok {
		return "", fmt.Errorf("prompt condition %q has no wording for answers that are numbers: add number.system.%s to the prompts", condition, base)
	}
	if base == "strict" {
		system = strings.TrimSpace(own + "\n\n" + a.System["neutral"] + " " + system)
	}
	for _, name := range addenda {
		system = strings.TrimSpace(system) + "\n\n" + s.text.Addenda[name]
	}
	return strings.TrimSpace(system), nil
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
