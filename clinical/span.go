// Package clinical is the language of stems and chains: sentences, steps, and the answer at the end of a reply.
package clinical

// Span is a half-open range of bytes in a text.
type Span struct{ Start, End int }

// In returns the spanned text.
func (s Span) In(text string) string { return text[s.Start:s.End] }
