package percuss

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The keys of a frozen request: a change of the encoding would orphan every stored answer.
func TestKeyIsFrozen(t *testing.T) {
	r := Request{Model: "m", Messages: []Message{{System, "s"}, {User, "u"}}, Begin: "b", Sampling: Greedy(7),
		Want: Want{Letters: []string{"A", "B"}}}
	const want = "c015b32c6c112af0f5d16a497748735ee07a982bb549461f91a1a95d0aee9ec6"
	if got := r.Key(); got != want || !got.Valid() {
		t.Fatalf("key %s, once %s", got, want)
	}
	same := r
	if same.Key() != r.Key() {
		t.Error("equal requests have different keys")
	}
}

func TestEveryFieldEntersTheKey(t *testing.T) {
	base := func() Request {
		return Request{Model: "m", Messages: []Message{{User, "u"}}, Sampling: Greedy(7)}
	}
	changes := map[string]func(*Request){
		"model":       func(r *Request) { r.Model = "n" },
		"role":        func(r *Request) { r.Messages[0].Role = System },
		"content":     func(r *Request) { r.Messages[0].Content = "v" },
		"message":     func(r *Request) { r.Messages = append(r.Messages, Message{User, ""}) },
		"begin":       func(r *Request) { r.Begin = "b" },
		"temperature": func(r *Request) { r.Sampling.Temperature = 0.5 },
		"top_p":       func(r *Request) { r.Sampling.TopP = 0.5 },
		"max":         func(r *Request) { r.Sampling.MaxTokens = 8 },
		"seed":        func(r *Request) { r.Sampling.Seed = 1 },
		"stop":        func(r *Request) { r.Sampling.Stop = []string{"x"} },
		"letters":     func(r *Request) { r.Want.Letters = []string{"A"} },
		"extra":       func(r *Request) { r.Extra = []byte("{}") },
		"replicate":   func(r *Request) { r.Replicate = 1 },
	}
	seen := map[Key]string{base().Key(): "unchanged"}
	for name, change := range changes {
		r := base()
		change(&r)
		if other, ok := seen[r.Key()]; ok {
			t.Errorf("%s has the key of %s", name, other)
		}
		seen[r.Key()] = name
	}
}

// Length prefixes keep the border between two fields: moving a byte across it changes the key.
func TestFieldBordersEnterTheKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.StringN(1, 8, -1).Draw(t, "a"), rapid.String().Draw(t, "b")
		x := Request{Messages: []Message{{User, a}, {User, b}}}
		y := Request{Messages: []Message{{User, ""}, {User, a + b}}}
		if x.Key() == y.Key() {
			t.Fatalf("%q|%q collides", a, b)
		}
	})
}

func TestNumber(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if n := Num(v); n.OK() || n.Format(2) != "–" {
			t.Errorf("%v is a number", v)
		}
	}
	if b, _ := (Number{}).MarshalJSON(); string(b) != "null" {
		t.Errorf("missing is %s", b)
	}
	var n Number
	if err := n.UnmarshalJSON([]byte("0.5")); err != nil || n != Num(0.5) {
		t.Errorf("read %v, %v", n, err)
	}
	if err := n.UnmarshalJSON([]byte("null")); err != nil || n.OK() {
		t.Errorf("null is %v, %v", n, err)
	}
	if got := Num(-0.001).Format(2); got != "0.00" {
		t.Errorf("rounded to %q", got)
	}
}

func TestBest(t *testing.T) {
	score := func(l string, v float64) LetterScore { return LetterScore{Letter: l, LogProb: Num(v)} }
	a := Answer{Letters: []LetterScore{score("A", -2), {Letter: "B"}, score("C", -0.5), score("D", -1)}}
	if l, m, ok := a.Best(); l != "C" || !ok || m != Num(0.5) {
		t.Errorf("best %s by %v, %v", l, m, ok)
	}
	tie := Answer{Letters: []LetterScore{score("A", -1), score("B", -1)}}
	if _, _, ok := tie.Best(); ok {
		t.Error("a tie has a best")
	}
	if _, _, ok := (Answer{}).Best(); ok {
		t.Error("no letters have a best")
	}
}

func TestRandIsFrozen(t *testing.T) {
	a, b := Rand(1, "i", "v", "p"), Rand(1, "i", "v", "p")
	for range 4 {
		if x, y := a.Uint64(), b.Uint64(); x != y {
			t.Fatal("the same parts give another stream")
		}
	}
	if Rand(1, "iv", "", "p").Uint64() == Rand(1, "i", "v", "p").Uint64() {
		t.Error("the border between two parts is lost")
	}
}

// BenchmarkKey is the key of a question of usual length.
func BenchmarkKey(b *testing.B) {
	r := Request{Model: "openai:made-up@http://127.0.0.1:8000/v1", Sampling: Greedy(1024),
		Messages: []Message{{System, strings.Repeat("Read the question. ", 20)}, {User, strings.Repeat("The patient is well. ", 60)}}}
	b.ReportAllocs()
	for b.Loop() {
		r.Key()
	}
}
