package step

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// Why there is nothing of experts.
const (
	noExperts  = "no labels of experts: percuss review create RUN --task steps draws a sample for them"
	noSettled  = "no judged step has a label that holds"
	noExpertly = "experts called no step of it correct or an error"

	noneInCommon = "no step of it is correct or an error to judge and experts both"
)

// expertCheck holds the judges against experts, and what follows for the models.
func (s *summary) expertCheck() percuss.Analysis {
	out := percuss.Analysis{ID: "experts", Title: "Experts",
		About:  "What experts, who saw the steps as the judges do, say of a sample of them, and how far the judges say the same. A label holds where it was adjudicated, else where more than half of the raters give it.",
		Tables: []percuss.Table{s.expertTable(), s.expertCounts(), s.expertRates(), s.expertPairs(), s.expertOrder()}}
	if !s.experts.given() {
		out.Absent = noExperts
	}
	return out
}

// expertNotes say what the labels leave out.
func (s *summary) expertNotes() []string {
	var out []string
	if c := s.experts; c.given() {
		out = append(out, fmt.Sprintf("%s of %s, of which %d have one that holds. Each step counts for as many steps of the run as it was drawn from, so that rates are those of the run; n is the items.", plural(c.labels-c.strays, "label"), plural(len(c.steps), "step"), len(c.settled())))
		if c.unclear > 0 {
			out = append(out, fmt.Sprintf("Left out: %s whose raters have no majority. An adjudication settles them (percuss review adjudicate).", plural(c.unclear, "step")))
		}
		if c.strays > 0 {
			out = append(out, fmt.Sprintf("Left out: %s of no step that was judged under the first view of this run.", plural(c.strays, "label")))
		}
	}
	return out
}

// plural is a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return percuss.Grouped(n) + " " + noun + "s"
}

// The columns of rows that hold a judge against experts, weighted.
const (
	colTP, colFP, colFN, colTN = "tp", "fp", "fn", "tn"
	colPos, colNeg, colCalled  = "positive", "negative", "called"
)

// against puts what a judge and experts say of steps into rows, an item a row.
func against(of []expertStep, judge int) (rows *stat.Rows, n [2][2]int) {
	rows = stat.NewRows()
	for _, e := range of {
		if !e.says.Judges() || judge >= len(e.seen.says) || !e.seen.says[judge].Judges() {
			continue
		}
		truth, called := e.says.IsError(), e.seen.says[judge].IsError()
		n[int(bit(truth))][int(bit(called))]++
		column, part := map[[2]bool]string{{true, true}: colTP, {false, true}: colFP, {true, false}: colFN, {false, false}: colTN}[[2]bool{truth, called}], colNeg
		if truth {
			part = colPos
		}
		rows.Add(e.cluster(), column, e.weight)
		rows.Add(e.cluster(), part, e.weight)
		if called {
			rows.Add(e.cluster(), colCalled, e.weight)
		}
	}
	return rows, n
}

func (s *summary) expertTable() percuss.Table {
	t := percuss.Table{ID: "experts", Title: "Judges against experts",
		About: "Over the steps that judge and experts both call correct or an error. Sensitivity: of the experts' errors, the share that the judge calls one. Specificity: of the steps that are correct to them, the share that the judge calls so. " +
			"Precision: of the judge's errors, the share that is one to them. Youden: sensitivity + specificity − 1; 0 is a guess.",
		Columns: []percuss.Column{column("judge", "Judge", percuss.Words), column("model", "Model", percuss.Words), column("steps", "Steps", percuss.Whole), column("errors", "Experts' errors", percuss.Whole),
			column("sensitivity", "Sensitivity", percuss.Percent), column("specificity", "Specificity", percuss.Percent), column("precision", "Precision", percuss.Percent),
			column("youden", "Youden", percuss.Decimal), column("kappa", "Kappa", percuss.Decimal), column("word", "Landis and Koch", percuss.Words)},
		Notes: s.expertNotes()}
	settled := s.experts.settled()
	for at, j := range s.a.o.Judges {
		t.Rows = append(t.Rows, s.expertRow(j.ID, "all", settled, at))
		models := s.models()
		if len(models) < 2 {
			continue
		}
		for _, model := range models {
			t.Rows = append(t.Rows, s.expertRow(j.ID, model, slices.DeleteFunc(slices.Clone(settled), func(e expertStep) bool { return e.of.subject.Model != model }), at))
		}
	}
	t.Notes = append(t.Notes, "A judge that is better on one model than on another moves a comparison of the two without any change of the steps: hold the rows of the models against each other.")
	if len(settled) == 0 {
		t.Rows = nil
	}
	return explained(t, orElse(s.experts.given(), noSettled, noExperts))
}

// expertRow is the row of a judge over some steps.
func (s *summary) expertRow(judge, model string, of []expertStep, at int) percuss.Row {
	rows, n := against(of, at)
	var sensitivity, specificity, precision percuss.Estimate
	rows.Fill("experts", s.o, []stat.Figure{
		{Into: &sensitivity, Of: stat.Ratio{Num: colTP, Den: colPos}, Absent: "experts called none of the steps an error"},
		{Into: &specificity, Of: stat.Ratio{Num: colTN, Den: colNeg}, Absent: "experts called none of the steps correct"},
		{Into: &precision, Of: stat.Ratio{Num: colTP, Den: colCalled}, Absent: "the judge called none of the steps an error"}})
	kappa, youden := s.expertAgreement(rows)
	errors := n[1][0] + n[1][1]
	return percuss.Row{Cells: []percuss.Cell{percuss.Said(judge), percuss.Said(model), percuss.Counted(errors + n[0][0] + n[0][1]), percuss.Counted(errors), percuss.Measured(sensitivity),
		percuss.Measured(specificity), percuss.Measured(precision), percuss.Measured(youden), percuss.Measured(kappa), percuss.Said(stat.LandisKoch(kappa.Value))}, Head: model == "all"}
}

// expertAgreement is Cohen's kappa and Youden's index of the weighted two-by-two table.
func (s *summary) expertAgreement(rows *stat.Rows) (kappa, youden percuss.Estimate) {
	items := rows.Items()
	if len(items) == 0 {
		return percuss.Absent(noneInCommon), percuss.Absent(noneInCommon)
	}
	sums := make(stat.Sums, len(items))
	for i, item := range items {
		for _, column := range []string{colTP, colFP, colFN, colTN} {
			sums[i] = append(sums[i], rows.Of(item, column))
		}
	}
	o := s.o
	o.Metrics = []stat.Metric{{Difference: true, Absent: "one of the two gives one label only: kappa is not defined"}, {Difference: true, Absent: "experts called no step an error, or none correct"}}
	found, err := stat.Bootstrap(sums, func(of []float64) []percuss.Number {
		tp, fp, fn, tn := of[0], of[1], of[2], of[3]
		n := tp + fp + fn + tn
		chance := ((tp+fn)*(tp+fp) + (fp+tn)*(fn+tn)) / (n * n)
		k := math.NaN()
		if chance < 1 {
			k = ((tp+tn)/n - chance) / (1 - chance)
		}
		return []percuss.Number{percuss.Num(k), percuss.Num(tp/(tp+fn) + tn/(fp+tn) - 1)}
	}, o)
	if err != nil {
		return percuss.Absent(err.Error()), percuss.Absent(err.Error())
	}
	return found[0], found[1]
}

// expertCounts crosses what a judge says with what experts say, as they were counted.
func (s *summary) expertCounts() percuss.Table {
	t := percuss.Table{ID: "experts_counts", Title: "What judges and experts call the same steps", Long: true, About: "Numbers of labelled steps, without weights.",
		Columns: []percuss.Column{column("judge", "Judge", percuss.Words), column("says", "Judge says", percuss.Words), column("error", "Experts: error", percuss.Whole),
			column("correct", "Experts: correct", percuss.Whole), column("abstain", "Experts: nothing to check", percuss.Whole), column("unclear", "Experts: no majority", percuss.Whole)}}
	for at, j := range s.a.o.Judges {
		if len(s.experts.steps) == 0 {
			break
		}
		n := map[[2]Says]int{}
		for _, e := range s.experts.steps {
			if at < len(e.seen.says) {
				n[[2]Says{e.seen.says[at].class(), e.says}]++
			}
		}
		for _, says := range []struct {
			label Says
			word  string
		}{{Erroneous, "error"}, {Correct, "correct"}, {Abstain, "nothing to check"}, {Missing, "no verdict"}} {
			row := percuss.Row{Cells: []percuss.Cell{percuss.Said(j.ID), percuss.Said(says.word)}}
			for _, expert := range []Says{Erroneous, Correct, Abstain, ""} {
				row.Cells = append(row.Cells, percuss.Counted(n[[2]Says{says.label, expert}]))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return explained(t, orElse(s.experts.given(), noSettled, noExperts))
}

// models are the audited models, in the order of the cells.
func (s *summary) models() []string {
	var out []string
	for _, c := range s.cells {
		if !slices.Contains(out, c.subject.Model) {
			out = append(out, c.subject.Model)
		}
	}
	return out
}

// higher compares two rates; a missing one comes last.
func higher(a, b percuss.Estimate) int {
	return cmp.Compare(a.Value.Or(math.Inf(1)), b.Value.Or(math.Inf(1)))
}
