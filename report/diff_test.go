package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func sides(pieces []piece) (before, after string) {
	for _, p := range pieces {
		if p.Kind != inserted {
			before += p.Text
		}
		if p.Kind != deleted {
			after += p.Text
		}
	}
	return before, after
}

func TestDiffRebuildsBothTexts(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([ab]\.? |1,5 |\n){0,12}`))
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "before"), text.Draw(t, "after")
		pieces := diff(a, b)
		if x, y := sides(pieces); x != a || y != b {
			t.Fatalf("%q %q from %v", x, y, pieces)
		}
		for i, p := range pieces {
			if p.Text == "" || i > 0 && p.Kind == pieces[i-1].Kind {
				t.Fatalf("empty or unmerged piece: %v", pieces)
			}
			if a == b && p.Kind != same {
				t.Fatalf("equal texts differ: %v", pieces)
			}
		}
	})
}

func TestDiffReads(t *testing.T) {
	want := []piece{{same, "Potassium is "}, {deleted, "4.5"}, {inserted, "6.5"}, {same, ", the "}, {deleted, "old man"}, {inserted, "young woman"}, {same, " rests."}}
	if d := cmp.Diff(want, diff("Potassium is 4.5, the old man rests.", "Potassium is 6.5, the young woman rests.")); d != "" {
		t.Error(d)
	}
}

func TestDiffIsBounded(t *testing.T) {
	a, b := strings.Repeat("a ", 4000), strings.Repeat("b ", 4000)
	got := diff(a+"x", b+"y")
	if x, y := sides(got); x != a+"x" || y != b+"y" || len(got) != 2 {
		t.Errorf("%d pieces", len(got))
	}
}
