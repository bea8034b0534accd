package agreement

import (
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/stat"
)

// outcome is what is settled of an item.
type outcome struct {
	first int // the label of more than half of the first round's raters; NoLabel: there is none
	again int // that of the second round; NoLabel: it was not asked there, or not answered
	final int // again where there is one, else first
}

// outcomes settles each item of a sheet, in its order.
func (t tables) outcomes(s sheet) []outcome {
	again := map[string]int{}
	if t.Second != nil {
		second, who := tables{Review: Review{Package: t.Second.Package}}, people(t.Second.Said, nil)
		for _, item := range t.Second.Package.Items {
			q := t.Second.Package.Question(s.q.ID)
			if q == nil {
				continue
			}
			var row []int
			for _, one := range who {
				row = append(row, second.said(*q, item, t.Second.Said[one.id][item.ID]))
			}
			again[item.ID] = most(row)
		}
	}
	out := make([]outcome, len(s.items))
	for i, id := range s.items {
		one := outcome{first: most(s.r.Items[i]), again: stat.NoLabel}
		if k, ok := again[id]; ok {
			one.again = k
		}
		if one.final = one.again; one.final == stat.NoLabel {
			one.final = one.first
		}
		out[i] = one
	}
	return out
}

// adjudicated sets the second round beside the first.
func (t tables) adjudicated(s sheet, final []outcome) percuss.Table {
	table := percuss.Table{ID: s.id("adjudicated"), Title: s.title("Outcome before and after adjudication"),
		About: "Items by what more than half of the raters of the first round say, by what the adjudication says, and by what counts in the end: the adjudication where it was answered, else the first round.",
		Columns: []percuss.Column{column("label", "Label", percuss.Words), column("first", "First round", percuss.Percent), column("second", "Adjudicated", percuss.Whole),
			column("final", "In the end", percuss.Percent)}}
	if len(s.raters) == 0 {
		table.Absent = "nobody has answered this question"
		return table
	}
	count := func(k int, of func(outcome) int) int {
		n := 0
		for _, one := range final {
			if of(one) == k {
				n++
			}
		}
		return n
	}
	before, after := func(o outcome) int { return o.first }, func(o outcome) int { return o.final }
	add := func(name string, k, again int, head bool) {
		r := row(percuss.Said(name), percuss.Measured(t.share(count(k, before), len(final))), percuss.Counted(again), percuss.Measured(t.share(count(k, after), len(final))))
		r.Head = head
		table.Rows = append(table.Rows, r)
	}
	for k, l := range s.q.Labels {
		add(l.ID, k, count(k, func(o outcome) int { return o.again }), false)
	}
	left := 0
	for _, item := range t.Second.Package.Items {
		if at, ok := slices.BinarySearch(s.items, item.ID); ok && (len(item.Asks) == 0 || slices.Contains(item.Asks, s.q.ID)) && final[at].again == stat.NoLabel {
			left++
		}
	}
	add("no majority, or open", stat.NoLabel, left, true)
	return table
}

// sided tells with whom of the first round the adjudication agrees.
func (t tables) sided(s sheet, final []outcome) percuss.Table {
	table := percuss.Table{ID: s.id("sided"), Title: s.title("Whose label the adjudication gives"),
		About:   "Of the items that were adjudicated, on which the raters had not agreed: how often the adjudication gives the label of each. Intervals are Wilson's.",
		Columns: []percuss.Column{column("rater", "Rater", percuss.Words), column("same", "Same label", percuss.Percent)}}
	for j, who := range s.raters {
		k, n := 0, 0
		for i, row := range s.r.Items {
			if row[j] != stat.NoLabel && final[i].again != stat.NoLabel {
				n++
				if row[j] == final[i].again {
					k++
				}
			}
		}
		e := stat.Wilson(k, n, t.o.Level)
		if n == 0 {
			e = percuss.Absent("no label of this rater was adjudicated")
		}
		table.Rows = append(table.Rows, row(percuss.Said(who.name), percuss.Measured(e)))
	}
	if len(table.Rows) == 0 {
		table.Absent = "nobody has answered this question"
	}
	return table
}

// The questions of interactions.
const (
	askJudgement  = "judgement"
	askConfidence = "confidence"
)

// sure are the final judgement of an item and how sure those are who gave it: the middle one of their confidences, the lower of two.
type sure struct{ judgement, confidence int }

// sures settles judgements with their confidence, by item.
func (t tables) sures() map[string]sure {
	q := t.Package.Question(askJudgement)
	if q == nil || t.Package.Question(askConfidence) == nil {
		return nil
	}
	s := t.sheet(*q, t.items)
	first, second := confidenceOf(t.Package, t.Said), func(string, int) int { return stat.NoLabel }
	if t.Second != nil && t.Second.Package.Question(askJudgement) != nil && t.Second.Package.Question(askConfidence) != nil {
		second = confidenceOf(t.Second.Package, t.Second.Said)
	}
	out := map[string]sure{}
	for i, one := range t.outcomes(s) {
		switch {
		case one.final == stat.NoLabel:
		case one.again != stat.NoLabel:
			out[s.items[i]] = sure{one.final, second(s.items[i], one.final)}
		default:
			out[s.items[i]] = sure{one.final, first(s.items[i], one.final)}
		}
	}
	return out
}

// confidenceOf tells how sure those raters of a round are of an item who give a judgement.
func confidenceOf(p blind.Package, said ratings.Latest) func(item string, judgement int) int {
	t, items, who := tables{Review: Review{Package: p}}, map[string]blind.Item{}, people(said, nil)
	for _, item := range p.Items {
		items[item.ID] = item
	}
	judged, asked := *p.Question(askJudgement), *p.Question(askConfidence)
	return func(id string, judgement int) int {
		var all []int
		for _, one := range who {
			e := said[one.id][id]
			if t.said(judged, items[id], e) != judgement {
				continue
			}
			if k := t.said(asked, items[id], e); k != stat.NoLabel {
				all = append(all, k)
			}
		}
		if len(all) == 0 {
			return stat.NoLabel
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
}
