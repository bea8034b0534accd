package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
)

// itemView is the fold-out of one item.
type itemView struct {
	percuss.Subject
	Base   string // how the baseline was answered
	Chain  string // of the baseline
	Answer string // the rest of the baseline's reply
	Direct string
	Trials []trialView
}

// trialView is one operator on the item.
type trialView struct {
	ID, Title, Why string
	Fired          bool
	Pieces         []piece
	Continuation   string
	Reply          string // of an edit of the question
	Moved          string
	Registers      string
	Quoted         bool
}

func newItemView(it Item, b battery.Battery) itemView {
	v := itemView{Subject: it.Subject, Base: reading(it.Record.Base), Direct: reading(it.Record.Direct)}
	base := find(it.Trials, chain.BaseTrial)
	whole, end := reply(it, base)
	v.Chain, v.Answer = strings.TrimSpace(whole[:end]), strings.TrimSpace(whole[end:])
	given := strings.TrimRight(whole[:end], " \t\r\n")
	operators := make(map[string]battery.Operator, len(b.Operators))
	for _, op := range b.Operators {
		operators[op.ID] = op
	}
	read := make(map[string]chain.OperatorTrial, len(it.Record.Operators))
	for _, t := range it.Record.Operators {
		read[t.ID] = t
	}
	for _, t := range it.Trials {
		if t.ID == chain.BaseTrial || t.ID == chain.DirectTrial || strings.HasSuffix(t.ID, chain.LettersSuffix) {
			continue
		}
		op, known := operators[t.ID]
		if !known && strings.HasPrefix(t.ID, "F") {
			op.Block = battery.F
		}
		v.Trials = append(v.Trials, newTrialView(it, t, op, read[t.ID], base, given))
	}
	return v
}

func newTrialView(it Item, t percuss.Trial, op battery.Operator, o chain.OperatorTrial, base percuss.Trial, given string) trialView {
	v := trialView{ID: t.ID, Title: op.Title, Why: t.Why, Fired: t.Fired}
	if !t.Fired {
		return v
	}
	v.Moved, v.Registers = moved(it.Record.Base, o), registered(o)
	if t.Request == nil {
		return v
	}
	text, _ := reply(it, t)
	if op.Block == battery.F {
		v.Continuation = text
		edited := t.Request.Begin
		if edited == "" { // the back-end cannot continue: the chain is quoted after the question
			v.Quoted = true
			edited = strings.TrimSpace(strings.TrimPrefix(lastUser(t.Request), lastUser(base.Request)))
		}
		v.Pieces = diff(given, edited)
		return v
	}
	v.Reply = text
	v.Pieces = diff(lastUser(base.Request), lastUser(t.Request))
	return v
}

func find(trials []percuss.Trial, id string) percuss.Trial {
	for _, t := range trials {
		if t.ID == id {
			return t
		}
	}
	return percuss.Trial{}
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

// reply is the new text of a trial as the audit reads it, and where its chain ends.
func reply(it Item, t percuss.Trial) (text string, end int) {
	if t.Request == nil || it.Answers == nil {
		return "", 0
	}
	a, ok := it.Answers.Answer(t.Request.Key())
	if !ok {
		return "", 0
	}
	r := chain.ReadReply(a, t.Request.Begin, it.Subject.Question.Options)
	return r.Text, r.Read.ChainEnd
}

// reading says what was answered and how it was read.
func reading(r chain.Reading) string {
	if r.State != chain.Read {
		out := "no answer"
		if r.State != "" {
			out += " (" + strings.ReplaceAll(string(r.State), "_", " ") + ")"
		}
		if r.Why != "" {
			out += ": " + r.Why
		}
		return out
	}
	right := "wrong"
	if r.Correct {
		right = "right"
	}
	return fmt.Sprintf("%s (%s, read from the %s)", r.Answer, right, r.Via)
}

// moved says what the edit did to the answer.
func moved(base chain.Reading, o chain.OperatorTrial) string {
	verdict := map[chain.Flip]string{chain.Kept: "stays", chain.Flipped: "flips",
		chain.MixedKept: "stays, but read in another way: in no rate", chain.MixedFlip: "differs, but read in another way: in no rate"}[o.Flip]
	if verdict == "" {
		verdict = "not comparable: in no rate"
	}
	return fmt.Sprintf("%s → %s: %s", reading(base), reading(o.Reading), verdict)
}

// registered says whether the chain shows the edit.
func registered(o chain.OperatorTrial) string {
	switch {
	case !o.Rule:
		return ""
	case o.Token:
		return "The chain registers the edit (token rule)."
	case o.Inflected:
		return "The chain registers the edit under the inflected rule only."
	}
	return "The chain shows no trace of the edit."
}

// abridge shortens the stretches longer than long bytes that did not change to ends bytes at either side.
func abridge(pieces []piece, long, ends int) []piece {
	out := slices.Clone(pieces)
	for i, p := range out {
		if p.Kind != same || len(p.Text) <= long {
			continue
		}
		head := strings.ToValidUTF8(p.Text[:ends], "")
		tail := strings.ToValidUTF8(p.Text[len(p.Text)-ends:], "")
		gone := len(strings.Fields(p.Text)) - len(strings.Fields(head)) - len(strings.Fields(tail))
		out[i].Text = fmt.Sprintf("%s … [about %d words unchanged] … %s", head, max(0, gone), tail)
	}
	return out
}

// Abridged is what the page shows of the diff.
func (v trialView) Abridged() []piece { return abridge(v.Pieces, 900, 300) }
