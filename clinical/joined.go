package clinical

// joined reports whether a second option follows the first as in a list: "A or B", "A, B and C", "A) this and B) that".
func (o values) joined(text string, v value) bool { return o.joinedAt(text, v.end, v.label) }

func (o values) joinedAt(text string, end int, label string) bool {
	i := skipClosers(text, end)
	comma, joins := false, false
	for i < len(text) && !joins {
		switch c := text[i]; {
		case c == ' ':
			i++
		case c == ',' && !comma:
			comma = true
			i++
		case c == '/' || c == '&' || c == '+':
			joins = true
			i++
		default:
			j := wordEnd(text, i)
			if j == i || !classOf(text[i:j]).any(joinWord) {
				return comma && o.second(text, i, label)
			}
			i, joins = j, true
		}
	}
	return joins && o.second(text, i, label)
}

// second reports whether another option than label is named at i and is not the subject of a new clause
// ("B, and A is tempting").
func (o values) second(text string, i int, label string) bool {
	i = skipOpeners(text, i, false)
	if j := wordEnd(text, i); j > i && equalWord(text[i:j], "option", "choice", "possibly", "maybe", "perhaps", "also", "answer") {
		if other, _ := o.label(text, i); other == "" {
			i = skipOpeners(text, j, false)
		}
	}
	other, end := o.label(text, i)
	if named, n := o.text(text, i); other == "" && named != "" && closed(text, n) {
		other, end = named, n
	}
	if other == "" || other == label {
		return false
	}
	next := skipClosers(text, end)
	if next >= len(text) || wordEnd(text, next) == next {
		return next >= len(text) || text[next] != '-' && text[next] != '+' || next > end
	}
	if n := matchFold(text[next:], o.textOf(other)); n > 0 {
		return true
	}
	return next > end && classOf(text[next:wordEnd(text, next)]).any(joinWord|goesOnWord) &&
		!equalWord(text[next:wordEnd(text, next)], "is", "was", "would")
}

func (o values) textOf(label string) string {
	for k := range o {
		if o[k].Label == label {
			return o[k].Text
		}
	}
	return ""
}
