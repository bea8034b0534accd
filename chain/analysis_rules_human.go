package chain

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// noLabels is why there is nothing that people said.
const noLabels = "no labels were given: percuss report DIR --human FILE"

// landisKoch is the word for a kappa.
func landisKoch(kappa percuss.Estimate) string { return stat.LandisKoch(kappa.Value) }

// publishedKappa is what the paper finds for a rule against one person's 122 labels that are not ambiguous (section 6 and
// Appendix C), by family; empty: all.
func publishedKappa(judge bool, family string) float64 {
	if judge {
		return map[string]float64{"": 0.75, "M2": 0.95, "M4": 0.38, "M5": 0.65}[family]
	}
	return map[string]float64{"": 0.41, "M2": 0.41, "M4": 0.14, "M5": 0.71}[family]
}

// againstPeople holds every rule against labels of updates, and the raters against each other.
func (a *ruleAnalysis) againstPeople(level float64) []percuss.Table {
	trials, strays := a.human.match()
	t := percuss.Table{ID: "rules_human", Title: "Each rule against people's labels",
		About: "A chain is updated where more than half of its raters say so, or the adjudicated label does. Precision: of the chains that the rule calls updated, the share that people do; recall: the other way round. Chains on which people have no majority for one of the two, or that they call ambiguous, are dropped and counted; so are those of which the rule says nothing.",
		Columns: []percuss.Column{headed("rule", "Rule", percuss.Words), headed("family", "Family", percuss.Words), headed("labels", "Labels used", percuss.Whole),
			headed("ambiguous", "Ambiguous", percuss.Whole), headed("undefined", "Rule says nothing", percuss.Whole),
			headed("precision", "Precision", percuss.Rate), headed("recall", "Recall", percuss.Rate), headed("accuracy", "Accuracy", percuss.Rate),
			headed("kappa", "Kappa", percuss.Decimal), headed("word", "Landis and Koch", percuss.Words), headed("paper", "Kappa in the paper", percuss.Decimal)},
		Notes: append([]string{"The paper's labels are those of one person, 122 that are not ambiguous: precision, recall and accuracy .49, .97 and .68 for the token rule; precision and recall .83 and .81 for its judge.",
			"The intervals take chains as independent."}, strayNotes(TaskUpdate, strays)...)}
	if len(trials) == 0 {
		t.Absent = noLabels
		if len(strays) > 0 {
			t.Absent = "labels were given, but none is of a trial of this run. " + strings.Join(strayNotes(TaskUpdate, strays), " ")
		}
		return []percuss.Table{t}
	}
	for i, r := range a.rules {
		for _, family := range a.labelledFamilies(trials) {
			t.Rows = append(t.Rows, percuss.Row{Cells: against(trials, i, r, family, level)})
		}
	}
	return append([]percuss.Table{t}, ratersTable("rules_raters", "Raters of updates with each other", trials, []scaleOf{{task: TaskUpdate, name: "all labels"}}, level)...)
}

// labelledFamilies are all families, written as empty, and each that has a label.
func (a *ruleAnalysis) labelledFamilies(trials []labelled[updateTrial]) []string {
	out := []string{""}
	for _, family := range []string{"M2", "M4", "M5"} {
		for _, one := range trials {
			if one.what.family == family {
				out = append(out, family)
				break
			}
		}
	}
	return out
}

// against is the row of a rule and a family.
func against(trials []labelled[updateTrial], rule int, r updateRule, family string, level float64) []percuss.Cell {
	var c stat.Confusion
	var pairs [][2]string
	ambiguous, undefined := 0, 0
	for _, one := range trials {
		if family != "" && one.what.family != family {
			continue
		}
		truth, said := Says(one.settled()), one.what.says[rule]
		switch {
		case truth != SaysUpdated && truth != SaysNotUpdated:
			ambiguous++
		case said == SaysNothing:
			undefined++
		default:
			c.Add(said == SaysUpdated, truth == SaysUpdated)
			pairs = append(pairs, [2]string{string(said), string(truth)})
		}
	}
	name := family
	if family == "" {
		name = "all"
	}
	kappa := stat.Kappa(pairs, level)
	return []percuss.Cell{percuss.Said(r.name), percuss.Said(name), percuss.Counted(len(pairs)), percuss.Counted(ambiguous), percuss.Counted(undefined),
		percuss.Measured(c.Precision(level)), percuss.Measured(c.Recall(level)), percuss.Measured(c.Accuracy(level)),
		percuss.Measured(kappa), percuss.Said(landisKoch(kappa)), published(r, family)}
}

// published is the paper's kappa, which it gives for the published rule and for its judge.
func published(r updateRule, family string) percuss.Cell {
	if r.id == rules[1] && !r.judge {
		return percuss.Measured(percuss.Absent("the wider rule is ours"))
	}
	return percuss.Valued(percuss.Num(publishedKappa(r.judge, family)))
}

// scaleOf is a way to compare two raters' labels of a task: as they are, or one of them against the rest.
type scaleOf struct {
	task, name string
	one        string // empty: labels as they are
}

// of is a label on the scale.
func (s scaleOf) of(says string) string {
	if s.one == "" || says == s.one {
		return says
	}
	return "rest"
}

// harsher reports whether the first label counts more against the edit or the answer than the second: it stands behind it
// in the order of the task's labels. Labels of a scale of two are compared by the one that is set apart.
func (s scaleOf) harsher(first, second string) bool {
	if s.one != "" {
		return first == s.one && second != s.one
	}
	for _, t := range saidOf {
		if t.task == s.task {
			for _, word := range t.words {
				if word == first || word == second {
					return word == second && first != second
				}
			}
		}
	}
	return false
}

// ratersTable compares the raters of a task two by two; none where there is but one.
func ratersTable[T any](id, title string, all []labelled[T], scales []scaleOf, level float64) []percuss.Table {
	names := raters(all)
	if len(names) < 2 {
		return nil
	}
	t := percuss.Table{ID: id, Title: title,
		About:   "What two raters said of what both labelled: how often they say the same, and Cohen's kappa. The last columns count the disagreements by their direction.",
		Columns: ratersColumns()}
	for _, scale := range scales {
		for i, a := range names {
			for _, b := range names[i+1:] {
				t.Rows = append(t.Rows, percuss.Row{Cells: twoRaters(a, b, pairsOf(all, a, b), scale, level)})
			}
		}
	}
	return []percuss.Table{t}
}

// ratersColumns are those of a table of two raters.
func ratersColumns() []percuss.Column {
	return []percuss.Column{headed("task", "Task", percuss.Words), headed("labels", "Labels compared", percuss.Words),
		headed("first", "First rater", percuss.Words), headed("second", "Second rater", percuss.Words), headed("n", "Labelled by both", percuss.Whole),
		headed("agreement", "Agreement", percuss.Rate), headed("kappa", "Kappa", percuss.Decimal), headed("word", "Landis and Koch", percuss.Words),
		headed("first_milder", "First is milder", percuss.Whole), headed("second_milder", "Second is milder", percuss.Whole)}
}

// twoRaters is the row of two raters on a scale.
func twoRaters(first, second string, pairs [][2]string, scale scaleOf, level float64) []percuss.Cell {
	agreed, milder, harsher := 0, 0, 0
	scaled := make([][2]string, len(pairs))
	for i, p := range pairs {
		scaled[i] = [2]string{scale.of(p[0]), scale.of(p[1])}
		switch {
		case scaled[i][0] == scaled[i][1]:
			agreed++
		case scale.harsher(p[0], p[1]):
			harsher++
		default:
			milder++
		}
	}
	kappa := stat.Kappa(scaled, level)
	direction := []percuss.Cell{percuss.Counted(milder), percuss.Counted(harsher)}
	if scale.task == TaskUpdate || scale.task == TaskHazard && scale.one == "" {
		why := percuss.Measured(percuss.Absent(fmt.Sprintf("the labels of %s have no order", scale.task)))
		direction = []percuss.Cell{why, why}
	}
	return append([]percuss.Cell{percuss.Said(scale.task), percuss.Said(scale.name), percuss.Said(first), percuss.Said(second), percuss.Counted(len(pairs)),
		percuss.Measured(stat.Wilson(agreed, len(pairs), level)), percuss.Measured(kappa), percuss.Said(landisKoch(kappa))}, direction...)
}
