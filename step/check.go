package step

import (
	"maps"
	"regexp"
	"strings"

	"github.com/percuss/percuss"
)

// Check looks for what can be told of a step without a judge: calculations that can be done again, numbers that stand
// neither in the question nor in an earlier step, and other words for the age, sex or side than the question has. before are
// the steps before it, as they were written. What it cannot compare it does not count: no mention is none that agrees.
func Check(q percuss.Question, before []string, step string) Checks {
	c := checkerOf(q)
	earlier := map[float64]bool{}
	for _, b := range before {
		maps.Copy(earlier, knownNumbers(b))
	}
	return c.check(earlier, step)
}

// checker is what the checks need of a question, worked out once for all steps of its chains.
type checker struct {
	numbers      map[float64]bool // of question and options
	ages         map[string]bool
	male, female bool                       // words of either sex are there
	sides        map[string]map[string]bool // by part of the body
}

func checkerOf(q percuss.Question) checker {
	asked := strings.Join(append(append([]string{}, q.Context...), q.Stem), "\n")
	options := ""
	for _, o := range q.Options {
		options += "\n" + o.Text
	}
	c := checker{numbers: knownNumbers(asked + options), ages: map[string]bool{}}
	asked = flattened(asked)
	for _, a := range agesOf(asked) {
		c.ages[a] = true
	}
	c.male, c.female = maleWord.MatchString(asked), femaleWord.MatchString(asked)
	c.sides = sidesOf(asked)
	return c
}

// check is Check of a step behind others whose numbers are earlier.
func (c checker) check(earlier map[float64]bool, step string) Checks {
	plain := flattened(step)
	found := sumsOf(plain)
	out := Checks{Sums: len(found)}
	results := map[float64]bool{} // a wrong result is counted as a wrong sum, not as a number from nowhere
	for _, s := range found {
		results[s.result.value] = true
		if !s.right() {
			out.WrongSums++
		}
	}
	for _, n := range numbersOf(unnumbered(plain)) {
		out.Numbers++
		if !c.numbers[n.value] && !earlier[n.value] && !results[n.value] && !n.small() {
			out.NewNumbers++
		}
	}
	for _, m := range [...]func(step string) (stated, other int){c.otherAges, c.otherSexes, c.otherSides} {
		stated, other := m(plain)
		out.Stated, out.Contradicts = out.Stated+stated, out.Contradicts+other
	}
	return out
}

// flattened is a text without markup, with one sign for each operation.
func flattened(text string) string {
	return operations.Replace(text)
}

var operations = strings.NewReplacer("−", "-", "×", "*", "·", "*", "÷", "/", "∗", "*", "\\times", "*", "\\cdot", "*", "\\div", "/", "\\approx", "≈", "~", "≈",
	"²", "^2", "³", "^3", "**", "", "$", "", "’", "'", "‑", "-", "–", "-", "\u00a0", " ", "\u202f", " ")

// unnumbered is a step without its own number and those of lists in it.
func unnumbered(step string) string {
	var out []string
	for l := range strings.Lines(step) {
		l = strings.TrimLeft(l, " \t#*_>-")
		l = stepNumber.ReplaceAllString(l, "")
		out = append(out, l)
	}
	return strings.Join(out, "\n")
}

var stepNumber = regexp.MustCompile(`(?i)^(?:step\s*\d{1,3}\b|\(?\d{1,3}[.)](?:\s|$))`)

// The ages of a text: a number with its unit, as "45-year-old" or "aged 45".
var (
	ageOld  = regexp.MustCompile(`(?i)\b(\d{1,3})[- ]*(year|yr|month|week|day)s?[- ]*(?:of[- ]age|old)\b`)
	ageAged = regexp.MustCompile(`(?i)\b(?:aged|age of|age is|age:|aged about)\s+(\d{1,3})\b`)
	ageYO   = regexp.MustCompile(`(?i)\b(\d{1,3})\s?(?:y/o|yo)\b`)
)

func agesOf(text string) []string {
	var out []string
	for _, m := range ageOld.FindAllStringSubmatch(text, -1) {
		unit := strings.ToLower(m[2])
		if unit == "yr" {
			unit = "year"
		}
		out = append(out, m[1]+" "+unit)
	}
	for _, re := range []*regexp.Regexp{ageAged, ageYO} {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			out = append(out, m[1]+" year")
		}
	}
	return out
}

// otherAges counts the ages of a step, and those that nobody in the question has. A question without an age has none to compare.
func (c checker) otherAges(step string) (stated, other int) {
	if len(c.ages) == 0 {
		return 0, 0
	}
	for _, a := range agesOf(step) {
		stated++
		if !c.ages[a] {
			other++
		}
	}
	return stated, other
}

// Words of a sex: those that say it of somebody, and those that a step can only mean the patient by.
var (
	maleWord   = regexp.MustCompile(`(?i)\b(?:man|men|male|males|boy|boys|gentleman|he|him|his|himself|father|husband|son|brother|mr)\b`)
	femaleWord = regexp.MustCompile(`(?i)\b(?:woman|women|female|females|girl|girls|lady|she|her|hers|herself|mother|wife|daughter|sister|mrs|ms|pregnant|gravida)\b`)
	saysMale   = regexp.MustCompile(`(?i)\b(?:he|him|his|himself)\b|\b(?:this|the|old)\s+(?:[a-z-]+\s+)?(?:man|boy|gentleman)\b|\bpatient is (?:a )?(?:[\w-]+ ){0,2}(?:man|male|boy)\b`)
	saysFemale = regexp.MustCompile(`(?i)\b(?:she|her|hers|herself)\b|\b(?:this|the|old)\s+(?:[a-z-]+\s+)?(?:woman|girl|lady)\b|\bpatient is (?:a )?(?:[\w-]+ ){0,2}(?:woman|female|girl)\b`)
)

// otherSexes counts whether a step speaks of the patient as one sex, and whether it is the other one. Only a question in which
// nobody has the other sex can be compared.
func (c checker) otherSexes(step string) (stated, other int) {
	if c.male == c.female {
		return 0, 0
	}
	same, opposite := saysMale, saysFemale
	if c.female {
		same, opposite = saysFemale, saysMale
	}
	if same.MatchString(step) {
		stated++
	}
	if opposite.MatchString(step) {
		stated++
		other++
	}
	return stated, other
}

// sided is a side with the word that it is said of, e.g. "left knee", "right lower quadrant".
var sided = regexp.MustCompile(`(?i)\b(left|right)(?:-sided)?\s+((?:upper|lower|middle|anterior|posterior|medial|lateral)\s+)?([a-z]{3,})\b`)

// noPart are words behind "left" or "right" of which neither is a side.
var noPart = map[string]bool{"the": true, "answer": true, "option": true, "choice": true, "now": true, "after": true, "here": true, "untreated": true,
	"with": true, "and": true, "for": true, "from": true, "away": true, "diagnosis": true, "treatment": true, "side": true, "alone": true, "out": true, "one": true, "time": true}

// sidesOf are the sides that a question names parts of the body with.
func sidesOf(asked string) map[string]map[string]bool {
	has := map[string]map[string]bool{}
	for _, m := range sided.FindAllStringSubmatch(asked, -1) {
		side, part := strings.ToLower(m[1]), strings.ToLower(m[2]+m[3])
		if noPart[strings.ToLower(m[3])] {
			continue
		}
		if has[part] == nil {
			has[part] = map[string]bool{}
		}
		has[part][side] = true
	}
	return has
}

// otherSides counts the parts of the body that a step names with a side, of those that the question names with one side
// only, and those that have the other one there.
func (c checker) otherSides(step string) (stated, other int) {
	for _, m := range sided.FindAllStringSubmatch(step, -1) {
		side, part := strings.ToLower(m[1]), strings.ToLower(m[2]+m[3])
		if len(c.sides[part]) != 1 {
			continue
		}
		stated++
		if !c.sides[part][side] {
			other++
		}
	}
	return stated, other
}
