package cases

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/figure"
	"github.com/percuss/percuss/stat/lattice"
)

// Walk is where a reader stands among the subsets of a case's findings.
type Walk struct {
	Shown lattice.Set // the findings shown; what is none of the case's is left out
	Of    string      // the diagnosis whose margin is followed; empty, or none that was audited: the right one
	Calls bool        // all calls of the case are listed
	// Href is the address of the page at another place. nil: the page is a file by itself and leads nowhere.
	Href func(Walk) string
}

// walkView is the walk through the subsets as a page shows it.
type walkView struct {
	Many       int  // findings, where they are too many to walk through; then there is nothing else but Combos
	Combos     bool // salient combinations are drawn and listed
	Of, Says   string
	Here       Walk
	Linked     bool
	Ends       []link // none of the findings, and all
	Targets    []link
	Chart      template.HTML // the lattice
	Broad      bool          // it fits no half of a page
	Spread     template.HTML // how margins lie by number of findings shown
	Steps      []stepView
	Candidates []standView
	Prompt     string
	Calls      []callView
}

// Subsets are how many subsets the findings have.
func (w *walkView) Subsets() int { return 1 << w.Many }

// Most is the number of findings up to which a page walks.
func (w *walkView) Most() int { return mostWalked }

// link is a place that can be gone to. Here: the reader is there.
type link struct {
	Text, Href string
	Here       bool
}

// stepView is one finding: whether it is shown, and the margin once that is turned round.
type stepView struct {
	*unitView
	Shown                bool
	Then, Change, Choice string
	Href                 string
}

// standView is a candidate where the reader stands and on all the evidence.
type standView struct {
	candidateView
	Here candidateView
}

// mostWalked is the number of findings up to which a page walks through their subsets: of 14 there are 16,384.
const mostWalked = 14

// margins are the margins of one diagnosis by set of shown findings, nats; nil where it was not scored.
func (v *caseView) margins(m evidence.Measured) []percuss.Number {
	n := len(v.Record.Units)
	if m.State != evidence.Scored || n == 0 || n > mostWalked {
		return nil
	}
	x := make([]percuss.Number, 1<<n)
	x[0] = m.Empty
	for _, i := range m.Interactions {
		if int64(i.Set) < int64(len(x)) && i.Set != 0 {
			x[i.Set] = percuss.Num(i.Value)
		}
	}
	game, err := lattice.FromInteractions(x, n) // what was not asked is missing, and so is all that needs it
	if err != nil {
		return nil
	}
	out := game.Values()
	out[lattice.Full(n)] = m.Margin // asked in any case
	return out
}

// field is the margins of every diagnosis that was audited, the right one first.
type field struct {
	names   []string
	margins [][]percuss.Number
}

func (v *caseView) field() field {
	f := field{names: []string{v.Record.Gold}, margins: [][]percuss.Number{v.margins(v.Record.Base)}}
	for _, o := range v.Record.Others {
		f.names, f.margins = append(f.names, o.Name), append(f.margins, v.margins(o.Measured))
	}
	return f
}

// best is the diagnosis whose margin is above 0 where a set is shown: the model's choice there. It is empty where that is
// not known, and where several are best.
func (f field) best(s lattice.Set) string {
	for i, m := range f.margins {
		if int64(s) < int64(len(m)) && m[s].Or(0) > 0 {
			return f.names[i]
		}
	}
	return ""
}

// walk follows a diagnosis through the subsets; nil where none was scored. Of too many findings it says so alone.
func (v *caseView) walk(at Walk, raw func(percuss.Key) string) (*walkView, error) {
	if n := len(v.Record.Units); n > mostWalked && v.Record.Base.State == evidence.Scored {
		return &walkView{Many: n, Combos: len(v.Rows) > 0, Linked: at.Href != nil}, nil
	}
	f := v.field()
	of := max(slices.Index(f.names, at.Of), 0)
	if f.margins[of] == nil {
		if of = slices.IndexFunc(f.margins, func(m []percuss.Number) bool { return m != nil }); of < 0 {
			return nil, nil
		}
	}
	n := len(v.Record.Units)
	at.Of, at.Shown = f.names[of], at.Shown&lattice.Full(n)
	w := &walkView{Of: at.Of, Here: at, Linked: at.Href != nil}
	margins := f.margins[of]
	says := func(s lattice.Set) string { return v.says(s, f, of) }
	w.Says = says(at.Shown)
	if !w.Linked { // the rest stands in the box; a report has many such pages
		says = func(s lattice.Set) string { return f.best(s) }
	}
	if err := v.draw(w, margins, says); err != nil {
		return nil, err
	}
	if !w.Linked {
		return w, nil
	}
	for i, name := range f.names {
		if f.margins[i] != nil {
			w.Targets = append(w.Targets, link{name, w.to(at.Shown, name), i == of})
		}
	}
	w.Ends = []link{{"none", w.to(0, at.Of), at.Shown == 0}, {"all", w.to(lattice.Full(n), at.Of), at.Shown == lattice.Full(n)}}
	for i := range v.Units {
		then := at.Shown ^ 1<<i
		w.Steps = append(w.Steps, stepView{&v.Units[i], at.Shown.Has(i), signed(margins[then]), change(margins[at.Shown], margins[then]),
			cmp.Or(f.best(then), "–"), w.to(then, at.Of)})
	}
	v.stand(w, raw)
	return w, nil
}

// to is the address of another place.
func (w *walkView) to(s lattice.Set, of string) string {
	next := w.Here
	next.Shown, next.Of, next.Calls = s, of, false
	return w.Here.Href(next)
}

// change is by how much a margin differs from another.
func change(from, to percuss.Number) string {
	a, ok := from.Get()
	b, known := to.Get()
	if !ok || !known {
		return "–"
	}
	return signed(percuss.Num(b - a))
}

// says is a subset in words.
func (v *caseView) says(s lattice.Set, f field, of int) string {
	n := len(v.Record.Units)
	list := func(s lattice.Set) string {
		switch numbers, _ := v.named(s); s {
		case 0:
			return "none"
		case lattice.Full(n):
			return "all"
		default:
			return strings.ReplaceAll(numbers, " + ", ", ")
		}
	}
	out := fmt.Sprintf("Shown: %s; hidden: %s.", list(s), list(lattice.Full(n)&^s))
	margin := f.margins[of][s]
	if !margin.OK() {
		return out + " Not asked."
	}
	out += fmt.Sprintf(" Margin of %s: %s nats", f.names[of], signed(margin))
	if full := f.margins[of][lattice.Full(n)]; s != lattice.Full(n) && full.OK() {
		out += ", " + higher(margin.Or(0)-full.Or(0)) + " with all the evidence"
	}
	if best := f.best(s); best != "" {
		return out + ". The model's choice: " + best + "."
	}
	return out + "."
}

// higher compares a margin with another in words: by how much it is above that.
func higher(by float64) string {
	switch s := percuss.Num(math.Abs(by)).Format(2); {
	case s == "0.00":
		return "as"
	case by > 0:
		return s + " higher than"
	default:
		return s + " lower than"
	}
}

// draw draws the lattice, and the spread of the margins where the lattice cannot be drawn whole.
func (v *caseView) draw(w *walkView, margins []percuss.Number, says func(lattice.Set) string) error {
	l, p := v.drawings(w, margins, says)
	whole := l.Units <= figure.WholeUnits
	w.Broad = l.Units == figure.WholeUnits
	var err error
	if whole || w.Linked {
		if w.Chart, err = l.Draw(); err != nil {
			return err
		}
	}
	if !whole {
		w.Spread, err = p.Draw()
	}
	return err
}

// drawings are the lattice and the spread of the margins of the diagnosis that is followed.
func (v *caseView) drawings(w *walkView, margins []percuss.Number, says func(lattice.Set) string) (figure.Lattice, figure.Profile) {
	n := len(v.Record.Units)
	l := figure.Lattice{Title: "Margin of " + w.Of + " by the findings shown", Units: n, At: uint32(w.Here.Shown),
		Value: func(s uint32) percuss.Number { return margins[s] }, Says: func(s uint32) string { return says(lattice.Set(s)) },
		Caption: "Each box is a prompt: the numbers of the findings that it showed, and the margin then, in nats. Lines join prompts that differ in one finding."}
	if n > figure.WholeUnits {
		l.Caption = "In the middle the findings shown, above and below it what showing or hiding one more leads to; each with the margin then, in nats."
	}
	asked := 0
	for _, m := range margins {
		if m.OK() {
			asked++
		}
	}
	sample := " n = " + report.Plural(asked, "prompt") + " of this case."
	l.Caption += " Blue: above 0, the model would choose it; orange: below 0, another." + sample
	if !w.Linked {
		l.Caption += " A box pointed at names the choice."
	}
	if w.Linked {
		l.Href = func(s uint32) string { return w.to(lattice.Set(s), w.Of) }
	}
	p := figure.Profile{Title: "Margin of " + w.Of + " by how many findings are shown", Axis: "margin of " + shorten(w.Of, 60) + ", nats", Layers: layers(margins, n),
		Caption: "Each row is all prompts that showed so many findings: the line from the smallest margin to the largest, a bar at the median." + sample}

	if w.Linked {
		p.Layers[w.Here.Shown.Size()].Here = margins[w.Here.Shown]
		p.Caption += " The dot is the prompt in focus."
	}
	return l, p
}

// layers are the margins by how many of n findings are shown.
func layers(margins []percuss.Number, n int) []figure.Layer {
	values, out := make([][]float64, n+1), make([]figure.Layer, n+1)
	for s, m := range margins {
		size := lattice.Set(s).Size()
		out[size].Shown = size
		out[size].Of++
		if x, ok := m.Get(); ok {
			values[size] = append(values[size], x)
		}
	}
	for i, x := range values {
		if out[i].Asked = len(x); len(x) == 0 {
			continue
		}
		slices.Sort(x)
		median := x[len(x)/2]
		if len(x)%2 == 0 {
			median = (x[len(x)/2-1] + median) / 2
		}
		out[i].Min, out[i].Median, out[i].Max = percuss.Num(x[0]), percuss.Num(median), percuss.Num(x[len(x)-1])
	}
	return out
}
