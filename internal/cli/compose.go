package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// buildAudit makes the audit of a specification, and its fingerprints.
// kept is the folder of a run, which holds copies of the files that it was begun with; empty: the files themselves are
// read.
func buildAudit(s spec.Specification, can map[string]percuss.Capabilities, kept string) (*chain.Audit, map[string]string, error) {
	c := s.Chain
	if c == nil {
		return nil, nil, usage(errors.New("the specification names no audit"))
	}
	prompts := prompt.Default()
	if c.PromptFile != "" {
		f, err := os.Open(copyOf(kept, promptCopy, c.PromptFile))
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
		if f, err = os.Open(copyOf(kept, batteryCopy, c.BatteryFile)); err == nil {
			defer f.Close()
			b, err = battery.Load(f, c.Battery)
		}
	}
	if err != nil {
		return nil, nil, usage(err)
	}
	tiers := map[string]string{}
	for _, m := range s.Models {
		tiers[m.ID] = m.Tier
		for _, condition := range s.Conditions(m) {
			if !slices.Contains(prompts.Conditions(), condition) {
				return nil, nil, usage(fmt.Errorf("--prompt %q: there are %s", condition, strings.Join(prompts.Conditions(), ", ")))
			}
		}
	}
	audit := chain.New(chain.Options{Seed: s.Seed, Battery: b, Prompts: prompts, Answer: chain.AnswerMode(c.Answer), Stem: chain.StemMode(c.Stem),
		MaxTokens: c.MaxTokens, Direct: c.Direct, Can: can, Tiers: tiers})
	return audit, map[string]string{"battery": b.Fingerprint, "prompts": prompts.Fingerprint, "splitter": chain.Splitter}, nil
}

// The copies of a run's files, so that it can be read when the files are gone or have changed.
const (
	promptCopy  = "prompts.yaml"
	batteryCopy = "operators.yaml"
)

// copyOf is the run's copy of a file, or the file itself where there is none.
func copyOf(kept, name, given string) string {
	if kept != "" {
		if at := filepath.Join(kept, name); fileExists(at) {
			return at
		}
	}
	return given
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// keepFiles copies the files that a run is begun with into its folder.
func keepFiles(dir string, c *spec.Chain) error {
	for name, given := range map[string]string{promptCopy: c.PromptFile, batteryCopy: c.BatteryFile} {
		if given == "" || gone(given) {
			continue
		}
		raw, err := os.ReadFile(given)
		if err != nil {
			return err
		}
		if err := run.WriteFile(filepath.Join(dir, name), func(w io.Writer) error { _, err := w.Write(raw); return err }); err != nil {
			return err
		}
	}
	return nil
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
