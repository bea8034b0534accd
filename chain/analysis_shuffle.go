package chain

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// The columns of an item's shuffle: comparable, and of those the right answers in the original and the new order, and
// the same content chosen in both.
const (
	shufflePair = iota
	shuffleBefore
	shuffleAfter
	shuffleSame
	shuffleColumns
)

// shuffledCell gathers the shuffles of one model on one data set under one prompt.
type shuffledCell struct {
	rows          map[string][]float64
	chance        float64        // sum of 1 ÷ options over the comparable items
	dropped       int            // fired, without two comparable answers
	excluded      map[string]int // not fired, by reason
	before, after map[string]hits
	changed       changes
}

// hits are right answers of some.
type hits struct{ right, n int }

// optionShuffle is analysis 5: the same options in another order (chain paper, Table 8).
type optionShuffle struct {
	cells map[[3]string]*shuffledCell // by prompt, model and data set
}

func newOptionShuffle() *optionShuffle { return &optionShuffle{map[[3]string]*shuffledCell{}} }

func (a *optionShuffle) add(r Record) {
	i := slices.IndexFunc(r.Controls, func(c ControlTrial) bool { return c.ID == Shuffle })
	if i < 0 {
		return
	}
	t := r.Controls[i]
	key := [3]string{r.Subject.Variant, r.Subject.Model, r.Subject.Set}
	c := a.cells[key]
	if c == nil {
		c = &shuffledCell{rows: map[string][]float64{}, excluded: map[string]int{}, before: map[string]hits{}, after: map[string]hits{}}
		a.cells[key] = c
	}
	switch {
	case !t.Fired:
		// One that waits for its baseline is neither excluded nor answered.
		if t.Reading.State != Waiting {
			c.excluded[t.Why]++
		}
	case t.Flip != Kept && t.Flip != Flipped:
		c.dropped++
	default:
		c.rows[r.Subject.Item] = []float64{1, bit(r.Base.Correct), bit(t.Reading.Correct), bit(t.Flip == Kept)}
		c.chance += 1 / float64(max(r.Options, 1))
		c.changed = c.changed.plus(r.Base.Correct, t.Reading.Correct)
		c.before[r.Gold] = c.before[r.Gold].plus(r.Base.Correct)
		c.after[t.Gold] = c.after[t.Gold].plus(t.Reading.Correct)
	}
}

// plus counts one more answer.
func (h hits) plus(right bool) hits { return hits{h.right + int(bit(right)), h.n + 1} }

// shuffleFigures are the accuracies before and after, their difference in points, and the share of the same content.
func shuffleFigures() []figure {
	const why = "no shuffled question has an answer to compare"
	den := []int{shufflePair}
	one := func(id string, column int) figure {
		num := []int{column}
		return figure{id: id, value: ratioOf(num, den), terms: told(over(num, den)), num: num, den: den, hi: 1, absent: why}
	}
	net := func(s sums) (float64, float64) { return s[shuffleAfter] - s[shuffleBefore], s[shufflePair] }
	return []figure{one("before", shuffleBefore), one("after", shuffleAfter),
		{id: "delta", kind: points, lo: -100, hi: 100, den: den, absent: why, ratio: net, terms: told(excess(100, []int{shuffleAfter}, []int{shuffleBefore}, den)), value: func(s sums) percuss.Number {
			num, pairs := net(s)
			return quotient(100*num, pairs)
		}}, one("same", shuffleSame)}
}

func (a *optionShuffle) analyses(s *summary) []percuss.Analysis {
	out := percuss.Analysis{ID: "shuffle", Number: 5, Title: "Option shuffle",
		About: "The same question with its options in another order, drawn once an item. A model that reads the options chooses the same content; one that goes by position does not."}
	if len(a.cells) == 0 {
		out.Absent, out.Tables = "no question was asked with its options in another order (control \"shuffle\")", []percuss.Table{}
		return []percuss.Analysis{out}
	}
	out.Tables = []percuss.Table{a.table(s), a.positions(s)}
	return []percuss.Analysis{out}
}

// table is Table 8.
func (a *optionShuffle) table(s *summary) percuss.Table {
	t := percuss.Table{ID: "shuffle", Title: "Accuracy after shuffling the options", Paper: "Table 8",
		About: "On the items with an answer in both orders. Δ is shuffled minus original, in points. Chance is what choosing the same content by luck would give, one over the number of options.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words), headed("set", "Data set", percuss.Words),
			headed("n", "Items", percuss.Whole), headed("dropped", "Dropped", percuss.Whole), headed("acc", "Accuracy, original", percuss.Rate),
			headed("acc_shuffled", "Accuracy, shuffled", percuss.Rate), headed("delta", "Δ", percuss.Points), headed("p", "p (McNemar)", percuss.PValue),
			headed("same", "Same content", percuss.Rate), headed("chance", "Chance", percuss.Rate)},
		Rows: []percuss.Row{}}
	for _, m := range s.models {
		t.Rows = append(t.Rows, a.modelRows(s, m)...)
	}
	t.Notes = a.exclusions(s)
	if len(t.Rows) == 0 {
		t.Absent = "no shuffled question has an answer to compare"
		return t
	}
	t.Notes = append(t.Notes, testedByChanges)
	return t
}

// modelRows are the rows of a model's data sets, and their mean where there are several.
func (a *optionShuffle) modelRows(s *summary, m *model) []percuss.Row {
	figures := shuffleFigures()
	var rows []percuss.Row
	var draws []*stat.Draws
	all := shuffledCell{rows: map[string][]float64{}}
	var chances []percuss.Number
	for _, cell := range slices.Concat(m.cells, m.others) {
		c := a.cells[[3]string{cell.variant, cell.model, cell.set}]
		if c == nil || len(c.rows) == 0 {
			continue
		}
		d, err := stat.Draw(sample(cell.set, s.items[cell.set], c.rows, shuffleColumns), statistic(figures), s.options(figures))
		chance := quotient(c.chance, float64(len(c.rows)))
		total := make(sums, shuffleColumns)
		for _, id := range s.items[cell.set] {
			if row, ok := c.rows[id]; ok {
				total = plus(total, row)
			}
		}
		rows = append(rows, shuffleRow(m.group, cell.set, int(total[shufflePair]), c.dropped, estimated(figures, d, err, total), c.changed.p(), chance))
		draws, chances = append(draws, d), append(chances, chance)
		all.dropped += c.dropped
		all.changed = all.changed.and(c.changed)
		all.chance += total[shufflePair]
	}
	if len(rows) < 2 {
		return rows
	}
	d, err := stat.Average(draws...)
	mean := shuffleRow(m.group, "mean", int(all.chance), all.dropped, estimated(figures, d, err), all.changed.p(), mean(chances...))
	mean.Head = true
	return append(rows, mean)
}

// estimated finishes the estimates of some draws, or says why there are none. parts are the column sums behind them.
func estimated(figures []figure, d *stat.Draws, err error, parts ...sums) []percuss.Estimate {
	if err != nil || d == nil {
		return absent(len(figures), err)
	}
	e := d.Estimates()
	for i, f := range figures {
		if len(parts) == 0 {
			f.ratio = nil
		}
		e[i] = f.finish(e[i], parts)
	}
	return e
}

// shuffleRow is one row of Table 8.
func shuffleRow(g Group, set string, n, dropped int, e []percuss.Estimate, p, chance percuss.Number) percuss.Row {
	return percuss.Row{Cells: []percuss.Cell{percuss.Said(g.Model), percuss.Said(g.Variant), percuss.Said(set), percuss.Counted(n),
		percuss.Counted(dropped), percuss.Measured(e[0]), percuss.Measured(e[1]), percuss.Measured(e[2]), percuss.Valued(p),
		percuss.Measured(e[3]), percuss.Valued(chance)}}
}

// exclusions say which data sets have no shuffled questions, or some without, and why.
func (a *optionShuffle) exclusions(s *summary) []string {
	var out []string
	for _, g := range s.cells {
		c := a.cells[[3]string{g.Variant, g.Model, g.Set}]
		if c == nil {
			continue
		}
		for _, why := range sortedKeys(c.excluded) {
			note := fmt.Sprintf("%s: not shuffled, %s.", g.Set, why)
			if len(c.rows)+c.dropped > 0 {
				note = fmt.Sprintf("%s: some questions not shuffled, %s.", g.Set, why)
			}
			if !slices.Contains(out, note) {
				out = append(out, note)
			}
		}
	}
	return out
}

// positions give accuracy by where the gold option stood, pooled over the data sets of a model.
func (a *optionShuffle) positions(s *summary) percuss.Table {
	t := percuss.Table{ID: "shuffle_positions", Title: "Accuracy by position of the right option",
		About: "On the items of the table above, over all data sets: accuracy in the original order and in the shuffled one, by the label under which the right option stood. Where position plays no part the rows are alike.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words), headed("label", "Label", percuss.Words),
			headed("n", "Items, original", percuss.Whole), headed("acc", "Accuracy, original", percuss.Rate),
			headed("n_shuffled", "Items, shuffled", percuss.Whole), headed("acc_shuffled", "Accuracy, shuffled", percuss.Rate)},
		Rows: []percuss.Row{}}
	for _, m := range s.models {
		before, after := map[string]hits{}, map[string]hits{}
		for _, cell := range slices.Concat(m.cells, m.others) {
			if c := a.cells[[3]string{cell.variant, cell.model, cell.set}]; c != nil {
				pool(before, c.before)
				pool(after, c.after)
			}
		}
		labels := map[string]int{}
		for _, side := range []map[string]hits{before, after} {
			for label := range side {
				labels[label]++
			}
		}
		for _, label := range sortedKeys(labels) {
			b, c := before[label], after[label]
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(m.group.Model), percuss.Said(m.group.Variant), percuss.Said(label),
				percuss.Counted(b.n), percuss.Measured(b.rate(s)), percuss.Counted(c.n), percuss.Measured(c.rate(s))}})
		}
	}
	if len(t.Rows) == 0 {
		t.Absent = "no shuffled question has an answer to compare"
	}
	return t
}

// rate is the share of right answers; each item is counted once, so that Wilson's interval holds.
func (h hits) rate(s *summary) percuss.Estimate { return stat.Wilson(h.right, h.n, s.o.Level) }

// pool adds counts by label.
func pool(to, from map[string]hits) {
	for label, h := range from {
		to[label] = hits{to[label].right + h.right, to[label].n + h.n}
	}
}

// sortedKeys are the keys of a count, shorter ones first, as labels run: A to Z, then AA.
func sortedKeys(m map[string]int) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return out
}
