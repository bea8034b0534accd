package spec

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

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
	s.modelProblems(add)
	s.dataProblems(add)
	if s.Limits.Attempts < 1 {
		add("$.limits.attempts", "attempts: %d: at least 1", s.Limits.Attempts)
	}
	if !(s.Limits.FailShare >= 0 && s.Limits.FailShare <= 1) {
		add("$.limits.fail_share", "fail_share: %g: a share from 0 to 1", s.Limits.FailShare)
	}
	s.Limits.Rate.problems("$.limits", "limits", add)
	switch s.audits() {
	case 0:
		add("$.audits", "no audit: audits needs chain, evidence or steps")
	case 1:
	default:
		add("$.audits", "several audits: chain edits questions and chains, evidence asks cases and steps samples chains, so each needs a run of its own")
	}
	if s.Evidence != nil {
		s.Evidence.problems(add)
	}
	if s.Chain != nil {
		s.Chain.problems(len(s.Judges()) > 0, add)
	}
	if s.Steps != nil {
		s.Steps.problems(len(s.Judges()) > 0, s.Paraphraser() != nil, add)
		s.pairProblems(add)
	}
	return out
}

// audits is how many audits the specification has.
func (s Specification) audits() (n int) {
	for _, has := range []bool{s.Chain != nil, s.Evidence != nil, s.Steps != nil} {
		if has {
			n++
		}
	}
	return n
}

// pairProblems lists what is wrong with the comparisons of a step audit.
func (s Specification) pairProblems(add func(path, format string, args ...any)) {
	pairs, err := s.Pairs()
	if err != nil {
		add("$.models", "%w", err)
	}
	prompts := func(id string) []string {
		for _, m := range s.Models {
			if m.ID == id {
				return s.Conditions(m)
			}
		}
		return nil
	}
	for _, p := range pairs {
		if a, b := prompts(p.Before), prompts(p.After); !slices.Equal(a, b) {
			add("$.models", "models %s and %s are compared and asked under other prompt conditions (%s; %s): give both the same prompts", p.Before, p.After, strings.Join(a, ", "), strings.Join(b, ", "))
		}
	}
}

// problems lists what is wrong with a rate. of says whose it is.
func (r Rate) problems(path, of string, add func(path, format string, args ...any)) {
	if n := r.RequestsPerMinute; n < 0 {
		add(path+".requests_per_minute", "%s: requests_per_minute: %d: at least 1, or left out for no bound", of, n)
	}
	if n := r.TokensPerMinute; n < 0 {
		add(path+".tokens_per_minute", "%s: tokens_per_minute: %d: at least 1, or left out for no bound", of, n)
	}
}

// modelProblems lists what is wrong with the models.
func (s Specification) modelProblems(add func(path, format string, args ...any)) {
	if len(s.Models) == 0 {
		add("$.models", "no model: give -m BACKEND:NAME, e.g. -m llama:smollm2-135m")
	} else if len(s.Subjects()) == 0 {
		add("$.models", "every model is a judge or a paraphraser: name one that is audited, without a role")
	}
	seen, asked := map[string]bool{}, map[string]string{}
	for i, m := range s.Models {
		at := func(field string) string { return fmt.Sprintf("$.models[%d].%s", i, field) }
		arg, err := ParseModel(m.Model)
		if err != nil {
			add(at("model"), "%w", err)
		}
		if seen[m.ID] {
			add(at("id"), "two models are called %q: give each an id of its own", m.ID)
		}
		seen[m.ID] = true
		same := fmt.Sprintf("%t %t %q %s", m.IsJudge(), m.Helps(), m.SystemPrompt, arg.canonical())
		if first, ok := asked[same]; ok && first != m.ID && err == nil {
			add(at("model"), "model %s is model %s once more, and would give the same answers: leave one of them out (prompts: [neutral, strict] asks one model under two conditions)", m.ID, first)
		}
		asked[same] = m.ID
		m.problems(at, add)
		s.roleProblems(m, at, add)
	}
}

// roleProblems lists what of a model does not go with its role in the audit.
func (s Specification) roleProblems(m Model, at func(field string) string, add func(path, format string, args ...any)) {
	switch {
	case m.IsJudge() && s.Evidence != nil:
		add(at("role"), "model %s: the evidence audit has no judge, for its answers are letters: leave the model out", m.ID)
	case s.Steps == nil && (m.Compared() || m.Role == Paraphraser):
		add(at("role"), "model %s: role %s belongs to the step audit (percuss steps): leave it out", m.ID, m.Role)
	case m.Role == Paraphraser && s.Paraphraser().ID != m.ID:
		add(at("role"), "model %s: a second paraphraser: one puts the steps of all models in the same words", m.ID)
	case m.Helps() && len(m.Prompts) > 0:
		add(at("prompts"), "model %s: prompt conditions are for models that are audited; a %s is asked under its rubric (rubric_file): leave prompts out", m.ID, m.Role)
	case m.Helps() && m.SystemPrompt != "":
		add(at("system_prompt"), "model %s: a %s is asked under its rubric (rubric_file): leave system_prompt out", m.ID, m.Role)
	case s.Evidence != nil && len(m.Prompts) > 0:
		add(at("prompts"), "model %s: prompt conditions belong to the chain audit; the evidence audit has wording", m.ID)
	case m.Pair != "" && !m.Compared():
		add(at("pair"), "model %s: a pair is of models with role %s, %s or %s", m.ID, Before, After, Teacher)
	case m.Quality != nil && (!m.IsJudge() || s.Steps == nil):
		add(at("quality"), "model %s: quality is that of a judge in a step audit", m.ID)
	case m.Quality != nil && m.Quality.Check() != nil:
		add(at("quality"), "model %s: quality: %w", m.ID, m.Quality.Check())
	}
}

// problems lists what is wrong with one model by itself.
func (m Model) problems(at func(field string) string, add func(path, format string, args ...any)) {
	for j, p := range m.Prompts {
		if slices.Contains(m.Prompts[:j], p) {
			add(fmt.Sprintf("%s[%d]", at("prompts"), j), "model %s: prompt condition %q is named twice", m.ID, p)
		}
	}
	if m.Tier != "" && !slices.Contains(Tiers(), m.Tier) {
		add(at("tier"), "model %s: tier %q: there are %s", m.ID, m.Tier, strings.Join(Tiers(), ", "))
	}
	if !m.Helps() && !slices.Contains(audited, m.Role) {
		add(at("role"), "model %s: role %q: it is %s, which may be left out, or %s; in a step audit also %s, %s, %s or %s", m.ID, m.Role, Subject, Judge, Before, After, Teacher, Paraphraser)
	}
	if m.Params != "" {
		if _, err := ParameterCount(m.Params); err != nil {
			add(at("params"), "model %s: %w", m.ID, err)
		}
	}
	if m.Limits != nil {
		m.Limits.problems(at("limits"), "model "+m.ID+": limits", add)
	}
	if p := m.Price; p != nil && !(p.Prompt >= 0 && p.Output >= 0 && p.Prompt+p.Output <= math.MaxFloat64) {
		add(at("price"), "model %s: a price is a finite number and never negative", m.ID)
	}
}

// dataProblems lists what is wrong with the data sets.
func (s Specification) dataProblems(add func(path, format string, args ...any)) {
	if len(s.Data) == 0 {
		add("$.data", "no data set: give -d ID, e.g. -d demo or -d medqa")
	}
	sets := map[string]bool{}
	for i, d := range s.Data {
		path := fmt.Sprintf("$.data[%d].data", i)
		if sets[d.Data] {
			add(path, "data set %q is named twice", d.Data)
		}
		sets[d.Data] = true
		set := d.Data
		if end := strings.IndexAny(set, ":?"); end >= 0 {
			set = set[:end]
		}
		switch {
		case s.Evidence != nil && slices.Contains(QuestionSets(), set):
			add(path, "data set %s holds questions: use `percuss chain -d %s`; the evidence audit needs cases: %s, demo or custom:FILE", set, d.Data, strings.Join(CaseSets(), ", "))
		case s.Chain != nil && s.Evidence == nil && slices.Contains(CaseSets(), set):
			add(path, "data set %s holds cases: use `percuss evidence -d %s`; the chain audit needs questions: %s, demo or custom:FILE", set, d.Data, strings.Join(QuestionSets(), ", "))
		case s.Steps != nil && slices.Contains(CaseSets(), set):
			add(path, "data set %s holds cases: use `percuss evidence -d %s`; the step audit needs questions: %s, demo or custom:FILE", set, d.Data, strings.Join(QuestionSets(), ", "))
		case s.Chain != nil && s.Chain.Answer == "letters" && set == numbers:
			add(path, "data set %s has numbers for answers, which no letter stands for: use answer: text (--answer text), or text+letters beside other sets", set)
		}
	}
}

// QuestionSets are the names of sets that hold questions only.
func QuestionSets() []string {
	return []string{"medqa", "medmcqa", "pubmedqa", "mmlu-medical", numbers, "strategyqa"}
}

// CaseSets are the names of sets that hold cases only.
func CaseSets() []string { return []string{"ddxplus", "cupcase", "medcase"} }

// numbers is the set whose answers are numbers.
const numbers = "gsm8k"
