package clinical

import (
	"strings"

	"github.com/percuss/percuss"
)

// Reply is a text answer as the audits read it.
type Reply struct {
	Answer percuss.Answer
	Begun  string  // the beginning that was given
	Text   string  // the new text, a reasoning field of its own put back in front
	Read   Reading // what was read from Text; ChainEnd is where the chain ends in it, in bytes
}

// Chain is the beginning and the new text up to the answer line.
func (r Reply) Chain() string {
	return strings.TrimRight(r.Begun+r.Text[:r.Read.ChainEnd], " \t\r\n")
}

// Usable reports whether the reply's text may be looked at.
func (r Reply) Usable() bool { return r.Answer.Outcome.HasText() }

// ReadReply reads an answer's text as a reply to q, whose options stand as they were shown. The answer is looked for in
// the new text alone: what an edited chain concluded is no answer to the edit.
func ReadReply(a percuss.Answer, begun string, q percuss.Question) Reply {
	r := Reply{Answer: a, Begun: begun, Text: a.Text}
	if a.Reasoning != "" {
		r.Text = BlockOpen + "\n" + a.Reasoning
		if a.Text != "" {
			r.Text += "\n" + BlockClose + "\n" + a.Text
		}
	}
	open := ""
	if InReasoning(begun) {
		open = BlockOpen
	}
	r.Read = read(open+r.Text, q, a.Outcome == percuss.Truncated)
	r.Read.ChainEnd = max(0, r.Read.ChainEnd-len(open))
	return r
}

// read reads what the question's kind calls for: the label of an option, or a number.
func read(reply string, q percuss.Question, truncated bool) Reading {
	if q.Kind == percuss.Numeric {
		return ReadNumber(reply, truncated)
	}
	return ReadAnswer(reply, q.Options, truncated)
}
