// Package figure draws figures as SVG for an HTML page: those of the chain report (flip rates against each other, the
// joint distribution, the matrices of flips and firing), and charts that any report can fill: bars and points with their
// intervals, parted bars, grids, and the combinations of findings that move a margin.
//
// A figure shows numbers that the findings hold and computes none. Each cell and bar carries its number as text, so
// nothing rests on colour alone, and colours come from the page's style sheet.
package figure

import (
	"embed"
	"fmt"
	"html/template"
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

// All draws every figure that there are numbers for, empty when there is none: rates and joint distribution of the
// leading groups, few enough to be told apart in one plot; the matrix of flips of all groups; and the matrix of firing
// of the cells, since firing depends on the data.
func All(leading, groups, cells []Group) (template.HTML, error) {
	var b strings.Builder
	err := drawings.ExecuteTemplate(&b, "figures", struct {
		Rates    rates
		Joint    joint
		Matrices []matrix
	}{newRates(leading), newJoint(leading), append(flipMatrices(groups), firingMatrices(cells)...)})
	if err != nil {
		return "", fmt.Errorf("draw the figures: %w", err)
	}
	return template.HTML(b.String()), nil // every text in it went through the template's own escaping
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

// fit shortens a label to n characters.
func fit(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
