package battery

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss/clinical"
)

// ageLists are the word lists of the edit "age-carried".
var ageLists = []string{"derived", "relatives", "size"}

// stage says to which ages a text is bound by its words: "retired" speaks of nobody below 50.
type stage struct {
	Least int      `yaml:"least" json:",omitempty"` // years; 0: no lower limit
	Most  int      `yaml:"most" json:",omitempty"`  // years; 0: no upper limit
	Words []string `yaml:"words"`
}

// clauseStops are the marks that no form of an age holds but ageAged.
const clauseStops = ".,;:()\n"

// The forms of an age. A range or limit ("aged 65 and over") is no age of a patient.
var (
	ageOld = form{regexp.MustCompile(`(?i)(\d{1,3})([- ]*)(years?|yrs?|months?|mo|weeks?|wks?|days?|hours?)[- ]*old`),
		"old", clauseStops}
	ageAged    = form{regexp.MustCompile(`(?i)\b(?:aged|ages?(?: of| is|:|,)?)[ \n]+(\d{1,3})\b`), "age", ".;()"}
	ageShort   = form{regexp.MustCompile(`(?i)\b(\d{1,3})[ -]?(?:y/o|yo|y\.o\.)`), "", ",;:()\n"}
	ageInWords = form{regexp.MustCompile(`(?i)[a-z][- ]+(?:years?|months?|weeks?|days?)[- ]old\b`), "old", clauseStops}
	ageDecade  = regexp.MustCompile(`(?i)\bin (?:his|her|their|the) (?:early |mid |mid-|late )?(?:\d0'?s|teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)`)
	ageYear    = form{regexp.MustCompile(`\b(?:19|20)\d\d(?:s|\b)`), "", clauseStops}
	ageVague   = form{regexp.MustCompile(`(?i)\b(?:an|the|very) old\b`), "old", clauseStops}
	ageSpan    = regexp.MustCompile(`(?i)(?:\d[ \n]*(?:-|–|—|/|to|or|and)[ \n]*|[.,])$`) // before the second figure of a range
	ageCode    = form{regexp.MustCompile(`\b\d{1,3} ?[MFmf]\b`), "", clauseStops}
	ageLimit   = regexp.MustCompile(`(?i)^[ \n]*(?:years?)?[ \n]*(?:and|or|to|-|–|—)[ \n]*(?:\d|older|over|above|under|younger|below|more|less)`)
	duration   = form{regexp.MustCompile(`(?i)\b(\d{1,3})[- ]+(?:pack[- ]*)?years?\b(?:[- ]*old)?`), "year", clauseStops}
)

// agedText is the knowledge that the edit of an age rests on.
type agedText struct {
	brackets                 []bracket
	stages                   []stage
	words                    lexicon // of all stages
	stageOf                  []int   // by pattern of words
	derived, relatives, size lexicon
}

func carryAge(brackets []bracket, stages []stage, l lists) editor {
	a := agedText{brackets: brackets, stages: stages,
		derived: l.lexicon("derived"), relatives: l.lexicon("relatives"), size: l.lexicon("size")}
	var words []string
	for i, s := range stages {
		words = append(words, s.Words...)
		a.stageOf = append(a.stageOf, slices.Repeat([]int{i}, len(s.Words))...)
	}
	a.words = newWords(words)
	return rewriting(a.find)
}

func (a agedText) find(text string, p pick) found {
	if w := a.derived.first(text); w != "" {
		return refused("the text has " + quoted(w) + ", which tells the age in another way")
	}
	if ageInWords.in(text) || ageVague.in(text) || ageCode.in(text) || ageDecade.MatchString(text) {
		return refused("the text tells an age in words or by a code")
	}
	if y := ageYear.matches(text); len(y) > 0 {
		return refused("the text has the year " + text[y[0][0]:y[0][1]] + ", by which an age can be told")
	}
	now, least, why := a.mentions(text)
	if why != "" {
		return refused(why)
	}
	old, err := strconv.Atoi(now[0].In(text))
	if err != nil {
		return refused("the age is no number")
	}
	to := a.possible(text, old, least)
	if len(to) == 0 {
		return refused("no age of the list suits this text")
	}
	new := strconv.Itoa(to[p.from("age", len(to))])
	var changes []change
	for _, at := range now {
		changes = append(append(changes, change{at, new}), agreeing(text, at.Start, new)...)
	}
	return found{changes: changes, tokens: []string{new}}
}

// grownFor is how old one is at least, in years, when something begins that is told to have lasted for years: smoking, a
// job, a disease of adults.
const grownFor = 15

// mentions returns where the patient's age stands, and the least age that the other figures of years allow, those of
// relatives aside: the patient is past an earlier age, and was half grown when what lasts for years began.
func (a agedText) mentions(text string) (now []span, least int, why string) {
	sentences := clinical.Sentences(text)
	seen := false
	for _, m := range ageOld.matches(text) {
		at := span{Start: m[2], End: m[3]}
		seen = true
		switch unit := strings.ToLower(text[m[6]:m[7]]); {
		case a.ofRelative(text, sentences, span{Start: m[0], End: m[1]}):
			continue
		case unit[0] != 'y':
			return nil, 0, "an age is in " + unit + ": years would make another vignette"
		case m[4] == m[5]:
			return nil, 0, "an age is written together with its unit"
		case ageSpan.MatchString(text[:at.Start]):
			return nil, 0, "an age is one of a range"
		case len(now) > 0 && now[0].In(text) != at.In(text):
			return nil, 0, "the text has two ages, " + now[0].In(text) + " and " + at.In(text)
		}
		now = append(now, at)
	}
	switch {
	case seen && len(now) == 0:
		return nil, 0, "the only ages are those of relatives"
	case len(now) == 0:
		return nil, 0, "the text has no age in years"
	}
	now, least = a.others(text, sentences, now)
	return now, least, ""
}

// others adds the shorter forms of the same age ("aged 45") to where it stands, and reads the least age off all other
// figures of years.
func (a agedText) others(text string, sentences []span, now []span) (all []span, least int) {
	for _, f := range []form{ageAged, ageShort, duration} {
		for _, m := range f.matches(text) {
			at := span{Start: m[2], End: m[3]}
			if slices.Contains(now, at) || a.ofRelative(text, sentences, span{Start: m[0], End: m[1]}) {
				continue
			}
			if f != duration && at.In(text) == now[0].In(text) && !ageLimit.MatchString(text[at.End:]) {
				now = append(now, at)
				continue
			}
			n, _ := strconv.Atoi(at.In(text))
			if f == duration {
				n += grownFor
			}
			least = max(least, n+1)
		}
	}
	return now, least
}

// ofRelative reports whether an age is a relative's: a relative is named within three words after it, or before it in
// its sentence with no other age between.
func (a agedText) ofRelative(text string, sentences []span, at span) bool {
	rest := text[at.End:]
	end := at.End
	for range 3 {
		_, w := wordAfter(text, end)
		if w.Start == w.End {
			break
		}
		end = w.End
	}
	if a.relatives.any(text[at.End:end]) && !strings.ContainsAny(text[at.End:end], ".,;") {
		return true
	}
	head := text[sentenceAt(sentences, at.Start).Start:at.Start]
	for h := range a.relatives.hits(head) {
		between := head[h.End:]
		if !ageOld.MatchString(between) && (len(between) < 60 || strings.HasPrefix(rest, ")")) {
			return true
		}
	}
	return false
}

// possible returns the ages that suit the words of a text, its other figures of years, and its weights and heights.
func (a agedText) possible(text string, old, least int) []int {
	var to []int
	for _, b := range a.brackets {
		if b.holds(old) {
			to = b.without(old)
			break
		}
	}
	most := 0
	for h := range a.words.hits(text) {
		s := a.stages[a.stageOf[h.pattern]]
		least = max(least, s.Least)
		if s.Most > 0 && (most == 0 || s.Most < most) {
			most = s.Most
		}
	}
	grown := a.size.any(text)
	return slices.DeleteFunc(to, func(n int) bool {
		return n < least || most > 0 && n > most || grown && (n < 18 || old < 18)
	})
}
