package llamacpp

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// job is one request on its way to its answer.
type job struct {
	index  int // in the call
	req    *percuss.Request
	tokens []llama.Token
	forms  [][]llama.Token // of each label; nil: text is wanted
	room   int             // cells that the answer may need beyond the prompt
	reason bool            // the prompt ends inside open reasoning

	slot   *slot
	from   int  // tokens that the cache held already
	woken  bool // they were brought back from outside it
	debt   int  // cells that may still be added on its account
	next   llama.Token
	text   []byte
	output int // tokens generated
	draw   *sampler
	reply  *reply // what a greedy text has said, where drafts are made
}

// newJob renders and tokenizes a request. A request that can have no answer gives that answer at once; an error is
// fatal.
func (m *Model) newJob(index int, r *percuss.Request) (*job, *percuss.Answer, error) {
	refuse := func(format string, args ...any) (*job, *percuss.Answer, error) {
		return nil, m.answer(r, percuss.Refused, fmt.Sprintf(format, args...)), nil
	}
	if len(r.Messages) == 0 {
		return refuse("the request has no messages")
	}
	if len(r.Extra) > 0 && string(r.Extra) != "null" && string(r.Extra) != "{}" {
		return refuse("the embedded engine knows no extra parameters: %s", r.Extra)
	}
	messages := make([]percuss.Message, len(r.Messages))
	for i, msg := range r.Messages {
		if strings.ContainsRune(msg.Content, 0) {
			return refuse("message %d contains a zero byte", i+1)
		}
		messages[i] = percuss.Message{Role: msg.Role, Content: m.vocab.harmless(msg.Content)}
	}
	text, err := m.chat.prompt(messages)
	if err != nil {
		return refuse("the chat template refuses the messages: %v", err)
	}
	if strings.ContainsRune(r.Begin, 0) {
		return refuse("the beginning contains a zero byte")
	}
	text += m.vocab.harmless(r.Begin)
	j := &job{index: index, req: r, reason: strings.LastIndex(text, "<think>") > strings.LastIndex(text, "</think>")}
	if j.tokens, err = m.vocab.prompt(text); err != nil {
		return refuse("%v", err)
	}
	if len(j.tokens) == 0 {
		return refuse("the prompt is empty")
	}
	if len(r.Want.Letters) > 0 {
		if j.forms, err = m.letterForms(r.Want.Letters); err != nil {
			return nil, nil, err
		}
	} else {
		j.prepareText(m.caps.ContextTokens)
	}
	if need := len(j.tokens) + j.room; need > m.caps.ContextTokens {
		a := m.answer(r, percuss.ContextExceeded,
			fmt.Sprintf("%d prompt and %d new tokens, but the context holds %d", len(j.tokens), j.room, m.caps.ContextTokens))
		a.Usage.Prompt = len(j.tokens)
		return nil, a, nil
	}
	return j, nil, nil
}

// Prompt returns the text that the model reads for a request: the chat in its template, the turn opened, and the
// beginning of the turn. What spells a control token is marked when it is read, not here.
func (m *Model) Prompt(r percuss.Request) (string, error) {
	text, err := m.chat.prompt(r.Messages)
	if err != nil {
		return "", fmt.Errorf("the chat template refuses the messages: %w", err)
	}
	return text + r.Begin, nil
}

// prepareText sets how much may be generated and how. Without a limit it is what the context leaves.
func (j *job) prepareText(context int) {
	s := j.req.Sampling
	j.room = s.MaxTokens
	if j.room <= 0 {
		j.room = max(context-len(j.tokens), 1)
	}
	if s.Temperature > 0 {
		j.draw = &sampler{temperature: s.Temperature, topP: s.TopP,
			rng: percuss.Rand(s.Seed, "", strconv.Itoa(j.req.Replicate), "llamacpp/sample")}
	}
}

// class keeps greedy replicates of one prompt apart; sampled ones differ by what they draw.
func (j *job) class() int {
	if j.draw != nil {
		return -1
	}
	return j.req.Replicate
}

// letterForms returns the one-token forms of each label. A label without one, or one that shares a form with
// another, makes the scores meaningless.
func (m *Model) letterForms(labels []string) ([][]llama.Token, error) {
	owner := map[llama.Token]string{}
	forms := make([][]llama.Token, len(labels))
	fault := func(format string, args ...any) error {
		return &model.Fault{Kind: "letters", Fatal: true, Err: fmt.Errorf(format, args...)}
	}
	for i, label := range labels {
		f, ok := m.forms[label]
		if !ok {
			if label != "" {
				f = m.vocab.forms(label)
			}
			m.forms[label] = f
		}
		if len(f) == 0 {
			return nil, fault("the label %q is no single token of this model; ask for text answers instead", label)
		}
		for _, t := range f {
			if other, taken := owner[t]; taken {
				return nil, fault("the labels %q and %q are the same token; labels must differ", other, label)
			}
			owner[t] = label
		}
		forms[i] = f
	}
	return forms, nil
}

// errNaN is a fault of the engine or of the weights.
var errNaN = errors.New("the engine computed logits that are no numbers; the model file may be damaged")

// letters scores the labels from the logits after the prompt.
func (j *job) letters(logits []float32) ([]percuss.LetterScore, error) {
	norm := normalizer(logits)
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		return nil, errNaN
	}
	out := make([]percuss.LetterScore, len(j.forms))
	for i, forms := range j.forms {
		scores := make([]float64, len(forms))
		for k, t := range forms {
			scores[k] = float64(logits[t]) - norm
		}
		out[i] = percuss.LetterScore{Letter: j.req.Want.Letters[i], LogProb: percuss.Num(LogSumExp(scores...))}
	}
	return out, nil
}

// choose returns the next token.
func (j *job) choose(logits []float32) (llama.Token, error) {
	t := argMax(logits)
	if v := float64(logits[t]); math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, errNaN
	}
	if j.draw != nil {
		t = j.draw.draw(logits)
	}
	return llama.Token(t), nil
}

// write appends a token's bytes and reports whether a stop string is complete; then the text ends before it. Stops
// may begin in any earlier token, so the search goes back as far as one could have begun.
func (j *job) write(piece string) (stopped bool) {
	before := len(j.text)
	j.text = append(j.text, piece...)
	end := -1
	for _, stop := range j.req.Sampling.Stop {
		if stop == "" {
			continue
		}
		start := max(0, before-len(stop)+1)
		if i := bytes.Index(j.text[start:], []byte(stop)); i >= 0 && (end < 0 || start+i < end) {
			end = start + i
		}
	}
	if end >= 0 {
		j.text = j.text[:end]
	}
	return end >= 0
}

// outcome judges a finished text. limit: it ended at the token limit and not by itself.
func (j *job) outcome(limit bool) (percuss.Outcome, string) {
	text := validText(j.text)
	open, closed := strings.LastIndex(text, "<think>"), strings.LastIndex(text, "</think>")
	inside := open > closed || j.reason && closed < 0
	switch {
	case limit:
		return percuss.Truncated, text
	case strings.TrimSpace(text) == "":
		return percuss.Empty, text
	case inside:
		return percuss.ReasoningOnly, text
	}
	return percuss.OK, text
}

// validText drops a character that was cut off at the end and replaces other bytes that are no UTF-8.
func validText(b []byte) string {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				b = b[:len(b)-i]
			}
			break
		}
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}
