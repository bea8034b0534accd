package stat

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
)

// Statistic maps weighted column sums to the metrics of a sample, always in the same order and number. It is called
// from several goroutines, must not keep sums, and returns a fresh slice; a metric whose denominator is 0 is missing.
type Statistic func(sums []float64) []percuss.Number

// Options say how to resample. The zero value is usable.
type Options struct {
	Seed       uint64
	Replicates int      // 0: DefaultReplicates
	Level      float64  // of intervals; 0: DefaultLevel
	Metrics    []Metric // in the order of the statistic; nil: nothing is known about any of them

	Resamples *Resamples // shared by draws on the same items, which saves time and changes nothing; nil: none
}

// Metric tells what a metric is, for its numerator and denominator and for the interval when no resample differs from
// the sample: the percentile interval would then have zero width and read as certainty.
type Metric struct {
	// Num and Den are the columns whose sums are numerator and denominator of a rate or of a mean of rates. The items
	// with a positive denominator are its units. When no resample differs, Wilson's interval on that many items
	// replaces the percentile interval of a rate.
	Num, Den []int
	// Parts make up a metric that is a constant plus a linear combination of earlier metrics, such as FCS. When no
	// resample differs its interval is added up from those of its parts, which is never too narrow.
	Parts []Part
	// Extreme says of which earlier metrics it is an extreme, for then its interval is another.
	Extreme Extreme
	// Constant is what the parts, or the terms, are added to, where they are all that the metric is: it is then computed from
	// them, and the statistic is called for the sample alone. Missing: it is not told, or 0 where there are terms.
	Constant percuss.Number
	// Terms are what the metric is the sum of, computed from column sums. Like Constant they save the calls of the statistic,
	// when each metric of a draw that has a value is told by one of them or is an extreme.
	Terms []Term
	// Changed reports whether an item's row differs between the two arms of a difference; it is false for an item that
	// does not count towards the metric. When no resample differs the estimate says how many items changed, and how
	// many might.
	Changed func(row []float64) bool
	// Difference says that the metric is no rate although it has Num and Den: Wilson's interval is then never used.
	Difference bool
	// Absent is the reason given where the metric is missing; empty: a general one.
	Absent string
}

// Term is the mean of some quotients, over those that there are, times a factor. It is missing where there is none.
type Term struct {
	Factor float64
	Mean   []Quotient
}

// Quotient is a weighted sum of columns over a sum of columns, less another such quotient where there is one. It is
// missing where its denominator is 0, or that of the other.
type Quotient struct {
	Num     []int
	Factors []float64 // of the columns of Num; nil: 1 each
	Den     []int
	Less    *Quotient // without a Less of its own
	// Range is the least and the most that one item can give, e.g. 0 and 1 for a rate. With it a quotient that no resample
	// moves, or that stands on fewer than ten items, widens the interval of what it enters. Zero: it is not known.
	Range [2]float64
}

// Part is one term of a linear combination.
type Part struct {
	Metric int     // index of an earlier metric
	Factor float64 // what it is multiplied by
}

// Sample is the matrix of one cell and the name of its items.
type Sample struct {
	// Key names the list of items, usually the data set. Samples with equal keys must hold the same items in the same
	// order, and get the same resamples: then differences and means over models are paired.
	Key   string
	Items []string // ids in the order of the rows; optional, compared where samples of one key meet
	Sums  Sums
}

// itemsKey is the resampling key where there is only one list of items.
const itemsKey = "items"

// Bootstrap estimates the metrics of one sample: the statistic with unit weights, and the percentile interval over
// replicates that resample the items (Efron and Tibshirani 1993, chapter 13; quantiles of type 7 of Hyndman and Fan).
// Metrics that share a call share every resample. See Draw for the errors.
func Bootstrap(x Sums, stat Statistic, o Options) ([]percuss.Estimate, error) {
	d, err := Draw(Sample{Key: itemsKey, Sums: x}, stat, o)
	if err != nil {
		return nil, err
	}
	return d.Estimates(), nil
}

// Combination says how strata are put together.
type Combination int

// The two ways: the mean of the strata's statistics, or the statistic of the strata's summed columns.
const (
	MeanOfStrata Combination = iota
	PooledSums
)

// BootstrapStrata estimates metrics over several samples, each resampled by itself under its own key. Under
// MeanOfStrata a stratum in which a metric is missing is left out of that metric's mean.
func BootstrapStrata(strata []Sample, stat Statistic, how Combination, o Options) ([]percuss.Estimate, error) {
	if how == PooledSums {
		d, err := DrawPooled(strata, stat, o)
		if err != nil {
			return nil, err
		}
		return d.Estimates(), nil
	}
	parts := make([]*Draws, len(strata))
	for i, s := range strata {
		d, err := Draw(s, stat, o)
		if err != nil {
			return nil, err
		}
		parts[i] = d
	}
	d, err := Average(parts...)
	if err != nil {
		return nil, err
	}
	return d.Estimates(), nil
}

// checked returns the options with defaults filled in.
func (o Options) checked() (Options, error) {
	level, err := levelOf(o.Level)
	if err != nil {
		return o, err
	}
	o.Level = level
	if o.Replicates < 0 {
		return o, fmt.Errorf("%d bootstrap replicates: give a positive number, or 0 for %d", o.Replicates, DefaultReplicates)
	}
	if o.Replicates == 0 {
		o.Replicates = DefaultReplicates
	}
	for i, m := range o.Metrics {
		for _, part := range m.Parts {
			if part.Metric < 0 || part.Metric >= i {
				return o, fmt.Errorf("metric %d: part %d is no earlier metric", i, part.Metric)
			}
		}
		for _, j := range m.Extreme.Of {
			if j < 0 || j >= i {
				return o, fmt.Errorf("metric %d: it cannot be an extreme of metric %d, which is no earlier one", i, j)
			}
		}
	}
	return o, nil
}

// checkKeys makes sure that samples of one key hold the same items.
func checkKeys(samples []Sample) error {
	first := map[string]Sample{}
	for _, s := range samples {
		if s.Key == "" {
			return fmt.Errorf("a sample of %d items has no resampling key: name its items, e.g. by the data set", len(s.Sums))
		}
		if s.Items != nil && len(s.Items) != len(s.Sums) {
			return fmt.Errorf("%s: %d item ids for %d rows", s.Key, len(s.Items), len(s.Sums))
		}
		f, seen := first[s.Key]
		switch {
		case !seen:
			first[s.Key] = s
		case len(f.Sums) != len(s.Sums):
			return fmt.Errorf("%s: samples of %d and of %d items: samples with one key must hold the same items; align them by id, or give them keys of their own", s.Key, len(f.Sums), len(s.Sums))
		case f.Items != nil && s.Items != nil && !slices.Equal(f.Items, s.Items):
			return fmt.Errorf("%s: samples with different items: samples with one key must hold the same items in the same order; align them by id", s.Key)
		}
	}
	return nil
}
