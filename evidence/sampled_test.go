package evidence

import (
	"math"
	"slices"
	"testing"

	"github.com/percuss/percuss"
)

// sampling is an audit of a back-end that gives text alone.
func sampling(n int, change func(*Options)) *Audit {
	return audit(func(o *Options) {
		o.Can["m"] = percuss.Capabilities{Text: true, Seeded: true}
		o.Samples, o.MaxOrder = n, 2
		if change != nil {
			change(o)
		}
	})
}

// says replies with the letter of a candidate.
func says(q percuss.Request, candidate string) percuss.Answer {
	for _, line := range optionLine.FindAllStringSubmatch(q.Messages[1].Content, -1) {
		if line[2] == candidate {
			return percuss.Answer{Outcome: percuss.OK, Text: line[1]}
		}
	}
	return percuss.Answer{Outcome: percuss.OK, Text: "I cannot tell."}
}

func TestSampledRequests(t *testing.T) {
	a, s := sampling(5, everyCheck), subject(patient())
	ids, keys, seeds := map[string]bool{}, map[percuss.Key]bool{}, map[uint64]int{}
	trials := a.Trials(s, nil)
	for _, trial := range trials {
		if !trial.Fired {
			continue
		}
		r := trial.Request
		if r.Want.Letters != nil || r.Sampling.Temperature != 1 || r.Sampling.TopP != 1 || r.Sampling.MaxTokens != sampleTokens || r.Replicate < 1 || r.Replicate > 5 || r.Sampling.Seed == 0 || r.Sampling.Seed >= 1<<31 {
			t.Fatalf("%s: %+v", trial.ID, r)
		}
		ids[trial.ID], keys[r.Key()] = true, true
		seeds[r.Sampling.Seed]++
	}
	// base, five of stability, one of neutralize: no repetitions beside the draws
	if want := 5 * 7 * 38; len(ids) != want || len(keys) != want || len(seeds) < want-3 {
		t.Errorf("%d trials, %d keys, %d seeds, want %d", len(ids), len(keys), len(seeds), want)
	}
	unseeded := sampling(2, func(o *Options) { o.Can["m"] = percuss.Capabilities{Text: true} })
	for _, trial := range unseeded.Trials(s, nil) {
		if trial.Request.Sampling.Seed != 0 {
			t.Fatalf("a seed for a back-end that takes none: %+v", trial.Request.Sampling)
		}
	}
	if n := a.Later(s, trials); n != 5*4*8 {
		t.Errorf("%d requests later, want 160", n)
	}
}

// Scores are smoothed logs of counts: (k+1/2)/(n+m/2).
func TestSampledScores(t *testing.T) {
	a, s := sampling(4, nil), subject(patient())
	trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer {
		if shown(q.Messages[1].Content, "g") == 1 && q.Replicate <= 3 {
			return says(q, "d0")
		}
		if q.Replicate == 4 {
			return percuss.Answer{Outcome: percuss.OK, Text: "It is hard to say."}
		}
		return says(q, "d5")
	}, nil)
	rec := a.Reduce(s, trials, answers).(Record)
	score := func(k float64) float64 { return math.Log((k + 0.5) / (4 + 8.0/2)) }
	want := score(3) - score(0)
	if rec.Sampled != 4 || rec.Base.State != Scored || math.Abs(rec.Base.Margin.Or(0)-want) > 1e-12 || math.Abs(rec.Base.Empty.Or(0)+want) > 1e-12 {
		t.Errorf("%d drawn, %s, margins %v and %v, want ±%g", rec.Sampled, rec.Base.State, rec.Base.Margin, rec.Base.Empty, want)
	}
	if got := salient(rec.Base); len(got) != 1 || got[0].Set != 0b1000000 || math.Abs(got[0].Value-2*want) > 1e-12 || rec.Base.Mass.Or(0) != 0.75 {
		t.Errorf("%+v, mass %v", got, rec.Base.Mass)
	}
	if !rec.Base.Correct || rec.Base.Prediction != "d0" {
		t.Errorf("prediction %q", rec.Base.Prediction)
	}
}

// The scores themselves, not only their differences: what a letter would have by chance is added before the log is taken.
func TestSmoothedCounts(t *testing.T) {
	table := newTable(heading{Candidates: []string{"x", "y", "z", "w"}, Sampled: 6}, map[string]int{"x": 1, "y": 0, "z": 2, "w": 3})
	for _, text := range []string{"A", "A", "A", "B", "no idea", "C"} {
		table.put(0, percuss.Answer{Outcome: percuss.OK, Text: text}, true)
	}
	table.smooth()
	got, _ := table.at(0)
	for i, count := range []float64{1, 3, 1, 0} { // y, x, z, w
		if want := math.Log((count + 0.5) / (6 + 2)); math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("column %d: %g, want %g", i, got[i], want)
		}
	}
	if table.mass[0] != 5.0/6 || table.state != Scored {
		t.Errorf("mass %g, state %s", table.mass[0], table.state)
	}
}

// Replies in words are read as answers are read everywhere; what names no letter, or two, is none.
func TestSampledReplies(t *testing.T) {
	a, s := sampling(1, func(o *Options) { o.MaxOrder, o.Units, o.FileOrder = 1, 1, true }), subject(ten())
	for text, want := range map[string]string{
		"A": "d0", " B": "d1", "C.": "d2", "**D**": "d3", "E) d4": "d4", "The answer is F.": "d5", "Answer: G": "d6",
		"H. d7, because the findings point to it and noth": "d7",
	} {
		outcome := percuss.OK
		if len(text) > 40 {
			outcome = percuss.Truncated
		}
		trials, answers := asked(t, a, s, func(percuss.Request) percuss.Answer { return percuss.Answer{Outcome: outcome, Text: text} }, nil)
		if m := a.Reduce(s, trials, answers).(Record).Base; m.Prediction != want || m.State != Scored {
			t.Errorf("%q: %q (%s, %s), want %s", text, m.Prediction, m.State, m.Why, want)
		}
	}
	for name, reply := range map[string]percuss.Answer{
		"begins with an article": {Outcome: percuss.Truncated, Text: "A patient with findings of this kind could well ha"},
		"no letter":              {Outcome: percuss.OK, Text: "I am not able to say."}, "two": {Outcome: percuss.OK, Text: "A or B"},
		"none of them": {Outcome: percuss.OK, Text: "Z"}, "nothing": {Outcome: percuss.Empty}, "filtered": {Outcome: percuss.Filtered, Text: "A"},
		"too long": {Outcome: percuss.ContextExceeded}, "not taken": {Outcome: percuss.Refused},
	} {
		trials, answers := asked(t, a, s, func(percuss.Request) percuss.Answer { return reply }, nil)
		if m := a.Reduce(s, trials, answers).(Record).Base; m.State != Unscored || m.Why == "" || m.Interactions != nil || m.Answered {
			t.Errorf("%s: %s (%s), answered %v", name, m.State, m.Why, m.Answered)
		}
	}
	trials, answers := asked(t, sampling(3, nil), s, func(q percuss.Request) percuss.Answer { return says(q, "d0") },
		func(trial percuss.Trial, _ *percuss.Answer) bool {
			return trial.ID != "clinical-summary/o0/drop/11111111#2"
		})
	if m := a.Reduce(s, trials, answers).(Record).Base; m.State != Waiting {
		t.Errorf("a draw is missing: %s", m.State)
	}
}

// Counterfactuals are drawn as often, and measured by the same counts.
func TestSampledChanges(t *testing.T) {
	a, s := sampling(3, everyCheck), subject(patient())
	trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer {
		if shown(q.Messages[1].Content, "g") == 1 {
			return says(q, "d0")
		}
		return says(q, "d5")
	}, nil)
	rec := a.Reduce(s, trials, answers).(Record)
	at := slices.IndexFunc(rec.Changes, func(c Change) bool { return c.Family == "Fg" && c.Edit == Remove })
	if at < 0 || rec.Changes[at].State != Scored || math.Abs(rec.Changes[at].Target.Or(0)-math.Log(0.5/3.5)) > 1e-12 || rec.Changes[at].RankAfter != 2 {
		t.Errorf("%+v", rec.Changes)
	}
	if len(rec.Cascade) == 0 || rec.Cascade[0].Prompt != Holds || rec.Cascade[0].Neutralize != Holds {
		t.Errorf("%+v", rec.Cascade)
	}
}
