package step

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
)

// number is a number of a text.
type number struct {
	value    float64
	decimals int // as it is written
	percent  bool
}

// small reports whether it is a whole number up to ten, which counts things rather than measures them.
func (n number) small() bool {
	return n.value <= 10 && n.value == math.Trunc(n.value) && n.decimals == 0
}

// numeral is a number as prose has it: digits with commas between thousands, a decimal point.
const numeral = `\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+`

// standing finds numbers that are no part of a word or a code ("B12", "CD4").
var standing = regexp.MustCompile(`(^|[^\w.,])(` + numeral + `)(\s?%)?`)

// numbersOf are the numbers of a text.
func numbersOf(text string) []number {
	var out []number
	for at := 0; at < len(text); {
		m := standing.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		if n, ok := parseNumber(text[at+m[4] : at+m[5]]); ok {
			n.percent = m[6] >= 0
			out = append(out, n)
		}
		at += m[5]
	}
	return out
}

// parseNumber reads a numeral.
func parseNumber(s string) (number, bool) {
	s = strings.ReplaceAll(s, ",", "")
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(v, 0) {
		return number{}, false
	}
	n := number{value: v}
	if i := strings.IndexByte(s, '.'); i >= 0 {
		n.decimals = len(s) - i - 1
	}
	return n, true
}

// knownNumbers are the numbers of a text, by value.
func knownNumbers(text string) map[float64]bool {
	out := map[float64]bool{}
	for _, n := range numbersOf(flattened(text)) {
		out[n.value] = true
	}
	return out
}

// sum is a calculation with the result that a step gives it.
type sum struct {
	exact  float64
	result number         // the first number behind "is"
	whole  percuss.Number // the calculation that follows there, worked out; missing: there is none
	rough  bool           // the result is said to be about right
}

// right reports whether the result is what the calculation gives, to half a unit of its last digit, or to a twentieth where it
// is said to be rough. Where another calculation follows, it may be the result, too, or go on from it: "2 + 3 = 4 + 1",
// "2 * 3 = 6 * 4 = 24".
func (s sum) right() bool {
	near := func(v, tolerance float64) bool {
		if s.rough {
			tolerance = max(tolerance, 0.05*math.Abs(s.exact))
		}
		return math.Abs(s.exact-v) <= tolerance+1e-9*math.Abs(s.exact)
	}
	if near(s.result.value, 0.5*math.Pow(10, -float64(s.result.decimals))) {
		return true
	}
	v, ok := s.whole.Get()
	return ok && near(v, 0.005*math.Abs(s.exact))
}

// What a calculation is made of: numbers that a unit may follow, operations as signs or words, and a word for "is".
const (
	unit      = `(?:\s?%|\s?(?:[a-zA-Zµμ°]{1,10}(?:/[a-zA-Z]{1,6}){0,2}))?`
	operation = `\s*(?:\*|/|\+|-|\^|x|times|multiplied by|divided by|plus|minus|over)\s*`
	is        = `\s*(=|≈|equals|is about|is approximately|is|gives|makes)\s*(about|approximately|roughly|≈)?\s*`
)

var (
	calculation = regexp.MustCompile(`(?:^|[^\w.,*/+^-])((?:` + numeral + `)` + unit + `(?:` + operation + `(?:` + numeral + `)` + unit + `){1,6})` + is +
		`(-?(?:` + numeral + `))((?:` + unit + operation + `(?:` + numeral + `)){0,6})`)
	term      = regexp.MustCompile(`^\s*(` + numeral + `)(\s?%)?`)
	signs     = regexp.MustCompile(`\*|/|\+|-|\^|\bx\b|times|multiplied by|divided by|plus|minus|over`)
	percentOf = regexp.MustCompile(`(` + numeral + `)\s?%\s+of\s+(` + numeral + `)` + unit + is + `(` + numeral + `)`)
)

// sumsOf are the calculations of a flattened step that have a result.
func sumsOf(text string) []sum {
	var out []sum
	for at := 0; at < len(text); {
		m := calculation.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		part := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[at+m[2*i] : at+m[2*i+1]]
		}
		if s, ok := newSum(part(1), part(2), part(3), part(4), part(5)); ok && alone(text[:at+m[2]], text[at+m[1]:]) {
			out = append(out, s)
		}
		at += m[8] // the result may begin the next one
	}
	for _, m := range percentOf.FindAllStringSubmatch(text, -1) {
		share, ok := parseNumber(m[1])
		whole, fine := parseNumber(m[2])
		result, read := parseNumber(m[5])
		if ok && fine && read {
			out = append(out, sum{exact: share.value / 100 * whole.value, result: result, rough: roughly(m[3], m[4])})
		}
	}
	return out
}

// What may not stand around a calculation, because it is then a part of another one, or its result a range.
var (
	goesBefore = regexp.MustCompile(`[*/+^±(√-]\s*$|(?i)(?:times|plus|minus|over|by|sqrt|log|ln)\s*\(?$`)
	goesOn     = regexp.MustCompile(`^\s?(?:%|[a-zA-Z]{1,6})?\s*(?:to\s+\d|±|\+/-|[*/+^]|-\s*\d|\()`)
)

// nearby is how much of the text before a calculation can be part of it, in bytes: an operation and the blanks behind it.
const nearby = 100

// alone reports whether what was found between two texts is a whole calculation.
func alone(before, after string) bool {
	return !goesBefore.MatchString(before[max(0, len(before)-nearby):]) && !goesOn.MatchString(after)
}

// newSum works a calculation out.
func newSum(expression, word, about, stated, more string) (sum, bool) {
	exact, ok := evaluate(expression)
	result, read := parseNumber(strings.TrimPrefix(stated, "-"))
	if !ok || !read {
		return sum{}, false
	}
	if strings.HasPrefix(stated, "-") {
		result.value = -result.value
	}
	out := sum{exact: exact, result: result, rough: roughly(word, about)}
	if more != "" {
		if v, ok := evaluate(strings.TrimPrefix(stated, "-") + more); ok && stated[0] != '-' {
			out.whole = percuss.Num(v)
		}
	}
	return out, true
}

// roughly reports whether a word for "is" says that the result is not exact.
func roughly(word, about string) bool {
	return about != "" || word == "≈" || strings.HasPrefix(word, "is a")
}

// evaluate works out numbers and operations: powers first, then products and quotients, then sums and differences, each from
// the left. false: a division by zero, or a result that is no number.
func evaluate(expression string) (float64, bool) {
	var values []float64
	var ops []string
	for rest := expression; ; {
		m := term.FindStringSubmatchIndex(rest)
		if m == nil {
			return 0, false
		}
		n, ok := parseNumber(rest[m[2]:m[3]])
		if !ok {
			return 0, false
		}
		values = append(values, n.value)
		rest = rest[m[1]:]
		at := signs.FindStringIndex(afterUnit(rest))
		if at == nil {
			break
		}
		rest = afterUnit(rest)
		ops = append(ops, rest[at[0]:at[1]])
		rest = rest[at[1]:]
	}
	for _, level := range [][]string{{"^"}, {"*", "x", "times", "multiplied by", "/", "divided by", "over"}, {"+", "plus", "-", "minus"}} {
		values, ops = fold(values, ops, level)
	}
	v := values[0]
	return v, len(values) == 1 && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// leadingUnit is a unit right behind a number, whose slash is no division.
var leadingUnit = regexp.MustCompile(`^\s?(?:%|[a-zA-Zµμ°]{1,10}(?:/[a-zA-Z]{1,6}){0,2})`)

// afterUnit is a text without the unit that it begins with. A word for an operation is no unit.
func afterUnit(rest string) string {
	m := leadingUnit.FindString(rest)
	switch strings.TrimSpace(m) {
	case "x", "times", "multiplied", "divided", "plus", "minus", "over":
		return rest
	}
	return rest[len(m):]
}

// fold works out the operations of one level from the left.
func fold(values []float64, ops, level []string) ([]float64, []string) {
	out, kept := []float64{values[0]}, []string{}
	for i, op := range ops {
		in := false
		for _, l := range level {
			in = in || l == op
		}
		if !in {
			out, kept = append(out, values[i+1]), append(kept, op)
			continue
		}
		a, b := out[len(out)-1], values[i+1]
		switch op {
		case "^":
			a = math.Pow(a, b)
		case "*", "x", "times", "multiplied by":
			a *= b
		case "/", "divided by", "over":
			a /= b
		case "+", "plus":
			a += b
		default:
			a -= b
		}
		out[len(out)-1] = a
	}
	return out, kept
}
