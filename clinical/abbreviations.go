package clinical

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A full stop after these never ends a sentence: what they belong to follows.
var always = set("vs e.g eg i.e ie cf viz approx ca fig figs eq ref refs resp incl esp vol pp a.k.a")

// Titles, written with a capital, belong to the name that follows.
var titles = set("dr mr mrs ms prof st rev hon gen col lt sgt drs messrs")

// A full stop after these ends a sentence unless a figure follows.
var beforeFigure = set("no nos nr p pp fig figs vol ch tab table chap stage grade c s n")

// A full stop after these ends a sentence only when the next word is one that usually begins a sentence.
var sometimes = set("a.m p.m b.i.d t.i.d q.i.d q.d q.h.s p.o p.r.n i.v i.m s.c u.s u.k m.d ph.d r.n d.o b.p etc al jr sr inc ltd co " +
	"dx hx tx rx sx pt pts wt ht temp abd tab tabs d.c a.c p.c n.p.o o.d o.s")

// A single capital after these names a kind, and is no initial.
var kinds = set("hepatitis vitamin vitamins group groups option options type types class grade stage statin immunoglobulin penicillin " +
	"inhibin figure image panel answer choice factor protein drug study arm patient patients hemoglobin haemoglobin influenza " +
	"lead leads hemophilia haemophilia coenzyme amphotericin toxin antigen strain blood test case site region zone cluster point part " +
	"number degrees degree subgroup cohort team hospital exhibit diagram is was")

// starters usually begin a sentence; no surname looks like them.
var starters = set("he she it they we you his her its their our the a an this that these those there which what who when where " +
	"why how on in at upon after before during while although though because since if as given for from with without to by of no " +
	"physical past family social current currently laboratory examination vital vitals serum urinalysis however therefore thus " +
	"both all each some most many another other one two three several additionally furthermore blood temperature pulse medications " +
	"further following patient patients treatment abdominal cardiac neurologic neurological chest imaging x-ray ct mri ecg")

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// lowered looks a short word up in a set without regard to case and without allocating.
func lowered(words map[string]bool, w string) bool {
	var buf [16]byte
	if len(w) > len(buf) {
		return false
	}
	for i := 0; i < len(w); i++ {
		if buf[i] = w[i]; 'A' <= w[i] && w[i] <= 'Z' {
			buf[i] += 'a' - 'A'
		}
	}
	return words[string(buf[:len(w)])]
}

// dotGoesOn reports whether the full stop before bodyEnd belongs to an abbreviation, an initial or a list number, so
// that the sentence that began at start goes on at next.
func dotGoesOn(text string, start, bodyEnd, next int) bool {
	body := text[start : bodyEnd-1]
	if bareListMark(text[start:bodyEnd]) {
		return true
	}
	begin := strings.LastIndexAny(body, " \n\t(\"“[\u00a0") + 1
	if begin > 0 && body[begin-1] >= utf8.RuneSelf { // LastIndexAny points at the first byte of a longer rune
		_, n := utf8.DecodeRuneInString(body[begin-1:])
		begin += n - 1
	}
	word := strings.TrimLeft(body[begin:], "*_'")
	after := text[next:min(len(text), next+24)]
	follower := firstWord(after)
	switch {
	case word == "":
		return false
	case lowered(always, word):
		return true
	case len(word) > 1 && 'A' <= word[0] && word[0] <= 'Z' && 'a' <= word[1] && word[1] <= 'z' && lowered(titles, word):
		return true
	case lowered(beforeFigure, word) && digitAt(text, next):
		return true
	case lowered(sometimes, word):
		return !lowered(starters, follower)
	case len(word) == 1 && 'A' <= word[0] && word[0] <= 'Z':
		return initial(strings.TrimRight(body[:begin], " \u00a0"), follower)
	}
	return false
}

// initial reports whether a single capital between the text before it and the word after it is a name's initial or
// an option's label, rather than the end of a sentence ("hepatitis B.", "37.8 C.").
func initial(before, follower string) bool {
	if lowered(starters, follower) || follower == "" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(follower)
	if !unicode.IsUpper(r) {
		return false
	}
	if before == "" || strings.HasSuffix(before, ":") || strings.HasSuffix(before, "\n") {
		return true
	}
	word := before[strings.LastIndexAny(before, " \n(")+1:]
	if title := strings.TrimSuffix(word, "."); title != word {
		return lowered(titles, title) || len(title) == 1
	}
	if lowered(kinds, word) || word == "" {
		return false
	}
	r, _ = utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r) || word == "by" || word == "and"
}

// firstWord returns the word at the beginning of a text, after marks.
func firstWord(s string) string {
	i := skipOpeners(s, 0, false)
	return s[i:wordEnd(s, i)]
}

// bareListMark reports whether a text is nothing but the mark of a list item: "1.", "**2.", "-", "B.".
func bareListMark(s string) bool {
	n, rest := listMark(s)
	return n > 0 && rest == ""
}

// listMark returns the length of the mark of a list item at the beginning of a line ("- ", "3. ", "**2)", "## "), and
// what follows it; 0 when there is none.
func listMark(line string) (n int, rest string) {
	i := 0
	for i < len(line) && strings.IndexByte(" \t*_#>", line[i]) >= 0 {
		i++
	}
	marked := i > 0 && strings.IndexByte("*#", line[i-1]) >= 0 || i > 1 && strings.ContainsAny(line[:i], "*#")
	switch {
	case strings.HasPrefix(line[i:], "- "), line[i:] == "-", strings.HasPrefix(line[i:], "–"), strings.HasPrefix(line[i:], "•"):
		_, size := utf8.DecodeRuneInString(line[i:])
		i, marked = i+size, true
	default:
		if end := wordEnd(line, i); end > i && end-i <= 3 && number(line[i:end]) && end < len(line) && strings.IndexByte(".)", line[end]) >= 0 &&
			!digitAt(line, end+1) {
			i, marked = end+1, true
		}
	}
	if !marked {
		return 0, line
	}
	return i, strings.TrimLeft(line[i:], " \t\r\n")
}

// number reports whether a word is a figure, or a single letter as lists use them.
func number(w string) bool {
	for i := 0; i < len(w); i++ {
		if w[i] < '0' || w[i] > '9' {
			return len(w) == 1
		}
	}
	return true
}
