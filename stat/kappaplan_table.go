package stat

import (
	"errors"
	"fmt"

	"github.com/percuss/percuss"
)

// Table is the expected width for each number of items, a row each, and of raters, a column each. It fails on a plan that
// makes no sense, on none of either, and on a number twice among the raters.
func (p KappaPlan) Table(items, raters []int) (percuss.Table, error) {
	t := percuss.Table{ID: "kappa_width", Title: "Width of kappa's interval by items and raters",
		About: fmt.Sprintf("Expected width (upper less lower bound, %g %%) of the interval of a kappa of %g, with categories as common as %s.",
			100*p.level(), p.Kappa, shares(p.Prevalences)),
		Columns: []percuss.Column{{ID: "items", Head: "items", Scale: percuss.Whole, Bare: true}}}
	if len(items) == 0 || len(raters) == 0 {
		return t, errors.New("give numbers of items and of raters")
	}
	var reach []float64
	seen := map[int]bool{}
	for _, m := range raters {
		if err := p.check(m); err != nil {
			return t, err
		}
		if seen[m] {
			return t, fmt.Errorf("%d raters are named twice", m)
		}
		seen[m] = true
		reach = append(reach, p.reach(m))
		t.Columns = append(t.Columns, percuss.Column{ID: fmt.Sprintf("raters_%d", m), Head: fmt.Sprintf("%d raters", m), Scale: percuss.Decimal, Bare: true})
	}
	rough := 0
	for _, n := range items {
		if n < 1 {
			return t, fmt.Errorf("%d items: give a positive number", n)
		}
		row := percuss.Row{Cells: []percuss.Cell{percuss.Counted(n)}}
		for _, one := range reach {
			row.Cells = append(row.Cells, percuss.Valued(widthOf(one, n)))
		}
		t.Rows = append(t.Rows, row)
		if p.rare(n) < fewRare {
			rough = max(rough, n)
		}
	}
	if rough > 0 {
		t.Notes = []string{fmt.Sprintf("Up to %d items the rarest category is expected on fewer than %d: these intervals will be wider.", rough, fewRare)}
	}
	return t, nil
}

// shares names some shares in words.
func shares(of []float64) string {
	s := ""
	for i, share := range of {
		if i > 0 {
			s += ", "
		}
		s += fmt.Sprintf("%.3g", share)
	}
	return s
}
