package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// modelPairs holds every model against every other one on the items that both were asked, each under its first prompt.
type modelPairs struct {
	right map[cellID]map[string]bool // by item: the baseline's answer is right; of those with an answer
	again map[cellID]shamCount
}

// shamCount is on how many items an answer was asked for again, and moved.
type shamCount struct{ moved, of int }

func newModelPairs() modelPairs {
	return modelPairs{map[cellID]map[string]bool{}, map[cellID]shamCount{}}
}

func (p modelPairs) add(r Record) {
	at := cellOfSubject(r.Subject)
	if r.Base.State == Read {
		if p.right[at] == nil {
			p.right[at] = map[string]bool{}
		}
		p.right[at][r.Subject.Item] = r.Base.Correct
	}
	for _, c := range r.Controls {
		if c.ID != Sham || !c.Fired {
			continue
		}
		if m := moveOf(c.Flip); m != unknown {
			n := p.again[at]
			p.again[at] = shamCount{n.moved + int(bit(m == moved)), n.of + 1}
		}
	}
}

// pairFigures are what two models are compared in, beside CDR, which pools trials.
var pairFigures = [...]ranking{{"fcs", "F", "FCS (F)", ""}, {"fcs", "M", "FCS (M)", ""}, {"ecr", "", "ECR", ""}}

// paired are the figures whose draws the pairs need.
func (s *summary) paired() []int {
	out := []int{s.figure("acc", "")}
	for _, f := range pairFigures {
		out = append(out, s.figure(f.id, f.scope))
	}
	return out
}

// table has a row for each two models; none where there is one model.
func (p modelPairs) table(s *summary) []percuss.Table {
	models := s.rivals()
	if len(models) < 2 {
		return nil
	}
	t := percuss.Table{ID: "model_pairs", Title: "Models against each other, on the same items",
		About: "The model's metric minus that of the one it is held against, on the items that both were asked; both sides take part in the same resamples, so that what the items share cancels. Each model under its first prompt.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("against", "Against", percuss.Words), headed("items", "Items", percuss.Whole),
			headed("acc", "Accuracy, points", percuss.ShareDiff), headed("p", "p (McNemar)", percuss.PValue), headed("p_holm", "p, Holm over pairs", percuss.PValue),
			headed("cdr", "CDR", percuss.Decimal)},
		Rows: []percuss.Row{}}
	for _, f := range pairFigures {
		t.Columns = append(t.Columns, headed(strings.TrimSuffix(f.id+"_"+f.scope, "_"), f.head, percuss.Decimal))
	}
	t.Columns = append(t.Columns, headed("again", "Moves by itself", percuss.Rate), headed("apart", "Told apart by", percuss.Words))
	var pairs [][2]*model
	var tests []percuss.Number
	for i, m := range models {
		for _, o := range models[i+1:] {
			pairs, tests = append(pairs, [2]*model{m, o}), append(tests, p.changed(o, m).p())
		}
	}
	adjusted := stat.Holm(tests)
	for i, pair := range pairs {
		t.Rows = append(t.Rows, p.row(s, pair[0], pair[1], tests[i], adjusted[i]))
	}
	t.Notes = pairNotes(len(pairs))
	return []percuss.Table{t}
}

func pairNotes(pairs int) []string {
	many := "no adjustment is needed for one pair."
	if pairs > 1 {
		many = fmt.Sprintf("of the intervals of %d pairs about one in twenty leaves out 0 by chance alone where no two models differ; the p-values are adjusted for that.", pairs)
	}
	return []string{
		"p: McNemar's exact test on the items that one of the two models alone answers rightly, those of all data sets together; " + many,
		"Moves by itself: the share of items whose answer moves when the same is asked again, of the two models the larger one. A difference in accuracy that is no larger is within the noise floor: asking again could bring it about.",
		"Told apart by: the metrics whose interval leaves out 0.",
	}
}

// changed counts the items that one of two models alone answers rightly.
func (p modelPairs) changed(before, after *model) changes {
	var out changes
	for _, c := range after.cells {
		i := slices.IndexFunc(before.cells, func(o *cell) bool { return o.set == c.set })
		if i < 0 {
			continue
		}
		for item, right := range p.right[c.id()] {
			if was, both := p.right[before.cells[i].id()][item]; both {
				out = out.plus(was, right)
			}
		}
	}
	return out
}

// row compares two models.
func (p modelPairs) row(s *summary, m, o *model, test, adjusted percuss.Number) percuss.Row {
	e, items, why := s.contrast(m.arm(), o.arm(), s.paired()...)
	floor := p.floor(m, o, s.o.Level)
	var apart []string
	differ := func(id, scope, head string) percuss.Cell {
		change := percuss.Absent(why)
		if why == "" {
			change = e[s.figure(id, scope)]
		}
		if leavesOutZero(change) {
			apart = append(apart, head)
		}
		return percuss.Measured(change)
	}
	acc := differ("acc", "", "accuracy")
	if v, ok := floor.Value.Get(); ok && len(apart) > 0 && max(acc.Estimate.Value.Or(0), -acc.Estimate.Value.Or(0)) <= v {
		apart[0] += " (within the noise floor)"
	}
	cdr := s.decoupling(m, o)
	if leavesOutZero(cdr) {
		apart = append(apart, "CDR")
	}
	r := percuss.Row{Cells: []percuss.Cell{percuss.Said(m.group.Model), percuss.Said(o.group.Model), percuss.Counted(items), acc,
		tested(test, noDifference), tested(adjusted, noDifference), percuss.Measured(cdr)}}
	for _, f := range pairFigures {
		r.Cells = append(r.Cells, differ(f.id, f.scope, f.head))
	}
	said := "nothing: no more than chance"
	if len(apart) > 0 {
		said = strings.Join(apart, ", ")
	}
	r.Cells = append(r.Cells, percuss.Measured(floor), percuss.Said(said))
	return r
}

// leavesOutZero reports whether an interval lies on one side of 0.
func leavesOutZero(e percuss.Estimate) bool {
	return e.Lo.OK() && e.Hi.OK() && (e.Lo.Or(0) > 0 || e.Hi.Or(0) < 0)
}

// floor is the larger of the shares of items on which two models give another answer to the same question.
func (p modelPairs) floor(m, o *model, level float64) percuss.Estimate {
	out := percuss.Absent("the control sham was not asked, or has no answer to compare")
	for _, side := range [...]*model{m, o} {
		var n shamCount
		for _, c := range side.cells {
			own := p.again[c.id()]
			n = shamCount{n.moved + own.moved, n.of + own.of}
		}
		if n.of == 0 {
			continue
		}
		if e := stat.Wilson(n.moved, n.of, level); !out.Value.OK() || e.Value.Or(0) > out.Value.Or(0) {
			out = e
		}
	}
	return out
}

// decoupling is the difference of CDR, whose trials are pooled; it takes two models that were asked the same items.
func (s *summary) decoupling(m, o *model) percuss.Estimate {
	if m.tables == nil || o.tables == nil || !sameItems(m.cells, o.cells) {
		return percuss.Absent("the two were not asked the same items, whose trials CDR pools")
	}
	d, err := stat.Subtract(m.tables, o.tables)
	if err != nil {
		return percuss.Absent(err.Error())
	}
	figures := s.l.tables()
	for _, r := range s.l.jointRows() {
		if r.family == "" && r.rule == rules[0] {
			at := find(figures, r.id('c'), "")
			return figures[at].change(d.Estimates()[at])
		}
	}
	return percuss.Absent("the battery has no edit that a chain could register")
}

// sameItems reports whether two models have the same items of the same data sets.
func sameItems(a, b []*cell) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(c *cell) bool {
		i := slices.IndexFunc(b, func(o *cell) bool { return o.set == c.set })
		return i < 0 || len(common(c, b[i])) != len(c.metrics) || len(c.metrics) != len(b[i].metrics)
	})
}
