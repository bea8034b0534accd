package worddiff

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func sides(pieces []Piece) (before, after string) {
	for _, p := range pieces {
		if p.Kind != Inserted {
			before += p.Text
		}
		if p.Kind != Deleted {
			after += p.Text
		}
	}
	return before, after
}

func TestDiffRebuildsBothTexts(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([ab]\.? |1,5 |\n){0,12}`))
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "before"), text.Draw(t, "after")
		pieces := Diff(a, b)
		if x, y := sides(pieces); x != a || y != b {
			t.Fatalf("%q %q from %v", x, y, pieces)
		}
		for i, p := range pieces {
			if p.Text == "" || i > 0 && p.Kind == pieces[i-1].Kind {
				t.Fatalf("empty or unmerged piece: %v", pieces)
			}
			if a == b && p.Kind != Same {
				t.Fatalf("equal texts differ: %v", pieces)
			}
		}
	})
}

func TestDiffReads(t *testing.T) {
	want := []Piece{{Same, "Potassium is "}, {Deleted, "4.5"}, {Inserted, "6.5"}, {Same, ", the "}, {Deleted, "old man"}, {Inserted, "young woman"}, {Same, " rests."}}
	if d := cmp.Diff(want, Diff("Potassium is 4.5, the old man rests.", "Potassium is 6.5, the young woman rests.")); d != "" {
		t.Error(d)
	}
}

func TestDiffIsBounded(t *testing.T) {
	a, b := strings.Repeat("a ", 4000), strings.Repeat("b ", 4000)
	got := Diff(a+"x", b+"y")
	if x, y := sides(got); x != a+"x" || y != b+"y" || len(got) != 2 {
		t.Errorf("%d pieces", len(got))
	}
}

// The runs are those of a longest common subsequence: a table of all prefixes finds none longer.
func TestShortestKeepsTheMost(t *testing.T) {
	list := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 14)
	rapid.Check(t, func(t *rapid.T) {
		a, b := list.Draw(t, "a"), list.Draw(t, "b")
		steps, ok := shortest(a, b)
		if !ok {
			t.Fatal("gave up on a short list")
		}
		kept, i, j := 0, 0, 0
		for _, s := range steps {
			if s.i < i || s.j < j || s.n < 1 || !slices.Equal(a[s.i:s.i+s.n], b[s.j:s.j+s.n]) {
				t.Fatalf("%v %v: run %v", a, b, s)
			}
			kept, i, j = kept+s.n, s.i+s.n, s.j+s.n
		}
		longest := make([][]int, len(a)+1)
		for i := range longest {
			longest[i] = make([]int, len(b)+1)
		}
		for i := range a {
			for j := range b {
				longest[i+1][j+1] = max(longest[i][j+1], longest[i+1][j])
				if a[i] == b[j] {
					longest[i+1][j+1] = longest[i][j] + 1
				}
			}
		}
		if want := longest[len(a)][len(b)]; kept != want {
			t.Fatalf("%v %v: %d kept, %d possible", a, b, kept, want)
		}
	})
}

// TestDiffIsThatOfAllWords: what is set aside at both ends without being cut into words changes no piece.
func TestDiffIsThatOfAllWords(t *testing.T) {
	whole := func(before, after string) []Piece {
		a, b := Words(before), Words(after)
		head, tail := 0, 0
		for head < min(len(a), len(b)) && a[head] == b[head] {
			head++
		}
		for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
			tail++
		}
		var m merger
		m.keep(strings.Join(a[:head], ""))
		m.align(a[head:len(a)-tail], b[head:len(b)-tail])
		m.keep(strings.Join(a[len(a)-tail:], ""))
		m.flush()
		return m.out
	}
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([ab] |a|b1|B\.? | |é|1,5 |\.|\n){0,16}`))
	rapid.Check(t, func(t *rapid.T) {
		head, tail := text.Draw(t, "head"), text.Draw(t, "tail")
		before, after := head+text.Draw(t, "before")+tail, head+text.Draw(t, "after")+tail
		if d := cmp.Diff(whole(before, after), Diff(before, after)); d != "" {
			t.Fatalf("%q to %q: %s", before, after, d)
		}
	})
}
