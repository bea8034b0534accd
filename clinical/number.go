package clinical

import (
	"math/big"
	"strings"
	"unicode/utf8"
)

// maxDigits bounds the digits of a number: a longer run is no answer, and exact arithmetic on it would be slow.
const maxDigits = 40

// figure is a number written in a text.
type figure struct {
	form       string // its canonical form
	start, end int    // with sign, currency and percent sign
}

// CanonicalNumber returns the one form of a number that a text consists of: without grouping, currency, percent sign,
// units and needless zeros, so that "$1,234.50", "1234.5" and "1234.5 dollars." are one answer. What has no finite
// decimal form stays a reduced fraction, "1/3". False when the text is no number, or holds another one besides.
func CanonicalNumber(s string) (string, bool) {
	n, ok := soleNumber(strings.TrimSpace(s))
	if !ok {
		return "", false
	}
	return n.form, true
}

// soleNumber reads a text that is a number, with at most maxUnits words that name its unit.
func soleNumber(s string) (figure, bool) {
	n, ok := numberAt(s, skipOpeners(s, 0, false))
	if !ok {
		return n, false
	}
	i := skipClosers(s, n.end)
	for words := 0; i < len(s) && words < maxUnits; words++ {
		end := unitEnd(s, i)
		if end == i {
			break
		}
		i = skipClosers(s, end)
	}
	if i < len(s) && s[i] == '.' {
		i = skipClosers(s, i+1)
	}
	return n, i >= len(s)
}

// maxUnits is the number of words that a unit may have: "square feet of fabric".
const maxUnits = 4

// unitEnd returns the end of the word of a unit at byte i, or i: letters, and no capital but in an abbreviation, for a
// sentence may begin with a number.
func unitEnd(s string, i int) int {
	i = skipOpeners(s, i, false)
	end := wordEnd(s, i)
	word := s[i:end]
	if word == "" || digitAt(s, i) || word != strings.ToUpper(word) && word[0] >= 'A' && word[0] <= 'Z' {
		return i
	}
	return end
}

// numberAt reads the number that begins at byte i: a sign and a currency, digits in groups of three or none, decimals,
// or a fraction, and what multiplies it ("2 million"). A time, a range, a date, a power and a malformed group
// ("1,23") are none.
func numberAt(text string, i int) (figure, bool) {
	n := figure{start: i}
	negative := false
	for i < len(text) {
		switch size, minus := prefixAt(text, i); {
		case size > 0:
			negative = negative || minus
			i += size
			continue
		}
		break
	}
	value, end, ok := quantityAt(text, i)
	if !ok {
		return figure{}, false
	}
	value, end = scaled(text, value, end)
	if strings.HasPrefix(text[end:], `\%`) {
		end += 2
	} else if end < len(text) && text[end] == '%' {
		end++
	}
	if !endsNumber(text, end) {
		return figure{}, false
	}
	if negative {
		value.Neg(value)
	}
	n.form, n.end = canonical(value), end
	return n, true
}

// prefixAt returns the length of a sign or a currency at byte i, and whether it makes the number negative.
func prefixAt(text string, i int) (size int, minus bool) {
	for _, mark := range [...]string{"-", "−", "–", "+", "$", `\$`, "€", "£", "¥", "₹", "{"} {
		if strings.HasPrefix(text[i:], mark) {
			return len(mark), mark == "-" || mark == "−" || mark == "–"
		}
	}
	return 0, false
}

// quantityAt reads digits, with decimals or as a fraction.
func quantityAt(text string, i int) (*big.Rat, int, bool) {
	for _, command := range [...]string{`\frac{`, `\dfrac{`, `\tfrac{`} {
		if strings.HasPrefix(text[i:], command) {
			return quotient(text, i+len(command), "}{", "}")
		}
	}
	digits, end, ok := digitsAt(text, i)
	if !ok {
		return nil, i, false
	}
	value, ok := new(big.Rat).SetString(digits)
	if !ok {
		return nil, i, false
	}
	whole := !strings.Contains(digits, ".")
	if whole && end < len(text) && text[end] == '/' && digitAt(text, end+1) {
		return quotient(text, i, "/", "")
	}
	if whole && end+1 < len(text) && text[end] == ' ' && digitAt(text, end+1) { // "2 1/2"
		if part, stop, ok := quotient(text, end+1, "/", ""); ok && part.Cmp(big.NewRat(1, 1)) < 0 {
			return value.Add(value, part), stop, true
		}
	}
	return value, end, true
}

// quotient reads two whole numbers with between between them and after behind.
func quotient(text string, i int, between, after string) (*big.Rat, int, bool) {
	above, end, ok := digitsAt(text, i)
	if !ok || !strings.HasPrefix(text[end:], between) {
		return nil, i, false
	}
	below, end, ok := digitsAt(text, end+len(between))
	if !ok || !strings.HasPrefix(text[end:], after) || strings.Trim(below, "0.") == "" {
		return nil, i, false
	}
	value, ok := new(big.Rat).SetString(above)
	divisor, fine := new(big.Rat).SetString(below)
	if !ok || !fine {
		return nil, i, false
	}
	return value.Quo(value, divisor), end + len(after), true
}

// digitsAt reads digits with decimals and returns them without grouping.
func digitsAt(text string, i int) (string, int, bool) {
	start := i
	var b strings.Builder
	for digitAt(text, i) {
		b.WriteByte(text[i])
		i++
	}
	for lead := i - start; lead > 0 && lead <= 3; {
		n := groupMark(text, i)
		if n == 0 || !digitAt(text, i+n) || !digitAt(text, i+n+1) || !digitAt(text, i+n+2) || digitAt(text, i+n+3) {
			break
		}
		b.WriteString(text[i+n : i+n+3])
		i += n + 3
	}
	if i < len(text) && text[i] == '.' && digitAt(text, i+1) {
		if b.Len() == 0 {
			b.WriteByte('0')
		}
		b.WriteByte('.')
		for i++; digitAt(text, i); i++ {
			b.WriteByte(text[i])
		}
	}
	return b.String(), i, i > start && b.Len() <= maxDigits
}

// groupMark returns the length of a mark between groups of three digits.
func groupMark(text string, i int) int {
	for _, mark := range [...]string{",", "{,}", `\,`, "\u202f", "\u2009"} {
		if strings.HasPrefix(text[min(i, len(text)):], mark) {
			return len(mark)
		}
	}
	return 0
}

// scaled multiplies a value by the word that follows it, as in "2 million".
func scaled(text string, value *big.Rat, end int) (*big.Rat, int) {
	if end >= len(text) || text[end] != ' ' {
		return value, end
	}
	stop := wordEnd(text, end+1)
	factor := map[string]int64{"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}[strings.ToLower(text[end+1:stop])]
	if factor == 0 {
		return value, end
	}
	return value.Mul(value, big.NewRat(factor, 1)), stop
}

// endsNumber reports whether a number may end at byte i. A unit may follow at once: "18cm".
func endsNumber(text string, i int) bool {
	if i >= len(text) {
		return true
	}
	switch c := text[i]; c {
	case ',', ':', '/', '.', '\'':
		return !digitAt(text, i+1)
	case '^':
		return false
	case 'e', 'E', 'x', 'X', 'k', 'K':
		return letterAt(text, i+1)
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return r != '×' && !digitAt(text, i)
}

// canonical writes a value as a decimal where that is finite, else as a reduced fraction.
func canonical(v *big.Rat) string {
	if v.IsInt() {
		return v.Num().String()
	}
	places, exact := v.FloatPrec()
	if !exact {
		return v.RatString()
	}
	return v.FloatString(places)
}
