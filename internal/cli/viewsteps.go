package cli

import (
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/steps"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/step"
)

// StepItem implements explore.Run.
func (v *viewed) StepItem(view run.View) steps.Item {
	r, _ := view.Record.(step.Record)
	return v.o.stepItem(view, r)
}

// steps is what the counts of calls need of a view of a step audit; the same as for its report, which reads them from what
// is kept here.
func (v *viewed) steps(view run.View, r step.Record) report.Item {
	it := report.Item{Subject: view.Subject, Trials: heldBy(r, view.Trials), Answers: view.Answers}
	if audit, ok := v.o.audit.(*step.Audit); ok {
		it.Asks = audit.Asks
	}
	return it
}
