package stat

import (
	"maps"
	"slices"
	"strconv"

	"github.com/percuss/percuss"
)

// Rows are sums of items: a row an item, named columns. All that is measured in an item stands in one row, so that it is
// resampled together, and whatever is compared within one Rows is paired. A column of which an item has nothing is 0 there.
type Rows struct {
	names map[string]int
	rows  map[string][]float64 // by item; a row ends at the last column that its item fills
}

// NewRows returns rows without an item.
func NewRows() *Rows { return &Rows{map[string]int{}, map[string][]float64{}} }

// Column is the place of a column, which it makes where there is none.
func (r *Rows) Column(name string) int {
	at, ok := r.names[name]
	if !ok {
		at = len(r.names)
		r.names[name] = at
	}
	return at
}

// Touch makes the row of an item, which counts as one of the sample although it has nothing yet.
func (r *Rows) Touch(item string) {
	if _, ok := r.rows[item]; !ok {
		r.rows[item] = nil
	}
}

// Has reports whether an item has a row.
func (r *Rows) Has(item string) bool {
	_, ok := r.rows[item]
	return ok
}

// Items are the items with a row, sorted.
func (r *Rows) Items() []string { return slices.Sorted(maps.Keys(r.rows)) }

// Add adds to an item's column.
func (r *Rows) Add(item, column string, v float64) {
	at, row := r.Column(column), r.rows[item]
	if at >= len(row) {
		row = append(row, make([]float64, at+1-len(row))...)
	}
	row[at] += v
	r.rows[item] = row
}

// Of is what an item has in a column; 0 where it has nothing.
func (r *Rows) Of(item, column string) float64 {
	if at, ok := r.names[column]; ok && at < len(r.rows[item]) {
		return r.rows[item][at]
	}
	return 0
}

// Above reports whether an item has more than 0 in each of the columns.
func (r *Rows) Above(item string, columns ...string) bool {
	for _, column := range columns {
		if !(r.Of(item, column) > 0) {
			return false
		}
	}
	return true
}

// Total is the sum of a column over the items, added in the order of the items.
func (r *Rows) Total(column string) float64 {
	at, ok := r.names[column]
	sum := 0.0
	if ok {
		for _, item := range r.Items() {
			if row := r.rows[item]; at < len(row) {
				sum += row[at]
			}
		}
	}
	return sum
}

// Pair puts two arms side by side: rows of the items that both have, with the columns of a under "a/" and of b under "b/".
func Pair(a, b *Rows) *Rows {
	out := NewRows()
	for item, row := range a.rows {
		other, ok := b.rows[item]
		if !ok {
			continue
		}
		out.Touch(item)
		for name, at := range a.names {
			if at < len(row) && row[at] != 0 {
				out.Add(item, "a/"+name, row[at])
			}
		}
		for name, at := range b.names {
			if at < len(other) && other[at] != 0 {
				out.Add(item, "b/"+name, other[at])
			}
		}
	}
	return out
}

// Ratio is the sum of a column over the sum of another.
type Ratio struct{ Num, Den string }

// Measure says what lies behind a figure, for the interval where no resample differs.
type Measure int

// The measures.
const (
	Share  Measure = iota // from 0 to 1
	Amount                // any number
)

// Figure is an estimate to be made of rows, and its place in the tables.
type Figure struct {
	Into   *percuss.Estimate
	Of     Ratio
	Less   Ratio   // taken from Of, of the same items; zero: nothing is, and the figure is no difference
	Is     Measure // of Of
	Absent string  // why there is none where a denominator is 0
	// Where are columns of which an item must have more than 0 to count in the figure, its interval and its number of items: a
	// difference of two arms is then over the same items in both. Empty: every item counts with what it has.
	Where []string
	// Judge is how good the judge is who called the cases of the numerator positive: the figure is then corrected for it, see
	// Draws.Corrected; nil: it stands as it is.
	Judge *Quality
}

// Fill makes the estimates of some figures by the percentile bootstrap over items, all from the same resamples, which are
// those of every Rows with the same items under the same key. A figure that cannot be made is absent and says why.
func (r *Rows) Fill(key string, o Options, figures []Figure) {
	if len(figures) == 0 {
		return
	}
	terms := make([]Term, len(figures))
	o.Metrics = make([]Metric, len(figures))
	var in picked
	for i, f := range figures {
		terms[i], o.Metrics[i] = f.described(func(name string) int { return in.place(name, f.Where) })
	}
	items := r.Items()
	s := Sample{Key: key, Items: items, Sums: make(Sums, len(items))}
	for i, item := range items {
		s.Sums[i] = in.row(r, item)
	}
	d, err := Draw(s, func(sums []float64) []percuss.Number {
		out := make([]percuss.Number, len(terms))
		for i, t := range terms {
			out[i] = t.Mean[0].value(sums)
		}
		return out
	}, o)
	if err != nil {
		for _, f := range figures {
			*f.Into = percuss.Absent(err.Error())
		}
		return
	}
	defer d.Release()
	rates, changes := map[Quality][]percuss.Estimate{}, map[Quality][]percuss.Estimate{}
	for i, e := range d.Estimates() {
		f := figures[i]
		paired := f.Less != (Ratio{})
		switch {
		case !e.Value.OK():
			e = percuss.Absent(f.Absent)
		case f.Judge != nil && paired:
			e = once(changes, *f.Judge, d.CorrectedDifference)[i]
		case f.Judge != nil:
			e = once(rates, *f.Judge, d.Corrected)[i]
		}
		if e.Value.OK() && paired {
			e.Method, e.Num, e.Den = "paired difference; "+e.Method, percuss.Number{}, percuss.Number{}
		}
		*f.Into = e
	}
}

// picked are the columns that figures need, each with what an item must have for it to count.
type picked struct {
	at    map[string]int
	names []string
	where [][]string
}

// place is where a column stands among those that are picked.
func (p *picked) place(name string, where []string) int {
	id := strconv.Quote(name)
	for _, w := range where {
		id += strconv.Quote(w)
	}
	at, ok := p.at[id]
	if !ok {
		if p.at == nil {
			p.at = map[string]int{}
		}
		at = len(p.names)
		p.at[id], p.names, p.where = at, append(p.names, name), append(p.where, where)
	}
	return at
}

// row is what an item has of the columns.
func (p *picked) row(r *Rows, item string) []float64 {
	out := make([]float64, len(p.names))
	for i, name := range p.names {
		if r.Above(item, p.where[i]...) {
			out[i] = r.Of(item, name)
		}
	}
	return out
}

// once computes the estimates for a quality the first time that they are asked for.
func once(known map[Quality][]percuss.Estimate, q Quality, compute func(Quality) []percuss.Estimate) []percuss.Estimate {
	if _, ok := known[q]; !ok {
		known[q] = compute(q)
	}
	return known[q]
}

// value is the quotient on column sums; missing where a denominator is not above 0.
func (q Quotient) value(sums []float64) percuss.Number {
	den := columns(sums, q.Den)
	if !(den > 0) {
		return percuss.Number{}
	}
	v := columns(sums, q.Num) / den
	if q.Less == nil {
		return percuss.Num(v)
	}
	less, ok := q.Less.value(sums).Get()
	if !ok {
		return percuss.Number{}
	}
	return percuss.Num(v - less)
}

// described tells how the figure is computed from the columns that place gives its names.
func (f Figure) described(place func(string) int) (Term, Metric) {
	q := Quotient{Num: []int{place(f.Of.Num)}, Den: []int{place(f.Of.Den)}}
	if f.Is == Share {
		q.Range = [2]float64{0, 1}
	}
	m := Metric{Num: q.Num, Den: q.Den, Difference: f.Is != Share, Absent: f.Absent}
	if f.Less != (Ratio{}) {
		less := Quotient{Num: []int{place(f.Less.Num)}, Den: []int{place(f.Less.Den)}, Range: q.Range}
		q.Less = &less
		m.Difference = true
		an, ad, bn, bd := q.Num[0], q.Den[0], less.Num[0], less.Den[0]
		m.Den = []int{ad}
		m.Changed = func(row []float64) bool { return row[an]*row[bd] != row[bn]*row[ad] }
	}
	t := Term{Factor: 1, Mean: []Quotient{q}}
	m.Terms = []Term{t}
	return t, m
}
