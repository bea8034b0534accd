package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/storetest"
)

// chainEntry has bodies as long as a real chain's, and of their form.
func chainEntry(i int) store.Entry {
	r := percuss.Request{Model: "test:model", Sampling: percuss.Greedy(512), Messages: []percuss.Message{
		{Role: percuss.System, Content: "You are a clinical expert answering a multiple-choice question."},
		{Role: percuss.User, Content: fmt.Sprintf("Question %d: a 54-year-old woman.%s\n\nA. Aspirin\nB. \"Rest\"", i, strings.Repeat(" vignette", 100))}}}
	return store.Entry{Key: r.Key(), Request: r, Answer: percuss.Answer{Outcome: percuss.OK,
		Text:  strings.Repeat("Step 1: the patient presents with chest pain.\n", 20) + "Answer: B",
		Usage: percuss.Usage{Prompt: 500, Output: 200}, Reported: "engine 1"}}
}

func benchmarkPut(b *testing.B, goroutines int, pragmas ...string) {
	s := openFile(b, filepath.Join(b.TempDir(), "answers.db"), pragmas...)
	var next atomic.Int64
	b.SetParallelism(goroutines) // times GOMAXPROCS, set to 1 by -cpu
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			storetest.Put(b, s, chainEntry(int(next.Add(1))))
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "puts/s")
}

// Run with: go test -run - -bench . -cpu 1 (goroutines are then as named).
func BenchmarkPut1Full(b *testing.B)    { benchmarkPut(b, 1) }
func BenchmarkPut64Full(b *testing.B)   { benchmarkPut(b, 64) }
func BenchmarkPut1Normal(b *testing.B)  { benchmarkPut(b, 1, "synchronous(NORMAL)") }
func BenchmarkPut64Normal(b *testing.B) { benchmarkPut(b, 64, "synchronous(NORMAL)") }

// benchmarkGet reads answers, the i-th call that of the given number, from a reader that has none of them in memory.
func benchmarkGet(b *testing.B, number func(i int) int) {
	path := filepath.Join(b.TempDir(), "answers.db")
	s := openFile(b, path, "synchronous(OFF)")
	keys := make([]percuss.Key, benchmarkAnswers)
	for i := range keys {
		e := chainEntry(i)
		keys[i] = e.Key
		storetest.Put(b, s, e)
	}
	b.ResetTimer()
	for done := 0; done < b.N; done += benchmarkAnswers {
		r, err := OpenReader(context.Background(), path)
		if err != nil {
			b.Fatal(err)
		}
		for i := range min(benchmarkAnswers, b.N-done) {
			if _, ok, err := r.Get(context.Background(), keys[number(i)]); !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
		if err := r.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "gets/s")
}

// benchmarkAnswers is how many answers there are to read.
const benchmarkAnswers = 5000

// BenchmarkWalk reads answers about in the order in which they were put, as a report does, BenchmarkGet one of each chunk
// after the other.
func BenchmarkWalk(b *testing.B) { benchmarkGet(b, func(i int) int { return i/40*40 + i*7%40 }) }
func BenchmarkGet(b *testing.B) {
	benchmarkGet(b, func(i int) int { return i * 1999 % benchmarkAnswers })
}
