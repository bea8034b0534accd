package chain

import (
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// Reduce implements percuss.Audit.
func (a *Audit) Reduce(s percuss.Subject, trials []percuss.Trial, answers percuss.Answers) percuss.Record {
	r := newReducer(s.Question, trials, answers)
	rec := r.described(s)
	rec.Given = a.o.Can[s.Model].Given
	rec.Base, _ = r.reading(BaseTrial, "")
	rec.Direct = Reading{State: NotFired, Why: "not asked"}
	if _, ok := r.trial(DirectTrial); ok {
		rec.Direct, _ = r.reading(DirectTrial, rec.Base.Answer)
	}
	for _, t := range trials {
		switch {
		case isControl(t.ID):
			rec.Controls = append(rec.Controls, r.control(t, rec.Base))
		case OfOperator(t.ID):
			out := r.operator(t, a.operators[t.ID], rec.Base)
			if out.Rule {
				out.Judged = r.verdicts(t.ID, a.o)
			}
			if rec.Operators == nil {
				rec.Operators = make([]OperatorTrial, 0, max(1, len(a.o.Battery.Operators)))
			}
			rec.Operators = append(rec.Operators, out)
		}
	}
	return rec
}

// reducer reads the trials of one subject.
type reducer struct {
	q       percuss.Question
	byID    map[string]*percuss.Trial
	answers percuss.Answers
	before  string // what stands before the stem in the baseline's question, as the model saw it
	after   string // and behind it
	placed  bool   // whether the stem was found there
}

func newReducer(q percuss.Question, trials []percuss.Trial, answers percuss.Answers) reducer {
	r := reducer{q: q, byID: make(map[string]*percuss.Trial, len(trials)), answers: answers}
	for i := range trials {
		r.byID[trials[i].ID] = &trials[i]
	}
	base, _ := r.trial(BaseTrial)
	if asked := userMessage(base); q.Stem != "" && strings.Count(asked, q.Stem) == 1 {
		r.before, r.after, r.placed = strings.Cut(asked, q.Stem)
	}
	return r
}

// trial returns a trial by its id; ok is false, and the trial zero, where there is none.
func (r reducer) trial(id string) (t percuss.Trial, ok bool) {
	found, ok := r.byID[id]
	if ok {
		t = *found
	}
	return t, ok
}

// userMessage is the last user turn of a trial's request; empty: it has none.
func userMessage(t percuss.Trial) string {
	if t.Request == nil {
		return ""
	}
	for i := len(t.Request.Messages) - 1; i >= 0; i-- {
		if m := t.Request.Messages[i]; m.Role == percuss.User {
			return m.Content
		}
	}
	return ""
}

// described is the record with what is known of the question without any answer.
func (r reducer) described(s percuss.Subject) Record {
	q := s.Question
	rec := Record{Subject: s.SubjectID, Gold: q.Gold, Options: len(q.Options), Domain: q.Domain, Kind: q.Kind, Surface: surfaceOf(q.Stem)}
	longest := -1
	var acute []string
	for _, o := range q.Options {
		if n := utf8.RuneCountInString(o.Text); n > longest {
			longest, rec.Longest = n, o.Label
		}
		if HighAcuity(o.Text) {
			acute = append(acute, o.Label)
		}
	}
	rec.Acute = strings.Join(acute, ",")
	return rec
}

// operator reads one operator's trial and compares it with the baseline.
func (r reducer) operator(t percuss.Trial, op battery.Operator, base Reading) OperatorTrial {
	l := labelsOf(t)
	out := OperatorTrial{ID: t.ID, Edit: l.Edit}
	out.Edit.Fired, out.Edit.Why = t.Fired, t.Why
	var chain string
	out.Reading, chain = r.reading(t.ID, base.Answer)
	out.Reading.Quoted = l.Quoted && t.Request != nil
	out.Flip = compare(base, out.Reading)
	if t.Fired && out.Reading.Outcome.HasText() {
		out.Token, out.Inflected, out.Rule = op.Registers(out.Edit, chain)
	}
	switch {
	case !t.Fired || op.Block != battery.M:
	case t.Request == nil:
		out.Surface = l.Surface
	default:
		out.Surface = r.editedSurface(t)
	}
	return out
}

// editedSurface measures the edited question in a trial's request: what stands between the words that surround the
// question of the baseline. nil: they are not all there, as where a passage was edited instead.
func (r reducer) editedSurface(t percuss.Trial) Surface {
	asked := userMessage(t)
	if !r.placed || len(asked) < len(r.before)+len(r.after) || !strings.HasPrefix(asked, r.before) || !strings.HasSuffix(asked, r.after) {
		return nil
	}
	return surfaceOf(asked[len(r.before) : len(asked)-len(r.after)])
}

// compare says whether the answer moved.
func compare(base, r Reading) Flip {
	switch {
	case base.State != Read || r.State != Read:
		return NoFlip
	case base.Via != r.Via && base.Answer == r.Answer:
		return MixedKept
	case base.Via != r.Via:
		return MixedFlip
	case base.Answer == r.Answer:
		return Kept
	}
	return Flipped
}
