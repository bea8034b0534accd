package annotate

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss/review/blind"
)

// The order holds every item once, is that of package and rater alone, and keeps repeats a third of the list apart.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "items")
		pairs := rapid.IntRange(0, n).Draw(t, "repeats")
		p := blind.Package{ID: rapid.StringMatching("[0-9a-f]{4}").Draw(t, "package")}
		for i := range n + pairs {
			p.Items = append(p.Items, blind.Item{ID: fmt.Sprintf("i%d", i), Parts: []blind.Part{{Show: blind.ShowText, Text: fmt.Sprint(i % n)}}})
		}
		rater := rapid.String().Draw(t, "rater")
		got := Order(p, rater)
		if !slices.Equal(got, Order(p, rater)) {
			t.Fatal("asked again it is another order")
		}
		slices.Reverse(p.Items)
		if !slices.Equal(got, Order(p, rater)) {
			t.Fatal("the order of the file shows")
		}
		seen, last := map[string]bool{}, map[string]int{}
		for i, id := range got {
			text := p.Item(id).Parts[0].Text
			if at, twice := last[text]; seen[id] || twice && 3*(i-at) < n+pairs {
				t.Fatalf("%s at %d of %d, seen: %v, a repeat of %d", id, i, n+pairs, seen[id], at)
			}
			seen[id], last[text] = true, i
		}
		if len(got) != n+pairs {
			t.Fatalf("%d of %d items", len(got), n+pairs)
		}
	})
}

func TestOrderDiffersByRater(t *testing.T) {
	p := blind.Package{ID: "a"}
	for i := range 12 {
		p.Items = append(p.Items, blind.Item{ID: fmt.Sprint(i), Parts: []blind.Part{{Show: blind.ShowText, Text: fmt.Sprint(i)}}})
	}
	first := map[string]bool{}
	for r := range 40 {
		first[Order(p, fmt.Sprint("r", r))[0]] = true
	}
	if len(first) < 8 {
		t.Errorf("of 12 items %d come first for 40 raters", len(first))
	}
}
