package agreement

import (
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/stat"
)

// shares are how often each rater gives each label, how often all do, and how often most do.
func (t tables) shares(s sheet) percuss.Table {
	table := percuss.Table{ID: s.id("shares"), Title: s.title("How often each label is given"),
		About:   s.q.Text + " Each rater: of what that rater labelled. All, and of three raters and more also more than half: of the items that two raters or more labelled, those on which all of these give the label, or more than half of them; the shares need not add up to 100 %. Intervals are Wilson's.",
		Columns: append([]percuss.Column{column("rater", "Rater", percuss.Words), column("labelled", "Labelled", percuss.Whole)}, s.labelColumns(percuss.Percent)...),
		Notes:   s.incomplete()}
	if len(s.raters) == 0 {
		table.Absent = "nobody has answered this question"
		return table
	}
	if t.Package.Task == blind.Perturbation {
		table.Paper = "Table 12"
	}
	for j, who := range s.raters {
		counts, n := make([]int, len(s.q.Labels)), 0
		for _, row := range s.r.Items {
			if row[j] != stat.NoLabel {
				counts[row[j]]++
				n++
			}
		}
		table.Rows = append(table.Rows, t.sharesRow(who.name, counts, n))
	}
	if len(s.raters) < 2 {
		table.Notes = append(table.Notes, "There is one rater only: nothing is said together.")
		return table
	}
	table.Rows = append(table.Rows, t.jointRows(s)...)
	return table
}

// jointRows are how often all raters give a label, and of three or more how often more than half do.
func (t tables) jointRows(s sheet) []percuss.Row {
	all, majority := make([]int, len(s.q.Labels)), make([]int, len(s.q.Labels))
	_, n := s.together()
	for k := range all {
		all[k], _ = s.together(k)
	}
	for _, row := range s.r.Items {
		if k := most(row); k != stat.NoLabel && labelled(row) >= s.several() {
			majority[k]++
		}
	}
	out := []percuss.Row{t.sharesRow("all raters", all, n)}
	if len(s.raters) > 2 { // more than half of two are both
		out = append(out, t.sharesRow("more than half", majority, n))
	}
	for i := range out {
		out[i].Head = true
	}
	return out
}

// sharesRow is a row of shares, with Wilson's intervals.
func (t tables) sharesRow(name string, counts []int, n int) percuss.Row {
	cells := []percuss.Cell{percuss.Said(name), percuss.Counted(n)}
	for _, k := range counts {
		cells = append(cells, percuss.Measured(t.share(k, n)))
	}
	return row(cells...)
}

// share is a share of items.
func (t tables) share(k, n int) percuss.Estimate {
	if n == 0 {
		return percuss.Absent("no item has labels of two raters")
	}
	return stat.Wilson(k, n, t.o.Level)
}

// statements are the counts that the chain paper gives of edits and flips.
func (t tables) statements() percuss.Table {
	table := percuss.Table{ID: "statements", Title: "What the raters say together", Paper: "Table 12",
		About: "Of the items that two raters or more labelled. An edit is defensible where a rater calls it no_shift or ambiguous. Intervals are Wilson's; that of a mean over raters resamples the items.",
		Columns: []percuss.Column{column("says", "Statement", percuss.Words), column("share", "Share", percuss.Percent), column("count", "Count", percuss.Whole),
			column("of", "Of", percuss.Whole), column("paper", "In the paper", percuss.Words)}}
	for _, line := range []struct {
		says, paper, question string
		labels                []string
	}{
		{"defensible for all raters", "194 of 197", blind.AskShift, []string{"no_shift", "ambiguous"}},
		{"no_shift for all raters", "119 of 197", blind.AskShift, []string{"no_shift"}},
		{"shifted for all raters", "0 of 197", blind.AskShift, []string{"shifted"}},
		{"valid or borderline for all", "142 of 197", blind.AskValidity, []string{"valid", "borderline"}},
		{"invalid for all raters", "9 of 197", blind.AskValidity, []string{"invalid"}},
		{"harmful flip for all raters", "10 of 75", blind.AskHazard, []string{"harmful"}},
	} {
		if s, some, ok := t.labels(line.question, line.labels); ok {
			k, n := s.together(some...)
			table.Rows = append(table.Rows, row(percuss.Said(line.says), percuss.Measured(t.share(k, n)), percuss.Counted(k), percuss.Counted(n), percuss.Said(line.paper)))
		}
	}
	if s, some, ok := t.labels(blind.AskHazard, []string{"harmful"}); ok {
		k, n := 0, 0
		for _, row := range s.r.Items {
			if labelled(row) >= s.several() {
				n++
				k += min(1, within(row, some))
			}
		}
		table.Rows = append(table.Rows, row(percuss.Said("harmful flip for any rater"), percuss.Measured(t.share(k, n)), percuss.Counted(k), percuss.Counted(n), percuss.Said("–")),
			row(percuss.Said("harmful flip, mean of raters"), percuss.Measured(t.mean(s, some...)), percuss.Measured(percuss.Absent("a mean over raters is no count")),
				percuss.Counted(n), percuss.Said("25 %")))
	}
	switch {
	case len(table.Rows) == 0:
		table.Absent = "the package asks none of the questions of the paper"
	case len(t.raters) == 1:
		table.Notes = []string{"There is one rater only: all raters are this one."}
	}
	return table
}

// labels is the sheet of a question of the paper and the places of some of its labels; ok is false where the package does not ask it so.
func (t tables) labels(question string, labels []string) (s sheet, some []int, ok bool) {
	q := t.Package.Question(question)
	if q == nil {
		return s, nil, false
	}
	s = t.sheet(*q, t.items)
	for _, l := range labels {
		k := slices.Index(s.r.Categories, l)
		if k < 0 {
			return s, nil, false
		}
		some = append(some, k)
	}
	return s, some, true
}

// mean is the mean over raters of the share of their labels that are among some, of the items that several labelled: each item counts
// by the share of its labels.
func (t tables) mean(s sheet, some ...int) percuss.Estimate {
	var x stat.Sums
	for _, row := range s.r.Items {
		if n := labelled(row); n >= s.several() {
			x = append(x, []float64{float64(within(row, some)) / float64(n), 1})
		}
	}
	return t.ratio(x, "no item has labels of two raters")
}

// ratio is the quotient of two columns summed over items, from 0 to 1, with the bootstrap interval over items; why says what it is for lack of when there
// are none.
func (t tables) ratio(x stat.Sums, why string) percuss.Estimate {
	if len(x) == 0 {
		return percuss.Absent(why)
	}
	o := t.o
	o.Metrics = []stat.Metric{{Num: []int{0}, Den: []int{1}, Absent: why}}
	e, err := stat.Bootstrap(x, func(s []float64) []percuss.Number { return []percuss.Number{percuss.Num(s[0] / s[1])} }, o)
	if err != nil {
		return percuss.Absent(err.Error())
	}
	return e[0]
}
