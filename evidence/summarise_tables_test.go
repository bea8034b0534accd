package evidence

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// Two cases. Salient: 3 faithful (6), 1 conflict (4a), 1 negated (1), 1 background (7), of strength 10 in all.
func worked() []Record {
	one := scoredCase("1", 3, inter(0b001, 3, "6"), inter(0b010, -2, "4a"), inter(0b100, 1, "1"), inter(0b011, 0.3, "6"))
	two := scoredCase("2", 3, inter(0b011, 0.5, "6"), inter(0b001, 0.5, "6"), inter(0b100, 3, "7"), inter(0b110, -0.49, "8"), inter(0b111, 0.1, "1"))
	one.Null, two.Null = map[string]int{"6": 6, "4a": 2}, map[string]int{"6": 2, "7": 6}
	one.Others = []Competitor{
		{"other", Measured{State: Scored, Interactions: []Interaction{inter(0b001, 2, "3"), inter(0b010, 0.1, "6")}}},
		{"third", Measured{State: Censored, Interactions: []Interaction{inter(0b001, 9, "3")}}},
	}
	return []Record{one, two}
}

func TestMechanismsByHand(t *testing.T) {
	c := onlyCell(t, Options{}, worked()...)
	g := c.Gold
	if g.Threshold != 0.5 || g.Targets != 2 || g.Salient != 6 || math.Abs(g.Strength-10) > 1e-12 {
		t.Errorf("threshold %v, %d targets, %d salient of strength %v", g.Threshold, g.Targets, g.Salient, g.Strength)
	}
	is(t, "per case", g.PerCase, 3)
	is(t, "suspicious", g.Suspicious, 0.1)
	is(t, "suspicious count", g.SuspCount, 1./6)
	is(t, "suspicious per case", g.SuspCase, 0.5)
	f := mechanism(t, g.Mechanisms, "faithful target evidence")
	is(t, "faithful share", f.Share, 0.5)
	is(t, "faithful weight", f.Weight, 0.4)
	is(t, "faithful mean", f.Mean, 4./3)
	isNumber(t, "faithful null", f.Null, 0.5)
	if f.Count != 3 || math.Abs(f.Strength-4) > 1e-12 || f.Suspicious {
		t.Errorf("faithful: %d of strength %v", f.Count, f.Strength)
	}
	n := mechanism(t, g.Coarse, "negated")
	is(t, "negated weight", n.Weight, 0.1)
	isNumber(t, "negated null", n.Null, 0)
	if !n.Suspicious {
		t.Error("negated misuse is suspicious")
	}
	is(t, "conflict rule", mechanism(t, g.Rules, "4a").Share, 1./6)
	isNumber(t, "conflict null", mechanism(t, g.Coarse, "conflict").Null, 2./16)
	missing(t, "mean of none", mechanism(t, g.Rules, "5").Mean, "of this kind")
	is(t, "share of none", mechanism(t, g.Rules, "5").Share, 0)

	if c.Orders[0].Count != 5 || c.Orders[1].Count != 1 || c.Orders[2].Count != 0 || c.Strength[1].Count != 3 {
		t.Errorf("by order: salient %v, all %v", c.Orders, c.Strength)
	}
	is(t, "order 1", c.Orders[0].Weight, 0.95)
	is(t, "order 2 of all", c.Strength[1].Weight, 1.29/10.89)

	// The rule of a narrative is in no table of structured cases.
	for _, m := range g.Rules {
		if m.Name == "n1" || m.Name == unnamed {
			t.Errorf("rule %s is listed", m.Name)
		}
	}
}

func TestEveryCandidateAndThresholdsByHand(t *testing.T) {
	c := onlyCell(t, Options{}, worked()...)
	e := c.Everyone
	if e.Targets != 3 || e.Salient != 7 || math.Abs(e.Strength-12) > 1e-12 {
		t.Errorf("everyone: %d targets, %d salient of strength %v", e.Targets, e.Salient, e.Strength)
	}
	is(t, "everyone's suspicious", e.Suspicious, 3./12)
	if mechanism(t, e.Rules, "6").Null.OK() {
		t.Error("the null is the gold's, and every candidate has one")
	}
	want := []int{8, 6, 4, 3}
	for i, p := range c.Thresholds {
		if p.Threshold != swept[i] || p.Salient != want[i] {
			t.Errorf("%v nats: %d salient, want %d at %v", p.Threshold, p.Salient, want[i], swept[i])
		}
	}
	// The strongest tenth of 0.5 0.5 1 2 3 3 begins at 3: the background interaction is in it.
	is(t, "overuse", c.Gold.Overuse, 1./6)
	is(t, "overuse at 2", c.Thresholds[3].Overuse, 1./3)
	is(t, "everyone's overuse", e.Overuse, 1./7)
	// Another threshold of salience has its own profile beside the four.
	other := onlyCell(t, Options{Salient: 0.4}, worked()...)
	if other.Gold.Threshold != 0.4 || other.Gold.Salient != 7 || other.Thresholds[1].Salient != 6 || len(other.Thresholds) != 4 {
		t.Errorf("at 0.4: %d salient, at 0.5: %d", other.Gold.Salient, other.Thresholds[1].Salient)
	}
}

// The tenth is of the salient interactions, the weak ones do not count; and what speaks against the gold is no overuse.
func TestOveruseIsOfTheStrongestTenth(t *testing.T) {
	var of []Interaction
	for s := lattice.Set(1); s <= 10; s++ {
		of = append(of, inter(s, float64(s), "7"))
	}
	of = append(of, inter(11, -20, "7"), inter(12, 21, "6"))
	for s := lattice.Set(13); s < 64; s++ {
		of = append(of, inter(s, 0.1, "7"))
	}
	// Of 1 to 10, 20 and 21 the strongest tenth begins between 10 and 20: none of the positive background ones is in it.
	is(t, "none", onlyCell(t, Options{}, scoredCase("1", 6, of...)).Gold.Overuse, 0)
	of[9].Value = 20.5
	is(t, "one", onlyCell(t, Options{}, scoredCase("1", 6, of...)).Gold.Overuse, 1./12)
}

func TestNarrativesHaveNoRoles(t *testing.T) {
	r := scoredCase("1", 3, inter(1, 1, "n1"), inter(2, -3, "n2"), inter(4, 2, "nobody's rule"))
	r.Narrative = true
	c := onlyCell(t, Options{}, r)
	if !c.Narrative || len(c.Gold.Mechanisms) != 3 {
		t.Fatalf("narrative %v, mechanisms %v", c.Narrative, c.Gold.Mechanisms)
	}
	is(t, "support", mechanism(t, c.Gold.Mechanisms, "faithful/plausible support").Weight, 1./6)
	is(t, "unnamed", mechanism(t, c.Gold.Mechanisms, unnamed).Weight, 2./6)
	missing(t, "overuse", c.Gold.Overuse, "narrative")
}

// TestOrderDistributionOfThePaper builds a cell whose salient interactions have the counts and means of Table 17, and gets
// its shares back.
func TestOrderDistributionOfThePaper(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "shared", "spec", "golden.json"))
	if err != nil {
		t.Skip("no golden.json beside the repository")
	}
	var golden struct {
		Orders struct{ Count, Strength, Mean []float64 } `json:"order_distribution"`
	}
	if err := json.Unmarshal(raw, &golden); err != nil {
		t.Fatal(err)
	}
	c := onlyCell(t, Options{}, distributed(golden.Orders.Count, golden.Orders.Mean)...)
	if len(c.Orders) != 3 {
		t.Fatalf("%d orders", len(c.Orders))
	}
	for k, o := range c.Orders {
		near := func(what string, got percuss.Number, want, within float64) {
			if v, ok := got.Get(); !ok || math.Abs(v-want) > within {
				t.Errorf("order %d: %s %s, the paper has %v", o.Order, what, got.Format(2), want)
			}
		}
		near("count", percuss.Num(100*o.Share.Value.Or(-1)), golden.Orders.Count[k], 0.05)
		near("strength", percuss.Num(100*o.Weight.Value.Or(-1)), golden.Orders.Strength[k], 0.15)
		near("mean", o.Mean.Value, golden.Orders.Mean[k], 0.005)
	}
	// Table 3 keeps the strength of Table 17's first order, and of its first two.
	for k, want := range []float64{18.0, 45.6, 100} {
		if got := 100 * c.Ablation[k].Strength.Value.Or(-1); math.Abs(got-want) > 0.15 {
			t.Errorf("up to order %d %.1f %% of the strength is kept, the paper has %v", k+1, got, want)
		}
	}
}

func TestOrdersAboveThree(t *testing.T) {
	one := scoredCase("1", 4, inter(0b1, 2, "6"), inter(0b111, 1, "6"), inter(0b1111, -1, "4a"))
	two := scoredCase("2", 4, inter(0b1, 0.3, "6"), inter(0b1111, 0.3, "6"))
	shallow := scoredCase("3", 8, inter(0b1, 3, "6"))
	shallow.Order = 3
	small := scoredCase("4", 2, inter(0b1, 3, "6"))
	one.Base.Residual, two.Base.Residual = percuss.Num(1e-14), percuss.Num(3e-14)
	c := onlyCell(t, Options{}, one, two, shallow, small)
	is(t, "above order 3", c.Above, (0.25+0.5)/2)
	if c.Above.N != 2 {
		t.Errorf("above order 3 over %d cases, want the 2 that were asked at all orders of more than 3 units", c.Above.N)
	}
	isNumber(t, "residual", c.Residual, 3e-14)
	if len(c.AboveBy) != 5 || c.AboveBy[2].P != 0.5 {
		t.Fatalf("quantiles %v", c.AboveBy)
	}
	isNumber(t, "median", c.AboveBy[2].Value, 0.375)
	if len(c.Orders) != 4 || c.Orders[3].Count != 1 || c.Strength[3].Count != 2 {
		t.Errorf("orders %v, all %v", c.Orders, c.Strength)
	}
	missing(t, "mean at order 2", c.Orders[1].Mean, "no salient interaction is of this order")
	if !strings.Contains(strings.Join(c.Cautions, " "), "37.5 % of a case's strength lies above order 3") {
		t.Errorf("cautions: %v", c.Cautions)
	}
}

func TestAblationByHand(t *testing.T) {
	r := scoredCase("1", 8, inter(0b1, 1, "1"), inter(0b11, 2, "1"), inter(0b111, 1, "1"), inter(0b1110, 1, "6"), inter(0b1111, 9, "1"), inter(0b1000, 0.1, "1"))
	r.Others = []Competitor{{"other", Measured{State: Scored, Interactions: []Interaction{inter(0b1, 1, "1")}}}}
	c := onlyCell(t, Options{Judgements: []Judgement{
		{Item: "1", Model: "m", Target: "gold", Units: []string{"u3"}, Verdict: "invalid"}, // not salient
		{Item: "1", Model: "m", Target: "other", Units: []string{"u0"}, Verdict: "invalid"},
		{Item: "1", Model: "m", Target: "gold", Units: []string{"u1", "u0"}, Verdict: "invalid"},
		{Item: "1", Model: "m", Target: "gold", Units: []string{"u2", "u1", "u0"}, Verdict: "invalid"},
		{Item: "1", Model: "m", Target: "gold", Units: []string{"u0"}, Verdict: "valid"},
	}}, r)
	for i, want := range []struct{ budget, strength, suspicious, invalid float64 }{{9, 0.2, 1. / 3, 0}, {37, 0.6, 2. / 3, 0.5}, {93, 1, 1, 1}} {
		row := c.Ablation[i]
		if row.Order != i+1 || row.Budget != want.budget {
			t.Errorf("order %d: budget %v, want %v", row.Order, row.Budget, want.budget)
		}
		is(t, "strength", row.Strength, want.strength)
		is(t, "suspicious", row.Suspicious, want.suspicious)
		is(t, "invalid", row.Invalid, want.invalid)
	}
	r.Order = 2
	c = onlyCell(t, Options{}, r)
	missing(t, "strength", c.Ablation[0].Strength, "order 3 was not asked of 1 of 1")
	r.Order = 8
	missing(t, "invalid", onlyCell(t, Options{}, r).Ablation[2].Invalid, "there are none")
}

// distributed are cases of 4 units whose interactions have the given counts by order, in tenths of a percent of 1,000, and
// strengths by order.
func distributed(count, mean []float64) []Record {
	of := [][]lattice.Set{{1, 2, 4, 8}, {3, 5, 6, 9, 10, 12}, {7, 11, 13, 14}}
	left, all := make([]int, len(of)), 0
	for k, share := range count {
		left[k] = int(math.Round(10 * share))
		all += left[k]
	}
	var records []Record
	for all > 0 {
		r := scoredCase(fmt.Sprintf("%04d", len(records)), 4)
		for k, sets := range of {
			for _, s := range sets[:min(left[k], len(sets))] {
				r.Base.Interactions = append(r.Base.Interactions, inter(s, mean[k], "6"))
				left[k]--
				all--
			}
		}
		records = append(records, r)
	}
	return records
}
