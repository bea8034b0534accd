package chain

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// TestShuffleProperties: the order is never the identity and always a permutation, the gold follows its text, and every
// label comes back as what it stood for.
func TestShuffleProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,3}`), 2, 12).Draw(t, "texts")
		q := percuss.Question{ID: rapid.StringMatching(`[a-z0-9:]{1,9}`).Draw(t, "id")}
		for i, text := range texts {
			q.Options = append(q.Options, percuss.Option{Label: percuss.Label(i), Text: text})
		}
		gold := rapid.IntRange(0, len(texts)-1).Draw(t, "gold")
		q.Gold = q.Options[gold].Label
		seed := rapid.Uint64().Draw(t, "seed")
		order := shuffleOrder(seed, q)
		if !permutes(order, len(texts)) || slices.IsSorted(order) {
			t.Fatalf("order %v of %d options", order, len(texts))
		}
		if again := shuffleOrder(seed, q); !slices.Equal(order, again) {
			t.Fatalf("%v, then %v", order, again)
		}
		s := shuffled(q, order)
		if !slices.Equal(s.Labels(), q.Labels()) {
			t.Fatalf("labels moved: %v", s.Labels())
		}
		if o, _ := s.Option(s.Gold); o.Text != texts[gold] || meant(q, order, s.Gold) != q.Gold {
			t.Fatalf("gold %q, shown as %s: %q", texts[gold], s.Gold, o.Text)
		}
		for _, o := range q.Options {
			shown := shownAs(q, order, o.Label)
			if there, _ := s.Option(shown); there.Text != o.Text || meant(q, order, shown) != o.Label {
				t.Fatalf("%s shows as %s and comes back as %s", o.Label, shown, meant(q, order, shown))
			}
		}
		if shownAs(q, order, "") != "" || meant(q, order, "") != "" || meant(q, order, "ZZZ") != "" {
			t.Fatal("a label that is not there stands for something")
		}
	})
}

// TestShuffleUsesEveryOrder: no order but the identity is left out, and none is much commoner.
func TestShuffleUsesEveryOrder(t *testing.T) {
	q := percuss.Question{Options: []percuss.Option{{Label: "A"}, {Label: "B"}, {Label: "C"}}}
	seen := map[[3]int]int{}
	for seed := range uint64(5000) {
		o := shuffleOrder(seed, q)
		seen[[3]int{o[0], o[1], o[2]}]++
	}
	if len(seen) != 5 {
		t.Errorf("%d orders of five", len(seen))
	}
	for order, n := range seen {
		if n < 850 || n > 1150 { // 1000 expected, five standard errors
			t.Errorf("%v: %d of 5000", order, n)
		}
	}
}
