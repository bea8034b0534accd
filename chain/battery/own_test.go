package battery

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// own is a battery file with one operator of a user's, whose edit is given.
func own(edit string) string {
	return "extends: [paper]\noperators:\n  - family: X\n    title: t\n    does: d\n    block: M\n    intent: D\n    locus: Sur\n    source: ours\n" +
		"    version: X/1\n    edit: regexp\n" + edit + "    variants:\n      - {id: X-a, variant: a}\n"
}

// oneOf is the operator X-a of such a file.
func oneOf(t *testing.T, edit string) Operator {
	t.Helper()
	b, err := Load(strings.NewReader(own(edit)), "own.yaml", "X")
	if err != nil {
		t.Fatalf("%s: %v", edit, err)
	}
	return b.Operators[0]
}

func TestOwnExpressions(t *testing.T) {
	for _, c := range []struct{ edit, text, want string }{
		{"    find: mild\n    to: severe\n", "mild pain, mild cough", "severe pain, mild cough"},
		{"    find: mild\n    to: severe\n    which: all\n", "mild pain, mild cough", "severe pain, severe cough"},
		{"    find: mild\n    to: severe\n    ignore_case: true\n", "Mild pain", "Severe pain"},
		{"    find: mild\n    to: severe\n", "Mild pain", ""},
		{"    find: '(\\d+) mg'\n    to: '${1}0 mg'\n", "5 mg and 7 mg", "50 mg and 7 mg"},
		{"    find: '(?P<n>\\d+) kg'\n    to: '$n pounds for $$1'\n", "70 kg", "70 pounds for $1"},
		{"    find: a|b\n    to: b\n    which: all\n", "a b c", "b b c"}, // one pass: what is written is not read again
		{"    find: 'a(b?)'\n    to: 'b$1'\n    which: all\n", "a ab", "b bb"},
		{"    find: 'very '\n", "a very good day", "a good day"},
		{"    find: very\n", "a very good day", "a good day"}, // no doubled space is left
		{"    find: fat\n    to: thin\n    which: all\n    whole_words: true\n", "fatéd éfat fat. fats fat-free", "fatéd éfat thin. fats thin-free"},
		{"    find: '\\bfat\\b'\n    to: thin\n", "fatéd", "thinéd"}, // \b knows ASCII only
		{"    find: nothing\n    to: x\n", "text", ""},
		{"    find: '(b)?a'\n    to: '$1'\n", "cat", "ct"},
	} {
		o := oneOf(t, c.edit)
		e := o.Apply(c.text, 1, "item")
		if e.Text != c.want || e.Fired != (c.want != "") || !e.Fired && e.Why == "" {
			t.Errorf("%q on %q: %q (%s), want %q", c.edit, c.text, e.Text, e.Why, c.want)
		}
		if o.Registering() {
			t.Errorf("%q has no tokens and registers", c.edit)
		}
	}
}

func TestOwnTokens(t *testing.T) {
	o := oneOf(t, "    find: '(\\d+) years'\n    to: '${1}0 months'\n    which: all\n    tokens: ['${1}0', months]\n    registers: {inflected: {months: [monthly]}}\n")
	e := o.Apply("2 years, 5 years", 1, "item")
	if !o.Registering() || !slices.Equal(e.Tokens, []string{"20", "months", "50"}) {
		t.Fatalf("registering %t, tokens %q", o.Registering(), e.Tokens)
	}
	for chain, want := range map[string][2]bool{"after 50 days": {true, true}, "monthly": {false, true}, "in 5 days": {false, false}} {
		if token, inflected, ok := o.Registers(e, chain); !ok || token != want[0] || inflected != want[1] {
			t.Errorf("%q: %t, %t, %t", chain, token, inflected, ok)
		}
	}
}

func TestBadOwnExpressionsAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ edit, want string }{
		"syntax":         {"    find: 'a('\n    to: b\n", "does not compile"},
		"look-ahead":     {"    find: 'a(?=b)'\n    to: b\n", "no look-ahead"},
		"look-behind":    {"    find: '(?<!no )a'\n    to: b\n", "write them back with $1"},
		"back-reference": {"    find: '(a)\\1'\n    to: b\n", "back-reference"},
		"empty star":     {"    find: 'a*'\n    to: b\n", "matches the empty string"},
		"empty border":   {"    find: '\\b'\n    to: b\n", "matches the empty string"},
		"empty choice":   {"    find: 'a|'\n    to: b\n", "matches the empty string"},
		"no find":        {"    to: b\n", "needs find"},
		"no group":       {"    find: a\n    to: '$1'\n", "group 1, but the expression has 0"},
		"run together":   {"    find: '(a)'\n    to: '$1x'\n", "write ${1}"},
		"lone sign":      {"    find: a\n    to: 'b $'\n", "$$ for the sign itself"},
		"huge group":     {"    find: a\n    to: '$99999999999999999999'\n", "the expression has 0"},
		"itself":         {"    find: acute\n    to: acute\n", "by itself"},
		"itself, cased":  {"    find: acute\n    to: Acute\n    ignore_case: true\n", "by itself"},
		"whole match":    {"    find: 'a+'\n    to: '${0}'\n", "by itself"},
		"which":          {"    find: a\n    to: b\n    which: last\n", "write first or all"},
		"foreign token":  {"    find: a\n    to: bee\n    tokens: [wasp]\n", "no edit would bring it"},
		"empty token":    {"    find: a\n    to: b\n    tokens: [\" \"]\n", "empty token"},
		"token's group":  {"    find: a\n    to: b\n    tokens: [$2]\n", "group 2"},
		"foreign field":  {"    find: a\n    to: b\n    keep: 20\n", "does not use keep"},
		"unknown field":  {"    finds: a\n", "unknown field"},
	} {
		_, err := Load(strings.NewReader(own(c.edit)), "own.yaml", "X")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "own.yaml, line 1") {
			t.Errorf("%s: error %v, want %q with its line", name, err, c.want)
		}
	}
}

func TestExtendedFilesAreChecked(t *testing.T) {
	good := own("    find: a\n    to: b\n")
	for change, want := range map[string]string{
		"id: X-a|id: F1-50":                                `own.yaml, line 15: id "F1-50" is reserved for the built-in operator`,
		"id: X-a|id: base":                                 "reserved: the audit's own trials",
		"id: X-a|id: X/a":                                  "ids with a slash",
		"family: X|family: M2":                             "choose another name for the family",
		"id: X-a|id: M2":                                   "family or operator of a battery",
		"title: t|does: e":                                 "", // a field twice
		"intent: D|intent: P":                              "OK",
		"    intent: D\n|":                                 "write D (destructive)",
		"extends: [paper]|extends: [all]":                  "there are paper, api, extended",
		"    source: ours\n|":                              "must all be given",
		"block: M|block: F":                                "OK",
		"to: b\n|to: b\n    tokens: [b]\n":                 "OK",
		"extends: [paper]|extends: [paper, extended, api]": "OK",
		"extends: [paper]|extends: [paper]\nbatteries: {paper: [X]}":        "built in and extended",
		"extends: [paper]|extends: [paper]\nbatteries: {mine: [X, M2-sex]}": "OK",
		"block: M|block: F\n    tokens: [b]":                                "take them out of block F",
	} {
		old, new, _ := strings.Cut(change, "|")
		text := strings.Replace(good, old, new, 1)
		if text == good {
			t.Fatalf("%q is not in the file", old)
		}
		_, err := Load(strings.NewReader(text), "own.yaml", "X")
		switch {
		case want == "OK" && err != nil, want != "OK" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", change, err, want)
		}
	}
	b, err := Load(strings.NewReader(strings.Replace(good, "extends: [paper]", "extends: [extended, paper]\nbatteries: {mine: [X, M2-sex]}", 1)), "own.yaml", "families+mine+M-dose")
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(b); !strings.HasSuffix(got, "M6-a M-dose-a X-a") && !strings.HasPrefix(got, "M-dose-a ") || !strings.Contains(got, "M2-age-a M2-sex") {
		t.Errorf("operators %s", got)
	}
	if _, err := Load(strings.NewReader(strings.Replace(good, "extends: [paper]\n", "", 1)), "own.yaml", "paper"); err == nil {
		t.Error("a file that extends nothing has no battery paper")
	}
}

// A template and a text of any kind never panic, and an accepted operator changes what it says it changes.
func TestOwnExpressionsNeverPanic(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "b", "é", "(", ")", "*", "+", "?", "|", "\\b", "\\d", "[ab]", ".", "$1", "${1}", "$", "{2}", "^", "(?i)"})
	rapid.Check(t, func(t *rapid.T) {
		find := strings.Join(rapid.SliceOfN(part, 1, 6).Draw(t, "find"), "")
		p := parameters{Find: find, To: strings.Join(rapid.SliceOfN(part, 0, 4).Draw(t, "to"), ""),
			Which: rapid.SampledFrom([]string{"", "all"}).Draw(t, "which"), IgnoreCase: rapid.Bool().Draw(t, "case"), WholeWords: rapid.Bool().Draw(t, "words")}
		if checkPattern(p) != nil {
			t.Skip()
		}
		text := rapid.StringOf(rapid.RuneFrom([]rune("abé 1A.\n"))).Draw(t, "text")
		e := replacePattern(p)(text, pick{})
		if e.Fired == (e.Why != "") || e.Fired && e.Text == text || !e.Fired && e.Text != "" {
			t.Fatalf("%+v on %q: %+v", p, text, e)
		}
	})
}

// A damaged file is an error or another file, never a panic.
func TestDamagedFilesNeverPanic(t *testing.T) {
	whole := own("    find: '(a)'\n    to: b$1\n    tokens: [b]\n    lists: {x: [y]}\n    brackets: [{below: 3, to: [4]}]\n")
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(0, len(whole)).Draw(t, "from")
		to := rapid.IntRange(from, min(len(whole), from+30)).Draw(t, "to")
		text := whole[:from] + rapid.SampledFrom([]string{"", "x", ": ", "[", "\n", "- ", "'", "9"}).Draw(t, "with") + whole[to:]
		if b, err := Load(strings.NewReader(text), "own.yaml", "X"); err == nil && len(b.Operators) == 0 {
			t.Fatalf("no error and no operator: %q", text)
		}
	})
}
