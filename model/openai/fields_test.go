package openai

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/percuss/percuss"
	"pgregory.net/rapid"
)

// A body is what encoding/json writes of the same fields.
func TestBodiesAreThoseOfEncodingJSON(t *testing.T) {
	var clients []*client
	for _, r := range rows() {
		clients = append(clients, &client{row: r, name: "a/<b>", can: percuss.Capabilities{Continue: r.continues}})
	}
	rapid.Check(t, func(t *rapid.T) {
		r := percuss.Request{
			Messages: []percuss.Message{{Role: percuss.User, Content: rapid.String().Draw(t, "text")}},
			Begin:    rapid.SampledFrom([]string{"", "I <think>"}).Draw(t, "begin"),
			Sampling: percuss.Sampling{Temperature: rapid.Float64().Draw(t, "temperature"), TopP: rapid.SampledFrom([]float64{1, 0.95, 1e-9}).Draw(t, "top_p"),
				MaxTokens: rapid.IntRange(0, 1000).Draw(t, "limit"), Seed: rapid.Uint64().Draw(t, "seed"), Stop: rapid.SliceOfN(rapid.String(), 0, 2).Draw(t, "stop")},
		}
		if rapid.Bool().Draw(t, "letters") {
			r.Want.Letters = []string{"A"}
		}
		if rapid.Bool().Draw(t, "extra") {
			extra, err := json.Marshal(map[string]any{rapid.String().Draw(t, "name"): rapid.String().Draw(t, "value"), "n": 7, "top_p": 0.5})
			if err != nil {
				t.Fatal(err)
			}
			r.Extra = extra
		}
		body, _, err := rapid.SampledFrom(clients).Draw(t, "client").encode(r, shape{top: 20, plain: rapid.Bool().Draw(t, "plain")})
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(body, &fields); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		again, err := json.Marshal(fields)
		if err != nil || string(again) != string(body) {
			t.Errorf("%s is written %s", again, body)
		}
		if string(fields["n"]) != "1" || string(fields["model"]) != `"a/\u003cb\u003e"` {
			t.Errorf("a further parameter overrides what is asked: %s", body)
		}
	})
}

func TestBodiesHoldNoNaN(t *testing.T) {
	c := &client{row: vllmRow(), name: "a"}
	if body, _, err := c.encode(percuss.Request{Sampling: percuss.Sampling{Temperature: math.NaN()}}, shape{}); err == nil {
		t.Errorf("a temperature of NaN is sent: %s", body)
	}
}

func BenchmarkBody(b *testing.B) {
	c := &client{row: vllmRow(), name: "a"}
	r := ask("a question of some length, as they are")
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := c.encode(r, shape{}); err != nil {
			b.Fatal(err)
		}
	}
}
