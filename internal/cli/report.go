package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/store/sqlite"
)

// wholeItems is how many items the HTML file holds in full: enough to see what was done, few enough to be mailed. Each
// item has a page of its own beside it, and `show` prints any.
const wholeItems = 25

func (a *app) reportCommand() *cobra.Command {
	var formats []string
	var asJSON, full bool
	var with reading
	c := &cobra.Command{
		Use:     "report DIR",
		Short:   "Recompute the report of a run from its answers; no model is needed",
		Long:    reportHelp,
		Example: "  percuss report runs/demo\n  percuss report runs/demo --format html\n  percuss report runs/demo --format tex,pdf\n  percuss report runs/cases --format svg,pdf --items 1,4-6\n  percuss report runs/demo --modes inert=0.7,words=30 --margin 0.1\n  percuss report runs/demo --full",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			formats, err := chosenFormats(formats)
			if err != nil {
				return err
			}
			if err := with.check(); err != nil {
				return err
			}
			if asJSON {
				formats = nil // nothing is written
			}
			if err := checkItems(with.items, formats); err != nil {
				return err
			}
			if asJSON {
				return a.printReport(c.Context(), args[0], with)
			}
			_, err = a.writeReport(c.Context(), args[0], formats, with, full)
			return err
		},
	}
	c.Flags().StringSliceVar(&formats, "format", endFormats, "what is written: "+strings.Join(allFormats(), ", ")+" or all")
	c.Flags().BoolVar(&full, "full", false, "print every table of every group, not the summary alone")
	c.Flags().BoolVar(&asJSON, "json", false, "print report.json and write nothing")
	with.bind(c.Flags())
	return c
}

// opened is a run's folder opened for reading.
type opened struct {
	dir      string
	prints   map[string]string // the fingerprints of this version
	with     reading
	manifest run.Manifest
	items    run.Items
	subjects []percuss.Subject
	audit    percuss.Audit
	answers  *sqlite.Reader
	frozen   bool   // trials are the ledger's
	changed  bool   // because this version would ask something else
	tried    string // which rules are tried in place of the run's; empty: none
	awaiting int    // judged interactions that await adjudication
}

// openRun opens a run's folder for reading; a writer may be at work.
func openRun(ctx context.Context, dir string, with reading) (*opened, error) {
	m, err := run.ReadManifest(dir)
	if errors.Is(err, fs.ErrNotExist) || isFile(dir) {
		return nil, usage(noRun(dir, run.ManifestFile))
	} else if err != nil {
		return nil, usage(err)
	}
	items, err := run.ReadItems(dir, m)
	if err != nil {
		return nil, usage(err)
	}
	if with.labels != "" && m.Spec.Evidence == nil {
		return nil, usage(errors.New("--labels: only an evidence audit has interactions to name"))
	}
	if err := with.people(dir, m.Spec); err != nil {
		return nil, err
	}
	audit, prints, err := buildAudit(m.Spec, items, m.Capabilities, dir, with)
	if err != nil {
		return nil, err
	}
	answers, err := openStore(ctx, dir)
	if err != nil {
		return nil, err
	}
	o := &opened{dir: dir, prints: maps.Clone(prints), with: with, manifest: m, items: items, awaiting: len(with.judged.Awaiting), audit: audit, answers: answers, frozen: !samePrints(m.Fingerprints, prints)}
	o.list()
	if with.labels != "" {
		o.tried = fmt.Sprintf("%s (%s)", filepath.Base(with.labels), prints["labels"])
		prints["labels"] = m.Fingerprints["labels"]
	}
	o.changed = !samePrints(m.Fingerprints, prints)
	return o, nil
}

// list lists the subjects.
func (o *opened) list() { o.subjects = run.Subjects(o.manifest, o.items) }

// forget lets go of what the walk over the answers needs and the draws do not, a third of a kilobyte for each subject and
// up to 64 MiB of answers and requests. Whoever walks over them again calls list before.
func (o *opened) forget(ctx context.Context) error {
	o.subjects = nil
	fresh, err := openStore(ctx, o.dir)
	if err != nil {
		return err
	}
	read := o.answers
	o.answers = fresh
	return read.Close()
}

// views yields the subjects with their trials and records of type R; an error ends the sequence and is kept.
func views[R percuss.Record](ctx context.Context, o *opened, failure *error) iter.Seq2[run.View, R] {
	return func(yield func(run.View, R) bool) {
		for v, err := range run.Views(ctx, o.audit, o.answers, o.subjects, o.frozen) {
			if err != nil {
				*failure = err
				return
			}
			if record, ok := v.Record.(R); ok && !yield(v, record) {
				return
			}
		}
	}
}

// settled is what the reports of all audits say of a run.
func (o *opened) settled() (specification json.RawMessage, models []report.Model, data []report.Data, notes []string, err error) {
	if specification, err = json.Marshal(o.manifest.Spec); err != nil {
		return nil, nil, nil, nil, err
	}
	for _, m := range o.manifest.Spec.Models {
		can := o.manifest.Capabilities[m.ID]
		models = append(models, report.Model{ID: m.ID, Identity: can.Identity, Engine: can.Engine, Weights: can.Weights,
			Template: can.Template, Tier: m.Tier, Exact: can.Exact, Layout: can.Layout})
	}
	for _, d := range o.manifest.Data {
		data = append(data, report.Data{Set: d.Set, Split: d.Split, File: d.File, SHA256: d.SHA256, Rows: d.Rows, Bad: d.Bad, Drawn: d.Drawn, BadRows: d.BadRows,
			Remarks: d.Remarks, LeftOut: d.LeftOut})
	}
	if o.tried != "" {
		notes = append(notes, "The rules that name interactions are those of "+o.tried+", given with --labels, in place of the run's own ("+
			o.manifest.Fingerprints["labels"]+"). Which families of findings were changed was chosen by the run's own.")
	}
	if o.changed {
		notes = append(notes, "Prompts, rules or what makes the requests of this version of Percuss differ from those of the run: the trials are those of the run's ledger.")
	}
	notes = append(notes, repeatability(o.manifest.Spec, o.manifest.Capabilities)...)
	return specification, models, data, append(notes, kinship(o.manifest.Spec)...), nil
}

// unsent adds a note where some of the calls that count as failed can never have been sent: fewer attempts failed than
// calls have no answer.
func (o *opened) unsent(ctx context.Context, calls []report.Calls, notes []string) ([]string, error) {
	attempts, err := o.answers.Attempts(ctx)
	if err != nil {
		return nil, err
	}
	open, tried := 0, 0
	for _, c := range calls {
		for _, o := range c.Outcomes {
			if o.Name == string(percuss.Failed) {
				open += o.N
			}
		}
	}
	for _, n := range attempts {
		tried += n
	}
	if open > tried {
		notes = append(notes, fmt.Sprintf("Of the %d calls that are counted as failed, at least %d were never sent: the run ended before their turn.", open, open-tried))
	}
	return notes, nil
}

// rendering is the report of one audit, ready to be written.
type rendering interface {
	JSON(w io.Writer) error
	CSV(dir string) error
	Tex(dir string) error
	Figures(dir, format string) error // format: "svg", "pdf" or "png"
	Text(w io.Writer, full bool) error
	// HTML writes the main page, and through beside the pages of the items; info is the content of runinfo.json.
	HTML(ctx context.Context, w io.Writer, info json.RawMessage, beside func(name string, page []byte) error) error
	Card(w io.Writer, info json.RawMessage) error // the model card
}

// sumOf is the SHA-256, hex, of what a rendering writes.
func sumOf(write func(io.Writer) error) (string, error) {
	h := sha256.New()
	err := write(h)
	return hex.EncodeToString(h.Sum(nil)), err
}

// compute opens a run and computes its report. The caller closes the answers.
func compute(ctx context.Context, dir string, with reading) (*opened, rendering, error) {
	o, err := openRun(ctx, dir, with)
	if err != nil {
		return nil, nil, err
	}
	var r rendering
	switch {
	case o.manifest.Spec.Evidence != nil:
		r, err = newCaseReport(ctx, o)
	case o.manifest.Spec.Steps != nil:
		r, err = newStepReport(ctx, o)
	default:
		r, err = newChainReport(ctx, o)
	}
	if err != nil {
		return nil, nil, errors.Join(err, o.answers.Close())
	}
	return o, r, nil
}

// printReport prints report.json.
func (a *app) printReport(ctx context.Context, dir string, with reading) error {
	o, r, err := compute(ctx, dir, with)
	if err != nil {
		return err
	}
	defer o.answers.Close()
	return r.JSON(a.out)
}

// writeReport writes the renderings and prints the summary, with every table where it is to be full. It returns what the calls
// of the run came to.
func (a *app) writeReport(ctx context.Context, dir string, formats []string, with reading, full bool) (replied, error) {
	o, r, err := compute(ctx, dir, with)
	if err != nil {
		return replied{}, err
	}
	defer o.answers.Close()
	if err := a.tellStrays(o); err != nil {
		return replied{}, err
	}
	folder := filepath.Join(dir, run.ReportFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return replied{}, unwritable(err)
	}
	if err := a.caseFigures(ctx, r, folder, with.items, formats); err != nil {
		return replied{}, unwritable(err)
	}
	for _, format := range formats {
		if err := render(ctx, r, folder, format); err != nil {
			return replied{}, unwritable(err)
		}
	}
	if err := r.Text(a.out, full); err != nil {
		return replied{}, err
	}
	for _, format := range formats {
		fmt.Fprintf(a.out, "%-5s %s\n", format, placeOf(folder, format))
		if format == "html" {
			fmt.Fprintf(a.out, "%-5s %s\n", "card", filepath.Join(folder, report.CardFile))
		}
	}
	if !full {
		fmt.Fprintf(a.out, "every table here: percuss report %s --full\n", dir)
	}
	fmt.Fprintln(a.out, "what a word means: percuss define WORD")
	return repliedOf(r), nil
}
