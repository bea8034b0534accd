package step

import (
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
)

// Asks names the model that a trial asks where that is not the audited one: a judge, or the one that paraphrases.
func (a *Audit) Asks(trial string) (model string, ok bool) {
	if a.o.Neutral != nil && !OfChain(trial) && strings.HasSuffix(trial, wordsSuffix) {
		return a.o.Neutral.ID, true
	}
	return JudgeOf(trial)
}

// Text is one sampled chain in words.
type Text struct {
	Chain  string     // the reasoning, as it was written
	Answer string     // what follows it: the line with the answer, where there is one
	Views  []ViewText // as in the record's Chain
}

// ViewText is a chain as it was cut under one view.
type ViewText struct {
	View  string
	Steps []StepText // as in the record's Viewed
}

// StepText is one step in words.
type StepText struct {
	Written string
	Shown   string // in the words in which judges see it; empty: nothing is left of it, or its paraphrase is not there
}

// Texts are the chains of a subject in words, in the order of the record's, with steps cut as Reduce cuts them. A chain
// whose call has no answer is empty.
func (a *Audit) Texts(s percuss.Subject, trials []percuss.Trial, answers percuss.Answers) []Text {
	r := a.reducer(s.Question, trials, answers)
	var out []Text
	for n := 1; ; n++ {
		t, ok := r.byID[ChainTrial(n)]
		if !ok {
			return out
		}
		out = append(out, r.text(n, *t))
	}
}

// text is the n-th chain in words.
func (r *reducer) text(n int, t percuss.Trial) Text {
	answer, ok := r.answerOf(t)
	if !ok {
		return Text{}
	}
	reply := clinical.ReadReply(answer, "", r.q)
	if !reply.Usable() {
		return Text{Answer: answer.Text}
	}
	out := Text{Chain: reply.Chain(), Answer: strings.TrimSpace(reply.Text[reply.Read.ChainEnd:])}
	for i, v := range r.a.o.Views {
		if i > 0 && n > r.a.chainsUnder(i) {
			continue
		}
		view := ViewText{View: v.ID}
		for j, span := range r.cut(n, v, out.Chain) {
			w := span.In(out.Chain)
			view.Steps = append(view.Steps, StepText{Written: w, Shown: r.shown(StepID(n, v.ID, j+1), v, w)})
		}
		out.Views = append(out.Views, view)
	}
	return out
}

// shown is a step as judges see it under a view.
func (r *reducer) shown(id string, v View, written string) string {
	if v.Words == AsWritten {
		return strings.TrimSpace(written)
	}
	plain := r.a.o.Style.Normalise(written)
	t, ok := r.byID[id+wordsSuffix]
	if v.Words != Paraphrased || plain == "" || !ok {
		return plain
	}
	answer, ok := r.answerOf(*t)
	if !ok {
		return ""
	}
	if put, ok := r.a.o.Rubric.Paraphrased(answer); ok {
		return r.a.o.Style.Normalise(put)
	}
	return plain
}
