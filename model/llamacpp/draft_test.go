package llamacpp

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// saidAll makes the texts of a session from prompts and what followed them.
func saidAll(pairs ...string) (*texts, []*reply) {
	t := &texts{}
	var chains []*reply
	for i := 0; i+1 < len(pairs); i += 2 {
		c := newReply(tokensOf(pairs[i]))
		for _, token := range tokensOf(pairs[i+1]) {
			t.add(c, token)
		}
		chains = append(chains, c)
	}
	return t, chains
}

func TestWhatStoodAfter(t *testing.T) {
	for name, c := range map[string]struct {
		texts   []string // prompt and continuation of each; the last is asked for
		next    string
		matched int
	}{
		"nothing said before":              {[]string{"q", "a"}, "", 0},
		"another text":                     {[]string{"q", "the cat sat", "r", "the c"}, "at sat", 5},
		"the first of equals":              {[]string{"", "xab1", "", "yab2", "", "zab"}, "1", 2},
		"the longest":                      {[]string{"", "xab1", "", "zab2", "", "zab"}, "2", 3},
		"its own prompt":                   {[]string{"he is 54 years", "is 5"}, "4 yearsis 5", 4},
		"not another's prompt":             {[]string{"he is 54 years", "so", "q", "is 5"}, "", 0},
		"a match may reach into a prompt":  {[]string{"ab", "cd", "zb", "cd", "yab", "c"}, "d", 3},
		"its own text":                     {[]string{"q", "abcab"}, "cab", 2},
		"not what has just been said":      {[]string{"q", "zz"}, "z", 1},
		"another text that ends there":     {[]string{"", "ab", "", "ab"}, "", 0},
		"the edited number, not the other": {[]string{"", "aged 54, a man", "is 27, a boy.", "aged 27"}, ", a boy.aged 27", 3},
	} {
		all, chains := saidAll(c.texts...)
		next, matched := all.after(chains[len(chains)-1])
		if got := textOf(next); got != c.next || matched != c.matched {
			t.Errorf("%s: %q after %d tokens, want %q after %d", name, got, matched, c.next, c.matched)
		}
	}
}

func textOf(tokens []llama.Token) (s string) {
	for _, t := range tokens {
		s += string(rune(t))
	}
	return s
}

// The index finds what a look at every place finds.
func TestTheLongestMatchIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.SliceOfN(rapid.StringMatching(`[ab]{1,12}`), 2, 8).Draw(t, "texts")
		all, chains := saidAll(said...)
		if len(said)%2 == 1 {
			return
		}
		own := chains[len(chains)-1]
		longest := 0
		for _, c := range chains {
			from := c.prompt
			if c == own {
				from = 0
			}
			for at := from; at+1 < len(c.tokens); at++ {
				n := 0
				for n <= at && n < len(own.tokens) && c.tokens[at-n] == own.tokens[len(own.tokens)-1-n] {
					n++
				}
				longest = max(longest, n)
			}
		}
		next, matched := all.after(own)
		if matched != longest || (len(next) == 0) != (longest == 0) {
			t.Fatalf("%d tokens match, the longest are %d", matched, longest)
		}
	})
}

func TestDraftLength(t *testing.T) {
	const cpu = 1.4 // of two threads
	for _, c := range []struct {
		matched, rows int
		overhead      float64
		want          int
	}{
		{0, 1, chipRows, 0}, {1, 1, chipRows, mostDraft}, {1, 32, chipRows, 8}, {2, 32, chipRows, mostDraft}, {1, 300, chipRows, 0},
		{1, 1, cpu, 1}, {10, 1, cpu, 14}, {9, 14, cpu, 0}, {100, 14, cpu, 10}, {128, 2, cpu, mostDraft}, {5, 0, cpu, 7},
	} {
		if got := draftLength(c.matched, c.rows, c.overhead); got != c.want {
			t.Errorf("%d matched, %d rows, overhead %g: %d tokens, want %d", c.matched, c.rows, c.overhead, got, c.want)
		}
	}
}

func TestDraftsAreShortOfTheLimit(t *testing.T) {
	all, chains := saidAll("", "abcdefgh", "", "abc")
	for most, want := range map[int]string{-1: "", 0: "", 2: "de", 40: "defgh"} {
		if got := textOf(all.propose(chains[1], most, 1, chipRows)); got != want {
			t.Errorf("at most %d: %q, want %q", most, got, want)
		}
	}
	if !slices.Equal(chains[0].tokens, tokensOf("abcdefgh")) {
		t.Error("a draft changed the text that it came from")
	}
}
