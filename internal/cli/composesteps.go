package cli

import (
	"errors"
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/judge"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/step"
)

// The copies of a step audit's files.
const (
	stepRubricCopy = "step-rubric.yaml"
	styleCopy      = "style.yaml"
)

// stylePrint names the fingerprint of what the normaliser takes away.
const stylePrint = "style"

// buildSteps makes the step audit.
func buildSteps(s spec.Specification, can map[string]percuss.Capabilities, kept string, with reading) (*step.Audit, map[string]string, error) {
	st := s.Steps
	prompts, err := fromFile(kept, promptCopy, st.PromptFile, prompt.Default, prompt.Load)
	if err != nil {
		return nil, nil, err
	}
	style, err := fromFile(kept, styleCopy, st.StyleFile, step.DefaultStyle, step.LoadStyle)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range s.Subjects() {
		for _, condition := range s.Conditions(m) {
			if err := prompts.Has(condition); err != nil {
				return nil, nil, usage(fmt.Errorf("--prompt: %w", err))
			}
		}
	}
	o := step.Options{Seed: s.Seed, Prompts: prompts, K: st.K, Heat: st.Temperature, TopP: st.TopP, MaxTokens: st.MaxTokens, Views: viewsOf(st.Views),
		Judged: st.Judged, Control: st.Control, Most: st.Most, Repeats: st.Repeats, Style: style, Can: can, Models: describedSteps(s), Bootstrap: with.bootstrap, Experts: with.experts}
	prints := map[string]string{promptPrint: prompts.Fingerprint, "steps": step.Version}
	pairs, err := s.Pairs()
	if err != nil {
		return nil, nil, usage(err)
	}
	for _, p := range pairs {
		o.Pairs = append(o.Pairs, step.Pairing(p))
	}
	if o.Quality, err = with.quality.over(s); err != nil {
		return nil, nil, usage(err)
	}
	helpers := s.Helpers()
	if len(helpers) == 0 {
		return step.New(o), prints, nil
	}
	if o.Rubric, err = fromFile(kept, stepRubricCopy, st.RubricFile, judge.DefaultSteps, judge.LoadSteps); err != nil {
		return nil, nil, err
	}
	prints[rubricPrint], prints[stylePrint] = o.Rubric.Fingerprint, style.Fingerprint
	for _, m := range helpers {
		asked := step.Model{ID: m.ID, Identity: can[m.ID].Identity, Family: m.Family}
		if m.IsJudge() {
			o.Judges = append(o.Judges, asked)
		} else {
			o.Neutral = &asked
		}
	}
	return step.New(o), prints, nil
}

// viewsOf are views by their names; controls are cut as the first one is.
func viewsOf(names []string) []step.View {
	var out []step.View
	for i, name := range names {
		v := step.View{ID: name, By: step.Segmentation(name), Words: step.Normalised}
		if i > 0 {
			switch name {
			case "raw":
				v.By, v.Words = out[0].By, step.AsWritten
			case "gold":
				v.By, v.Gold = out[0].By, true
			case "paraphrase":
				v.By, v.Words = out[0].By, step.Paraphrased
			}
		}
		out = append(out, v)
	}
	return out
}

// describedSteps is what the specification says of the audited models.
func describedSteps(s spec.Specification) map[string]step.Described {
	out := map[string]step.Described{}
	for _, m := range s.Subjects() {
		d := step.Described{Tier: m.Tier, Family: m.Family}
		if m.Compared() {
			d.Role = step.Role(m.Role)
		}
		if n, err := spec.ParameterCount(m.Params); err == nil {
			d.Params = percuss.Num(n)
		}
		if m.Price != nil {
			d.Price, d.Money = percuss.Num(m.Price.Output), m.Price.Currency
		}
		out[m.ID] = d
	}
	return out
}

// checkReplies refuses to ask a log for more chains of a question than it has.
func checkReplies(id string, k, has int) error {
	if k <= has {
		return nil
	}
	if has == 1 {
		return usage(fmt.Errorf("model %s: its log has one reply to each question: use -k 1, or ?trigger=all where its replies are several chains", id))
	}
	return usage(fmt.Errorf("model %s: its log has at most %d replies to a question: use -k %d", id, has, has))
}

// errNoSteps is said of what only a step audit has.
var errNoSteps = errors.New("--judge-quality: only a step audit has judges whose rates are corrected")
