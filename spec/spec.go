// Package spec holds the resolved specification of a run: everything that a flag can say, with defaults filled in and
// checked. It is kept in the run's folder, and a resumed run is compared with it.
package spec

import (
	"cmp"
	"slices"
)

// Version is the format of a specification.
const Version = 1

// Specification is a run as it was resolved.
type Specification struct {
	Version int     `json:"version"`
	Seed    uint64  `json:"seed"`
	Models  []Model `json:"models"`
	Data    []Data  `json:"data"`
	// Chain, Evidence and Steps are the audits; a run has one of them.
	Chain    *Chain    `json:"chain,omitempty"`
	Evidence *Evidence `json:"evidence,omitempty"`
	Steps    *Steps    `json:"steps,omitempty"`
	Limits   Limits    `json:"limits"`
}

// Model is one model of a run.
type Model struct {
	ID           string `json:"id"`               // what tables call it
	Model        string `json:"model"`            // as given: BACKEND:NAME[?k=v&...][@URL]
	Role         string `json:"role,omitempty"`   // "subject", also when empty, "judge", or one of the step audit's
	Pair         string `json:"pair,omitempty"`   // of models that are compared, the name of the comparison
	Tier         string `json:"tier,omitempty"`   // for grouping: "general", "medical", "reasoning", "closed"
	Family       string `json:"family,omitempty"` // for grouping and for the judge's warning
	Params       string `json:"params,omitempty"` // parameter count, e.g. "135M"
	SystemPrompt string `json:"system_prompt,omitempty"`
	// Prompts are the model's own prompt conditions; empty: those of the audit.
	Prompts []string `json:"prompts,omitempty"`
	Price   *Price   `json:"price,omitempty"`   // nil: not known; it steers nothing
	Limits  *Rate    `json:"limits,omitempty"`  // nil: those of the run
	Quality *Quality `json:"quality,omitempty"` // of a judge of steps; nil: not known
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

// Limits bound a run.
type Limits struct {
	Attempts  int     `json:"attempts"`   // tries of one request before it counts as failed in this run
	FailShare float64 `json:"fail_share"` // more failed trials than this share, and the command ends with exit status 1
	Rate              // of each model that a server answers for, unless it has its own
}

// Rate is what may be sent to a server in a minute, evenly; 0: no bound. It steers nothing but time and may change while
// a run goes on.
type Rate struct {
	RequestsPerMinute int `json:"requests_per_minute,omitempty"`
	TokensPerMinute   int `json:"tokens_per_minute,omitempty"` // of prompts and replies together
}

// Rate is what may be sent to the server of a model: each number its own, or else that of the run.
func (s Specification) Rate(m Model) Rate {
	rate := s.Limits.Rate
	if m.Limits != nil {
		rate.RequestsPerMinute = cmp.Or(m.Limits.RequestsPerMinute, rate.RequestsPerMinute)
		rate.TokensPerMinute = cmp.Or(m.Limits.TokensPerMinute, rate.TokensPerMinute)
	}
	return rate
}

// DefaultSeed is the seed of a run that names none.
const DefaultSeed = 1

// defaultStem: edits of the question leave the passages alone (chain audit, section 4).
const defaultStem = "question"

// DefaultN is the number of items of a benchmark (chain paper, section 5).
const DefaultN = 200

// Conditions are the prompt conditions that a model is asked under, in their order: of the evidence audit, the base
// wording. A judge or paraphraser has none.
func (s Specification) Conditions(m Model) []string {
	switch {
	case m.Helps():
		return nil
	case s.Evidence != nil:
		return []string{s.Evidence.Wording}
	case len(m.Prompts) > 0:
		return m.Prompts
	case s.Chain != nil:
		return s.Chain.Prompts
	case s.Steps != nil:
		return s.Steps.Prompts
	}
	return nil
}

// WithDefaults fills in what was not said. Controls and margins stay as they are, for a run of a version that had none
// goes on without; what a file leaves out of them is filled in by Read.
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
				if m.Tier == medical && !m.IsJudge() && len(m.Prompts) == 0 {
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
	if s.Steps != nil {
		st := s.Steps.withDefaults(s)
		s.Steps = &st
	}
	return s
}

// Tiers are the groups of models that tables know (chain paper, Table 3). The prompts of "medical" are strict unless
// others are named.
func Tiers() []string { return []string{"general", "medical", "reasoning", "closed"} }
