package coverage_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/judge"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/step"
)

// The views of the audits here.
var (
	byMarkers   = step.View{ID: "markers", By: step.Markers, Words: step.Normalised}
	bySentence  = step.View{ID: "sentence", By: step.Sentence, Words: step.Normalised}
	byParagraph = step.View{ID: "paragraph", By: step.Paragraph, Words: step.Normalised}
	asWritten   = step.View{ID: "raw", By: step.Markers, Words: step.AsWritten}
	inOther     = step.View{ID: "paraphrase", By: step.Markers, Words: step.Paraphrased}
)

// bodies are n questions of a number, of which two in three have a side.
func bodies(number, n int) []percuss.Question {
	out := world(number, n)
	for i := range out {
		if side := [3]string{"left", "right", ""}[i%3]; side != "" {
			out[i].Stem = strings.Replace(out[i].Stem, "local tenderness", "a swollen "+side+" "+[2]string{"knee", "ankle"}[i%2], 1)
		}
	}
	return out
}

// stepAudit is a step audit in memory.
type stepAudit struct {
	o       step.Options
	items   []percuss.Question
	models  map[string]*simulated.Model // by identity
	audited []step.Model
}

// auditOf sets an audit up: k chains of each item by each of the given reasoners, called m1, m2 and so on.
func auditOf(t testing.TB, items, k int, views []step.View, reasoners ...string) *stepAudit {
	t.Helper()
	return auditOn(t, bodies(1000, items), k, views, reasoners...)
}

// auditOn is auditOf on given questions.
func auditOn(t testing.TB, items []percuss.Question, k int, views []step.View, reasoners ...string) *stepAudit {
	t.Helper()
	a := &stepAudit{items: items, models: map[string]*simulated.Model{}, o: step.Options{Seed: 5, Prompts: prompt.Default(), K: k, Heat: 0.7, TopP: 1, MaxTokens: 1024,
		Views: views, Judged: k, Control: k, Most: 40, Rubric: judge.DefaultSteps(), Style: step.DefaultStyle(), Bootstrap: 400,
		Can: map[string]percuss.Capabilities{}, Models: map[string]step.Described{}, Quality: map[string]step.Quality{}}}
	for i, spec := range reasoners {
		id := fmt.Sprint("m", i+1)
		a.audited = append(a.audited, step.Model{ID: id, Identity: a.open(t, spec)})
		a.o.Can[id] = a.models[a.audited[i].Identity].Capabilities()
	}
	if len(reasoners) == 2 {
		a.o.Pairs = []step.Pairing{{Before: "m1", After: "m2"}}
	}
	return a
}

// open makes a model and returns its identity.
func (a *stepAudit) open(t testing.TB, spec string) string {
	t.Helper()
	m, err := simulated.New(a.items, nil, spec)
	if err != nil {
		t.Fatal(err)
	}
	id := m.Capabilities().Identity
	a.models[id] = m
	return id
}

// judged adds a judge, called j1, j2 and so on.
func (a *stepAudit) judged(t testing.TB, spec string) *stepAudit {
	a.o.Judges = append(a.o.Judges, step.Model{ID: fmt.Sprint("j", len(a.o.Judges)+1), Identity: a.open(t, spec)})
	return a
}

// records asks and reduces.
func (a *stepAudit) records(t testing.TB) []percuss.Record {
	t.Helper()
	audit := step.New(a.o)
	var out []percuss.Record
	for _, m := range a.audited {
		for _, q := range a.items {
			s := percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral", Model: m.ID, Set: q.Set, Item: q.ID}, Identity: m.Identity, Question: q}
			answers := percuss.AnswerMap{}
			for missing := percuss.Missing(audit.Trials(s, answers), answers); len(missing) > 0; missing = percuss.Missing(audit.Trials(s, answers), answers) {
				for _, r := range missing {
					answers[r.Key()] = modeltest.Ask(t, a.models[r.Model], r)[0]
				}
			}
			out = append(out, audit.Reduce(s, audit.Trials(s, answers), answers))
		}
	}
	return out
}

// findings are the tables.
func (a *stepAudit) findings(t testing.TB) step.Findings {
	t.Helper()
	return step.New(a.o).Summarise(slices.Values(a.records(t))).(step.Findings)
}

// reasonerOf is the i-th audited model.
func (a *stepAudit) reasonerOf(i int) *simulated.Model { return a.models[a.audited[i].Identity] }

// within checks that an estimate's interval holds the truth, and that there is one.
func within(t testing.TB, what string, e percuss.Estimate, truth float64) {
	t.Helper()
	lo, has := e.Lo.Get()
	hi, ok := e.Hi.Get()
	if !has || !ok || truth < lo || truth > hi {
		t.Errorf("%s: %s [%s, %s], truth %.4f (%s)", what, e.Value.Format(4), e.Lo.Format(4), e.Hi.Format(4), truth, e.Why)
	}
}

func value(n percuss.Number) float64 { return n.Or(math.NaN()) }
