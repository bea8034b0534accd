package evidence

import (
	"cmp"
	"math"
	"slices"

	"github.com/percuss/percuss/stat/lattice"
)

const (
	pairsKept = 10
	sharedTo  = 3 // order of the k-SII
)

// pairs are the pairs of units with the largest Shapley-interaction index, the largest first. All interactions of the game
// must be known. Pairs whose index is 0 are none.
func pairs(game *lattice.Game, units []UnitRecord) []Pair {
	sii, err := game.SII(2)
	if err != nil {
		return nil
	}
	kept, err := game.KSII(sharedTo)
	if err != nil {
		return nil
	}
	var out []Pair
	for s := lattice.Set(1); int(s) < len(sii); s++ {
		if s.Size() != 2 || math.Abs(sii[s].Or(0)) < rounding {
			continue
		}
		p := Pair{Set: s, SII: sii[s], KSII: kept[s]}
		for u := range s.Units() {
			p.Units = append(p.Units, units[u].ID)
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(math.Abs(b.SII.Or(0)), math.Abs(a.SII.Or(0))), a.Set.Compare(b.Set))
	})
	return out[:min(len(out), pairsKept)]
}
