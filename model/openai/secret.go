package openai

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode"
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
	if key == "" || placeholder(key) {
		return secret{key: key, forms: strings.NewReplacer()}, nil
	}
	// JSON may escape the quotation mark, the backslash, the signs of HTML and the slash.
	plain := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key)
	html := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace(plain)
	var pairs []string
	for _, form := range []string{html, strings.ReplaceAll(plain, "/", `\/`), plain, url.QueryEscape(key), url.PathEscape(key), key} {
		if !slices.Contains(pairs, form) { // most keys have one form, which a Replacer finds ten times as fast as several
			pairs = append(pairs, form, mask)
		}
	}
	return secret{key: key, forms: strings.NewReplacer(pairs...)}, nil
}

// redact takes the key out of what will be shown or kept. A part of a key that a server masked itself stays.
func (s secret) redact(text string) string { return s.forms.Replace(text) }

// words makes a server's words fit to be shown and kept: without the key, without characters that move the cursor or
// turn the direction of writing, and cut to n bytes. The key goes first: of one that was cut, a part could stay.
func (s secret) words(text string, n int) string {
	return cut(strings.Map(func(c rune) rune {
		if c != '\n' && c != '\t' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c)) {
			return unicode.ReplacementChar
		}
		return c
	}, s.redact(text)), n)
}

// name is words for what stands in a sentence: on one line, and short.
func (s secret) name(text string) string {
	const most = 80
	return s.words(strings.Join(strings.Fields(text), " "), most)
}

// placeholder reports whether a key is one of those that servers without keys are given, since clients insist on one.
// They are no secret, and words that an answer may hold: "the stomach is EMPTY".
func placeholder(key string) bool {
	return slices.Contains([]string{"empty", "none", "null", "nil", "no", "any", "anything", "dummy", "fake", "test", "key",
		"token", "secret", "password", "placeholder", "unused", "ignored", "local", "localhost", "changeme",
		"no-key", "no_key", "nokey", "not-needed", "not_needed", "not-used", "not-required", "no-key-required",
		"api-key", "api_key", "apikey", "your-api-key", "your_api_key", "token-abc123",
		"sk-no-key-required", "sk-no-key", "sk-dummy", "sk-fake", "sk-test", "sk-placeholder", "sk-1234",
		"lm-studio", "lm_studio", "lmstudio", "ollama", "vllm", "sglang", "llama", "llama.cpp", "llamacpp", "tgi", "openai",
	}, strings.ToLower(key)) || strings.Trim(strings.ToLower(key), "x-*.") == ""
}

// shortest is the length from which a key is looked for in what a model wrote. A shorter one keeps nobody out, while
// its characters come about in any text by chance: to take out "abc" or "1234" would change answers, and with them
// what the audit finds. In the words of servers it is looked for all the same.
const shortest = 6

// redactText is redact for what a model wrote.
func (s secret) redactText(text string) string {
	if len(s.key) < shortest {
		return text
	}
	return s.redact(text)
}
