package sqlite

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store/storetest"
	"pgregory.net/rapid"
)

// agrees checks that a body is read as package json reads it, where it is read at all.
func agrees[T any](t rapid.TB, body string, read func([]byte) (T, bool)) bool {
	t.Helper()
	got, ok := read([]byte(body))
	if !ok {
		return false
	}
	var want T
	if err := json.Unmarshal([]byte(body), &want); err != nil {
		t.Fatalf("%q is read as %+v; it is no JSON: %v", body, got, err)
	}
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b percuss.Number) bool { return a == b })); d != "" {
		t.Fatalf("%q: %s", body, d)
	}
	return true
}

func TestPlainAnswer(t *testing.T) {
	for body, want := range map[string]bool{
		`{"outcome":"ok","usage":{"prompt":0,"output":0}}`:                              true,
		`{"outcome":"ok","text":"a\n\t\"\\\/\r\b\fé","usage":{"prompt":1,"output":23}}`: true,
		`{"outcome":"","text":"","usage":{"prompt":1,"output":2},"detail":""}`:          true,
		`{"outcome":"ok","text":"\u003c","usage":{"prompt":1,"output":2}}`:              false,
		`{"outcome":"ok","text":"` + "\xff" + `","usage":{"prompt":1,"output":2}}`:      false,
		`{"outcome":"ok","text":"` + "\n" + `","usage":{"prompt":1,"output":2}}`:        false,
		`{"outcome":"ok","text":"\`: false,
		`{"outcome":"ok","letters":[{"letter":"A","logprob":-1}],"usage":{"prompt":1,"output":2}}`:                                                  true,
		`{"outcome":"ok","letters":[{"letter":"A","logprob":-1e-3},{"letter":"B","logprob":null,"censored":true}],"usage":{"prompt":1,"output":2}}`: true,
		`{"outcome":"ok","letters":[],"usage":{"prompt":1,"output":2}}`:                                                                             false,
		`{"outcome":"ok","letters":[{"letter":"A","logprob":-}],"usage":{"prompt":1,"output":2}}`:                                                   false,
		`{"outcome":"ok","letters":[{"letter":"A","logprob":1e999}],"usage":{"prompt":1,"output":2}}`:                                               false,
		`{"outcome":"ok","letters":[{"letter":"A","logprob":"1"}],"usage":{"prompt":1,"output":2}}`:                                                 false,
		`{"outcome":"ok","letters":[{"letter":"A","logprob":-1},],"usage":{"prompt":1,"output":2}}`:                                                 false,
		`{"outcome":"ok","letters":[{"letter":"A"}],"usage":{"prompt":1,"output":2}}`:                                                               false,
		`{"outcome":"ok","usage":{"prompt":01,"output":2}}`:                                                                                         false,
		`{"outcome":"ok","usage":{"prompt":-1,"output":2}}`:                                                                                         false,
		`{"outcome":"ok","usage":{"prompt":1.5,"output":2}}`:                                                                                        false,
		`{"outcome":"ok","usage":{"prompt":1,"output":99999999999999999999}}`:                                                                       false,
		`{"outcome":"ok","usage":{"prompt":1,"output":2}} `:                                                                                         false,
		`{"outcome":"ok","usage":{"prompt":1,"output":2},"new":"field"}`:                                                                            false,
		`{"usage":{"prompt":1,"output":2},"outcome":"ok"}`:                                                                                          false,
		`{"outcome":"ok","usage":{"prompt":1,"output":2},"reported":"x","continued":"user-quotation"}`:                                              false,
		`{"outcome":"ok","usage":{"prompt":1,"output":2}`:                                                                                           false,
		`{"outcome":null,"usage":{"prompt":1,"output":2}}`:                                                                                          false,
		``: false, `{`: false, `null`: false,
	} {
		if got := agrees(t, body, plainAnswer); got != want {
			t.Errorf("%s: read %v, want %v", body, got, want)
		}
	}
}

// plainText is a text without characters that are written by their numbers.
func plainText() *rapid.Generator[string] {
	return rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("ab \"\\/\n\té<&")))).Filter(func(s string) bool {
		return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\n\t", r) || r == 0x2028 || r == 0x2029 })
	})
}

// readsLikeJSON: a body is read, and however it is damaged, nothing is read otherwise than package json would.
func readsLikeJSON[T any](t *rapid.T, v T, read func([]byte) (T, bool)) {
	body, err := encode(v)
	if err != nil {
		t.Fatal(err)
	}
	if !agrees(t, body, read) {
		t.Fatalf("%q is not read", body)
	}
	at := rapid.IntRange(0, len(body)-1).Draw(t, "place")
	put := rapid.SampledFrom([]string{"", "\"", "\\", "}", "0", ",", "\x80", "\x01", body[at:at+1] + body[at:at+1]}).Draw(t, "in its place")
	agrees(t, body[:at]+put+body[at+1:], read)
}

func TestPlainAnswerIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		readsLikeJSON(t, percuss.Answer{Outcome: percuss.OK,
			Text: plainText().Draw(t, "text"), Reasoning: plainText().Draw(t, "reasoning"), Reported: plainText().Draw(t, "reported"),
			Continued: percuss.Continuation(rapid.SampledFrom([]string{"", "assistant-turn"}).Draw(t, "continued")), Detail: plainText().Draw(t, "detail"),
			Letters: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) percuss.LetterScore {
				l := percuss.LetterScore{Letter: rapid.SampledFrom([]string{"A", "é\""}).Draw(t, "letter"), Censored: rapid.Bool().Draw(t, "censored")}
				if rapid.Bool().Draw(t, "scored") {
					l.LogProb = percuss.Num(rapid.Float64().Draw(t, "score"))
				}
				return l
			}), 0, 3).Draw(t, "letters"),
			Usage: percuss.Usage{Prompt: rapid.IntRange(0, 1e18-1).Draw(t, "prompt"), Output: rapid.IntRange(0, 9).Draw(t, "output")},
		}, plainAnswer)
	})
}

func TestPlainRequestIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) percuss.Message {
			return percuss.Message{Role: percuss.Role(plainText().Draw(t, "role")), Content: plainText().Draw(t, "content")}
		}), 1, 3)
		readsLikeJSON(t, percuss.Request{Model: plainText().Draw(t, "model"), Messages: messages.Draw(t, "messages"), Begin: plainText().Draw(t, "begin"),
			Sampling: percuss.Sampling{Temperature: rapid.Float64().Draw(t, "temperature"), TopP: rapid.Float64().Draw(t, "top_p"),
				MaxTokens: rapid.IntRange(0, 1e18-1).Draw(t, "max"), Seed: rapid.Uint64Range(0, 1e18-1).Draw(t, "seed")},
			Want:      percuss.Want{Letters: rapid.SliceOfN(plainText(), 0, 3).Draw(t, "letters")},
			Replicate: rapid.IntRange(0, 9).Draw(t, "replicate"),
		}, plainRequest)
	})
}

// BenchmarkDecodeAnswer compares both ways of reading.
func BenchmarkDecodeAnswer(b *testing.B) {
	for name, a := range map[string]percuss.Answer{"chain": chainEntry(0).Answer, "scores": storetest.Entry(2).Answer} {
		body, err := encode(a)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := decodeAnswer("", []byte(body)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+" as any JSON", func(b *testing.B) {
			for b.Loop() {
				var a percuss.Answer
				if err := json.Unmarshal([]byte(body), &a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
