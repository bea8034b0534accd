package anthropic

import (
	"errors"
	"strings"
	"unicode"
)

// secret is the key. It is sent in one header and appears nowhere else, not even where a server echoes it.
type secret string

func newSecret(key string) (secret, error) {
	key = strings.TrimSpace(key)
	for _, c := range key {
		if c < 0x21 || c > 0x7e {
			return "", errors.New("the key holds a character that no key has, such as a blank or a line break: set it again")
		}
	}
	return secret(key), nil
}

// shortest is the length from which a key is looked for in texts. A shorter one keeps nobody out, while its characters
// come about in any text by chance: to take it out would change answers.
const shortest = 8

// redact takes the key out of what will be shown or kept.
func (s secret) redact(text string) string {
	if len(s) < shortest {
		return text
	}
	return strings.ReplaceAll(text, string(s), "[key]")
}

// mostSaid is how much of a server's words is kept, in bytes.
const mostSaid = 1000

// words makes a server's words fit to be shown and kept: without the key, without characters that move the cursor or
// turn the direction of writing, and short. The key goes first: of one that was cut, a part could stay.
func (s secret) words(text string) string {
	text = strings.Map(func(c rune) rune {
		if c != '\n' && c != '\t' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c)) {
			return unicode.ReplacementChar
		}
		return c
	}, s.redact(strings.ToValidUTF8(text, "\uFFFD")))
	if len(text) <= mostSaid {
		return text
	}
	return strings.ToValidUTF8(text[:mostSaid], "") + " …"
}
