package battery

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOperands(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"fever and chills", []string{"fever|chills"}},
		{"He has fever and chills.", []string{"He has fever|chills"}},
		{"Fever and fever, rash and pain", []string{"rash|pain"}}, // equal operands are passed over
		{"fever, and chills and rash", []string{"chills|rash"}},   // no phrase begins with and
		{"one two three four five six and seven", []string{}},     // six words
		{"one two three four five and seven", []string{"one two three four five|seven"}},
		{"a and b and c", []string{"a and b|c"}},         // the first phrase is greedy
		{"salt and b and (c)", []string{"salt|b"}},       // a dangling and stays out
		{"hand android sand", []string{}},                // no joint
		{"android and robot", []string{"android|robot"}}, // a word that begins with and
		{"x AND y", []string{}},                          // small letters, as published
		{"low-grade fever and well-being", []string{"low-grade fever|well-being"}},
		{"the child's fever and cough", []string{"fever|cough"}},                     // never from inside a possessive
		{"2.1 and 2.2 mm", []string{}},                                               // never part of a number
		{"pain and hypertensive-cardiovascularlongword-renalfailures x", []string{}}, // its first word alone is too long for the limit
		{"crise fébrile and toux sévère", []string{"crise fébrile|toux sévère"}},
		{"nausea and vomiting with very longstanding gastrointestinal disease",
			[]string{"nausea|vomiting with very longstanding"}}, // cut at the last whole word within the limit
		{"line one\nand\nline two", []string{"line one|line two"}},
	} {
		got := []string{}
		for _, p := range operands(c.text, 5) {
			got = append(got, p[0].In(c.text)+"|"+p[1].In(c.text))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestVariantBAvoidsTheOccurrenceOfA(t *testing.T) {
	b := mustParse(t, "F7")
	two, single := "fever and chills. Salt and pepper. Left and right.", "fever and chills"
	seen := map[string]bool{}
	for i := range 100 {
		item := fmt.Sprint(i)
		x, y := b.Operators[0].Apply(two, 1, item), b.Operators[1].Apply(two, 1, item)
		if x.Text == y.Text {
			t.Fatalf("item %s: both variants swap %q", item, x.Old)
		}
		seen[y.Old] = true
		if x, y := b.Operators[0].Apply(single, 1, item), b.Operators[1].Apply(single, 1, item); x.Text != y.Text || !y.Fired {
			t.Fatalf("one occurrence only: %q and %q", x.Text, y.Text)
		}
	}
	if len(seen) != 3 {
		t.Errorf("variant b chose among %d occurrences, want all 3", len(seen))
	}
}
