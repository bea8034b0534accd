package evidence

import (
	"cmp"
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// What counts as a move of a score and of a margin (Table 20), nats.
const (
	scoreMove  = 0.5
	marginMove = 1.0
)

// The exclusive outcomes of a counterfactual, as StratumRow names them.
const (
	targetDown     = "target_down"
	targetUp       = "target_up"
	competitorUp   = "competitor_up"
	competitorDown = "competitor_down"
	stable         = "stable"
)

// outcome is the larger of the two score moves, the gold's where they are equal; stable where both are small.
func outcome(target, rival float64) string {
	t, r := math.Abs(target), math.Abs(rival)
	switch {
	case t < scoreMove && r < scoreMove:
		return stable
	case t >= r && target < 0:
		return targetDown
	case t >= r:
		return targetUp
	case rival > 0:
		return competitorUp
	}
	return competitorDown
}

// strataTally counts the counterfactuals and keeps the most telling ones.
type strataTally struct {
	asked    bool
	variants map[string]int
	families map[string]int
	cases    map[string]int
	examples map[string]example
}

func newStrata() strataTally {
	return strataTally{variants: map[string]int{}, families: map[string]int{}, cases: map[string]int{}, examples: map[string]example{}}
}

// example is a change and how telling it is.
type example struct {
	Example
	weight float64
}

func stratumName(s Stratum, e Edit) string { return string(s) + "/" + string(e) }

// change enters a case's counterfactuals. The table is of cases that the model gets right on the full evidence;
// examples are of all.
func (c *cell) change(r Record) {
	seen := map[string]bool{}
	once := func(key string) int {
		if seen[key] {
			return 0
		}
		seen[key] = true
		return 1
	}
	c.strata.asked = c.strata.asked || len(r.Changes) > 0
	for _, x := range r.Changes {
		target, okT := x.Target.Get()
		rival, okR := x.Rival.Get()
		margin, okM := x.Margin.Get()
		at := slices.IndexFunc(r.Families, func(f Family) bool { return f.ID == x.Family })
		if x.State != Scored || !okT || !okR || !okM || at < 0 {
			continue
		}
		for _, s := range r.Families[at].Strata {
			what := outcome(target, rival)
			c.strata.example(r, s, x, what, c.o.Salient)
			if !r.Base.Correct {
				continue
			}
			for _, name := range [...]string{stratumName(s, ""), stratumName(s, x.Edit)} {
				c.strata.variants[name]++
				c.strata.families[name] += once(name + "/" + x.Family)
				c.strata.cases[name] += once(name)
				c.moved(r.Subject.Item, name, x, what, target, rival, margin)
			}
		}
	}
}

// moved enters one counterfactual of a stratum.
func (c *cell) moved(item, name string, x Change, what string, target, rival, margin float64) {
	ranked := x.RankBefore != x.RankAfter
	add := func(of string, v float64) { c.changes.add(item, name+"/"+of, v) }
	add("n", 1)
	add("strong", bit(math.Abs(target) >= scoreMove || math.Abs(margin) >= marginMove || ranked))
	add("rank", bit(ranked))
	add(what, 1)
	add("target", target)
	add("rival", rival)
	add("margin", margin)
}

// stratumRows lay out Table 20: each stratum over all edits, then by edit. A stratum without any is told of, an edit
// is not.
func (c *cell) stratumRows(out *Cell) []figure {
	out.Strata = []StratumRow{}
	if !c.strata.asked {
		return nil
	}
	for _, s := range strata() {
		for _, e := range []Edit{"", Remove, Unspecify, Flip, Administrative} {
			name := stratumName(s, e)
			if e == "" || c.strata.variants[name] > 0 {
				out.Strata = append(out.Strata, StratumRow{Stratum: s, Edit: e, Families: c.strata.families[name],
					Cases: c.strata.cases[name], Variants: c.strata.variants[name]})
			}
		}
	}
	var figures []figure
	for i := range out.Strata {
		row := &out.Strata[i]
		name := stratumName(row.Stratum, row.Edit)
		for _, f := range []struct {
			into *percuss.Estimate
			of   string
			kind kind
		}{
			{&row.Strong, "strong", rate}, {&row.Rank, "rank", rate}, {&row.TDown, targetDown, rate}, {&row.TUp, targetUp, rate},
			{&row.CUp, competitorUp, rate}, {&row.CDown, competitorDown, rate}, {&row.Stable, stable, rate},
			{&row.Target, "target", amount}, {&row.Rival, "rival", amount}, {&row.Margin, "margin", amount},
		} {
			of := c.changes.over(name+"/"+f.of, name+"/n")
			figures = append(figures, figure{f.into, []ratio{of}, f.kind, "no case that the model gets right has a counterfactual of this kind"})
		}
	}
	return figures
}

// example keeps the change if it is the most telling one of its stratum and outcome: the one that moves the margin
// furthest, or, where nothing moves, the one whose family is in the strongest interaction.
func (s *strataTally) example(r Record, of Stratum, x Change, what string, salient float64) {
	e := example{Example: Example{Item: r.Subject.Item, Gold: r.Gold, Stratum: of, Outcome: what, Change: x}, weight: math.Abs(x.Margin.Or(0))}
	strongest := -1
	for i, in := range r.Base.Interactions {
		if math.Abs(in.Value) < salient || !touches(in, r.Units, x.Family) {
			continue
		}
		if strongest < 0 || math.Abs(in.Value) > math.Abs(r.Base.Interactions[strongest].Value) {
			strongest = i
		}
	}
	if what == stable {
		e.weight = 0
	}
	if strongest >= 0 {
		in := r.Base.Interactions[strongest]
		e.Interaction = &in
		for i, u := range r.Units {
			if in.Set.Has(i) {
				e.Units = append(e.Units, u.Text)
			}
		}
		if what == stable {
			e.weight = math.Abs(in.Value)
		}
	}
	key := string(of) + "/" + what
	if old, ok := s.examples[key]; !ok || e.beats(old) {
		s.examples[key] = e
	}
}

// touches reports whether a unit of the interaction is of the family.
func touches(x Interaction, units []UnitRecord, family string) bool {
	for i, u := range units {
		if u.Family == family && x.Set.Has(i) {
			return true
		}
	}
	return false
}

// beats compares two changes; between equals the order of items, families and edits decides, not that of the records.
func (e example) beats(old example) bool {
	return cmp.Or(cmp.Compare(old.weight, e.weight), cmp.Compare(e.Item, old.Item), cmp.Compare(e.Change.Family, old.Change.Family),
		cmp.Compare(e.Change.Edit, old.Change.Edit)) < 0
}

// chosen are the examples by stratum and outcome.
func (s *strataTally) chosen() []Example {
	out := []Example{}
	for _, of := range strata() {
		for _, what := range []string{targetDown, targetUp, competitorUp, competitorDown, stable} {
			if e, ok := s.examples[string(of)+"/"+what]; ok {
				out = append(out, e.Example)
			}
		}
	}
	return out
}
