package evidence

import (
	"maps"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// block holds sums of cases: a row a case, named columns. All trials of a case are in one row, so that they are
// resampled together, and whatever is compared within a block is paired. A row ends at the last column that its case
// fills.
type block struct {
	names map[string]int
	rows  map[string][]float64 // by item
}

func newBlock() *block { return &block{map[string]int{}, map[string][]float64{}} }

// column is the place of a column, which it makes where there is none.
func (b *block) column(name string) int {
	at, ok := b.names[name]
	if !ok {
		at = len(b.names)
		b.names[name] = at
	}
	return at
}

// add adds to a case's column.
func (b *block) add(item, column string, v float64) { b.addAt(item, b.column(column), v) }

func (b *block) addAt(item string, at int, v float64) {
	row := b.rows[item]
	if at >= len(row) {
		row = append(row, make([]float64, at+1-len(row))...)
		b.rows[item] = row
	}
	row[at] += v
}

// at is a case's value in a column, 0 where there is none.
func (b *block) at(item, column string) float64 {
	at, ok := b.names[column]
	if row := b.rows[item]; ok && at < len(row) {
		return row[at]
	}
	return 0
}

// mean adds a case's value to a mean over cases: its columns are name and name/n.
func (b *block) mean(item, name string, v percuss.Number) {
	if x, ok := v.Get(); ok {
		b.add(item, name, x)
		b.add(item, name+"/n", 1)
	}
}

// sums are the sums of all columns over the cases, in the order of the items, for sums depend on it in the last digit.
func (b *block) sums() []float64 {
	out := make([]float64, len(b.names))
	for _, item := range slices.Sorted(maps.Keys(b.rows)) {
		for at, v := range b.rows[item] {
			out[at] += v
		}
	}
	return out
}

// ratio is a sum of columns over a sum of columns.
type ratio struct{ num, den []int }

// over makes a ratio of two columns.
func (b *block) over(num, den string) ratio { return ratio{[]int{b.column(num)}, []int{b.column(den)}} }

// figure is an estimate to be made and its place in the tables. Its value is the mean of its ratios, of which most have
// one.
type figure struct {
	into   *percuss.Estimate
	of     []ratio
	kind   kind
	absent string // why there is none where the denominators are 0
}

// kind says what lies behind a figure, for the interval where no resample differs.
type kind int

const (
	rate       kind = iota // from 0 to 1
	amount                 // any number
	difference             // an amount whose first numerator is 0 in a case that did not change
)

// value of a figure given column sums.
func (f figure) value(s []float64) percuss.Number {
	sum, n := 0.0, 0.0
	for _, r := range f.of {
		if den := total(s, r.den); den > 0 {
			sum += total(s, r.num) / den
			n++
		}
	}
	return percuss.Num(sum / n)
}

func total(s []float64, columns []int) float64 {
	out := 0.0
	for _, at := range columns {
		out += s[at]
	}
	return out
}

// fill makes the estimates of some figures: the cases of the block are resampled under the given key, all figures from
// the same resamples. Columns that no figure needs, or that are 0 in every case, cost nothing.
func (b *block) fill(key string, o stat.Options, figures []figure) {
	items := slices.Sorted(maps.Keys(b.rows))
	sums, filled := b.sums(), make([]bool, len(b.names))
	for _, row := range b.rows {
		for at, v := range row {
			filled[at] = filled[at] || v != 0
		}
	}
	var kept []figure
	for _, f := range figures {
		if f.value(sums).OK() {
			kept = append(kept, f)
		} else {
			*f.into = percuss.Absent(f.absent)
		}
	}
	if len(kept) == 0 {
		return
	}
	kept, used := compacted(kept, filled)
	sample := stat.Sample{Key: key, Items: items, Sums: make(stat.Sums, len(items))}
	for i, item := range items {
		sample.Sums[i] = picked(b.rows[item], used)
	}
	o.Metrics = described(kept)
	draws, err := stat.Draw(sample, statistic(kept), o)
	if err != nil {
		for _, f := range kept {
			*f.into = percuss.Absent(err.Error())
		}
		return
	}
	for i, e := range draws.Estimates() {
		if len(kept[i].of) > 1 { // a mean of ratios is not the ratio of their sums
			e.Num, e.Den = percuss.Number{}, percuss.Number{}
		}
		*kept[i].into = e
	}
}

// compacted are the figures on the columns that they need and that are not all 0, and which columns those are.
func compacted(figures []figure, filled []bool) (out []figure, used []int) {
	at := make([]int, len(filled)) // place + 1 in used
	place := func(columns []int) []int {
		var to []int
		for _, c := range columns {
			if at[c] == 0 && filled[c] {
				used = append(used, c)
				at[c] = len(used)
			}
			if at[c] > 0 {
				to = append(to, at[c]-1)
			}
		}
		return to
	}
	for _, f := range figures {
		ratios := make([]ratio, len(f.of))
		for i, r := range f.of {
			ratios[i] = ratio{place(r.num), place(r.den)}
		}
		f.of = ratios
		out = append(out, f)
	}
	return out, used
}

// picked are some columns of a row.
func picked(row []float64, columns []int) []float64 {
	out := make([]float64, len(columns))
	for i, c := range columns {
		if c < len(row) {
			out[i] = row[c]
		}
	}
	return out
}

// statistic maps column sums to the figures.
func statistic(figures []figure) stat.Statistic {
	return func(sums []float64) []percuss.Number {
		out := make([]percuss.Number, len(figures))
		for i, f := range figures {
			out[i] = f.value(sums)
		}
		return out
	}
}

// described tells package stat what the figures are.
func described(figures []figure) []stat.Metric {
	out := make([]stat.Metric, len(figures))
	for i, f := range figures {
		m := stat.Metric{Difference: f.kind != rate, Absent: f.absent}
		for _, r := range f.of {
			m.Num, m.Den = append(m.Num, r.num...), append(m.Den, r.den...)
		}
		if f.kind == difference {
			first := f.of[0].num
			m.Changed = func(row []float64) bool { return len(first) > 0 && row[first[0]] != 0 }
		}
		out[i] = m
	}
	return out
}
