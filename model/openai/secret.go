package openai

import (
	"errors"
	"net/url"
	"strings"
)

// mask stands in the place of a secret.
const mask = "[key]"

// secret is the key. It is sent in one header and appears nowhere else, not even where a server echoes it.
type secret struct {
	key   string
	forms *strings.Replacer // the key as it is and as URLs and JSON write it
}

func newSecret(key string) (secret, error) {
	key = strings.TrimSpace(key)
	for _, c := range key {
		if c < 0x21 || c > 0x7e {
			return secret{}, errors.New("the key holds a character that no key has, such as a blank or a line break: set it again")
		}
	}
	if key == "" {
		return secret{forms: strings.NewReplacer()}, nil
	}
	// JSON may escape the quotation mark, the backslash, the signs of HTML and the slash.
	plain := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key)
	html := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace(plain)
	var pairs []string
	for _, form := range []string{html, strings.ReplaceAll(plain, "/", `\/`), plain, url.QueryEscape(key), url.PathEscape(key), key} {
		pairs = append(pairs, form, mask)
	}
	return secret{key: key, forms: strings.NewReplacer(pairs...)}, nil
}

// redact takes the key out of what will be shown or kept. A part of a key that a server masked itself stays.
func (s secret) redact(text string) string { return s.forms.Replace(text) }

// shortest is the length from which a key is one: shorter ones are placeholders for servers that want none, such as
// EMPTY, and may well be words of an answer.
const shortest = 16

// redactText is redact for what a model wrote, which a placeholder must not change.
func (s secret) redactText(text string) string {
	if len(s.key) < shortest {
		return text
	}
	return s.redact(text)
}
