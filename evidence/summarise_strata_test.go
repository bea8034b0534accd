package evidence

import (
	"slices"
	"testing"

	"github.com/percuss/percuss"
)

func TestOutcomesAreExclusive(t *testing.T) {
	for _, c := range []struct {
		target, rival float64
		want          string
	}{
		{0, 0, stable}, {0.49, -0.49, stable}, {-0.5, 0.4, targetDown}, {0.5, 0, targetUp}, {0.2, 0.5, competitorUp}, {-0.6, -0.7, competitorDown},
		{-1, 1, targetDown}, {1, -1, targetUp}, {-0.9, 1, competitorUp},
	} {
		if got := outcome(c.target, c.rival); got != c.want {
			t.Errorf("Δ %v and %v: %s, want %s", c.target, c.rival, got, c.want)
		}
	}
}

// moved is a counterfactual of a family.
func movedBy(family string, e Edit, target, rival, margin float64, after int) Change {
	return Change{Family: family, Edit: e, State: Scored, Target: percuss.Num(target), Rival: percuss.Num(rival), Margin: percuss.Num(margin), RankBefore: 1, RankAfter: after}
}

func TestStrataByHand(t *testing.T) {
	a := scoredCase("1", 3, inter(0b1, 2, "1"), inter(0b11, -3, "4a"), inter(0b100, 0.4, "6"))
	a.Families = []Family{{ID: "f0", Strata: []Stratum{High, Plausible}}, {ID: "f2", Strata: []Stratum{Low}}, {ID: "f1"}}
	a.Changes = []Change{
		movedBy("f0", Remove, -2, 0, -2, 2), movedBy("f0", Flip, 0.1, -0.2, 0.3, 1), movedBy("f2", Remove, 0.1, 0.1, -1.5, 1),
		movedBy("f1", Remove, -9, 9, -18, 2), movedBy("f9", Remove, -9, 9, -18, 2),
		{Family: "f0", Edit: Unspecify, State: Censored, Why: "no letter"}, {Family: "f0", Edit: Administrative, State: Scored},
	}
	b := scoredCase("2", 3, inter(0b1, 1, "1"))
	b.Families = []Family{{ID: "f0", Strata: []Stratum{High}}}
	b.Changes = []Change{movedBy("f0", Remove, 0.2, 0.6, -0.4, 1)}
	wrong := scoredCase("3", 3, inter(0b1, 1, "1"))
	wrong.Base.Correct = false
	wrong.Families = b.Families
	wrong.Changes = []Change{movedBy("f0", Remove, 2, -3, 5, 1)}
	c := onlyCell(t, Options{}, a, b, wrong)

	var names []string
	for _, r := range c.Strata {
		names = append(names, stratumName(r.Stratum, r.Edit))
	}
	if want := []string{"high/", "high/remove", "high/flip", "salient/", "low/", "low/remove", "plausible/", "plausible/remove", "plausible/flip"}; !slices.Equal(names, want) {
		t.Fatalf("rows %v, want %v", names, want)
	}
	high, remove, low := c.Strata[0], c.Strata[1], c.Strata[4]
	if high.Variants != 3 || high.Families != 2 || high.Cases != 2 || high.Strong.N != 2 {
		t.Errorf("high: %+v", high)
	}
	is(t, "strong", high.Strong, 1./3)
	is(t, "rank", high.Rank, 1./3)
	is(t, "target down", high.TDown, 1./3)
	is(t, "target up", high.TUp, 0)
	is(t, "competitor up", high.CUp, 1./3)
	is(t, "stable", high.Stable, 1./3)
	is(t, "removed: target", remove.Target, -0.9)
	is(t, "removed: rival", remove.Rival, 0.3)
	is(t, "removed: margin", remove.Margin, -1.2)
	is(t, "low is strong by its margin", low.Strong, 1)
	is(t, "and stable by its scores", low.Stable, 1)
}

func TestExamplesAreTheMostTelling(t *testing.T) {
	a := scoredCase("1", 3, inter(0b10, 5, "6"), inter(0b1, -2, "4a"), inter(0b11, 0.4, "6"))
	a.Families = []Family{{ID: "f0", Strata: []Stratum{High}}, {ID: "f1", Strata: []Stratum{High}}, {ID: "f2", Strata: []Stratum{High}}}
	a.Changes = []Change{movedBy("f0", Remove, -1, 0, -1, 1), movedBy("f0", Flip, -2, 0, -3, 1), movedBy("f2", Remove, 0, 0, 0.4, 1), movedBy("f1", Remove, 0, 0, 0, 1)}
	b := scoredCase("2", 3)
	b.Base.Correct = false
	b.Families = []Family{{ID: "f0", Strata: []Stratum{High}}}
	b.Changes = []Change{movedBy("f0", Remove, -3, 0, -3, 1), movedBy("f0", Flip, 2, 3, 5, 1)}
	for _, order := range [][]Record{{a, b}, {b, a}} {
		c := onlyCell(t, Options{}, order...)
		if len(c.Examples) != 3 {
			t.Fatalf("examples %+v", c.Examples)
		}
		down, up, still := c.Examples[0], c.Examples[1], c.Examples[2]
		// Of two that move the margin alike, the first item.
		if down.Outcome != targetDown || down.Item != "1" || down.Change.Edit != Flip || down.Interaction == nil || down.Interaction.Set != 0b1 || !slices.Equal(down.Units, []string{"text 0"}) {
			t.Errorf("down %+v", down)
		}
		if up.Outcome != competitorUp || up.Item != "2" || up.Interaction != nil || up.Gold != "gold" {
			t.Errorf("up %+v", up)
		}
		// Nothing moves although the family is in the strongest interaction.
		if still.Outcome != stable || still.Change.Family != "f1" || still.Interaction.Set != 0b10 {
			t.Errorf("stable %+v", still)
		}
	}
}
