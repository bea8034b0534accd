package step

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// judges is how far the judges say the same of a step, and each the same as before.
func (s *summary) judges() percuss.Analysis {
	out := percuss.Analysis{ID: "judges", Title: "Judges", About: "How far judges say the same of the same step under the first view, and each of them the same when it is asked again. Judges that agree can be wrong together: whether they are right, experts tell.",
		Tables: []percuss.Table{s.judgePairTable(), s.judgeRepeatTable(), s.judgeRepliesTable()}}
	if len(s.a.o.Judges) == 0 {
		out.Absent = noJudge
	}
	return out
}

// rated is a step with the labels of some raters, in their order, as indices; -1: none.
type rated struct {
	item   string // what it is resampled with
	labels []int
}

// The labels by which raters are compared: all three, or an error against the rest.
var (
	threeLabels = []Says{Correct, Erroneous, Abstain}
	errorOrNot  = []Says{Erroneous, Correct}
)

// indexed is a label among those that raters are compared by, -1 where there is none.
func indexed(says Says, labels []Says) int {
	class := says.class()
	if class == Missing {
		return -1
	}
	for i, l := range labels {
		if l == class {
			return i
		}
	}
	return len(labels) - 1 // the rest
}

// ratedBy are the steps of some cells with the labels that pick gives of each, in one item all chains of all models.
func ratedBy(cells []*cell, labels []Says, pick func(seenStep) []Says) []rated {
	var out []rated
	for _, c := range cells {
		for _, x := range c.seen {
			r := rated{item: c.subject.Set + "\x00" + x.item}
			for _, says := range pick(x) {
				r.labels = append(r.labels, indexed(says, labels))
			}
			out = append(out, r)
		}
	}
	return out
}

// agreement is how far raters say the same: over the steps that at least two of them label.
type agreement struct {
	steps          int
	percent, kappa percuss.Estimate
}

// The columns of rows of agreement.
const (
	colAgreed  = "agreed"  // the share of the pairs of raters that say the same, over the steps that have a pair
	colPaired  = "paired"  // steps that have a pair
	colRated   = "rated"   // steps with a label
	colSharing = "sharing" // and a label's number: the sum of its shares of the labels of each step
	colLeft    = "left"    // and a label's number: of two raters, how often the first gives it where both label
	colRightOf = "rightof" // and the second
)

// agreementOf is Cohen's kappa of two raters, of more Fleiss's, as package stat has them; the intervals resample items, for the
// steps of one item are alike.
func (s *summary) agreementOf(steps []rated, categories int) agreement {
	rows, two, out := stat.NewRows(), true, agreement{}
	for _, x := range steps {
		two = two && len(x.labels) == 2
		if enterRated(rows, x) {
			out.steps++
		}
	}
	if out.steps == 0 {
		out.percent, out.kappa = percuss.Absent(noTwo), percuss.Absent(noTwo)
		return out
	}
	rows.Fill("agreement", s.o, []stat.Figure{{Into: &out.percent, Of: stat.Ratio{Num: colAgreed, Den: colPaired}, Absent: noTwo}})
	columns := []string{colAgreed, colPaired, colRated}
	for k := range categories {
		if two {
			columns = append(columns, fmt.Sprint(colLeft, k), fmt.Sprint(colRightOf, k))
			continue
		}
		columns = append(columns, fmt.Sprint(colSharing, k))
	}
	of := fleissOf
	if two {
		of = cohenOf
	}
	out.kappa = s.clustered(rows, columns, stat.Metric{Difference: true, Absent: "all labels are the same: kappa is not defined"}, of)
	if v, ok := out.kappa.Value.Get(); ok && v == 1 {
		out.kappa.Lo, out.kappa.Hi = percuss.Number{}, percuss.Number{} // every resample agrees, too, which says nothing of other items
		out.kappa.Warnings = []string{"no interval: of perfect agreement resamples tell none"}
	}
	return out
}

// noTwo is why there is no agreement.
const noTwo = "no step has two labels"

// enterRated adds a step to the rows of its item; false where fewer than two raters label it.
func enterRated(rows *stat.Rows, x rated) bool {
	counts, n := map[int]float64{}, 0.0
	for _, label := range x.labels {
		if label >= 0 {
			counts[label]++
			n++
		}
	}
	if n == 0 {
		return false
	}
	rows.Add(x.item, colRated, 1)
	same := 0.0
	for k, c := range counts {
		rows.Add(x.item, fmt.Sprint(colSharing, k), c/n)
		same += c * (c - 1)
	}
	if n < 2 {
		return false
	}
	rows.Add(x.item, colPaired, 1)
	rows.Add(x.item, colAgreed, same/(n*(n-1)))
	if len(x.labels) == 2 {
		rows.Add(x.item, fmt.Sprint(colLeft, x.labels[0]), 1)
		rows.Add(x.item, fmt.Sprint(colRightOf, x.labels[1]), 1)
	}
	return true
}

// cohenOf is Cohen's kappa (1960) of the sums of agreement, steps with a pair, steps, and of each label how often each of the two
// raters gives it. Missing where both give one and the same label only.
func cohenOf(n []float64) percuss.Number {
	if !(n[1] > 0) {
		return percuss.Number{}
	}
	chance := 0.0
	for shares := n[3:]; len(shares) > 0; shares = shares[2:] {
		chance += shares[0] / n[1] * shares[1] / n[1]
	}
	return overChance(n[0]/n[1], chance)
}

// fleissOf is Fleiss's kappa (1971), with missing labels that of Gwet (2014), of the sums of agreement, steps with a pair, steps
// with a label, and the shares of each label.
func fleissOf(n []float64) percuss.Number {
	if !(n[1] > 0) {
		return percuss.Number{}
	}
	chance := 0.0
	for _, share := range n[3:] {
		chance += share / n[2] * share / n[2]
	}
	return overChance(n[0]/n[1], chance)
}

// overChance is agreement beyond chance; missing where chance alone agrees always.
func overChance(agreed, chance float64) percuss.Number {
	if chance > 1-1e-12 {
		return percuss.Number{}
	}
	return percuss.Num((agreed - chance) / (1 - chance))
}

// agreementColumns head the figures of an agreement.
func agreementColumns(before ...percuss.Column) []percuss.Column {
	return append(before, column("steps", "Steps", percuss.Whole), column("agreement", "Same label", percuss.Percent), column("kappa", "Kappa", percuss.Decimal), column("word", "Landis and Koch", percuss.Words),
		column("agreement_error", "Same, error or not", percuss.Percent), column("kappa_error", "Kappa, error or not", percuss.Decimal))
}

// agreementCells are the figures of some raters under both ways of comparing labels.
func (s *summary) agreementCells(pick func(seenStep) []Says) []percuss.Cell {
	three := s.agreementOf(ratedBy(s.cells, threeLabels, pick), len(threeLabels))
	two := s.agreementOf(ratedBy(s.cells, errorOrNot, pick), len(errorOrNot))
	return []percuss.Cell{percuss.Counted(three.steps), percuss.Measured(three.percent), percuss.Measured(three.kappa), percuss.Said(stat.LandisKoch(three.kappa.Value)),
		percuss.Measured(two.percent), percuss.Measured(two.kappa)}
}

// judgePairTable compares each two judges, and all where there are three or more.
func (s *summary) judgePairTable() percuss.Table {
	t := percuss.Table{ID: "judge_agreement", Title: "Judges against each other",
		About:   "Over the steps of all models that both judge. Labels: correct, error, no claim; then an error against the rest. Kappa: agreement beyond chance, Cohen's of two judges, Fleiss's of all. Intervals resample items.",
		Columns: agreementColumns(column("first", "Judge", percuss.Words), column("second", "Other judge", percuss.Words), column("coefficient", "Coefficient", percuss.Words))}
	for a, first := range s.a.o.Judges {
		for b := a + 1; b < len(s.a.o.Judges); b++ {
			cells := s.agreementCells(func(x seenStep) []Says { return []Says{saidBy(x.says, a), saidBy(x.says, b)} })
			t.Rows = append(t.Rows, percuss.Row{Cells: append([]percuss.Cell{percuss.Said(first.ID), percuss.Said(s.a.o.Judges[b].ID), percuss.Said("Cohen")}, cells...)})
		}
	}
	if n := len(s.a.o.Judges); n > 2 {
		cells := s.agreementCells(func(x seenStep) (out []Says) {
			for j := range n {
				out = append(out, saidBy(x.says, j))
			}
			return out
		})
		t.Rows = append(t.Rows, percuss.Row{Cells: append([]percuss.Cell{percuss.Said("all"), percuss.Said(fmt.Sprintf("%d judges", n)), percuss.Said("Fleiss")}, cells...), Head: true})
	}
	return explained(t, "the run has fewer than two judges")
}

// saidBy is the label of a judge, Missing where it has none.
func saidBy(says []Says, judge int) Says {
	if judge >= len(says) {
		return Missing
	}
	return says[judge]
}

// judgeRepeatTable compares each judge with itself.
func (s *summary) judgeRepeatTable() percuss.Table {
	t := percuss.Table{ID: "judge_repeats", Title: "Each judge with itself",
		About:   "Steps that were judged once more, with the judge's examples in another order. A judge that says something else then is noisy: its error rates are too high where errors are rare, and differences too small.",
		Columns: agreementColumns(column("judge", "Judge", percuss.Words))}
	for j, judge := range s.a.o.Judges {
		cells := s.agreementCells(func(x seenStep) []Says { return []Says{saidBy(x.says, j), saidBy(x.again, j)} })
		if again := s.askedAgain(j); again > 0 {
			t.Rows = append(t.Rows, percuss.Row{Cells: append([]percuss.Cell{percuss.Said(judge.ID)}, cells...)})
		}
	}
	return explained(t, notRepeated)
}

// askedAgain counts the steps that a judge was asked about once more.
func (s *summary) askedAgain(judge int) (n int) {
	for _, x := range s.seenSteps() {
		n += int(bit(judge < len(x.again)))
	}
	return n
}

// judgeRepliesTable is what each judge's replies came to, model by model.
func (s *summary) judgeRepliesTable() percuss.Table {
	t := percuss.Table{ID: "judge_replies", Title: "What the judges' replies came to", Long: true,
		About:   "Of the steps that were asked about, blank ones left out. No verdict: replies outside the form that was asked for, those that were asked once more included. A share that differs between models can move a comparison of them.",
		Columns: ofCells(column("judge", "Judge", percuss.Words), column("steps", "Steps", percuss.Whole), column("correct", "Correct", percuss.Percent), column("errors", "Error", percuss.Percent), column("abstain", "No claim", percuss.Percent), column("missing", "No verdict", percuss.Percent))}
	for i, c := range s.found {
		if len(s.cells[i].seen) == 0 {
			continue
		}
		for j, judge := range s.a.o.Judges {
			rows := stat.NewRows()
			for _, x := range s.cells[i].seen {
				rows.Add(x.item, "n", 1)
				rows.Add(x.item, string(saidBy(x.says, j).class()), 1)
			}
			var found [4]percuss.Estimate
			var figures []stat.Figure
			for k, label := range []Says{Correct, Erroneous, Abstain, Missing} {
				figures = append(figures, stat.Figure{Into: &found[k], Of: stat.Ratio{Num: string(label), Den: "n"}, Absent: notJudged})
			}
			rows.Fill(c.Set, s.o, figures)
			t.Rows = append(t.Rows, cellRow(c, percuss.Said(judge.ID), percuss.Counted(len(s.cells[i].seen)), percuss.Measured(found[0]), percuss.Measured(found[1]), percuss.Measured(found[2]), percuss.Measured(found[3])))
		}
	}
	return explained(t, notJudged)
}
