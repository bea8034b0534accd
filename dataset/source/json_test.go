package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestElements(t *testing.T) {
	tests := map[string][]string{
		"{\"a\": 1,\n \"b\": {\n\"c\": 2},\n\"d\":\n3}": {"1 a 1", "2 b {\n\"c\": 2}", "4 d 3"},
		"[1,\n\n{\"x\":\n1},\n\"y\"]":                   {"1  1", "3  {\"x\":\n1}", "5  \"y\""},
		"\ufeff{\r\n\"a\": 1}\r\n":                      {"2 a 1"},
		"{\"a\": \"caf\xe9\",\n\"b\": 2}":               {"1 bad", "2 b 2"},
		"{\"a\": 1, \"a\": 2}":                          {"1 a 1", "1 a 2"},
		"{}":                                            nil,
		"[" + strings.Repeat("1,\n", 50_000) + "\n\n\"last\" ]": nil, // looked at below
	}
	for in, want := range tests {
		var got []string
		for r, err := range Elements(strings.NewReader(in), "x.json") {
			if err != nil {
				t.Errorf("%.40q: %v", in, err)
				break
			}
			s := fmt.Sprintf("%d %s %s", r.Source.Line, r.Value.Key, r.Value.Value)
			if r.Bad != nil {
				s = fmt.Sprintf("%d bad", r.Source.Line)
			}
			got = append(got, s)
		}
		if len(got) > 100 {
			got, want = got[len(got)-1:], []string{`50003  "last"`}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.40q: got %q, want %q", in, got, want)
		}
	}
}

func TestElementsErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "not JSON from line 1 on: unexpected EOF",
		"3":                       "neither a JSON array nor an object",
		"{\"a\": 1,\n\"b\": 2":    "not JSON from line 2 on",
		"{\"a\": 1,\n\"b\" 2}":    "not JSON from line 2 on",
		"{\"a\": 1}\n{\"b\": 2}":  "line 2: text after the end",
		"\xff\xfe{\x00}\x00":      "UTF-16",
		"[1,\n2,\n{\"a\": nope}]": "not JSON from line ",
	} {
		var last error
		for _, err := range Elements(strings.NewReader(in), "x.json") {
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), want) {
			t.Errorf("%q: got %v, want %q", in, last, want)
		}
	}
	for range Elements(strings.NewReader("[1,2]"), "x") { // left early
		break
	}
}
