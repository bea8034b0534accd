package cases

import (
	"fmt"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report/figure"
	"github.com/percuss/percuss/stat/lattice"
)

// CaseFigures are the charts of one case for files of their own: the combinations that move the right diagnosis, and its
// margin with some of the evidence, as a lattice of up to figure.WholeUnits findings and by number of findings shown of
// more. A chart that there are no numbers for is left out. number is the case's in the report, from 1, and begins the names
// of the files; findings are those of the run, which have the threshold and the noise floors.
func CaseFigures(c Case, number int, findings evidence.Findings) ([]figure.Drawing, error) {
	v := newCaseView(c, findings.Salient, floorsOf(findings, c))
	name, of := fmt.Sprintf("case-%04d-", number), fmt.Sprintf("Case %d, %s, %s: ", number, c.Subject.Item, c.Subject.Model)
	chart := v.combinations(chartRows)
	chart.Title = of + chart.Title
	out, err := chart.File(name + "combinations")
	if err != nil {
		return nil, err
	}
	f := v.field()
	if f.margins[0] == nil {
		return out, nil
	}
	w := &walkView{Of: f.names[0], Here: Walk{Shown: lattice.Full(len(v.Record.Units))}}
	l, p := v.drawings(w, f.margins[0], f.best)
	draw := func() ([]figure.Drawing, error) { return l.File(name + "lattice") }
	if l.Units > figure.WholeUnits {
		draw = func() ([]figure.Drawing, error) { return p.File(name + "margins") }
	}
	l.Title, p.Title = of+l.Title, of+p.Title
	more, err := draw()
	return append(out, more...), err
}
