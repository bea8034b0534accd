package agreement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/stat"
)

// sheet is what raters said to one question.
type sheet struct {
	q      blind.Question
	raters []person // who gave a label
	items  []string // that ask it
	r      stat.Ratings
}

// sheet gathers the labels of a question. Of one that is asked only after another answer, items of which no rater was asked it are no items of
// it; of all others an item without a label is one that is open.
func (t tables) sheet(q blind.Question, items []blind.Item) sheet {
	s := sheet{q: q, r: stat.Ratings{Categories: idsOf(q)}}
	for _, who := range t.raters {
		if slices.ContainsFunc(items, func(i blind.Item) bool { return t.said(q, i, t.Said[who.id][i.ID]) != stat.NoLabel }) {
			s.raters = append(s.raters, who)
		}
	}
	for _, item := range items {
		row, given, asked := make([]int, len(s.raters)), false, len(item.Asks) == 0 || slices.Contains(item.Asks, q.ID)
		for j, who := range s.raters {
			row[j] = t.said(q, item, t.Said[who.id][item.ID])
			given = given || row[j] != stat.NoLabel
		}
		if given || asked && q.When == nil {
			s.items, s.r.Items = append(s.items, item.ID), append(s.r.Items, row)
		}
	}
	return s
}

// said is the place of an answer among the labels of the question, or stat.NoLabel. An answer to what is not asked any more, since an earlier
// answer was changed, is none.
func (t tables) said(q blind.Question, item blind.Item, e ratings.Entry) int {
	label := e.Labels[q.ID]
	if label == "" || !slices.ContainsFunc(t.Package.Asked(item, e.Labels), func(a blind.Question) bool { return a.ID == q.ID }) {
		return stat.NoLabel
	}
	return slices.IndexFunc(q.Labels, func(l blind.Label) bool { return l.ID == label })
}

// idsOf are the labels of a question.
func idsOf(q blind.Question) []string {
	out := make([]string, len(q.Labels))
	for i, l := range q.Labels {
		out[i] = l.ID
	}
	return out
}

// most is the label that more than half of an item's labels are; stat.NoLabel: none is.
func most(row []int) int {
	counts, n := map[int]int{}, 0
	for _, k := range row {
		if k != stat.NoLabel {
			counts[k]++
			n++
		}
	}
	for k, c := range counts {
		if 2*c > n {
			return k
		}
	}
	return stat.NoLabel
}

// labelled counts an item's labels.
func labelled(row []int) int {
	return len(row) - within(row, []int{stat.NoLabel})
}

// within counts an item's labels that are among some.
func within(row, some []int) int {
	n := 0
	for _, k := range row {
		if slices.Contains(some, k) {
			n++
		}
	}
	return n
}

// several is how many labels make an item one of which it can be said what raters say together: two, or one where there is one rater.
func (s sheet) several() int { return min(2, max(1, len(s.raters))) }

// together counts the items with labels of several raters, and those of them on which each of these is among some.
func (s sheet) together(some ...int) (k, n int) {
	for _, row := range s.r.Items {
		given := labelled(row)
		if given < s.several() {
			continue
		}
		n++
		if within(row, some) == given {
			k++
		}
	}
	return k, n
}

// incomplete says in words that not every rater labelled every item that enters what they say together.
func (s sheet) incomplete() []string {
	lacks, single, n := 0, 0, 0
	for _, row := range s.r.Items {
		switch given := labelled(row); {
		case given == 0:
		case given < s.several():
			single++
		default:
			n++
			if given < len(s.raters) {
				lacks++
			}
		}
	}
	var out []string
	if lacks > 0 {
		out = append(out, fmt.Sprintf("%d of the %d items lack the label of a rater: all raters are there those who labelled the item.", lacks, n))
	}
	if single > 0 {
		out = append(out, fmt.Sprintf("%d more have one label only and are in no joint share.", single))
	}
	return out
}

// title names a table of the question.
func (s sheet) title(what string) string { return what + ": " + s.q.ID }

// id names a table of the question for files.
func (s sheet) id(what string) string { return what + "_" + s.q.ID }

// column is a column of a table.
func column(id, head string, scale percuss.Scale) percuss.Column {
	return percuss.Column{ID: id, Head: head, Scale: scale}
}

// labelColumns are a column for each label.
func (s sheet) labelColumns(scale percuss.Scale) []percuss.Column {
	var out []percuss.Column
	for _, l := range s.q.Labels {
		out = append(out, column("label_"+l.ID, l.ID, scale))
	}
	return out
}

// row is a row of a table.
func row(cells ...percuss.Cell) percuss.Row { return percuss.Row{Cells: cells} }

// words joins labels.
func words(labels []string) string { return strings.Join(labels, " or ") }
