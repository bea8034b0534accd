package figure

import (
	"fmt"
	"html/template"
	"math"
	"math/bits"
	"strings"

	"github.com/percuss/percuss"
)

// Lattice is the subsets of the findings with a margin each, in rows by how many are shown: all on top, none at the bottom.
// Up to WholeUnits findings it is drawn whole; of more, one subset with those that show one finding more or fewer.
type Lattice struct {
	Title, Caption string
	Units          int                             // findings, 1 to 20: bit i of a set stands for finding i+1
	At             uint32                          // the subset in focus
	Value          func(set uint32) percuss.Number // nats; missing: the subset was not asked
	Says           func(set uint32) string         // a subset in words, beside its findings and its margin
	Href           func(set uint32) string         // where the page of a subset is; nil: nothing is a link
}

// WholeUnits is the number of findings up to which the lattice is drawn whole: 64 subsets.
const WholeUnits = 6

// mostUnits is the number of findings from which a lattice cannot be drawn.
const mostUnits = 20

// The sizes of the lattice, in the units of its view box.
const (
	nodeGap     = 6.0
	focusWidth  = 150.0 // of the subset in focus, where its neighbours alone are drawn
	nodeHeight  = 34.0
	nodeRow     = 64.0
	latticeLeft = 58.0 // of the nodes, right of what the rows are called
)

// latticeView is the lattice laid out.
type latticeView struct {
	Lattice
	Width, Height string
	Linked        bool
	Edges, Near   string // paths; Near are those of the subset in focus
	Rows          []latticeRow
}

type latticeRow struct {
	Text, TextY string
	Nodes       []latticeNode
}

// latticeNode is one subset.
type latticeNode struct {
	Set                         uint32
	Class, Name, Value, Says    string
	Address                     string
	Row                         int
	X, Y, W, Mid, NameY, ValueY string
	Depth                       string // opacity of its colour; empty: it was not asked
	Here                        bool
	middle, top                 float64
}

// Draw draws the lattice as a figure of a page; nothing where there are no findings, or too many.
func (l Lattice) Draw() (template.HTML, error) {
	v, ok := l.laid()
	if !ok {
		return "", nil
	}
	return drawn("lattice", v)
}

// laid lays the lattice out; false where there are no findings, or too many.
func (l Lattice) laid() (latticeView, bool) {
	if l.Units < 1 || l.Units >= mostUnits+1 || l.Value == nil || l.Says == nil {
		return latticeView{}, false
	}
	l.At &= 1<<l.Units - 1
	v := latticeView{Lattice: l, Linked: l.Href != nil}
	rows, texts, wide := l.around()
	if l.Units <= WholeUnits {
		rows, texts, wide = l.whole()
	}
	most, broadest := 0.0, 0
	for _, row := range rows {
		broadest = max(broadest, len(row))
		for _, s := range row {
			most = max(most, math.Abs(l.Value(s).Or(0)))
		}
	}
	width := latticeLeft + max(float64(broadest)*(wide+nodeGap), focusWidth+nodeGap)
	v.Width, v.Height = at(width), at(nodeRow*float64(len(rows)))
	for i, row := range rows {
		top := nodeRow*float64(i) + 4
		r := latticeRow{Text: texts[i], TextY: at(top + nodeHeight/2 + 4)}
		broad := wide
		if l.Units > WholeUnits && row[0] == l.At {
			broad = focusWidth // it names all its findings, its neighbours the one in which they differ
		}
		left := latticeLeft + (width-latticeLeft-float64(len(row))*(broad+nodeGap))/2
		for k, s := range row {
			n := l.node(s, left+float64(k)*(broad+nodeGap), top, broad, most)
			n.Row = i
			r.Nodes = append(r.Nodes, n)
		}
		v.Rows = append(v.Rows, r)
	}
	v.join()
	return v, true
}

// whole are all subsets, row by row.
func (l Lattice) whole() (rows [][]uint32, texts []string, wide float64) {
	rows, texts = make([][]uint32, l.Units+1), make([]string, l.Units+1)
	for s := range uint32(1) << l.Units {
		at := l.Units - bits.OnesCount32(s)
		rows[at] = append(rows[at], s)
	}
	for i := range texts {
		texts[i] = fmt.Sprintf("%d shown", l.Units-i)
	}
	return rows, texts, 48
}

// around are the subset in focus and its neighbours.
func (l Lattice) around() (rows [][]uint32, texts []string, wide float64) {
	var more, fewer []uint32
	for i := range l.Units {
		if unit := uint32(1) << i; l.At&unit == 0 {
			more = append(more, l.At|unit)
		} else {
			fewer = append(fewer, l.At&^unit)
		}
	}
	for _, r := range []struct {
		sets []uint32
		text string
	}{{more, "one more"}, {[]uint32{l.At}, "shown"}, {fewer, "one fewer"}} {
		if len(r.sets) > 0 {
			rows, texts = append(rows, r.sets), append(texts, r.text)
		}
	}
	return rows, texts, 64
}

// node lays out one subset. most is the largest margin drawn, which has the deepest colour.
func (l Lattice) node(s uint32, x, y, wide, most float64) latticeNode {
	n := latticeNode{Set: s, Name: l.name(s), Value: "not asked", Says: l.Says(s), Class: "unasked", Here: s == l.At,
		X: at(x), Y: at(y), W: at(wide), Mid: at(x + wide/2), NameY: at(y + 13), ValueY: at(y + 28), middle: x + wide/2, top: y}
	if margin, ok := l.Value(s).Get(); ok {
		n.Value, n.Class = natsOf(margin), "up"
		if margin < 0 {
			n.Class = "down"
		}
		n.Depth = fmt.Sprintf("%.2f", 0.06+0.44*math.Abs(margin)/max(most, math.SmallestNonzeroFloat64))
	}
	if !l.Value(s).OK() && wide < 60 {
		n.Value = "–"
	}
	if l.Href != nil {
		n.Address = l.Href(s)
	}
	return n
}

// name is a subset by the numbers of its findings, or a neighbour by the one in which it differs.
func (l Lattice) name(s uint32) string {
	differs := bits.TrailingZeros32(s^l.At) + 1
	switch {
	case l.Units > WholeUnits && s&^l.At != 0:
		return fmt.Sprintf("show %d", differs)
	case l.Units > WholeUnits && s != l.At:
		return fmt.Sprintf("hide %d", differs)
	case s == 0:
		return "none"
	case s == 1<<l.Units-1:
		return "all"
	}
	var out []string
	for i := range l.Units {
		if s>>i&1 == 1 {
			out = append(out, fmt.Sprint(i+1))
		}
	}
	return fit(strings.Join(out, " "), 26)
}

// join draws a line between every two subsets that differ in one finding.
func (v *latticeView) join() {
	var all, near strings.Builder
	for i := 1; i < len(v.Rows); i++ {
		for _, a := range v.Rows[i-1].Nodes {
			for _, b := range v.Rows[i].Nodes {
				if bits.OnesCount32(a.Set^b.Set) != 1 {
					continue
				}
				to := &all
				if a.Here || b.Here {
					to = &near
				}
				fmt.Fprintf(to, "M%.0f %.0fL%.0f %.0f", a.middle, a.top+nodeHeight, b.middle, b.top)
			}
		}
	}
	v.Edges, v.Near = all.String(), near.String()
}

// natsOf prints nats to the hundredth, with a true minus sign, or the sign of what is not 0.
func natsOf(nats float64) string {
	s := percuss.Num(nats).Format(2)
	if nats > 0 && s != "0.00" {
		return "+" + s
	}
	return signed(s)
}
