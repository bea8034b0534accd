package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/spec"
)

// reviewTask is what can be reviewed so far.
const reviewTask = "interactions"

func (a *app) reviewCommand() *cobra.Command {
	c := &cobra.Command{Use: "review", Short: "Samples for clinicians, who see neither model nor label"}
	var s reviewSample
	create := &cobra.Command{
		Use:   "create DIR",
		Short: "Write a blinded sample of a run's interactions, and the key to it",
		Long: `Writes a sample of the salient interactions of an evidence audit for reviewers, and beside it a key.

Reviewers see the case, the diagnosis, the candidates, the findings of the interaction, its sign and its strength. They
write judgement (valid, questionable, invalid), confidence (high, medium, low) and, where there are several of them,
reviewer into the file, with a text editor (jsonl) or a spreadsheet (csv). The key says which run, model, case, rule,
label and bucket each row is: keep it from them. ` + "`percuss report DIR --judgements FILE`" + ` joins both.

--design queue: the 300 strongest interactions that the strict rules call suspicious, and 100 random salient ones that
they do not, those that the run's checks followed before others (Table 7).
--design buckets: 130 over the mechanisms: 30 faithful, 40 conflict, 20 background, 20 negated, 20 control, which are
those that only the last rule names. They are taken in turns over models and sets, each time from a case that has given
the fewest so far (Tables 3, 5 and 19).
-n 65 takes as many in all, in the same proportions; -n suspicious=50,random=20 says it for single buckets.

Only the margin of the right diagnosis is sampled. The same run and seed give the same file to the byte, and a larger -n
the same rows and more.

` + exitHelp,
		Example: `  percuss review create runs/cases --design queue
  percuss review create runs/cases --design buckets --format csv
  percuss review create runs/cases --design buckets -n faithful=10,control=0 -o sample.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.createReview(c.Context(), args[0], s) },
	}
	f := create.Flags()
	f.StringVar(&s.task, "task", reviewTask, "what is to be reviewed: "+reviewTask)
	f.StringVar(&s.design, "design", "", "which interactions: queue or buckets")
	f.StringVarP(&s.number, "number", "n", "", "how many in all, or BUCKET=N,... (default: the paper's)")
	f.Uint64Var(&s.seed, "seed", spec.DefaultSeed, "seed of the sample")
	f.StringVarP(&s.out, "out", "o", "", "the blinded file, ending in .jsonl or .csv (default DIR/review/interactions-DESIGN.jsonl)")
	f.StringVar(&s.format, "format", "", "jsonl or csv (default: as -o ends)")
	f.BoolVar(&s.force, "force", false, "replace a file that is there, and its key")
	f.Float64Var(&s.with.salience, "salience", evidence.Salient, "strength from which an interaction counts, nats")
	c.AddCommand(create)
	return c
}

// reviewSample is what the flags say.
type reviewSample struct {
	task, design, number, out, format string
	seed                              uint64
	force                             bool
	with                              reading
}

// place is where the blinded file goes, and its format.
func (s reviewSample) place(dir string) (string, blind.Format, error) {
	format := blind.Format(s.format)
	ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(s.out)), ".")
	switch {
	case s.format == "" && s.out == "":
		format = blind.JSONL
	case s.format == "":
		format = blind.Format(ending)
	}
	if format != blind.JSONL && format != blind.CSV || s.out != "" && ending != string(format) {
		return "", "", usage(fmt.Errorf("--format %q, -o %q: the file is jsonl or csv, and its name ends so", s.format, s.out))
	}
	if s.out != "" {
		return s.out, format, nil
	}
	return filepath.Join(dir, review.Folder, fmt.Sprintf("%s-%s.%s", reviewTask, s.design, format)), format, nil
}

// createReview draws a sample and writes it.
func (a *app) createReview(ctx context.Context, dir string, s reviewSample) error {
	if err := s.with.check(); err != nil {
		return err
	}
	if s.task != reviewTask {
		return usage(fmt.Errorf("--task %q: there is %s", s.task, reviewTask))
	}
	if !slices.Contains(review.Designs(), review.Design(s.design)) {
		return usage(fmt.Errorf("--design %q: there are %v", s.design, review.Designs()))
	}
	quotas, err := review.Quotas(review.Design(s.design), s.number)
	if err != nil {
		return usage(fmt.Errorf("-n: %w", err))
	}
	path, format, err := s.place(dir)
	if err != nil {
		return err
	}
	sample, err := drawReview(ctx, dir, s, quotas)
	if err != nil {
		return err
	}
	if s.out == "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return usage(err)
		}
	}
	if err := sample.Save(path, format, s.force); err != nil {
		return usage(err)
	}
	printSample(a.out, sample)
	fmt.Fprintf(a.out, "\nfor reviewers   %s\nkey, to keep    %s\nwhat they wrote percuss report %s --judgements FILE\n", path, review.KeyFile(path), dir)
	return nil
}

// drawReview draws a sample of a run.
func drawReview(ctx context.Context, dir string, s reviewSample, quotas []review.Quota) (review.Sample, error) {
	o, err := openRun(ctx, dir, s.with)
	if err != nil {
		return review.Sample{}, err
	}
	defer o.answers.Close()
	audit, ok := o.audit.(*evidence.Audit)
	if !ok {
		return review.Sample{}, usage(fmt.Errorf("%s is a run of the %s audit, which has no interactions: give a run of percuss evidence", dir, o.audit.Name()))
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return review.Sample{}, err
	}
	var failure error
	items := func(yield func(evidence.Record, *percuss.Case) bool) {
		for v, r := range views[evidence.Record](ctx, o, &failure) {
			if !yield(r, v.Subject.Case) {
				return
			}
		}
	}
	sample, err := review.Draw(items, review.Options{Design: review.Design(s.design), Quotas: quotas, Seed: s.seed, Run: filepath.Base(whole),
		Salient: audit.Options().Salient, Labels: audit.Options().Labels})
	if failure != nil {
		return sample, failure
	}
	if err != nil {
		return sample, usage(fmt.Errorf("%s: %w", dir, err))
	}
	return sample, nil
}

// printSample says what each bucket gave, and where it gave less than was wanted.
func printSample(w io.Writer, s review.Sample) {
	fmt.Fprintf(w, "%s of at least %g nats in the margin of the right diagnosis\n", report.Plural(len(s.Keys), "interaction"), s.Options.Salient)
	for _, b := range s.Strata {
		line := fmt.Sprintf("%d of %d", b.Drawn, b.There)
		if b.Drawn > 0 {
			line += fmt.Sprintf(", from %s, at most %d of one", report.Plural(b.Cases, "case"), b.Most)
		}
		if b.Drawn < b.Wanted {
			line += fmt.Sprintf("; %d were wanted, the run has no more", b.Wanted)
		}
		fmt.Fprintf(w, "  %-10s  %s\n", b.Bucket, line)
	}
}
