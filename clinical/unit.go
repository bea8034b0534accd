package clinical

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/percuss/percuss"
)

// The length of a unit in words. A shorter sentence says nothing that can be hidden by itself; a longer one holds
// several findings, so that hiding it says little.
const (
	shortestUnit = 4
	longestUnit  = 45
)

// Why a sentence is no unit. What stands behind a colon is of the sentence.
const (
	NamesGold     = "names the gold" // followed by a colon and the form
	whyHeading    = "heading"
	whyFigure     = "figure or table"
	whyAside      = "about the report: consent or a web address"
	whyFragment   = "fragment: begins in mid-sentence"
	whyShort      = "too short: fewer than 4 words"
	whyLong       = "too long: more than 45 words and no semicolon to part it at"
	whyRepeats    = "repeats an earlier sentence"
	whyNoSentence = "heading or table: no full stop"
)

// Units makes evidence units of a narrative: its sentences in order, each on one line, without references to figures,
// tables and literature in brackets. The number in a unit's id is that of its sentence in the text, from 1.
// Left out, each with a reason: sentences that name the gold in one of its forms or by an acronym that the text
// defines for one, headings, captions and sentences that point at a figure, consent, fragments, repetitions, and
// sentences of fewer than 4 or more than 45 words; a long one is first parted at its semicolons ("S7a", "S7b").
func Units(text string, gold *Names) (units []percuss.Unit, out []percuss.LeftOut) {
	names := gold.Learned(text)
	seen := map[string]bool{}
	for i, s := range told(text) {
		id := "S" + strconv.Itoa(i+1)
		parts := parted(s.text)
		for j, part := range parts {
			why := s.why
			if why == "" {
				why = unusable(part, j > 0, j < len(parts)-1)
			}
			if form, leaks := names.In(part); leaks {
				why = NamesGold + ": " + form
			}
			if why == "" && seen[part] {
				why = whyRepeats
			}
			if why != "" {
				out = append(out, percuss.LeftOut{Text: part, Why: why})
				continue
			}
			seen[part] = true
			u := percuss.Unit{ID: id, Text: part}
			if len(parts) > 1 {
				u.ID += strings.ToLower(percuss.Label(j))
			}
			units = append(units, u)
		}
	}
	return units, out
}

// passage is a sentence on one line, or a caption with the reason why it is none.
type passage struct{ text, why string }

// told returns what a narrative is made of, in order.
func told(text string) []passage {
	var all []passage
	add := func(s, why string) {
		if s = oneLine(s); s != "" {
			all = append(all, passage{s, why})
		}
	}
	for text != "" {
		prose, caption, rest := cutCaption(text)
		for _, s := range Sentences(prose) {
			for part := s.In(prose); part != ""; {
				end := len(part)
				if at := lostReference.FindStringIndex(part); at != nil {
					end = at[0] + strings.IndexByte(part[at[0]:], '.') + 1
				}
				add(part[:end], "")
				part = part[end:]
			}
		}
		add(caption, whyFigure)
		text = rest
	}
	return all
}

var (
	captionEnd  = regexp.MustCompile(`Full size (?:image|table)`)
	captionHead = regexp.MustCompile(`(?:^|[.!?)\]]\s+|\n\s*)((?:Fig\.|Figs\.|Figure|Table)\s*\d+[A-Za-z]?\b)`)
)

// cutCaption returns the prose before the next caption, the caption and what follows it. Publishers' pages end a
// caption in "Full size image" and begin it with the figure's number, or leave that out: then it is one sentence.
func cutCaption(text string) (prose, caption, rest string) {
	end := captionEnd.FindStringIndex(text)
	if end == nil {
		return text, "", ""
	}
	before := text[:end[0]]
	start := 0
	if heads := captionHead.FindAllStringSubmatchIndex(before, -1); heads != nil {
		start = heads[len(heads)-1][2]
	} else if spans := Sentences(before); len(spans) > 0 {
		start = spans[len(spans)-1].Start
	}
	return text[:start], text[start:end[1]], text[end[1]:]
}

var (
	// reference is what points out of the text, in brackets: figures, tables, files, numbers of the literature, and the
	// empty brackets that were left of them.
	reference = regexp.MustCompile(`\s*(?:\((?:see |as in |e\.g\. )?(?:Fig|Table|Additional file|Supplement|Video|Movie|Box|Appendix|fig\b|figure|table)[^()]*\)|` +
		`\[\s*\d+(?:\s*[,–-]\s*\d+)*\s*\]|\(\s*[,;]?\s*\)|\[\s*\])`)
	alsoFigure = regexp.MustCompile(`[;,]\s*(?:see )?(?:Figs?\.|Figures?|Tables?)\s*\d[^()]*\)`)
	// lostReference is where the subject of a sentence was a reference that the file has lost: "six were male.  presents
	// the findings".
	lostReference   = regexp.MustCompile(`\pL{2}\.[ \t]{2,}\p{Ll}{2}`)
	spaceBeforeMark = regexp.MustCompile(`\s+([.,;:])(\s|$)`)
	pointsAtFigure  = regexp.MustCompile(`\b(?:Fig\.|Figs\.|Figure|Figures|Table|Tables|Additional file|Supplementary)\s*\d|^(?:Fig|Figure|Table)\b|\bFull size\b`)
	// ofFigure is what only legends say: a panel's letter, an arrow, a list of abbreviations.
	ofFigure = regexp.MustCompile(`^\(?[a-h]\)?[:.]? [A-Z]|\b[Aa]rrow(?:head)?s?\b|[Ss]cale bar|^(?:[B-HJ-Z]|[A-Z]{2,6}) [a-z-]+(?: [a-z-]+){0,4}, [A-Z]{1,6} [a-z]`)
	// aside is about the report: consent to it, and addresses of programs and data.
	aside = regexp.MustCompile(`(?i)\binformed consent\b|\bconsent (?:for|to) publi|https?://`)
)

// oneLine takes references and line breaks out of a sentence.
func oneLine(s string) string {
	s = reference.ReplaceAllString(s, "")
	s = alsoFigure.ReplaceAllString(s, ")")
	s = strings.Join(strings.Fields(s), " ")
	return strings.TrimSpace(spaceBeforeMark.ReplaceAllString(s, "$1$2"))
}

// parted splits a sentence that is too long at its semicolons.
func parted(s string) []string {
	if wordCount(s) <= longestUnit || !strings.Contains(s, "; ") {
		return []string{s}
	}
	return strings.Split(s, "; ")
}

// unusable says why a sentence can be no unit whatever the diagnosis is; empty where it can. It may have been parted
// from what stands before or after it.
func unusable(s string, before, after bool) string {
	n := wordCount(s)
	ended := after || terminal(s)
	first, _ := utf8.DecodeRuneInString(s)
	switch {
	case pointsAtFigure.MatchString(s), ofFigure.MatchString(s):
		return whyFigure
	case aside.MatchString(s):
		return whyAside
	case !ended && n <= 8:
		return whyHeading
	case n < shortestUnit:
		return whyShort
	case n > longestUnit:
		return whyLong
	case !before && unicode.IsLower(first) && beginsInside(firstWord(s)):
		return whyFragment
	case !ended && n > 8 && !strings.ContainsAny(s, ",;"):
		return whyNoSentence
	}
	return ""
}

// beginsInside reports whether a first word in small letters is that of a clause cut off, not a name such as "p53".
func beginsInside(w string) bool {
	for _, r := range w {
		if !unicode.IsLower(r) {
			return false
		}
	}
	return utf8.RuneCountInString(w) > 1
}
