package stat

import (
	"fmt"
	"maps"
	"slices"
)

// NoLabel stands in Ratings.Items for a label that a rater did not give.
const NoLabel = -1

// Ratings are the labels of items by raters: Items[i][r] is what rater r said of item i, as an index into Categories, or
// NoLabel. Categories are all that a rater could choose from, used or not; where the scale is ordinal they are in its order.
//
// What agreement there is:
//   - PercentAgreement and ExactAgreement, which chance does not enter: they are to be told beside every kappa;
//   - CohenKappa for two raters, or the mean over the pairs of more, with weights where the scale is ordinal;
//   - FleissKappa for raters who are exchangeable, such as another pair for each item;
//   - KrippendorffAlpha, nominal or ordinal, for any pattern of missing labels;
//   - GwetAC, AC1 without weights and AC2 with them, which prevalence moves little;
//   - LandisKoch, the word for a kappa, and PrevalenceOf, which says where prevalence makes a kappa misleading;
//   - KappaPlan, how many items and raters an interval of a wanted width takes.
//
// Each gives the bootstrap interval over items. On the same items and options the resamples are the same, so that what is
// computed of one table can be compared; Options.Resamples makes them once.
//
// Agreement of a rater with themselves is the same on another table: one row for each item that came twice, and two columns,
// the first label and the repeated one.
type Ratings struct {
	Categories []string
	Items      [][]int
}

// NewRatings makes the table from labels: labels[i][r] is what rater r said of item i, empty where nothing. Where categories
// is nil they are the labels that occur, sorted; an ordinal scale needs them given. A label that is no category is an error
// that names item and rater, counted from 1, and so is an item with another number of places than the first.
func NewRatings(categories []string, labels [][]string) (Ratings, error) {
	if categories == nil {
		used := map[string]bool{}
		for _, row := range labels {
			for _, label := range row {
				if label != "" {
					used[label] = true
				}
			}
		}
		categories = slices.Sorted(maps.Keys(used))
	}
	index := map[string]int{"": NoLabel}
	for i, c := range categories {
		if _, twice := index[c]; twice {
			return Ratings{}, fmt.Errorf("category %d, %q: each must have a name of its own", i+1, c)
		}
		index[c] = i
	}
	r := Ratings{Categories: slices.Clone(categories), Items: make([][]int, len(labels))}
	for i, row := range labels {
		r.Items[i] = make([]int, len(row))
		for j, label := range row {
			k, ok := index[label]
			if !ok {
				return Ratings{}, fmt.Errorf("item %d, rater %d: %q is none of the categories %q", i+1, j+1, label, categories)
			}
			r.Items[i][j] = k
		}
	}
	return r, r.check()
}

// Of is the table of some raters alone, in the order given, e.g. of two of them. It panics on a rater that is not there, as an
// index does.
func (r Ratings) Of(raters ...int) Ratings {
	out := Ratings{Categories: r.Categories, Items: make([][]int, len(r.Items))}
	for i, row := range r.Items {
		for _, j := range raters {
			out.Items[i] = append(out.Items[i], row[j])
		}
	}
	return out
}

// check finds what no coefficient can be computed from.
func (r Ratings) check() error {
	for i, row := range r.Items {
		if len(row) != len(r.Items[0]) {
			return fmt.Errorf("item %d has places for %d labels, the first for %d: give every rater one, with NoLabel where there is none", i+1, len(row), len(r.Items[0]))
		}
		for j, k := range row {
			if k != NoLabel && (k < 0 || k >= len(r.Categories)) {
				return fmt.Errorf("item %d, rater %d: %d is no index of the %d categories", i+1, j+1, k, len(r.Categories))
			}
		}
	}
	return nil
}

// tally is a checked table, as coefficients need it.
type tally struct {
	categories, raters    int
	items                 [][]int // those with a label
	counts                [][]float64
	labels                []float64 // of each item
	none, single, several int       // items by their number of labels
	disagreement          [][]float64
	weights               string // how pairs were weighted; empty: a pair agrees or does not
}

// tallied counts the labels of each item; why says what makes every coefficient undefined.
func tallied(r Ratings, w Weights) (t tally, why string) {
	if err := r.check(); err != nil {
		return t, err.Error()
	}
	var err error
	if t.disagreement, err = w.disagreement(len(r.Categories)); err != nil {
		return t, err.Error()
	}
	t.categories, t.weights = len(r.Categories), w.told()
	for _, row := range r.Items {
		t.raters = len(row)
		counts, n := make([]float64, t.categories), 0.0
		for _, k := range row {
			if k != NoLabel {
				counts[k]++
				n++
			}
		}
		switch n {
		case 0:
			t.none++
			continue
		case 1:
			t.single++
		default:
			t.several++
		}
		t.items, t.counts, t.labels = append(t.items, row), append(t.counts, counts), append(t.labels, n)
	}
	switch {
	case len(r.Items) == 0:
		why = "there are no items"
	case t.raters < 2:
		why = "there is one rater only: agreement takes two"
	case t.several == 0:
		why = "no item has labels of two raters"
	}
	return t, why
}

// warnings tell the items that do not count.
func (t tally) warnings() []string {
	var out []string
	all := t.none + t.single + t.several
	if t.none > 0 {
		out = append(out, fmt.Sprintf("%d of %d items left out: no rater gave a label", t.none, all))
	}
	if t.single > 0 {
		out = append(out, fmt.Sprintf("%d of %d items have a single label, which agrees with none", t.single, all))
	}
	return out
}

// apart is how much two labels of an item, taken at random, disagree: 0 to 1, and 0 where there is only one label.
func (t tally) apart(item int) float64 {
	n, sum := t.labels[item], 0.0
	if n < 2 {
		return 0
	}
	for k, a := range t.counts[item] {
		for l, b := range t.counts[item] {
			sum += t.disagreement[k][l] * a * b
		}
	}
	return sum / (n * (n - 1))
}
