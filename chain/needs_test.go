package chain

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

const hintID, donorID = "M-hint-a", "F-donor-a"

// extended returns an audit of the extended battery over drawn questions of two sets.
func extended(t *testing.T, n int, set func(*Options)) (*Audit, []percuss.Subject) {
	t.Helper()
	b, err := battery.Parse("extended")
	if err != nil {
		t.Fatal(err)
	}
	var questions []percuss.Question
	var subjects []percuss.Subject
	for _, set := range []string{"t", "u"} {
		for i := range n {
			s := subject()
			s.Question.ID, s.Question.Set = fmt.Sprintf("%s:%d", set, i), set
			s.Question.Stem = fmt.Sprintf("Case %d of %s. ", i, set) + s.Question.Stem
			s.Set, s.Item = set, s.Question.ID
			questions, subjects = append(questions, s.Question), append(subjects, s)
		}
	}
	a := with(t, func(o *Options) {
		o.Battery, o.Questions = b, questions
		set(o)
	})
	return a, subjects
}

// tells answers B with a chain that names the case, so that it is seen whose it is.
func tells(r percuss.Request) percuss.Answer {
	a := replies(r, "B")
	if r.Begin == "" {
		_, name, _ := strings.Cut(r.Messages[1].Content, "Case ")
		a.Text = "Step 1: Case " + name[:6] + "coughs.\n\nStep 2: So it is.\n\nAnswer: B"
	}
	return a
}

func operatorOf(t *testing.T, rec Record, id string) OperatorTrial {
	t.Helper()
	for _, o := range rec.Operators {
		if o.ID == id {
			return o
		}
	}
	t.Fatalf("no operator %s", id)
	return OperatorTrial{}
}

// TestHintWaitsForTheAnswer: the hint is at another option than the baseline's, whatever is right, and is not made
// where there is no answer.
func TestHintWaitsForTheAnswer(t *testing.T) {
	for _, mode := range []AnswerMode{Text, Letters, TextLetters} {
		a, subjects := extended(t, 1, func(o *Options) { o.Answer = mode })
		s := subjects[0]
		if tr := trialOf(t, a.Trials(s, percuss.AnswerMap{}), hintID); tr.Fired || tr.Why != waits {
			t.Errorf("%s: at first %+v", mode, tr)
		}
		if rec := a.Reduce(s, a.Trials(s, percuss.AnswerMap{}), percuss.AnswerMap{}).(Record); operatorOf(t, rec, hintID).Reading.State != Waiting {
			t.Errorf("%s: %+v", mode, operatorOf(t, rec, hintID))
		}
		for _, answer := range []string{"A", "B", "C"} {
			trials, known := settle(t, a, s, func(r percuss.Request) percuss.Answer { return replies(r, answer) })
			o := operatorOf(t, a.Reduce(s, trials, known).(Record), hintID)
			if !o.Edit.Fired || o.Reading.State != Read || strings.Contains(o.Edit.New, " "+answer) {
				t.Errorf("%s: after %s: %+v", mode, answer, o)
			}
			other := s
			other.Question.Gold = "A"
			twice, _ := settle(t, a, other, func(r percuss.Request) percuss.Answer { return replies(r, answer) })
			if trialOf(t, trials, hintID).Request.Key() != trialOf(t, twice, hintID).Request.Key() {
				t.Errorf("%s: after %s the hint depends on the gold label", mode, answer)
			}
		}
	}
	a, subjects := extended(t, 1, func(*Options) {})
	trials, _ := settle(t, a, subjects[0], func(percuss.Request) percuss.Answer { return text("Step 1: who knows?") })
	if tr := trialOf(t, trials, hintID); tr.Fired || !strings.Contains(tr.Why, "no answer") {
		t.Errorf("without an answer: %+v", tr)
	}
}

// TestDonors: the chain is that of an earlier item of the same set, asked as that item's own baseline, and a larger draw
// changes none.
func TestDonors(t *testing.T) {
	const n = 12
	a, subjects := extended(t, n, func(*Options) {})
	bases := map[percuss.Key]string{}
	for _, s := range subjects {
		bases[trialOf(t, a.Trials(s, percuss.AnswerMap{}), BaseTrial).Request.Key()] = s.Item
	}
	small, _ := extended(t, 5, func(*Options) {})
	donors := map[string]string{}
	for i, s := range subjects {
		trials, known := settle(t, a, s, tells)
		tr := trialOf(t, trials, donorID)
		if i%n == 0 {
			if tr.Fired || !strings.Contains(tr.Why, "first item") {
				t.Errorf("%s: %+v", s.Item, tr)
			}
			continue
		}
		asked := trialOf(t, trials, donorID+DonorSuffix)
		donor := bases[asked.Request.Key()]
		donors[s.Item] = donor
		set, number, _ := strings.Cut(donor, ":")
		place, err := strconv.Atoi(number)
		if err != nil || set != s.Set || !asked.Shared || place >= i%n {
			t.Errorf("%s: the donor is %q", s.Item, donor)
		}
		if want := fmt.Sprintf("Step 1: Case %d", place); !strings.HasPrefix(tr.Request.Begin, want) {
			t.Errorf("%s: begins %q, want the chain of %s", s.Item, tr.Request.Begin, donor)
		}
		rec := a.Reduce(s, trials, known).(Record)
		if o := operatorOf(t, rec, donorID); !o.Edit.Fired || o.Flip != Kept {
			t.Errorf("%s: %+v", s.Item, o)
		}
		if len(rec.Operators) != len(a.o.Battery.Operators) {
			t.Errorf("%s: %d operators of %d: the donor's baseline is none", s.Item, len(rec.Operators), len(a.o.Battery.Operators))
		}
		if i%n < 5 {
			few, _ := settle(t, small, s, tells)
			if trialOf(t, few, donorID).Request.Key() != tr.Request.Key() {
				t.Errorf("%s: a larger draw changed the donor", s.Item)
			}
		}
		if d := cmp.Diff(rec, a.Reduce(s, rebuilt(trials), known), numbers); d != "" {
			t.Errorf("%s: the ledger gives another record: %s", s.Item, d)
		}
	}
	distinct := map[string]bool{}
	for _, d := range donors {
		distinct[d] = true
	}
	if len(distinct) < 6 {
		t.Errorf("the donors of 22 items are %v", donors)
	}
}

// TestDonorsThatAreMissing: what keeps a chain from being given is said.
func TestDonorsThatAreMissing(t *testing.T) {
	a, subjects := extended(t, 2, func(*Options) {})
	s := subjects[1]
	known := percuss.AnswerMap{}
	base := trialOf(t, a.Trials(s, known), BaseTrial).Request
	known[base.Key()] = tells(*base)
	if tr := trialOf(t, a.Trials(s, known), donorID); tr.Fired || tr.Why != waitsDonor || !waiting(tr) {
		t.Errorf("before the donor's answer: %+v", tr)
	}
	if l := a.Later(s, a.Trials(s, known), known); l.Texts != 1 {
		t.Errorf("later %+v", l)
	}
	trials, _ := settle(t, a, s, func(r percuss.Request) percuss.Answer {
		if strings.Contains(r.Messages[1].Content, "Case 0") {
			return text(declines)
		}
		return tells(r)
	})
	if tr := trialOf(t, trials, donorID); tr.Fired || tr.Why != "the item whose chain is used refuses to answer" {
		t.Errorf("a donor that declines: %+v", tr)
	}
	alone := with(t, func(o *Options) { o.Battery = a.o.Battery })
	trials, _ = settle(t, alone, s, tells)
	if tr := trialOf(t, trials, donorID); tr.Fired || !strings.Contains(tr.Why, "not known") {
		t.Errorf("without the drawn items: %+v", tr)
	}
}
