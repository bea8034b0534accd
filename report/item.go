package report

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/internal/worddiff"
)

// itemView is one item as a page or a terminal shows it.
type itemView struct {
	ItemPage           // what stands around it on a page of its own; Number counts from 1 in the order of the walk
	Subject            percuss.Subject
	File, Prev, Next   string // names of the item's page and of its neighbours'; empty: there is none
	Base               string // how the baseline was answered
	Chain              string // of the baseline
	Answer             string // the rest of the baseline's reply
	Direct             string
	Trials             []trialView
	Controls           []controlView
	Judged, Margins    bool      // judges were asked of an edit; a margin is known after one
	Around             [2]string // what a quoted chain stood between, where one did
	of                 Item
	record             chain.Record
	destructive, other tally // of the edits by intent

	// Filled in for the item's own page.
	Parts  []markedPart
	Bars   *optionBars // at once and after the chain
	First  *trialView  // the trial whose part comes first
	Calls  []callRow
	Scores scoreTable
}

// tally counts the trials of one kind that could be compared with the baseline.
type tally struct{ Flips, Compared int }

// trialView is one operator on the item.
type trialView struct {
	ID, Title, Why string
	Intent         battery.Intent
	Fired          bool
	Pieces         []worddiff.Piece
	Continuation   string
	Reply          string // of an edit of the question
	Change         string // the answers alone, e.g. "A → B"
	Verdict        string // whether it flips
	Moved          string // both, with how they were read
	Registers      string
	Judges         []string // what each judge said
	Margin         string   // how the margin of the baseline's answer moved, nats
	Donor          string   // what the item was asked whose chain stands in this one's place
	Quoted         bool
	Rough          bool   // Pieces are one change, for there were too many to align
	unwrapped      bool   // the words around the quoted chain were taken off
	OfChain        bool   // the chain was edited, not the question
	said           string // the new text, and where its chain ends in it, in bytes
	end            int
	read           chain.Reading

	// Filled in for the item's own page.
	Bars  *optionBars // before and after the edit
	Sides []sideRow   // the baseline's reply and that to an edited question
	Href  string      // of the request and its answer
}

func newItemView(it Item, b battery.Battery) itemView {
	v := itemView{Subject: it.Subject, Base: reading(it.Record.Base), Direct: reading(it.Record.Direct), of: it, record: it.Record}
	base := find(it.Trials, chain.BaseTrial)
	whole, end := reply(it, base)
	v.Chain, v.Answer = strings.TrimSpace(whole[:end]), strings.TrimSpace(whole[end:])
	given := strings.TrimRight(whole[:end], " \t\r\n")
	v.Controls = controlsOf(it, base)
	operators := make(map[string]battery.Operator, len(b.Operators))
	for _, op := range b.Operators {
		operators[op.ID] = op
	}
	read := make(map[string]chain.OperatorTrial, len(it.Record.Operators))
	for _, t := range it.Record.Operators {
		read[t.ID] = t
	}
	for _, t := range it.Trials {
		if !chain.OfOperator(t.ID) {
			continue
		}
		op, known := operators[t.ID]
		if !known && strings.HasPrefix(t.ID, "F") {
			op.Block = battery.F
		}
		v.count(op.Intent, read[t.ID].Flip)
		view := newTrialView(it, t, op, read[t.ID], base, given)
		if view.unwrapped {
			v.Around = [2]string{it.Before, it.After}
		}
		v.Judged, v.Margins = v.Judged || len(view.Judges) > 0, v.Margins || view.Margin != ""
		v.Trials = append(v.Trials, view)
	}
	return v
}

// Wrapper is what a quoted chain stood between, in one line; empty: none was quoted, or the words are not known.
func (v itemView) Wrapper() string {
	if v.Around == [2]string{} {
		return ""
	}
	return strings.Join(strings.Fields(v.Around[0]+" […] "+v.Around[1]), " ")
}

// FirstID is the trial whose part comes first; empty: none.
func (v *itemView) FirstID() string {
	if v.First == nil {
		return ""
	}
	return v.First.ID
}

// count adds one trial to its intent's tally.
func (v *itemView) count(intent battery.Intent, flip chain.Flip) {
	of := &v.other
	if intent == battery.Destructive {
		of = &v.destructive
	}
	switch flip {
	case chain.Flipped:
		of.Flips++
		of.Compared++
	case chain.Kept:
		of.Compared++
	}
}

func newTrialView(it Item, t percuss.Trial, op battery.Operator, o chain.OperatorTrial, base percuss.Trial, given string) trialView {
	v := trialView{ID: t.ID, Title: op.Title, Intent: op.Intent, Why: t.Why, Fired: t.Fired, OfChain: op.Block == battery.F, read: o.Reading}
	if !t.Fired {
		return v
	}
	v.Verdict = verdict(o)
	v.Change = letter(it.Record.Base) + " → " + letter(o.Reading)
	v.Moved = moved(it.Record.Base, o.Reading, v.Verdict)
	v.Registers, v.Judges = registered(o), judgements(o)
	v.Margin, v.Donor = marginOf(it.Record.Base, o.Reading), donorOf(it, t.ID)
	if t.Request == nil {
		return v
	}
	text, end := reply(it, t)
	v.said, v.end = text, end
	var aligned bool
	if v.OfChain {
		v.Continuation = strings.Trim(text, "\r\n")
		edited := t.Request.Begin
		a, _ := answerTo(it, t)
		v.Quoted = edited == "" || a.Continued == percuss.Quotes
		if edited == "" { // the back-end cannot continue: the chain is quoted after the question
			edited, v.unwrapped = unwrap(it, strings.TrimPrefix(lastUser(t.Request), lastUser(base.Request)))
		}
		v.Pieces, aligned = worddiff.Compared(given, edited)
		v.Rough = !aligned
		return v
	}
	v.Reply = text
	v.Pieces, aligned = worddiff.Compared(lastUser(base.Request), lastUser(t.Request))
	v.Rough = !aligned
	return v
}

// unwrap takes the words off that a quoted chain stands between, and says whether they were the known ones.
func unwrap(it Item, quoted string) (chain string, ok bool) {
	quoted = strings.TrimPrefix(quoted, "\n\n")
	rest, before := strings.CutPrefix(quoted, it.Before)
	inner, after := strings.CutSuffix(rest, it.After)
	if before && after && it.Before+it.After != "" {
		return inner, true
	}
	return strings.TrimSpace(quoted), false
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
	a, ok := it.Answers.Answer(t.Key())
	if !ok {
		return "", 0
	}
	r := clinical.ReadReply(a, t.Request.Begin, it.Subject.Question)
	return r.Text, r.Read.ChainEnd
}

// reading says what was answered and how it was read.
func reading(r chain.Reading) string {
	switch {
	case r.State == chain.Read:
		right := "wrong"
		if r.Correct {
			right = "right"
		}
		return fmt.Sprintf("%s (%s, read from the %s)", r.Answer, right, r.Via)
	case r.State == chain.NotFired && r.Why == "not asked":
		return r.Why
	case r.State == chain.NoCall && r.Why == "no answer was stored":
		return "no answer was stored"
	}
	out := "no answer"
	if r.State != "" {
		out += " (" + strings.ReplaceAll(string(r.State), "_", " ") + ")"
	}
	if r.Why != "" {
		out += ": " + r.Why
	}
	return out
}

// letter is the answer alone.
func letter(r chain.Reading) string {
	if r.State != chain.Read {
		return "–"
	}
	return r.Answer
}

// notCompared is the verdict on a trial whose answer, or the baseline's, is missing.
const notCompared = "cannot be compared, so it is counted in no rate"

// moved says how the baseline and a trial were answered, and what the edit did to the answer. Where neither has an answer, for
// the same reason, that is said once.
func moved(was, is chain.Reading, verdict string) string {
	before, after := reading(was), reading(is)
	if before == after && is.State != chain.Read {
		return "before and after " + after + "; " + verdict
	}
	return before + " → " + after + ": " + verdict
}

// verdict says what the edit did to the answer.
func verdict(o chain.OperatorTrial) string {
	switch o.Flip {
	case chain.Kept:
		return "stays"
	case chain.Flipped:
		return "flips"
	case chain.MixedKept:
		return "stays, but read in another way, so it is counted in no rate"
	case chain.MixedFlip:
		return "differs, but read in another way, so it is counted in no rate"
	}
	return notCompared
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
