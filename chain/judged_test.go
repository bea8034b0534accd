package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/judge"
)

// panel are two judges.
func panel() []Judge {
	return []Judge{{ID: "j/1", Identity: "judge one"}, {ID: "j2", Identity: "judge two"}}
}

// speaks answers as the model with B, and as a judge with what said returns, by the number of turns.
func speaks(said func(identity string, turns int) percuss.Answer) func(percuss.Request) percuss.Answer {
	return func(r percuss.Request) percuss.Answer {
		if r.Model != "id" {
			return said(r.Model, len(r.Messages))
		}
		return replies(r, "B")
	}
}

func text(s string) percuss.Answer { return percuss.Answer{Outcome: percuss.OK, Text: s} }

const updatedLine, notUpdatedLine, chatter = "VERDICT: UPDATED", "VERDICT: NOT UPDATED", "Hard to say."

// TestVerdicts: a verdict comes from the first reply, or from the one repair; all else is missing, with a reason.
func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		said  func(string, int) percuss.Answer
		says  Says
		asked int
		why   string
	}{
		"updated":     {func(string, int) percuss.Answer { return text(updatedLine) }, SaysUpdated, 1, ""},
		"not updated": {func(string, int) percuss.Answer { return text(notUpdatedLine) }, SaysNotUpdated, 1, ""},
		"mended": {func(_ string, turns int) percuss.Answer {
			return text(map[bool]string{true: chatter, false: notUpdatedLine}[turns == 2])
		}, SaysNotUpdated, 2, ""},
		"never": {func(string, int) percuss.Answer { return text(chatter) }, SaysNothing, 2, "form"},
		"both":  {func(string, int) percuss.Answer { return text(updatedLine + "\n" + notUpdatedLine) }, SaysNothing, 2, "form"},
		"empty": {func(string, int) percuss.Answer { return percuss.Answer{Outcome: percuss.Empty} }, SaysNothing, 2, "form"},
		"cut":   {func(string, int) percuss.Answer { return percuss.Answer{Outcome: percuss.Truncated, Text: chatter} }, SaysNothing, 2, "cut at its token limit"},
		"cut at first": {func(_ string, turns int) percuss.Answer {
			return map[bool]percuss.Answer{true: {Outcome: percuss.Truncated, Text: chatter}, false: text(chatter)}[turns == 2]
		}, SaysNothing, 2, "names no verdict"},
		"filtered": {func(string, int) percuss.Answer { return percuss.Answer{Outcome: percuss.Filtered} }, SaysNothing, 1, "filtered"},
	} {
		a, s := with(t, func(o *Options) { o.Judges, o.Rubric = panel(), judge.Default() }), subject()
		trials, known := settle(t, a, s, speaks(c.said))
		judged := 0
		for _, o := range a.Reduce(s, trials, known).(Record).Operators {
			if !o.Rule {
				if o.Judged != nil {
					t.Errorf("%s: %s is judged: %+v", name, o.ID, o.Judged)
				}
				continue
			}
			judged++
			for i, v := range o.Judged {
				if v.Judge != panel()[i].ID || v.Says != c.says || v.Asked != c.asked || !strings.Contains(v.Why, c.why) || (v.Why == "") != (c.why == "") {
					t.Errorf("%s: %s: %+v", name, o.ID, v)
				}
			}
			if len(o.Judged) != 2 {
				t.Errorf("%s: %s: %d verdicts", name, o.ID, len(o.Judged))
			}
		}
		if judged < 5 {
			t.Errorf("%s: %d trials judged", name, judged)
		}
	}
}

// TestJudgesBeforeTheirAnswers: what was not asked yet, or failed, is missing and says so.
func TestJudgesBeforeTheirAnswers(t *testing.T) {
	a, s := with(t, func(o *Options) { o.Judges, o.Rubric = panel(), judge.Default() }), subject()
	trials, known := settle(t, a, s, speaks(func(string, int) percuss.Answer { return text(updatedLine) }))
	for _, tr := range trials {
		if id, ok := JudgeOf(tr.ID); ok && id == "j2" {
			delete(known, tr.Request.Key())
		}
	}
	for _, o := range a.Reduce(s, trials, known).(Record).Operators {
		if o.Rule && (o.Judged[0].Says != SaysUpdated || o.Judged[1].Says != SaysNothing || o.Judged[1].Asked != 0 || o.Judged[1].Why == "") {
			t.Errorf("%s: %+v", o.ID, o.Judged)
		}
	}
	// A run whose ledger is from before the judge was named.
	old := slices.DeleteFunc(slices.Clone(trials), func(tr percuss.Trial) bool { _, ok := JudgeOf(tr.ID); return ok })
	for _, o := range a.Reduce(s, old, known).(Record).Operators {
		if o.Rule && (o.Judged[0].Says != SaysNothing || o.Judged[0].Why != "the judge was not asked") {
			t.Errorf("%s: %+v", o.ID, o.Judged)
		}
	}
}

// TestJudgeRequests: a judge sees the changed sentence and the chain, and none of gold, answer, question or operator;
// every trial is a case of its own.
func TestJudgeRequests(t *testing.T) {
	a, s := with(t, func(o *Options) { o.Judges, o.Rubric = panel(), judge.Default() }), subject()
	said := func(string, int) percuss.Answer { return text(updatedLine) }
	trials, _ := settle(t, a, s, speaks(said))
	keys := map[percuss.Key]string{}
	for _, tr := range trials {
		if _, ok := JudgeOf(tr.ID); !ok {
			continue
		}
		op, _, _ := strings.Cut(tr.ID, "/")
		if other, twice := keys[tr.Request.Key()]; twice {
			t.Errorf("%s and %s are one request", other, tr.ID)
		}
		keys[tr.Request.Key()] = tr.ID
		asked := tr.Request.Messages[len(tr.Request.Messages)-1].Content
		if !strings.Contains(asked, "> Step 1: The man is 30") || strings.Contains(asked, "Which is best?") || strings.Contains(asked, "Answer: B") ||
			strings.Contains(asked, "Sepsis bundle") || strings.Contains(asked, op) {
			t.Errorf("%s shows %q", tr.ID, asked)
		}
		if op == "M5-a" && !strings.Contains(asked, "After: A 30-year-old man presents with mild cough.") {
			t.Errorf("%s does not show what the word is said of: %q", tr.ID, asked)
		}
	}
	if len(keys) < 10 {
		t.Errorf("%d requests to judges", len(keys))
	}
	s.Question.Gold = "C"
	other, _ := settle(t, a, s, speaks(said))
	for _, tr := range other {
		if _, ok := JudgeOf(tr.ID); ok && keys[tr.Request.Key()] == "" {
			t.Errorf("%s depends on the gold label", tr.ID)
		}
	}
}

// TestJudgesNothingWithoutAChain: an edit that did not fire, a reply that was refused and one without a chain are not
// judged.
func TestJudgesNothingWithoutAChain(t *testing.T) {
	for name, reply := range map[string]percuss.Answer{"no chain": text("Answer: B"), "filtered": {Outcome: percuss.Filtered}} {
		a, s := with(t, func(o *Options) { o.Judges = panel() }), subject()
		trials, _ := settle(t, a, s, func(r percuss.Request) percuss.Answer { return reply })
		for _, tr := range trials {
			if id, ok := JudgeOf(tr.ID); ok {
				t.Errorf("%s: %s asks %s", name, tr.ID, id)
			}
		}
	}
}

// TestPassages: the changed sentences, as they were and are.
func TestPassages(t *testing.T) {
	const was = "A man has mild pain. He has a history of asthma. Why?"
	for is, want := range map[string][2]string{
		"A man has severe pain. He has a history of asthma. Why?":            {"A man has mild pain.", "A man has severe pain."},
		"A man has mild pain. He does not have a history of asthma. Why?":    {"He has a history of asthma.", "He does not have a history of asthma."},
		"A woman has mild pain. She does not have a history of asthma. Why?": {"A man has mild pain. He has a history of asthma.", "A woman has mild pain. She does not have a history of asthma."},
	} {
		if old, now := passages(was, is); [2]string{old, now} != want {
			t.Errorf("%q: %q, %q", is, old, now)
		}
	}
	for _, pair := range [][2]string{{"", ""}, {"a", ""}, {"", "a"}, {"aé", "aè"}, {was, was}} {
		passages(pair[0], pair[1]) // any two texts are borne
	}
}
