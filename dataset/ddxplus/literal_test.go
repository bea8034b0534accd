package ddxplus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTexts(t *testing.T) {
	good := map[string][]string{
		`['E_1', 'E_2_@_V_3', 'E_2_@_V_7', 'E_5_@_4']`: {"E_1", "E_2_@_V_3", "E_2_@_V_7", "E_5_@_4"},
		`[]`:                                   nil,
		" [ 'a' ,\n\t'b', ] ":                  {"a", "b"},
		`["Chagas' disease"]`:                  {"Chagas' disease"},
		`['it\'s "so"']`:                       {`it's "so"`},
		`['a\\b', 'c\nd\te\r']`:                {`a\b`, "c\nd\te\r"},
		`['Barr\xe9', '\u00e9', '\U0001F600']`: {"Barré", "é", "😀"},
		`['\d', 'Guillain-Barré']`:             {`\d`, "Guillain-Barré"},
		`['']`:                                 {""},
	}
	for in, want := range good {
		if got, err := texts(in); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", in, got, err, want)
		}
	}
	bad := map[string]string{
		``:             "character 1: [ expected",
		`'a'`:          "character 1: [ expected",
		`[`:            "character 2: a text in quotes expected",
		`['a'`:         "character 5: , or ] expected",
		`['a' 'b']`:    "character 6: , or ] expected",
		`['é', b]`:     "character 7: a text in quotes expected",
		`['a]`:         "the closing quote sign",
		`['a']x`:       "character 6: the end expected",
		`[,]`:          "a text in quotes",
		`['\x4']`:      errEscape.Error(),
		`['\uD800']`:   errEscape.Error(),
		`['\UFFFFFFFF`: errEscape.Error(),
		`['\`:          errEscape.Error(),
		`[1]`:          "a text in quotes",
	}
	for in, want := range bad {
		if got, err := texts(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestPairs(t *testing.T) {
	got, err := pairs(`[['Croup', 0.25], ["Chagas' disease", 1e-05], ['x', 1]]`)
	if want := []weighted{{"Croup", 0.25}, {"Chagas' disease", 1e-5}, {"x", 1}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for in, want := range map[string]string{
		`[['a']]`:         "a name and a number",
		`[[]]`:            "a name and a number",
		`[['a', 1, 2]]`:   "the end of a pair",
		`[['a', 1.5]]`:    "character 8: a probability from 0 to 1",
		`[['a', -0.1]]`:   "a probability from 0 to 1",
		`[['a', nan]]`:    "a probability from 0 to 1",
		`[['a', 'b']]`:    "a probability from 0 to 1",
		`[[1, 'a']]`:      "a text in quotes",
		`['a', 0.1]`:      "[ expected",
		`[['a', 0.1]`:     ", or ] expected",
		`[['a', 0.1]] []`: "the end expected",
	} {
		if got, err := pairs(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", in, got, err, want)
		}
	}
}

// printed writes a text as Python's repr does: single quotes unless the text holds one and no double one.
func printed(s string) string {
	quote := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = `"`
	}
	escape := []string{`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\u00a0", `\xa0`, "\u2028", `\u2028`}
	if quote == "'" {
		escape = append(escape, "'", `\'`)
	}
	return quote + strings.NewReplacer(escape...).Replace(s) + quote
}

// What Python prints is read back.
func TestLiteralProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOf(rapid.StringMatching(`[a-zé'"\\\n\t\x{a0}\x{2028}\[\], 😀]{0,9}`)).Draw(t, "names")
		var list, both []string
		var want []weighted
		for _, n := range names {
			p := rapid.Float64Range(0, 1).Draw(t, "p")
			want = append(want, weighted{n, p})
			list, both = append(list, printed(n)), append(both, fmt.Sprintf("[%s, %v]", printed(n), p))
		}
		in := "[" + strings.Join(list, ", ") + "]"
		if got, err := texts(in); err != nil || !slices.Equal(got, names) {
			t.Fatalf("%s: %q, %v", in, got, err)
		}
		in = "[" + strings.Join(both, ", ") + "]"
		if got, err := pairs(in); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s: %v, %v", in, got, err)
		}
	})
}

// No text makes the reader fall over, and one that is read holds what stands in it.
func FuzzLiteral(f *testing.F) {
	for _, s := range []string{`['E_1', "b"]`, `[['Croup', 0.25]]`, `['\`, `[['a', 1e`, "['\\u00e9']"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := texts(s); err == nil && len(strings.Join(got, "")) > 3*len(s) {
			t.Errorf("%q: %q", s, got)
		}
		if got, err := pairs(s); err == nil && len(got) > len(s) {
			t.Errorf("%q: %v", s, got)
		}
	})
}
