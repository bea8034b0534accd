package evidence

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// under adds a case's answer under another setting, with its comparison.
func under(r Record, kind Kind, with Setting, correct bool, agree, correlation, overlap percuss.Number, change func(*Setting), of ...Interaction) Record {
	s := r.Base.Setting
	change(&s)
	r.Variants = append(slices.Clone(r.Variants), Variant{Measured: Measured{Setting: s, State: Scored, Answered: true, Correct: correct, Interactions: of}})
	r.Compared = append(slices.Clone(r.Compared), Comparison{Kind: kind, Of: s, With: with, Agree: agree, Correlation: correlation, Overlap: overlap})
	return r
}

func stabilityRow(t *testing.T, c Cell, name string) StabilityRow {
	t.Helper()
	at := slices.IndexFunc(c.Stability, func(r StabilityRow) bool { return r.Name == name })
	if at < 0 {
		t.Fatalf("no row %q in %v", name, c.Stability)
	}
	return c.Stability[at]
}

func TestStabilityByHand(t *testing.T) {
	base, one, half, none := baseSetting(), percuss.Num(1), percuss.Num(0.5), percuss.Number{}
	// The base setting was asked at order 4 too, which is above that of the checks.
	a := scoredCase("1", 4, inter(0b1, 3, "6"), inter(0b10, 1, "1"), inter(0b1111, 4, "1"))
	second := func(s *Setting) { s.Wording = "questionnaire" }
	a = under(a, ByOrdering, base, false, percuss.Num(0), half, half, func(s *Setting) { s.Order = 1 }, inter(0b1, 1, "6"), inter(0b10, 1, "1"))
	a = under(a, ByOrdering, base, true, one, half, none, func(s *Setting) { s.Order = 2 }, inter(0b1, 1, "6"))
	a = under(a, ByWording, base, false, percuss.Num(0), percuss.Num(0.25), half, second, inter(0b1, 2, "1"), inter(0b10, 6, "6"), inter(0b11, 0.4, "1"))
	b := scoredCase("2", 4, inter(0b1, 5, "6"))
	b = under(b, ByWording, base, true, one, percuss.Num(0.75), none, second, inter(0b1, 2, "6"))
	b = under(b, ByHiding, base, true, one, one, one, func(s *Setting) { s.Hide = Neutralize }, inter(0b1, 2, "6"))
	plain := scoredCase("3", 4, inter(0b1, 50, "1"))
	unanswered := scoredCase("4", 4)
	unanswered.Base.State, unanswered.Base.Answered, unanswered.Base.Correct = Unscored, false, false
	unanswered = under(unanswered, ByWording, base, true, none, none, none, second)
	c := onlyCell(t, Options{}, a, b, plain, unanswered)

	var names []string
	for _, r := range c.Stability {
		names = append(names, r.Name)
	}
	if want := []string{"clinical-summary", "questionnaire", "base order", "candidate orders", "drop", "neutralize"}; !slices.Equal(names, want) {
		t.Fatalf("rows %v, want %v", names, want)
	}
	ref, q, orders := stabilityRow(t, c, "clinical-summary"), stabilityRow(t, c, "questionnaire"), stabilityRow(t, c, "candidate orders")
	if ref.Kind != "" || ref.Cases != 3 || q.Kind != ByWording || q.Cases != 3 || orders.Cases != 1 {
		t.Errorf("reference %+v", ref)
	}
	missing(t, "reference's difference", ref.Difference, "it is the reference")
	is(t, "reference accuracy", ref.Accuracy, 1)
	is(t, "reference suspicious, without order 4", ref.Suspicious, 1./9)
	is(t, "questionnaire accuracy", q.Accuracy, 2./3)
	is(t, "questionnaire difference", q.Difference, -0.5)
	is(t, "questionnaire agreement", q.Agreement, 0.5)
	is(t, "questionnaire correlation", q.Correlation, 0.5)
	is(t, "questionnaire overlap", q.Overlap, 0.5)
	is(t, "questionnaire suspicious", q.Suspicious, 0.2)
	is(t, "questionnaire per case", q.PerCase, 1./3)
	// Two orders of one case: accuracy 0 and 1, suspicious ratio 1/2 and 0.
	is(t, "orders' accuracy", orders.Accuracy, 0.5)
	is(t, "orders' difference", orders.Difference, -0.5)
	is(t, "orders' suspicious", orders.Suspicious, 0.25)
	is(t, "orders' overlap", orders.Overlap, 0.5)
	n := stabilityRow(t, c, "neutralize")
	is(t, "neutralize", n.Difference, 0)
	if len(n.Difference.Warnings) == 0 {
		t.Error("a difference that never was has an interval without width, and a warning says so")
	}
}

func TestWordingsAreMeansOverOrders(t *testing.T) {
	second := baseSetting()
	second.Wording = "questionnaire"
	turned := baseSetting()
	turned.Order = 1
	r := scoredCase("1", 3, inter(0b1, 1, "1"))
	r = under(r, ByOrdering, baseSetting(), true, percuss.Num(1), percuss.Number{}, percuss.Number{}, func(s *Setting) { s.Order = 1 }, inter(0b1, 1, "6"))
	r = under(r, ByWording, baseSetting(), true, percuss.Num(1), percuss.Number{}, percuss.Number{}, func(s *Setting) { s.Wording = "questionnaire" }, inter(0b1, 1, "6"))
	r = under(r, ByWording, turned, false, percuss.Num(0), percuss.Number{}, percuss.Number{}, func(s *Setting) { s.Wording, s.Order = "questionnaire", 1 }, inter(0b1, 1, "1"), inter(0b10, 3, "6"))
	r.Compared = append(r.Compared, Comparison{Kind: ByOrdering, Of: r.Variants[2].Setting, With: second, Agree: percuss.Num(0)})
	c := onlyCell(t, Options{}, r)
	is(t, "base wording, orders 0 and 1", stabilityRow(t, c, "clinical-summary").Suspicious, 0.5)
	q := stabilityRow(t, c, "questionnaire")
	is(t, "questionnaire, orders 0 and 1", q.Accuracy, 0.5)
	is(t, "questionnaire's ratio", q.Suspicious, 0.125)
	is(t, "questionnaire's difference", q.Difference, -0.5)
	missing(t, "correlation", q.Correlation, "margins that vary")
	is(t, "orders of the other wording", stabilityRow(t, c, "candidate orders, questionnaire").Accuracy, 0)
}

func TestSelectorsByHand(t *testing.T) {
	r := scoredCase("1", 4, inter(0b1, 1, "6"), inter(0b10, -1, "4a"), inter(0b1111, 9, "1"))
	none, half := percuss.Number{}, percuss.Num(0.5)
	r = under(r, BySelector, baseSetting(), true, none, none, half, func(s *Setting) { s.Selector = TargetSalient }, inter(0b1, 1, "1"), inter(0b10, 3, "8"))
	for k, v := range []float64{0.2, 0.4} {
		r = under(r, BySelector, baseSetting(), true, none, none, percuss.Num(v), func(s *Setting) { s.Selector, s.SelectorSeed = RandomBalanced, k+1 }, inter(0b1, 1, "7"))
	}
	c := onlyCell(t, Options{}, r, scoredCase("2", 4, inter(0b1, 7, "1")))
	if len(c.Selectors) != 3 || c.Selectors[0].Selector != Balanced || c.Selectors[0].Cases != 1 || c.Selectors[2].Salient != 2 {
		t.Fatalf("selectors %+v", c.Selectors)
	}
	missing(t, "base overlap", c.Selectors[0].Overlap, "it is the reference")
	is(t, "base conflict", mechanism(t, c.Selectors[0].Coarse, "conflict").Weight, 0.5)
	is(t, "base suspicious, without order 4", c.Selectors[0].Suspicious, 0)
	is(t, "target-salient", c.Selectors[1].Suspicious, 0.25)
	is(t, "target-salient faithful", mechanism(t, c.Selectors[1].Coarse, "faithful/plausible").Weight, 0.75)
	is(t, "random overlap", c.Selectors[2].Overlap, 0.3)
	one := scoredCase("1", 4, inter(0b1, 2, "1")).Base
	r.Unrotated = &one
	is(t, "base order alone, under rotations", onlyCell(t, Options{}, r).Selectors[0].Suspicious, 1)
	if len(c.Stability) != 0 {
		t.Errorf("selectors are no row of stability: %v", c.Stability)
	}
}

func TestCascadeByHand(t *testing.T) {
	// 0b110 is suspicious and was not followed; 0b1001 is no one's control, and 0b1010 is not salient.
	r := scoredCase("1", 4, inter(0b1, 3, "1"), inter(0b10, 2, "1"), inter(0b11, 2, "1"), inter(0b111, 2, "1"), inter(0b110, 2, "1"),
		inter(0b100, 1, "6"), inter(0b101, 1, "6"), inter(0b1001, 1, "6"), inter(0b1010, 0.4, "6"))
	unchecked := scoredCase("2", 3, inter(0b1, 1, "1"))
	r.Cascade = []Survival{
		{0b1, 3, "1", true, Holds, Holds, Holds, Holds},
		{0b10, 2, "1", true, Holds, Holds, Fails, Holds},
		{0b11, 2, "1", true, Holds, NotAsked, Holds, Holds},
		{0b111, 2, "1", true, Fails, Holds, Holds, Holds},
		{0b100, 1, "6", false, Holds, Fails, NotAsked, NotAsked},
		{0b101, 1, "6", false, "", "", "", ""},
	}
	r.Others = []Competitor{{"other", Measured{State: Scored, Interactions: []Interaction{inter(0b11, 2, "3")}}}}
	word := func(verdict string, units ...string) Judgement {
		return Judgement{Item: "1", Model: "m", Target: "gold", Units: units, Verdict: verdict}
	}
	c := onlyCell(t, Options{Judgements: []Judgement{word("invalid", "u0"), word("questionable", "u1"), word("valid", "u2"),
		{Item: "1", Model: "m", Target: "other", Units: []string{"u0", "u1"}, Verdict: "invalid"}}}, r, unchecked)
	want := []struct {
		step         string
		asked, kept  int
		judged, hits int
	}{
		{"raw automatic", 6, 6, 2, 1}, {"could be checked", 6, 4, 2, 1}, {"prompt-stable", 4, 3, 2, 1}, {"order-stable", 2, 2, 2, 1}, {"survives neutralization", 2, 1, 1, 1},
		{"family survives neutralization", 2, 2, 2, 1},
		{"control", 2, 2, 1, 0}, {"control: could be checked", 2, 1, 1, 0}, {"control: prompt-stable", 1, 1, 1, 0},
		{"control: order-stable", 1, 0, 0, 0}, {"control: survives neutralization", 0, 0, 0, 0},
		{"control: family survives neutralization", 0, 0, 0, 0},
	}
	if len(c.Cascade) != len(want) {
		t.Fatalf("%d steps", len(c.Cascade))
	}
	for i, w := range want {
		row := c.Cascade[i]
		if row.Step != w.step || row.Asked != w.asked || row.Kept != w.kept || row.Judged != w.judged || row.Control != (i >= 6) {
			t.Errorf("step %d: %+v, want %+v", i, row, w)
		}
		if w.judged > 0 {
			is(t, w.step+" precision", row.Precision, float64(w.hits)/float64(w.judged))
		} else {
			missing(t, w.step+" precision", row.Precision, "was judged")
		}
		if i%6 > 0 && w.asked > 0 {
			is(t, w.step, row.Rate, float64(w.kept)/float64(w.asked))
		}
	}
	is(t, "false positives of controls", c.Cascade[6].False, 1)
	is(t, "questionable", c.Cascade[0].Questionable, 0.5)
	missing(t, "raw rate", c.Cascade[0].Rate, "nothing is checked")
	missing(t, "nothing came", c.Cascade[10].Rate, "no interaction that came so far")
	missing(t, "unjudged", onlyCell(t, Options{}, r).Cascade[0].Precision, "there are none")
}

// TestReviewOfThePaper is Table 5 with the invalid rate of its buckets.
func TestReviewOfThePaper(t *testing.T) {
	var all []Judgement
	r := scoredCase("1", 9)
	r.Subject.Model = "m"
	add := func(bucket, verdict string, n int) {
		for range n {
			k := len(all) + 1 // a set of its own for each
			j := Judgement{Item: "1", Model: "m", Target: "gold", Bucket: bucket, Verdict: verdict, Confidence: "high"}
			set := inter(0, 1, "6")
			for u := range 9 {
				if k>>u&1 == 1 {
					j.Units = append(j.Units, fmt.Sprint("u", u))
					set.Set |= 1 << u
				}
			}
			r.Base.Interactions = append(r.Base.Interactions, set)
			all = append(all, j)
		}
	}
	add("faithful", "valid", 29)
	add("faithful", "questionable", 1)
	add("conflict", "valid", 36)
	add("conflict", "questionable", 4)
	add("background", "valid", 18)
	add("background", "questionable", 2)
	add("negated", "valid", 9)
	add("negated", "invalid", 11)
	add("control", "valid", 19)
	add("control", "questionable", 1)
	c := onlyCell(t, Options{Judgements: all}, r)
	last := c.Review[len(c.Review)-1]
	if last.Bucket != "total" || last.Judged != 130 || last.Valid != 111 || last.Questionable != 8 || last.Invalid != 11 || last.High != 130 {
		t.Errorf("total %+v", last)
	}
	at := slices.IndexFunc(c.Review, func(r ReviewRow) bool { return r.Bucket == "negated" })
	is(t, "negated", c.Review[at].InvalidRate, 0.55)
	is(t, "faithful", c.Review[slices.IndexFunc(c.Review, func(r ReviewRow) bool { return r.Bucket == "faithful" })].InvalidRate, 0)
}

func TestSeveralReviewers(t *testing.T) {
	r := scoredCase("1", 2, inter(0b1, 1, "6"), inter(0b10, 1, "1"))
	r.Others = []Competitor{{"other", Measured{State: Scored, Interactions: []Interaction{inter(0b11, 2, "3")}}}}
	say := func(verdict, confidence, target string, units ...string) Judgement {
		return Judgement{Item: "1", Model: "m", Target: target, Units: units, Verdict: verdict, Confidence: confidence}
	}
	f := summed(t, Options{Judgements: []Judgement{
		say("valid", "high", "gold", "u0"), say("invalid", "high", "gold", "u0"), say("invalid", "medium", "gold", "u0"),
		say("valid", "high", "other", "u0", "u1"), say("invalid", "medium", "other", "u1", "u0"),
		say("valid", "", "gold", "u7"), say("perhaps", "", "gold", "u1"),
		{Item: "2", Model: "m", Target: "gold", Units: []string{"u0"}, Verdict: "valid"},
	}}, r)
	c := f.Cells[0]
	if got := c.Review[len(c.Review)-1]; got.Judged != 3 || got.Invalid != 1 || got.Questionable != 1 || got.Valid != 1 || got.High != 1 || got.Low != 1 {
		t.Errorf("total %+v", got)
	}
	// Without a bucket the label stands in; units that the case does not have are told of.
	for _, bucket := range []string{"faithful target evidence", "competitor evidence misuse", "no such interaction"} {
		if !slices.ContainsFunc(c.Review, func(r ReviewRow) bool { return r.Bucket == bucket && r.Judged == 1 }) {
			t.Errorf("no bucket %q in %v", bucket, c.Review)
		}
	}
	if !strings.Contains(strings.Join(c.Cautions, " "), "1 of 3 judged interactions are none of those found here") {
		t.Errorf("cautions %v", c.Cautions)
	}
	var texts []string
	for _, d := range f.Decisions {
		texts = append(texts, d.Text)
	}
	all := strings.Join(texts, "\n")
	if !strings.Contains(all, "1 judged interactions are of cases that this run does not hold") || !strings.Contains(all, "1 judgements have a verdict other than") {
		t.Errorf("decisions:\n%s", all)
	}
}

func TestMajority(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{"a", "a"}, {"a a b", "a"}, {"b a b", "b"}, {"a b", "tie"}, {"a a b b", "tie"}, {"a a b b b c", "b"}, {"a b c c", "c"}, {"", ""},
	} {
		if got := majority(strings.Fields(c.words), "tie"); got != c.want {
			t.Errorf("%q: %q, want %q", c.words, got, c.want)
		}
	}
}
