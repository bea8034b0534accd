// Package figure draws figures as Drawings, for a page, as SVG, PDF and PNG: those of the chain report (flip rates against
// each other, the joint distribution, the matrices of flips and firing, FCS against the size of models, differences with
// their intervals), and charts that any report can fill: bars and points with their intervals, parted bars, grids. Of
// a case it draws the combinations of findings that move a margin, and the margin by the findings shown: as figures of a
// page (Draw), where a lattice can be walked, and as Drawings (File).
//
// A figure shows numbers that the findings hold and computes none. Each cell and bar carries its number as text, so
// nothing rests on colour alone.
package figure

import (
	"embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

//go:embed *.gohtml
var files embed.FS

var drawings = template.Must(template.New("").ParseFS(files, "*.gohtml"))

// Group is a group of the findings with its title for a reader.
type Group struct {
	Title string
	chain.Group
}

// The bounds of FCS between which destructive and preserving edits move the answer about equally often (chain paper,
// section 4).
const (
	CorridorLow  = 0.45
	CorridorHigh = 0.55
)

// mostRows is how many groups one figure tells apart; of more, a table tells more.
const mostRows = 24

// Chain draws the figures of the chain audit that there are numbers for: rates and joint distribution of the leading
// groups; where there are several models and several sets, small charts of the cells, a set each; the matrix of flips of
// all groups, without the cells where these have small charts, and of the leading ones where all are too many; and the
// matrix of firing of the cells, since firing depends on the data, unless they are too many.
func Chain(leading, groups, cells []Group) ([]Drawing, error) {
	small, several := multiplesOf(cells)
	if several { // the small charts have the cells
		groups = slices.DeleteFunc(slices.Clone(groups), func(g Group) bool { return g.Set != "" })
	} else {
		small = multiples{}
	}
	if len(groups) > mostRows {
		groups = leading
	}
	if len(cells) > mostRows {
		cells = nil
	}
	var out []Drawing
	for _, draw := range []func() ([]Drawing, error){
		func() ([]Drawing, error) { return drawRates(leading) },
		func() ([]Drawing, error) { return drawJoint(leading) },
		small.drawAll,
		func() ([]Drawing, error) { return drawMatrices(flipMatrices(groups)) },
		func() ([]Drawing, error) { return drawMatrices(firingMatrices(cells)) },
	} {
		more, err := draw()
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// at prints a coordinate.
func at(v float64) string { return fmt.Sprintf("%.1f", v) }

// span prints an interval to the thousandth.
func span(e percuss.Estimate) string {
	if !e.Lo.OK() || !e.Hi.OK() {
		return "no interval"
	}
	return e.Lo.Format(3) + " to " + e.Hi.Format(3)
}

// itemsOf is how many items the groups have.
func itemsOf(groups []Group) string {
	var all []int
	for _, g := range groups {
		all = append(all, g.Items)
	}
	return Sample(all, "item", "row")
}

// Sample says what the rows of a figure rest on, for its caption: "20 items" where there is one row, else their range
// and the number of rows; empty where there is none.
func Sample(n []int, what, row string) string {
	if len(n) == 0 {
		return ""
	}
	low, high := slices.Min(n), slices.Max(n)
	out := fmt.Sprintf("%d %ss", high, what)
	switch {
	case low < high:
		out = fmt.Sprintf("%d to %d %ss", low, high, what)
	case high == 1:
		out = "1 " + what
	}
	if len(n) == 1 {
		return out
	}
	return fmt.Sprintf("%s in each of %d %ss", out, len(n), row)
}

// wrap parts a text into lines of n letters at most, between words; what is left after the last line is cut.
func wrap(s string, n, lines int) []string { return together(strings.Fields(s), n, lines) }

// together does the same with words that stay whole.
func together(words []string, n, lines int) []string {
	var out []string
	for _, word := range words {
		if k := len(out) - 1; k >= 0 && utf8.RuneCountInString(out[k]+" "+word) <= n {
			out[k] += " " + word
			continue
		}
		if len(out) == lines {
			out[lines-1] = fit(out[lines-1]+" "+word, n)
			if !strings.HasSuffix(out[lines-1], "…") {
				out[lines-1] += "…"
			}
			break
		}
		out = append(out, fit(word, n))
	}
	return out
}

// fit shortens a label to n characters.
func fit(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
