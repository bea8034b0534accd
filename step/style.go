package step

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
)

//go:embed style.yaml
var styleYAML []byte

// Style is what the normaliser takes away of a step before a judge sees it, and the words that hedge.
type Style struct {
	Name        string
	Fingerprint string // hash of the file; a run keeps it
	openers     phrases
	whole       map[string]bool // sentences, folded
	longest     int             // words of the longest of them
	hedges      phrases
}

// styleFile is the file's form.
type styleFile struct {
	Name    string   `yaml:"name"`
	Openers []string `yaml:"openers"`
	Kept    []string `yaml:"kept"`
	Phrases []string `yaml:"phrases"`
	Hedges  []string `yaml:"hedges"`
}

// DefaultStyle returns the style that Percuss ships.
func DefaultStyle() Style {
	s, err := LoadStyle(bytes.NewReader(styleYAML), "style.yaml")
	if err != nil {
		panic("step: the embedded style is broken: " + err.Error())
	}
	return s
}

// BuiltInStyle is the file that Percuss ships, for a copy to begin with.
func BuiltInStyle() []byte { return bytes.Clone(styleYAML) }

// LoadStyle reads a style from a file, which name calls in errors. An unknown field, an empty list and an entry without a
// word are errors.
func LoadStyle(from io.Reader, name string) (Style, error) {
	wrong := func(err error) (Style, error) { return Style{}, fmt.Errorf("style %s: %w", name, err) }
	raw, err := io.ReadAll(from)
	if err != nil {
		return wrong(err)
	}
	var f styleFile
	if err := yaml.UnmarshalWithOptions(raw, &f, yaml.Strict()); err != nil {
		return wrong(err)
	}
	if f.Name == "" {
		return wrong(errors.New("name is missing"))
	}
	sum := sha256.Sum256(raw)
	s := Style{Name: f.Name, Fingerprint: hex.EncodeToString(sum[:8]), whole: map[string]bool{}}
	for _, list := range []struct {
		field string
		of    []string
		to    *phrases
	}{{"openers", f.Openers, &s.openers}, {"hedges", f.Hedges, &s.hedges}, {"phrases", f.Phrases, nil}} {
		if len(list.of) == 0 {
			return wrong(fmt.Errorf("%s is missing or empty", list.field))
		}
		for i, entry := range list.of {
			words := wordsOf(entry)
			if len(words) == 0 {
				return wrong(fmt.Errorf("%s: entry %d, %q, has no word", list.field, i+1, entry))
			}
			if list.to == nil {
				s.whole[joined(words)], s.longest = true, max(s.longest, len(words))
				continue
			}
			list.to.add(words, needOf(entry, words))
		}
	}
	for i, entry := range f.Kept {
		words := wordsOf(entry)
		if len(words) == 0 {
			return wrong(fmt.Errorf("kept: entry %d, %q, has no word", i+1, entry))
		}
		s.openers.add(words, never)
	}
	return s, nil
}

// need is what must stand behind a phrase for it to count.
type need int

const (
	anything need = iota
	mark          // a comma, colon, dash or full stop, or nothing
	aClause       // a subject and its verb, or a mark
	aSubject      // no verb: "that" is then no subject itself
	never         // nothing lets it count: it is no opener although its beginning is one
)

// needOf reads from the end of an entry what it needs.
func needOf(entry string, words []word) need {
	switch {
	case strings.HasSuffix(entry, "..."):
		return aClause
	case strings.HasSuffix(entry, ","):
		return mark
	case words[len(words)-1].folded == "that":
		return aSubject
	}
	return anything
}

// met reports whether what follows the first n words, at least one of them, is what is needed.
func (w need) met(text string, words []word, n int) bool {
	if w == anything || n == len(words) {
		return w != never
	}
	apart := parted(text[words[n-1].end:words[n].start])
	switch w {
	case mark:
		return apart
	case aClause:
		return apart || clause(text, words[n:])
	case aSubject:
		return apart || !verbal(words[n].folded)
	}
	return false
}

// phrases are runs of words by their first word, the longest first.
type phrases map[string][]phrase

// phrase is a run of words with what must follow it.
type phrase struct {
	words []string
	need  need
}

func (p *phrases) add(words []word, behind need) {
	if *p == nil {
		*p = phrases{}
	}
	run := phrase{need: behind}
	for _, w := range words {
		run.words = append(run.words, w.folded)
	}
	all := (*p)[run.words[0]]
	at := 0
	for at < len(all) && len(all[at].words) >= len(run.words) {
		at++
	}
	(*p)[run.words[0]] = slices.Insert(all, at, run)
}

// at is how many words of a text one of the phrases takes from its first word on; 0: none begins there.
func (p phrases) at(text string, words []word) int {
	if len(words) == 0 {
		return 0
	}
	for _, run := range p[words[0].folded] {
		switch n := len(run.words); {
		case !run.begins(words):
		case run.need == never:
			return 0
		case run.need.met(text, words, n):
			return n
		}
	}
	return 0
}

// begins reports whether the words begin with those of the phrase.
func (p phrase) begins(words []word) bool {
	if len(p.words) > len(words) {
		return false
	}
	for i, w := range p.words {
		if words[i].folded != w {
			return false
		}
	}
	return true
}

// parted reports whether what stands between two words parts them.
func parted(gap string) bool {
	return gap != "" && (strings.ContainsAny(gap[:1], ",:;.!?") || strings.HasPrefix(gap, " -"))
}

// word is a word of a text: letters, digits and apostrophes or hyphens between them.
type word struct {
	folded     string // lower case, with a plain apostrophe
	start, end int    // bytes
	capital    bool
}

// oneForm writes apostrophes and hyphens in one way.
var oneForm = strings.NewReplacer("’", "'", "‑", "-")

// wordsOf are the words of a text.
func wordsOf(text string) []word {
	var out []word
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			i += size
			continue
		}
		start, capital := i, unicode.IsUpper(r)
		for i < len(text) {
			r, size := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && !(strings.ContainsRune("'’-‑", r) && letterFollows(text[i+size:])) {
				break
			}
			i += size
		}
		out = append(out, word{oneForm.Replace(strings.ToLower(text[start:i])), start, i, capital})
	}
	return out
}

// letterFollows reports whether a text begins with a letter.
func letterFollows(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r)
}

// joined are words as they are compared.
func joined(words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.folded)
	}
	return b.String()
}

// Hedged reports whether a step, as it was written, has a word that hedges. The month of May does not.
func (s Style) Hedged(step string) bool {
	words := wordsOf(step)
	for i := range words {
		if n := s.hedges.at(step, words[i:]); n > 0 && !(words[i].folded == "may" && words[i].capital && i > 0) {
			return true
		}
	}
	return false
}
