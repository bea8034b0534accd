package spec

import (
	"fmt"
	"slices"
	"strings"
)

// Chain is the chain audit's part.
type Chain struct {
	Battery   string   `json:"battery"`
	Prompts   []string `json:"prompts"` // prompt conditions, each a variant, of the models without conditions of their own
	Stem      string   `json:"stem"`    // what edits of the question act on: "question" or "question+contexts"; empty, in older runs: question
	Direct    bool     `json:"direct"`
	Answer    string   `json:"answer"`
	MaxTokens int      `json:"max_tokens"`
	// Controls are the controls asked of every item; none in runs of versions that had none.
	Controls []string `json:"controls,omitempty"`
	// Margins: the letters are read also where the text has the answer, where the back-end allows, for the margin alone.
	Margins bool `json:"margins,omitempty"`
	// RubricFile replaces the embedded rubric of judges.
	RubricFile string `json:"rubric_file,omitempty"`
	// PromptFile and BatteryFile are given files that replace the embedded ones; their hashes are in the run's fingerprints.
	PromptFile  string `json:"prompt_file,omitempty"`
	BatteryFile string `json:"battery_file,omitempty"`
}

// formats is the word for both controls of the format.
const formats = "format"

// allControls are the controls, in the order in which they are asked and reported.
func allControls() []string {
	return []string{"sham", "sham-chain", "format-markers", "format-space", "shuffle"}
}

// ControlsNamed are the controls that a user names, in their own order and each once: "format" stands for both controls
// of the format, "none" alone for no control, which is nil. Empty: all. A name that is no control is an error.
func ControlsNamed(names ...string) ([]string, error) {
	if len(names) == 0 {
		return allControls(), nil
	}
	if len(names) == 1 && names[0] == "none" {
		return nil, nil
	}
	named := map[string]bool{}
	for _, name := range names {
		of := []string{name}
		if name == formats {
			of = []string{"format-markers", "format-space"}
		}
		for _, c := range of {
			switch {
			case !slices.Contains(allControls(), c):
				return nil, fmt.Errorf("control %q: there are sham, sham-chain, format and shuffle", c)
			case named[c]:
				return nil, fmt.Errorf("control %q is named twice", name)
			}
			named[c] = true
		}
	}
	return slices.DeleteFunc(allControls(), func(c string) bool { return !named[c] }), nil
}

// problems lists what is wrong with the chain audit's part. judged: the run has a judge.
func (c Chain) problems(judged bool, add func(path, format string, args ...any)) {
	const at = "$.audits.chain."
	if !slices.Contains([]string{"text", "letters", "text+letters"}, c.Answer) {
		add(at+"answer", "--answer %q: it is text, letters or text+letters", c.Answer)
	}
	if !slices.Contains([]string{"", defaultStem, "question+contexts"}, c.Stem) {
		add(at+"stem", "--stem %q: it is question or question+contexts", c.Stem)
	}
	if c.MaxTokens < 1 {
		add(at+"max_tokens", "--max-tokens %d: at least 1", c.MaxTokens)
	}
	for i, p := range c.Prompts {
		if slices.Contains(c.Prompts[:i], p) {
			add(fmt.Sprintf("%sprompts[%d]", at, i), "prompt condition %q is named twice", p)
		}
	}
	for i, name := range c.Controls {
		switch {
		case !slices.Contains(allControls(), name):
			add(fmt.Sprintf("%scontrols[%d]", at, i), "control %q: there are %s", name, strings.Join(allControls(), ", "))
		case slices.Contains(c.Controls[:i], name):
			add(fmt.Sprintf("%scontrols[%d]", at, i), "control %q is named twice", name)
		}
	}
	if c.RubricFile != "" && !judged {
		add(at+"rubric_file", "a rubric is for judges, and the run has none: name a model with role: judge (--judge), or leave the rubric out")
	}
}

// fileChain is the audit as a specification file says it; what is left out has its default.
type fileChain struct {
	Battery     string    `yaml:"battery"`
	Prompts     []string  `yaml:"prompts"`
	Stem        string    `yaml:"stem"`
	Direct      *bool     `yaml:"direct"`
	Answer      string    `yaml:"answer"`
	MaxTokens   int       `yaml:"max_tokens"`
	Controls    *[]string `yaml:"controls"` // left out: all; empty: none
	Margins     *bool     `yaml:"margins"`
	Judge       any       `yaml:"judge"` // in no specification, but asked for: see errNoJudgeHere
	RubricFile  string    `yaml:"rubric_file"`
	PromptFile  string    `yaml:"prompt_file"`
	BatteryFile string    `yaml:"battery_file"`
}

// chain fills in what the file says.
func (f fileChain) chain() Chain {
	c := Chain{Battery: f.Battery, Prompts: f.Prompts, Stem: f.Stem, Direct: f.Direct == nil || *f.Direct, Answer: f.Answer, MaxTokens: f.MaxTokens,
		Controls: allControls(), Margins: f.Margins == nil || *f.Margins, RubricFile: f.RubricFile, PromptFile: f.PromptFile, BatteryFile: f.BatteryFile}
	switch {
	case f.Controls == nil:
	case len(*f.Controls) == 0:
		c.Controls = nil
	default:
		c.Controls, _ = ControlsNamed(*f.Controls...) // problems says what is wrong with them
	}
	return c
}

// problems lists what is wrong with what the file says and the resolved audit cannot show.
func (f fileChain) problems() (out []problem) {
	const at = "$.audits.chain."
	if f.Judge != nil {
		out = append(out, problem{at + "judge", errNoJudgeHere})
	}
	if f.Controls == nil {
		return out
	}
	for i := range *f.Controls {
		if _, err := ControlsNamed((*f.Controls)[:i+1]...); err != nil {
			out = append(out, problem{fmt.Sprintf("%scontrols[%d]", at, i), err})
			break
		}
	}
	return out
}
