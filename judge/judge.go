// Package judge asks a second model whether a chain of thought uses an edit: an eight-example rubric, and the strict
// reading of its reply (chain paper, section 6.4 and Table 7; our wording). It builds requests and reads answers; it never
// calls a model.
package judge

import (
	"github.com/percuss/percuss"
)

// Case is what a judge sees of one trial. It sees neither the question nor the answer nor whose chain it is.
type Case struct {
	ID    string // of the trial; seeds the order of the examples and of the two verdicts, and is not shown
	Kind  string // what kind of edit it was, in words, e.g. "age", "severity reversal"
	Old   string // the edited sentences as they were; empty: nothing stood there
	New   string // the same sentences as they are now; empty: nothing stands there
	Chain string // the reasoning that followed, without its answer line
}

// Verdict is what a judge's reply says.
type Verdict string

// The verdicts. A reply outside the grammar is Malformed, never a NotUpdated.
const (
	Updated    Verdict = "updated"
	NotUpdated Verdict = "not_updated"
	Malformed  Verdict = "malformed"
)

// line is how a reply states a verdict: the whole grammar.
func (v Verdict) line() string {
	switch v {
	case Updated:
		return "VERDICT: UPDATED"
	case NotUpdated:
		return "VERDICT: NOT UPDATED"
	}
	return ""
}

// purpose names the draw of an order.
const purpose = "judge order"

// Ask is the request that puts a case to a judge of the given identity: greedy, and short. The order of the examples and
// which verdict is named first are drawn for each case and judge, so that a judge that favours a place or the last thing it
// read does not lean one way over all cases. The zero Rubric asks as Default does.
func (r Rubric) Ask(c Case, identity string, seed uint64) percuss.Request {
	if r.system == nil {
		r = Default()
	}
	return percuss.Request{Model: identity, Sampling: percuss.Greedy(r.text.MaxTokens), Messages: r.messages(c, identity, seed)}
}

// Repair is the one request that follows a malformed reply: the conversation so far and a reminder of the grammar. A reply
// without text beyond its reasoning leaves no turn, for servers refuse an empty one; the reminder then closes the question.
func (r Rubric) Repair(c Case, identity string, seed uint64, malformed percuss.Answer) percuss.Request {
	if r.system == nil {
		r = Default()
	}
	return repaired(r.Ask(c, identity, seed), render(r.remind, r.scene(c, identity, seed)), malformed)
}

// repaired is a request with what it brought and a reminder behind it.
func repaired(q percuss.Request, reminder string, malformed percuss.Answer) percuss.Request {
	said, _ := afterReasoning(malformed.Text)
	if said == "" {
		q.Messages[len(q.Messages)-1].Content += "\n\n" + reminder
		return q
	}
	q.Messages = append(q.Messages, percuss.Message{Role: percuss.Assistant, Content: said},
		percuss.Message{Role: percuss.User, Content: reminder})
	return q
}

// messages are the turns that put a case.
func (r Rubric) messages(c Case, identity string, seed uint64) []percuss.Message {
	all := r.scene(c, identity, seed)
	return []percuss.Message{{Role: percuss.System, Content: render(r.system, all)}, {Role: percuss.User, Content: render(r.user, all)}}
}

// scene is everything that the templates may show.
type scene struct {
	Examples []shown
	Case     shown
	Verdicts []named
}

// scene lays out a case with examples and verdicts in the order drawn for it.
func (r Rubric) scene(c Case, identity string, seed uint64) scene {
	out := scene{Case: show(c), Verdicts: r.verdicts(c, identity, seed)}
	for _, i := range percuss.Rand(seed, c.ID, identity, purpose).Perm(len(r.text.Examples)) {
		e := r.text.Examples[i]
		s := show(Case{Kind: e.Kind, Old: e.Before, New: e.After, Chain: e.Chain})
		s.Verdict = Verdict(e.Verdict).line()
		out.Examples = append(out.Examples, s)
	}
	return out
}

// verdicts are the two in the order drawn for a case.
func (r Rubric) verdicts(c Case, identity string, seed uint64) []named {
	out := []named{{Updated.line(), r.text.Updated}, {NotUpdated.line(), r.text.NotUpdated}}
	if percuss.Rand(seed, c.ID, identity, purpose+" verdicts").IntN(2) == 1 {
		out[0], out[1] = out[1], out[0]
	}
	return out
}

// named is a verdict as the rubric states it.
type named struct{ Line, Means string }

// shown is a case or an example as the rubric shows it.
type shown struct{ Kind, Before, After, Chain, Verdict string }

// show lays a case out: the edit on one line each, the chain with a mark before each of its lines. Nothing in a chain can
// then pass for the end of the case, for another case or for an instruction of the rubric.
func show(c Case) shown {
	return shown{Kind: oneLine(c.Kind), Before: oneLine(c.Old), After: oneLine(c.New), Chain: quoted(c.Chain)}
}
