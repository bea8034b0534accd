package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/store/sqlite"
)

// allFormats are the renderings that a run ends with.
var allFormats = []string{"json", "csv", "html"}

// wholeItems is how many items the HTML file holds in full: enough to see what was done, few enough to be mailed. Each
// item has a page of its own beside it, and `show` prints any.
const wholeItems = 25

func (a *app) reportCommand() *cobra.Command {
	var formats []string
	var asJSON, full bool
	c := &cobra.Command{
		Use:     "report DIR",
		Short:   "Recompute the report of a run from its answers; no model is needed",
		Example: "  percuss report runs/demo\n  percuss report runs/demo --format html\n  percuss report runs/demo --full",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			for _, f := range formats {
				if !slices.Contains(allFormats, f) {
					return usage(fmt.Errorf("--format %q: there are %s", f, strings.Join(allFormats, ", ")))
				}
			}
			if asJSON {
				return a.printReport(c.Context(), args[0])
			}
			return a.writeReportWith(c.Context(), args[0], formats, full)
		},
	}
	c.Flags().StringSliceVar(&formats, "format", allFormats, "what is written: json, csv, html")
	c.Flags().BoolVar(&full, "full", false, "print every table of every group, not the summary alone")
	c.Flags().BoolVar(&asJSON, "json", false, "print report.json and write nothing")
	return c
}

// opened is a run's folder opened for reading.
type opened struct {
	manifest run.Manifest
	subjects []percuss.Subject
	audit    *chain.Audit
	answers  *sqlite.Reader
	frozen   bool
}

// openRun opens a run's folder for reading; a writer may be at work.
func openRun(ctx context.Context, dir string) (*opened, error) {
	m, err := run.ReadManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage(fmt.Errorf("%s is no run: it has no %s", dir, run.ManifestFile))
	} else if err != nil {
		return nil, usage(err)
	}
	questions, err := run.ReadQuestions(dir)
	if err != nil {
		return nil, usage(err)
	}
	audit, prints, err := buildAudit(m.Spec, m.Capabilities, dir)
	if err != nil {
		return nil, err
	}
	answers, err := openStore(ctx, dir)
	if err != nil {
		return nil, err
	}
	return &opened{manifest: m, audit: audit, answers: answers, frozen: !maps.Equal(prints, m.Fingerprints),
		subjects: run.Subjects(m, questions)}, nil
}

// items yields the subjects with their trials and records; an error ends the sequence and is kept.
func (o *opened) items(ctx context.Context, failure *error) iter.Seq[report.Item] {
	return func(yield func(report.Item) bool) {
		for v, err := range run.Views(ctx, o.audit, o.answers, o.subjects, o.frozen) {
			if err != nil {
				*failure = err
				return
			}
			record, ok := v.Record.(chain.Record)
			if ok && !yield(o.item(v, record)) {
				return
			}
		}
	}
}

// item is a view as the report shows it.
func (o *opened) item(v run.View, record chain.Record) report.Item {
	before, after := o.audit.Quotation()
	return report.Item{Subject: v.Subject, Trials: v.Trials, Record: record, Answers: v.Answers, Before: before, After: after}
}

// records yields the reduced subjects and counts their calls on the way.
func (o *opened) records(ctx context.Context, calls *report.Tally, failure *error) iter.Seq[percuss.Record] {
	return func(yield func(percuss.Record) bool) {
		for it := range o.items(ctx, failure) {
			calls.Add(it)
			if !yield(it.Record) {
				return
			}
		}
	}
}

// build computes the report: a function of specification, subjects and answers.
func (o *opened) build(ctx context.Context) (report.Report, error) {
	var failure error
	calls := report.NewTally()
	findings, ok := o.audit.Summarise(o.records(ctx, calls, &failure)).(chain.Findings)
	if failure != nil {
		return report.Report{}, failure
	}
	if !ok {
		return report.Report{}, errors.New("the audit returned no findings of its own")
	}
	specification, err := json.Marshal(o.manifest.Spec)
	if err != nil {
		return report.Report{}, err
	}
	r := report.Report{Audit: "chain", Spec: specification, Versions: o.manifest.Versions, Calls: calls.Calls(), Findings: findings}
	for _, m := range o.manifest.Spec.Models {
		can := o.manifest.Capabilities[m.ID]
		r.Models = append(r.Models, report.Model{ID: m.ID, Identity: can.Identity, Engine: can.Engine, Weights: can.Weights,
			Template: can.Template, Tier: m.Tier, Exact: can.Exact})
	}
	for _, d := range o.manifest.Data {
		r.Data = append(r.Data, report.Data{Set: d.Set, File: d.File, SHA256: d.SHA256, Rows: d.Rows, Bad: d.Bad, Drawn: d.Drawn, BadRows: d.BadRows})
	}
	if o.frozen {
		r.Notes = append(r.Notes, "Battery, prompts or splitter of this version of Percuss differ from those of the run: the trials are those of the run's ledger.")
	}
	r.Complete()
	return r, nil
}

// compute opens a run and computes its report. The caller closes the answers.
func compute(ctx context.Context, dir string) (*opened, report.Report, error) {
	o, err := openRun(ctx, dir)
	if err != nil {
		return nil, report.Report{}, err
	}
	r, err := o.build(ctx)
	if err != nil {
		return nil, r, errors.Join(err, o.answers.Close())
	}
	return o, r, nil
}

// printReport prints report.json.
func (a *app) printReport(ctx context.Context, dir string) error {
	o, r, err := compute(ctx, dir)
	if err != nil {
		return err
	}
	defer o.answers.Close()
	return report.WriteJSON(a.out, r)
}

// writeReport writes the renderings and prints the short summary.
func (a *app) writeReport(ctx context.Context, dir string, formats []string) error {
	return a.writeReportWith(ctx, dir, formats, false)
}

// writeReportWith writes the renderings and prints the summary, with every table where it is to be full.
func (a *app) writeReportWith(ctx context.Context, dir string, formats []string, full bool) error {
	o, r, err := compute(ctx, dir)
	if err != nil {
		return err
	}
	defer o.answers.Close()
	folder := filepath.Join(dir, run.ReportFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return unwritable(err)
	}
	for _, format := range formats {
		if err := o.render(ctx, r, folder, format); err != nil {
			return unwritable(err)
		}
	}
	if err := report.WriteText(a.out, r, full); err != nil {
		return err
	}
	for _, format := range formats {
		path := folder + string(filepath.Separator)
		if format != "csv" {
			path = filepath.Join(folder, "report."+format)
		}
		fmt.Fprintf(a.out, "%-5s %s\n", format, path)
	}
	if !full {
		fmt.Fprintf(a.out, "every table here: percuss report %s --full\n", dir)
	}
	return nil
}

// unwritable adds a remedy to the error of a folder that cannot be written.
func unwritable(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return usage(fmt.Errorf("%w: `percuss report --json` prints the report and writes nothing", err))
	}
	return err
}

// render writes one rendering.
func (o *opened) render(ctx context.Context, r report.Report, folder, format string) error {
	switch format {
	case "json":
		return run.WriteFile(filepath.Join(folder, "report.json"), func(w io.Writer) error { return report.WriteJSON(w, r) })
	case "csv":
		return report.WriteCSV(folder, r)
	}
	info, err := os.ReadFile(filepath.Join(folder, run.InfoFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, report.ItemFolder), 0o755); err != nil {
		return err
	}
	var failure error
	err = run.WriteFile(filepath.Join(folder, "report.html"), func(w io.Writer) error {
		return report.WriteHTML(w, r, report.HTML{Info: info, Items: o.items(ctx, &failure), Whole: wholeItems,
			Beside: func(name string, page []byte) error {
				// Made from the answers at any time, so it need not be written as carefully as what cannot be.
				return os.WriteFile(filepath.Join(folder, filepath.FromSlash(name)), page, 0o644)
			}})
	})
	return errors.Join(err, failure)
}
