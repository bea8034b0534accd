package evidence

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// synthetic makes the record of a case of 8 units whose interactions are drawn at random, asked at all orders, with as
// many candidates as given and every check that the paper makes.
func synthetic(n, candidates int) Record {
	rng := percuss.Rand(7, fmt.Sprint(n), "", "synthetic")
	labels := embedded()
	r := Record{Subject: percuss.SubjectID{Model: "m", Set: "s", Item: fmt.Sprintf("case %04d", n)}, Gold: "d0", Order: 8, CheckOrder: 3}
	for i := range candidates {
		r.Candidates = append(r.Candidates, fmt.Sprintf("d%d", i))
	}
	flags := make([][]Flag, 8)
	for i := range flags {
		flags[i] = [][]Flag{{Symptom}, {Symptom, Other}, {Antecedent}, {OtherOnly, Other}, {Absent}, {}}[rng.IntN(6)]
		r.Units = append(r.Units, UnitRecord{ID: fmt.Sprint("u", i), Family: fmt.Sprint("f", i/2), Text: fmt.Sprint("unit ", i), Flags: flags[i]})
	}
	r.Null, _ = labels.NullCounts(flags, 8, false)
	r.Base = madeUp(rng, labels, flags, 8, Setting{Wording: "clinical-summary", Hide: Drop})
	for i := 1; i < candidates; i++ {
		r.Others = append(r.Others, Competitor{r.Candidates[i], madeUp(rng, labels, flags, 8, r.Base.Setting)})
	}
	vary := func(kind Kind, with Setting, change func(*Setting)) {
		s := r.Base.Setting
		change(&s)
		v := madeUp(rng, labels, flags, 3, s)
		r.Variants = append(r.Variants, Variant{Measured: v})
		r.Compared = append(r.Compared, Comparison{Kind: kind, Of: s, With: with, Agree: percuss.Num(bit(v.Correct == r.Base.Correct)),
			Correlation: percuss.Num(rng.Float64()), Overlap: percuss.Num(rng.Float64())})
	}
	base := r.Base.Setting
	if n%5 == 0 {
		second := base
		second.Wording = "questionnaire"
		vary(ByWording, base, func(s *Setting) { s.Wording = "questionnaire" })
		for k := 1; k <= 2; k++ {
			vary(ByOrdering, base, func(s *Setting) { s.Order = k })
			vary(ByOrdering, second, func(s *Setting) { s.Wording, s.Order = "questionnaire", k })
		}
		vary(BySelector, base, func(s *Setting) { s.Selector = TargetSalient })
		for k := 1; k <= 3; k++ {
			vary(BySelector, base, func(s *Setting) { s.Selector, s.SelectorSeed = RandomBalanced, k })
		}
	}
	if n%5 < 2 {
		vary(ByHiding, base, func(s *Setting) { s.Hide = Neutralize })
	}
	followUp(&r, rng)
	return r
}

// madeUp measures random interactions.
func madeUp(rng *rand.Rand, labels Labels, flags [][]Flag, order int, s Setting) Measured {
	m := Measured{Setting: s, State: Scored, Letter: percuss.Label(rng.IntN(4)), Answered: true, Correct: rng.Float64() < 0.7,
		Margin: percuss.Num(rng.NormFloat64()), Empty: percuss.Num(rng.NormFloat64()), Mass: percuss.Num(0.9 + rng.Float64()/10), Residual: percuss.Num(1e-12)}
	sets, _ := lattice.Subsets(len(flags), order)
	for _, set := range sets[1:] {
		var of [][]Flag
		for i := range set.Units() {
			of = append(of, flags[i])
		}
		v := rng.NormFloat64() / math.Sqrt(float64(set.Size()))
		rule := labels.Of(v > 0, of, false)
		m.Interactions = append(m.Interactions, Interaction{set, v, rule.ID, rule.Label, rule.Suspicious, labels.Of(!(v > 0), of, false).ID})
	}
	slices.SortStableFunc(m.Interactions, func(a, b Interaction) int {
		return int(bit(math.Abs(a.Value) < math.Abs(b.Value)) - bit(math.Abs(a.Value) > math.Abs(b.Value)))
	})
	return m
}

// followUp adds noise, cascade and counterfactuals.
func followUp(r *Record, rng *rand.Rand) {
	for k := range 9 {
		r.Noise = append(r.Noise, Noise{"batch", k, 0.01, 1, 1}, Noise{"order", k, 0.02, 2, 2})
	}
	verdict := func() Verdict { return []Verdict{Holds, Fails, NotAsked}[rng.IntN(3)] }
	for i, x := range r.Base.Interactions {
		if math.Abs(x.Value) >= Salient && (x.Suspicious || i%5 == 0) {
			r.Cascade = append(r.Cascade, Survival{x.Set, x.Value, x.Rule, x.Suspicious, verdict(), verdict(), verdict(), verdict()})
		}
	}
	for f := range 4 {
		family := Family{ID: fmt.Sprint("f", f), Strata: []Stratum{[]Stratum{High, Low, Plausible}[rng.IntN(3)]}}
		r.Families = append(r.Families, family)
		for _, e := range []Edit{Remove, Unspecify, Flip, Administrative} {
			r.Changes = append(r.Changes, Change{Family: family.ID, Edit: e, State: Scored, Competitor: "d1", Target: percuss.Num(rng.NormFloat64()),
				Rival: percuss.Num(rng.NormFloat64()), Margin: percuss.Num(rng.NormFloat64()), RankBefore: 1, RankAfter: 1 + rng.IntN(2)})
		}
	}
}

// sequenceOf yields records.
func sequenceOf(records ...Record) iter.Seq[percuss.Record] {
	return func(yield func(percuss.Record) bool) {
		for _, r := range records {
			if !yield(r) {
				return
			}
		}
	}
}

// BenchmarkSummarise is a cell of 500 cases with all 256 subsets and ten candidates each, 10,000 resamples.
func BenchmarkSummarise(b *testing.B) {
	records := make([]Record, 500)
	for i := range records {
		records[i] = synthetic(i, 10)
	}
	a := New(Options{Bootstrap: 10000})
	b.ReportAllocs()
	for b.Loop() {
		a.Summarise(sequenceOf(records...))
	}
}

// BenchmarkGather is the pass over the records alone. It reports what is kept of a case.
func BenchmarkGather(b *testing.B) {
	records := make([]Record, 500)
	for i := range records {
		records[i] = synthetic(i, 10)
	}
	a := New(Options{})
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		cells, _ := a.gather(sequenceOf(records...))
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(cells)
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/500, "kept-B/case")
}
