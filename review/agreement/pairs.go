package agreement

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

const (
	mostResampled = 10 // raters up to whom each pair's kappas are resampled: 45 pairs
	mostCrossed   = 5  // raters up to whom each pair has a cross table and a test: 10 pairs
)

// eachPair shows each two raters, by their places.
func (s sheet) eachPair(show func(a, b int)) {
	for a := range s.raters {
		for b := a + 1; b < len(s.raters); b++ {
			show(a, b)
		}
	}
}

// pairs are the kappas of each two raters.
func (t tables) pairs(s sheet) percuss.Table {
	table := percuss.Table{ID: s.id("pairs"), Title: s.title("Cohen's kappa of each two raters"), Long: len(s.raters) > mostCrossed,
		About: "On the items that both labelled. Intervals are bootstrap intervals over items.",
		Columns: []percuss.Column{column("first", "Rater", percuss.Words), column("second", "Other", percuss.Words), column("both", "Items of both", percuss.Whole),
			column("agreement", "Agreement", percuss.Percent), column("kappa", "Kappa", percuss.Decimal)}}
	if table.Absent = s.lacks(); table.Absent != "" {
		return table
	}
	q, many := len(s.q.Labels), len(s.raters) > mostResampled
	weighted := s.q.Ordinal && q > 2 && !many
	if weighted {
		table.Columns = append(table.Columns, column("linear", "Kappa, linear", percuss.Decimal), column("quadratic", "Kappa, quadratic", percuss.Decimal))
	}
	table.Columns = append(table.Columns, column("word", "Landis and Koch", percuss.Words))
	if many {
		table.About = "On the items that both labelled."
		table.Notes = []string{fmt.Sprintf("Of more than %d raters the kappas of pairs are those without weights, and their intervals are large-sample ones.", mostResampled)}
	}
	s.eachPair(func(a, b int) {
		both, same := s.both(a, b)
		kappa := func(w stat.Weights) percuss.Estimate {
			if many {
				return stat.Kappa(labelsOf(both), t.o.Level)
			}
			return stat.CohenKappa(both, w, t.o)
		}
		plain := kappa(stat.Weights{})
		if w := stat.PrevalenceOf(both).Warning(); w != "" {
			plain.Warnings = append(slices.Clone(plain.Warnings), w)
		}
		agree := stat.Wilson(same, len(both.Items), t.o.Level)
		if len(both.Items) == 0 {
			agree = percuss.Absent("no item has labels of both")
		}
		cells := []percuss.Cell{percuss.Said(s.raters[a].name), percuss.Said(s.raters[b].name), percuss.Counted(len(both.Items)), percuss.Measured(agree), percuss.Measured(plain)}
		if weighted {
			cells = append(cells, percuss.Measured(kappa(stat.LinearWeights(q))), percuss.Measured(kappa(stat.QuadraticWeights(q))))
		}
		table.Rows = append(table.Rows, row(append(cells, percuss.Said(stat.LandisKoch(plain.Value)))...))
	})
	return table
}

// both are the items that two raters labelled, and on how many they agree.
func (s sheet) both(a, b int) (r stat.Ratings, same int) {
	r.Categories = s.r.Categories
	for _, row := range s.r.Items {
		if row[a] == stat.NoLabel || row[b] == stat.NoLabel {
			continue
		}
		r.Items = append(r.Items, []int{row[a], row[b]})
		if row[a] == row[b] {
			same++
		}
	}
	return r, same
}

// labelsOf are the labels of two raters in words.
func labelsOf(r stat.Ratings) [][2]string {
	var out [][2]string
	for _, row := range r.Items {
		out = append(out, [2]string{r.Categories[row[0]], r.Categories[row[1]]})
	}
	return out
}

// crossed counts what each two raters say of the same item.
func (t tables) crossed(s sheet) percuss.Table {
	table := percuss.Table{ID: s.id("crossed"), Title: s.title("What two raters say of the same item"), Long: len(s.raters) > 3,
		About: "Counts of items that both labelled: a row for each label of the first rater, a column for each of the other.",
		Columns: append([]percuss.Column{column("first", "Rater", percuss.Words), column("second", "Other", percuss.Words),
			column("label", "Label of the rater", percuss.Words)}, s.labelColumns(percuss.Whole)...)}
	if table.Absent = s.lacks(); table.Absent != "" {
		return table
	}
	if len(s.raters) > mostCrossed {
		table.Absent = fmt.Sprintf("more than %d raters have too many pairs: `percuss review export` gives every label", mostCrossed)
		return table
	}
	s.eachPair(func(a, b int) {
		counts := make([][]int, len(s.q.Labels))
		for k := range counts {
			counts[k] = make([]int, len(s.q.Labels))
		}
		for _, row := range s.r.Items {
			if row[a] != stat.NoLabel && row[b] != stat.NoLabel {
				counts[row[a]][row[b]]++
			}
		}
		for k, l := range s.q.Labels {
			cells := []percuss.Cell{percuss.Said(s.raters[a].name), percuss.Said(s.raters[b].name), percuss.Said(l.ID)}
			for _, n := range counts[k] {
				cells = append(cells, percuss.Counted(n))
			}
			table.Rows = append(table.Rows, row(cells...))
		}
	})
	return table
}
