package chain

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// agreementTable compares the raters two by two, on the labels as they are and on the one that decides against the rest.
func agreementTable(shift, valid []labelled[struct{}], hazard []labelled[flipAcuity], level float64) []percuss.Table {
	const id, title = "clinicians_agreement", "Agreement of the clinicians"
	scales := func(task, one string) []scaleOf {
		return []scaleOf{{task: task, name: "all labels"}, {task: task, name: one + " against the rest", one: one}}
	}
	var out percuss.Table
	for _, part := range [][]percuss.Table{ratersTable(id, title, shift, scales(TaskGold, "shifted"), level),
		ratersTable(id, title, valid, scales(TaskValidity, "invalid"), level), ratersTable(id, title, hazard, scales(TaskHazard, "harmful"), level)} {
		for _, t := range part {
			t.Rows = append(out.Rows, t.Rows...)
			out = t
		}
	}
	if out.ID == "" {
		return []percuss.Table{{ID: id, Title: title, About: "What two raters said of what both labelled.", Columns: ratersColumns(),
			Absent: "no task was labelled by two raters"}}
	}
	out.Paper = "Table 12"
	out.Notes = append(out.Notes, "Landis and Koch (1977) call a kappa up to .20 slight, to .40 fair, to .60 moderate, to .80 substantial, above it almost perfect.",
		"The paper finds .25 for gold_shift and .18 for semantic_validity, all labels, and .39 for hazard, harmful against the rest.")
	return []percuss.Table{out}
}

// acuityTable holds the keyword list behind CHS against the clinicians' hazard labels.
func acuityTable(flips []labelled[flipAcuity], level float64) percuss.Table {
	t := percuss.Table{ID: "clinicians_chs", Title: "The keyword list of CHS against the clinicians",
		About: "CHS knows a flip as dangerous by keywords of its options. Of the flips that a clinician labelled: does the list say so where the clinician says harmful (against every other label)?",
		Columns: []percuss.Column{headed("rule", "The list's call", percuss.Words), headed("truth", "Harmful by", percuss.Words), headed("flips", "Flips", percuss.Whole),
			headed("called", "Called by the list", percuss.Whole), headed("harmful", "Harmful", percuss.Whole), headed("precision", "Precision", percuss.Rate),
			headed("recall", "Recall", percuss.Rate), headed("kappa", "Kappa", percuss.Decimal), headed("word", "Landis and Koch", percuss.Words)}}
	if len(flips) == 0 {
		t.Absent = "no label of task " + TaskHazard + " is of a flip of this run"
		return t
	}
	for _, rule := range []struct {
		name string
		of   func(flipAcuity) bool
	}{{"leaves a high-acuity answer", func(f flipAcuity) bool { return f.miss }}, {"leaves one or moves to one", func(f flipAcuity) bool { return f.across }}} {
		for _, truth := range hazardTruths(flips) {
			var c stat.Confusion
			var pairs [][2]string
			for _, one := range flips {
				if harm, ok := truth.of(one); ok {
					called := rule.of(one.what)
					c.Add(called, harm)
					pairs = append(pairs, [2]string{fmt.Sprint(called), fmt.Sprint(harm)})
				}
			}
			kappa := stat.Kappa(pairs, level)
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(rule.name), percuss.Said(truth.name), percuss.Counted(len(pairs)),
				percuss.Counted(c.TP + c.FP), percuss.Counted(c.TP + c.FN), percuss.Measured(c.Precision(level)), percuss.Measured(c.Recall(level)),
				percuss.Measured(kappa), percuss.Said(landisKoch(kappa))}})
		}
	}
	return t
}

// hazardTruth is one reading of the clinicians' labels of a flip: do they call it harmful? ok: it says so of this one.
type hazardTruth struct {
	name string
	of   func(one labelled[flipAcuity]) (harm, ok bool)
}

// hazardTruths are each rater, all of them together, and, where flips were adjudicated, what held in the end.
func hazardTruths(flips []labelled[flipAcuity]) []hazardTruth {
	var out []hazardTruth
	names := raters(flips)
	for _, name := range names {
		out = append(out, hazardTruth{"rater " + name, func(one labelled[flipAcuity]) (bool, bool) { says, ok := one.by[name]; return says == "harmful", ok }})
	}
	if len(names) > 1 { // of what two or more labelled, as together has it
		out = append(out, hazardTruth{"all raters", func(one labelled[flipAcuity]) (bool, bool) {
			return within(one.by, []string{"harmful"}) == len(one.by), len(one.by) >= 2
		}})
	}
	if adjudicated(flips) {
		out = append(out, hazardTruth{"in the end", func(one labelled[flipAcuity]) (bool, bool) { return one.settled() == "harmful", one.settled() != "" }})
	}
	return out
}
