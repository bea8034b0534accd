package sqlite

import (
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/storetest"
)

// chainEntry has a body as long as a real chain's.
func chainEntry(i int) store.Entry {
	e := storetest.Entry(3 * i)
	e.Answer.Text = strings.Repeat("Step 1: the patient presents with chest pain. ", 20)
	e.Request.Messages[1].Content += strings.Repeat(" vignette", 100)
	e.Key = e.Request.Key()
	return e
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

func BenchmarkGet(b *testing.B) {
	const n = 5000
	s := openFile(b, filepath.Join(b.TempDir(), "answers.db"), "synchronous(OFF)")
	keys := make([]store.Entry, n)
	for i := range keys {
		keys[i] = chainEntry(i)
		storetest.Put(b, s, keys[i])
	}
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if _, ok, err := s.Get(context.Background(), keys[i*7919%n].Key); !ok || err != nil {
				b.Error(ok, err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "gets/s")
}
