package chain

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
)

// reading reads a text trial and its letters. reference is the baseline's answer, for the margin; empty: the
// reading's own. It also returns the chain.
func (r reducer) reading(id, reference string) (Reading, string) {
	t, _ := r.trial(id)
	letters, asked := r.trial(id + LettersSuffix)
	out, chain := r.readText(t, asked)
	if !asked || out.State == NoCall || out.State == Refused {
		return r.judge(r.companion(out, id, reference)), chain
	}
	switch answer, ok := r.answerOf(letters); {
	case letters.Request == nil && t.Fired:
		out.Why = letters.Why
	case letters.Request == nil:
		out = Reading{State: Unavailable, Why: letters.Why}
	case !ok:
		out.State, out.Why = NoCall, "the letters were not read"
	default:
		if out.Outcome == "" {
			out.Outcome = answer.Outcome
		}
		r.readLetters(&out, answer, reference)
	}
	return r.judge(out), chain
}

// companion adds the margin to an answer that was read from the text. It decides nothing: the letters may favour
// another answer.
func (r reducer) companion(out Reading, id, reference string) Reading {
	margin, _ := r.trial(id + MarginSuffix)
	answer, ok := r.answerOf(margin)
	if !ok || out.State != Read {
		return out
	}
	if reference == "" {
		reference = out.Answer
	}
	out.Margin = marginOf(answer.Letters, reference)
	return out
}

// answerOf returns the answer to a trial's request.
func (r reducer) answerOf(t percuss.Trial) (percuss.Answer, bool) {
	if t.Request == nil {
		return percuss.Answer{}, false
	}
	return r.answers.Answer(t.Key())
}

// readText reads the text of a trial. lettersDecide: a letters trial stands beside it.
func (r reducer) readText(t percuss.Trial, lettersDecide bool) (Reading, string) {
	switch {
	case t.ID == "":
		return Reading{State: NotFired, Why: "not asked"}, ""
	case t.Why == GivenOnly:
		return Reading{State: Unavailable, Why: t.Why}, ""
	case waiting(t):
		return Reading{State: Waiting, Why: t.Why}, ""
	case !t.Fired:
		return Reading{State: NotFired, Why: t.Why}, ""
	}
	answer, ok := r.answerOf(t)
	if !ok {
		return Reading{State: NoCall, Why: "no answer was stored"}, ""
	}
	got := clinical.ReadReply(answer, t.Request.Begin, r.q)
	out := Reading{State: Unparseable, Outcome: answer.Outcome, Via: ViaText}
	if !got.Usable() {
		out.Why, out.Via = answer.Detail, ""
		return out, ""
	}
	chain := got.Chain()
	out.Words, out.Steps, out.Block = countWords(chain), len(clinical.Steps(chain)), clinical.HasReasoning(chain)
	switch {
	case got.Read.Refused:
		out.State, out.Via = Refused, ""
	case lettersDecide:
		out.Via = ""
	case got.Read.Status == clinical.Parsed:
		out.State, out.Answer, out.Form = Read, got.Read.Label, got.Read.How
	case got.Read.Status == clinical.Ambiguous:
		out.State, out.Via = Ambiguous, ""
	default:
		out.Via = ""
	}
	return out, chain
}

// countWords is len(strings.Fields(text)) without making the words, which takes a third of the time.
func countWords(text string) (n int) {
	space, seen := 1, byte(0)
	for i := range len(text) {
		last, c := space, text[i]
		seen |= c
		space = 0
		if c == ' ' || c-'\t' <= '\r'-'\t' {
			space = 1
		}
		n += last &^ space
	}
	if seen >= utf8.RuneSelf {
		return len(strings.Fields(text))
	}
	return n
}

// readLetters puts the answer that the letters give into a reading.
func (r reducer) readLetters(out *Reading, answer percuss.Answer, reference string) {
	label, margin, ok := answer.Best()
	if !ok {
		out.State, out.Why = Unparseable, "the letters have no single best"
		return
	}
	out.State, out.Answer, out.Via, out.Margin = Read, label, ViaLetters, margin
	if reference != "" && reference != label {
		out.Margin = marginOf(answer.Letters, reference)
	}
}

// marginOf is a label's log-probability minus the best other's; missing when the label or all others have none.
func marginOf(scores []percuss.LetterScore, label string) percuss.Number {
	own, best := math.NaN(), math.Inf(-1)
	for _, l := range scores {
		v, ok := l.LogProb.Get()
		switch {
		case l.Letter == label && ok && !l.Censored:
			own = v
		case l.Letter != label && ok:
			best = max(best, v)
		}
	}
	return percuss.Num(own - best)
}

// judge compares a reading with the gold label and the acuity list.
func (r reducer) judge(out Reading) Reading {
	if out.State != Read {
		return out
	}
	out.Correct = out.Answer == r.q.Gold
	if o, ok := r.q.Option(out.Answer); ok {
		out.Acute = HighAcuity(o.Text)
	}
	return out
}
