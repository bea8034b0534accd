package agreement

import (
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// others names all raters but one.
const others = "the others"

// direction tells who is stricter: on how many items a rater's label is further along than another's, and the reverse.
func (t tables) direction(s sheet) percuss.Table {
	table := percuss.Table{ID: s.id("direction"), Title: s.title("Who is stricter"),
		About: "On how many items one rater's label goes further than the other's: later in the order of the labels, or, of labels without an order, the rater gives the label and the other does not. The p-value is that of an exact sign test, which is McNemar's for two sides; none is corrected for the number of tests.",
		Columns: []percuss.Column{column("compared", "Compared", percuss.Words), column("first", "Rater", percuss.Words), column("second", "Other", percuss.Words),
			column("same", "Same", percuss.Whole), column("first_further", "Rater further", percuss.Whole), column("second_further", "Other further", percuss.Whole),
			{ID: "p", Head: "p", Scale: percuss.PValue, Bare: true}, column("stricter", "Further", percuss.Words)}}
	if table.Absent = s.lacks(); table.Absent != "" {
		return table
	}
	many := len(s.raters) > mostCrossed
	if many {
		table.About += " Of more than five raters each is held against the middle one of the others' labels, or against more than half of them, and equal parts do not count."
	}
	for _, one := range s.directed() {
		add := func(first, second string, of func(row []int) (a, b int)) {
			table.Rows = append(table.Rows, directionRow(one, first, second, of))
		}
		if !many {
			s.eachPair(func(a, b int) {
				add(s.raters[a].name, s.raters[b].name, func(row []int) (int, int) { return row[a], row[b] })
			})
			continue
		}
		for j := range s.raters {
			add(s.raters[j].name, others, func(row []int) (int, int) { return row[j], middle(slices.Concat(row[:j], row[j+1:])) })
		}
	}
	return table
}

// directed are the scales on which one label goes further than another: all labels where they are in order, else each label against the rest, of
// two labels the first one.
func (s sheet) directed() []scale {
	all := s.scales()
	switch {
	case s.q.Ordinal:
		return all[:1]
	case len(all) > 1:
		return all[1:]
	}
	all[0].binary, all[0].name = true, s.q.Labels[0].ID+" against the rest"
	return all
}

// directionRow compares two labels of each item; NoLabel on either side leaves it out.
func directionRow(of scale, first, second string, labels func(row []int) (a, b int)) percuss.Row {
	same, over, under := 0, 0, 0
	for _, row := range of.r.Items {
		a, b := labels(row)
		if of.binary { // the label itself is on side 0
			a, b = turned(a), turned(b)
		}
		switch {
		case a == stat.NoLabel || b == stat.NoLabel:
		case a == b:
			same++
		case a > b:
			over++
		default:
			under++
		}
	}
	further := "–"
	switch {
	case over > under:
		further = first
	case under > over:
		further = second
	}
	p := stat.McNemar(over, under)
	if same+over+under == 0 {
		p = percuss.Number{}
	}
	return row(percuss.Said(of.name), percuss.Said(first), percuss.Said(second), percuss.Counted(same), percuss.Counted(over), percuss.Counted(under),
		percuss.Valued(p), percuss.Said(further))
}

// turned is the other side of two.
func turned(side int) int {
	if side == stat.NoLabel {
		return side
	}
	return 1 - side
}

// middle is the middle one of an item's labels in their order; NoLabel where there is none, or where the two middle ones differ.
func middle(row []int) int {
	row = slices.DeleteFunc(row, func(k int) bool { return k == stat.NoLabel })
	slices.Sort(row)
	n := len(row)
	if n == 0 || row[(n-1)/2] != row[n/2] {
		return stat.NoLabel
	}
	return row[n/2]
}
