package chain

import (
	"fmt"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/prompt"
)

// doubtful is a record with a trial each of F1-50 and M4-a, whose direct answer was read in the given way.
func doubtful(item string, direct Via, f1 OperatorTrial, m4 OperatorTrial) Record {
	f1.ID, m4.ID = "F1-50", "M4-a"
	return Record{Subject: percuss.SubjectID{Variant: "neutral", Model: "m", Set: "s", Item: item},
		Base:      Reading{State: Read, Answer: "A", Via: ViaText, Outcome: percuss.OK},
		Direct:    Reading{State: Read, Answer: "A", Via: direct, Outcome: percuss.OK},
		Operators: []OperatorTrial{f1, m4}}
}

// TestDoubts counts by hand what stands behind CDR, ECR and the gap without being seen in them.
func TestDoubts(t *testing.T) {
	b, err := battery.Parse("families")
	if err != nil {
		t.Fatal(err)
	}
	trial := func(flip Flip, outcome percuss.Outcome, token bool) OperatorTrial {
		r := Reading{State: Read, Answer: "A", Via: ViaText, Outcome: outcome}
		if flip == NoFlip {
			r = Reading{State: Unparseable, Outcome: outcome}
		}
		return OperatorTrial{Edit: battery.Edit{Fired: true}, Rule: true, Token: token, Flip: flip, Reading: r}
	}
	short := OperatorTrial{Reading: Reading{State: NotFired}}
	got := summarised(t, Options{Battery: b},
		doubtful("kept", ViaText, trial(Kept, percuss.OK, false), trial(Kept, percuss.Truncated, false)),
		doubtful("unsure", ViaLetters, trial(NoFlip, percuss.OK, false), trial(Kept, percuss.Truncated, true)),
		doubtful("moved", ViaLetters, trial(Flipped, percuss.OK, false), trial(Flipped, percuss.Truncated, false)),
		doubtful("short", ViaText, short, trial(Kept, percuss.OK, false)))
	want := Doubts{CDRCut: 1, ECRUnsure: 1, GapMixed: 2}
	if g := got.Cells[0]; g.Doubts != want {
		t.Errorf("%+v, want %+v", g.Doubts, want)
	}
	if m, _ := got.Models[0].Metric("ecr", ""); got.Models[0].Doubts != want || m.Value != percuss.Num(0.25) {
		t.Errorf("the model: %+v, ECR %s", got.Models[0].Doubts, m.Value.Format(3))
	}
}

// TestQuotation: what stands around a quoted chain in a request is what Quotation says.
func TestQuotation(t *testing.T) {
	a := New(Options{Prompts: prompt.Default(), MaxTokens: 9})
	before, after := a.Quotation()
	if before == "" || after == "" {
		t.Fatalf("%q, %q", before, after)
	}
	b := newBuilder(a, percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral"}, Question: percuss.Question{Stem: "Why?"}}, percuss.AnswerMap{})
	plain, quoted := b.request(call{q: b.own}, "", false), b.request(call{q: b.own}, "Step 1: so.", false)
	if again := b.request(call{q: b.own}, "", false); again.Key() != plain.Key() {
		t.Error("a quotation changed what is asked without one")
	}
	if got, want := quoted.Messages[1].Content, plain.Messages[1].Content+"\n\n"+before+"Step 1: so."+after; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRemarksOfAPanel: models share their items, so a panel of few items is a small sample however many answers it has.
func TestRemarksOfAPanel(t *testing.T) {
	b, err := battery.Parse("families")
	if err != nil {
		t.Fatal(err)
	}
	var records []Record
	for _, model := range []string{"one", "two"} {
		for i := range 20 {
			r := doubtful(fmt.Sprint(i), ViaText, OperatorTrial{}, OperatorTrial{})
			r.Subject.Model = model
			if i == 0 {
				r.Base = Reading{State: Unparseable}
			}
			records = append(records, r)
		}
	}
	f := summarised(t, Options{Battery: b}, records...)
	for name, c := range map[string]struct {
		g    Group
		want []string
	}{
		"panel": {*f.Panel, []string{"Only 20 items: the intervals are wide and themselves uncertain.", "Without a baseline answer, in no flip rate: 2 of 40 items, each counted for every model and prompt."}},
		"model": {f.Models[0], []string{"Only 20 items: the intervals are wide and themselves uncertain.", "Without a baseline answer, in no flip rate: 1 of 20 items."}},
	} {
		for _, want := range c.want {
			if !slices.Contains(c.g.Remarks, want) {
				t.Errorf("%s: no %q in %q", name, want, c.g.Remarks)
			}
		}
	}
}
