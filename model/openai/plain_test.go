package openai

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// usualChunks are what servers write for most tokens and replies.
func usualChunks() []string {
	return []string{
		`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","service_tier":"default","system_fingerprint":"fp","choices":[{"index":0,"delta":{"content":" so"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"xY"}`,
		`{"id":"c","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"finish_reason":null,"stop_reason":null,"token_ids":null}]}`,
		`{"model":"m","choices":[{"index":0,"delta":{"reasoning_content":"a \"b\"\n\u00e9\ud83d\ude00"},"finish_reason":null}]}`,
		`{"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10,"prompt_tokens_details":{"cached_tokens":0}},"timings":{"predicted_ms":1.5e-3}}`,
		`{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"B","tool_calls":[]},"logprobs":{"content":[{"token":"B","bytes":[66],"logprob":-0.25,"top_logprobs":[{"token":"B","bytes":[66],"logprob":-0.25},{"token":"é","bytes":null,"logprob":null}]}],"refusal":null},"finish_reason":"length"}]}`,
		` { "model" : "m" , "choices" : [ { "index" : 1 , "delta" : { "content" : "no" } } , { "index" : 0 , "delta" : { "content" : "yes" } } ] } ` + "\n",
	}
}

// byJSON reads a chunk without the quick way.
func byJSON(data []byte) (reply, error) {
	var c chunk
	var r reply
	err := json.Unmarshal(data, &c)
	r.add(c, vllmRow())
	return r, err
}

// like reports what p makes of a chunk, and fails where encoding/json makes something else of it.
func like(t interface{ Errorf(string, ...any) }, p *plain, data []byte) bool {
	c, ok := p.read(data)
	if !ok {
		return false
	}
	var got reply
	got.add(c, p.row)
	want, err := byJSON(data)
	if err != nil {
		t.Errorf("%q was read, though encoding/json says %v", data, err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(reply{}, position{}, token{}), cmpopts.EquateEmpty(), cmp.Comparer(func(a, b logProb) bool { return a == b })); diff != "" {
		t.Errorf("%q: %s", data, diff)
	}
	return true
}

func TestPlainReadsWhatServersWrite(t *testing.T) {
	p := &plain{row: vllmRow()}
	for range 2 { // the second time in the memory of the first
		for _, s := range usualChunks() {
			if !like(t, p, []byte(s)) {
				t.Errorf("%s is left to encoding/json", s)
			}
		}
	}
}

// What is unusual is left to encoding/json, which knows what is an error.
func TestPlainLeavesTheRest(t *testing.T) {
	for name, s := range map[string]string{
		"nothing":             ``,
		"no object":           `["choices"]`,
		"an error":            `{"error":{"message":"no"}}`,
		"no choices":          `{"choices":[],"usage":{"prompt_tokens":5}}`,
		"choices of null":     `{"choices":null}`,
		"more behind":         `{"choices":[{"index":0}]} x`,
		"cut":                 `{"choices":[{"index":0,"delta":{"content":"a`,
		"a name twice":        `{"choices":[{"index":0,"delta":{"content":"a","content":"b"}}]}`,
		"another case":        `{"Choices":[{"index":0}],"choices":[{"index":0}]}`,
		"an escaped name":     `{"\u0063hoices":[{"index":0}],"choices":[{"index":0}]}`,
		"a wrong kind":        `{"choices":[{"index":0,"finish_reason":5}]}`,
		"an index of null":    `{"choices":[{"index":null}]}`,
		"a fraction":          `{"choices":[{"index":0.5}]}`,
		"NaN":                 `{"choices":[{"index":0,"logprobs":{"content":[{"token":"A","logprob":NaN}]}}]}`,
		"-Infinity":           `{"choices":[{"index":0}],"x":-Infinity}`,
		"a zero before":       `{"choices":[{"index":0}],"x":01}`,
		"a bare point":        `{"choices":[{"index":0}],"x":1.}`,
		"a comma too much":    `{"choices":[{"index":0},]}`,
		"another one":         `{"choices":[{"index":0}],"x":{"y":1,}}`,
		"a line in a string":  "{\"choices\":[{\"index\":0}],\"x\":\"\n\"}",
		"a wrong escape":      `{"choices":[{"index":0}],"x":"\q"}`,
		"a wrong word":        `{"choices":[{"index":0}],"x":nul}`,
		"an escape at an end": `{"choices":[{"index":0}],"x":"\`,
	} {
		if like(t, &plain{row: vllmRow()}, []byte(s)) {
			t.Errorf("%s: %s was read", name, s)
		}
	}
}

// The text before is not taken for a text that is only written like it.
func TestPlainReadsEscapes(t *testing.T) {
	p := &plain{row: vllmRow()}
	for _, s := range []string{`{"model":"a\\nb","choices":[{"index":0}]}`, `{"model":"a\nb","choices":[{"index":0}]}`, `{"model":"a\\nb","choices":[{"index":0}]}`} {
		like(t, p, []byte(s))
	}
}

// Whatever bytes are changed, what is read is what encoding/json reads.
func TestPlainIsEncodingJSON(t *testing.T) {
	pieces := []string{"", "null", "0", "-1.5e3", `""`, `"\u0041"`, "\xff", "{}", "[]", ",", ":", `"`, `\`, "}", "]", " ", "true", "E", "content", "01"}
	rapid.Check(t, func(t *rapid.T) {
		p := &plain{row: vllmRow()}
		for range 3 {
			data := []byte(rapid.SampledFrom(usualChunks()).Draw(t, "chunk"))
			for range rapid.IntRange(0, 3).Draw(t, "changes") {
				at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
				to := min(len(data), at+rapid.IntRange(0, 6).Draw(t, "length"))
				data = slices.Concat(data[:at], []byte(rapid.SampledFrom(pieces).Draw(t, "piece")), data[to:])
				if len(data) == 0 {
					return
				}
			}
			like(t, p, data)
		}
	})
}

func FuzzPlain(f *testing.F) {
	for _, s := range usualChunks() {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { like(t, &plain{row: vllmRow()}, data) })
}

// BenchmarkChunk reads the event of one token.
func BenchmarkChunk(b *testing.B) {
	data := []byte(usualChunks()[0])
	for name, p := range map[string]*plain{"plain": {row: vllmRow()}, "json": nil} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if p == nil {
					_, _ = byJSON(data)
				} else if _, ok := p.read(data); !ok {
					b.Fatal("it was not read")
				}
			}
		})
	}
}
