package stat

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// AlphaScale is how far apart two labels are for Krippendorff's alpha.
type AlphaScale string

// The scales: Nominal labels are the same or not; Ordinal ones are as far apart as there are labels between them.
const (
	Nominal AlphaScale = "nominal"
	Ordinal AlphaScale = "ordinal"
)

// KrippendorffAlpha is one less observed over expected disagreement of labels that can be paired within an item
// (Krippendorff 2011, Computing Krippendorff's alpha-reliability; 2013, chapter 12). Any label may be missing; an item with
// fewer than two does not enter at all. The distance of two ordinal labels k < l is the square of
// n(k)/2 + n(k+1) + … + n(l)/2, with n(c) the labels of category c among those that can be paired; it is computed anew in
// every resample. It is absent where these are all of one category. Of perfect agreement there is no interval.
func KrippendorffAlpha(r Ratings, scale AlphaScale, o Options) percuss.Estimate {
	t, why := tallied(r, Weights{})
	if why != "" {
		return t.undefined(why)
	}
	if scale != Nominal && scale != Ordinal {
		return percuss.Absent(fmt.Sprintf("scale %q: alpha is %s or %s", scale, Nominal, Ordinal))
	}
	return t.estimate(t.alpha(scale), o)
}

// alpha is the coefficient. Its columns: the labels of each category that can be paired, and for each two categories the
// pairs of them, each item's by 1/(labels − 1).
func (t tally) alpha(scale AlphaScale) coefficient {
	q := t.categories
	c := coefficient{name: fmt.Sprintf("Krippendorff's alpha (%s)", scale), rows: make(Sums, len(t.items))}
	c.absent = fmt.Sprintf("all labels of the %d items are the same (agreement 1): alpha is not defined", t.several)
	for i, counts := range t.counts {
		row := make([]float64, q+q*(q-1)/2)
		c.rows[i] = row
		if t.labels[i] < 2 {
			continue
		}
		copy(row, counts)
		pairs := row[q:]
		for k, a := range counts {
			for _, b := range counts[k+1:] {
				pairs[0] = a * b / (t.labels[i] - 1)
				pairs = pairs[1:]
			}
		}
	}
	c.of = func(s []float64) float64 {
		labels, pairs := s[:q], s[q:]
		observed, expected, n := 0.0, 0.0, 0.0
		for k, a := range labels {
			n += a
			between := a / 2
			for _, b := range labels[k+1:] {
				distance := 1.0
				if scale == Ordinal {
					distance = (between + b/2) * (between + b/2)
				}
				between += b
				observed += pairs[0] * distance
				expected += a * b * distance
				pairs = pairs[1:]
			}
		}
		if expected == 0 {
			return math.NaN()
		}
		return 1 - observed*(n-1)/expected
	}
	return c
}
