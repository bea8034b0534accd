package judge

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/template"

	"github.com/goccy/go-yaml"
)

//go:embed rubric.yaml
var rubricYAML []byte

// Rubric is the wording of a judge: instructions, examples, reminder.
type Rubric struct {
	Name        string
	Fingerprint string // hash of the file; a run keeps it
	text        wording
	system      *template.Template
	user        *template.Template
	remind      *template.Template
}

// wording is the file's form.
type wording struct {
	Name       string    `yaml:"name"`
	MaxTokens  int       `yaml:"max_tokens"`  // of a reply, its reasoning included
	Updated    string    `yaml:"updated"`     // what the verdict means
	NotUpdated string    `yaml:"not_updated"` // what the other one means
	System     string    `yaml:"system"`
	User       string    `yaml:"user"`
	Remind     string    `yaml:"remind"`
	Examples   []example `yaml:"examples"`
}

// example is a judged case.
type example struct {
	Kind    string `yaml:"kind"`
	Before  string `yaml:"before"`
	After   string `yaml:"after"`
	Verdict string `yaml:"verdict"`
	Chain   string `yaml:"chain"`
}

// mostTokens bounds a judge's reply: room for a model that cannot answer without a long block of reasoning.
const mostTokens = 16384

// Default returns the rubric that Percuss ships.
func Default() Rubric {
	r, err := Load(bytes.NewReader(rubricYAML), "rubric.yaml")
	if err != nil {
		panic("judge: the embedded rubric is broken: " + err.Error())
	}
	return r
}

// Load reads a rubric from a file, which name calls in errors. Unknown or missing fields, an example without a known
// verdict, a verdict without an example, and templates that do not show the case are errors that say how to mend them.
func Load(from io.Reader, name string) (Rubric, error) {
	raw, err := io.ReadAll(from)
	if err != nil {
		return Rubric{}, fmt.Errorf("rubric %s: %w", name, err)
	}
	var w wording
	if err := yaml.UnmarshalWithOptions(raw, &w, yaml.Strict()); err != nil {
		return Rubric{}, fmt.Errorf("rubric %s: %w", name, err)
	}
	if err := w.check(); err != nil {
		return Rubric{}, fmt.Errorf("rubric %s: %w", name, err)
	}
	sum := sha256.Sum256(raw)
	r := Rubric{Name: w.Name, Fingerprint: hex.EncodeToString(sum[:8]), text: w}
	for _, t := range []struct {
		field, text string
		to          **template.Template
	}{{"system", w.System, &r.system}, {"user", w.User, &r.user}, {"remind", w.Remind, &r.remind}} {
		if *t.to, err = template.New(t.field).Option("missingkey=error").Parse(t.text); err != nil {
			return Rubric{}, fmt.Errorf("rubric %s: %w", name, err)
		}
	}
	if err := r.try(); err != nil {
		return Rubric{}, fmt.Errorf("rubric %s: %w", name, err)
	}
	return r, nil
}

// Examples is the number of judged cases that a judge is shown; the chain paper's rubric has eight. The zero Rubric has
// those of Default.
func (r Rubric) Examples() int {
	if r.system == nil {
		r = Default()
	}
	return len(r.text.Examples)
}

// check refuses what is no rubric.
func (w wording) check() error {
	for _, f := range []struct{ field, value string }{{"name", w.Name}, {"updated", w.Updated}, {"not_updated", w.NotUpdated},
		{"system", w.System}, {"user", w.User}, {"remind", w.Remind}} {
		if strings.TrimSpace(f.value) == "" {
			return fmt.Errorf("%s is missing or empty", f.field)
		}
	}
	if w.MaxTokens < 1 || w.MaxTokens > mostTokens {
		return fmt.Errorf("max_tokens is %d: a number from 1 to %d, e.g. 256, or more for a judge that reasons before it replies", w.MaxTokens, mostTokens)
	}
	of := map[string]int{}
	for i, e := range w.Examples {
		if Verdict(e.Verdict).line() == "" {
			return fmt.Errorf("example %d: verdict is %q: either %q or %q", i+1, e.Verdict, Updated, NotUpdated)
		}
		if e.Kind == "" || e.Chain == "" || e.Before == "" && e.After == "" {
			return fmt.Errorf("example %d: it needs kind, chain, and before or after", i+1)
		}
		of[e.Verdict]++
	}
	if of[string(Updated)] == 0 || of[string(NotUpdated)] == 0 {
		return errors.New("examples: there must be at least one of each verdict, or the judge leans to the one that it sees")
	}
	return nil
}

// try puts a case to the templates once: those that fail, or hide a part of it, are found when a run begins rather than in
// its midst.
func (r Rubric) try() error {
	c := Case{ID: "try", Kind: "kind-7c", Old: "old-7c", New: "new-7c", Chain: "chain-7c"}
	for _, t := range []*template.Template{r.system, r.user, r.remind} {
		if err := t.Execute(io.Discard, r.scene(c, "", 0)); err != nil {
			return err
		}
	}
	q := r.Ask(c, "", 0)
	for _, part := range []string{c.Kind, c.Old, c.New, "> " + c.Chain, Updated.line(), NotUpdated.line()} {
		if !strings.Contains(q.Messages[0].Content+"\n"+q.Messages[1].Content, part) {
			return fmt.Errorf("system and user show %q nowhere: a case needs .Kind, .Before, .After, .Chain and the .Line of both .Verdicts", part)
		}
	}
	return nil
}

// render executes a template that was tried.
func render(t *template.Template, with any) string {
	var b strings.Builder
	if err := t.Execute(&b, with); err != nil {
		return ""
	}
	return strings.TrimSpace(b.String())
}
