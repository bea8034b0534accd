package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/spec"
)

// reviewSample is what the flags of review create say.
type reviewSample struct {
	task, design, number, name, out, form, items string
	seed                                         uint64
	force, practice                              bool
	repeats, attention                           int
	with                                         reading
}

func (a *app) reviewCreateCommand() *cobra.Command {
	var s reviewSample
	c := &cobra.Command{
		Use:   "create DIR",
		Short: "Draw a blinded sample of a run: a package for raters, and the key to it",
		Long: `Draws a seeded sample of a run and writes a folder with two files: package.json is all that raters see and may be copied
anywhere; key.jsonl says what each item is and stays with you. The package holds the key's SHA-256, so that
nobody can doubt later which key it was.

  --task perturbation   edits of questions, 197 over the families M2 to M5, in turns over the data sets, without PubMedQA; 75 of them also show one model's flip, balanced over tiers (chain audit)
  --task chain-update   150 models' trials by family and by what the token rule says (chain audit)
  --task operator-tags  every operator of the battery, with two examples (chain audit)
  --task interactions   salient interactions in the margin of the right diagnosis (evidence audit), in one of two designs:
  --design queue        the 300 strongest that the strict rules call suspicious, and 100 random salient ones that they do not, those that the run's checks followed before others (Table 7)
  --design buckets      130 over the mechanisms: 30 faithful, 40 conflict, 20 background, 20 negated, 20 control, which are those that only the last rule names (Tables 3, 5 and 19)
  --task steps          150 judged steps as the judges see them, half of them called an error by the first judge, the same number from each model (step audit); or, with --items FILE, items that you wrote, a JSON object a line
  --task own            questions of your own (--form FILE, YAML) about items of your own (--items FILE); no run is needed: DIR is where the folder is made

-n 65 takes as many in all, in the same proportions; -n BUCKET=N,... says it for single ones, e.g. -n M2=10,flips=5.
What the run has too few of is told, and nothing else is taken in its place. The same run and seed give the same files
to the byte.

` + exitHelp,
		Example: `  percuss review create runs/a --task perturbation
  percuss review create runs/a --task chain-update -n 60 --repeats 6
  percuss review create runs/b --task interactions --design buckets --practice
  percuss review create runs/b --task interactions --design queue -n 65 --name q
  percuss review create runs/a --task perturbation -n M2=10,flips=5 --name pilot
  percuss review create runs/c --task steps -n 60
  percuss review create . --task own --form form.yaml --items items.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.createReview(c.Context(), args[0], s) },
	}
	f := c.Flags()
	f.StringVar(&s.task, "task", "", "what is to be reviewed: perturbation, chain-update, operator-tags, interactions, steps or own")
	f.StringVar(&s.design, "design", "", "which interactions: queue or buckets")
	f.StringVarP(&s.number, "number", "n", "", "how many in all, or BUCKET=N,... (default: the paper's)")
	f.Uint64Var(&s.seed, "seed", spec.DefaultSeed, "seed of the sample")
	f.StringVar(&s.name, "name", "", "name of the review's folder in DIR/review (default: the task, with its design)")
	f.StringVarP(&s.out, "out", "o", "", "the review's folder, in the place of DIR/review/NAME")
	f.StringVar(&s.form, "form", "", "questions, labels and instructions of your own, YAML (default: the task's)")
	f.StringVar(&s.items, "items", "", "items of your own, JSON lines, for the tasks steps and own")
	f.BoolVar(&s.practice, "practice", false, "begin with practice items, which tell after each answer what was expected")
	f.IntVar(&s.repeats, "repeats", 0, "how many items are shown twice, to see how far raters agree with themselves")
	f.IntVar(&s.attention, "attention", 0, "how many items with one obvious answer stand among the others, to see whether raters read them")
	f.BoolVar(&s.force, "force", false, "replace another sample of the same name that nobody has answered yet")
	f.Float64Var(&s.with.salience, "salience", evidence.Salient, "strength from which an interaction counts, nats")
	for flag, names := range map[string][]string{"task": texts(append(blind.Kinds(), blind.Own)), "design": texts(review.Designs())} {
		if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic("cli: " + err.Error()) // only of a flag that there is not
		}
	}
	return c
}

// reviewName is what a review's folder may be called.
var reviewName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// check refuses what does not fit together.
func (s *reviewSample) check() error {
	if err := s.with.check(); err != nil {
		return err
	}
	task := blind.Kind(s.task)
	kinds := append(blind.Kinds(), blind.Own)
	switch {
	case s.task == "":
		return usage(fmt.Errorf("--task is missing: say one of %s", enumerated(kinds)))
	case !slices.Contains(kinds, task):
		return usage(fmt.Errorf("--task %q: there are %s", s.task, enumerated(kinds)))
	case task == blind.Interactions && s.design == "":
		return usage(fmt.Errorf("--design is missing: say one of %s", enumerated(review.Designs())))
	case task == blind.Interactions && !slices.Contains(review.Designs(), review.Design(s.design)):
		return usage(fmt.Errorf("--design %q: there are %s", s.design, enumerated(review.Designs())))
	case task != blind.Interactions && s.design != "":
		return usage(fmt.Errorf("--design %s: only --task %s has designs: leave it out", s.design, blind.Interactions))
	case task == blind.Own && s.items == "":
		return usage(fmt.Errorf("--task %s: say with --items FILE what is to be judged", blind.Own))
	case s.items != "" && task != blind.Steps && task != blind.Own:
		return usage(fmt.Errorf("--items: the tasks %s and %s take items from a file, the others from the run", blind.Steps, blind.Own))
	case task == blind.Own && s.form == "":
		return usage(fmt.Errorf("--task %s: say with --form FILE what is asked", blind.Own))
	case s.number != "" && (s.items != "" || task == blind.OperatorTags):
		return usage(fmt.Errorf("-n: --task %s takes all there are: leave it out", task))
	case s.name != "" && s.out != "":
		return usage(errors.New("--name and -o both say where the review goes: leave one out"))
	}
	if s.name == "" {
		s.name = strings.Trim(s.task+"-"+s.design, "-")
	}
	if !reviewName.MatchString(s.name) {
		return usage(fmt.Errorf("--name %q: letters, digits, dots, _ and -, at most 64", s.name))
	}
	return nil
}

// texts are names as texts.
func texts[T ~string](names []T) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return out
}

// enumerated are names in words, parted by commas.
func enumerated[T ~string](names []T) string { return strings.Join(texts(names), ", ") }

// createReview draws a sample, and writes its package and key.
func (a *app) createReview(ctx context.Context, dir string, s reviewSample) error {
	if err := s.check(); err != nil {
		return err
	}
	form, err := s.readForm()
	if err != nil {
		return usage(err)
	}
	sample, err := s.draw(ctx, dir)
	if err != nil {
		return err
	}
	p, key, err := sample.Compose(review.Composing{Form: form, Practice: s.practice, Repeats: s.repeats, Attention: s.attention})
	if err != nil {
		return usage(err)
	}
	folder := s.out
	if folder == "" {
		folder = filepath.Join(dir, review.Folder, s.name)
	}
	if err := review.Save(folder, p, key, s.force); err != nil {
		return usage(err)
	}
	printSample(a.out, sample)
	fmt.Fprintf(a.out, "\nfor raters    %s (%s)\nkey, to keep  %s\nto answer it  percuss review serve %s --rater NAME\n", filepath.Join(folder, review.PackageFile),
		report.Plural(len(p.Items), "item"), filepath.Join(folder, review.KeyFile), quoted(folder))
	return nil
}

// readForm is the task's form, or the user's own.
func (s reviewSample) readForm() (blind.Form, error) {
	if s.form == "" {
		return blind.FormOf(blind.Kind(s.task))
	}
	raw, err := os.ReadFile(s.form)
	if err != nil {
		return blind.Form{}, fmt.Errorf("--form: %w", err)
	}
	return blind.ParseForm(s.form, raw)
}

// draw draws the sample.
func (s reviewSample) draw(ctx context.Context, dir string) (review.Sample, error) {
	o := review.Options{Design: review.Design(s.design), Seed: s.seed}
	task := blind.Kind(s.task)
	if s.items != "" {
		items, err := review.ReadItems(s.items)
		if err != nil {
			return review.Sample{}, usage(fmt.Errorf("--items: %w", err))
		}
		return review.Own(task, items, o)
	}
	switch task {
	case blind.Perturbation:
		o.Design = review.Edits
	case blind.ChainUpdate:
		o.Design = review.Updates
	case blind.Steps:
		o.Design = review.JudgedSteps
	}
	if task != blind.OperatorTags {
		var err error
		if o.Quotas, err = review.Quotas(o.Design, s.number); err != nil {
			return review.Sample{}, usage(fmt.Errorf("-n: %w", err))
		}
	}
	opened, err := openRun(ctx, dir, s.with)
	if err != nil {
		return review.Sample{}, err
	}
	defer opened.answers.Close()
	whole, err := filepath.Abs(dir)
	if err != nil {
		return review.Sample{}, err
	}
	o.Run = filepath.Base(whole)
	var sample review.Sample
	var failure error
	switch task {
	case blind.Interactions:
		sample, err = drawInteractions(ctx, dir, opened, o, &failure)
	case blind.Steps:
		sample, err = drawSteps(ctx, opened, o, &failure)
	default:
		sample, err = drawChains(ctx, dir, opened, o, task, &failure)
	}
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
	what := report.Plural(len(s.Keys), "item")
	if s.Task == blind.Interactions {
		what = fmt.Sprintf("%s of at least %g nats in the margin of the right diagnosis", report.Plural(len(s.Keys), "interaction"), s.Options.Salient)
	}
	fmt.Fprintln(w, what)
	widest := 10
	for _, b := range s.Strata {
		widest = max(widest, len(b.Bucket))
	}
	for _, b := range s.Strata {
		fmt.Fprintf(w, "  %-*s  %s\n", widest, b.Bucket, b.Title())
	}
	if s.Lacks != "" {
		fmt.Fprintln(w, "  "+s.Lacks)
	}
}
