package clinical

import (
	"unicode"
	"unicode/utf8"
)

// class says what a word does in a statement such as "the most likely answer would therefore be option B".
type class uint32

const (
	cueWord      class = 1 << iota // names the answer: "answer"
	claimWord                      // praises one option: "correct", "best"
	chooseWord                     // a choice in the first person: "I choose B"
	linkWord                       // joins cue and value: "is"
	hedgeWord                      // weakens the statement: "might"
	denyWord                       // turns it round: "not"
	declineWord                    // says that there is no answer: "cannot"
	fillWord                       // may stand between link and value: "option"
	goesOnWord                     // may follow a label that is not an article or a pronoun: "because"
	joinWord                       // joins two values: "or"
	ifWord                         // makes the sentence hypothetical
	wrongWord                      // "the wrong answer is A"
	leadWord                       // may stand before the cue of an answer line: "final"
	thinkWord                      // "I do not think that the answer is A"
	selfWord                       // the speaker: "I"
	compoundWord                   // completes a term that begins with a letter: "C difficile"
	openWord                       // "not clear", "not known": nothing was stated
	signalWord                     // opens a phrase that is too often a heading to be a claim
	askedWord                      // what a question asks for: "diagnosis"
	turnWord                       // takes back what was said: "wait"
)

// vocabulary holds the words of statements in lower case. A word in several roles has several bits.
var vocabulary = tabulate(map[class]string{
	cueWord:    "answer answers ans antwort réponse RÉPONSE reponse respuesta risposta resposta jawaban 答 案",
	claimWord:  "correct best most right final my richtige bonne correcta",
	chooseWord: "choose choosing select selecting pick picking go going opt settle chose selected",
	linkWord: "is are was be been being ist sind lautet est es è é adalah it's that's remains becomes " +
		"seems appears as 是 为 選 选",
	hedgeWord:   "might may could possibly perhaps maybe either",
	denyWord:    "not isn't isnt never neither nor wasn't wouldn't shouldn't excluding except nicht pas",
	declineWord: "cannot can't cant unable none unknown uncertain undetermined insufficient unclear indeterminate undefined",
	fillWord: "a an the option choice letter answer likely most probably definitely clearly therefore thus indeed actually still " +
		"to be that it is i think believe would say choose select with by single best correct final la le el die opción choix alternative",
	goesOnWord: "because since as for but due given based which who where while so if when although though " +
		"rather instead over and or is was would in with therefore thus here however according from",
	joinWord:   "and or through to und oder et ou y e und/oder and/or versus vs",
	ifWord:     "if whether unless suppose supposing assuming argue argued perhaps tempting had",
	wrongWord:  "incorrect wrong another other previous alternative any each every no possible",
	leadWord:   "final correct best the my so therefore thus hence your most likely right and overall conclusion in summary la le die final-answer step",
	thinkWord:  "think believe mean say suggest imply",
	selfWord:   "i i'll i'd i'm we we'll we'd",
	openWord:   "clear known certain determinable possible available listed provided given among determined obvious definitive",
	signalWord: "options choices explanation key",
	askedWord: "diagnosis cause mechanism pathophysiology pathogenesis etiology aetiology explanation treatment therapy " +
		"management intervention step test organism pathogen",
	turnWord: "but wait however hmm hm although though yet unless alternatively actually no or let",
	compoundWord: "cell cells dimer dimers coli difficile reactive peptide virus lymphocyte lymphocytes vitamin protein " +
		"waves wave section complex gene chain loop sound antigen receptor",
})

func tabulate(table map[class]string) map[string]class {
	words := make(map[string]class, 200)
	for c, list := range table {
		for start, i := 0, 0; i <= len(list); i++ {
			if i == len(list) || list[i] == ' ' {
				if i > start {
					words[list[start:i]] |= c
				}
				start = i + 1
			}
		}
	}
	return words
}

// classOf looks a word up, ASCII letters without regard to case, without allocating.
func classOf(word string) class {
	var lower [20]byte
	if len(word) > len(lower) {
		return 0
	}
	n, prime := 0, false
	for i := 0; i < len(word); i++ {
		c := word[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == 0xE2 && i+2 < len(word) && word[i+1] == 0x80 && word[i+2] == 0x99: // ’
			c, prime = '\'', true
		}
		lower[n] = c
		n++
		if prime {
			i, prime = i+2, false
		}
	}
	return vocabulary[string(lower[:n])]
}

func (c class) any(set class) bool { return c&set != 0 }

// wordEnd returns the end of the run of letters and digits that begins at i, or i when there is none. An apostrophe
// between letters belongs to the word, so that the I of "I'm" is no label; a Han character is a word of its own.
func wordEnd(text string, i int) int {
	for start := i; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if asciiWord(c) || c == '\'' && i > start && letterAt(text, i+1) {
				i++
				continue
			}
			return i
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.Is(unicode.Han, r):
			if i == start {
				return i + n
			}
			return i
		case r == '’' && i > start && letterAt(text, i+n), unicode.IsLetter(r), unicode.IsMark(r), unicode.IsDigit(r):
			i += n
		default:
			return i
		}
	}
	return i
}

func asciiWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// letterAt reports whether a letter begins at byte i.
func letterAt(text string, i int) bool {
	if i >= len(text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r)
}

func digitAt(text string, i int) bool { return i < len(text) && '0' <= text[i] && text[i] <= '9' }
