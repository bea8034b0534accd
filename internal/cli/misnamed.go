package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/percuss/percuss/judge"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/step"
)

// misname is a place in the file of a specification where it names what there is not.
type misname struct {
	path string // such as $.audits.chain.battery
	err  error
}

// misnamed are the places where a specification names a set, a back-end, a battery, a wording or a condition that there is
// not, or a file that cannot be read as what it should be. A file that is gone is passed over: a run that was begun has
// its copy.
func misnamed(s spec.Specification) []misname {
	var out []misname
	check := func(path string, err error) {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			out = append(out, misname{path, err})
		}
	}
	for i, m := range s.Models {
		check(fmt.Sprintf("$.models[%d].model", i), checkBackend(m.Model))
	}
	for i, d := range s.Data {
		_, _, err := findSet(d.Data)
		check(fmt.Sprintf("$.data[%d].data", i), err)
	}
	if s.Chain != nil {
		checkChain(s, check)
	}
	if s.Evidence != nil {
		checkEvidence(s.Evidence, check)
	}
	if s.Steps != nil {
		checkSteps(s, check)
	}
	return out
}

// checkBackend refuses a model of an unknown back-end, and a simulated one of an unknown name.
func checkBackend(name string) error {
	arg, err := spec.ParseModel(name)
	if err != nil {
		return err
	}
	switch arg.Backend {
	case "llama", "openai", "anthropic", "recorded":
		return nil
	case "sim":
		_, err := openSimulated(arg, run.Items{})
		return err
	}
	return noBackend(arg)
}

// checkChain looks at what a chain audit names.
func checkChain(s spec.Specification, check func(path string, err error)) {
	const at = "$.audits.chain."
	c := s.Chain
	place := at + "battery"
	if c.BatteryFile != "" {
		place += "_file"
	}
	_, err := loadBattery("", c)
	check(place, err)
	_, err = fromFile("", rubricCopy, c.RubricFile, judge.Default, judge.Load)
	check(at+"rubric_file", err)
	prompts, err := fromFile("", promptCopy, c.PromptFile, prompt.Default, prompt.Load)
	check(at+"prompt_file", err)
	if err != nil {
		return
	}
	for _, condition := range c.Prompts {
		check(at+"prompts", prompts.Has(condition))
	}
	for i, m := range s.Models {
		for _, condition := range m.Prompts {
			check(fmt.Sprintf("$.models[%d].prompts", i), prompts.Has(condition))
		}
	}
}

// checkSteps looks at what a step audit names.
func checkSteps(s spec.Specification, check func(path string, err error)) {
	const at = "$.audits.steps."
	_, err := fromFile("", stepRubricCopy, s.Steps.RubricFile, judge.DefaultSteps, judge.LoadSteps)
	check(at+"rubric_file", err)
	_, err = fromFile("", styleCopy, s.Steps.StyleFile, step.DefaultStyle, step.LoadStyle)
	check(at+"style_file", err)
	prompts, err := fromFile("", promptCopy, s.Steps.PromptFile, prompt.Default, prompt.Load)
	check(at+"prompt_file", err)
	if err != nil {
		return
	}
	for _, condition := range s.Steps.Prompts {
		check(at+"prompts", prompts.Has(condition))
	}
	for i, m := range s.Models {
		for _, condition := range m.Prompts {
			check(fmt.Sprintf("$.models[%d].prompts", i), prompts.Has(condition))
		}
	}
}

// checkEvidence looks at what an evidence audit names.
func checkEvidence(e *spec.Evidence, check func(path string, err error)) {
	const at = "$.audits.evidence."
	prompts, err := fromFile("", promptCopy, e.PromptFile, prompt.DefaultCases, prompt.LoadCases)
	check(at+"prompt_file", err)
	if err == nil && !slices.Contains(prompts.Wordings(), e.Wording) {
		check(at+"wording", fmt.Errorf("wording %q: there are %s", e.Wording, strings.Join(prompts.Wordings(), ", ")))
	}
	_, err = loadLabels("", e.LabelFile, "")
	check(at+"label_file", err)
}
