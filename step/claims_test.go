package step_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

// changed are records with something done to each judged step and chain.
func changed(records []percuss.Record, chain func(n int, c *step.Chain), of func(n int, s *step.Step)) []percuss.Record {
	n, m := 0, 0
	for _, record := range records {
		for i := range record.(step.Record).Chains {
			c := &record.(step.Record).Chains[i]
			if m++; chain != nil {
				chain(m, c)
			}
			for v := range c.Views {
				for j := range c.Views[v].Steps {
					if s := &c.Views[v].Steps[j]; of != nil && len(s.Says) > 0 {
						n++
						of(n, s)
					}
				}
			}
		}
	}
	return records
}

// claimOf is the claim of a name about a subject that contains a word.
func claimOf(t *testing.T, f step.Findings, id, about string) percuss.Claim {
	t.Helper()
	at := slices.IndexFunc(f.Claims, func(c percuss.Claim) bool { return c.ID == id && strings.Contains(c.Subject, about) })
	if at < 0 {
		t.Fatalf("there is no claim %s about %s", id, about)
	}
	c := f.Claims[at]
	if c.Says == "" || c.Shown == "" || c.Against == "" {
		t.Errorf("claim %s about %s is not whole: %+v", id, about, c)
	}
	if !c.Measure.Value.OK() && c.Measure.Why == "" {
		t.Errorf("claim %s about %s is without a measure and does not say why", id, about)
	}
	return c
}

func TestClaimsOnJudges(t *testing.T) {
	again := func(noise int) func(int, *step.Step) {
		return func(n int, s *step.Step) {
			if n%4 != 0 {
				return
			}
			s.Again = slices.Clone(s.Says)
			if n%noise == 0 {
				s.Again[0].Says = map[bool]step.Says{true: step.Correct, false: step.Factual}[s.Says[0].Says.IsError()]
			}
		}
	}
	o := compared()
	f := summarised(t, o, changed(planted("old", 60, 0.5, 0.3, 1), nil, again(400)))
	for _, c := range []struct {
		id, judge string
		want      percuss.Holds
	}{{"judge-form", "one", percuss.ClaimFails}, {"judge-form", "two", percuss.ClaimHolds}, // judge one has no verdict on one step of five
		{"judge-repeats", "one", percuss.ClaimHolds}, {"judge-repeats", "two", percuss.ClaimHolds},
		{"judge-guess", "one", percuss.CannotTell}, {"judge-guess", "two", percuss.ClaimHolds}} {
		if got := claimOf(t, f, c.id, c.judge); got.Verdict != c.want {
			t.Errorf("%s of %s: %s, want %s: %s", c.id, c.judge, got.Verdict, c.want, got.Shown)
		}
	}
	o.Quality = map[string]step.Quality{"one": {Sensitivity: 0.5, Specificity: 0.5}, "two": {Sensitivity: 0.6, Specificity: 0.6, Positives: 10, Negatives: 10}}
	f = summarised(t, o, changed(planted("old", 60, 0.5, 0.3, 1), nil, again(8)))
	for id, want := range map[string]percuss.Holds{"judge-guess one": percuss.ClaimFails, "judge-guess two": percuss.CannotTell, "judge-repeats one": percuss.ClaimFails} {
		name, judge, _ := strings.Cut(id, " ")
		if got := claimOf(t, f, name, judge); got.Verdict != want {
			t.Errorf("%s: %s, want %s: %s", id, got.Verdict, want, got.Shown)
		}
	}
	f = summarised(t, o, planted("old", 10, 0.5, 0.3, 1))
	if got := claimOf(t, f, "judge-repeats", "one"); got.Verdict != percuss.CannotTell || got.Measure.Why == "" {
		t.Errorf("no step was repeated: %+v", got)
	}
}

// Where a feature of the steps is one model's own, a claim says that they give it away; where features are drawn alike they do not.
func TestClaimOnLeaks(t *testing.T) {
	for leak, want := range map[uint64]percuss.Holds{50: percuss.ClaimFails, 0: percuss.ClaimHolds} {
		model := func(name string, own uint64) []percuss.Record {
			rng := rand.New(rand.NewPCG(7, own))
			return changed(planted(name, 60, 0.5, 0.1, own), nil, func(_ int, s *step.Step) {
				for f := range uint16(8) {
					if rng.IntN(2) == 0 {
						s.Features = append(s.Features, f)
					}
				}
				if rng.IntN(100) < int(leak) {
					s.Features = append(s.Features, uint16(100+own))
				}
			})
		}
		o := compared()
		o.Views = o.Views[:1]
		f := summarised(t, o, model("old", 1), model("new", 2), planted("third", 60, 0.5, 0.1, 9))
		got := claimOf(t, f, "style-leak", "old and new on mine")
		if got.Verdict != want {
			t.Errorf("%d %% of the steps give their model away: %s: %s", leak, got.Verdict, got.Shown)
		}
		if n := len(slices.DeleteFunc(slices.Clone(f.Claims), func(c percuss.Claim) bool { return c.ID != "style-leak" })); n != 1 {
			t.Errorf("%d claims on leaks, of one comparison", n)
		}
	}
}

func TestClaimsOnChains(t *testing.T) {
	o := compared()
	f := summarised(t, o, planted("old", 20, 0.5, 0.1, 1), changed(planted("new", 20, 0.5, 0.1, 2), func(n int, c *step.Chain) {
		switch n % 10 {
		case 0:
			c.State = step.Unparseable
		case 1, 2:
			c.Outcome = percuss.Truncated
		case 3:
			c.State = step.NoCall
		}
	}, nil))
	for _, c := range []struct {
		id, model string
		want      percuss.Holds
		k         float64
	}{{"chains-read", "old on mine", percuss.ClaimHolds, 0}, {"chains-read", "new on mine", percuss.ClaimFails, 16}, {"chains-cut", "old on mine", percuss.ClaimHolds, 0}, {"chains-cut", "new on mine", percuss.ClaimFails, 16}} {
		if got := claimOf(t, f, c.id, c.model); got.Verdict != c.want || got.Measure.Num.Or(-1) != c.k || got.Measure.Den.Or(0) != 80 {
			t.Errorf("%s of %s: %s with %+v, want %s with %g of 80", c.id, c.model, got.Verdict, got.Measure, c.want, c.k)
		}
	}
}

// seenAs gives every record a second view, in which judge one says something else of its steps.
func seenAs(view string, records []percuss.Record, says func(step.Says) step.Says) []percuss.Record {
	return changed(records, func(_ int, c *step.Chain) {
		v := step.Viewed{View: view}
		for _, s := range c.Views[0].Steps {
			s.Says = slices.Clone(s.Says)
			if len(s.Says) > 0 {
				s.Says[0].Says = says(s.Says[0].Says)
			}
			v.Steps = append(v.Steps, s)
		}
		c.Views = append(c.Views, v)
	}, nil)
}

// A stated verdict is held by everything else that the run shows of it, and fails where that says the contrary.
func TestClaimsOnVerdicts(t *testing.T) {
	o := compared()
	o.Views = append(o.Views, step.View{ID: "sentence", By: step.Sentence, Words: step.Normalised})
	o.Control = 4
	same := func(s step.Says) step.Says { return s }
	turned := func(s step.Says) step.Says {
		return map[bool]step.Says{true: step.Correct, false: step.Factual}[s.IsError()]
	}
	constant := func(step.Says) step.Says { return step.Correct }
	for name, c := range map[string]struct {
		says func(step.Says) step.Says
		want percuss.Holds
	}{"the same": {same, percuss.ClaimHolds}, "the contrary": {turned, percuss.ClaimFails}, "nothing but correct": {constant, percuss.CannotTell}} {
		f := summarised(t, o, seenAs("sentence", planted("old", 120, 0.5, 0.1, 1), c.says), seenAs("sentence", planted("new", 120, 0.8, 0.3, 2), c.says))
		if got := claimOf(t, f, "verdict-cut", "by one"); got.Verdict != c.want {
			t.Errorf("another cut says %s: %s, want %s: %s", name, got.Verdict, c.want, got.Shown)
		}
		for _, id := range []string{"verdict-judge", "verdict-length", "verdict-right"} {
			if got := claimOf(t, f, id, "by one"); got.Verdict != percuss.ClaimHolds || !strings.Contains(got.Subject, "new after old") {
				t.Errorf("%s: %s of %s: %s", id, got.Verdict, got.Subject, got.Shown)
			}
		}
		if got := claimOf(t, f, "verdict-corrected", "by two"); got.Verdict != percuss.ClaimHolds {
			t.Errorf("corrected: %s: %s", got.Verdict, got.Shown)
		}
	}
	falls := summarised(t, o, planted("old", 120, 0.5, 0.3, 1), planted("new", 120, 0.8, 0.1, 2))
	if got := claimOf(t, falls, "verdict-length", "by one"); got.Verdict != percuss.ClaimHolds || !(got.Measure.Value.Or(1) < 0) {
		t.Errorf("fewer errors, by steps of equal length: %s: %s", got.Verdict, got.Shown)
	}
	untold := summarised(t, o, planted("old", 40, 0.5, 0.2, 3), planted("new", 40, 0.5, 0.2, 4))
	if slices.ContainsFunc(untold.Claims, func(c percuss.Claim) bool { return strings.HasPrefix(c.ID, "verdict-") }) {
		t.Error("a comparison without a verdict has claims on it")
	}
}

// Where all errors of the change are in long steps that the later model has more of, equal lengths show no change; where they
// are on items that one of the two answers wrongly, those that both answer correctly show none.
func TestVerdictsThatDoNotSurvive(t *testing.T) {
	o := compared()
	o.Judges = o.Judges[:1]
	model := func(name string, right, long float64, seed uint64) []percuss.Record {
		n := 0
		return changed(planted(name, 200, right, 0, seed), nil, func(_ int, s *step.Step) {
			if n++; float64(n%10) < 10*long {
				s.Words = 40
				if s.Says[0].Says = step.Correct; n%20 < 10 {
					s.Says[0].Says = step.Factual
				}
				return
			}
			s.Says[0].Says = step.Correct
		})
	}
	f := summarised(t, o, model("old", 0.4, 0.2, 1), model("new", 0.8, 0.6, 2))
	if p := f.Pairs[0]; p.Verdict != step.UpDown {
		t.Fatalf("the verdict is %s %s, errors %+v", p.Verdict, p.Why, p.Errors)
	}
	if got := claimOf(t, f, "verdict-length", "by one"); got.Verdict == percuss.ClaimHolds || got.Measure.Value.Or(1) > 0.02 {
		t.Errorf("between steps of one length nothing changes: %s: %s", got.Verdict, got.Shown)
	}
	wrong := func(records []percuss.Record, share int) []percuss.Record {
		for i, record := range records {
			r := record.(step.Record)
			for c := range r.Chains {
				chain := &r.Chains[c]
				chain.Correct, chain.Answer = i%share != 0, map[bool]string{true: "B", false: "A"}[i%share != 0]
				for j := range chain.Views[0].Steps {
					if s := &chain.Views[0].Steps[j]; len(s.Says) > 0 {
						s.Says[0].Says = map[bool]step.Says{true: step.Correct, false: step.Factual}[chain.Correct || share == 2]
					}
				}
			}
		}
		return records
	}
	f = summarised(t, o, wrong(planted("old", 200, 0, 0, 1), 2), wrong(planted("new", 200, 0, 0, 2), 5))
	if p := f.Pairs[0]; p.Verdict != step.UpDown {
		t.Fatalf("the verdict is %s %s, errors %+v", p.Verdict, p.Why, p.Errors)
	}
	if got := claimOf(t, f, "verdict-right", "by one"); got.Verdict == percuss.ClaimHolds || got.Measure.Value.Or(1) != 0 {
		t.Errorf("on items that both answer correctly nothing changes: %s: %s", got.Verdict, got.Shown)
	}
}
