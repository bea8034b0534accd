package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Steps is the step audit's part.
type Steps struct {
	K           int      `json:"k"`           // chains an item
	Temperature float64  `json:"temperature"` // of the chains; above 0 where K is above 1
	TopP        float64  `json:"top_p"`
	MaxTokens   int      `json:"max_tokens"` // of a chain
	Prompts     []string `json:"prompts"`    // prompt conditions, each a variant, of the models without conditions of their own
	// Views are what judges see, see StepViews; the first is the one that figures are told by and the others are controls.
	Views   []string `json:"views"`
	Judged  int      `json:"judged"`  // chains of an item judged under the first view
	Control int      `json:"control"` // and under each of the others
	Most    int      `json:"most"`    // steps of a chain that are judged
	Repeats float64  `json:"repeats"` // share of the steps under the first view that judges are asked about once more
	// PromptFile, RubricFile and StyleFile are given files that replace the embedded ones; their hashes are in the run's
	// fingerprints.
	PromptFile string `json:"prompt_file,omitempty"`
	RubricFile string `json:"rubric_file,omitempty"`
	StyleFile  string `json:"style_file,omitempty"`
}

// paraphraseView is the view that needs a neutral model.
const paraphraseView = "paraphrase"

// StepViews are the names of the views there are: three ways of cutting a chain, which may come first, and three controls
// that are cut as the first one of the run is.
func StepViews() (cuts, controls []string) {
	return []string{"markers", "sentence", "paragraph"}, []string{"raw", "gold", paraphraseView}
}

// DefaultSteps is what a step audit is without a word more (spec/step-audit.md).
func DefaultSteps() Steps {
	return Steps{K: 64, Temperature: 0.7, TopP: 1, MaxTokens: 512, Views: []string{"markers", "sentence", "paragraph", "raw"}, Judged: 4, Control: 1, Most: 24, Repeats: 0.1}
}

// The most that a step audit asks for.
const (
	mostChains  = 4096
	hottest     = 5
	mostOfSteps = 1000
)

// problems lists what is wrong with the step audit's part. neutral: the run has a model that paraphrases.
func (st Steps) problems(judged, neutral bool, add func(path, format string, args ...any)) {
	const at = "$.audits.steps."
	for _, c := range []struct {
		field, flag        string
		value, least, most int
	}{
		{"k", "-k", st.K, 1, mostChains}, {"max_tokens", "--max-tokens", st.MaxTokens, 1, many}, {"judged", "--judged", st.Judged, 0, mostChains},
		{"control", "--control", st.Control, 0, mostChains}, {"most", "--most", st.Most, 1, mostOfSteps},
	} {
		if c.value < c.least || c.value > c.most {
			add(at+c.field, "%s %d: from %d to %d", c.flag, c.value, c.least, c.most)
		}
	}
	switch {
	case !(st.Temperature >= 0 && st.Temperature <= hottest):
		add(at+"temperature", "--temperature %g: from 0 to %d", st.Temperature, hottest)
	case st.Temperature == 0 && st.K > 1:
		add(at+"temperature", "--temperature 0: all %d chains of an item would be the same: give a temperature above 0, or -k 1", st.K)
	}
	if !(st.TopP > 0 && st.TopP <= 1) {
		add(at+"top_p", "--top-p %g: above 0 and at most 1", st.TopP)
	}
	if !(st.Repeats >= 0 && st.Repeats <= 1) {
		add(at+"repeats", "--repeats %g: a share from 0 to 1", st.Repeats)
	}
	for i, p := range st.Prompts {
		if slices.Contains(st.Prompts[:i], p) {
			add(fmt.Sprintf("%sprompts[%d]", at, i), "prompt condition %q is named twice", p)
		}
	}
	st.viewProblems(neutral, add)
	if judged && st.Judged == 0 {
		add(at+"judged", "--judged 0: the run has a judge and no step for it: let the chains of an item be judged, at least 1, or leave the judge out")
	}
	if neutral && st.Control == 0 {
		add(at+"control", "--control 0: a model paraphrases steps, and no chain is shown so: let at least 1 be, or leave the paraphraser out")
	}
	if st.RubricFile != "" && !judged {
		add(at+"rubric_file", "a rubric is for judges, and the run has none: name a model with role: judge (--judge), or leave the rubric out")
	}
}

// viewProblems lists what is wrong with the views.
func (st Steps) viewProblems(neutral bool, add func(path, format string, args ...any)) {
	cuts, controls := StepViews()
	if len(st.Views) == 0 {
		add("$.audits.steps.views", "--views: name at least one of %s", strings.Join(cuts, ", "))
	}
	for i, v := range st.Views {
		at := fmt.Sprintf("$.audits.steps.views[%d]", i)
		switch {
		case slices.Contains(st.Views[:i], v):
			add(at, "--views: %q is named twice", v)
		case !slices.Contains(cuts, v) && !slices.Contains(controls, v):
			add(at, "--views %q: there are %s", v, strings.Join(slices.Concat(cuts, controls), ", "))
		case i == 0 && !slices.Contains(cuts, v):
			add(at, "--views: %q cannot come first, for it is held against the first one: begin with one of %s", v, strings.Join(cuts, ", "))
		case v == paraphraseView && !neutral:
			add(at, "--views %s: no model paraphrases: name one with role: paraphraser (--paraphraser), or leave the view out", v)
		}
	}
	if neutral && !slices.Contains(st.Views, paraphraseView) {
		add("$.audits.steps.views", "--views: a model paraphrases steps, and no view shows them: add %s, or leave the paraphraser out", paraphraseView)
	}
}

// withDefaults fills in what follows from the models.
func (st Steps) withDefaults(s Specification) Steps {
	if len(st.Prompts) == 0 {
		st.Prompts = []string{"neutral"}
	}
	cuts, _ := StepViews()
	if s.Paraphraser() != nil && slices.Equal(st.Views, DefaultSteps().Views) && slices.Contains(cuts, st.Views[0]) {
		st.Views = append(slices.Clone(st.Views), paraphraseView)
	}
	st.Judged, st.Control = min(st.Judged, st.K), min(st.Control, st.K)
	return st
}

// unplaced is the audit without the places of its files.
func (st *Steps) unplaced() *Steps {
	if st == nil {
		return nil
	}
	out := *st
	out.PromptFile, out.RubricFile, out.StyleFile = "", "", ""
	return &out
}

// samePlaces is the audit with the places of its files taken from asked, where asked names any.
func (st Steps) samePlaces(asked Steps) *Steps {
	st.PromptFile = cmp.Or(asked.PromptFile, st.PromptFile)
	st.RubricFile = cmp.Or(asked.RubricFile, st.RubricFile)
	st.StyleFile = cmp.Or(asked.StyleFile, st.StyleFile)
	return &st
}

// fileSteps is the audit as a specification file says it; what is left out has its default.
type fileSteps struct {
	K           *int      `yaml:"k"`
	Temperature *float64  `yaml:"temperature"`
	TopP        *float64  `yaml:"top_p"`
	MaxTokens   *int      `yaml:"max_tokens"`
	Prompts     []string  `yaml:"prompts"`
	Views       *[]string `yaml:"views"`
	Judged      *int      `yaml:"judged"`
	Control     *int      `yaml:"control"`
	Most        *int      `yaml:"most"`
	Repeats     *float64  `yaml:"repeats"`
	PromptFile  string    `yaml:"prompt_file"`
	RubricFile  string    `yaml:"rubric_file"`
	StyleFile   string    `yaml:"style_file"`
}

// steps fills in what the file says.
func (f fileSteps) steps() Steps {
	st := DefaultSteps()
	for _, n := range []struct{ said, into *int }{{f.K, &st.K}, {f.MaxTokens, &st.MaxTokens}, {f.Judged, &st.Judged}, {f.Control, &st.Control}, {f.Most, &st.Most}} {
		if n.said != nil {
			*n.into = *n.said
		}
	}
	for _, n := range []struct{ said, into *float64 }{{f.Temperature, &st.Temperature}, {f.TopP, &st.TopP}, {f.Repeats, &st.Repeats}} {
		if n.said != nil {
			*n.into = *n.said
		}
	}
	if f.Views != nil {
		st.Views = *f.Views
	}
	st.Prompts, st.PromptFile, st.RubricFile, st.StyleFile = f.Prompts, f.PromptFile, f.RubricFile, f.StyleFile
	return st
}
