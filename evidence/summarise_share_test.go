package evidence

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// noisyCase is a case of 8 units whose interactions are noise, growing with the order as that of margins does, and what
// is added to them.
func noisyCase(i int, sd float64, add map[lattice.Set]float64) Record {
	rng := percuss.Rand(11, fmt.Sprint(i), "", "noise")
	r := scoredCase(fmt.Sprintf("%03d", i), 8)
	for s := lattice.Set(1); s < 256; s++ {
		of := sd * math.Pow(2, float64(s.Size())/2)
		r.Base.Interactions = append(r.Base.Interactions, either(s, of*rng.NormFloat64()+add[s], "6", "8"))
	}
	for k := 0; k <= 8; k++ {
		of := sd * math.Pow(2, float64(k)/2)
		r.Noise = append(r.Noise, Noise{Source: noiseBatch, Order: k, Sum: 10 * of * of, DoF: 10, Repeats: 1})
	}
	return r
}

func TestStrengthAboveOrderThreeIsHeldAgainstNoise(t *testing.T) {
	high := map[lattice.Set]float64{0b1111: 9, 0b1: 1}
	low := map[lattice.Set]float64{0b1: 9, 0b11: 9}
	for _, c := range []struct {
		name      string
		sd        float64
		add       map[lattice.Set]float64
		alone     float64 // share of the noise above order 3; 0: not known
		most, low float64 // what it explains at most, and at least
		said      bool
	}{
		{"noise alone", 0.3, nil, 0.8042, 0.84, 0.76, false},
		{"little noise, much above", 1e-4, high, 0.8042, 0.01, 0, true},
		{"little noise, nothing above", 1e-4, low, 0.8042, 0.01, 0, false},
		{"no noise, much above", 0, high, 0, 0, 0, true},
		{"no noise, nothing above", 0, low, 0, 0, 0, false},
	} {
		var records []Record
		for i := range 40 {
			records = append(records, noisyCase(i, c.sd, c.add))
		}
		cell := onlyCell(t, Options{}, records...)
		said := strings.Join(cell.Cautions, "\n")
		if strings.Contains(said, "stops there does not see it") != c.said {
			t.Errorf("%s: said %t: %s, explained %v\n%s", c.name, !c.said, cell.Above.Value.Format(3), cell.ByNoise, said)
		}
		if c.sd == 0 {
			if cell.ByNoise.Alone.OK() || cell.ByNoise.Most.OK() || cell.Strength[3].Noise.Most.OK() || cell.AboveFloor != nil {
				t.Errorf("%s: a share of noise where there is none: %+v", c.name, cell.ByNoise)
			}
			continue
		}
		if v := cell.ByNoise.Alone.Or(0); math.Abs(v-c.alone) > 0.0001 {
			t.Errorf("%s: noise alone gives %g, want %g", c.name, v, c.alone)
		}
		if v := cell.ByNoise.Most.Or(-1); v < c.low || v > c.most {
			t.Errorf("%s: noise explains %g, want %g to %g", c.name, v, c.low, c.most)
		}
		sum := 0.0
		for _, o := range cell.Strength {
			sum += o.Noise.Alone.Or(0)
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: noise alone adds up to %g over the orders", c.name, sum)
		}
	}
}

// How many sets there are of an order is known before anything is asked.
func TestCountsByOrderAreFixed(t *testing.T) {
	c := onlyCell(t, Options{}, noisyCase(0, 0.3, nil), noisyCase(1, 0.3, nil))
	o := c.Strength[1]
	is(t, "pairs", o.Share, 28./255)
	if o.Share.Lo.OK() || o.Share.Hi.OK() || o.Share.Num.Or(0) != 56 || o.Share.N != 2 || !strings.Contains(o.Share.Method, "fixed") {
		t.Errorf("%+v", o.Share)
	}
	if !o.Weight.Lo.OK() || !c.Orders[1].Share.Lo.OK() {
		t.Error("what is measured has no interval")
	}
	if c.Orders[1].Noise.Alone.OK() {
		t.Error("salient interactions were chosen by their strength: noise alone says nothing of their shares")
	}
}

func TestProfileAboveTheFloorByHand(t *testing.T) {
	r := scoredCase("1", 3, either(0b001, 3, "6", "8"), either(0b010, 0.6, "1", "8"), either(0b011, 0.9, "1", "8"), either(0b111, 5, "1", "8"), either(0b100, 1, "7", "7"))
	r.Noise = []Noise{{Source: noiseBatch, Order: 1, Sum: 10, DoF: 100, Repeats: 100}, {Source: noiseBatch, Order: 2, Sum: 0, DoF: 100, Repeats: 100},
		{Source: noiseOrder, Order: 3, Sum: 100, DoF: 100, Repeats: 100}}
	c := onlyCell(t, Options{}, r)
	p := c.AboveFloor
	if p == nil {
		t.Fatal("no profile above the floor")
	}
	// The floor of order 1 is 0.63, that of order 2 is 0, and order 3 has none of repeated prompts.
	if p.Salient != 3 || p.Targets != 1 || math.Abs(p.Strength-4.9) > 1e-9 || p.Name == "" || p.Threshold != Salient {
		t.Errorf("%d of strength %g in %d targets, %q from %g", p.Salient, p.Strength, p.Targets, p.Name, p.Threshold)
	}
	is(t, "suspicious", p.Suspicious, 0.9/4.9)
	is(t, "faithful", mechanism(t, p.Rules, "6").Share, 1./3)
	isNumber(t, "same sets", p.SameSets.Count, 0.5/3)
	if c.Gold.Salient != 5 {
		t.Errorf("the profile of all has %d", c.Gold.Salient)
	}
	for name, noise := range map[string][]Noise{"nothing repeated": nil, "no noise": {{Source: noiseBatch, Order: 1, DoF: 100, Repeats: 100}},
		"other orders": {{Source: noiseOrder, Order: 1, Sum: 10, DoF: 100, Repeats: 100}}} {
		r.Noise = noise
		if c := onlyCell(t, Options{}, r); c.AboveFloor != nil {
			t.Errorf("%s: a profile above the floor", name)
		}
	}
}

// Nothing is known of what a sentence is evidence for: that is missing, not 0.
func TestNarrativesHaveNoSuspiciousFigures(t *testing.T) {
	story := scoredCase("1", 3, either(0b001, 2, "n1", "n2"), either(0b010, -1, "n2", "n1"))
	story.Narrative = true
	for _, change := range []func(*Setting){func(s *Setting) { s.Hide = Neutralize }, func(s *Setting) { s.Selector = Random }} {
		other := story.Base
		change(&other.Setting)
		kind := ByHiding
		if other.Setting.Selector != "" {
			kind = BySelector
		}
		story.Variants = append(story.Variants, Variant{Measured: other})
		story.Compared = append(story.Compared, Comparison{Kind: kind, Of: other.Setting, With: story.Base.Setting, Overlap: percuss.Num(1)})
	}
	c := onlyCell(t, Options{}, story)
	if !c.Narrative || c.Prose != 1 {
		t.Errorf("narrative %t, %d", c.Narrative, c.Prose)
	}
	for _, p := range append([]Profile{c.Gold, c.Everyone}, c.Thresholds...) {
		for name, e := range map[string]percuss.Estimate{"ratio": p.Suspicious, "count": p.SuspCount, "per case": p.SuspCase, "overuse": p.Overuse, "coin": p.SameSets.ByCount} {
			missing(t, name, e, "in a narrative nothing is known of what a sentence is evidence for")
		}
		if p.OveruseCut.OK() || p.SameSets.Count.OK() || p.PerCase.Value.Or(0) == 0 {
			t.Errorf("threshold %g: %+v", p.Threshold, p)
		}
	}
	for _, s := range c.Stability {
		missing(t, s.Name, s.Suspicious, "in a narrative nothing is known")
		missing(t, s.Name, s.PerCase, "in a narrative nothing is known")
	}
	for _, s := range c.Selectors {
		missing(t, string(s.Selector), s.Suspicious, "in a narrative nothing is known")
	}
	if len(c.Stability) < 2 || len(c.Selectors) < 2 {
		t.Errorf("%d rows of checks, %d of selectors", len(c.Stability), len(c.Selectors))
	}
	missing(t, "ablation", c.Ablation[0].Suspicious, "in a narrative nothing is known")
	isNumber(t, "support", mechanism(t, c.Gold.Rules, "n1").SameSets.Count, 0.5)
	raw, err := json.Marshal(c.Gold)
	if err != nil || !strings.Contains(string(raw), `"suspicious":{"value":null`) {
		t.Errorf("%s (%v)", raw, err)
	}
}

// In a mixed set the suspicious figures count the cases with findings only, above and below the line.
func TestMixedSetsCountStructuredCases(t *testing.T) {
	patient := func(item string) Record {
		return hidden(scoredCase(item, 3, either(0b001, 3, "7", "7"), either(0b010, 1, "1", "8"), either(0b100, -1, "4a", "1")))
	}
	story := scoredCase("3", 3, either(0b001, 20, "n1", "n2"), either(0b010, 10, "n1", "n2"))
	story.Narrative = true
	story = hidden(story)
	alone, mixed := onlyCell(t, Options{}, patient("1"), patient("2")), onlyCell(t, Options{}, patient("1"), patient("2"), story)
	if mixed.Narrative || mixed.Prose != 1 || mixed.Gold.Salient != 8 {
		t.Errorf("narrative %t, %d; %d salient", mixed.Narrative, mixed.Prose, mixed.Gold.Salient)
	}
	for name, of := range map[string]func(Profile) percuss.Estimate{"ratio": func(p Profile) percuss.Estimate { return p.Suspicious },
		"count": func(p Profile) percuss.Estimate { return p.SuspCount }, "per case": func(p Profile) percuss.Estimate { return p.SuspCase },
		"overuse": func(p Profile) percuss.Estimate { return p.Overuse }, "coin": func(p Profile) percuss.Estimate { return p.SameSets.ByStrength }} {
		is(t, name, of(mixed.Gold), of(alone.Gold).Value.Or(-1))
		is(t, name+" of everyone", of(mixed.Everyone), of(alone.Everyone).Value.Or(-1))
	}
	for i, s := range mixed.Stability {
		is(t, s.Name, s.Suspicious, alone.Stability[i].Suspicious.Value.Or(-1))
		is(t, s.Name, s.PerCase, alone.Stability[i].PerCase.Value.Or(-1))
	}
	is(t, "ratio", mixed.Gold.Suspicious, 0.2)
	is(t, "per case", mixed.Gold.SuspCase, 1)
	is(t, "overuse", mixed.Gold.Overuse, 1./3)
	isNumber(t, "cut", mixed.Gold.OveruseCut, 3)
	if said := strings.Join(mixed.Cautions, "\n"); !strings.Contains(said, "1 of 3 cases are narratives") {
		t.Errorf("no caution: %s", said)
	}
	for _, p := range mixed.Thresholds {
		isNumber(t, "cut at every threshold", p.OveruseCut, 3)
	}
}

// hidden is a case that was asked with hidden units marked too, to the same effect.
func hidden(r Record) Record {
	other := r.Base
	other.Setting.Hide = Neutralize
	r.Variants = append(r.Variants, Variant{Measured: other})
	r.Compared = append(r.Compared, Comparison{Kind: ByHiding, Of: other.Setting, With: r.Base.Setting, Agree: percuss.Num(1)})
	return r
}
