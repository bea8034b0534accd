package llamacpp

import (
	"fmt"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/modeltest"
)

// plain times llama_decode itself: n tokens a decode for each of the sequences at once, rounds times, from an empty
// cache, and returns the tokens a second.
func plain(b *testing.B, m *Model, n, sequences, rounds, held int) float64 {
	b.Helper()
	e := m.engine
	if err := m.cache.clear(); err != nil {
		b.Fatal(err)
	}
	slots := m.cache.slots[:sequences]
	at := 0
	step := func(tokens int, shared, logits bool) {
		e.batch.Clear()
		for i := range tokens {
			for k := range slots {
				to := slots[k : k+1]
				if shared {
					to = slots
				}
				if err := e.put(256+1000*7%97, at+i, to, logits && i == tokens-1); err != nil {
					b.Fatal(err)
				}
				if shared {
					break
				}
			}
		}
		if err := e.decode(); err != nil {
			b.Fatal(err)
		}
		at += tokens
	}
	for at < held {
		step(min(e.chunk, held-at), true, false)
	}
	start := time.Now()
	for range rounds {
		step(n, false, true)
	}
	rate := float64(n*sequences*rounds) / time.Since(start).Seconds()
	if err := m.cache.clear(); err != nil {
		b.Fatal(err)
	}
	return rate
}

// rates compares a session with plain decodes in turns and reports the best of each: what else the machine does
// slows both, but never makes one faster.
func rates(b *testing.B, session, bare func() float64) {
	b.Helper()
	var best, plain float64
	for b.Loop() {
		best = max(best, session())
		b.StopTimer()
		plain = max(plain, bare())
		b.StartTimer()
	}
	b.ReportMetric(best, "tokens/s")
	b.ReportMetric(plain, "plain-tokens/s")
	b.ReportMetric(best/plain, "ratio")
}

// BenchmarkPrefill reports prompt tokens a second through a session, templates and tokens and all, and as a share of
// plain decodes of the same size.
func BenchmarkPrefill(b *testing.B) {
	m := opened(b, Options{Lib: modeltest.EngineLib(b), Path: modeltest.SmolLM2(b)})
	long := ""
	for i := range 45 {
		long += fmt.Sprintf("%d. %s\n", i, vignette)
	}
	n := 0
	rates(b, func() float64 {
		before, start := m.Counts(), time.Now()
		modeltest.Ask(b, m, letters(long, "The answer is", "A", "B"))
		n = int(m.Counts().PromptComputed - before.PromptComputed)
		return float64(n) / time.Since(start).Seconds()
	}, func() float64 { return plain(b, m, m.engine.chunk, 1, n/m.engine.chunk, 0) })
}

// BenchmarkDecode reports generated tokens a second through a session, several texts at once, and as a share of plain
// decodes of the same number of sequences.
func BenchmarkDecode(b *testing.B) {
	m := opened(b, Options{Lib: modeltest.EngineLib(b), Path: modeltest.SmolLM2(b)})
	for _, n := range []int{1, 8, 32} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var requests []percuss.Request
			for i := range n {
				requests = append(requests, text(vignette, fmt.Sprintf("Step 1: case %d.", i), 64))
			}
			rates(b, func() float64 {
				before := m.Counts()
				modeltest.Ask(b, m, requests...)
				c := m.Counts()
				return float64(c.Output-before.Output) / (c.DecodeSeconds - before.DecodeSeconds)
			}, func() float64 { return plain(b, m, 1, n, 63, 72) })
		})
	}
}
