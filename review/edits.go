package review

import (
	"fmt"
	"iter"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/review/blind"
)

// Audited is one subject of a chain audit, with all that its answers hold.
type Audited struct {
	Subject percuss.Subject
	Record  chain.Record
	Trials  []percuss.Trial
	Answers percuss.Answers
}

// Chains is a run of the chain audit, to be sampled from. It is walked through twice: once to see what there is, and once
// for the texts of what was drawn.
type Chains struct {
	Run     string            // its name, for the key
	Battery battery.Battery   //
	Tiers   map[string]string // of the models, by id
	// Subjects yields those that are wanted, each time in the same order; nil: all.
	Subjects func(wanted func(percuss.SubjectID) bool) iter.Seq[Audited]
}

// operators are the operators of the battery by id.
func (c Chains) operators() map[string]battery.Operator {
	out := make(map[string]battery.Operator, len(c.Battery.Operators))
	for _, op := range c.Battery.Operators {
		out[op.ID] = op
	}
	return out
}

// trial returns a trial by its id.
func (a Audited) trial(id string) percuss.Trial {
	for _, t := range a.Trials {
		if t.ID == id {
			return t
		}
	}
	return percuss.Trial{}
}

// question is the text of the question before and after the edit of a trial, with the passages before it where the edit
// reached them. It is taken from what was asked, so that it holds for runs whose edits this version would make otherwise. An error: the trial
// is no edit of the question, or its requests do not hold it.
func (a Audited) question(id string) (blind.Change, error) {
	before, after := lastUser(a.trial(chain.BaseTrial).Request), lastUser(a.trial(id).Request)
	q := a.Subject.Question
	first := q.Stem
	for _, c := range q.Context {
		if strings.Contains(before, c) {
			first = c
			break
		}
	}
	stem := strings.LastIndex(before, q.Stem)
	if stem < 0 || after == "" {
		return blind.Change{}, fmt.Errorf("%s of %s: what was asked does not hold the question", id, a.Subject.SubjectID)
	}
	tail := before[stem+len(q.Stem):]
	for _, from := range []int{stem, strings.Index(before, first)} {
		head := before[:from]
		if strings.HasPrefix(after, head) && strings.HasSuffix(after, tail) && len(after) >= len(head)+len(tail) {
			return blind.Change{Before: before[from : stem+len(q.Stem)], After: after[from : len(after)-len(tail)]}, nil
		}
	}
	return blind.Change{}, fmt.Errorf("%s of %s: more than the question was edited", id, a.Subject.SubjectID)
}

// chain is the chain of a trial's reply; empty: there is none.
func (a Audited) chain(id string) string {
	t := a.trial(id)
	if t.Request == nil || a.Answers == nil {
		return ""
	}
	answer, ok := a.Answers.Answer(t.Key())
	if !ok || !answer.Outcome.HasText() {
		return ""
	}
	r := clinical.ReadReply(answer, t.Request.Begin, a.Subject.Question)
	return strings.TrimSpace(r.Text[:r.Read.ChainEnd])
}

// example is what a trial changed: the question, or the chain that was given back.
func (a Audited) example(op battery.Operator) (blind.Change, error) {
	if op.Block != battery.F {
		return a.question(op.ID)
	}
	before, after := a.chain(chain.BaseTrial), ""
	if r := a.trial(op.ID).Request; r != nil {
		after = strings.TrimSpace(r.Begin)
	}
	if before == "" || after == "" {
		return blind.Change{}, fmt.Errorf("%s of %s: no chain was given back", op.ID, a.Subject.SubjectID)
	}
	return blind.Change{Before: before, After: after}, nil
}

// lastUser is what the model was last told.
func lastUser(r *percuss.Request) string {
	if r == nil {
		return ""
	}
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == percuss.User {
			return r.Messages[i].Content
		}
	}
	return ""
}
