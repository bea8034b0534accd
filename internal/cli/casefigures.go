package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/cases"
)

// mostDrawn is of how many cases "--items all" writes the charts: three files a case and format are enough to fill a folder.
const mostDrawn = 100

// figureFormats are the formats of figures.
var figureFormats = []string{"svg", "pdf", "png"}

const itemsHelp = "evidence audit: with --format svg, pdf or png also the charts of these cases as figures/case-NUMBER-NAME, by their numbers in the report's list, such as 1,4-6; or all"

// drawnItems are the places that --items names, of so many cases, from 0, each once and in order. capped says that it names
// all of more than mostDrawn, and that these are the first.
func drawnItems(list string, of int) (places []int, capped bool, err error) {
	if list == "all" {
		for i := range min(of, mostDrawn) {
			places = append(places, i)
		}
		return places, of > mostDrawn, nil
	}
	for _, part := range strings.Split(list, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && isRange {
			to, err = strconv.Atoi(last)
		}
		if err != nil || from < 1 || to < from {
			return nil, false, usage(fmt.Errorf("--items %q: numbers of cases such as 1,4-6, or all", list))
		}
		if to > of {
			return nil, false, usage(fmt.Errorf("--items %q: the run has %s, the last is %d", list, report.Plural(of, "case"), of))
		}
		for i := from; i <= to; i++ {
			places = append(places, i-1)
		}
	}
	slices.Sort(places)
	return slices.Compact(places), false, nil
}

// checkItems refuses --items where it would change nothing.
func checkItems(list string, formats []string) error {
	if list == "" || slices.ContainsFunc(formats, func(f string) bool { return slices.Contains(figureFormats, f) }) {
		return nil
	}
	return usage(errors.New("--items: charts of cases are figures: add --format svg, pdf or png"))
}

// caseFigures writes the charts of the cases that a list names in the formats of figures among those given. It says which
// were left out.
func (a *app) caseFigures(ctx context.Context, r rendering, folder, list string, formats []string) error {
	if list == "" {
		return nil
	}
	c, ok := r.(*caseReport)
	if !ok {
		return usage(errors.New("--items: only an evidence audit has charts of its cases; an item of a chain audit has a page"))
	}
	places, capped, err := drawnItems(list, len(c.o.subjects))
	if err != nil {
		return err
	}
	if capped {
		fmt.Fprintf(a.out, "charts of the first %d of %d cases are drawn; --items %d-%d draws the next\n", mostDrawn, len(c.o.subjects), mostDrawn+1, min(2*mostDrawn, len(c.o.subjects)))
	}
	some := *c.o
	some.subjects = []percuss.Subject{}
	for _, i := range places {
		some.subjects = append(some.subjects, c.o.subjects[i])
	}
	var failure error
	n := 0
	for v, record := range views[evidence.Record](ctx, &some, &failure) {
		drawn, err := cases.CaseFigures(caseOf(v, record), places[n]+1, c.r.Findings)
		n++
		for _, format := range formats {
			if err == nil && slices.Contains(figureFormats, format) {
				err = report.WriteFigures(folder, format, drawn)
			}
		}
		if err != nil {
			return err
		}
	}
	return failure
}
