package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/percuss/percuss"
)

// DefaultBins is the number of bins where none is given.
const DefaultBins = 10

// Binning says how confidences are put into bins. The zero value is ten bins of equal width.
type Binning struct {
	Bins int // 0: DefaultBins
	// EqualMass makes bins of like many forecasts. Their borders are quantiles of the forecasts at hand, and are kept as they are
	// for all resamples. Equal confidences are never parted, so there may be fewer bins. Otherwise all bins are equally
	// wide, from 0 to 1.
	EqualMass bool
}

// String names the bins, e.g. "10 bins of equal width".
func (b Binning) String() string {
	n := b.Bins
	if n == 0 {
		n = DefaultBins
	}
	if b.EqualMass {
		return fmt.Sprintf("%d bins of equal mass", n)
	}
	return fmt.Sprintf("%d bins of equal width", n)
}

// upper are the upper borders of the bins: the last is 1, so that a confidence of exactly 1 is in the last bin.
func (b Binning) upper(f []Forecast) []float64 {
	if !b.EqualMass {
		out := make([]float64, b.Bins)
		for i := range out {
			out[i] = float64(i+1) / float64(b.Bins)
		}
		return out
	}
	confidences := make([]float64, len(f))
	for i, one := range f {
		confidences[i] = one.Confidence
	}
	slices.Sort(confidences)
	var out []float64
	for i := 1; i < b.Bins && len(confidences) > 0; i++ {
		// As many forecasts lie at or below this one as below the quantile of type 7, without its rounding.
		out = append(out, confidences[i*(len(confidences)-1)/b.Bins])
	}
	return append(out, 1) // a border that comes twice makes a bin that stays empty
}

// binned are forecasts in bins.
type binned struct {
	by          Binning
	bins        []Bin // those with a forecast, without estimates
	items       []string
	sums        Sums        // a row for each item
	confidences [][]float64 // of each bin, in the order of the items
}

// apply puts forecasts into bins, items and forecasts in an order that does not depend on theirs.
func (b Binning) apply(f []Forecast) (binned, error) {
	if b.Bins < 0 {
		return binned{}, fmt.Errorf("calibration over %d bins: give a positive number, or 0 for %d", b.Bins, DefaultBins)
	}
	if b.Bins == 0 {
		b.Bins = DefaultBins
	}
	f = slices.Clone(f)
	slices.SortFunc(f, func(x, y Forecast) int {
		return cmp.Or(cmp.Compare(x.Item, y.Item), cmp.Compare(x.Confidence, y.Confidence), cmp.Compare(x.outcome(), y.outcome()))
	})
	for _, one := range f {
		if !(one.Confidence >= 0 && one.Confidence <= 1) {
			return binned{}, fmt.Errorf("calibration: item %q has the confidence %v: give a number from 0 to 1, or leave the forecast out", one.Item, one.Confidence)
		}
	}
	x, upper := binned{by: b}, b.upper(f)
	number := make([]int, len(upper)) // forecasts of a bin
	for _, one := range f {
		number[sort.SearchFloat64s(upper, one.Confidence)]++
	}
	place, lo := make([]int, len(upper)), 0.0
	for i, hi := range upper {
		if number[i] > 0 {
			place[i], x.bins = len(x.bins), append(x.bins, Bin{Lo: lo, Hi: hi, N: number[i]})
		}
		lo = hi
	}
	x.confidences = make([][]float64, len(x.bins))
	for i, one := range f {
		if i == 0 || one.Item != f[i-1].Item {
			x.items, x.sums = append(x.items, one.Item), append(x.sums, make([]float64, binAt(len(x.bins))))
		}
		bin := place[sort.SearchFloat64s(upper, one.Confidence)]
		x.confidences[bin] = append(x.confidences[bin], one.Confidence)
		one.enter(x.sums[len(x.sums)-1], bin)
	}
	return x, nil
}

// outcome is 1 for a right answer and 0 for a wrong one.
func (f Forecast) outcome() float64 {
	if f.Correct {
		return 1
	}
	return 0
}

// enter adds a forecast to the row of its item.
func (f Forecast) enter(row []float64, bin int) {
	c, y := f.Confidence, f.outcome()
	for _, at := range []int{0, binAt(bin)} {
		row[at+inNumber]++
		row[at+inConfidence] += c
		row[at+inCorrect] += y
	}
	row[inSquares] += (c - y) * (c - y)
	at := row[binAt(bin):]
	at[inSquares] += c * c
	at[inBoth] += c * y
}

// statistic computes the metrics from sums over items.
func (x binned) statistic(each bool) Statistic {
	return func(sums []float64) []percuss.Number {
		v := make([]float64, overall, overall+2*len(x.bins))
		n := sums[inNumber]
		confidence, accuracy := sums[inConfidence]/n, sums[inCorrect]/n
		for i := range x.bins {
			bin := sums[binAt(i):]
			k := bin[inNumber]
			if k > 0 { // a resample may have left it empty
				addBin(v, bin, n, accuracy)
			}
			if each {
				v = append(v, bin[inConfidence]/k, bin[inCorrect]/k)
			}
		}
		v[atBrier] = sums[inSquares] / n
		v[atUncertainty] = accuracy * (1 - accuracy)
		v[atWithin] = v[atVariance] - v[atCovariance]
		v[atConfidence], v[atAccuracy], v[atOver] = confidence, accuracy, confidence-accuracy
		out := make([]percuss.Number, len(v))
		for i := range v {
			out[i] = number(v[i])
		}
		return out
	}
}

// addBin adds what a bin of so many forecasts among n gives to the metrics that are sums over bins.
func addBin(v, bin []float64, n, accuracy float64) {
	k := bin[inNumber]
	c, y := bin[inConfidence]/k, bin[inCorrect]/k
	v[atECE] += k / n * math.Abs(y-c)
	v[atMCE] = max(v[atMCE], math.Abs(y-c))
	v[atReliability] += k / n * (y - c) * (y - c)
	v[atResolution] += k / n * (y - accuracy) * (y - accuracy)
	v[atVariance] += max(0, bin[inSquares]-k*c*c) / n // rounding makes that of equal confidences negative
	v[atCovariance] += 2 * (bin[inBoth] - k*c*y) / n
}
