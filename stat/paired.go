package stat

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// Observation is what was measured on one item, e.g. 1 for a right answer and 0 for a wrong one.
type Observation struct {
	Item  string
	Value float64
}

// PairedDifference estimates mean(a) − mean(b) of two arms measured on the same items, joined by item id whatever
// their order. Both arms take part in a resample with the same index vector, so that what items share cancels. The
// result does not depend on the order of the observations.
//
// It fails, naming items, when the arms hold different items, or one item twice, or a value that is no number. When
// no item changed the interval has no width and a warning bounds the rate of change.
func PairedDifference(a, b []Observation, o Options) (percuss.Estimate, error) {
	x, err := joinByItem(a, b)
	if err != nil {
		return percuss.Estimate{}, fmt.Errorf("paired difference: %w", err)
	}
	o.Metrics = []Metric{{Changed: func(row []float64) bool { return row[0] != row[1] }}}
	estimates, err := Bootstrap(x, meanDifference, o)
	if err != nil {
		return percuss.Estimate{}, err
	}
	e := estimates[0]
	if e.Method != "" {
		e.Method = "paired difference; " + e.Method
	}
	return e, nil
}

// joinByItem returns a row (value in a, value in b, 1) for each item, in the order of the ids.
func joinByItem(a, b []Observation) (Sums, error) {
	first, err := byItem(a, "first")
	if err != nil {
		return nil, err
	}
	second, err := byItem(b, "second")
	if err != nil {
		return nil, err
	}
	var strays []string
	for id := range first {
		if _, ok := second[id]; !ok {
			strays = append(strays, id)
		}
	}
	for id := range second {
		if _, ok := first[id]; !ok {
			strays = append(strays, id)
		}
	}
	if len(strays) > 0 {
		return nil, fmt.Errorf("items in one arm only: %d (%s); give both arms the same items", len(strays), some(strays))
	}
	x := make(Sums, 0, len(first))
	for _, id := range slices.Sorted(maps.Keys(first)) {
		x = append(x, []float64{first[id], second[id], 1})
	}
	return x, nil
}

// meanDifference is the statistic of PairedDifference: columns are both values and 1.
func meanDifference(sums []float64) []percuss.Number {
	return []percuss.Number{percuss.Num((sums[0] - sums[1]) / sums[2])}
}

// byItem indexes an arm.
func byItem(arm []Observation, name string) (map[string]float64, error) {
	out := make(map[string]float64, len(arm))
	for _, o := range arm {
		if _, twice := out[o.Item]; twice {
			return nil, fmt.Errorf("item %q stands twice in the %s arm", o.Item, name)
		}
		if math.IsNaN(o.Value) || math.IsInf(o.Value, 0) {
			return nil, fmt.Errorf("item %q of the %s arm has the value %v: leave it out of both arms", o.Item, name, o.Value)
		}
		out[o.Item] = o.Value
	}
	return out, nil
}

// some lists the first few ids for a message.
func some(ids []string) string {
	slices.Sort(ids)
	if len(ids) > 3 {
		return strings.Join(ids[:3], ", ") + ", …"
	}
	return strings.Join(ids, ", ")
}
