package llamacpp

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The case chujiezheng/LLM-MCQ-Bias#6: a letter is two tokens, alone and after a space, and counting one of them
// only makes B win.
func TestLogSumExpOverForms(t *testing.T) {
	a := LogSumExp(-1.2040, -1.3863)
	if math.Abs(math.Exp(a)-0.55) > 1e-4 || math.Abs(a+0.598) > 1e-3 {
		t.Errorf("A has %g (log %g), want 0.55 (log -0.598)", math.Exp(a), a)
	}
	if b := LogSumExp(-0.9163); math.Abs(math.Exp(b)-0.40) > 1e-4 || b >= a {
		t.Errorf("B has %g, and must lose against %g", b, a)
	}
}

func TestLogSumExpAtTheEdges(t *testing.T) {
	if v := LogSumExp(); !math.IsInf(v, -1) {
		t.Errorf("of nothing: %g", v)
	}
	if v := LogSumExp(math.Inf(-1), math.Inf(-1)); !math.IsInf(v, -1) {
		t.Errorf("of impossible things: %g", v)
	}
	if v := LogSumExp(-2000, -2000); math.Abs(v-(-2000+math.Ln2)) > 1e-9 {
		t.Errorf("of tiny things: %g", v)
	}
}

func TestNormalizerMakesProbabilities(t *testing.T) {
	logits := make([]float32, 1000)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range logits {
		logits[i] = float32(rng.NormFloat64() * 20)
	}
	norm, sum := normalizer(logits), 0.0
	for _, l := range logits {
		sum += math.Exp(float64(l) - norm)
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("probabilities sum to %.15g", sum)
	}
}

func TestArgMaxTakesTheLowestOfEquals(t *testing.T) {
	nan := float32(math.NaN())
	if i := argMax([]float32{nan, 1, 3, 3, nan}); i != 2 {
		t.Errorf("got %d, want 2", i)
	}
	if n := testing.AllocsPerRun(10, func() { argMax([]float32{1, 2}) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// The frequencies of 20,000 draws against the softmax, within 4 standard errors; nothing outside the nucleus.
func TestDraw(t *testing.T) {
	logits := []float32{1, 0, 2, -1, 0}
	for _, topP := range []float64{1, 0.8} {
		s := &sampler{temperature: 0.7, topP: topP, rng: rand.New(rand.NewPCG(3, 4))}
		want := map[float64][]float64{1: softmax(logits, 0.7)}
		p := softmax(logits, 0.7)
		total := p[2] + p[0] // 0.77 + 0.18: the first two reach 0.8
		want[0.8] = []float64{p[0] / total, 0, p[2] / total, 0, 0}
		const n = 20000
		count := make([]float64, len(logits))
		for range n {
			count[s.draw(logits)]++
		}
		for i, c := range count {
			q := want[topP][i]
			if math.Abs(c/n-q) > 4*math.Sqrt(q*(1-q)/n) {
				t.Errorf("top-p %g: token %d drawn with frequency %g, want %g", topP, i, c/n, q)
			}
		}
	}
}

func softmax(logits []float32, temperature float64) []float64 {
	out, sum := make([]float64, len(logits)), 0.0
	for i, l := range logits {
		out[i] = math.Exp(float64(l) / temperature)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
