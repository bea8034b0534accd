package simulated

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss/clinical"
)

// The labels of a step, in the words of the step audit.
const (
	stepCorrect     = "correct"
	stepFactual     = "factual"
	stepContradicts = "contradicts_case"
	stepUnsupported = "unsupported"
	stepArithmetic  = "arithmetic"
	stepAbstain     = "abstain"
)

// errorKinds are the kinds of an error, in the order in which the first that fits is named.
var errorKinds = []string{stepFactual, stepContradicts, stepUnsupported, stepArithmetic}

// StepLabel says of a step that a stepwise reasoner wrote what it is: "correct", an error ("factual", "contradicts_case",
// "unsupported" or "arithmetic"), or "abstain" where it claims nothing. question is what a judge is shown: passages, stem and
// options. The step may stand as it was written, without its style, or as a paraphraser puts it, and be several steps in
// one: it is then an error if any of them is, of the first kind in the order above. known is false where no sentence of it is a
// simulator's.
func StepLabel(question, step string) (label string, known bool) {
	q := newAsked(question)
	claims, silent := []string{}, false
	for _, s := range statements(step) {
		switch label := q.label(s); label {
		case "":
		case stepAbstain:
			silent = true
		default:
			claims = append(claims, label)
		}
	}
	for _, kind := range errorKinds {
		if slices.Contains(claims, kind) {
			return kind, true
		}
	}
	switch {
	case len(claims) > 0:
		return stepCorrect, true
	case silent && !hasUnknown(q, step):
		return stepAbstain, true
	}
	return "", false
}

// hasUnknown reports whether a step has a sentence that is no simulator's.
func hasUnknown(q asked, step string) bool {
	return slices.ContainsFunc(statements(step), func(s string) bool { return q.label(s) == "" })
}

// asked is what a question says of its patient.
type asked struct {
	words []string // without the options, rewordings undone
	ages  []age    // in the order of the text
	sex   string   // "male" or "female"; empty: none, or both
	sides map[string][]string
	parts []string // with a side, in the order of the text
}

type age struct {
	n    int
	unit string
}

var (
	// agePhrase is an age as stems have it.
	agePhrase = regexp.MustCompile(`(?i)\b(\d{1,3})[- ]*(year|month|week|day)s?[- ]*old\b`)
	// sidePhrase is a part of the body with its side.
	sidePhrase = regexp.MustCompile(`(?i)\b(left|right) (knee|hip|leg|arm|eye|ear|lung|hand|foot|shoulder|wrist|ankle|elbow|kidney|breast|flank|thigh|calf|ovary|testis|lower quadrant|upper quadrant)\b`)
	// trailingOptions are the lines of options that end a question.
	trailingOptions = regexp.MustCompile(`(?:(?:^|\n)[A-Z]{1,2}\. [^\n]*)+\s*$`)

	males   = sorted("man men male males boy boys gentleman he him his himself father husband son brother mr")
	females = sorted("woman women female females girl girls lady she her hers herself mother wife daughter sister mrs ms pregnant gravida")
)

// newAsked reads a question.
func newAsked(question string) asked {
	text := markup.Replace(trailingOptions.ReplaceAllString(question, ""))
	ws := words(text)
	q := asked{words: undone(texts(ws)), sides: map[string][]string{}}
	for _, m := range agePhrase.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1]) // at most three digits
		q.ages = append(q.ages, age{n, strings.ToLower(m[2])})
	}
	switch male, female := anyOf(ws, males), anyOf(ws, females); {
	case male && !female:
		q.sex = "male"
	case female && !male:
		q.sex = "female"
	}
	for _, m := range sidePhrase.FindAllStringSubmatch(text, -1) {
		side, part := strings.ToLower(m[1]), strings.ToLower(m[2])
		if !slices.Contains(q.parts, part) {
			q.parts = append(q.parts, part)
		}
		if !slices.Contains(q.sides[part], side) {
			q.sides[part] = append(q.sides[part], side)
		}
	}
	return q
}

// The forms of sentences about a case, as statements has them.
var (
	saysAge     = regexp.MustCompile(`^the patient is (\d+) (year|month|week|day)s? old$`)
	saysSex     = regexp.MustCompile(`^the patient is (male|female)$`)
	saysSide    = regexp.MustCompile(`^the text names the (left|right) ([a-z ]+)$`)
	saysFinding = regexp.MustCompile(`^the text says that (.+)$`)
	saysSum     = regexp.MustCompile(`^(\d{1,6}) (times|plus|minus) (\d{1,6}) is (\d{1,9})$`)
)

// label is what a sentence is, as statements has it; empty: it is no simulator's.
func (q asked) label(s string) string {
	if l, ok := fixedLabels[s]; ok {
		return l
	}
	holds := func(is bool, otherwise string) string {
		if is {
			return stepCorrect
		}
		return otherwise
	}
	if m := saysAge.FindStringSubmatch(s); m != nil {
		n, err := strconv.Atoi(m[1])
		return holds(err == nil && slices.Contains(q.ages, age{n, m[2]}), stepContradicts)
	}
	if m := saysSex.FindStringSubmatch(s); m != nil {
		return holds(m[1] == q.sex, stepContradicts)
	}
	if m := saysSide.FindStringSubmatch(s); m != nil {
		return holds(slices.Contains(q.sides[m[2]], m[1]), stepContradicts)
	}
	if m := saysFinding.FindStringSubmatch(s); m != nil {
		return holds(stands(q.words, strings.Fields(m[1])), stepContradicts)
	}
	if m := saysSum.FindStringSubmatch(s); m != nil {
		a, _ := strconv.Atoi(m[1]) // the expression bounds the digits
		b, _ := strconv.Atoi(m[3])
		c, _ := strconv.Atoi(m[4])
		return holds(c == reckon(a, b, m[2]), stepArithmetic)
	}
	return ""
}

// reckon is a calculation.
func reckon(a, b int, operation string) int {
	switch operation {
	case "times":
		return a * b
	case "plus":
		return a + b
	}
	return a - b
}

// fixedLabels are the labels of the sentences that hold or fail for every question.
var fixedLabels = func() map[string]string {
	out := map[string]string{}
	put := func(sentence, label string) { out[statement(sentence)] = label }
	for _, c := range general {
		put(c.right, stepCorrect)
		put(c.wrong, stepFactual)
	}
	for _, c := range inferences {
		put(c.right, stepCorrect)
		put(c.wrong, stepUnsupported)
	}
	for _, s := range slices.Concat(unclaimed, talk) {
		put(s, stepAbstain)
	}
	return out
}()

var (
	markup     = strings.NewReplacer("*", "", "_", "", "#", "", ">", "", "`", "", "’", "'")
	listNumber = regexp.MustCompile(`^\s*\(?\d{1,3}[.)](?:\s+|$)`)
)

// statements are the sentences of a step in small letters, without punctuation, markup, numbers of steps and openers, and with
// rewordings undone: the same for one step in any style.
func statements(step string) []string {
	var out []string
	for line := range strings.Lines(markup.Replace(step)) {
		if end, ok := clinical.StepMarker(line, 0); ok {
			line = line[end:]
		}
		line = listNumber.ReplaceAllString(line, "")
		for _, span := range clinical.Sentences(line) {
			if s := statement(span.In(line)); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// statement is one sentence so.
func statement(sentence string) string {
	ws := texts(words(sentence))
	for n := 1; n > 0; {
		n = 0
		for _, o := range openers {
			if len(ws) > len(o) && slices.Equal(ws[:len(o)], o) {
				n = len(o)
				ws = ws[n:]
			}
		}
	}
	return strings.Join(undone(ws), " ")
}

// openers are the words of all that may stand before a sentence.
var openers = func() (out [][]string) {
	for _, o := range slices.Concat(hedging, opening, []string{reworded}) {
		out = append(out, texts(words(o)))
	}
	return out
}()

// undone are words with the paraphraser's rewordings taken back.
func undone(ws []string) []string {
	var out []string
	for i := 0; i < len(ws); {
		n, put := 1, ws[i:i+1]
		for _, r := range undoing {
			if len(r[1]) <= len(ws)-i && slices.Equal(ws[i:i+len(r[1])], r[1]) {
				n, put = len(r[1]), r[0]
				break
			}
		}
		out = append(out, put...)
		i += n
	}
	return out
}

// undoing is rewording, in words.
var undoing = func() (out [][2][]string) {
	for _, r := range rewording {
		out = append(out, [2][]string{texts(words(r[0])), texts(words(r[1]))})
	}
	return out
}()

// stands reports whether words stand one after the other among others. No words stand nowhere.
func stands(all, run []string) bool {
	for i := 0; i+len(run) <= len(all); i++ {
		if len(run) > 0 && slices.Equal(all[i:i+len(run)], run) {
			return true
		}
	}
	return false
}
