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

// BenchmarkPrefill reports prompt tokens a second through a session and as a share of plain decodes of the same size.
func BenchmarkPrefill(b *testing.B) {
	m := opened(b, Options{Lib: modeltest.EngineLib(b), Path: modeltest.SmolLM2(b)})
	long := ""
	for i := range 45 {
		long += fmt.Sprintf("%d. %s\n", i, vignette)
	}
	before := m.Counts()
	for b.Loop() {
		modeltest.Ask(b, m, letters(long, "", "A", "B"))
	}
	c := m.Counts()
	rate := float64(c.PromptComputed-before.PromptComputed) / (b.Elapsed().Seconds())
	n := int(c.PromptComputed-before.PromptComputed) / b.N
	bare := plain(b, m, m.engine.chunk, 1, n/m.engine.chunk, 0)
	b.ReportMetric(rate, "tokens/s")
	b.ReportMetric(bare, "plain-tokens/s")
	b.ReportMetric(rate/bare, "ratio")
	b.ReportMetric(float64(n), "tokens")
}

// BenchmarkDecode reports generated tokens a second through a session, several texts at once, and as a share of plain
// decodes of the same number of sequences.
func BenchmarkDecode(b *testing.B) {
	m := opened(b, Options{Lib: modeltest.EngineLib(b), Path: modeltest.SmolLM2(b)})
	for _, n := range []int{1, 8, 16, 32} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var requests []percuss.Request
			for i := range n {
				r := text(vignette, fmt.Sprintf("Step 1: case %d.", i), 64)
				requests = append(requests, r)
			}
			before := m.Counts()
			for b.Loop() {
				modeltest.Ask(b, m, requests...)
			}
			c := m.Counts()
			out := float64(c.Output - before.Output)
			rate := out / (c.DecodeSeconds - before.DecodeSeconds)
			per := out / float64(c.Decodes-before.Decodes)
			bare := plain(b, m, 1, max(1, int(per+0.5)), 63, 64)
			b.ReportMetric(rate, "tokens/s")
			b.ReportMetric(bare, "plain-tokens/s")
			b.ReportMetric(rate/bare, "ratio")
			b.ReportMetric(per, "tokens/decode")
		})
	}
}
