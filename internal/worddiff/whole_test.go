package worddiff

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWhole(t *testing.T) {
	const chain = "Step 1: He has a fever.\nStep 2: So it is one.\nStep 3: Thus B."
	for _, c := range []struct {
		name, before, after string
		want                []Piece
	}{
		{"a line in the middle", chain, "Step 1: He has a fever.\nStep 3: Thus B.", []Piece{{Same, "Step 1: He has a fever.\n"}, {Deleted, "Step 2: So it is one.\n"}, {Same, "Step 3: Thus B."}}},
		{"the first line", chain, "Step 2: So it is one.\nStep 3: Thus B.", []Piece{{Deleted, "Step 1: He has a fever.\n"}, {Same, "Step 2: So it is one.\nStep 3: Thus B."}}},
		{"a sentence that was added", "He has a cough. He smokes.", "He has a cough. He has a fever. He smokes.", []Piece{{Same, "He has a cough. "}, {Inserted, "He has a fever. "}, {Same, "He smokes."}}},
		{"a word", "He is not allergic.", "He is allergic.", []Piece{{Same, "He is "}, {Deleted, "not "}, {Same, "allergic."}}},
		{"a replacement stays", "A b. A c.", "A b. A d.", []Piece{{Same, "A b. A "}, {Deleted, "c"}, {Inserted, "d"}, {Same, "."}}},
	} {
		if d := cmp.Diff(c.want, Whole(Diff(c.before, c.after))); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// Moved pieces still make both texts, none is empty, and no two neighbours are of a kind.
func TestWholeRebuildsBothTexts(t *testing.T) {
	text := rapid.StringMatching(`([ab]\. ?|[ab] |\n){0,14}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "before"), text.Draw(t, "after")
		pieces := Whole(Diff(a, b))
		if x, y := sides(pieces); x != a || y != b {
			t.Fatalf("%q %q from %v", x, y, pieces)
		}
		for i, p := range pieces {
			if p.Text == "" || i > 0 && p.Kind == pieces[i-1].Kind {
				t.Fatalf("empty or unmerged piece: %v", pieces)
			}
		}
	})
}
