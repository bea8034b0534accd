// Package stat turns counts and measurements into estimates: Wilson intervals, the bootstrap over items, paired
// differences, McNemar's test, tests of equivalence, multiplicity, correlations, the agreement of raters, how well scores
// tell two classes apart, whether confidence is the chance of being right, majority votes, and rates corrected for the
// errors of who judged.
//
// The caller states what is known of the data (which columns are numerator and denominator of a rate, which samples
// hold the same items); the package picks the method and names it in the estimate. The unit of every interval is the
// item: all trials of one item are resampled together.
//
// All functions are pure and may be called at once from several goroutines. Results depend on the arguments alone,
// not on the number of processors.
package stat

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// DefaultLevel is the level of intervals where none is given.
const DefaultLevel = 0.95

// DefaultReplicates is the number of bootstrap replicates where none is given.
const DefaultReplicates = 2000

// levelOf checks a confidence level; 0 stands for the default.
func levelOf(level float64) (float64, error) {
	if level == 0 {
		return DefaultLevel, nil
	}
	if !(level > 0 && level < 1) {
		return 0, fmt.Errorf("confidence level %v: give a share between 0 and 1, e.g. 0.95", level)
	}
	return level, nil
}

// normalQuantile returns the z that leaves (1−level)/2 of a standard normal distribution on either side.
func normalQuantile(level float64) float64 { return math.Sqrt2 * math.Erfinv(level) }

// number turns the package's own sign for "missing", NaN, into a missing percuss.Number.
func number(v float64) percuss.Number { return percuss.Num(v) }
