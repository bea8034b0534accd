package openai

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// conclude makes an answer of a reply.
func (c *client) conclude(r percuss.Request, given percuss.Continuation, got reply, s shape) (exchange, error) {
	redact := c.wire.secret.redactText
	a := percuss.Answer{
		Usage:     percuss.Usage{Prompt: int(got.usage.Prompt), Output: int(got.usage.Output)},
		Continued: given,
		Reported:  c.wire.secret.words(strings.TrimSpace(got.model+" "+got.fingerprint), 200),
		Detail:    s.remark(len(r.Want.Letters) > 0),
	}
	x := exchange{candidates: got.candidates(), status: http.StatusOK}
	switch {
	case got.finish == "abort" || got.finish == "error" || got.finish == "cancelled":
		return x, &model.Fault{Kind: model.Server, Err: fmt.Errorf("the server broke the reply off (finish reason %q)", c.wire.secret.name(got.finish))}
	case got.finish == "content_filter" || got.refusal != "":
		a.Outcome, a.Detail = percuss.Filtered, cut(redact(got.refusal), 1000)
		x.answer = a
		return x, nil
	case promptCut(r, a.Usage.Prompt):
		a.Outcome = percuss.PromptTruncated
		a.Detail = "the server counts fewer prompt tokens than the prompt can have: raise its context window"
		x.answer = a
		return x, nil
	case len(r.Want.Letters) > 0:
		err := c.score(r.Want.Letters, got, s, &a)
		x.answer = a
		return x, err
	case !got.message:
		return x, malformed("the reply's message is missing or null")
	}
	a.Text = redact(c.unrepeat(got.text, r.Begin, given, got.streamed))
	a.Reasoning = redact(got.reasoning)
	a.Outcome = textOutcome(got.finish, r.Begin+a.Text, a.Text, a.Reasoning)
	x.answer = a
	return x, nil
}

// textOutcome says how a text ended. turn is the assistant's turn with its given beginning.
func textOutcome(finish, turn, text, reasoning string) percuss.Outcome {
	switch {
	case finish == "length" || finish == "max_tokens":
		return percuss.Truncated
	case strings.LastIndex(turn, "<think>") > strings.LastIndex(turn, "</think>"):
		return percuss.ReasoningOnly
	case strings.TrimSpace(text) != "":
		return percuss.OK
	case strings.TrimSpace(reasoning) != "":
		return percuss.ReasoningOnly
	}
	return percuss.Empty
}

// Prompts are judged only from leastJudged bytes on, and taken as cut when the server counts fewer tokens than one for
// bytesAToken bytes. English has four to five bytes a token, Chinese three to six, and the longest tokens of prose
// eleven; runs of one character, which make long tokens in code and tables, count as four.
const (
	bytesAToken = 12
	leastJudged = 1200
	longestRun  = 4
)

// promptCut reports whether the server cannot have read the whole prompt. reported is its count of tokens, 0 when it
// gave none.
func promptCut(r percuss.Request, reported int) bool {
	n := counted(r.Begin)
	for _, m := range r.Messages {
		n += counted(m.Content)
	}
	return reported > 0 && n >= leastJudged && reported < n/bytesAToken
}

// counted is the length of a text in bytes, in which a run of one character counts as longestRun of it at most.
func counted(s string) int {
	n, run, last := 0, 0, rune(-1)
	for _, c := range s {
		if c != last {
			run, last = 0, c
		}
		if run++; run <= longestRun {
			n += len(string(c))
		}
	}
	return n
}
