package clinical

import "strings"

// Steps splits a chain into its steps: on "Step n:" markers at the beginning of a line where there are any, else on
// blank lines. The spans tile the chain: joined, they are the chain byte for byte. (Chain paper, Appendix F.)
//
// A marker may stand after spaces, "#" and emphasis ("### Step 2: title", "**Step 1:**"); "Step 1." and "Step 1 -"
// are markers as well. Text before the first marker goes with the first step, white space at a border with the step
// before it. An empty chain has no steps.
func Steps(chain string) []Span {
	if chain == "" {
		return nil
	}
	if n := countBorders(chain, StepMarker); n > 0 {
		return cut(chain, n, StepMarker)
	}
	n := countBorders(chain, afterBlankLine)
	return cut(chain, n, afterBlankLine)
}

// StepMarker reports whether the line of text that begins at byte i opens with a "Step n" marker, and where the
// marker ends: after its colon, full stop or dash.
func StepMarker(text string, i int) (end int, ok bool) {
	for i < len(text) && strings.IndexByte(" \t#*_>", text[i]) >= 0 {
		i++
	}
	if len(text)-i < len("step 1") || !strings.EqualFold(text[i:i+4], "step") {
		return 0, false
	}
	i = skipSpaces(text, i+4)
	digits := i
	for digitAt(text, i) {
		i++
	}
	if i == digits || i-digits > 3 {
		return 0, false
	}
	for i < len(text) && strings.IndexByte("*_ )", text[i]) >= 0 {
		i++
	}
	switch {
	case i < len(text) && text[i] == ':':
		return i + 1, true
	case i < len(text) && text[i] == '.' && !digitAt(text, i+1):
		return i + 1, true
	case i < len(text) && text[i] == '-' && (i+1 == len(text) || text[i+1] == ' '):
		return i + 1, true
	case i+2 < len(text) && markLength(text, i, "–—：") > 0:
		return i + 3, true
	case i >= len(text) || text[i] == '\n' || text[i] == '\r':
		return i, true
	}
	return 0, false
}

// afterBlankLine reports whether the line at byte i has text and follows a blank one.
func afterBlankLine(text string, i int) (int, bool) {
	if i == 0 || onlyBlank(text[i:lineEnd(text, i)]) {
		return 0, false
	}
	before := lineStart(text, i-1)
	return 0, onlyBlank(text[before:i-1]) && !onlyBlank(text[:before])
}

// countBorders counts the lines at which a step may begin.
func countBorders(chain string, begins func(string, int) (int, bool)) int {
	n := 0
	for i := 0; i < len(chain); i = lineEnd(chain, i) + 1 {
		if _, ok := begins(chain, i); ok {
			n++
		}
	}
	return n
}

// cut splits a chain before each line at which a step begins, but keeps what stands before the first marker with it.
func cut(chain string, n int, begins func(string, int) (int, bool)) []Span {
	spans := make([]Span, 0, n+1)
	start, seen := 0, false
	for i := 0; i < len(chain); i = lineEnd(chain, i) + 1 {
		_, ok := begins(chain, i)
		if ok {
			if _, marker := StepMarker(chain, i); i > 0 && (seen || !marker) {
				spans = append(spans, Span{start, i})
				start = i
			}
			seen = true
		}
	}
	return append(spans, Span{start, len(chain)})
}

func skipSpaces(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i
}
