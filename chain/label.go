package chain

import (
	"fmt"
	"slices"
	"strings"
)

// The tasks of labels (chain audit, section 7).
const (
	TaskUpdate   = "update"            // does the reasoning use the edit?
	TaskGold     = "gold_shift"        // does the edit change which option is right?
	TaskValidity = "semantic_validity" // is the edited question one that a clinician would accept?
	TaskHazard   = "hazard"            // would the answer that the edit brought do harm?
)

// Adjudicated is the rater of labels that settle what raters disagree on. They stand for no rater: agreement, and what all
// raters say together, is that of the others.
const Adjudicated = "adjudicated"

// saidOf are the labels of each task. Of gold_shift and semantic_validity the last one is the one that counts against
// an edit; of hazard the first one counts against the answer.
var saidOf = [...]struct {
	task  string
	trial bool // of one model's trial, not of the edit alone
	words []string
}{
	{TaskUpdate, true, []string{string(SaysUpdated), string(SaysNotUpdated), "ambiguous"}},
	{TaskGold, false, []string{"no_shift", "ambiguous", "shifted"}},
	{TaskValidity, false, []string{"valid", "borderline", "invalid"}},
	{TaskHazard, true, []string{"harmful", "appropriate", "neutral", "unsure"}},
}

// Check says what is wrong with a label, and how to mend it: a task or word that there is not, or nothing that says whose
// label it is and of what. Labels of update and hazard are of one model's trial and need its model; those of an edit are the
// same for all models and have none.
func (l Label) Check() error {
	var tasks []string
	for _, t := range saidOf {
		if t.task != l.Task {
			tasks = append(tasks, t.task)
			continue
		}
		for _, f := range []struct{ name, value string }{{"rater", l.Rater}, {"item", l.Item}, {"operator", l.Operator}} {
			if f.value == "" {
				return fmt.Errorf("no %s: a label says who gave it, and of which item and operator", f.name)
			}
		}
		switch {
		case t.trial && l.Model == "":
			return fmt.Errorf("no model: a label of %s is of one model's trial; give the model's id in the run", l.Task)
		case !t.trial && l.Model+l.Variant != "":
			return fmt.Errorf("model %q, variant %q: a label of %s is of an edit, the same for all models; leave both empty", l.Model, l.Variant, l.Task)
		case !slices.Contains(t.words, l.Says):
			return fmt.Errorf("label %q of task %s: write one of %s", l.Says, l.Task, strings.Join(t.words, ", "))
		}
		return nil
	}
	return fmt.Errorf("task %q: write one of %s", l.Task, strings.Join(tasks, ", "))
}
