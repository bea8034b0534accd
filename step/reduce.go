package step

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/judge"
)

// emptyStep is a step of no words.
var emptyStep = judge.Step{}

// Reduce implements percuss.Audit.
func (a *Audit) Reduce(s percuss.Subject, trials []percuss.Trial, answers percuss.Answers) percuss.Record {
	q := s.Question
	rec := Record{Subject: s.SubjectID, Gold: q.Gold, Options: len(q.Options), Kind: q.Kind, Domain: q.Domain, Given: a.o.Can[s.Model].Given, Chains: []Chain{}}
	r := a.reducer(q, trials, answers)
	for n := 1; ; n++ {
		t, ok := r.byID[ChainTrial(n)]
		if !ok {
			break
		}
		rec.Chains = append(rec.Chains, r.chain(n, *t))
	}
	if rec.Given {
		rec.Chains = held(rec.Chains)
	}
	return rec
}

// held are the chains that a log has of a question, without those behind them that it was asked for in vain: it has fewer of
// this one. A log that was asked for all in vain has not got the question.
func held(all []Chain) []Chain {
	n := len(all)
	for n > 0 && all[n-1].State == NoCall {
		n--
	}
	if n == 0 {
		return all
	}
	return all[:n]
}

// reducer reads the trials of one subject.
type reducer struct {
	a       *Audit
	q       percuss.Question
	byID    map[string]*percuss.Trial
	spans   map[string][]clinical.Span // by "c3/markers": where the steps stood when they were asked about; an empty one was not
	answers percuss.Answers
	checks  func() checker // of the question; made at the first chain that is looked at
}

// reducer reads trials that have been asked for.
func (a *Audit) reducer(q percuss.Question, trials []percuss.Trial, answers percuss.Answers) *reducer {
	r := &reducer{a: a, q: q, byID: make(map[string]*percuss.Trial, len(trials)), spans: map[string][]clinical.Span{}, answers: answers,
		checks: sync.OnceValue(func() checker { return checkerOf(q) })}
	for i := range trials {
		r.byID[trials[i].ID] = &trials[i]
		r.place(trials[i])
	}
	return r
}

// place notes where a step that was asked about stands in its chain.
func (r *reducer) place(t percuss.Trial) {
	chain, rest, ok := strings.Cut(t.ID, "/")
	view, rest, more := strings.Cut(rest, "/")
	if !ok || !more || len(t.Labels) == 0 {
		return
	}
	n := 0
	for _, c := range rest {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int(c-'0')
	}
	var l labels
	if n < 1 || n > mostSteps || json.Unmarshal(t.Labels, &l) != nil {
		return
	}
	all := r.spans[chain+"/"+view]
	for len(all) < n {
		all = append(all, clinical.Span{})
	}
	all[n-1] = clinical.Span{Start: l.From, End: l.To}
	r.spans[chain+"/"+view] = all
}

// mostSteps bounds the number of a step that a ledger may name.
const mostSteps = 100_000

// answerOf is the answer to a trial.
func (r *reducer) answerOf(t percuss.Trial) (percuss.Answer, bool) {
	if t.Request == nil {
		return percuss.Answer{}, false
	}
	return r.answers.Answer(t.Key())
}

// chain reads the n-th chain and what was said of its steps.
func (r *reducer) chain(n int, t percuss.Trial) Chain {
	answer, ok := r.answerOf(t)
	if !ok {
		return Chain{State: NoCall, Views: []Viewed{}}
	}
	reply := clinical.ReadReply(answer, "", r.q)
	c := Chain{State: stateOf(reply), Outcome: answer.Outcome, Tokens: answer.Usage.Output, Prompt: answer.Usage.Prompt, Views: []Viewed{}}
	if c.State == Read {
		c.Answer = reply.Read.Label
		c.Correct = c.Answer == r.q.Gold
	}
	if !reply.Usable() {
		return c
	}
	text := reply.Chain()
	c.Words = len(strings.Fields(text))
	for i, v := range r.a.o.Views {
		if i == 0 || n <= r.a.chainsUnder(i) {
			c.Views = append(c.Views, r.viewed(n, i, v, text))
		}
	}
	return c
}

// stateOf says what became of a chain whose call was answered.
func stateOf(r clinical.Reply) State {
	switch {
	case !r.Usable():
		return Unparseable
	case r.Read.Status == clinical.Parsed:
		return Read
	case r.Read.Status == clinical.Ambiguous:
		return Ambiguous
	case r.Read.Refused:
		return Refused
	}
	return Unparseable
}

// viewed cuts a chain as it was cut when it was asked about, or as this version does where nothing was asked.
func (r *reducer) viewed(n, i int, v View, text string) Viewed {
	out := Viewed{View: v.ID, Steps: []Step{}}
	earlier := map[float64]bool{} // numbers of the steps before
	for j, span := range r.cut(n, v, text) {
		w := span.In(text)
		s := Step{Words: len(strings.Fields(w)), Hedged: r.a.o.Style.Hedged(w)}
		plain := r.a.o.Style.Normalise(w)
		s.Blank = plain == "" && v.Words != AsWritten
		if i == 0 {
			s.Checks = r.checks().check(earlier, w)
			maps.Copy(earlier, knownNumbers(w))
		}
		if id := StepID(n, v.ID, j+1); n <= r.a.chainsUnder(i) && j < r.a.o.Most && !s.Blank {
			s.Says, s.Again = r.verdicts(id, judgeInfix), r.again(id)
			if i == 0 {
				s.Features, s.Raw = features(plain), features(w)
			}
		}
		out.Steps = append(out.Steps, s)
	}
	return out
}

// cut are the steps of a chain: where the ledger has them, those, with what stands between them as this version cuts it.
func (r *reducer) cut(n int, v View, text string) []clinical.Span {
	now := Segment(text, v.By)
	asked := r.spans[ChainTrial(n)+"/"+v.ID]
	for i, s := range asked {
		if s.End > len(text) || s.Start > s.End || s.End > s.Start && (i >= len(now) || now[i] != s) {
			return known(asked, text)
		}
	}
	return now
}

// known are the steps that a ledger names, with what lies between two of them as a step of its own: one that was blank then.
func known(asked []clinical.Span, text string) []clinical.Span {
	out := slices.Clone(asked)
	at := 0
	for i, s := range out {
		if s.End > len(text) || s.Start >= s.End || s.Start < at {
			out[i] = clinical.Span{Start: at, End: at}
		}
		at = out[i].End
	}
	return out
}

// verdicts are what the judges said of a step, one each; nil where none was asked.
func (r *reducer) verdicts(step, infix string) []Verdict {
	var out []Verdict
	for _, j := range r.a.o.Judges {
		out = append(out, r.verdict(step+infix+j.ID, j.ID))
	}
	return out
}

// again are what the judges said of a step when they were asked once more; nil where they were not.
func (r *reducer) again(step string) []Verdict {
	for _, j := range r.a.o.Judges {
		if _, ok := r.byID[step+againInfix+j.ID]; ok {
			return r.verdicts(step, againInfix)
		}
	}
	return nil
}

// Why there is no verdict.
const (
	notAsked    = "the judge was not asked"
	noAnswer    = "the judge's answer is not there"
	verdictCut  = "the judge's reply was cut at its token limit before a verdict in the form that was asked for"
	verdictForm = "the judge's reply names no verdict in the form that was asked for"
)

// verdict is what one judge said: in its reply, or in that to the request to say it once more.
func (r *reducer) verdict(id, name string) Verdict {
	v := Verdict{Judge: name, Says: Missing, Why: notAsked}
	for _, id := range []string{id, id + repairSuffix} {
		t, ok := r.byID[id]
		if !ok {
			break
		}
		answer, ok := r.answerOf(*t)
		if !ok {
			if v.Asked == 0 {
				v.Why = noAnswer
			}
			break
		}
		v.Asked++
		if v.Says, v.Why = r.said(answer); v.Says != Missing {
			break
		}
	}
	return v
}

// said reads a judge's reply.
func (r *reducer) said(answer percuss.Answer) (Says, string) {
	if !mendable(answer) {
		return Missing, "the call to the judge ended in " + string(answer.Outcome)
	}
	switch got := r.a.o.Rubric.Read(answer); got.Label {
	case judge.StepCorrect:
		return Correct, ""
	case judge.StepAbstain:
		return Abstain, ""
	case judge.StepError:
		if kind := Says(got.Kind); kind.IsError() {
			return kind, ""
		}
		return Erroneous, ""
	}
	if answer.Outcome == percuss.Truncated {
		return Missing, verdictCut
	}
	return Missing, verdictForm
}
