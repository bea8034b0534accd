package chain

import (
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/judge"
)

// judged asks every judge whether the chain that followed an edit uses it.
func (b *builder) judged(op battery.Operator, e battery.Edit, reply Reply) {
	if !judges(op) || !reply.usable() || reply.Chain() == "" {
		return
	}
	c := judge.Case{ID: b.caseID(op), Kind: op.Title + ": " + op.Does, Old: e.Old, New: e.New, Chain: reply.Chain()}
	for _, j := range b.a.o.Judges {
		id := judgeTrial(op.ID, j)
		r := b.a.o.Rubric.Ask(c, j.Identity, b.a.o.Seed)
		b.ask(id, b.a.o.Rubric.Fingerprint, labels{}, r)
		answer, ok := b.answers.Answer(r.Key())
		if !ok || b.a.o.Rubric.Read(answer) != judge.Malformed || !mendable(answer) {
			continue
		}
		b.ask(id+repairSuffix, b.a.o.Rubric.Fingerprint, labels{}, b.a.o.Rubric.Repair(c, j.Identity, b.a.o.Seed, answer))
	}
}

// judges reports whether a judge can say of an operator's trials whether the chain uses the edit.
func judges(op battery.Operator) bool { return op.Block == battery.M && registers(op.Family) }

// judgeTrial is the id of a judge's trial.
func judgeTrial(op string, j Judge) string { return op + judgeInfix + j.ID }

// caseID tells the trials of a run apart; it seeds what a judge sees first and is not shown.
func (b *builder) caseID(op battery.Operator) string {
	s := b.s.SubjectID
	return strings.Join([]string{s.Variant, s.Model, s.Set, s.Item, op.ID}, "\x00")
}

// mendable reports whether a malformed reply may come out better when it is asked for once more: one that the server
// refused would be refused again.
func mendable(a percuss.Answer) bool { return a.Outcome.HasText() || a.Outcome == percuss.Empty }
