package battery

import (
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss/clinical"
)

// span is a range of bytes in the text.
type span = clinical.Span

// blank is the white space between passages.
const blank = " \t\r\n"

// notFired is an edit that could not be made.
func notFired(why string) Edit { return Edit{Why: why} }

// replaced puts new in the place of one span.
func replaced(text string, at span, new string) Edit {
	return Edit{
		Fired: true,
		Text:  text[:at.Start] + new + text[at.End:],
		Old:   shorten(at.In(text)),
		New:   shorten(new),
	}
}

// The longest passage that an edit's description repeats whole, and what is kept of a longer one, in bytes.
const (
	wholePassage = 240
	passageHead  = 150
	passageTail  = 60
)

// shorten keeps the ledger small: a deleted step of a reasoning model may run to pages.
func shorten(s string) string {
	s = strings.TrimSpace(s)
	if len(s) <= wholePassage {
		return s
	}
	head, tail := passageHead, len(s)-passageTail
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + " … " + s[tail:]
}

// core returns the span without the white space at its ends.
func core(text string, s span) span {
	in := s.In(text)
	start := s.Start + len(in) - len(strings.TrimLeft(in, blank))
	if start >= s.End {
		return span{Start: s.End, End: s.End}
	}
	return span{Start: start, End: s.Start + len(strings.TrimRight(in, blank))}
}

// cut drops a passage. Of the two runs of white space around it the one with more line breaks stays, so that a blank
// line between paragraphs is never lost and no space is doubled.
func cut(text string, gone span) Edit {
	head, tail := text[:gone.Start], text[gone.End:]
	kept, rest := strings.TrimRight(head, blank), strings.TrimLeft(tail, blank)
	before, after := head[len(kept):], tail[:len(tail)-len(rest)]
	gap := before
	switch {
	case kept == "": // the white space in front of the text stays
	case rest == "", strings.Count(after, "\n") > strings.Count(before, "\n"):
		gap = after
	}
	return Edit{Fired: true, Text: kept + gap + rest, Old: shorten(gone.In(text))}
}
