package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
)

// chainReport is the report of a chain audit.
type chainReport struct {
	o *opened
	r report.Report
}

// newChainReport computes the report: a function of specification, subjects and answers.
func newChainReport(ctx context.Context, o *opened) (*chainReport, error) {
	findings, calls, err := summarise[chain.Record, chain.Findings](ctx, o, o.item)
	if err != nil {
		return nil, err
	}
	findings.Claims = append(findings.Claims, callClaims(calls)...)
	r := report.Report{Audit: "chain", Versions: o.manifest.Versions, Calls: calls, Findings: findings}
	if r.Spec, r.Models, r.Data, r.Notes, err = o.settled(); err != nil {
		return nil, err
	}
	if r.Notes, err = o.unsent(ctx, r.Calls, r.Notes); err != nil {
		return nil, err
	}
	for _, d := range findings.Decisions {
		if d.ID == chain.SettingsDecision {
			r.Notes = append(r.Notes, d.Text)
		}
	}
	r.Complete()
	return &chainReport{o, r}, nil
}

// item is a view as the report shows it.
func (o *opened) item(v run.View, record chain.Record) report.Item {
	it := report.Item{Subject: v.Subject, Trials: v.Trials, Record: record, Answers: v.Answers}
	if audit, ok := o.audit.(*chain.Audit); ok {
		it.Before, it.After = audit.Quotation()
	}
	return it
}

func (c *chainReport) JSON(w io.Writer) error { return report.WriteJSON(w, c.r) }
func (c *chainReport) CSV(dir string) error {
	return errors.Join(report.WriteCSV(dir, c.r), report.WriteData(dir, c.r.Data))
}
func (c *chainReport) Tex(dir string) error {
	return report.WriteTex(dir, "Percuss, "+c.r.Audit+" audit", report.Tables(c.r.Findings))
}

func (c *chainReport) Figures(dir, format string) error {
	all, err := report.Figures(c.r.Findings)
	if err != nil {
		return err
	}
	return report.WriteFigures(dir, format, all)
}

func (c *chainReport) Text(w io.Writer, full bool) error { return report.WriteText(w, c.r, full) }

func (c *chainReport) Card(w io.Writer, info json.RawMessage) error {
	sum, err := sumOf(c.JSON)
	if err != nil {
		return err
	}
	return report.WriteCard(w, report.CardOf(c.r, info, sum))
}

func (c *chainReport) HTML(ctx context.Context, w io.Writer, info json.RawMessage, beside func(string, []byte) error) error {
	var failure error
	listed, of := *c.o, 0
	if listed.subjects = firstOfEach(c.o.subjects, mostListed); len(listed.subjects) < len(c.o.subjects) {
		of = len(c.o.subjects)
	}
	items := func(yield func(report.Item) bool) {
		for v, r := range views[chain.Record](ctx, &listed, &failure) {
			if !yield(c.o.item(v, r)) {
				return
			}
		}
	}
	return errors.Join(report.WriteHTML(w, c.r, report.HTML{Info: info, Card: report.CardFile, Items: items, Of: of, Whole: wholeItems, Beside: beside}), failure)
}

// mostListed is about how many items a page lists, with a page for each: a panel has more than a browser, or a folder of
// files, should hold.
const mostListed = 2000

// firstOfEach are the first subjects of each model, prompt and data set, as many of each as make about most together and
// at least one; all where they are no more than that.
func firstOfEach(subjects []percuss.Subject, most int) []percuss.Subject {
	if len(subjects) <= most {
		return subjects
	}
	type cell struct{ variant, model, set string }
	sizes := map[cell]int{}
	of := func(s percuss.Subject) cell { return cell{s.Variant, s.Model, s.Set} }
	for _, s := range subjects {
		sizes[of(s)]++
	}
	each := max(1, most/len(sizes))
	taken := map[cell]int{}
	var out []percuss.Subject
	for _, s := range subjects {
		if taken[of(s)]++; taken[of(s)] <= each {
			out = append(out, s)
		}
	}
	return out
}
