package battery

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss/clinical"
)

// conversion restates a measurement in another unit: to = value · times + plus.
type conversion struct {
	Measure  string   `yaml:"measure"`
	From     []string `yaml:"from"`                       // spellings of the unit
	To       []string `yaml:"to"`                         // the first is written
	Times    float64  `yaml:"times"`                      //
	Plus     float64  `yaml:"plus" json:",omitempty"`     //
	Decimals int      `yaml:"decimals"`                   // of the new value
	Beside   []string `yaml:"beside" json:",omitempty"`   // words of which one must stand in the sentence
	Directly bool     `yaml:"directly" json:",omitempty"` // one of them must name the value, for other measures share the unit
	Least    float64  `yaml:"least"`                      // plausible values in the old unit
	Most     float64  `yaml:"most"`
}

func (c conversion) check() error {
	if c.Measure == "" || len(c.From) == 0 || len(c.To) == 0 || c.Times == 0 || c.Least >= c.Most {
		return fmt.Errorf("conversion %q needs measure, from, to, times, and least below most", c.Measure)
	}
	return nil
}

// restated is a conversion that can be looked for.
type restated struct {
	conversion
	one, both *regexp.Regexp // a value alone; a value with its other unit in brackets
	beside    lexicon
}

const figure = `(\d+(?:\.\d+)?)(\s?)`

func newRestated(c conversion) restated {
	from, to := spellings(c.From), spellings(c.To)
	return restated{conversion: c, beside: newWords(c.Beside),
		one:  regexp.MustCompile(`(?:^|[^\pL\pN.,/–-])(` + figure + `(` + from + `))([^\pL\pN/²^]|$)`),
		both: regexp.MustCompile(`(?:^|[^\pL\pN.,/–-])(` + figure + from + `)(\s?)\((` + figure + to + `)\)`),
	}
}

func spellings(units []string) string {
	out := make([]string, len(units))
	for i, u := range units {
		out[i] = regexp.QuoteMeta(u)
	}
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return "(?:" + strings.Join(out, "|") + ")"
}

// restate gives every value of one measure in its other unit: where both are printed they change places, otherwise the
// value is converted.
func restate(conversions []conversion) editor {
	var all []restated
	for _, c := range conversions {
		all = append(all, newRestated(c))
	}
	return rewriting(func(text string, p pick) found {
		var can []found
		for _, r := range all {
			if f := r.find(text); len(f.changes) > 0 {
				can = append(can, f)
			}
		}
		if len(can) == 0 {
			return refused("no measurement of the table stands in one known unit")
		}
		return can[p.from("measure", len(can))]
	})
}

func (r restated) find(text string) found {
	var f found
	has := func(unit string) bool { return strings.Contains(text, unit) } // far cheaper than the expressions
	if !slices.ContainsFunc(r.From, has) {
		return f
	}
	if strings.Contains(text, "(") && slices.ContainsFunc(r.To, has) {
		for _, m := range r.both.FindAllStringSubmatchIndex(text, -1) {
			a, b := span{Start: m[2], End: m[3]}, span{Start: m[10], End: m[11]}
			f.changes = append(f.changes, change{a, b.In(text)}, change{b, a.In(text)})
		}
	}
	if len(f.changes) == 0 && len(r.Beside) > 0 && !r.beside.any(text) {
		return f // a value alone needs one of the words
	}
	sentences := clinical.Sentences(text)
	for _, m := range r.one.FindAllStringSubmatchIndex(text, -1) {
		at := span{Start: m[2], End: m[3]}
		if slices.ContainsFunc(f.changes, func(c change) bool { return c.span == at }) {
			continue
		}
		if r.Directly {
			named, unsure := r.names(text, at.Start)
			if unsure {
				return found{}
			}
			if !named {
				continue
			}
		}
		v, err := strconv.ParseFloat(text[m[4]:m[5]], 64)
		switch {
		case err != nil || v < r.Least || v > r.Most,
			len(r.Beside) > 0 && !r.beside.any(sentenceAt(sentences, at.Start).In(text)),
			printedRange(text[m[9]:]), bracketed(text, at), rangeOrColumn(text[m[9]:]):
			return found{} // one value in a strange form: the others would no longer agree with it
		}
		new := strconv.FormatFloat(math.Round((v*r.Times+r.Plus)*math.Pow10(r.Decimals))/math.Pow10(r.Decimals), 'f', r.Decimals, 64)
		unit := r.To[0]
		if !strings.HasPrefix(text[m[8]:m[9]], "°") {
			unit = strings.TrimPrefix(unit, "°")
		}
		f.changes = append(f.changes, change{at, new + text[m[6]:m[7]] + unit})
	}
	return f
}

// The words between the name of a measure and its value, and words that name nothing: a value after one of those may
// belong to a measure that was named before.
var (
	betweenName = newWords([]string{"level", "levels", "concentration", "value", "reading", "measurement", "test", "is", "was", "of", "at", "as", "the", "a", "an",
		"about", "approximately", "measured", "measures", "shows", "showed", "reads", "reveals", "revealed", "returned", "found", "to", "be", "only", "now", "today", "equal", "fasting", "random", "serum"})
	namesNothing = newWords([]string{"hour", "hours", "minute", "minutes", "later", "then", "after", "from", "and", "or", "between", "load", "than", "over", "under",
		"above", "below", "up", "by", "with", "again", "increased", "decreased", "rose", "fell", "dropped", "rises", "falls", "day", "days", "morning", "dl", "l"})
)

// names reports whether a word of the measure stands directly before the value at byte i, with only words like "level
// of" between, and whether that is unsure, because what stands there names nothing.
func (r restated) names(text string, i int) (named, unsure bool) {
	for range 8 {
		head := strings.TrimRight(text[:i], " \t:=≥≤<>~|-")
		from := strings.LastIndexFunc(head, func(c rune) bool { return !wordRune(c) })
		word := head[nextRune(head, from):]
		start := len(head) - len(word)
		switch {
		case word == "", namesNothing.is(word), word[0] >= '0' && word[0] <= '9':
			return false, true
		case !betweenName.is(word):
			for h := range r.beside.hits(head) {
				if h.End == len(head) {
					return true, false
				}
			}
			return false, false
		}
		i = start
	}
	return false, true
}

// bracketed reports whether a bracket with another figure follows a value, or the value itself stands in one: its other
// unit is printed in a form that we do not read.
func bracketed(text string, at span) bool {
	after := strings.TrimLeft(text[at.End:], " ")
	if strings.HasPrefix(after, "(") && len(after) > 1 && '0' <= after[1] && after[1] <= '9' {
		return true
	}
	return strings.HasSuffix(text[:at.Start], "(") || strings.HasPrefix(after, ")") || strings.HasPrefix(after, "to ") ||
		strings.HasPrefix(after, "per ") || strings.HasPrefix(after, "and ") && len(after) > 4 && '0' <= after[4] && after[4] <= '9'
}

// rangeOrColumn reports whether a dash or another figure follows a value: it opens a range, or stands in the first column
// of a table.
func rangeOrColumn(after string) bool {
	after = strings.TrimLeft(after, " \t")
	r, _ := utf8.DecodeRuneInString(after)
	return r == '-' || r == '–' || r == '—' || '0' <= r && r <= '9'
}
