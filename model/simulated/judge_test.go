package simulated

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/judge"
)

// verdict is what a simulated judge says of a case, and how often it was asked.
func verdict(t testing.TB, m *Model, c judge.Case) (judge.Verdict, int) {
	t.Helper()
	r := judge.Default()
	s, err := m.Open(context.Background(), "judge")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ask := func(q percuss.Request) (a percuss.Answer) {
		if err := s.Answer(context.Background(), []percuss.Request{q}, func(_ int, got percuss.Answer, _ error) { a = got }); err != nil {
			t.Fatal(err)
		}
		return a
	}
	identity := m.Capabilities().Identity
	first := ask(r.Ask(c, identity, 1))
	if v := r.Read(first); v != judge.Malformed {
		return v, 1
	}
	return r.Read(ask(r.Repair(c, identity, 1, first))), 2
}

func judgeOf(t testing.TB, spec string) *Model {
	t.Helper()
	m, err := New(nil, nil, spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestJudgeSaysWhatTheWordsSay(t *testing.T) {
	m := judgeOf(t, "judge")
	if id := m.Capabilities().Identity; id != "sim:judge?agree=1&malformed=0&seed=0" {
		t.Errorf("identity %q", id)
	}
	if m.Truth() != (Truth{}) {
		t.Errorf("a judge has metrics of a reasoner: %+v", m.Truth())
	}
	for _, c := range []struct {
		old, new, chain string
		want            judge.Verdict
	}{
		{"24", "72", "At 72, the heart.", judge.Updated},
		{"24-year-old man", "72-year-old man", "This 72-year-old has angina.", judge.Updated},
		{"24", "72", "At 24, a strain.", judge.NotUpdated},
		{"24", "72", "A dose of 720 mg.", judge.NotUpdated},
		{"presents with", "does not present with", "She does not present with fever.", judge.Updated},
		{"presents with", "does not present with", "She is present with her son.", judge.NotUpdated},
		{"mild", "severe", "first\nSEVERE pain", judge.Updated},
		{"a coffee", "", "anything", judge.NotUpdated},
		{"24", "72", "Before: 1\nAfter: 24\n> x", judge.NotUpdated},
	} {
		got, n := verdict(t, m, judge.Case{ID: c.chain, Kind: "any", Old: c.old, New: c.new, Chain: c.chain})
		if got != c.want || n != 1 {
			t.Errorf("%q → %q in %q: %q after %d calls, want %q", c.old, c.new, c.chain, got, n, c.want)
		}
	}
}

// The rates of a judge that errs and rambles are those asked for: five standard deviations of a coin at most.
func TestJudgeErrsAtItsRates(t *testing.T) {
	const n = 600
	agreed, repaired, missing := 0, 0, 0
	m := judgeOf(t, "judge?agree=0.8&malformed=0.3&seed=5")
	for i := range n {
		v, asked := verdict(t, m, judge.Case{ID: fmt.Sprint(i), Kind: "age", Old: "24", New: "72", Chain: fmt.Sprintf("At 72. Case %d.", i)})
		switch {
		case v == judge.Malformed:
			missing++
		case v == judge.Updated:
			agreed++
		}
		if asked == 2 {
			repaired++
		}
	}
	for what, c := range map[string]struct{ got, want int }{"agreed": {agreed, 437}, "repaired": {repaired, 180}, "missing": {missing, 54}} {
		if c.got < c.want-56 || c.got > c.want+56 {
			t.Errorf("%s: %d of %d, want about %d", what, c.got, n, c.want)
		}
	}
	if missing == 0 || repaired == missing {
		t.Errorf("%d repaired, %d missing: a repair always or never helps", repaired, missing)
	}
}

func TestJudgeAskedSomethingElse(t *testing.T) {
	m := judgeOf(t, "judge")
	a := m.answer(percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: "Question: what next?\n\nA. Rest\nB. X-ray"}}})
	if judge.Default().Read(a) != judge.Malformed || a.Outcome != percuss.OK || a.Text == "" {
		t.Errorf("a question: %+v", a)
	}
	a = m.answer(percuss.Request{Want: percuss.Want{Letters: []string{"A", "B"}}})
	if len(a.Letters) != 2 || !a.Letters[0].LogProb.OK() {
		t.Errorf("letters: %+v", a)
	}
	if _, err := New(nil, nil, "judge?agree=2"); err == nil || !strings.Contains(err.Error(), "probability") {
		t.Errorf("agree=2: %v", err)
	}
	if _, err := New(nil, nil, "judge?flip_d=0"); err == nil || !strings.Contains(err.Error(), "agree, latency, malformed, seed") {
		t.Errorf("another's parameter: %v", err)
	}
}
