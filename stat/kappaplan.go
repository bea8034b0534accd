package stat

import (
	"errors"
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// KappaPlan is what is expected of a review that is still to be done: how raters agree and how common the categories are. It
// tells how wide the interval of kappa will be, and how many items that takes.
//
// The model is that of one common correlation: every item has shares of its own, drawn from a Dirichlet distribution with
// the given means, and its raters label it independently by these, so that any two labels of an item have the given kappa.
// With two raters it is the model of Donner and Eliasziw (1992), and the width that of Fleiss, Cohen and Everitt (1969). The
// variance is the large-sample one of Fleiss' kappa, computed over all ways in which the raters can label an item; Cohen's
// kappa, as the mean over pairs, and Krippendorff's nominal alpha have the same one under this model.
type KappaPlan struct {
	Kappa       float64   // expected, from 0 to below 1
	Prevalences []float64 // expected shares of the categories: two or more, each above 0, of sum 1
	Level       float64   // of the interval; 0: DefaultLevel
}

// mostPatterns bounds the ways in which raters can label an item: what is beyond takes seconds.
const mostPatterns = 1_000_000

// fewRare is how many items the rarest category should be expected on, for a large-sample width to be trusted: the customary
// least count of a cell.
const fewRare = 5

// check says what is wrong with a plan for so many raters.
func (p KappaPlan) check(raters int) error {
	if _, err := levelOf(p.Level); err != nil {
		return err
	}
	if !(p.Kappa >= 0 && p.Kappa < 1) {
		return fmt.Errorf("expected kappa %v: give one from 0 to below 1; perfect agreement has no interval", p.Kappa)
	}
	sum := 0.0
	for _, share := range p.Prevalences {
		if !(share > 0) {
			return fmt.Errorf("expected prevalence %v: leave out a category that nobody will use", share)
		}
		sum += share
	}
	switch {
	case len(p.Prevalences) < 2:
		return errors.New("give the expected prevalences of two categories or more")
	case math.Abs(sum-1) > 1e-6:
		return fmt.Errorf("the expected prevalences add up to %.4g, not to 1", sum)
	case raters < 2:
		return fmt.Errorf("%d raters: agreement takes two", raters)
	case patterns(raters, len(p.Prevalences)) > mostPatterns:
		return fmt.Errorf("%d raters and %d categories are too many to plan for: put rare categories together", raters, len(p.Prevalences))
	}
	return nil
}

// patterns is in how many ways so many labels can fall on so many categories.
func patterns(labels, categories int) float64 {
	n := 1.0
	for i := 1; i < categories; i++ {
		n *= float64(labels+i) / float64(i)
	}
	return n
}

// Width is the expected width of kappa's interval, upper less lower bound, with so many items and raters; half of it is the
// ± of a plan. It is not cut at kappa 1, and is 2 at most. It warns where the rarest category is expected on fewer than
// five items, for there large-sample widths are too narrow. A plan that makes no sense gives an absent one that says why.
func (p KappaPlan) Width(items, raters int) percuss.Estimate {
	if err := p.check(raters); err != nil {
		return percuss.Absent(err.Error())
	}
	if items < 1 {
		return percuss.Absent(fmt.Sprintf("%d items: give a positive number", items))
	}
	e := percuss.Estimate{N: items, Method: "large-sample width under one common correlation"}
	e.Value = widthOf(p.reach(raters), items)
	if n := p.rare(items); n < fewRare {
		e.Warnings = []string{fmt.Sprintf("the rarest category is expected on %.1f items: the interval will be wider than that", n)}
	}
	return e
}

// widthOf is the width with so many items, from that with one.
func widthOf(reach float64, items int) percuss.Number {
	return percuss.Num(min(2, reach/math.Sqrt(float64(items))))
}

// Items is the least number of items with which the expected width of kappa's interval is no more than width: for ±h give 2h.
// It fails on a width that is not above 0 and up to 2, and on a plan that makes no sense.
func (p KappaPlan) Items(width float64, raters int) (int, error) {
	if err := p.check(raters); err != nil {
		return 0, err
	}
	if !(width > 0 && width <= 2) {
		return 0, fmt.Errorf("width %v of kappa's interval: give one above 0, up to 2", width)
	}
	root := p.reach(raters) / width
	n := math.Ceil(root * root * (1 - 1e-12)) // a rounding error is no item
	if n > math.MaxInt32 {
		return 0, fmt.Errorf("width %v of kappa's interval takes more than %d items", width, math.MaxInt32)
	}
	return max(1, int(n)), nil
}
