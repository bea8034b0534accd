package evidence

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss/stat/lattice"
)

// The prepared rules name every set as the rules themselves do, the shipped table and any other.
func TestMatcherNamesAsTheRules(t *testing.T) {
	all := []Flag{Absent, Symptom, Antecedent, Other, OtherOnly, LowSpecificity, TargetSpecific}
	flags := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, 4, rapid.ID)
	rapid.Check(t, func(t *rapid.T) {
		l := DefaultLabels()
		if rapid.Bool().Draw(t, "own table") {
			l.Rules = nil
			for range rapid.IntRange(0, 6).Draw(t, "rules") {
				l.Rules = append(l.Rules, Rule{ID: rapid.StringMatching(`[a-z]{4}`).Draw(t, "id"), Sign: rapid.SampledFrom([]string{"", "positive", "negative"}).Draw(t, "sign"),
					Any: rapid.SliceOfN(flags, 0, 2).Draw(t, "any"), All: flags.Draw(t, "all"), None: flags.Draw(t, "none"), But: flags.Draw(t, "but"), Least: rapid.IntRange(0, 3).Draw(t, "least")})
			}
		}
		units := rapid.SliceOfN(flags, 1, 6).Draw(t, "units")
		narrative := rapid.Bool().Draw(t, "narrative")
		m := l.matcher(units, narrative)
		for s := lattice.Set(1); s < 1<<len(units); s++ {
			var of [][]Flag
			for i := range s.Units() {
				of = append(of, units[i])
			}
			for _, positive := range []bool{true, false} {
				if got, want := m.of(positive, s).ID, l.Of(positive, of, narrative).ID; got != want {
					t.Fatalf("%b of %v: rule %q, want %q", s, units, got, want)
				}
			}
		}
	})
}
