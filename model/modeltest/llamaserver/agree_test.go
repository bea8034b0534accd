package llamaserver_test

import (
	"math"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/llamacpp"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/modeltest/dequant"
	"github.com/percuss/percuss/model/modeltest/llamaserver"
)

const vignette = `A 54-year-old man has crushing chest pain that radiates to the left arm. Which artery is most likely occluded?
A. Left anterior descending
B. Right renal
C. Splenic
D. Popliteal`

// On float weights the server and the embedded engine, each another build of the library, compute the same: greedy text
// to the letter, the letters' log-probabilities to 1e-5, once the server's are made to sum to one over the whole
// vocabulary. It sums in single precision and gives all of them a little too high.
func TestAgreesWithTheEmbeddedEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("loads a model of 540 MB twice")
	}
	lib, path := modeltest.EngineLib(t), dequant.SmolLM2(t)
	address := llamaserver.Start(t, path, llamaserver.Options{Exact: true, Context: 1024})
	m, err := llamacpp.Open(t.Context(), llamacpp.Options{Lib: lib, Path: path, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if can := m.Capabilities(); !can.Exact || can.Weights != "F32" {
		t.Fatalf("%+v", can)
	}
	most, shift := 0.0, 0.0
	for _, begin := range []string{"The answer is", "Step 1: The pain radiates to the left arm.\n\nAnswer:"} {
		r := percuss.Request{Model: m.Capabilities().Identity, Begin: begin, Sampling: percuss.Greedy(24),
			Messages: []percuss.Message{{Role: percuss.System, Content: "You are a clinician."}, {Role: percuss.User, Content: vignette}}}
		messages := []message{turn("system", "You are a clinician."), turn("user", vignette), turn("assistant", begin)}
		text := modeltest.Ask(t, m, r)[0].Text
		if got := ask(t, address, chat(messages, "max_tokens", 24)).Choices[0].Message.Content; got != begin+text {
			t.Errorf("the server says %q, the engine %q", got, begin+text)
		}
		r.Want.Letters = []string{"A", "B", "C", "D"}
		letters := modeltest.Ask(t, m, r)[0].Letters
		// In one part and after what the server had in its cache.
		for _, cached := range []bool{false, true} {
			reply := ask(t, address, chat(messages, "max_tokens", 1, "logprobs", true, "top_logprobs", 50000, "cache_prompt", cached))
			p := map[string]float64{}
			for _, c := range reply.Choices[0].Logprobs.Content[0].Top {
				p[c.Token] += math.Exp(c.Logprob)
			}
			sum := 0.0
			for _, v := range p {
				sum += v
			}
			shift = max(shift, math.Abs(math.Log(sum)))
			for _, l := range letters {
				v, _ := l.LogProb.Get()
				most = max(most, math.Abs(v-math.Log((p[l.Letter]+p[" "+l.Letter])/sum)))
			}
		}
		if !slices.ContainsFunc(letters, func(l percuss.LetterScore) bool { return l.LogProb.Or(-100) > -3 }) {
			t.Errorf("no letter is likely after %q: %+v", begin, letters)
		}
	}
	t.Logf("letters differ by up to %.1e nats; all of the server's are off by up to %.1e", most, shift)
	if most > 1e-4 || shift > 1e-3 {
		t.Errorf("letters differ by up to %g nats, and all of the server's by %g", most, shift)
	}
}
