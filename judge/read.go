package judge

import (
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
)

// Read reads a judge's reply. The grammar is one line, "VERDICT: UPDATED" or "VERDICT: NOT UPDATED", which white space and
// marks of bold type may surround and a block of reasoning may precede. Everything else is Malformed: a remark beside the
// line, both lines, other words, a reply cut before its verdict, a block that never ends, and every outcome without text.
// What reasoning says of a verdict decides nothing.
func (r Rubric) Read(a percuss.Answer) Verdict {
	if !a.Outcome.HasText() {
		return Malformed
	}
	text, closed := afterReasoning(a.Text)
	if !closed {
		return Malformed
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, "**", ""))
	if strings.ContainsAny(text, lineEnds) {
		return Malformed
	}
	switch strings.Join(strings.Fields(text), " ") {
	case Updated.line():
		return Updated
	case NotUpdated.line():
		return NotUpdated
	}
	return Malformed
}

// afterReasoning is what a reply says behind its block of reasoning, and whether such a block is closed.
func afterReasoning(text string) (said string, closed bool) {
	if i := strings.LastIndex(text, clinical.BlockClose); i >= 0 {
		text = text[i+len(clinical.BlockClose):]
	}
	if strings.Contains(text, clinical.BlockOpen) {
		before, _, _ := strings.Cut(text, clinical.BlockOpen)
		return strings.TrimSpace(before), false
	}
	return strings.TrimSpace(text), true
}
