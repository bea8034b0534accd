package cli

import (
	"context"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/demo"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/openai"
	"github.com/percuss/percuss/model/openai/openaitest"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/store/sqlite"
)

// BenchmarkHarness runs the whole battery on all built-in questions against a server in this process that answers at
// once, over 64 connections, every answer on the disk before the next is counted. The server's own work is part of it.
func BenchmarkHarness(b *testing.B) {
	s := openaitest.Start(b, "generic")
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		reply(w, body, chainOf, "stop")
		return true
	}
	questions, _, err := dataset.Collect(demo.New())
	if err != nil {
		b.Fatal(err)
	}
	paper, err := battery.Parse("paper")
	if err != nil {
		b.Fatal(err)
	}
	answered := 0
	for b.Loop() {
		m, err := openai.Open(b.Context(), openai.Options{URL: s.URL, Name: openaitest.Name, Remote: model.RemoteOptions{Concurrency: 64}})
		if err != nil {
			b.Fatal(err)
		}
		can := m.Capabilities()
		answers, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "answers.db"))
		if err != nil {
			b.Fatal(err)
		}
		var subjects []percuss.Subject
		for _, q := range questions {
			subjects = append(subjects, percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral", Model: "m", Set: q.Set, Item: q.ID},
				Identity: can.Identity, Question: q})
		}
		loop := run.Loop{Store: answers, Subjects: subjects, Attempts: 1, Now: time.Now,
			Audit: chain.New(chain.Options{Seed: 1, Battery: paper, Prompts: prompt.Default(), Answer: chain.Text, MaxTokens: 512, Direct: true,
				Can: map[string]percuss.Capabilities{"m": can}}),
			Models: func(context.Context, string) (model.Model, error) { return m, nil }}
		result, err := loop.Run(b.Context())
		if err != nil || result.Failed > 0 {
			b.Fatal(err, result)
		}
		answered += result.Answered
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
		if err := answers.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(answered)/b.Elapsed().Seconds(), "requests/s")
}
