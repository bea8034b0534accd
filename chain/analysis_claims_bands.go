package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// BandWidth is how far the firing rate of a whole split may lie from the middle of its band.
const BandWidth = 0.01

// Band is the share of a whole published split on which any of the operators fires, by a count with regular expressions
// (chain audit, section 4). It guards against a loader, or an operator, that silently misses its texts.
type Band struct {
	Operators []string
	Rate      float64
}

// Bands returns the bands of a published split of a data set, and the number of its rows; none where nothing is known of
// it. They are of edits of the question alone.
func Bands(set, split string) (bands []Band, rows int) {
	age, sex := []string{"M2-age-a", "M2-age-b"}, []string{"M2-sex"}
	m1, m4, m5, m6 := []string{"M1-a", "M1-b"}, []string{"M4-a", "M4-b"}, []string{"M5-a", "M5-b"}, []string{"M6-a", "M6-b"}
	switch set + " " + split {
	case "medqa test":
		return []Band{{m1, 0.99}, {age, 0.89}, {sex, 0.89}, {m4, 0.28}, {m5, 0.25}, {m6, 0.07}}, 1273
	case "medmcqa val":
		return []Band{{m1, 0.09}, {age, 0.03}, {sex, 0.06}, {m4, 0.03}, {m5, 0.03}}, 4183
	case "mmlu-medical test":
		return []Band{{age, 0.24}, {sex, 0.26}, {m4, 0.03}, {m5, 0.08}, {m6, 0.01}}, 1099
	case "pubmedqa test", "pubmedqa all":
		return []Band{{m5, 0.05}}, 500
	}
	return nil, 0
}

// bands claim, for each data set of which it is known, that the operators fire as often as on the whole split. A drawn
// sample may miss a band by chance, so its interval need only touch it.
func (c *runClaims) bands(s *summary) []percuss.Claim {
	if c.l.stem != StemQuestion {
		return nil
	}
	var out []percuss.Claim
	for _, set := range sorted(c.fired) {
		known, _ := Bands(set, c.split[set])
		known = slices.DeleteFunc(known, func(b Band) bool {
			return slices.ContainsFunc(b.Operators, func(id string) bool { _, has := c.l.index[id]; return !has })
		})
		if len(known) == 0 || len(c.fired[set]) == 0 {
			continue
		}
		out = append(out, c.band(set, known, s.o.Level))
	}
	return out
}

// band holds one data set against its bands. The measurement is that of the band it is farthest from.
func (c *runClaims) band(set string, known []Band, level float64) percuss.Claim {
	var outside, all []string
	worst, gap := percuss.Estimate{}, -1.0
	for _, b := range known {
		fired := 0
		for _, ops := range c.fired[set] {
			fired += int(bit(slices.ContainsFunc(b.Operators, func(id string) bool { return ops[c.l.index[id]] })))
		}
		// Several bands are looked at, so that each has its share of the level.
		e := stat.Wilson(fired, len(c.fired[set]), 1-(1-level)/float64(len(known)))
		name := fmt.Sprintf("%s %s against %.2f", strings.Join(b.Operators, " or "), e.Value.Format(3), b.Rate)
		all = append(all, name)
		if d := max(e.Lo.Or(0)-(b.Rate+BandWidth), (b.Rate-BandWidth)-e.Hi.Or(1)); d > 0 {
			outside = append(outside, name)
			if d > gap {
				worst, gap = e, d
			}
		} else if gap < 0 {
			worst, gap = e, 0
		}
	}
	verdict, shown := percuss.ClaimHolds, strings.Join(all, ", ")
	if len(outside) > 0 {
		verdict, shown = percuss.ClaimFails, "outside: "+strings.Join(outside, ", ")
	}
	return claim("firing-bands", set, "Edits of the question fire as often as on the whole published split.", verdict, worst,
		fmt.Sprintf("%s, n = %d", shown, len(c.fired[set])), fmt.Sprintf("a firing rate whose interval lies outside its band of ±%.2f", BandWidth))
}
