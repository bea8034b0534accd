package evidence

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
	"pgregory.net/rapid"
)

// Neither the order of the records nor the number of processors moves a digit.
func TestOrderAndProcessorsDoNotMatter(t *testing.T) {
	var records []Record
	for _, model := range []string{"m", "n"} {
		for i := range 12 {
			r := synthetic(i, 3)
			r.Subject.Model = model
			records = append(records, r)
		}
	}
	written := func(records []Record) string {
		raw, err := json.Marshal(summed(t, Options{Seed: 5}, records...))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	want := written(records)
	shuffled := slices.Clone(records)
	// The first record of each cell stays before that of the next, for cells are listed in the order of the records.
	percuss.Rand(1, "", "", "shuffle").Shuffle(len(shuffled)-1, func(i, j int) { shuffled[i+1], shuffled[j+1] = shuffled[j+1], shuffled[i+1] })
	if got := written(shuffled); got != want {
		t.Errorf("another order of the records gives other tables")
	}
	old := runtime.GOMAXPROCS(1)
	one := written(records)
	runtime.GOMAXPROCS(old)
	if one != want {
		t.Errorf("one processor gives other tables")
	}
	var f Findings
	if err := json.Unmarshal([]byte(want), &f); err != nil || len(f.Cells) != 2 {
		t.Errorf("the findings cannot be read back: %v", err)
	}
	if other := summed(t, Options{Seed: 6}, records...); reflect.DeepEqual(other.Cells[0].Gold.Suspicious.Lo, f.Cells[0].Gold.Suspicious.Lo) {
		t.Error("another seed gives the same interval")
	}
}

// drawRecord draws anything that a record may hold, sense or not.
func drawRecord(t *rapid.T, i int) Record {
	number := rapid.OneOf(rapid.Just(percuss.Number{}), rapid.Map(rapid.Float64Range(-20, 20), percuss.Num))
	state := rapid.SampledFrom([]State{Scored, Scored, Scored, Waiting, Censored, Constant, Unscored, ""})
	rules := []string{"1", "2", "3", "4a", "4b", "5", "6", "7", "8", "n1", "n2", "none"}
	interactions := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Interaction {
		return inter(lattice.Set(rapid.Uint32Range(0, 1<<22).Draw(t, "set")), rapid.Float64Range(-5, 5).Draw(t, "value"), rapid.SampledFrom(rules).Draw(t, "rule"))
	}), 0, 12)
	setting := rapid.Custom(func(t *rapid.T) Setting {
		return Setting{Wording: rapid.SampledFrom([]string{"clinical-summary", "questionnaire", ""}).Draw(t, "wording"), Order: rapid.IntRange(0, 2).Draw(t, "order"),
			Hide: rapid.SampledFrom([]Hide{Drop, Neutralize}).Draw(t, "hide"), Selector: rapid.SampledFrom([]Selector{"", "", Balanced, RandomBalanced, "new"}).Draw(t, "selector")}
	})
	measured := rapid.Custom(func(t *rapid.T) Measured {
		return Measured{Setting: setting.Draw(t, "setting"), State: state.Draw(t, "state"), Letter: rapid.SampledFrom([]string{"", "A", "B", "AA"}).Draw(t, "letter"),
			Correct: rapid.Bool().Draw(t, "correct"), Answered: rapid.Bool().Draw(t, "answered"), Margin: number.Draw(t, "margin"), Mass: rapid.Map(rapid.Float64Range(0, 1), percuss.Num).Draw(t, "mass"),
			Residual: number.Draw(t, "residual"), Interactions: interactions.Draw(t, "interactions")}
	})
	r := Record{Subject: percuss.SubjectID{Model: "m", Set: "s", Item: fmt.Sprint(i)}, Gold: "gold", Narrative: rapid.Bool().Draw(t, "narrative"),
		Order: rapid.IntRange(0, 9).Draw(t, "order"), Base: measured.Draw(t, "base"), Null: map[string]int{"6": 3, "none": 1}, CheckOrder: rapid.IntRange(0, 3).Draw(t, "check")}
	if rapid.Bool().Draw(t, "rotated") {
		one := measured.Draw(t, "unrotated")
		r.Unrotated = &one
	}
	for u := range rapid.IntRange(0, 9).Draw(t, "units") {
		r.Units = append(r.Units, UnitRecord{ID: fmt.Sprint("u", u), Family: fmt.Sprint("f", u/2)})
	}
	for range rapid.IntRange(0, 4).Draw(t, "variants") {
		v := measured.Draw(t, "variant")
		r.Variants = append(r.Variants, Variant{Measured: v})
		r.Compared = append(r.Compared, Comparison{Kind: rapid.SampledFrom([]Kind{ByWording, ByOrdering, ByHiding, BySelector, "new"}).Draw(t, "kind"), Of: v.Setting, With: setting.Draw(t, "with"),
			Agree: percuss.Num(1), Correlation: rapid.Map(rapid.Float64Range(-1, 1), percuss.Num).Draw(t, "correlation"), Overlap: percuss.Num(0.5)})
		r.Others = append(r.Others, Competitor{"other", measured.Draw(t, "other")})
		r.Changes = append(r.Changes, Change{Family: "f0", Edit: Remove, State: state.Draw(t, "changed"), Target: number.Draw(t, "target"), Rival: number.Draw(t, "rival"), Margin: number.Draw(t, "Δ")})
		r.Families = []Family{{ID: "f0", Strata: []Stratum{High, "new"}}}
		r.Noise = append(r.Noise, Noise{"batch", rapid.IntRange(0, 30).Draw(t, "at"), rapid.Float64Range(0, 3).Draw(t, "sum"), rapid.IntRange(0, 9).Draw(t, "dof"), rapid.IntRange(0, 3).Draw(t, "repeats")})
		r.Cascade = append(r.Cascade, Survival{Set: 1, Suspicious: rapid.Bool().Draw(t, "suspicious"), Prompt: rapid.SampledFrom([]Verdict{Holds, Fails, NotAsked, ""}).Draw(t, "verdict"), Order: Holds})
	}
	return r
}

// Whatever the records hold: no panic, shares add up to 1, counts to their total, and every estimate is sound.
func TestTablesAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var records []Record
		for i := range rapid.IntRange(1, 6).Draw(rt, "records") {
			records = append(records, drawRecord(rt, i))
		}
		o := Options{Bootstrap: 20, Judgements: []Judgement{{Item: "0", Model: "m", Target: rapid.SampledFrom([]string{"gold", "other", "x"}).Draw(rt, "judged"), Units: []string{"u0"}, Verdict: "invalid"}}}
		c := onlyCell(t, o, records...)
		if t.Failed() {
			rt.Fatal("a table is not sound")
		}
		for _, p := range append([]Profile{c.Gold, c.Everyone}, c.Thresholds...) {
			for _, table := range [][]Mechanism{p.Mechanisms, p.Rules, p.Coarse} {
				count, strength, share, weight, null := 0, 0.0, 0.0, 0.0, 0.0
				for _, m := range table {
					count, strength, share, weight = count+m.Count, strength+m.Strength, share+m.Share.Value.Or(0), weight+m.Weight.Value.Or(0)
					null += m.Null.Or(0)
				}
				if count != p.Salient || math.Abs(strength-p.Strength) > 1e-9 {
					rt.Fatalf("%d of strength %v in the table, %d of %v in all", count, strength, p.Salient, p.Strength)
				}
				if p.Salient > 0 && (math.Abs(share-1) > 1e-9 || math.Abs(weight-1) > 1e-9) {
					rt.Fatalf("shares add up to %v and %v", share, weight)
				}
				if null > 1+1e-9 {
					rt.Fatalf("null shares add up to %v", null)
				}
			}
		}
		for i, row := range c.Cascade {
			// Records are drawn at random, so that what was followed need not be among the interactions of the base setting.
			at := i % (len(c.Cascade) / 2)
			if row.Kept > row.Asked || (at == 1 || at == 3 || at == 4) && row.Asked > c.Cascade[i-1].Kept {
				rt.Fatalf("step %s: %d asked, %d kept", row.Step, row.Asked, row.Kept)
			}
		}
		for _, s := range c.Strata {
			sum := s.TDown.Value.Or(0) + s.TUp.Value.Or(0) + s.CUp.Value.Or(0) + s.CDown.Value.Or(0) + s.Stable.Value.Or(0)
			if s.Variants > 0 && math.Abs(sum-1) > 1e-9 {
				rt.Fatalf("exclusive outcomes add up to %v", sum)
			}
		}
	})
}

// TestIntervalsCoverAtTheirRate draws cells of cases whose interactions are alike within a case, and counts how often the
// 95 % interval of a share, of a strength share, of a mean and of a difference between wordings holds the true value.
func TestIntervalsCoverAtTheirRate(t *testing.T) {
	const cells, cases = 200, 60
	covered := map[string]int{}
	for i := range cells {
		rng := percuss.Rand(uint64(i), "", "", "coverage")
		var records []Record
		for k := range cases {
			r := scoredCase(fmt.Sprintf("%03d", k), 4)
			mostly := rng.Float64() // share of faithful interactions of the case: 1/2 on the mean
			for s := lattice.Set(1); s < 9; s++ {
				rule, strength := "4a", 1+rng.Float64()
				if rng.Float64() < mostly {
					rule = "6"
				}
				r.Base.Interactions = append(r.Base.Interactions, inter(s, strength, rule))
			}
			r.Base.Correct = rng.Float64() < 0.7
			right := r.Base.Correct && rng.Float64() < 0.9 // the other wording loses one in ten: 0.07
			r = under(r, ByWording, baseSetting(), right, percuss.Num(1), percuss.Number{}, percuss.Number{}, func(s *Setting) { s.Wording = "questionnaire" })
			records = append(records, r)
		}
		c := New(Options{Seed: uint64(i), Bootstrap: 400, Labels: embedded()}).Summarise(sequenceOf(records...)).(Findings).Cells[0]
		f := mechanism(t, c.Gold.Mechanisms, "faithful target evidence")
		for name, e := range map[string]struct {
			percuss.Estimate
			truth float64
		}{"share": {f.Share, 0.5}, "strength": {f.Weight, 0.5}, "mean": {f.Mean, 1.5}, "difference": {stabilityRow(t, c, "questionnaire").Difference, -0.07}} {
			covered[name] += int(bit(e.Lo.Or(9) <= e.truth && e.truth <= e.Hi.Or(-9)))
		}
	}
	for name, n := range covered {
		t.Logf("%s: %d of %d intervals hold the true value", name, n, cells)
		// Four standard deviations of Binomial(200, 0.95) are 12; the percentile interval is a little short.
		if n < 174 || n > 199 {
			t.Errorf("%s: %d of %d intervals hold the true value, want about 95 %%", name, n, cells)
		}
	}
}
