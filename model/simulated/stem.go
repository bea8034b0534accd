package simulated

import (
	"regexp"
	"slices"
	"strings"
)

// The words by which a difference is judged, sorted.
var (
	negations = sorted("no not never without denies denied deny denying don't doesn't didn't isn't wasn't hasn't absent absence")
	sexes     = sorted("man woman male female boy girl men women males females boys girls")
	severity  = sorted("mild moderate severe acute chronic low high left right bilateral mildly severely acutely chronically")
	timeUnits = sorted("second seconds minute minutes hour hours day days week weeks month months year years " +
		"morning evening night spring summer autumn winter yesterday today ago")
	timeWords = sorted("second seconds minute minutes hour hours day days week weeks month months year years morning evening " +
		"night spring summer autumn winter yesterday today ago a an the this last past over for few several " +
		"one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen " +
		"nineteen twenty thirty forty fifty sixty seventy eighty ninety")
)

func sorted(list string) []string {
	out := strings.Fields(list)
	slices.Sort(out)
	return out
}

// A sentence that was added has at least this many words; less is taken for the prompt's own heading.
const addedSentence = 4

// stemChange compares what is shown above the options with the known passages.
func (v view) stemChange() change {
	if v.item == nil {
		return change{}
	}
	if c, ok := v.untouched(); ok {
		return c
	}
	known := words(strings.Join(v.item.passages, "\n"))
	shown := words(v.before)
	partner := compare(known, shown)
	first, last := len(shown), -1
	for _, j := range partner {
		if j >= 0 {
			first, last = min(first, j), max(last, j)
		}
	}
	if last < 0 {
		return change{}
	}
	from, to := lineStart(v.before, shown, first), lineEnd(v.before, shown, last)
	for i := range partner {
		if partner[i] >= 0 {
			partner[i] -= from
		}
	}
	shown = shown[from:to]
	found := hunks(known, shown, partner)
	return newChange(judgeStem(found), found, v.before)
}

// untouched looks for the passages as they are: then nothing changed, or something was added beside one of them.
func (v view) untouched() (change, bool) {
	var found []hunk
	for _, p := range v.item.passages {
		at := strings.LastIndex(v.before, p)
		if at < 0 {
			return change{}, false
		}
		beside := words(v.before[:at])
		beside = beside[lineStart(v.before[:at], beside, len(beside)):]
		if len(beside) >= addedSentence {
			found = append(found, hunk{inserted: beside})
		}
	}
	if found == nil {
		return change{}, true
	}
	return newChange(preserving, found, v.before), true
}

// lineStart returns the first word on the line of word i that may belong to the question: behind a heading such as
// "Question:".
func lineStart(text string, ws []word, i int) int {
	end := len(text)
	if i < len(ws) {
		end = ws[i].start
	}
	line := strings.LastIndexByte(text[:end], '\n') + 1
	for i > 0 && ws[i-1].start >= line && !strings.HasPrefix(text[ws[i-1].end:], ":") {
		i--
	}
	return i
}

// lineEnd returns the index behind the last word on the line of word i.
func lineEnd(text string, ws []word, i int) int {
	line := len(text)
	if n := strings.IndexByte(text[ws[i].end:], '\n'); n >= 0 {
		line = ws[i].end + n
	}
	for i < len(ws) && ws[i].start < line {
		i++
	}
	return i
}

// judgeStem decides whether a difference of stems is clinical. What cannot be told is taken for harmless wording.
func judgeStem(found []hunk) changeKind {
	verdict := none
	for _, h := range found {
		switch judgeHunk(h) {
		case destructive:
			return destructive
		case preserving:
			verdict = preserving
		}
	}
	return verdict
}

func judgeHunk(h hunk) changeKind {
	all := slices.Concat(h.removed, h.inserted)
	switch {
	case len(h.inserted) == 0:
		return destructive // something said is gone
	case len(h.removed) == 0 && len(h.inserted) > addedSentence:
		return preserving // a sentence was added, whatever it says
	case anyOf(all, negations), anyOf(all, sexes), anyOf(all, severity):
		return destructive
	case onlyTime(all):
		return preserving
	case hasDigit(all):
		return destructive // an age, a dose, a value
	}
	return preserving
}

// onlyTime reports whether words are a phrase of time: nothing else, and at least one unit.
func onlyTime(ws []word) bool {
	unit := anyOf(ws, timeUnits)
	return unit && !slices.ContainsFunc(ws, func(w word) bool {
		return !anyOf([]word{w}, timeWords) && !number.MatchString(w.text)
	})
}

var number = regexp.MustCompile(`^\d+$`)
