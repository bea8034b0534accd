package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/spec"
)

// buildAudit makes the audit of a specification, and its fingerprints.
func buildAudit(s spec.Specification, can map[string]percuss.Capabilities) (*chain.Audit, map[string]string, error) {
	c := s.Chain
	if c == nil {
		return nil, nil, usage(errors.New("the specification names no audit"))
	}
	prompts := prompt.Default()
	if c.PromptFile != "" {
		f, err := os.Open(c.PromptFile)
		if err != nil {
			return nil, nil, usage(err)
		}
		defer f.Close()
		if prompts, err = prompt.Load(f, filepath.Base(c.PromptFile)); err != nil {
			return nil, nil, usage(err)
		}
	}
	var b battery.Battery
	var err error
	if c.BatteryFile == "" {
		b, err = battery.Parse(c.Battery)
	} else {
		var f *os.File
		if f, err = os.Open(c.BatteryFile); err == nil {
			defer f.Close()
			b, err = battery.Load(f, c.Battery)
		}
	}
	if err != nil {
		return nil, nil, usage(err)
	}
	for _, condition := range c.Prompts {
		if !slices.Contains(prompts.Conditions(), condition) {
			return nil, nil, usage(fmt.Errorf("--prompt %q: there are %s", condition, strings.Join(prompts.Conditions(), ", ")))
		}
	}
	tiers := map[string]string{}
	for _, m := range s.Models {
		tiers[m.ID] = m.Tier
	}
	audit := chain.New(chain.Options{Seed: s.Seed, Battery: b, Prompts: prompts, Answer: chain.AnswerMode(c.Answer),
		MaxTokens: c.MaxTokens, Direct: c.Direct, Can: can, Tiers: tiers})
	return audit, map[string]string{"battery": b.Fingerprint, "prompts": prompts.Fingerprint, "splitter": chain.Splitter}, nil
}

// checkCapabilities refuses an audit that a back-end cannot serve, before anything is asked.
func checkCapabilities(id string, can percuss.Capabilities, c *spec.Chain) error {
	if !can.Text {
		return usage(fmt.Errorf("model %s generates no text, which the chain audit needs", id))
	}
	if c.Answer != "text" && (!can.Letters || !can.Continue) {
		return usage(fmt.Errorf("model %s gives no log-probabilities after a given chain, which --answer %s needs: use --answer text", id, c.Answer))
	}
	return nil
}

// versions of what makes a run.
func versions() map[string]string {
	return map[string]string{"percuss": Version, "go": runtime.Version()}
}
