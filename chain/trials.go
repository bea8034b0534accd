package chain

import (
	"encoding/json"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/clinical"
)

// The ids of the trials that are no operator's. An operator's trial has the operator's id. A trial that reads the
// letters has the id of its text trial and this suffix.
const (
	BaseTrial     = "base"
	DirectTrial   = "direct"
	LettersSuffix = "/letters"
)

// waits is the Why of a trial whose earlier answer has not come yet.
const waits = "waiting for the baseline"

// directTokens is the limit of an answer without a chain: one line.
const directTokens = 32

// labels is what the ledger keeps of a trial beside its key: all that Reduce needs to know of the edit.
type labels struct {
	battery.Edit
	Quoted bool `json:"quoted,omitempty"`
}

// Trials implements percuss.Audit.
func (a *Audit) Trials(s percuss.Subject, answers percuss.Answers) []percuss.Trial {
	b := builder{a: a, s: s, answers: answers, can: a.o.Can[s.Model]}
	base := b.text(BaseTrial, s.Question, "", labels{}, "")
	if a.o.Direct {
		b.direct()
	}
	for _, op := range a.o.Battery.Operators {
		if op.Block == battery.M {
			b.stemEdit(op)
		} else {
			b.chainEdit(op, base)
		}
	}
	return b.trials
}

// builder gathers the trials of one subject.
type builder struct {
	a       *Audit
	s       percuss.Subject
	answers percuss.Answers
	can     percuss.Capabilities
	trials  []percuss.Trial
}

// ask appends a fired trial.
func (b *builder) ask(id, version string, l labels, r percuss.Request) {
	t := percuss.Trial{ID: id, Fired: true, Version: version, Request: &r}
	if raw, err := json.Marshal(l); err == nil && string(raw) != "{}" {
		t.Labels = raw
	}
	b.trials = append(b.trials, t)
}

// skip appends a trial that did not fire.
func (b *builder) skip(id, version, why string) {
	b.trials = append(b.trials, percuss.Trial{ID: id, Version: version, Why: why})
}

// request is the call that puts q to the model with the given beginning of its turn.
func (b *builder) request(q percuss.Question, begin string, direct bool) percuss.Request {
	messages, err := b.a.o.Prompts.Chat(q, b.s.Variant, b.s.System, direct)
	if err != nil {
		// The condition was checked when the run was resolved; a template that fails on one question only is
		// still asked, with the question alone, rather than losing the subject.
		messages = []percuss.Message{{Role: percuss.User, Content: q.Stem}}
	}
	r := percuss.Request{Model: b.s.Identity, Messages: messages, Begin: begin, Sampling: percuss.Greedy(b.a.o.MaxTokens)}
	if begin != "" && !b.can.Continue {
		r.Begin = ""
		r.Messages[len(r.Messages)-1].Content += "\n\n" + b.a.o.Prompts.Quotation(begin)
	}
	return r
}

// Reply is a text answer as the audit reads it.
type Reply struct {
	Answer percuss.Answer
	Begun  string           // the beginning that was given
	Text   string           // the new text, a reasoning field of its own put back in front
	Read   clinical.Reading // what was read from Text; ChainEnd is where the chain ends in it, in bytes
}

// Chain is the beginning and the new text up to the answer line.
func (r Reply) Chain() string {
	return strings.TrimRight(r.Begun+r.Text[:r.Read.ChainEnd], " \t\r\n")
}

// usable reports whether the reply's text may be looked at.
func (r Reply) usable() bool { return r.Answer.Outcome.HasText() }

// ReadReply reads an answer's text. The answer is looked for in the new text alone: what an edited chain concluded is
// no answer to the edit.
func ReadReply(a percuss.Answer, begun string, options []percuss.Option) Reply {
	r := Reply{Answer: a, Begun: begun, Text: a.Text}
	if a.Reasoning != "" {
		r.Text = clinical.BlockOpen + "\n" + a.Reasoning
		if a.Text != "" {
			r.Text += "\n" + clinical.BlockClose + "\n" + a.Text
		}
	}
	open := ""
	if clinical.InReasoning(begun) {
		open = clinical.BlockOpen
	}
	r.Read = clinical.ReadAnswer(open+r.Text, options, a.Outcome == percuss.Truncated)
	r.Read.ChainEnd = max(0, r.Read.ChainEnd-len(open))
	return r
}

// text asks for a chain or its continuation and, as the answer mode wants, for the letters after it. It returns the
// reply once it is there.
func (b *builder) text(id string, q percuss.Question, begin string, l labels, version string) *Reply {
	r := b.request(q, begin, false)
	l.Quoted = begin != "" && !b.can.Continue
	b.ask(id, version, l, r)
	answer, ok := b.answers.Answer(r.Key())
	if !ok {
		return nil
	}
	got := ReadReply(answer, begin, q.Options)
	if b.wantsLetters(got) {
		b.letters(id, q, b.a.o.Prompts.Close(got.Chain()), false, version)
	}
	return &got
}

// wantsLetters says whether the letters decide, or help out, after a reply.
func (b *builder) wantsLetters(r Reply) bool {
	switch {
	case !r.usable() && r.Answer.Outcome != percuss.Empty:
		return false
	case r.Read.Refused: // the letters would answer what the model would not
		return false
	case b.a.o.Answer == Letters:
		return true
	case b.a.o.Answer == TextLetters:
		return r.Read.Status != clinical.Parsed
	}
	return false
}

// letters asks for the log-probabilities of the option letters after a closed chain.
func (b *builder) letters(id string, q percuss.Question, begin string, direct bool, version string) {
	id += LettersSuffix
	if why := b.cannotScore(q); why != "" {
		b.skip(id, version, why)
		return
	}
	r := b.request(q, begin, direct)
	r.Sampling = percuss.Greedy(1)
	r.Want.Letters = q.Labels()
	b.ask(id, version, labels{}, r)
}

// cannotScore says why the letters of a question cannot be read, or nothing.
func (b *builder) cannotScore(q percuss.Question) string {
	if !b.can.Letters || !b.can.Continue {
		return "the back-end gives no log-probabilities after a given chain"
	}
	for _, l := range q.Labels() {
		if len(l) > 1 && !b.can.MultiLetter {
			return "label " + l + " is more than one token"
		}
	}
	return ""
}

// direct asks for the answer without a chain.
func (b *builder) direct() {
	q := b.s.Question
	if b.a.o.Answer == Letters {
		b.skip(DirectTrial, "", "the letters are read at once")
		b.letters(DirectTrial, q, b.a.o.Prompts.Close(""), true, "")
		return
	}
	r := b.request(q, "", true)
	r.Sampling = percuss.Greedy(directTokens)
	b.ask(DirectTrial, "", labels{}, r)
	answer, ok := b.answers.Answer(r.Key())
	if !ok {
		return
	}
	if b.wantsLetters(ReadReply(answer, "", q.Options)) {
		b.letters(DirectTrial, q, b.a.o.Prompts.Close(""), true, "")
	}
}

// stemEdit puts the edited question.
func (b *builder) stemEdit(op battery.Operator) {
	e, q := b.a.o.Stem.edit(op, b.s.Question, b.a.o.Seed)
	if !e.Fired {
		b.skip(op.ID, op.Version, e.Why)
		return
	}
	b.text(op.ID, q, "", labels{Edit: e}, op.Version)
}

// chainEdit gives the edited baseline chain as the beginning of the turn.
func (b *builder) chainEdit(op battery.Operator, base *Reply) {
	switch {
	case base == nil:
		b.skip(op.ID, op.Version, waits)
		return
	case !base.usable():
		b.skip(op.ID, op.Version, "the baseline has no chain: "+string(base.Answer.Outcome))
		return
	}
	if base.Read.Refused {
		b.skip(op.ID, op.Version, refusedBase)
		return
	}
	chain := base.Chain()
	if chain == "" {
		b.skip(op.ID, op.Version, "the baseline has no chain")
		return
	}
	e := op.Apply(chain, b.a.o.Seed, b.s.Question.ID)
	if !e.Fired {
		b.skip(op.ID, op.Version, e.Why)
		return
	}
	b.text(op.ID, b.s.Question, strings.TrimRight(e.Text, " \t\r\n"), labels{Edit: e}, op.Version)
}
