package chain

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/clinical"
)

// The ids of the trials that are no operator's and no control's. Those of an operator or a control have its id. What a
// trial needs besides its own request has its id and one of the suffixes.
const (
	BaseTrial   = "base"
	DirectTrial = "direct"

	LettersSuffix = "/letters" // the letters after the reply, which decide or help out
	MarginSuffix  = "/margin"  // the letters after a reply whose text has the answer, for the margin alone
	DonorSuffix   = "/donor"   // another item's baseline, whose chain the operator uses
	judgeInfix    = "/judge:"  // before the judge's id: its verdict
	repairSuffix  = "/repair"  // the verdict asked for once more
)

// OfOperator reports whether a trial is an operator's own: neither the baseline, the direct question or a control, nor
// what another trial needs besides.
func OfOperator(id string) bool {
	return id != BaseTrial && id != DirectTrial && !strings.Contains(id, "/") && !isControl(id)
}

// The Whys of trials that wait for an earlier answer.
const (
	waits      = "waiting for the baseline"
	waitsDonor = "waiting for the baseline of the item whose chain is used"
)

// waiting reports whether a trial may still fire, once an earlier answer is there.
func waiting(t percuss.Trial) bool { return !t.Fired && (t.Why == waits || t.Why == waitsDonor) }

// GivenOnly is why a trial on a foreign log has no request. An edit that could be made counts as fired all the same.
const GivenOnly = "a foreign log holds the baseline only"

// otherDomain is why edits of the question do not fire outside medicine (chain audit, section 1).
const otherDomain = "edits of the question are for clinical questions"

// directTokens is the limit of an answer without a chain: one line.
const directTokens = 32

// labels is what the ledger keeps of a trial beside its key: all that Reduce needs to know of the edit.
type labels struct {
	battery.Edit
	Quoted bool  `json:"quoted,omitempty"`
	Order  []int `json:"order,omitempty"` // of a shuffle: which option of the question stands at each place, from 0
	// Surface is that of the edited question where no request holds it, as of a foreign log.
	Surface Surface `json:"surface,omitempty"`
}

// labelsOf reads what a ledger kept. A row that another version wrote may hold more; what is known is read.
func labelsOf(t percuss.Trial) labels {
	var l labels
	if len(t.Labels) > 0 {
		_ = json.Unmarshal(t.Labels, &l)
	}
	return l
}

// Trials implements percuss.Audit.
func (a *Audit) Trials(s percuss.Subject, answers percuss.Answers) []percuss.Trial {
	b := newBuilder(a, s, answers)
	b.reply = b.text(call{id: BaseTrial, q: b.own})
	if a.o.Direct {
		b.direct()
	}
	for _, c := range a.o.Controls {
		b.control(c)
	}
	for _, op := range a.o.Battery.Operators {
		if op.Block == battery.M {
			b.stemEdit(op)
		} else {
			b.chainEdit(op)
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
	reply   *clinical.Reply // the baseline's; nil: not there yet

	own    *posed // the subject's question as it stands
	prompt func(q percuss.Question, direct bool) ([]percuss.Message, error)
}

func newBuilder(a *Audit, s percuss.Subject, answers percuss.Answers) builder {
	b := builder{a: a, s: s, answers: answers, can: a.o.Can[s.Model], own: &posed{Question: s.Question}}
	b.trials = make([]percuss.Trial, 0, 2+len(a.o.Controls)+len(a.o.Battery.Operators))
	b.prompt = a.o.Prompts.Prompter(s.Variant, s.System)
	return b
}

// posed is a question as it is shown, with the messages that put it: several trials put the same.
type posed struct {
	percuss.Question
	messages [2][]percuss.Message // with the sentence that asks for steps, and without; nil: not made yet
}

// chat returns the messages that put a question. They are the caller's.
func (b *builder) chat(q *posed, direct bool) []percuss.Message {
	made := &q.messages[0]
	if direct {
		made = &q.messages[1]
	}
	if *made == nil {
		var err error
		if *made, err = b.prompt(q.Question, direct); err != nil {
			// The condition was checked when the run was resolved; a template that fails on one question only is
			// still asked, with the question alone, rather than losing the subject.
			*made = []percuss.Message{{Role: percuss.User, Content: q.Stem}}
		}
	}
	return slices.Clone(*made)
}

// ask appends a fired trial; without a request where nothing but the baseline can be asked.
func (b *builder) ask(id, version string, l labels, r percuss.Request) {
	t := percuss.Trial{ID: id, Fired: true, Version: version}
	if b.can.Given && id != BaseTrial {
		t.Why = GivenOnly
	} else {
		t.Ask(r)
	}
	if raw, err := json.Marshal(l); err == nil && string(raw) != "{}" {
		t.Labels = raw
	}
	b.trials = append(b.trials, t)
}

// last returns the answer to the trial that was just asked.
func (b *builder) last() (percuss.Answer, bool) {
	return b.answers.Answer(b.trials[len(b.trials)-1].Key())
}

// skip appends a trial that did not fire.
func (b *builder) skip(id, version, why string) {
	b.trials = append(b.trials, percuss.Trial{ID: id, Version: version, Why: why})
}

// call is a question as it is put, and how its reply is to be taken up.
type call struct {
	id, version string
	q           *posed
	begin       string  // beginning of the assistant's turn
	replicate   int     // number of a repetition
	form        Control // FormatMarkers or FormatSpace: how the options are written; empty: as the prompts have them
	bare        bool    // only the text counts: no letters, no margin
	labels      labels
}

// request is the call that puts a question to the model with the given beginning of its turn.
func (b *builder) request(c call, begin string, direct bool) percuss.Request {
	messages := b.chat(c.q, direct)
	last := &messages[len(messages)-1].Content
	if c.form != "" {
		*last, _ = rewritten(*last, c.q.Options, c.form)
	}
	r := percuss.Request{Model: b.s.Identity, Messages: messages, Begin: begin, Sampling: percuss.Greedy(b.a.o.MaxTokens), Replicate: c.replicate}
	if begin != "" && !b.can.Continue {
		r.Begin = ""
		*last += "\n\n" + b.a.o.Prompts.Quotation(begin)
	}
	return r
}

// takesUp reports whether what is asked next may hang on a reply; reading one takes most of the time of a report.
func (b *builder) takesUp(c call) bool {
	return c.bare || c.id == BaseTrial || b.a.o.Answer != Text || len(b.a.o.Judges) > 0 || b.margins(c)
}

// text asks for a chain or its continuation and, as the settings want, for the letters after it. It returns the reply
// once it is there, if anything hangs on it.
func (b *builder) text(c call) *clinical.Reply {
	c.labels.Quoted = c.begin != "" && !b.can.Continue
	b.ask(c.id, c.version, c.labels, b.request(c, c.begin, false))
	if b.trials[len(b.trials)-1].Request == nil || !b.takesUp(c) {
		return nil
	}
	answer, ok := b.last()
	if !ok {
		return nil
	}
	got := clinical.ReadReply(answer, c.begin, c.q.Question)
	switch {
	case c.bare:
	case b.wantsLetters(got):
		b.letters(c, LettersSuffix, b.a.o.Prompts.Close(got.Chain()), false)
	case got.Read.Status == clinical.Parsed && b.margins(c):
		b.letters(c, MarginSuffix, b.a.o.Prompts.Close(got.Chain()), false)
	}
	return &got
}
