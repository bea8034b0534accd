package llamacpp

import (
	"slices"
	"testing"

	"github.com/hybridgroup/yzma/pkg/llama"
	"pgregory.net/rapid"
)

func tokensOf(s string) []llama.Token {
	var out []llama.Token
	for _, c := range []byte(s) {
		out = append(out, llama.Token(c))
	}
	return out
}

func pathsOf(texts ...string) []path {
	var out []path
	for _, s := range texts {
		out = append(out, path{tokens: tokensOf(s)})
	}
	return out
}

func TestGrowSharesEveryPrefixOnce(t *testing.T) {
	steps := grow(pathsOf("abcx", "abcy", "abq", "ab", "abcx"), 0)
	got := ""
	for _, s := range steps {
		got += string(rune(s.token))
	}
	if got != "abcxyq" {
		t.Errorf("computed %q, want every node once: abcxyq", got)
	}
	if ends := steps[1].ends; !slices.Equal(ends, []int{3}) {
		t.Errorf("ends at the second token: %v", ends)
	}
	if ends := steps[3].ends; !slices.Equal(ends, []int{0, 4}) {
		t.Errorf("equal prompts end apart: %v", ends)
	}
}

func TestGrowKeepsReplicatesApart(t *testing.T) {
	paths := pathsOf("abcd", "abcd", "abx")
	paths[1].class = 1
	if n := len(grow(paths, 0)); n != 2+2+2+1 {
		t.Errorf("%d steps; the replicates must share only what the third prompt shares", n)
	}
	if n := len(grow(paths[:2], 0)); n != 8 {
		t.Errorf("%d steps for two replicates alone, want 8", n)
	}
}

func TestGrowStartsBehindTheCache(t *testing.T) {
	paths := pathsOf("abcx", "abcy", "zz")
	paths[0].from, paths[1].from = 2, 2
	steps := grow(paths, 0)
	if len(steps) != 5 {
		t.Fatalf("%d steps: %v", len(steps), steps)
	}
	for _, s := range steps {
		if s.through[0] != 2 && s.pos < 2 {
			t.Errorf("position %d is in the cache already", s.pos)
		}
	}
}

// What the engine requires: every path gets its tokens in order, once each, and paths part for good.
func TestGrowIsComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		paths := make([]path, n)
		for i := range paths {
			paths[i].tokens = tokensOf(rapid.StringMatching(`[ab]{1,6}`).Draw(t, "tokens"))
			paths[i].class = rapid.IntRange(0, 1).Draw(t, "class")
		}
		mix := llama.Token(rapid.Int32Min(0).Draw(t, "mix"))
		got := make([][]llama.Token, n)
		ended := make([]int, n)
		for _, s := range grow(paths, mix) {
			for _, p := range s.through {
				if len(got[p]) != s.pos {
					t.Fatalf("path %d gets position %d after %d tokens", p, s.pos, len(got[p]))
				}
				if !slices.Equal(got[p], got[s.through[0]]) {
					t.Fatalf("paths %v share a step but not what came before", s.through)
				}
			}
			for _, p := range s.through {
				got[p] = append(got[p], s.token)
			}
			for _, p := range s.ends {
				ended[p]++
				if !slices.Contains(s.through, p) {
					t.Fatalf("path %d ends where it does not pass", p)
				}
			}
		}
		for i, p := range paths {
			if !slices.Equal(got[i], p.tokens) || ended[i] != 1 {
				t.Fatalf("path %d: %v of %v, ended %d times", i, got[i], p.tokens, ended[i])
			}
		}
	})
}
