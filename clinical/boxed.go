package clinical

import "strings"

// boxed reads \boxed{...} at byte i. Braces are matched by depth, for the label often stands in a \text{} of its own.
// A letter that is part of a formula is no answer.
func (r *reader) boxed(i int) (statement, bool) {
	const command = `\boxed`
	if !strings.HasPrefix(r.text[i:], command) {
		return statement{}, false
	}
	open := i + len(command)
	for open < len(r.text) && r.text[open] == ' ' {
		open++
	}
	end := braceEnd(r.text, open)
	if end < 0 {
		return statement{}, false
	}
	inner := reader{text: r.text[:end-1], from: open, values: r.values}
	v, at, ok := inner.value(open+1, false)
	if !ok || v.end > end-1 || r.inFormula(i, end) {
		return statement{}, false
	}
	if rest := skipClosers(inner.text, v.end); !v.ambiguous && !v.marked && rest < len(inner.text) && !closed(inner.text, v.end) && at > 0 {
		return statement{}, false
	}
	v.end = end
	return statement{value: v, how: asBoxed, start: i}, true
}

// braceEnd returns the position after the brace that closes the one at i, or -1.
func braceEnd(text string, i int) int {
	if i >= len(text) || text[i] != '{' {
		return -1
	}
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// inFormula reports whether an operator joins the box at [start, end) to something else.
func (r *reader) inFormula(start, end int) bool {
	i := start - 1
	for i >= r.from && (r.text[i] == ' ' || r.text[i] == '$') {
		i--
	}
	if i >= r.from && strings.IndexByte("+*/^<>=", r.text[i]) >= 0 && !(r.text[i] == '*' && i > r.from && r.text[i-1] == '*') {
		before := reader{text: r.text, from: r.from, values: r.values}
		return r.text[i] != '=' || !classOf(before.wordBefore(i)).any(cueWord)
	}
	next := end
	for next < len(r.text) && r.text[next] == ' ' {
		next++
	}
	return next < len(r.text) && strings.IndexByte("+/^_<>=", r.text[next]) >= 0
}
