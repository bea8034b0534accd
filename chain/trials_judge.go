package chain

import (
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/judge"
)

// judged asks every judge whether the chain that followed an edited question uses the edit.
func (b *builder) judged(op battery.Operator, e battery.Edit, edited percuss.Question, reply clinical.Reply) {
	if len(b.a.o.Judges) == 0 || !judges(op) || !reply.Usable() {
		return
	}
	c := judge.Case{ID: b.caseID(op), Kind: kindOf(op), Chain: reply.Chain()}
	if _, _, ruled := op.Registers(e, c.Chain); !ruled || c.Chain == "" {
		return
	}
	if c.Old, c.New = passages(wholeText(b.s.Question), wholeText(edited)); len(c.Old)+len(c.New) > longPassages {
		c.Old, c.New = e.Old, e.New
	}
	for _, j := range b.a.o.Judges {
		id := judgeTrial(op.ID, j)
		b.ask(id, b.a.o.Rubric.Fingerprint, labels{}, b.a.o.Rubric.Ask(c, j.Identity, b.a.o.Seed))
		answer, ok := b.last()
		if !ok || b.a.o.Rubric.Read(answer) != judge.Malformed || !mendable(answer) {
			continue
		}
		b.ask(id+repairSuffix, b.a.o.Rubric.Fingerprint, labels{}, b.a.o.Rubric.Repair(c, j.Identity, b.a.o.Seed, answer))
	}
}

// judges reports whether a judge is asked about an operator's trials: those for which the token rule is defined, so that
// both can be held side by side.
func judges(op battery.Operator) bool { return op.Block == battery.M && op.Registering() }

// kindOf says what kind of edit an operator makes.
func kindOf(op battery.Operator) string {
	if op.Family == "M2" { // one family, two kinds
		kind, _, _ := strings.Cut(op.Variant, "-")
		return kind
	}
	return op.Title
}

// longPassages is the length of both passages together, in bytes, from which a judge sees the edited words alone.
const longPassages = 1200

// wholeText is all that an operator may have edited of a question.
func wholeText(q percuss.Question) string {
	return strings.Join(append(slices.Clone(q.Context), q.Stem), passageGap)
}

// passages are the sentences that an edit changed, as they were and as they are: a judge must see what a word such as
// "severe" is said of.
func passages(was, is string) (old, now string) {
	before, after := commonEnds(was, is)
	after = min(after, len(was)-before, len(is)-before)
	return touched(was, before, len(was)-after), touched(is, before, len(is)-after)
}

// touched are the sentences of a text that reach into a range of its bytes, or border on it where it is empty.
func touched(text string, from, to int) string {
	start, end := from, to
	for _, s := range clinical.Sentences(text) {
		if s.Start <= from && from <= s.End {
			start = min(start, s.Start)
		}
		if s.Start <= to && to <= s.End && end == to {
			end = s.End
		}
	}
	return strings.TrimSpace(text[start:end])
}

// judgeTrial is the id of a judge's trial.
func judgeTrial(op string, j Judge) string { return op + judgeInfix + j.ID }

// JudgeOf returns the id of the judge that a trial asks, and whether it asks one.
func JudgeOf(id string) (judge string, ok bool) {
	_, judge, ok = strings.Cut(id, judgeInfix)
	return strings.TrimSuffix(judge, repairSuffix), ok
}

// caseID tells the trials of a run apart; it seeds what a judge sees first and is not shown.
func (b *builder) caseID(op battery.Operator) string {
	s := b.s.SubjectID
	return strings.Join([]string{s.Variant, s.Model, s.Set, s.Item, op.ID}, "\x00")
}

// mendable reports whether a malformed reply may come out better when it is asked for once more: one that the server
// refused would be refused again.
func mendable(a percuss.Answer) bool { return a.Outcome.HasText() || a.Outcome == percuss.Empty }
