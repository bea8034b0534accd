package battery

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// numberLists are the word lists of the edit "substitute-clinical".
var numberLists = []string{"units", "measures"}

// substituteClinical shifts one random number that measures something: one with a unit or after the name of a
// measurement. Numbers of steps and lists, years, and numbers within words ("CD4", "type 2") stay, and so does one that
// the shift would make negative or zero.
func substituteClinical(shifts []int, l lists) editor {
	units, measures := l.lexicon("units"), l.lexicon("measures")
	return rewriting(func(text string, p pick) found {
		var at []span
		for _, s := range literals(text) {
			if !isMarker(text, s) && standsAlone(text, s) && measured(text, s, units, measures) {
				at = append(at, s)
			}
		}
		if len(at) == 0 {
			return refused("the text has no clinical number")
		}
		s := at[p.from("number", len(at))]
		var to []string
		for _, by := range shifts {
			n := shifted(s.In(text), by)
			overfull := strings.HasPrefix(text[s.End:], "%") && overHundred(n) && !overHundred(s.In(text))
			if !strings.HasPrefix(n, "-") && strings.Trim(n, "0.") != "" && !overfull {
				to = append(to, n)
			}
		}
		if len(to) == 0 {
			return refused("every shift would make the number zero, negative or more than all")
		}
		new := to[p.from("shift", len(to))]
		return found{changes: append([]change{{s, new}}, agreeing(text, s.Start, new)...)}
	})
}

// overHundred reports whether a figure is above 100.
func overHundred(number string) bool {
	v, err := strconv.ParseFloat(number, 64)
	return err != nil || v > 100
}

// The two figures of a value that is given in two units: shifting one would contradict the other.
var (
	otherUnitAfter  = regexp.MustCompile(`^[ ]?[^\s()]{1,6}[ ]?\([0-9]`)
	otherUnitBefore = regexp.MustCompile(`[0-9][ ]?[^\s()0-9]{1,6}[ ]?\($`)
)

// standsAlone reports whether a number is no part of a word, of a longer figure, of a list's numbering, or of
// a value in two units.
func standsAlone(text string, at span) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at.Start])
	if at.Start > 0 && (wordRune(before) || strings.ContainsRune(",.-–/^", before)) {
		return false
	}
	rest := text[at.End:]
	after, size := utf8.DecodeRuneInString(rest)
	if strings.ContainsRune(",.–/^", after) && len(rest) > size && '0' <= rest[size] && rest[size] <= '9' {
		return false
	}
	if otherUnitAfter.MatchString(rest) || otherUnitBefore.MatchString(text[max(0, at.Start-16):at.Start]) {
		return false
	}
	line := strings.TrimLeft(text[strings.LastIndexByte(text[:at.Start], '\n')+1:at.Start], " \t*#(-")
	return line != "" || after != '.' && after != ')' && after != ':'
}

// ordinaryYear is a year of the calendar.
var ordinaryYear = regexp.MustCompile(`^(?:19|20)\d\d$`)

// measured reports whether a unit follows a number, or the name of a measurement stands before it.
func measured(text string, at span, units, measures lexicon) bool {
	rest := strings.TrimLeft(text[at.End:], " -")
	if strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "°") {
		return true
	}
	if _, ok := units.begins(rest); ok {
		return true
	}
	if ordinaryYear.MatchString(at.In(text)) {
		return false
	}
	head := strings.TrimRight(text[max(0, at.Start-40):at.Start], " ")
	for _, link := range []string{" of", " is", " was", ":", "=", " at"} {
		head = strings.TrimRight(strings.TrimSuffix(head, link), " ")
	}
	for h := range measures.hits(head) {
		if h.End == len(head) {
			return true
		}
	}
	return false
}
