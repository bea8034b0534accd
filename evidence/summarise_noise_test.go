package evidence

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
	"github.com/percuss/percuss/stat/lattice"
)

func TestFloorByHand(t *testing.T) {
	one := scoredCase("1", 2, inter(0b1, 0.6, "6"), inter(0b10, 3, "6"), inter(0b11, 0.9, "6"))
	two := scoredCase("2", 2, inter(0b1, 0.1, "6"), inter(0b10, 0.1, "6"), inter(0b11, 0.2, "6"))
	one.Noise = []Noise{{"order", 1, 0, 4, 2}, {"batch", 0, 0.5, 2, 2}, {"batch", 1, 1, 6, 2}, {"batch", 2, 0, 0, 2}}
	two.Noise = []Noise{{"batch", 1, 1, 2, 2}}
	c := onlyCell(t, Options{}, one, two)
	if len(c.Floor) != 4 {
		t.Fatalf("floor %+v", c.Floor)
	}
	margin, first, second := c.Floor[0], c.Floor[1], c.Floor[2]
	if margin.Order != 0 || margin.Of != 0 || first.Source != "batch" || first.Order != 1 {
		t.Errorf("margin %+v, first %+v", margin, first)
	}
	isNumber(t, "margin", margin.SD, 0.5)
	isNumber(t, "order 1", first.SD, 0.5)
	// Two cases, each asked twice more, are four degrees of freedom, whatever was measured in them: t = 2.776445 (R: qt(0.975, 4)).
	isNumber(t, "its floor", first.Floor, 0.5*2.7764451052)
	isNumber(t, "floor of the margin, one case", margin.Floor, 0.5*4.3026527297)
	if first.DoF != 4 || first.Cases != 2 || first.Under != 1 || first.Of != 2 {
		t.Errorf("order 1: %+v, want 1 of 2 salient ones under the floor", first)
	}
	if second.SD.OK() || second.Floor.OK() || second.Of != 1 {
		t.Errorf("nothing was repeated at order 2: %+v", second)
	}
	said := strings.Join(c.Cautions, "\n")
	for _, words := range []string{"1 of 2 salient interactions are below the floor of the noise between repetitions of the same prompts (1.39 at order 1)",
		"barely moves beyond it", "was measured on few cases (2)"} {
		if !strings.Contains(said, words) {
			t.Errorf("no caution says %q:\n%s", words, said)
		}
	}
}

// TestDiscoveryIsBenjaminiAndHochberg holds the list against the adjusted p-values of all interactions.
func TestDiscoveryIsBenjaminiAndHochberg(t *testing.T) {
	rng := percuss.Rand(3, "", "", "discovery")
	var records []Record
	var p []percuss.Number
	var strengths []float64
	for i := range 40 {
		r := scoredCase(fmt.Sprintf("%02d", i), 3)
		for s := lattice.Set(1); s < 8; s++ {
			v := rng.NormFloat64() * []float64{0.2, 1}[rng.IntN(2)]
			r.Base.Interactions = append(r.Base.Interactions, inter(s, v, "6"))
			sd := 0.2 * float64(s.Size())
			p = append(p, stat.StudentP(v/sd, 25))
			strengths = append(strengths, math.Abs(v))
		}
		records = append(records, r)
	}
	for k := 1; k <= 3; k++ {
		sd := 0.2 * float64(k)
		records[0].Noise = append(records[0].Noise, Noise{"batch", k, 75 * sd * sd, 75, 25})
	}
	listed, both, salient, largest := 0, 0, 0, 0.0
	for i, adjusted := range stat.BenjaminiHochberg(p) {
		salient += int(bit(strengths[i] >= Salient))
		if adjusted.Or(1) <= 0.05 {
			listed++
			both += int(bit(strengths[i] >= Salient))
			largest = max(largest, p[i].Or(0))
		}
	}
	d := onlyCell(t, Options{}, records...).Discovery
	if len(d) != 1 || listed == 0 || listed == salient {
		t.Fatalf("%d lists, %d expected on it of %d salient ones", len(d), listed, salient)
	}
	if d[0].Tested != 280 || d[0].Listed != listed || d[0].Both != both || d[0].Only != salient-both || d[0].Rate != 0.05 || d[0].Why != "" {
		t.Errorf("%+v, want %d listed, %d of them salient, %d salient in all", d[0], listed, both, salient)
	}
	isNumber(t, "largest p", d[0].P, largest)
	n := 0
	for _, o := range d[0].Orders {
		n += o.N
	}
	if n != listed {
		t.Errorf("by order %v", d[0].Orders)
	}
}

func TestDiscoveryWithoutNoise(t *testing.T) {
	r := scoredCase("1", 3, inter(0b1, 3, "6"), inter(0b11, 1, "6"), inter(0b111, 0.1, "6"))
	for _, c := range []struct {
		noise  []Noise
		tested int
		why    []string
	}{
		{[]Noise{{"batch", 1, 0, 9, 3}, {"batch", 2, 1e-30, 9, 3}, {"batch", 3, 0, 9, 3}}, 0, []string{"do not differ (standard deviation 0) at order 1, 2, 3"}},
		{[]Noise{{"batch", 1, 0, 9, 3}, {"batch", 2, 9e4, 9, 3}}, 1, []string{"at order 1:", "nothing was repeated at order 3", "no interaction stands out"}},
		{[]Noise{{"batch", 1, 0, 0, 3}}, 0, []string{"nothing was repeated at order 1, 2, 3"}},
	} {
		r.Noise = c.noise
		d := onlyCell(t, Options{}, r).Discovery
		if len(d) != 1 || d[0].Tested != c.tested || d[0].Listed != 0 || d[0].P.OK() {
			t.Errorf("%v: %+v", c.noise, d)
			continue
		}
		for _, words := range c.why {
			if !strings.Contains(d[0].Why, words) {
				t.Errorf("%v: %q does not say %q", c.noise, d[0].Why, words)
			}
		}
	}
	r.Noise = nil
	if c := onlyCell(t, Options{}, r); len(c.Discovery) != 0 || len(c.Floor) != 0 {
		t.Error("lists without any noise")
	}
}

// Of interactions that are noise only, a list holds something in about one cell of twenty, whatever their number.
func TestDiscoveryOfNothing(t *testing.T) {
	const cells = 400
	false_ := 0
	for i := range cells {
		rng := percuss.Rand(uint64(i), "", "", "nothing")
		var s strengths
		for range 300 {
			s.enter(1, math.Abs(rng.NormFloat64()))
		}
		n := Noise{"batch", 1, 0, 200, 200}
		for range n.DoF {
			v := rng.NormFloat64()
			n.Sum += v * v
		}
		s.repeat(n)
		false_ += int(bit(s.discover("batch", Salient).Listed > 0))
	}
	if false_ > 40 || false_ < 4 {
		t.Errorf("%d of %d lists of nothing are not empty, want about 5 %%", false_, cells)
	}
}

// A still model is not said to be measured on few cases, for more would show nothing else; five noisy ones are enough.
func TestCautionOfFewRepeatedCases(t *testing.T) {
	for _, c := range []struct {
		cases int
		sum   float64
		said  bool
	}{{2, 0, false}, {4, 0.3, true}, {5, 0.3, false}} {
		var records []Record
		for i := range 40 {
			r := scoredCase(fmt.Sprintf("%02d", i), 1, inter(1, 9, "6"))
			if i < c.cases {
				r.Noise = []Noise{{"batch", 1, c.sum, 2, 2}}
			}
			records = append(records, r)
		}
		said := strings.Join(onlyCell(t, Options{}, records...).Cautions, "\n")
		if strings.Contains(said, "differs between cases") != c.said {
			t.Errorf("%d cases, sum %g: %s", c.cases, c.sum, said)
		}
	}
}

// Where scores are averaged over rotations, the noise of one rotation says nothing of them.
func TestNoFloorOfRotations(t *testing.T) {
	r := scoredCase("1", 2, inter(0b1, 3, "6"), inter(0b10, 0.6, "6"))
	r.Noise = []Noise{{"batch", 0, 8, 2, 2}, {"batch", 1, 8, 2, 2}, {"order", 1, 8, 2, 2}}
	plain := onlyCell(t, Options{}, r)
	one := scoredCase("1", 2, inter(0b1, 2, "6")).Base
	r.Unrotated = &one
	c := onlyCell(t, Options{Debias: Cyclic}, r)
	if len(c.Floor) != 2 || len(c.Discovery) != 2 {
		t.Fatalf("%+v %+v", c.Floor, c.Discovery)
	}
	for i := range c.Floor {
		if f := c.Floor[i]; f.SD.OK() || f.Floor.OK() || f.Under != 0 || !strings.Contains(f.Why, "in one rotation") {
			t.Errorf("floor %+v", f)
		}
		if d := c.Discovery[i]; d.Tested != 0 || d.P.OK() || !strings.Contains(d.Why, "in one rotation") {
			t.Errorf("list %+v", d)
		}
	}
	noisy := func(c Cell) bool { return strings.Contains(strings.Join(c.Cautions, "\n"), "the noise") }
	if !noisy(plain) || noisy(c) {
		t.Errorf("without rotations %v; with them %v", plain.Cautions, c.Cautions)
	}
}

func TestRanksByHand(t *testing.T) {
	var records []Record
	for i, m := range []struct {
		right, faithful int
	}{{9, 1}, {5, 2}, {5, 8}, {1, 9}, {0, 10}, {10, 0}} {
		for k := range 10 {
			rule := "4a"
			if k < m.faithful {
				rule = "6"
			}
			r := scoredCase(fmt.Sprint(k), 1, inter(1, 1, rule))
			r.Subject.Model = fmt.Sprint("m", i)
			r.Base.Correct = k < m.right
			records = append(records, r)
		}
	}
	f := summed(t, Options{}, records...)
	if f.Ranks == nil || len(f.Ranks.Rows) != 1 || len(f.Ranks.Rows[0].Models) != 6 {
		t.Fatalf("ranks %+v", f.Ranks)
	}
	row := f.Ranks.Rows[0]
	// Of 15 pairs one is tied in accuracy, all others are ordered the other way.
	is(t, "faithful", row.Faithful, -14/math.Sqrt(14*15))
	is(t, "conflict", row.Conflict, 14/math.Sqrt(14*15))
	isNumber(t, "tied place", row.Models[1].ByAcc, 3.5)
	isNumber(t, "first place", row.Models[4].ByFaith, 1)
	isNumber(t, "last place", row.Models[4].ByConf, 6)
	if summed(t, Options{}, records[:10]...).Ranks != nil {
		t.Error("ranks of one model")
	}
}
