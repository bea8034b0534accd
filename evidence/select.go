package evidence

import (
	"fmt"
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// Selector says which units of a case are audited.
type Selector string

// The selectors of spec/evidence-audit.md, section 1.
const (
	Balanced       Selector = "balanced"        // takes turns over the groups of roles
	TargetSalient  Selector = "target-salient"  // what supports the target first
	RandomBalanced Selector = "random-balanced" // samples from the same groups without a fixed priority
	Spaced         Selector = "spaced"          // at even spacing, for narratives
	Random         Selector = "random"          // a seeded sample
)

// Selectors lists them.
func Selectors() []Selector {
	return []Selector{Balanced, TargetSalient, RandomBalanced, Spaced, Random}
}

// Select returns the audited units of a case as seen from diagnosis d: n of them, or all when there are no more, in the
// order of the file. Random choices are keyed by seed and case. An unknown selector is an error that lists those that
// there are.
func Select(c percuss.Case, d string, s Selector, n int, seed uint64, t Thresholds) ([]percuss.Unit, error) {
	if !slices.Contains(Selectors(), s) {
		return nil, fmt.Errorf("no selector %q: there are %v", s, Selectors())
	}
	if n >= len(c.Units) {
		return slices.Clone(c.Units), nil
	}
	if n <= 0 {
		return nil, nil
	}
	var picked []int
	switch s {
	case Spaced:
		picked = spaced(len(c.Units), n)
	case Random:
		picked = percuss.Rand(seed, c.ID, "", "evidence/select").Perm(len(c.Units))[:n]
	default:
		picked = byRole(c, d, s, n, seed, t)
	}
	slices.Sort(picked)
	units := make([]percuss.Unit, len(picked))
	for i, at := range picked {
		units[i] = c.Units[at]
	}
	return units, nil
}

// spaced returns n of size places, the first and the last among them where n > 1, as evenly as whole numbers allow.
func spaced(size, n int) []int {
	if n == 1 {
		return []int{size / 2}
	}
	out := make([]int, n)
	for i := range out {
		out[i] = int(math.Round(float64(i) * float64(size-1) / float64(n-1)))
	}
	return out
}

// groups are the places of the units by the first group that fits, in the order in which Balanced takes turns.
func groups(c percuss.Case, d string, t Thresholds) [][]int {
	tests := []func(f []Flag) bool{
		func(f []Flag) bool { // target-specific symptom
			return slices.Contains(f, Symptom) && slices.Contains(f, TargetSpecific) && !slices.Contains(f, Absent)
		},
		func(f []Flag) bool { return slices.Contains(f, Antecedent) && !slices.Contains(f, Absent) },
		func(f []Flag) bool { return slices.Contains(f, OtherOnly) && !slices.Contains(f, Absent) },
		func(f []Flag) bool { return slices.Contains(f, Absent) },
		func(f []Flag) bool { return slices.Contains(f, LowSpecificity) },
		func([]Flag) bool { return true },
	}
	out := make([][]int, len(tests))
	for i, u := range c.Units {
		flags := Flags(u, c.Candidates, d, t)
		at := slices.IndexFunc(tests, func(is func([]Flag) bool) bool { return is(flags) })
		out[at] = append(out[at], i)
	}
	return out
}

// byRole picks over the groups.
func byRole(c percuss.Case, d string, s Selector, n int, seed uint64, t Thresholds) []int {
	g := groups(c, d, t)
	var picked []int
	switch s {
	case TargetSalient:
		for i, u := range c.Units {
			f := Flags(u, c.Candidates, d, t)
			if len(picked) < n && !u.Absent && (slices.Contains(f, Symptom) || slices.Contains(f, Antecedent)) {
				picked = append(picked, i)
			}
		}
		for i := range g {
			g[i] = slices.DeleteFunc(g[i], func(at int) bool { return slices.Contains(picked, at) })
		}
	case RandomBalanced:
		r := percuss.Rand(seed, c.ID, "", "evidence/select")
		for len(picked) < n {
			g = slices.DeleteFunc(g, func(group []int) bool { return len(group) == 0 })
			from := r.IntN(len(g))
			k := r.IntN(len(g[from]))
			picked = append(picked, g[from][k])
			g[from] = slices.Delete(g[from], k, k+1)
		}
	}
	for turn := 0; len(picked) < n; turn++ {
		for _, group := range g {
			if turn < len(group) && len(picked) < n {
				picked = append(picked, group[turn])
			}
		}
	}
	return picked
}
