package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// either is an interaction with the rule that it would have under the other sign.
func either(set lattice.Set, value float64, rule, opposite string) Interaction {
	x := inter(set, value, rule)
	x.Opposite = opposite
	return x
}

func TestTheOtherSignsRuleIsThatOfTheTable(t *testing.T) {
	a := audit(func(o *Options) { o.MaxOrder = 0 })
	rec := record(t, a, subject(patient()), goldOnly(func(text string) float64 { return -4 + 2*shown(text, "g") - shown(text, "a", "b") }))
	flags := make([][]Flag, len(rec.Units))
	for i, u := range rec.Units {
		flags[i] = u.Flags
	}
	for _, x := range rec.Base.Interactions {
		var units [][]Flag
		for i := range x.Set.Units() {
			units = append(units, flags[i])
		}
		if own, opposite := embedded().Of(x.Value > 0, units, false).ID, embedded().Of(!(x.Value > 0), units, false).ID; x.Rule != own || x.Opposite != opposite {
			t.Fatalf("%b of %g: %s or %s, want %s or %s", x.Set, x.Value, x.Rule, x.Opposite, own, opposite)
		}
	}
}

// Salient: 6 or 8 of strength 3, 1 or 8 of 1, 4a or 1 of 2, 4a or 4b (one label) of 2. Each counts half under either.
func TestSameSetsByHand(t *testing.T) {
	c := onlyCell(t, Options{}, scoredCase("1", 3, either(0b001, 3, "6", "8"), either(0b010, 1, "1", "8"),
		either(0b100, -2, "4a", "1"), either(0b101, -2, "4a", "4b"), either(0b011, 0.1, "1", "8")))
	g := c.Gold
	for _, w := range []struct {
		name                                 string
		coin                                 Coin
		count, strength, byCount, byStrength float64
	}{
		{"suspicious", g.SameSets, 1. / 4, 1.5 / 8, 1. / 2, 1. / 3},
		{"conflict", mechanism(t, g.Mechanisms, "differential conflict/cancellation").SameSets, 1.5 / 4, 3. / 8, 1, 1},
		{"negated", mechanism(t, g.Coarse, "negated").SameSets, 1. / 4, 1.5 / 8, 1. / 2, 1. / 3},
		{"rule 4a", mechanism(t, g.Rules, "4a").SameSets, 1. / 4, 2. / 8, 1, 1},
		{"rule 4b", mechanism(t, g.Rules, "4b").SameSets, 0.5 / 4, 1. / 8, 0, 0},
		{"everyone's weak", mechanism(t, c.Everyone.Rules, "8").SameSets, 1. / 4, 2. / 8, 0, 0},
		{"weak at 0.25", mechanism(t, c.Thresholds[0].Rules, "8").SameSets, 1. / 4, 2. / 8, 0, 0},
	} {
		isNumber(t, w.name+" count", w.coin.Count, w.count)
		isNumber(t, w.name+" strength", w.coin.Strength, w.strength)
		is(t, w.name+" by count", w.coin.ByCount, w.byCount)
		is(t, w.name+" by strength", w.coin.ByStrength, w.byStrength)
	}
	missing(t, "background", mechanism(t, g.Rules, "7").SameSets.ByCount, "of another under the other")
	isNumber(t, "background", mechanism(t, g.Rules, "7").SameSets.Count, 0)

	// What the other sign would make of an interaction is never guessed.
	c = onlyCell(t, Options{}, scoredCase("1", 2, inter(0b01, 3, "6"), either(0b10, 1, "1", "8")))
	missing(t, "one-sided", c.Gold.SameSets.ByCount, "is not known")
	if c.Gold.SameSets.Count.OK() {
		t.Error("a null without the other sign's rules")
	}
}

// A coin gives every interaction a label, in every profile.
func TestCoinsAddUp(t *testing.T) {
	var records []Record
	for i := range 6 {
		records = append(records, synthetic(i, 3))
	}
	c := onlyCell(t, Options{Bootstrap: 20}, records...)
	if c.AboveFloor == nil {
		t.Fatal("no profile above the floor")
	}
	for _, p := range append([]Profile{c.Gold, c.Everyone, *c.AboveFloor}, c.Thresholds...) {
		for _, table := range [][]Mechanism{p.Mechanisms, p.Rules, p.Coarse} {
			count, strength, suspicious := 0.0, 0.0, 0.0
			for _, m := range table {
				count, strength = count+m.SameSets.Count.Or(0), strength+m.SameSets.Strength.Or(0)
				if m.Suspicious {
					suspicious += m.SameSets.Count.Or(0)
				}
			}
			if math.Abs(count-1) > 1e-9 || math.Abs(strength-1) > 1e-9 {
				t.Errorf("threshold %g %s: a coin's shares add up to %g and %g", p.Threshold, p.Name, count, strength)
			}
			isNumber(t, "suspicious", p.SameSets.Count, suspicious)
		}
	}
}

// A model whose salient interactions are single units of a coin's signs is told from a coin by the same sets about once in
// twenty cells. By all sets it would be nearly always, for triples have other labels than single units.
func TestAQuietCoinIsACoin(t *testing.T) {
	const cells, cases = 100, 40
	labels := embedded()
	same, all := 0, 0
	for i := range cells {
		rng := percuss.Rand(uint64(i), "", "", "quiet")
		var records []Record
		for k := range cases {
			flags := make([][]Flag, 8)
			for u := range flags {
				flags[u] = [][]Flag{{Symptom}, {Symptom, Other}, {Antecedent}, {OtherOnly, Other}, {Absent}}[rng.IntN(5)]
			}
			r := scoredCase(fmt.Sprintf("%03d", k), 8)
			r.Null, _ = labels.NullCounts(flags, 3, false)
			for u := range 8 {
				positive := rng.IntN(2) == 0
				x := inter(1<<u, map[bool]float64{true: 1, false: -1}[positive], labels.Of(positive, flags[u:u+1], false).ID)
				x.Opposite = labels.Of(!positive, flags[u:u+1], false).ID
				r.Base.Interactions = append(r.Base.Interactions, x)
			}
			records = append(records, r)
		}
		c := New(Options{Seed: uint64(i), Bootstrap: 200, Labels: labels}).Summarise(sequenceOf(records...)).(Findings).Cells[0]
		e := c.Gold.SameSets.ByCount
		same += int(bit(e.Lo.Or(0) > half || e.Hi.Or(1) < half))
		m := mechanism(t, c.Gold.Mechanisms, "background/history influence")
		all += int(bit(m.Share.Lo.Or(0) > m.Null.Or(0)))
	}
	t.Logf("told from a coin: by the same sets %d, by all sets %d of %d", same, all, cells)
	if same > 15 || all < 90 {
		t.Errorf("told from a coin: by the same sets %d, by all sets %d of %d", same, all, cells)
	}
}

// A model that uses its evidence soundly is never said to have more suspicious interactions than a coin.
func TestASoundQuietModelIsNotBlamed(t *testing.T) {
	var records []Record
	for k := range 40 {
		records = append(records, scoredCase(fmt.Sprintf("%03d", k), 3, either(0b001, 2, "6", "8"), either(0b010, -1, "4a", "3"), either(0b100, 1, "7", "7")))
	}
	g := onlyCell(t, Options{}, records...).Gold
	is(t, "suspicious", g.Suspicious, 0)
	isNumber(t, "a coin's", g.SameSets.Count, 1./6)
	is(t, "where the sign decides", g.SameSets.ByCount, 0)
	if hi, ok := g.SameSets.ByCount.Hi.Get(); !ok || hi > 0.2 || hi <= 0 {
		t.Errorf("interval up to %v, want some of Wilson's width", hi)
	}
}

func TestNullCaution(t *testing.T) {
	cautions := func(faithful int) string {
		var records []Record
		for i := range 60 {
			x := either(1, -1, "4a", "6")
			if i < faithful {
				x = either(1, 1, "6", "4a")
			}
			records = append(records, scoredCase(fmt.Sprintf("%03d", i), 1, x))
		}
		return strings.Join(onlyCell(t, Options{}, records...).Cautions, "\n")
	}
	for faithful, want := range map[int]bool{30: true, 28: true, 58: false, 2: false} {
		if got := strings.Contains(cautions(faithful), "what a coin for the signs"); got != want {
			t.Errorf("%d of 60: said %t, want %t:\n%s", faithful, got, want, cautions(faithful))
		}
	}
}

// A label that does not occur is not named; where it should have occurred the distribution is no coin's.
func TestNullCautionNamesWhatOccurs(t *testing.T) {
	var records []Record
	for i := range 60 {
		x := []Interaction{either(0b01, 1, "6", "4a"), either(0b01, -1, "4a", "6")}[i%2]
		r := scoredCase(fmt.Sprintf("%03d", i), 2, x, either(0b10, -1, "8", "1"))
		r.Null = map[string]int{"1": 5, "8": 5}
		records = append(records, r)
	}
	said := onlyCell(t, Options{}, records...).Cautions
	at := slices.IndexFunc(said, func(s string) bool { return strings.Contains(s, "a coin for the signs") })
	if at < 0 {
		t.Fatalf("no caution: %v", said)
	}
	for words, want := range map[string]bool{"No label's": false, "faithful target evidence (50.0 %, by a coin 25.0 %)": false, "faithful target evidence (25.0 %, by a coin 25.0 %)": true,
		"conflict": true, "negated": false, "redundancy": false, "background": false} {
		if strings.Contains(said[at], words) != want {
			t.Errorf("says %q: %t, want %t: %s", words, !want, want, said[at])
		}
	}
}
