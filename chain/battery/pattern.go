package battery

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// Which matches of a user's expression are replaced.
const (
	firstMatch = "first"
	allMatches = "all"
)

// replacePattern is a user's own edit: what a regular expression matches becomes what a template says. Matches are
// those of the original text, in one pass.
func replacePattern(p parameters) editor {
	re, err := compiled(p)
	if err != nil { // checked when the file was read
		return func(string, pick) Edit { return notFired(err.Error()) }
	}
	return rewriting(func(text string, _ pick) found {
		var f found
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			at := span{Start: m[0], End: m[1]}
			if at.Start == at.End || p.WholeWords && !(borderAt(text, at.Start) && borderAt(text, at.End)) {
				continue
			}
			to := string(re.ExpandString(nil, p.To, text, m))
			if p.IgnoreCase {
				to = cased(at.In(text), to)
			}
			if to == at.In(text) {
				continue
			}
			if to == "" && strings.HasSuffix(text[:at.Start], " ") && strings.HasPrefix(text[at.End:], " ") {
				at.End++ // what is removed takes one of the spaces around it along
			}
			f.changes = append(f.changes, change{at, to})
			for _, t := range p.Tokens {
				f.tokens = listed(f.tokens, strings.ToLower(string(re.ExpandString(nil, t, text, m))))
			}
			if p.Which != allMatches {
				break
			}
		}
		if len(f.changes) == 0 {
			return refused("the expression matches nothing that it would change")
		}
		return f
	})
}

// cased is sameCase for what may be empty.
func cased(old, new string) string {
	if new == "" {
		return new
	}
	return sameCase(old, new)
}

func compiled(p parameters) (*regexp.Regexp, error) {
	expr := p.Find
	if p.IgnoreCase {
		expr = "(?i)" + expr
	}
	return regexp.Compile(expr)
}

// lookAround finds what other dialects of regular expressions have and this one has not.
var lookAround = regexp.MustCompile(`\(\?(?:=|!|<=|<!|>)|\\[1-9]`)

// checkPattern looks at a user's expression and its replacement.
func checkPattern(p parameters) error {
	re, err := compiled(p)
	if err != nil {
		if lookAround.MatchString(p.Find) {
			return fmt.Errorf("find %q: Go's expressions (RE2) have no look-ahead, look-behind or back-reference; match the words around it in a group and write them back with $1", p.Find)
		}
		return fmt.Errorf("find %q does not compile: %w; the syntax is that of Go (RE2)", p.Find, err)
	}
	tree, err := syntax.Parse(p.Find, syntax.Perl)
	if err == nil && mayBeEmpty(tree) {
		return fmt.Errorf("find %q matches the empty string, so it would match everywhere; ask for one letter at least", p.Find)
	}
	if p.Which != "" && p.Which != firstMatch && p.Which != allMatches {
		return fmt.Errorf("which is %q; write first or all", p.Which)
	}
	for _, template := range append([]string{p.To}, p.Tokens...) {
		if err := checkTemplate(template, re); err != nil {
			return err
		}
	}
	literal := regexp.QuoteMeta(p.Find) == p.Find
	if whole := strings.ReplaceAll(p.To, "${0}", "$0"); whole == "$0" || literal && (p.To == p.Find || p.IgnoreCase && strings.EqualFold(p.To, p.Find)) {
		return fmt.Errorf("%q is replaced by itself; give another replacement with to", p.Find)
	}
	return checkTokens(p)
}

// checkTokens makes sure that the replacement can bring every token.
func checkTokens(p parameters) error {
	to := braced(p.To)
	for _, t := range p.Tokens {
		if strings.TrimSpace(t) == "" {
			return errors.New("an empty token; take it out")
		}
		if !strings.Contains(strings.ToLower(to), strings.ToLower(braced(t))) {
			return fmt.Errorf("token %q does not stand in the replacement %q, so no edit would bring it; name words of the replacement", t, p.To)
		}
	}
	return nil
}

// groupReference is a place of a template where a group goes: $1, $name, ${name}, or $$ for the sign itself.
var groupReference = regexp.MustCompile(`\$(?:\$|(\w+)|\{(\w+)\})?`)

// braced writes every reference in one form.
func braced(template string) string {
	return groupReference.ReplaceAllStringFunc(template, func(s string) string {
		if name := strings.Trim(s, "${}"); name != "" {
			return "${" + name + "}"
		}
		return s
	})
}

// checkTemplate makes sure that the groups of a template are there.
func checkTemplate(template string, re *regexp.Regexp) error {
	for _, m := range groupReference.FindAllStringSubmatch(template, -1) {
		name := m[1] + m[2]
		switch {
		case m[0] == "$$":
		case name == "":
			return fmt.Errorf("%q has a $ that names no group; write $1, or $$ for the sign itself", template)
		case strings.Trim(name, "0123456789") == "":
			if n := strings.TrimLeft(name, "0"); len(n) > 3 || number0(n) > re.NumSubexp() {
				return fmt.Errorf("%q refers to group %s, but the expression has %d; put what is to be kept in brackets", template, name, re.NumSubexp())
			}
		case !slices.Contains(re.SubexpNames(), name):
			return fmt.Errorf("%q refers to a group named %q, which is not there; before a letter or digit write ${1}, not $1", template, name)
		}
	}
	return nil
}

// number0 reads digits; no digits are 0.
func number0(digits string) int {
	n := 0
	for _, d := range digits {
		n = n*10 + int(d-'0')
	}
	return n
}

// mayBeEmpty reports whether an expression matches the empty string somewhere.
func mayBeEmpty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune) == 0
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpNoMatch:
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return mayBeEmpty(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min == 0 || mayBeEmpty(re.Sub[0])
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(s *syntax.Regexp) bool { return !mayBeEmpty(s) })
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, mayBeEmpty)
	default: // star, quest, borders, the empty expression
		return true
	}
}
