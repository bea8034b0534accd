package index

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestFilterSurvivesTheAddress(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := drawFilter(r)
		f.Label = rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z rapid.StringN(1, 20, 100), 0, 0,=]{1,20}`), 0, 3, rapid.ID[string]).Draw(r, "labels")
		slices.Sort(f.Label)
		f.Text = strings.TrimSpace(rapid.StringMatching(`[a-zA-Z"&=?#% -]{0,30}`).Draw(r, "text"))
		v, err := url.ParseQuery(f.Encode().Encode())
		if err != nil {
			r.Fatal(err)
		}
		back, err := Parse(v)
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(f.Encode(), back.Encode()); diff != "" {
			r.Fatal(diff)
		}
		if back.Any() != (len(v) > 0) {
			r.Fatalf("%v leaves something out: %t", v, back.Any())
		}
	})
}

func TestFilterRefusesNonsense(t *testing.T) {
	many := url.Values{}
	for i := range mostValues + 1 {
		many.Add("op", strings.Repeat("x", i+1))
	}
	for name, v := range map[string]url.Values{
		"unknown size": {"size": {"3"}},
		"unknown word": {"right": {"maybe"}},
		"1,000 bytes":  {"text": {strings.Repeat("x", 1000)}},
		"no UTF-8":     {"op": {"\xff"}},
		"a NUL":        {"candidate": {"a\x00b"}},
		"many values":  many,
	} {
		if _, err := Parse(v); err == nil || len(err.Error()) > 200 {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := Parse(url.Values{"op": {"M2", "", "M2", "F1"}, "r": {"a run"}, "text": {"  fever "}})
	if err != nil || len(f.Operator) != 2 || f.Text != "fever" {
		t.Errorf("%+v %v", f, err)
	}
}
