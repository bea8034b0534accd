package battery

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// change is one replacement in a text: what stands at a span becomes to.
type change struct {
	span
	to string
}

// found is what an edit of several places is going to do, or why it does nothing.
type found struct {
	changes []change
	tokens  []string // new words that a chain would show
	why     string   // not empty: the edit is refused
}

func refused(why string) found { return found{why: why} }

// finder looks at a text and says what is to be changed. Places are those of the original text, so that no change is
// seen by another one.
type finder = func(text string, p pick) found

// rewriting makes an edit of a finder: all its changes in one pass.
func rewriting(find finder) editor {
	return func(text string, p pick) Edit {
		f := find(text, p)
		if f.why != "" {
			return notFired(f.why)
		}
		slices.SortFunc(f.changes, func(a, b change) int { return cmp.Compare(a.Start, b.Start) })
		var b strings.Builder
		var old, new []string
		pos := 0
		for _, c := range f.changes {
			if c.Start < pos {
				return notFired("two of its changes would overlap")
			}
			b.WriteString(text[pos:c.Start])
			b.WriteString(c.to)
			pos = c.End
			old, new = listed(old, c.In(text)), listed(new, c.to)
		}
		b.WriteString(text[pos:])
		if b.String() == text {
			return notFired("the edit changes nothing")
		}
		return Edit{Fired: true, Text: b.String(), Old: shorten(strings.Join(old, ", ")), New: shorten(strings.Join(new, ", ")), Tokens: f.tokens}
	}
}

// listed adds what an edit's description lists, each once.
func listed(list []string, s string) []string {
	s = strings.TrimSpace(s)
	if s == "" || slices.ContainsFunc(list, func(l string) bool { return strings.EqualFold(l, s) }) {
		return list
	}
	return append(list, s)
}

// tokensOf are the new words of some changes in small letters, each once.
func tokensOf(changes []change) []string {
	var out []string
	for _, c := range changes {
		out = listed(out, strings.ToLower(c.to))
	}
	return out
}

// indefinite finds the indefinite article that ends a text, with the space after it.
var indefinite = regexp.MustCompile(`(?i)(?:^|[^\pL\pN'-])(an?)[ \t\n]+$`)

// articleBefore returns the indefinite article directly before byte i.
func articleBefore(text string, i int) (span, bool) {
	from := max(0, i-8)
	for from < i && !utf8.RuneStart(text[from]) {
		from++
	}
	m := indefinite.FindStringSubmatchIndex(text[from:i])
	if m == nil {
		return span{}, false
	}
	return span{Start: from + m[2], End: from + m[3]}, true
}

// agreeing returns the change that makes the article before byte i agree with the word that will follow it; none where
// there is no article or it agrees already.
func agreeing(text string, i int, word string) []change {
	at, ok := articleBefore(text, i)
	if !ok {
		return nil
	}
	want := "a"
	if vowelSound(word) {
		want = "an"
	}
	if strings.EqualFold(at.In(text), want) {
		return nil
	}
	if old := at.In(text); unicode.IsUpper(rune(old[0])) {
		want = strings.ToUpper(want[:1]) + want[1:]
	}
	return []change{{at, want}}
}

// vowelSound reports whether a number or word takes "an": 8, 11, 18, 80 to 89 and
// 800 do, 110 and 180 do not. Of words
// only the first letter is looked at, which is right for those of our tables.
func vowelSound(word string) bool {
	digits := word[:len(word)-len(strings.TrimLeft(word, "0123456789"))]
	if digits != "" {
		return digits[0] == '8' || digits == "11" || digits == "18"
	}
	return word != "" && strings.ContainsRune("aeiouAEIOU", rune(word[0]))
}

// sentenceAt returns the sentence that holds byte i.
func sentenceAt(sentences []span, i int) span {
	for _, s := range sentences {
		if s.Start <= i && i < s.End {
			return s
		}
	}
	return span{}
}

// wordBefore returns the word in small letters that ends before byte i, with its apostrophes and hyphens; empty where
// something other than a space stands between.
func wordBefore(text string, i int) string {
	head := strings.TrimRight(text[:i], " \n\t")
	if head == text[:i] && i > 0 {
		return ""
	}
	from := strings.LastIndexFunc(head, func(r rune) bool { return !wordRune(r) && r != '\'' && r != '’' && r != '-' })
	return strings.ToLower(strings.ReplaceAll(head[nextRune(head, from):], "’", "'"))
}

// wordAfter returns the word in small letters that begins after byte i and one space at least, and where it stands.
func wordAfter(text string, i int) (string, span) {
	rest := strings.TrimLeft(text[i:], " \n\t")
	start := len(text) - len(rest)
	if start == i {
		return "", span{Start: i, End: i}
	}
	n := strings.IndexFunc(rest, func(r rune) bool { return !wordRune(r) && r != '-' && r != '\'' })
	if n < 0 {
		n = len(rest)
	}
	return strings.ToLower(rest[:n]), span{Start: start, End: start + n}
}

// nextRune returns where the rune after the one at byte i begins; 0 for -1.
func nextRune(s string, i int) int {
	if i < 0 {
		return 0
	}
	_, n := utf8.DecodeRuneInString(s[i:])
	return i + n
}

// hyphened reports whether a hyphen joins a span to the word before or after it ("acute-on-chronic").
func hyphened(text string, at span) bool {
	joins := func(r rune) bool { return r == '-' || r == '‐' || r == '‑' || r == '–' || r == '/' }
	before, _ := utf8.DecodeLastRuneInString(text[:at.Start])
	after, _ := utf8.DecodeRuneInString(text[at.End:])
	return joins(before) || joins(after)
}
