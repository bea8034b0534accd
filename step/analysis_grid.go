package step

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// grid is whether the verdict is the same for other models, judges and data sets.
func (s *summary) grid() percuss.Analysis {
	out := percuss.Analysis{ID: "grid", Title: "Replication",
		About:  "One row for each comparison, judge and data set, under the first view: whether answers go up while steps go down each time.",
		Tables: []percuss.Table{s.gridTable(), s.gridShares(), s.boundaryTable()}}
	switch {
	case len(s.a.o.Pairs) == 0:
		out.Absent = noPairs
	case len(s.a.o.Judges) == 0:
		out.Absent = noJudge
	}
	return out
}

// gridColumns head a row of the grid, which end with the verdict.
func gridColumns(own ...percuss.Column) []percuss.Column {
	return append(ofPairs(column("teacher", "Teacher", percuss.Words), plainColumn("teacher_size", "Teacher, billion parameters", percuss.Decimal), plainColumn("student_size", "Student, billion parameters", percuss.Decimal),
		column("items", "Items", percuss.Whole), column("accuracy", "Accuracy", percuss.ShareDiff), column("errors", "Error rate", percuss.ShareDiff), column("verdict", "Verdict", percuss.Words)), own...)
}

// gridRow is the row of a comparison.
func (s *summary) gridRow(p Pair, own ...percuss.Cell) percuss.Row {
	return pairRow(p, append([]percuss.Cell{percuss.Said(p.Teacher), s.size(p.Teacher, "the comparison has no teacher"), s.size(p.After, ""), percuss.Counted(p.Items),
		percuss.Measured(p.Accuracy), percuss.Measured(p.Errors), percuss.Said(string(p.Verdict))}, own...)...)
}

// size is how large a model is, in billions of parameters.
func (s *summary) size(model, none string) percuss.Cell {
	n, ok := s.a.o.Models[model].Params.Get()
	switch {
	case model == "":
		return percuss.Measured(percuss.Absent(none))
	case !ok:
		return percuss.Measured(percuss.Absent("it is not known how large " + model + " is: give params in the specification"))
	}
	return percuss.Valued(percuss.Num(n / 1e9))
}

// replicated are the comparisons under the first view, medical ones or those of another domain.
func (s *summary) replicated(medical bool) (out []Pair) {
	for _, p := range s.judgedPairs() {
		if (p.Domain == "") == medical {
			out = append(out, p)
		}
	}
	return out
}

func (s *summary) gridTable() percuss.Table {
	t := percuss.Table{ID: "grid", Title: "Replication grid", About: "Medical data sets. After less before; the verdict is stated only where both intervals exclude zero.", Columns: gridColumns(column("why", "Why not", percuss.Words))}
	for _, p := range s.replicated(true) {
		t.Rows = append(t.Rows, s.gridRow(p, percuss.Said(p.Why)))
	}
	return explained(t, orElse(len(s.compared) == 0, noPairs, "no comparison was judged on a medical data set"))
}

// gridShares counts the verdicts of the grid; the share that agrees comes last.
func (s *summary) gridShares() percuss.Table {
	t := percuss.Table{ID: "grid_shares", Title: "How many rows of the grid agree", About: "Over all rows of the replication grid, those that cannot tell included. The last row is the share that agrees with the abstract: answers up, trace down.",
		Columns: []percuss.Column{column("verdict", "Verdict", percuss.Words), column("rows", "Rows", percuss.Whole), column("share", "Share", percuss.Percent)},
		Notes:   []string{"Rows that share items, a model or a judge are not independent: take the interval (Wilson) as the least that is unsure."}}
	count, all := map[Direction]int{}, s.replicated(true)
	for _, p := range all {
		count[p.Verdict]++
	}
	for _, d := range []Direction{Untold, DownDown, DownUp, UpUp, UpDown} {
		if len(all) > 0 {
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(string(d)), percuss.Counted(count[d]), percuss.Measured(stat.Wilson(count[d], len(all), s.o.Level))}, Head: d == UpDown})
		}
	}
	return explained(t, "the replication grid has no row")
}

// boundaryTable is the grid on sets of another domain, where steps constrain the answer.
func (s *summary) boundaryTable() percuss.Table {
	t := percuss.Table{ID: "boundary", Title: "Boundary check", About: "The same on data sets of another domain, such as gsm8k, where the answer is what the steps come to: wrong steps there give a wrong answer. " +
		"Answers that go up while steps go down are not expected there; where they do, the judge or the way of cutting chains is in doubt rather than the model.",
		Columns: gridColumns(column("domain", "Domain", percuss.Words), column("expected", "As expected", percuss.Words))}
	for _, p := range s.replicated(false) {
		says := "yes"
		switch p.Verdict {
		case UpDown, DownUp:
			says = "no"
		case Untold:
			says = "cannot be told"
		}
		t.Rows = append(t.Rows, s.gridRow(p, percuss.Said(p.Domain), percuss.Said(says)))
	}
	return explained(t, orElse(len(s.compared) == 0, noPairs, "no comparison was judged on a data set of another domain: add gsm8k with --data"))
}
