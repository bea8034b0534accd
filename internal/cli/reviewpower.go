package cli

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/stat"
)

// reviewPower is what the flags of review power say.
type reviewPower struct {
	labels              int
	raters, items       []int
	kappa, width, level float64
	prevalences         []float64
	asJSON, asCSV       bool
}

func (a *app) reviewPowerCommand() *cobra.Command {
	var s reviewPower
	c := &cobra.Command{
		Use:   "power",
		Short: "How many items and raters an interval of kappa takes",
		Long: `Tells before a review how wide the interval of kappa will be with so many items and raters, and the least number of items
for a width that is wanted. The width is upper less lower bound: for ±0.1 give 0.2. It is the large-sample one of Fleiss'
kappa where any two labels of an item have the expected kappa; Cohen's kappa, as the mean over pairs, has the same.

` + exitHelp,
		Example: "  percuss review power --labels 3 --raters 2 --kappa 0.6 --prevalence 0.6,0.3,0.1 --width 0.2\n  percuss review power --labels 2 --raters 2,3,5 --kappa 0.4 --items 75,150,300",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !c.Flags().Changed("labels") && len(s.prevalences) > 0 {
				s.labels = len(s.prevalences)
			}
			return a.power(s)
		},
	}
	f := c.Flags()
	f.IntVar(&s.labels, "labels", 3, "number of labels of the question")
	f.IntSliceVar(&s.raters, "raters", []int{2, 3, 5}, "numbers of raters")
	f.IntSliceVar(&s.items, "items", []int{50, 75, 100, 150, 200, 300, 500}, "numbers of items")
	f.Float64Var(&s.kappa, "kappa", 0.6, "expected kappa, from 0 to below 1")
	f.Float64SliceVar(&s.prevalences, "prevalence", nil, "expected share of each label, e.g. 0.6,0.3,0.1 (default: equal shares)")
	f.Float64Var(&s.width, "width", 0.2, "wanted width of the interval, above 0, up to 2")
	f.Float64Var(&s.level, "level", stat.DefaultLevel, "level of the interval, between 0 and 1")
	f.BoolVar(&s.asJSON, "json", false, "print the tables as JSON")
	f.BoolVar(&s.asCSV, "csv", false, "print the widths as CSV")
	return c
}

// plan is what is expected of the review.
func (s reviewPower) plan() (stat.KappaPlan, error) {
	p := stat.KappaPlan{Kappa: s.kappa, Prevalences: s.prevalences, Level: s.level}
	switch {
	case s.asJSON && s.asCSV:
		return p, errors.New("--json and --csv: choose one")
	case s.labels < 2:
		return p, fmt.Errorf("--labels %d: agreement takes two labels or more", s.labels)
	case s.level <= 0: // the zero of a plan is the default
		return p, fmt.Errorf("--level %v: give a share between 0 and 1, e.g. 0.95", s.level)
	case len(s.prevalences) > 0 && len(s.prevalences) != s.labels:
		return p, fmt.Errorf("--prevalence gives %d shares, --labels says %d: give one for each", len(s.prevalences), s.labels)
	}
	for len(p.Prevalences) < s.labels {
		p.Prevalences = append(p.Prevalences, 1/float64(s.labels))
	}
	return p, nil
}

// power prints the plan.
func (a *app) power(s reviewPower) error {
	p, err := s.plan()
	if err != nil {
		return usage(err)
	}
	slices.Sort(s.items)
	widths, err := p.Table(slices.Compact(s.items), s.raters)
	if err != nil {
		return usage(err)
	}
	least, err := leastItems(p, s.width, s.raters)
	if err != nil {
		return usage(err)
	}
	switch {
	case s.asJSON:
		return report.WriteIndented(a.out, map[string]any{"schema": "percuss.review.power/1", "tables": []percuss.Table{widths, least}})
	case s.asCSV:
		return report.WriteRows(a.out, report.TableCSV(widths))
	}
	var b bytes.Buffer
	report.TableText(&b, widths, 0)
	report.Wrap(&b, "  ", widths.About)
	report.TableText(&b, least, 0)
	_, err = a.out.Write(b.Bytes())
	return err
}

// leastItems is how many items an interval of the wanted width takes, for each number of raters, and how many labels that is.
func leastItems(p stat.KappaPlan, width float64, raters []int) (percuss.Table, error) {
	t := percuss.Table{ID: "kappa_items", Title: fmt.Sprintf("Least number of items for an interval of width %g", width),
		Columns: []percuss.Column{{ID: "raters", Head: "Raters", Scale: percuss.Whole}, {ID: "items", Head: "Items", Scale: percuss.Whole},
			{ID: "labels", Head: "Labels given in all", Scale: percuss.Whole}, {ID: "width", Head: "Width", Scale: percuss.Decimal, Bare: true}}}
	for _, m := range raters {
		n, err := p.Items(width, m)
		if err != nil {
			return t, err
		}
		e := p.Width(n, m)
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Counted(m), percuss.Counted(n), percuss.Counted(n * m), percuss.Measured(e)}})
	}
	return t, nil
}
