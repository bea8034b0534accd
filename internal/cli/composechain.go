package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/judge"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// buildChain makes the chain audit.
func buildChain(s spec.Specification, items run.Items, can map[string]percuss.Capabilities, kept string, with reading) (*chain.Audit, map[string]string, error) {
	c := s.Chain
	labels, err := review.ReadLabels(with.human)
	if err != nil {
		return nil, nil, usage(err)
	}
	prompts, err := fromFile(kept, promptCopy, c.PromptFile, prompt.Default, prompt.Load)
	if err != nil {
		return nil, nil, err
	}
	b, err := loadBattery(kept, c)
	if err != nil {
		return nil, nil, usage(err)
	}
	models, err := describe(s, prompts)
	if err != nil {
		return nil, nil, usage(err)
	}
	o := chain.Options{Seed: s.Seed, Battery: b, Prompts: prompts, Answer: chain.AnswerMode(c.Answer), Stem: chain.StemMode(c.Stem),
		MaxTokens: c.MaxTokens, Direct: c.Direct, Can: can, Models: models, Margins: c.Margins, Questions: items.Questions, Labels: labels,
		Bootstrap: with.bootstrap}
	with.settings.apply(&o)
	prints := map[string]string{"battery": b.Fingerprint, promptPrint: prompts.Fingerprint, "splitter": chain.Splitter}
	for _, name := range c.Controls {
		o.Controls = append(o.Controls, chain.Control(name))
		prints["controls"] = chain.ControlsVersion
	}
	if judges := s.Judges(); len(judges) > 0 {
		if o.Rubric, err = fromFile(kept, rubricCopy, c.RubricFile, judge.Default, judge.Load); err != nil {
			return nil, nil, err
		}
		prints[rubricPrint] = o.Rubric.Fingerprint
		for _, j := range judges {
			o.Judges = append(o.Judges, chain.Judge{ID: j.ID, Identity: can[j.ID].Identity, Family: j.Family})
		}
	}
	return chain.New(o), prints, nil
}

// loadBattery loads the operators of a chain audit.
func loadBattery(kept string, c *spec.Chain) (battery.Battery, error) {
	if c.BatteryFile == "" {
		return battery.Parse(c.Battery)
	}
	b, err := fromFile(kept, batteryCopy, c.BatteryFile, nil, func(r io.Reader, name string) (battery.Battery, error) {
		return battery.Load(r, name, c.Battery)
	})
	if err == nil && kept == "" { // a report reads the copy of a run that was begun so
		err = unusedOperators(b, c)
	}
	return b, err
}

// rubricPrint names the fingerprint of the rubric, which a run has once it has a judge.
const rubricPrint = "rubric"

// promptPrint names the fingerprint of the wordings.
const promptPrint = "prompts"

// formerPrompts are the fingerprints of earlier built-in wordings whose texts stand unchanged in those of today, which have
// more beside them: every request that they made is still made.
var formerPrompts = [...]string{"435a6923fcf1ebbe"}

// samePrints reports whether what makes a run's requests now makes those that it was begun with. A rubric that comes with
// the first judge changes none of them.
func samePrints(old, now map[string]string) bool {
	now = maps.Clone(now)
	if _, had := old[rubricPrint]; !had {
		delete(now, rubricPrint)
		delete(now, stylePrint)
	}
	if slices.Contains(formerPrompts[:], old[promptPrint]) && now[promptPrint] == prompt.Default().Fingerprint {
		now[promptPrint] = old[promptPrint]
	}
	return maps.Equal(old, now)
}

// describe gathers what the specification says of the models that are audited, and refuses conditions that the wordings
// do not have.
func describe(s spec.Specification, prompts prompt.Set) (map[string]chain.Described, error) {
	models := map[string]chain.Described{}
	for _, m := range s.Subjects() {
		d := chain.Described{Tier: m.Tier, Family: m.Family}
		if n, err := spec.ParameterCount(m.Params); err == nil {
			d.Params = percuss.Num(n)
		}
		models[m.ID] = d
		for _, condition := range s.Conditions(m) {
			if err := prompts.Has(condition); err != nil {
				return nil, fmt.Errorf("--prompt: %w", err)
			}
		}
	}
	return models, nil
}
