package chain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The features of a question's surface: what an edit may leave behind that a reader of the language, or a model, could
// notice without any medicine. Counts are of the whole text.
const (
	wrongArticle = iota
	doubleSpace
	spaceBeforeMark
	doubleMark
	joinedSentences
	smallBeginning
	repeatedWord
	noPatient
	negations
	wordCount
	sentenceCount
	wordLength
	surfaceFeatures
)

// SurfaceFeatures names the features of a Surface, in its order.
func SurfaceFeatures() []string {
	return []string{
		wrongArticle:    "a or an before the wrong sound",
		doubleSpace:     "two spaces in a row",
		spaceBeforeMark: "space before a mark",
		doubleMark:      "two marks in a row",
		joinedSentences: "no space between sentences",
		smallBeginning:  "sentence begins in small letters",
		repeatedWord:    "word twice in a row",
		noPatient:       "first sentence without patient or age",
		negations:       "negations",
		wordCount:       "words",
		sentenceCount:   "sentences",
		wordLength:      "letters per word",
	}
}

// isLength reports whether a feature is a length of the text: words or sentences.
func isLength(feature int) bool { return feature == wordCount || feature == sentenceCount }

// only are some of the features.
func (s Surface) only(features []int) []float64 {
	out := make([]float64, len(features))
	for i, j := range features {
		out[i] = s[j]
	}
	return out
}

// surfaceOf measures the features of a text. It is cheap, for it is called for every edited question: sentences are
// told by the marks at their ends alone.
func surfaceOf(text string) Surface {
	s := make(Surface, surfaceFeatures)
	s.marks(text)
	s.words(text)
	return s
}

// marks counts what can be seen between neighbouring characters. Marks and spaces are single bytes.
func (s Surface) marks(text string) {
	at := func(i int) byte {
		if i < 0 || i >= len(text) {
			return 0
		}
		return text[i]
	}
	for i := range len(text) {
		c, last, next := text[i], at(i-1), at(i+1)
		switch {
		case c == ' ' && last == ' ' && at(i-2) != ' ':
			s[doubleSpace]++
		case isMark(c) && last == ' ' && (next == 0 || next == ' ' || next == '\n'): // not ".5" and no ellipsis
			s[spaceBeforeMark]++
		case isMark(c) && (last == ',' || last == ';' || last == ':'), c == '.' && (last == '?' || last == '!'),
			c == '.' && last == '.' && at(i-2) != '.' && next != '.':
			s[doubleMark]++
		case 'A' <= c && c <= 'Z' && last == '.' && 'a' <= at(i-2) && at(i-2) <= 'z':
			s[joinedSentences]++
		}
	}
}

// isMark reports whether a character is a mark that closes up to the word before it.
func isMark(c byte) bool {
	switch c {
	case '.', ',', ';', ':', '?', '!':
		return true
	}
	return false
}

// words counts what can be seen of the words.
func (s Surface) words(text string) {
	last, letters, named := "", 0, false // named: the first sentence speaks of a patient or an age
	for word := range strings.FieldsSeq(text) {
		s[wordCount]++
		letters += utf8.RuneCountInString(word)
		bare := strings.Trim(word, "\"'“”‘’()[]")
		if endsSentence(last) {
			s[sentenceCount]++
			if first, _ := utf8.DecodeRuneInString(bare); unicode.IsLower(first) {
				s[smallBeginning]++
			}
		}
		named = named || s[sentenceCount] == 1 && namesPatient(bare)
		s.pair(last, bare)
		last = bare
	}
	if s[wordCount] > 0 {
		s[wordLength] = float64(letters) / s[wordCount]
	}
	s[noPatient] = bit(s[wordCount] > 0 && !named)
}

// pair counts what can be seen of a word and the one before it.
func (s Surface) pair(last, word string) {
	switch {
	case strings.EqualFold(last, "a"):
		s[wrongArticle] += bit(sounds(word) == openSound)
	case strings.EqualFold(last, "an"):
		s[wrongArticle] += bit(sounds(word) == closedSound)
	}
	if len(word) > 1 && strings.EqualFold(word, last) {
		s[repeatedWord]++
	}
	if isNegation(strings.Trim(word, ".,;:?!")) {
		s[negations]++
	}
}

// endsSentence reports whether a sentence ends with a word: there is none, or it is too long for an abbreviation and has
// the full stop.
func endsSentence(word string) bool {
	const longest = len("etc.") // longer ones, e.g. "approx.", are rare
	return word == "" || strings.HasSuffix(word, "?") || strings.HasSuffix(word, "!") ||
		strings.HasSuffix(word, ".") && len(word) > longest && strings.Count(word, ".") == 1
}

// isNegation reports whether a word denies something.
func isNegation(word string) bool {
	switch strings.ToLower(word) {
	case "no", "not", "never", "denies", "denied", "without", "neither", "nor", "doesn't", "didn't", "isn't", "hasn't":
		return true
	}
	return false
}

// namesPatient reports whether a word names a patient or an age, as the first sentence of a vignette does.
func namesPatient(word string) bool {
	folded := strings.ToLower(strings.Trim(word, ".,;:?!"))
	for _, age := range [...]string{"patient", "-year", "-month", "-week", "-day"} {
		if strings.Contains(folded, age) {
			return true
		}
	}
	switch folded {
	case "year", "years", "month", "months", "week", "weeks", "day", "days", "man", "woman", "boy", "girl", "male", "female",
		"child", "infant", "newborn", "neonate", "baby", "mother", "father", "he", "she":
		return true
	}
	return false
}

// sound is how a word begins when it is spoken.
type sound int

const (
	unknownSound sound = iota
	openSound          // takes "an"
	closedSound        // takes "a"
)

// sounds tells how a word begins, from its spelling. What cannot be told so, e.g. an abbreviation, is unknown.
func sounds(word string) sound {
	first, size := utf8.DecodeRuneInString(word)
	switch {
	case unicode.IsDigit(first):
		return numberSounds(word)
	case !unicode.IsLetter(first) || first > unicode.MaxASCII:
		return unknownSound
	case size == len(word) || isAbbreviation(word):
		return unknownSound
	}
	folded := strings.ToLower(word)
	switch {
	case hasPrefix(folded, "unin", "unim", "unid", "hist"): // "unimodal" and "unimproved", "a" and "an historic"
		return unknownSound
	case hasPrefix(folded, "hour", "honest", "honor", "honour", "heir"):
		return openSound
	case hasPrefix(folded, "uni", "use", "usu", "uri", "ute", "uro", "ure", "eu", "one", "once", "ubiq"):
		return closedSound
	case strings.ContainsRune("aeiou", rune(folded[0])):
		return openSound
	}
	return closedSound
}

// numberSounds is for numbers in digits: 8, 80 to 89, 800 and so on, 11 and 18 begin with a vowel.
func numberSounds(word string) sound {
	end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
	digits := word
	if end >= 0 {
		digits = word[:end]
	}
	if digits[0] == '8' || digits == "11" || digits == "18" {
		return openSound
	}
	return closedSound
}

// isAbbreviation reports whether the first two letters are capitals: such a word is spelt out, or not.
func isAbbreviation(word string) bool {
	second, _ := utf8.DecodeRuneInString(word[1:])
	return unicode.IsUpper(second) && unicode.IsUpper(rune(word[0])) || unicode.IsDigit(second) || second == '-'
}

// hasPrefix reports whether a word begins with one of some beginnings.
func hasPrefix(word string, beginnings ...string) bool {
	for _, b := range beginnings {
		if strings.HasPrefix(word, b) {
			return true
		}
	}
	return false
}
