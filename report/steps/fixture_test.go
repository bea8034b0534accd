package steps

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/judge"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/step"
)

// world is a small audit that is really asked: two models, four chains an item, two judges, three views, with answers
// written by hand.
type world struct {
	items int
	bad   string // what a hostile text holds; empty: texts are harmless
	quiet bool   // no reply can be read
	plain bool   // no judge
}

func (w world) options() step.Options {
	o := step.Options{Seed: 3, Prompts: prompt.Default(), K: 4, Heat: 0.7, TopP: 1, MaxTokens: 200, Judged: 2, Control: 1, Most: 10, Bootstrap: 100, Repeats: 0.5,
		Views: []step.View{{ID: "markers", By: step.Markers, Words: step.Normalised}, {ID: "raw", By: step.Markers, Words: step.AsWritten},
			{ID: "paraphrase", By: step.Markers, Words: step.Paraphrased}},
		Judges: []step.Model{{ID: "one" + w.bad, Identity: "judge-one"}, {ID: "two", Identity: "judge-two"}}, Neutral: &step.Model{ID: "neutral", Identity: "neutral"},
		Rubric: judge.DefaultSteps(), Style: step.DefaultStyle(), Quality: map[string]step.Quality{"two": {Sensitivity: 0.9, Specificity: 0.95, Positives: 50, Negatives: 100, From: "expert labels" + w.bad}},
		Models: map[string]step.Described{"old" + w.bad: {Role: step.Before}, "new": {Role: step.After}}, Pairs: []step.Pairing{{Before: "old" + w.bad, After: "new"}}}
	if w.plain {
		o.Judges, o.Neutral, o.Views = nil, nil, o.Views[:1]
	}
	return o
}

// subjects are the items, each asked of both models.
func (w world) subjects() (out []percuss.Subject) {
	for _, model := range []string{"old" + w.bad, "new"} {
		for i := range w.items {
			id := fmt.Sprintf("mine:%d%s", i+1, w.bad)
			q := percuss.Question{ID: id, Set: "mine" + w.bad, Stem: fmt.Sprintf("A %d-year-old man has a cough. What is next?%s", 30+i, w.bad), Gold: "B", Note: w.bad,
				Options: []percuss.Option{{Label: "A", Text: "rest" + w.bad}, {Label: "B", Text: "tea"}}, Source: percuss.Source{File: "mine.jsonl" + w.bad, Line: i + 1}}
			out = append(out, percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral", Model: model, Set: q.Set, Item: id}, Identity: model, Question: q})
		}
	}
	return out
}

// say answers a request: the new model is right more often, and more of its steps are wrong.
func (w world) say(r percuss.Request) percuss.Answer {
	ok := func(text string) percuss.Answer {
		return percuss.Answer{Outcome: percuss.OK, Text: text, Usage: percuss.Usage{Prompt: 50, Output: len(strings.Fields(text))}}
	}
	turn := int(percuss.Rand(1, string(r.Key()), "", "turn").Uint64() % 10)
	switch {
	case r.Model == "neutral":
		return ok("Put otherwise: a cough is common.")
	case strings.HasPrefix(r.Model, "judge"):
		text := r.Messages[1].Content
		switch said := text[strings.LastIndex(text, "The step:"):]; {
		case r.Model == "judge-one" && turn < 4:
			return ok("I cannot say." + w.bad)
		case strings.Contains(said, "false"):
			return ok("VERDICT: ERROR (factual)")
		case strings.Contains(said, "options"):
			return ok("VERDICT: NOTHING TO CHECK")
		}
		return ok("VERDICT: CORRECT")
	case w.quiet:
		return ok("No idea." + w.bad)
	}
	wrong, label := 2, "B"
	if r.Model == "new" {
		wrong = 6
	}
	if turn < 5 && r.Model != "new" {
		label = "A"
	}
	second := "A cough is true"
	if turn < wrong {
		second = "A cough is false"
	}
	return ok(fmt.Sprintf("**Step 1:** Perhaps this is a %d-year-old man%s.\n\nStep 2: %s%s and 2 + 2 = 5.\n\nStep 3: Let us weigh the options.\n\nAnswer: %s", 77+turn, w.bad, second, w.bad, label))
}

// made is an audit with its report and its items.
type made struct {
	r     Report
	items []Item
}

// make asks everything and reports it.
func (w world) make(t testing.TB) made {
	t.Helper()
	a := step.New(w.options())
	var out made
	tally := report.NewTally()
	for _, s := range w.subjects() {
		known := percuss.AnswerMap{}
		for missing := percuss.Missing(a.Trials(s, known), known); len(missing) > 0; missing = percuss.Missing(a.Trials(s, known), known) {
			for _, r := range missing {
				known[r.Key()] = w.say(r)
			}
		}
		trials := a.Trials(s, known)
		rec, ok := a.Reduce(s, trials, known).(step.Record)
		if !ok {
			t.Fatal("a record of another audit")
		}
		out.items = append(out.items, Item{Subject: s, Trials: trials, Record: rec, Texts: a.Texts(s, trials, known), Answers: known})
		tally.Add(report.Item{Subject: s, Trials: trials, Answers: known, Asks: a.Asks})
	}
	f, ok := a.Summarise(func(yield func(percuss.Record) bool) {
		for _, it := range out.items {
			if !yield(it.Record) {
				return
			}
		}
	}).(step.Findings)
	if !ok {
		t.Fatal("findings of another audit")
	}
	f.Decisions = append(f.Decisions, percuss.Decision{ID: "S0" + w.bad, Text: "a choice" + w.bad})
	out.r = Report{Audit: "steps", Spec: json.RawMessage(`{"seed":3}`), Versions: map[string]string{"percuss": "v0" + w.bad}, Calls: tally.Calls(), Findings: f,
		Claims: append(f.Claims, percuss.Claim{ID: "c", Subject: "old" + w.bad, Says: "a claim" + w.bad, Shown: "what was measured", Against: "what would contradict it", Verdict: percuss.ClaimFails}),
		Models: []report.Model{{ID: "old" + w.bad, Identity: "gguf:1"}, {ID: "new", Identity: "gguf:2"}}, Notes: []string{"A note." + w.bad},
		Data: []report.Data{{Set: "mine" + w.bad, File: "mine.jsonl", Rows: w.items + 1, Bad: 1, Drawn: w.items, BadRows: []string{"line 3: no gold" + w.bad}}}}
	out.r.Complete()
	return out
}

// all walks the items.
func (m made) all() iter.Seq[Item] { return slices.Values(m.items) }
