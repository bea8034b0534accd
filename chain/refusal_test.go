package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

const declines = "I'm sorry, but I can't help with medical advice."

// declining refuses the questions that match.
func declining(match func(asked string) bool) func(percuss.Request) percuss.Answer {
	return func(r percuss.Request) percuss.Answer {
		if len(r.Want.Letters) == 0 && match(r.Messages[len(r.Messages)-1].Content) {
			return percuss.Answer{Outcome: percuss.OK, Text: declines}
		}
		return stubborn(r)
	}
}

// countOf finds a count by the beginning of its name.
func countOf(counts []Count, name string) int {
	for _, c := range counts {
		if strings.HasPrefix(c.Name, name) {
			return c.N
		}
	}
	return -1
}

// TestRefusals: a model that declines is asked for no letters in any mode, and enters no rate.
func TestRefusals(t *testing.T) {
	for _, mode := range []AnswerMode{Text, TextLetters, Letters} {
		a, s := audit(t, mode, able), subject()
		trials, known := settle(t, a, s, declining(func(string) bool { return true }))
		rec := a.Reduce(s, trials, known).(Record)
		if rec.Base.State != Refused || rec.Base.Answer != "" || rec.Base.Margin.OK() {
			t.Errorf("%s: baseline %+v", mode, rec.Base)
		}
		for _, tr := range trials {
			if strings.HasSuffix(tr.ID, LettersSuffix) && tr.ID != DirectTrial+LettersSuffix {
				t.Errorf("%s: %s is asked for after a refusal", mode, tr.ID)
			}
		}
		fired := 0
		for _, o := range rec.Operators {
			switch {
			case o.ID[0] == 'F' && (o.Edit.Fired || o.Edit.Why != refusedBase):
				t.Errorf("%s: %s edits a refusal: %+v", mode, o.ID, o.Edit)
			case o.Edit.Fired && (o.Reading.State != Refused || o.Flip != NoFlip):
				t.Errorf("%s: %s: %+v, flip %q", mode, o.ID, o.Reading, o.Flip)
			}
			fired += int(bit(o.Edit.Fired))
		}
		f := a.Summarise(sequence(rec)).(Findings)
		g := f.Cells[0]
		direct := int(bit(mode != Letters)) // with letters only, the direct question has no text that could decline
		if n := countOf(g.Outcomes, "refused ("); n != fired+1+direct {
			t.Errorf("%s: outcomes %v, want %d refusals", mode, g.Outcomes, fired+1+direct)
		}
		if n := countOf(g.Outcomes, "ok "); n != 1-direct {
			t.Errorf("%s: a refusal counts as a complete reply: %v", mode, g.Outcomes)
		}
		if n := countOf(g.Dropped, refusal); n != fired || fired == 0 {
			t.Errorf("%s: dropped %v, want %d refusals", mode, g.Dropped, fired)
		}
		for _, id := range []string{"acc", "cdr", "ecr", "chs"} {
			if m, _ := g.Metric(id, ""); m.Value.OK() {
				t.Errorf("%s: %s = %s from refusals alone", mode, id, m.Value.Format(3))
			}
		}
		if !decided(f, "refusals") {
			t.Errorf("%s: no decision on refusals: %v", mode, f.Decisions)
		}
	}
}

// TestRefusalOfAnEdit: the other trials of an item stand, and those that are refused are no flips.
func TestRefusalOfAnEdit(t *testing.T) {
	a, s := audit(t, TextLetters, able), subject()
	edited := func(asked string) bool { return !strings.Contains(asked, s.Question.Stem) }
	trials, known := settle(t, a, s, declining(edited))
	rec := a.Reduce(s, trials, known).(Record)
	if rec.Base.State != Read || rec.Base.Answer != "B" {
		t.Errorf("baseline %+v", rec.Base)
	}
	refused := 0
	for _, o := range rec.Operators {
		if o.Reading.State == Refused {
			refused++
			if o.Flip != NoFlip || o.ID[0] != 'M' || strings.HasPrefix(o.ID, "M3") {
				t.Errorf("%s: %+v", o.ID, o)
			}
		}
	}
	f := a.Summarise(sequence(rec)).(Findings)
	if n := countOf(f.Cells[0].Dropped, refusal); n != refused || refused < 5 {
		t.Errorf("%d refused, dropped %v", refused, f.Cells[0].Dropped)
	}
	if m, _ := f.Cells[0].Metric("acc", ""); m.Value != percuss.Num(1) {
		t.Errorf("accuracy %s", m.Value.Format(3))
	}
}

// TestRefusalWithLetters: where an earlier version asked for the letters after a refusal, they decide nothing.
func TestRefusalWithLetters(t *testing.T) {
	a, s := audit(t, TextLetters, able), subject()
	mute := func(r percuss.Request) percuss.Answer {
		answer := stubborn(r)
		if len(r.Want.Letters) == 0 {
			answer.Text = "Step 1: Hmm."
		}
		return answer
	}
	trials, known := settle(t, a, s, mute)
	for _, tr := range trials {
		if tr.ID == BaseTrial {
			known[tr.Request.Key()] = percuss.Answer{Outcome: percuss.OK, Text: declines}
		}
	}
	rec := a.Reduce(s, trials, known).(Record)
	if rec.Base.State != Refused || rec.Base.Via != "" || rec.Base.Answer != "" {
		t.Errorf("baseline %+v", rec.Base)
	}
	f := a.Summarise(sequence(rec)).(Findings)
	fired := 0
	for _, o := range rec.Operators {
		fired += int(bit(o.Edit.Fired))
	}
	if n := countOf(f.Cells[0].Dropped, refusedBase); n != fired || fired < 10 {
		t.Errorf("%d fired, dropped %v", fired, f.Cells[0].Dropped)
	}
	if !slices.ContainsFunc(f.Cells[0].Remarks, func(s string) bool { return strings.Contains(s, "refused to answer") }) {
		t.Errorf("remarks %v", f.Cells[0].Remarks)
	}
	other := rec
	other.Base = Reading{State: Unparseable, Outcome: percuss.OK}
	if f := a.Summarise(sequence(other)).(Findings); decided(f, "refusals") {
		t.Error("a decision on refusals where there are none")
	}
}
