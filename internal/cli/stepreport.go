package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

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
	findings, calls, err := summarise[step.Record, step.Findings](ctx, o, func(v run.View, _ step.Record) report.Item {
		return report.Item{Subject: v.Subject, Trials: v.Trials, Answers: v.Answers}
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

func (s *stepReport) JSON(w io.Writer) error { return steps.WriteJSON(w, s.r) }

func (s *stepReport) CSV(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, t := range steps.Tables(s.r) {
		if err := report.WriteTable(filepath.Join(dir, t.ID+".csv"), report.TableCSV(t)); err != nil {
			return err
		}
	}
	return report.WriteData(dir, s.r.Data)
}

func (s *stepReport) Tex(dir string) error {
	return report.WriteTex(dir, "Percuss, "+s.r.Audit+" audit", steps.Tables(s.r))
}

func (s *stepReport) Figures(dir, format string) error { return errors.New("not yet") }

func (s *stepReport) Text(w io.Writer, full bool) error { return steps.WriteText(w, s.r, full) }

func (s *stepReport) Card(w io.Writer, info json.RawMessage) error { return errors.New("not yet") }

func (s *stepReport) HTML(ctx context.Context, w io.Writer, info json.RawMessage, beside func(string, []byte) error) error {
	return errors.New("not yet")
}
