package simulated_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/prompt"
)

// TestLetterBiasSeesNoEvidence: whatever is shown, in whatever order, A is the answer and no margin moves.
func TestLetterBiasSeesNoEvidence(t *testing.T) {
	m := caseReasoner(t, "letter-bias?bias=2")
	for _, c := range testCases() {
		for _, l := range layouts() {
			for _, a := range modeltest.Ask(t, m, l.requests(t, m, c, c.Units[:3])...) {
				if label, margin, ok := a.Best(); !ok || label != "A" || math.Abs(margin.Or(0)-1) > 1e-9 {
					t.Errorf("%s, %+v: best %s by %v, want A by half of the bias", c.ID, l, label, margin)
				}
			}
		}
	}
}

// TestReasonersForQuestionsAskedAboutACase: they prefer one letter in all prompts of a case, and say it when they are
// asked in words.
func TestReasonersForQuestionsAskedAboutACase(t *testing.T) {
	for _, k := range policies {
		m := caseReasoner(t, k)
		for _, c := range testCases() {
			for _, l := range layouts() {
				requests := l.requests(t, m, c, c.Units[:3])
				answers := modeltest.Ask(t, m, requests...)
				seen := map[string]bool{}
				for i, a := range answers {
					label, _, ok := a.Best()
					if !ok || k == "always-a" && label != "A" {
						t.Fatalf("%s: best letter %q of %v", k, label, a.Letters)
					}
					seen[label] = true
					text := requests[i]
					text.Want.Letters, text.Sampling = nil, percuss.Greedy(64)
					if got := modeltest.Ask(t, m, text)[0]; k != "random" && got.Text != "Answer: "+label {
						t.Fatalf("%s says %q, its letters %s", k, got.Text, label)
					}
				}
				if (len(seen) > 1) != (k == "random") {
					t.Errorf("%s, %s, %+v: letters %v over the subsets", k, c.ID, l, seen)
				}
			}
		}
	}
}

// TestEvidenceReasonersAskedAQuestion: the right option leads; without a known question the letters decide.
func TestEvidenceReasonersAskedAQuestion(t *testing.T) {
	m := caseReasoner(t, "additive?scale=2")
	for _, q := range questions() {
		text, label, _ := read(t, m, q, ask(t, m, q, ""))
		if text != "Answer: "+q.Gold || label != q.Gold {
			t.Errorf("%s: %q, gold %s", q.ID, text, q.Gold)
		}
		r := ask(t, m, q, "")
		r.Want.Letters = q.Labels()
		if best, margin, ok := modeltest.Ask(t, m, r)[0].Best(); !ok || best != q.Gold || math.Abs(margin.Or(0)-2) > 1e-9 {
			t.Errorf("%s: best %s by %v, want %s by 2", q.ID, best, margin, q.Gold)
		}
		unknown := ask(t, caseReasoner(t, "additive?bias=1"), synthetic(1)[0], "")
		if a := modeltest.Ask(t, caseReasoner(t, "additive?bias=1"), unknown)[0]; a.Text != "A" {
			t.Errorf("a question that nobody knows: %q", a.Text)
		}
	}
	if v := m.Truth().Accuracy; v.OK() {
		t.Errorf("a metric of the chain audit: %v", v)
	}
}

// TestOddRequests: letters that no candidate has, repeated letters, no messages, a foreign alphabet: an answer all the
// same, of as many scores as letters.
func TestOddRequests(t *testing.T) {
	c := patient()
	m := caseReasoner(t, "additive")
	good := lettersOf(t, m, "questionnaire", layout{}.shown(c, c.Units[:3], 7))
	for _, letters := range [][]string{{"A", "Z"}, {"C"}, {"AA", "A", "ZZ"}, {"A", "A"}, {"α", ""}} {
		for _, messages := range [][]percuss.Message{good.Messages, nil, {{Role: percuss.User, Content: "A. x\nB. y"}}, {{Role: percuss.System, Content: "?"}}} {
			r := percuss.Request{Messages: messages, Want: percuss.Want{Letters: letters}}
			a := modeltest.Ask(t, m, r)[0]
			if len(a.Letters) != len(letters) {
				t.Fatalf("%d scores of %q", len(a.Letters), letters)
			}
			for _, s := range a.Letters {
				if v, ok := s.LogProb.Get(); !ok || v > 0 {
					t.Errorf("%q: score %v", letters, s)
				}
			}
		}
	}
	bare, err := simulated.New([]percuss.Question{{ID: "bare", Stem: "What is this?"}}, nil, "additive")
	if err != nil {
		t.Fatal(err)
	}
	open := percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: "What is this?"}}}
	if a := modeltest.Ask(t, bare, open)[0]; a.Outcome != percuss.OK || a.Text == "" {
		t.Errorf("a question without options: %+v", a)
	}
	// A letter without a candidate takes nothing from the margin.
	more := good
	more.Want.Letters = append(slices.Clone(good.Want.Letters), "Z")
	a, b := modeltest.Ask(t, m, good)[0], modeltest.Ask(t, m, more)[0]
	b.Letters = b.Letters[:len(a.Letters)]
	if x, y := marginIn(a, layout{}.options(c), c.Gold), marginIn(b, layout{}.options(c), c.Gold); math.Abs(x-y) > 1e-9 {
		t.Errorf("margin %g, with a further letter %g", x, y)
	}
}

// TestMoreCasesChangeNoAnswer: of two cases that a prompt cannot tell apart it is the first.
func TestMoreCasesChangeNoAnswer(t *testing.T) {
	c, double := patient(), patient()
	double.ID, double.Gold = "test/double", "Croup"
	m, more := caseReasoner(t, "additive", c), caseReasoner(t, "additive", c, double, twin())
	for _, l := range layouts() {
		requests := l.requests(t, m, c, c.Units[:3])
		agree(t, "with more cases", interactions(t, margins(t, more, l, c, requests)), interactions(t, margins(t, m, l, c, requests)), 0)
	}
}

// TestSeedSpreadsTheWeights: another seed gives other weights, each within a quarter of its kind's.
func TestSeedSpreadsTheWeights(t *testing.T) {
	c := patient()
	seen := map[float64]bool{}
	for _, seed := range []string{"1", "2", "3"} {
		for _, s := range []int{0, 1, 3} {
			v := truth(t, caseReasoner(t, "additive?scale=2&seed="+seed), c, c.Units[:4])[1<<s]
			if v < 1.5 || v > 2.5 {
				t.Errorf("a symptom weighs %g at scale 2", v)
			}
			seen[v] = true
		}
	}
	if len(seen) != 9 {
		t.Errorf("weights %v", seen)
	}
}

// TestOtherWording: a note in a form of the user's own, whose questions follow the sixteenth candidate at once; "Q" is
// the seventeenth letter.
func TestOtherWording(t *testing.T) {
	c := patient()
	c.Candidates = slices.Clone(c.Candidates)
	for i := len(c.Candidates); i < 16; i++ {
		c.Candidates = append(c.Candidates, "Disease number "+percuss.Label(i))
	}
	m := caseReasoner(t, "additive", c)
	var b strings.Builder
	b.WriteString("Pick one.\n")
	for i, name := range c.Candidates {
		b.WriteString("  (" + percuss.Label(i) + ") " + name + "\r\n")
	}
	b.WriteString("Q: Do you have a fever?\nA: yes\nQ: Are you pale?\nA: yes\n")
	b.WriteString("Also: Smoke cigarettes: yes; Swollen toe: no.\n* Where is the pain? chest\n")
	r := percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: "An earlier turn."}, {Role: percuss.Assistant, Content: "Yes."},
		{Role: percuss.User, Content: b.String()}}}
	for i := range c.Candidates {
		r.Want.Letters = append(r.Want.Letters, percuss.Label(i))
	}
	alone := c
	alone.Complaint = nil // not shown
	values, _ := caseReasoner(t, "additive", alone).CaseTruth(alone, alone.Units)
	want := values[1<<0|1<<5|1<<2|1<<8|1<<4].Or(0)
	if got := marginIn(modeltest.Ask(t, m, r)[0], layout{}.options(c), c.Gold); math.Abs(got-want) > 1e-9 {
		t.Errorf("margin %g, want %g", got, want)
	}
}

func TestEvidenceSpecs(t *testing.T) {
	for spec, want := range map[string]string{
		"additive": "sim:additive?bias=0&noise=0&scale=1&seed=0",
		"and?scale=2.5&noise=.3&bias=1&seed=4&latency=2ms": "sim:and?bias=1&noise=0.3&scale=2.5&seed=4",
		"shortcut":          "sim:shortcut?bias=0&noise=0&scale=1&seed=0",
		"absent-as-present": "sim:absent-as-present?bias=0&noise=0&scale=1&seed=0",
		"letter-bias":       "sim:letter-bias?bias=3&noise=0&seed=0",
	} {
		if got := caseReasoner(t, spec).Capabilities().Identity; got != want {
			t.Errorf("%s: identity %s, want %s", spec, got, want)
		}
	}
	for spec, say := range map[string]string{
		"or":                  "additive, and, shortcut, absent-as-present, letter-bias",
		"additive?acc=1":      "bias, latency, noise, scale, seed",
		"letter-bias?scale=1": "bias, latency, noise, seed",
		"and?noise=-1":        "number from 0 to 50",
		"and?scale=Inf":       "number from 0 to 50",
		"and?bias=51":         "number from 0 to 50",
		"faithful?noise=1":    "acc, flip_d",
		"faithful?acc=3":      "probability",
	} {
		if _, err := simulated.New(nil, nil, spec); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%q: error %v, want one that says %q", spec, err, say)
		}
	}
}

// BenchmarkCase measures one request.
func BenchmarkCase(b *testing.B) {
	c := patient()
	m := caseReasoner(b, "additive?noise=1")
	r := lettersOf(b, m, "questionnaire", prompt.Shown{Facts: c.Facts, Options: layout{}.options(c), Units: c.Units, Hidden: 5})
	for b.Loop() {
		modeltest.Ask(b, m, r)
	}
}
