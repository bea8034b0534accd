package llamacpp

import "github.com/hybridgroup/yzma/pkg/llama"

const (
	mostDraft = 16  // tokens proposed at once
	mostMatch = 128 // so far a match is followed back
)

// draftLength is how many tokens are worth proposing where the last matched ones stood in a text before, in a decode
// of so many tokens. On real chains the next i tokens are the same again about as often as
// matched ÷ (matched + i), and a proposed token costs as much as any other but saves its text a share of a decode's
// overhead: it pays up to matched × overhead ÷ rows.
func draftLength(matched, rows int, overhead float64) int {
	return min(mostDraft, int(float64(matched)*overhead/float64(max(rows, 1))))
}

// reply is the tokens of one greedy text, its prompt included.
type reply struct {
	tokens []llama.Token
	prompt int // so many of them are the prompt
}

// texts are the greedy texts of a session, in which drafts are looked for: an edited question's chain repeats long
// stretches of the others, and a chain what its own question says.
type texts struct {
	at map[llama.Token][]place // where a token was generated, in the order of generation
}

type place struct {
	in *reply
	at int
}

// newReply begins a text that is about to be generated.
func newReply(prompt []llama.Token) *reply {
	return &reply{tokens: append(make([]llama.Token, 0, len(prompt)+64), prompt...), prompt: len(prompt)}
}

// add appends a generated token.
func (t *texts) add(r *reply, token llama.Token) {
	if t.at == nil {
		t.at = map[llama.Token][]place{}
	}
	t.at[token] = append(t.at[token], place{r, len(r.tokens)})
	r.tokens = append(r.tokens, token)
}

// after returns what stood, in any text or in its own prompt, behind the longest stretch of tokens that is the
// end of the reply, and the length of that stretch, at most mostMatch. Of equally long ones it is that which was
// generated first.
func (t *texts) after(r *reply) (next []llama.Token, matched int) {
	last := r.tokens[len(r.tokens)-1]
	try := func(tokens []llama.Token, at int) {
		if at+1 == len(tokens) {
			return
		}
		if n := matches(tokens[:at], r.tokens[:len(r.tokens)-1]) + 1; n > matched {
			next, matched = tokens[at+1:], n
		}
	}
	for _, p := range t.at[last] {
		try(p.in.tokens, p.at)
	}
	for at, token := range r.tokens[:r.prompt] {
		if token == last {
			try(r.tokens, at)
		}
	}
	return next, matched
}

// matches is how many tokens at the ends of a and b are the same, at most mostMatch-1.
func matches(a, b []llama.Token) int {
	most := min(len(a), len(b), mostMatch-1)
	for n := range most {
		if a[len(a)-1-n] != b[len(b)-1-n] {
			return n
		}
	}
	return most
}

// propose returns the tokens with which a reply is likely to go on, at most most, in a decode of so many tokens.
func (t *texts) propose(r *reply, most, rows int, overhead float64) []llama.Token {
	if most <= 0 {
		return nil
	}
	next, matched := t.after(r)
	return next[:min(len(next), most, draftLength(matched, rows, overhead))]
}
