package evidence

import (
	"fmt"
	"math"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// noiseOf is a source of noise at an order.
type noiseOf struct {
	source string
	order  int
}

// pooled is the noise of several cases. Its Repeats are the degrees of freedom: the measurements of a case share their
// prompts, and noise differs between cases, so that a case counts for its repetitions, however much was measured.
type pooled struct {
	Noise
	cases int
}

// sd is the standard deviation of one measurement, nats; missing where nothing was repeated.
func (n pooled) sd() percuss.Number {
	if n.DoF < 1 {
		return percuss.Number{}
	}
	return percuss.Num(math.Sqrt(n.Sum / float64(n.DoF)))
}

// floor is what one measurement exceeds once in twenty times by noise alone, nats; missing where there is no sd.
func (n pooled) floor() percuss.Number {
	t, known := stat.StudentQuantile(falsely, n.Repeats).Get()
	sd, ok := n.sd().Get()
	if !known || !ok {
		return percuss.Number{}
	}
	return percuss.Num(t * sd)
}

// repeated adds a case's repetitions.
func (s *strengths) repeated(r Record) {
	s.rotated = s.rotated || r.Unrotated != nil
	for _, n := range r.Noise {
		s.repeat(n)
	}
}

func (s *strengths) repeat(n Noise) {
	if s.noise == nil {
		s.noise = map[noiseOf]pooled{}
	}
	at := noiseOf{n.Source, n.Order}
	sum := s.noise[at]
	sum.Source, sum.Order = n.Source, n.Order
	sum.Sum, sum.DoF = sum.Sum+n.Sum, sum.DoF+n.DoF
	if n.DoF > 0 {
		sum.Repeats, sum.cases = sum.Repeats+n.Repeats, sum.cases+1
	}
	s.noise[at] = sum
}

// fewRepeated is the number of repeated cases below which a floor is rough: noise differs between cases.
const fewRepeated = 5

// floorCautions say where noise is as large as what is measured, and where it was measured on few cases. A source
// without a floor is passed over: its row says why.
func (c *cell) floorCautions(out Cell, say sayer) {
	noise := map[string]string{noiseBatch: "between repetitions of the same prompts", noiseOrder: "between candidate orders"}
	for _, source := range []string{noiseBatch, noiseOrder} {
		var floors []string
		under, of, fewest, low := 0, 0, 0, 0
		for _, row := range out.Floor {
			floor, ok := row.Floor.Get()
			if row.Source != source || row.Order < 1 || row.Order > len(c.strength.byOrder) || !ok {
				continue
			}
			under, of = under+row.Under, of+row.Of
			if row.SD.Or(0) >= exact && (fewest == 0 || row.Cases < fewest) {
				fewest = row.Cases
			}
			median, ok := stat.Quantile(c.strength.byOrder[row.Order-1], 0.5).Get()
			floors = append(floors, fmt.Sprintf("%s at order %d", percuss.Num(floor).Format(2), row.Order))
			low += int(bit(ok && median < floor))
		}
		barely := ""
		if low > 0 && low == len(floors) {
			barely = " Most interactions of every order are: the gold's margin barely moves beyond it."
		}
		say(under > 0, "%d of %d salient interactions are below the floor of the noise %s (%s).%s", under, of, noise[source], strings.Join(floors, ", "), barely)
		say(fewest > 0 && fewest < fewRepeated, "The noise %s was measured on few cases (%d), and it differs between cases: floor and list are rough below %d of them.", noise[source], fewest, fewRepeated)
	}
}
