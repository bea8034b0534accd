package clinical

import "strings"

// AsksQuestion reports whether a sentence asks: it ends in a question mark, or it has the form "of the following".
func AsksQuestion(sentence string) bool {
	s := strings.TrimRight(sentence, " \t\r\n\"'”’)*_")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || containsFold(s, "of the following")
}

// QuestionSentence returns the index of the sentence that asks a stem's question, so that no edit removes it: the last
// one that asks; the last one of all when it is unfinished ("The most likely diagnosis is") or when none asks; -1 when
// there are no sentences. spans are those of Sentences(text).
func QuestionSentence(text string, spans []Span) int {
	last := len(spans) - 1
	if last < 0 {
		return -1
	}
	if s := strings.TrimSpace(spans[last].In(text)); !terminal(s) && s != "" {
		return last
	}
	for i := last; i >= 0; i-- {
		if AsksQuestion(spans[i].In(text)) {
			return i
		}
	}
	return last
}

// containsFold reports whether s contains the lower-case ASCII text want, without regard to case.
func containsFold(s, want string) bool {
	for i := 0; i+len(want) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(want)], want) {
			return true
		}
	}
	return false
}
