package judge

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/goccy/go-yaml"
)

//go:embed steps.yaml
var stepsYAML []byte

// StepRubric is the wording of a judge of steps, and of a neutral model that puts them in other words.
type StepRubric struct {
	Name        string
	Fingerprint string // hash of the file; a run keeps it
	text        stepWording
	system      *template.Template
	user        *template.Template
	remind      *template.Template
	other, put  *template.Template // system and user turn of a paraphrase
	alone       bool               // the system turn comes out the same without a step
	turns       *turns
}

// stepWording is the file's form.
type stepWording struct {
	Name       string            `yaml:"name"`
	MaxTokens  int               `yaml:"max_tokens"` // of a reply, its reasoning included
	Correct    string            `yaml:"correct"`    // what the label means
	Error      string            `yaml:"error"`
	Abstain    string            `yaml:"abstain"`
	Kinds      map[string]string `yaml:"kinds"`
	System     string            `yaml:"system"`
	User       string            `yaml:"user"`
	Remind     string            `yaml:"remind"`
	Paraphrase struct {
		MaxTokens int    `yaml:"max_tokens"`
		System    string `yaml:"system"`
		User      string `yaml:"user"`
	} `yaml:"paraphrase"`
	Examples []stepExample `yaml:"examples"`
}

// stepExample is a judged step.
type stepExample struct {
	Question string   `yaml:"question"`
	Before   []string `yaml:"before"`
	Step     string   `yaml:"step"`
	Verdict  string   `yaml:"verdict"`
	Kind     string   `yaml:"kind"`
}

// means is what a label means.
func (w stepWording) means(l StepLabel) string {
	switch l {
	case StepCorrect:
		return w.Correct
	case StepError:
		return w.Error
	}
	return w.Abstain
}

// DefaultSteps returns the rubric of steps that Percuss ships.
func DefaultSteps() StepRubric {
	r, err := LoadSteps(bytes.NewReader(stepsYAML), "steps.yaml")
	if err != nil {
		panic("judge: the embedded rubric of steps is broken: " + err.Error())
	}
	return r
}

// theDefault is what the zero rubric asks as; it is read once.
var theDefault = sync.OnceValue(DefaultSteps)

// orDefault is the rubric, or of the zero one the default.
func (r StepRubric) orDefault() StepRubric {
	if r.system == nil {
		return theDefault()
	}
	return r
}

// LoadSteps reads a rubric of steps from a file, which name calls in errors. Unknown or missing fields, an example without
// a known verdict, a label without an example, and templates that hide a part of a step are errors that say how to mend
// them.
func LoadSteps(from io.Reader, name string) (StepRubric, error) {
	wrong := func(err error) (StepRubric, error) { return StepRubric{}, fmt.Errorf("rubric %s: %w", name, err) }
	raw, err := io.ReadAll(from)
	if err != nil {
		return wrong(err)
	}
	var w stepWording
	if err := yaml.UnmarshalWithOptions(raw, &w, yaml.Strict()); err != nil {
		return wrong(err)
	}
	if err := w.check(); err != nil {
		return wrong(err)
	}
	sum := sha256.Sum256(raw)
	r := StepRubric{Name: w.Name, Fingerprint: hex.EncodeToString(sum[:8]), text: w, turns: &turns{}}
	for _, t := range []struct {
		field, text string
		to          **template.Template
	}{{"system", w.System, &r.system}, {"user", w.User, &r.user}, {"remind", w.Remind, &r.remind},
		{"paraphrase.system", w.Paraphrase.System, &r.other}, {"paraphrase.user", w.Paraphrase.User, &r.put}} {
		if *t.to, err = template.New(t.field).Option("missingkey=error").Parse(t.text); err != nil {
			return wrong(err)
		}
	}
	if err := r.try(); err != nil {
		return wrong(err)
	}
	tried := Step{Item: "try"}
	fixed, ok := without(r.system, r.drawn(tried, "", 0))
	r.alone = ok && fixed == render(r.system, r.scene(tried, "", 0))
	r.turns = &turns{}
	return r, nil
}

// check refuses what is no rubric of steps.
func (w stepWording) check() error {
	for _, f := range []struct{ field, value string }{{"name", w.Name}, {"correct", w.Correct}, {"error", w.Error}, {"abstain", w.Abstain},
		{"system", w.System}, {"user", w.User}, {"remind", w.Remind}, {"paraphrase.system", w.Paraphrase.System}, {"paraphrase.user", w.Paraphrase.User}} {
		if strings.TrimSpace(f.value) == "" {
			return fmt.Errorf("%s is missing or empty", f.field)
		}
	}
	for _, f := range []struct {
		field string
		value int
	}{{"max_tokens", w.MaxTokens}, {"paraphrase.max_tokens", w.Paraphrase.MaxTokens}} {
		if f.value < 1 || f.value > mostTokens {
			return fmt.Errorf("%s is %d: a number from 1 to %d", f.field, f.value, mostTokens)
		}
	}
	for _, kind := range StepKinds() {
		if w.Kinds[kind] == "" {
			return fmt.Errorf("kinds: %s is missing: say what it means", kind)
		}
	}
	if len(w.Kinds) != len(StepKinds()) {
		return fmt.Errorf("kinds: there are %s and no others", strings.Join(StepKinds(), ", "))
	}
	return w.checkExamples()
}

// checkExamples refuses examples that would teach a judge something else.
func (w stepWording) checkExamples() error {
	of := map[StepLabel]int{}
	for i, e := range w.Examples {
		label := StepLabel(e.Verdict)
		switch {
		case label.line() == "":
			return fmt.Errorf("example %d: verdict is %q: one of %s, %s and %s", i+1, e.Verdict, StepCorrect, StepError, StepAbstain)
		case e.Question == "" || e.Step == "":
			return fmt.Errorf("example %d: it needs question and step", i+1)
		case label == StepError && !slices.Contains(StepKinds(), e.Kind):
			return fmt.Errorf("example %d: kind is %q: one of %s", i+1, e.Kind, strings.Join(StepKinds(), ", "))
		case label != StepError && e.Kind != "":
			return fmt.Errorf("example %d: only an error has a kind", i+1)
		}
		of[label]++
	}
	if of[StepCorrect] == 0 || of[StepError] == 0 || of[StepAbstain] == 0 {
		return errors.New("examples: there must be at least one of each label, or the judge leans to those that it sees")
	}
	return nil
}

// try puts a step to the templates once: those that fail, or hide a part of it, are found when a run begins.
func (r StepRubric) try() error {
	s := Step{Item: "try", Question: "question-7c", Gold: "gold-7c", Before: []string{"before-7c"}, Text: "step-7c"}
	for _, t := range []*template.Template{r.system, r.user, r.remind, r.other, r.put} {
		if err := t.Execute(io.Discard, r.scene(s, "", 0)); err != nil {
			return err
		}
	}
	q := r.ask(s, "", 0)
	for _, part := range []string{"> " + s.Question, s.Gold, "> " + s.Before[0], "> " + s.Text, StepCorrect.line(), StepAbstain.line(), StepVerdict{StepError, "factual"}.line()} {
		if !strings.Contains(q.Messages[0].Content+"\n"+q.Messages[1].Content, part) {
			return fmt.Errorf("system and user show %q nowhere: a step needs .Step.Question, .Step.Gold, .Step.Before, .Step.Step and all .Forms", part)
		}
	}
	p := r.paraphrase(s.Text, "")
	if !strings.Contains(p.Messages[1].Content, s.Text) {
		return errors.New("paraphrase.user does not show .Step")
	}
	return nil
}
