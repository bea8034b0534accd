package cli

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/step"
)

// counting counts what each model of a run would be asked.
type counting struct {
	audit     percuss.Audit
	rows      []planned
	at        map[string]*planned      // by the model's id
	verdicts  map[string]verdictTokens // by the judge's id
	given     map[string]bool          // by the model's id: a foreign log, which is asked for its baselines alone
	seen      map[percuss.Key]bool
	maxTokens int // of a chain
}

// verdictTokens is the size of a request to a judge: its prompt but for the chain, and the longest reply.
type verdictTokens struct{ prompt, output int64 }

func newCounting(audit percuss.Audit, m run.Manifest) *counting {
	c := &counting{audit: audit, rows: make([]planned, len(m.Spec.Models)), at: map[string]*planned{},
		verdicts: map[string]verdictTokens{}, given: map[string]bool{}, seen: map[percuss.Key]bool{}}
	for i, model := range m.Spec.Models {
		c.rows[i].Model = model.ID
		c.at[model.ID] = &c.rows[i]
		c.given[model.ID] = m.Capabilities[model.ID].Given
	}
	if m.Spec.Chain != nil {
		c.maxTokens = m.Spec.Chain.MaxTokens
	}
	if m.Spec.Steps != nil {
		c.maxTokens = m.Spec.Steps.MaxTokens
	}
	helps := func(id, role string, r percuss.Request) {
		c.at[id].Role = role
		c.verdicts[id] = verdictTokens{promptTokens(r), int64(r.Sampling.MaxTokens)}
	}
	switch a := audit.(type) {
	case *chain.Audit:
		for _, j := range a.Judges() {
			helps(j.ID, "judge", a.Judging(j))
		}
	case *step.Audit:
		for _, j := range a.Judges() {
			helps(j.ID, "judge", a.Judging(j))
		}
		if n := a.Neutral(); n != nil {
			helps(n.ID, "paraphraser", a.Paraphrasing(*n))
		}
	}
	return c
}

// add counts one subject's requests, each for the model that it names.
func (c *counting) add(s percuss.Subject, answers percuss.Answers) {
	trials := c.audit.Trials(s, answers)
	own := c.at[s.Model]
	own.Subjects++
	for id := range c.verdicts {
		c.at[id].Subjects++
	}
	if why := refusalOf(trials); why != "" && s.Case != nil {
		own.Refused++
		if len(own.Why) < foretold {
			own.Why = append(own.Why, s.Item+": "+why)
		}
	}
	var base int64
	for _, t := range trials {
		if t.Request == nil {
			continue
		}
		p := own
		if id, ok := c.asks(t.ID); ok {
			p = c.at[id]
		} else {
			base = max(base, promptTokens(*t.Request))
		}
		if key := t.Key(); !c.seen[key] {
			c.seen[key] = true
			_, known := answers.Answer(key)
			p.ask(*t.Request, known)
		}
	}
	if _, steps := c.audit.(*step.Audit); steps || !c.given[s.Model] {
		c.later(own, s, trials, answers, base)
	}
}

// asks names the model that a trial asks where that is not the audited one, which may be the same by another id.
func (c *counting) asks(trial string) (id string, ok bool) {
	switch a := c.audit.(type) {
	case *chain.Audit:
		return chain.JudgeOf(trial)
	case *step.Audit:
		return a.Asks(trial)
	}
	return "", false
}

// ask counts one request.
func (p *planned) ask(r percuss.Request, known bool) {
	if known {
		p.Known++
		return
	}
	p.Sure++
	p.PromptTokens += promptTokens(r)
	p.OutputTokens += int64(max(1, r.Sampling.MaxTokens))
}

// later counts what may be asked for that depends on answers which are not there yet. base is the subject's longest
// prompt; what is added to it, or shown to a judge, is at most a chain.
func (c *counting) later(own *planned, s percuss.Subject, trials []percuss.Trial, answers percuss.Answers, base int64) {
	texts, letters := 0, 0
	switch audit := c.audit.(type) {
	case *chain.Audit:
		l := audit.Later(s, trials, answers)
		texts, letters = l.Texts, l.Letters
		for id, n := range l.Judged {
			p, size := c.at[id], c.verdicts[id]
			p.Later += n
			p.PromptTokens += int64(n) * (size.prompt + int64(c.maxTokens))
			p.OutputTokens += int64(n) * size.output
		}
	case *step.Audit:
		l := audit.Later(s, trials, answers)
		for id, n := range l.Asked {
			p, size := c.at[id], c.verdicts[id]
			p.Later += n
			p.PromptTokens += int64(n) * (size.prompt + base + int64(c.maxTokens)/2) // the question, and half a chain on the mean
			p.OutputTokens += int64(n) * size.output
		}
	case *evidence.Audit:
		letters = audit.Later(s, trials)
	}
	own.Later += texts + letters
	own.PromptTokens += int64(texts+letters) * (base + int64(c.maxTokens))
	own.OutputTokens += int64(texts)*int64(c.maxTokens) + int64(letters)
}
