package agreement

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/stat"
)

// ofThemselves are the tables of items that are there to look at the raters.
func (t tables) ofThemselves() []percuss.Table {
	return []percuss.Table{t.repeats(), t.attention()}
}

// repeats tell how far each rater agrees with themselves, on items that were shown twice.
func (t tables) repeats() percuss.Table {
	table := percuss.Table{ID: "repeats", Title: "Agreement of a rater with themselves",
		About: "On items that were shown twice: how often the two labels of a rater are the same, with Wilson's intervals, and their kappa, with bootstrap intervals over items. Of all raters together the interval resamples the items.",
		Columns: []percuss.Column{column("question", "Question", percuss.Words), column("rater", "Rater", percuss.Words), column("twice", "Labelled twice", percuss.Whole),
			column("same", "Same label", percuss.Percent), column("kappa", "Kappa", percuss.Decimal), column("word", "Landis and Koch", percuss.Words)}}
	again := t.again()
	switch {
	case t.Key == nil:
		table.Absent = keyShut
	case len(again) == 0:
		table.Absent = "no item was shown twice"
	case len(t.raters) == 0:
		table.Absent = "nobody has answered anything"
	}
	if table.Absent != "" {
		return table
	}
	for _, q := range t.Package.Questions {
		table.Rows = append(table.Rows, t.repeatsOf(q, again)...)
	}
	return table
}

// repeatsOf are the rows of a question: a rater each, and all together.
func (t tables) repeatsOf(q blind.Question, again [][2]blind.Item) []percuss.Row {
	var out []percuss.Row
	all, n := make(stat.Sums, len(again)), 0
	for i := range all {
		all[i] = []float64{0, 0}
	}
	for _, who := range t.raters {
		r := stat.Ratings{Categories: idsOf(q)}
		for i, pair := range again {
			first, second := t.said(q, pair[0], t.Said[who.id][pair[0].ID]), t.said(q, pair[1], t.Said[who.id][pair[1].ID])
			if first == stat.NoLabel || second == stat.NoLabel {
				continue
			}
			r.Items = append(r.Items, []int{first, second})
			n++
			all[i][1]++
			if first == second {
				all[i][0]++
			}
		}
		out = append(out, t.repeatsRow(q.ID, who.name, r))
	}
	if len(t.raters) > 1 {
		out = append(out, percuss.Row{Head: true, Cells: []percuss.Cell{percuss.Said(q.ID), percuss.Said("all raters"), percuss.Counted(n),
			percuss.Measured(t.ratio(all, "no rater labelled an item twice")), percuss.Measured(percuss.Absent("kappa is of one rater")), percuss.Said("–")}})
	}
	return out
}

func (t tables) repeatsRow(question, rater string, r stat.Ratings) percuss.Row {
	n, k := len(r.Items), 0
	for _, row := range r.Items {
		if row[0] == row[1] {
			k++
		}
	}
	same, kappa := stat.Wilson(k, n, t.o.Level), percuss.Absent("no item was labelled twice")
	if n == 0 {
		same = kappa
	} else {
		kappa = stat.CohenKappa(r, stat.Weights{}, t.o)
	}
	return row(percuss.Said(question), percuss.Said(rater), percuss.Counted(n), percuss.Measured(same), percuss.Measured(kappa), percuss.Said(stat.LandisKoch(kappa.Value)))
}

// again are the items that were shown twice: the item and the one that shows it again.
func (t tables) again() [][2]blind.Item {
	of := map[string]blind.Item{}
	for _, item := range t.items {
		of[item.ID] = item
	}
	var out [][2]blind.Item
	for _, item := range t.sorted() {
		if first, ok := of[t.Key[item.ID].Repeats]; ok {
			out = append(out, [2]blind.Item{first, item})
		}
	}
	return out
}

// attention tells how often each rater gave the one answer of an item that has one.
func (t tables) attention() percuss.Table {
	table := percuss.Table{ID: "attention", Title: "Attention items",
		About:   "Items with one obvious answer: those that a rater answered, and of these how many as expected, with Wilson's intervals.",
		Columns: []percuss.Column{column("rater", "Rater", percuss.Words), column("answered", "Answered", percuss.Whole), column("expected", "As expected", percuss.Percent)}}
	var items []blind.Item
	for _, item := range t.sorted() {
		if t.Key[item.ID].Expected != nil {
			items = append(items, item)
		}
	}
	switch {
	case t.Key == nil:
		table.Absent = keyShut
	case len(items) == 0:
		table.Absent = "the package has no attention items"
	case len(t.raters) == 0:
		table.Absent = "nobody has answered anything"
	}
	if table.Absent != "" {
		return table
	}
	for _, who := range t.raters {
		k, n := 0, 0
		for _, item := range items {
			labels, all, some := t.Said[who.id][item.ID].Labels, true, false
			for question, label := range t.Key[item.ID].Expected {
				all = all && labels[question] == label
				some = some || labels[question] != ""
			}
			if some {
				n++
				if all {
					k++
				}
			}
		}
		e := stat.Wilson(k, n, t.o.Level)
		if n == 0 {
			e = percuss.Absent("this rater answered none")
		}
		table.Rows = append(table.Rows, row(percuss.Said(who.name), percuss.Counted(n), percuss.Measured(e)))
	}
	return table
}
