package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/steps"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/step"
)

// stepReport is the report of a step audit.
type stepReport struct {
	o *opened
	r steps.Report
}

// newStepReport computes the report: a function of specification, subjects and answers.
func newStepReport(ctx context.Context, o *opened) (*stepReport, error) {
	audit, ok := o.audit.(*step.Audit)
	if !ok {
		return nil, errors.New("the run is no step audit")
	}
	findings, calls, err := summarise[step.Record, step.Findings](ctx, o, func(v run.View, r step.Record) report.Item {
		return report.Item{Subject: v.Subject, Trials: heldBy(r, v.Trials), Answers: v.Answers, Asks: audit.Asks}
	})
	if err != nil {
		return nil, err
	}
	r := steps.Report{Audit: o.audit.Name(), Versions: o.manifest.Versions, Calls: calls, Findings: findings, Claims: append(findings.Claims, callClaims(calls)...)}
	if r.Spec, r.Models, r.Data, r.Notes, err = o.settled(); err != nil {
		return nil, err
	}
	if r.Notes, err = o.unsent(ctx, r.Calls, r.Notes); err != nil {
		return nil, err
	}
	r.Complete()
	return &stepReport{o, r}, nil
}

// heldBy are trials without the chains that a log has not got of a question: none of them has failed.
func heldBy(r step.Record, trials []percuss.Trial) []percuss.Trial {
	if !r.Given {
		return trials
	}
	held := map[string]bool{}
	for n := range r.Chains {
		held[step.ChainTrial(n+1)] = true
	}
	return slices.DeleteFunc(slices.Clone(trials), func(t percuss.Trial) bool { return step.OfChain(t.ID) && !held[t.ID] })
}

// stepItem is a view as the report shows it.
func (o *opened) stepItem(v run.View, r step.Record) steps.Item {
	it := steps.Item{Subject: v.Subject, Trials: v.Trials, Record: r, Answers: v.Answers}
	if audit, ok := o.audit.(*step.Audit); ok {
		it.Texts = audit.Texts(v.Subject, v.Trials, v.Answers)
	}
	return it
}

func (s *stepReport) JSON(w io.Writer) error { return steps.WriteJSON(w, s.r) }

func (s *stepReport) CSV(dir string) error {
	return errors.Join(steps.WriteCSV(dir, s.r), report.WriteData(dir, s.r.Data))
}

func (s *stepReport) Tex(dir string) error {
	return report.WriteTex(dir, "Percuss, "+s.r.Audit+" audit", steps.Tables(s.r))
}

func (s *stepReport) Figures(dir, format string) error {
	all, err := steps.Figures(s.r.Findings)
	if err != nil {
		return err
	}
	return report.WriteFigures(dir, format, all)
}

func (s *stepReport) Text(w io.Writer, full bool) error { return steps.WriteText(w, s.r, full) }

func (s *stepReport) Card(w io.Writer, info json.RawMessage) error {
	sum, err := sumOf(s.JSON)
	if err != nil {
		return err
	}
	return report.WriteCard(w, steps.CardOf(s.r, info, sum))
}

func (s *stepReport) HTML(ctx context.Context, w io.Writer, info json.RawMessage, beside func(string, []byte) error) error {
	var failure error
	listed, of := *s.o, 0
	if listed.subjects = firstOfEach(s.o.subjects, mostListed); len(listed.subjects) < len(s.o.subjects) {
		of = len(s.o.subjects)
	}
	all := func(yield func(steps.Item) bool) {
		for v, r := range views[step.Record](ctx, &listed, &failure) {
			if !yield(s.o.stepItem(v, r)) {
				return
			}
		}
	}
	return errors.Join(steps.WriteHTML(w, s.r, steps.HTML{Info: info, Card: report.CardFile, Items: all, Of: of, Whole: wholeItems, Beside: beside}), failure)
}
