package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/pflag"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/cases"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/stat"
	"github.com/percuss/percuss/step"
)

// reading is what a report may be told that the run need not know: it steers no request.
type reading struct {
	salience   float64
	labels     string // file of rules in place of the run's own; empty: the run's
	judgements []string
	bootstrap  int           // replicates behind every interval; 0: the default
	items      string        // cases whose charts are written too
	settings   settings      // of a chain audit
	human      []string      // files of labels that people gave to trials of a chain audit, or to steps of a step audit
	quality    qualityFlag   // of a step audit's judges
	experts    []step.Label  // what people said of steps, once a run is opened with it
	judged     review.Judged // what the files of judgements hold, once a run is opened with them
}

func (w *reading) bind(f *pflag.FlagSet) {
	f.IntVar(&w.bootstrap, "bootstrap", stat.DefaultReplicates, fmt.Sprintf("bootstrap replicates behind every interval, %d to %d; the findings say how many there were", leastReplicates, mostReplicates))
	f.Float64Var(&w.salience, "salience", evidence.Salient, "evidence audit: strength from which an interaction counts, nats")
	f.StringVar(&w.labels, "labels", "", "evidence audit: file of rules that name interactions, tried on the answers in place of the run's own")
	f.StringSliceVar(&w.judgements, "judgements", nil, "evidence audit: reviewers' judgements of interactions (CSV or JSON lines), see percuss review create")
	f.StringVar(&w.items, "items", "", itemsHelp)
	w.settings.bind(f)
	f.Var(&w.quality, "judge-quality", qualityHelp)
	f.StringSliceVar(&w.human, "human", nil, humanHelp)
}

const humanHelp = "people's labels, CSV or JSON lines: of trials of a chain audit (rater, model, item, operator, task, label), of steps of a step audit (rater, model, item, chain, step, label)"

// The replicates that a report may be told to make: with fewer the ends of an interval are a handful of them, and more
// change no digit that is shown.
const leastReplicates, mostReplicates = 100, 1_000_000

// check refuses a threshold that none can be. What a caller leaves at 0 has the default; a user never means 0, under which
// every interaction counts.
func (w reading) check() error {
	if w.bootstrap != 0 && w.bootstrap < leastReplicates || w.bootstrap > mostReplicates {
		return usage(fmt.Errorf("--bootstrap %d: a number of replicates from %d to %d, e.g. %d", w.bootstrap, leastReplicates, mostReplicates, stat.DefaultReplicates))
	}
	if !(w.salience > 0) || math.IsInf(w.salience, 0) {
		return usage(fmt.Errorf("--salience %g: a strength above 0 in nats, e.g. %g, which is the paper's", w.salience, evidence.Salient))
	}
	return nil
}

// caseReport is the report of an evidence audit.
type caseReport struct {
	o *opened
	r cases.Report
}

// newCaseReport computes the report: a function of specification, subjects and answers.
func newCaseReport(ctx context.Context, o *opened) (*caseReport, error) {
	findings, calls, err := summarise[evidence.Record, evidence.Findings](ctx, o, func(v run.View, _ evidence.Record) report.Item {
		return report.Item{Subject: v.Subject, Trials: v.Trials, Answers: v.Answers}
	})
	if err != nil {
		return nil, err
	}
	r := cases.Report{Audit: o.audit.Name(), Versions: o.manifest.Versions, Calls: calls, Findings: findings, Claims: append(caseClaims(findings), callClaims(calls)...)}
	if r.Spec, r.Models, r.Data, r.Notes, err = o.settled(); err != nil {
		return nil, err
	}
	if r.Notes, err = o.unsent(ctx, r.Calls, r.Notes); err != nil {
		return nil, err
	}
	if o.awaiting > 0 {
		r.Notes = append(r.Notes, report.Plural(o.awaiting, "interaction")+" judged differently by their reviewers await adjudication: they are in no figure.")
	}
	r.Complete()
	return &caseReport{o, r}, nil
}

// caseOf is a view as the report shows it.
func caseOf(v run.View, r evidence.Record) cases.Case {
	return cases.Case{Subject: v.Subject, Trials: v.Trials, Record: r, Answers: v.Answers}
}

func (c *caseReport) JSON(w io.Writer) error { return cases.WriteJSON(w, c.r) }
func (c *caseReport) CSV(dir string) error {
	return errors.Join(cases.WriteCSV(dir, c.r), report.WriteData(dir, c.r.Data))
}
func (c *caseReport) Tex(dir string) error {
	return report.WriteTex(dir, "Percuss, "+c.r.Audit+" audit", cases.Tables(c.r))
}

func (c *caseReport) Figures(dir, format string) error {
	all, err := cases.Figures(c.r.Findings)
	if err != nil {
		return err
	}
	return report.WriteFigures(dir, format, all)
}
func (c *caseReport) Text(w io.Writer, full bool) error { return cases.WriteText(w, c.r, full) }

func (c *caseReport) Card(w io.Writer, info json.RawMessage) error {
	sum, err := sumOf(c.JSON)
	if err != nil {
		return err
	}
	return report.WriteCard(w, cases.CardOf(c.r, info, sum))
}

func (c *caseReport) HTML(ctx context.Context, w io.Writer, info json.RawMessage, beside func(string, []byte) error) error {
	var failure error
	all := func(yield func(cases.Case) bool) {
		for v, r := range views[evidence.Record](ctx, c.o, &failure) {
			if !yield(caseOf(v, r)) {
				return
			}
		}
	}
	return errors.Join(cases.WriteHTML(w, c.r, cases.HTML{Info: info, Card: report.CardFile, Cases: all, Whole: wholeItems, Beside: beside}), failure)
}
