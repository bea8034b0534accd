// Package spec holds the resolved specification of a run: everything that a flag can say, with defaults filled in and
// checked. It is kept in the run's folder, and a resumed run is compared with it.
package spec

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Version is the format of a specification.
const Version = 1

// Specification is a run as it was resolved.
type Specification struct {
	Version int     `json:"version"`
	Seed    uint64  `json:"seed"`
	Models  []Model `json:"models"`
	Data    []Data  `json:"data"`
	// Chain and Evidence are the audits; a run has one of them.
	Chain    *Chain    `json:"chain,omitempty"`
	Evidence *Evidence `json:"evidence,omitempty"`
	Limits   Limits    `json:"limits"`
}

// Model is one model of a run.
type Model struct {
	ID           string `json:"id"`    // what tables call it
	Model        string `json:"model"` // as given: BACKEND:NAME[?k=v&...][@URL]
	Role         string `json:"role,omitempty"`
	Tier         string `json:"tier,omitempty"`   // for grouping: "general", "medical", "reasoning", "closed"
	Family       string `json:"family,omitempty"` // for grouping and for the judge's warning
	Params       string `json:"params,omitempty"` // parameter count, e.g. "135M"
	SystemPrompt string `json:"system_prompt,omitempty"`
	// Prompts are the model's own prompt conditions; empty: those of the audit.
	Prompts []string `json:"prompts,omitempty"`
	Price   *Price   `json:"price,omitempty"` // nil: not known; it steers nothing
}

// medical is the tier whose models are asked under the strict prompt where no condition is named (chain audit,
// section 2).
const medical = "medical"

// Price is what tokens cost. There are no built-in prices: they would be wrong next month.
type Price struct {
	Currency string  `json:"currency,omitempty"` // as the user writes it, e.g. "USD"
	Prompt   float64 `json:"prompt"`             // a million prompt tokens
	Output   float64 `json:"output"`             // a million generated tokens
}

// orNil is nil for a price that was not given.
func (p Price) orNil() *Price {
	if p.Prompt == 0 && p.Output == 0 {
		return nil
	}
	return &p
}

// Cost of a number of tokens, in the price's currency.
func (p Price) Cost(prompt, output int64) float64 {
	return (float64(prompt)*p.Prompt + float64(output)*p.Output) / 1e6
}

// Data is one data set of a run.
type Data struct {
	Data string `json:"data"` // as given: ID[:PATH][?k=v&...]
	N    int    `json:"n"`    // items drawn; 0: all
}

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

// Limits bound a run.
type Limits struct {
	Attempts  int     `json:"attempts"`   // tries of one request before it counts as failed in this run
	FailShare float64 `json:"fail_share"` // more failed trials than this share, and the command ends with exit status 1
}

// DefaultSeed is the seed of a run that names none.
const DefaultSeed = 1

// defaultStem: edits of the question leave the passages alone (chain audit, section 4).
const defaultStem = "question"

// DefaultN is the number of items of a benchmark (chain paper, section 5).
const DefaultN = 200

// Conditions are the prompt conditions that a model is asked under, in their order: of the evidence audit, the base
// wording.
func (s Specification) Conditions(m Model) []string {
	if s.Evidence != nil {
		return []string{s.Evidence.Wording}
	}
	if len(m.Prompts) > 0 || s.Chain == nil {
		return m.Prompts
	}
	return s.Chain.Prompts
}

// WithDefaults fills in what was not said.
func (s Specification) WithDefaults() Specification {
	s.Version = Version
	s.Models = slices.Clone(s.Models)
	for i, m := range s.Models {
		if m.ID == "" {
			if p, err := ParseModel(m.Model); err == nil {
				s.Models[i].ID = p.ShortName()
			}
		}
	}
	if s.Limits.Attempts == 0 {
		s.Limits.Attempts = 3
	}
	if s.Limits.FailShare == 0 {
		s.Limits.FailShare = 0.03
	}
	if s.Chain != nil {
		c := *s.Chain
		if c.Battery == "" {
			c.Battery = "paper"
		}
		if len(c.Prompts) == 0 {
			c.Prompts = []string{"neutral"}
			for i, m := range s.Models {
				if m.Tier == medical && len(m.Prompts) == 0 {
					s.Models[i].Prompts = []string{"strict"}
				}
			}
		}
		c.Stem = cmp.Or(c.Stem, defaultStem)
		if c.Answer == "" {
			c.Answer = "text"
		}
		if c.MaxTokens == 0 {
			c.MaxTokens = 512
		}
		s.Chain = &c
	}
	return s
}

// Tiers are the groups of models that tables know (chain paper, Table 3). The prompts of "medical" are strict unless
// others are named.
func Tiers() []string { return []string{"general", "medical", "reasoning", "closed"} }

// problem is something wrong at a place of the specification, written as a YAML path.
type problem struct {
	path string
	err  error
}

// Check returns everything that is wrong, joined.
func (s Specification) Check() error {
	var errs []error
	for _, p := range s.problems() {
		errs = append(errs, p.err)
	}
	return errors.Join(errs...)
}

// problems lists everything that is wrong, in the order of the specification.
func (s Specification) problems() (out []problem) {
	add := func(path, format string, args ...any) { out = append(out, problem{path, fmt.Errorf(format, args...)}) }
	if len(s.Models) == 0 {
		add("$.models", "no model: give -m BACKEND:NAME, e.g. -m llama:smollm2-135m")
	}
	seen := map[string]bool{}
	for i, m := range s.Models {
		path := fmt.Sprintf("$.models[%d]", i)
		if _, err := ParseModel(m.Model); err != nil {
			add(path+".model", "%w", err)
		}
		if seen[m.ID] {
			add(path+".id", "two models are called %q: give each an id of its own", m.ID)
		}
		seen[m.ID] = true
		for j, p := range m.Prompts {
			if slices.Contains(m.Prompts[:j], p) {
				add(fmt.Sprintf("%s.prompts[%d]", path, j), "model %s: prompt condition %q is named twice", m.ID, p)
			}
		}
		if m.Tier != "" && !slices.Contains(Tiers(), m.Tier) {
			add(path+".tier", "model %s: tier %q: there are %s", m.ID, m.Tier, strings.Join(Tiers(), ", "))
		}
		if m.Role != "" && m.Role != "subject" {
			add(path+".role", "model %s: role %q: every model that is named is audited; leave role out", m.ID, m.Role)
		}
		if p := m.Price; p != nil && !(p.Prompt >= 0 && p.Output >= 0 && p.Prompt+p.Output <= math.MaxFloat64) {
			add(path+".price", "model %s: a price is a finite number and never negative", m.ID)
		}
	}
	if len(s.Data) == 0 {
		add("$.data", "no data set: give -d ID, e.g. -d demo or -d medqa")
	}
	sets := map[string]bool{}
	for i, d := range s.Data {
		if sets[d.Data] {
			add(fmt.Sprintf("$.data[%d].data", i), "data set %q is named twice", d.Data)
		}
		sets[d.Data] = true
	}
	if s.Limits.Attempts < 1 {
		add("$.limits.attempts", "attempts: %d: at least 1", s.Limits.Attempts)
	}
	if !(s.Limits.FailShare >= 0 && s.Limits.FailShare <= 1) {
		add("$.limits.fail_share", "fail_share: %g: a share from 0 to 1", s.Limits.FailShare)
	}
	switch {
	case s.Chain == nil && s.Evidence == nil:
		add("$.audits", "no audit: audits needs chain or evidence")
	case s.Chain != nil && s.Evidence != nil:
		add("$.audits", "two audits: chain asks questions and evidence asks cases, so each needs a run of its own")
	}
	if e := s.Evidence; e != nil {
		e.problems(add)
		for i, m := range s.Models {
			if len(m.Prompts) > 0 {
				add(fmt.Sprintf("$.models[%d].prompts", i), "model %s: prompt conditions belong to the chain audit; the evidence audit has wording", m.ID)
			}
		}
	}
	if c := s.Chain; c != nil {
		if !slices.Contains([]string{"text", "letters", "text+letters"}, c.Answer) {
			add("$.audits.chain.answer", "--answer %q: it is text, letters or text+letters", c.Answer)
		}
		if !slices.Contains([]string{"", defaultStem, "question+contexts"}, c.Stem) {
			add("$.audits.chain.stem", "--stem %q: it is question or question+contexts", c.Stem)
		}
		if c.MaxTokens < 1 {
			add("$.audits.chain.max_tokens", "--max-tokens %d: at least 1", c.MaxTokens)
		}
		for i, p := range c.Prompts {
			if slices.Contains(c.Prompts[:i], p) {
				add(fmt.Sprintf("$.audits.chain.prompts[%d]", i), "prompt condition %q is named twice", p)
			}
		}
	}
	return out
}
