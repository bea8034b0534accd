package simulated

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/percuss/percuss"
)

// paraphrasing is the policy of a model that puts a step in other words, always the same ones for the same words, so that
// what is known of the step stays known. It reads the step from a request in the form of the default rubric: the first
// line of the last message.
const paraphrasing kind = "paraphraser"

// paraphrase is the reply to a request to put a step in other words.
func (p policy) paraphrase(r percuss.Request) percuss.Answer {
	a := percuss.Answer{Outcome: percuss.OK, Reported: "simulated", Usage: percuss.Usage{Prompt: promptWords(r)}, Letters: evenly(r.Want.Letters)}
	if r.Begin != "" {
		a.Continued = percuss.Continues
	}
	if len(r.Want.Letters) > 0 {
		return a
	}
	a.Text = "There is no step to put in other words."
	if n := len(r.Messages); n > 0 {
		first, _, _ := strings.Cut(strings.TrimSpace(r.Messages[n-1].Content), "\n")
		if first = strings.TrimSpace(strings.TrimPrefix(first, ">")); first != "" {
			a.Text = otherWords(first)
		}
	}
	a.Text, a.Usage.Output, a.Outcome = limit(a.Text, r.Sampling)
	return a
}

// changed finds the words that a paraphraser changes. A part of a compound such as "54-year-old" stays.
var changed = func() *regexp.Regexp {
	var all []string
	for _, r := range rewording {
		all = append(all, r[0])
	}
	return regexp.MustCompile(`(?i)(^|[^\pL\pN-])(` + strings.Join(all, "|") + `)\b`)
}()

// otherWords are other words for a step.
func otherWords(step string) string {
	put := map[string]string{}
	for _, r := range rewording {
		put[r[0]] = r[1]
	}
	out := changed.ReplaceAllStringFunc(step, func(found string) string {
		m := changed.FindStringSubmatch(found)
		other := put[strings.ToLower(m[2])]
		if r, _ := utf8.DecodeRuneInString(m[2]); unicode.IsUpper(r) {
			other = strings.ToUpper(other[:1]) + other[1:]
		}
		return m[1] + other
	})
	if out == step {
		return reworded + " " + lowerFirst(step)
	}
	return out
}

// lowerFirst begins a sentence with a small letter, unless its first word is written in capitals or is "I".
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[n:]); s == "" || unicode.IsUpper(next) || r == 'I' && !unicode.IsLetter(next) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}
