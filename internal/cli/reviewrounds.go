package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/review/ratings/sqlite"
	"github.com/percuss/percuss/run"
)

// reviewed is a package with what was answered to it.
type reviewed struct {
	folder string // of the package
	p      blind.Package
	said   ratings.Latest
	names  map[string]string // of raters, by id
	shut   bool
}

// openAnswered reads a package and its book; no book is an error that says how there comes to be one.
func openAnswered(ctx context.Context, path string) (reviewed, error) {
	p, err := review.OpenPackage(path)
	if err != nil {
		return reviewed{}, usage(err)
	}
	a := reviewed{folder: filepath.Dir(review.PackagePath(path)), p: p, said: ratings.Latest{}, names: map[string]string{}}
	book, err := sqlite.OpenReader(ctx, filepath.Join(a.folder, review.BookFile), p.ID)
	if errors.Is(err, fs.ErrNotExist) {
		return a, usage(fmt.Errorf("%s: nobody has answered yet: percuss review serve, or percuss review import", path))
	} else if err != nil {
		return a, usage(err)
	}
	defer book.Close()
	raters, err := book.Raters(ctx)
	if err != nil {
		return a, err
	}
	for _, r := range raters {
		a.names[r.ID] = r.Name
	}
	for e, err := range book.Entries(ctx) {
		if err != nil {
			return a, err
		}
		a.said.Add(e)
	}
	a.shut, err = book.IsShut(ctx)
	return a, err
}

// open counts what raters have left: items that one who has answered something has not finished.
func (a reviewed) open() int {
	open := 0
	for _, entries := range a.said {
		for _, item := range a.p.Items {
			if !a.p.Done(item, entries[item.ID].Labels) {
				open++
			}
		}
	}
	return open
}

func (a *app) reviewAdjudicateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "adjudicate PACKAGE",
		Short: "Make the second round: the items on which the raters disagree",
		Long: `Makes the package of a second round, of the items on which raters of the first one gave different answers to a question
that must be answered. Each item shows which answers were given, not by whom or how often. The package is served, sent
and imported like any other; both rounds are kept. Repeats and attention items are left out where the key is at hand.

` + exitHelp,
		Example: "  percuss review adjudicate runs/b/review/interactions-buckets\n  percuss review serve runs/b/review/interactions-buckets/round2",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			first, err := openAnswered(c.Context(), args[0])
			if err != nil {
				return err
			}
			if first.p.Round == 2 {
				return usage(fmt.Errorf("%s is a second round itself: its answers are final", args[0]))
			}
			skip := map[string]bool{}
			keys, err := review.OpenKeys(args[0], first.p)
			for _, k := range keys {
				skip[k.ID] = !k.Judged()
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return usage(err)
			}
			second := review.Disagreement(first.p, first.said, skip)
			if len(second.Items) == 0 {
				fmt.Fprintln(a.out, "the raters agree on every item: there is nothing to adjudicate")
				return nil
			}
			path, err := review.SaveRound(first.folder, second)
			if err != nil {
				return usage(err)
			}
			fmt.Fprintf(a.out, "%s of %d on which the raters disagree\nfor the adjudicator  %s\nnext                 percuss review serve %s\n",
				report.Plural(len(second.Items), "item"), len(first.p.Items), path, filepath.Dir(path))
			if n := first.open(); n > 0 {
				fmt.Fprintf(a.out, "%s of raters are still open: make this again when they are done\n", report.Plural(n, "answer"))
			}
			return nil
		},
	}
}

func (a *app) reviewUnsealCommand() *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "unseal PACKAGE",
		Short: "Open the key and join what the raters said with the run",
		Long: `Holds the key beside the package against the package's seal, joins what raters said with what each item is, and writes the rows
beside them. A report of the run then shows what people said beside each automatic figure. The review must have been closed, so
that nobody answers with the key open: close it on the coordinator's page, or say --force. Answers that come later, and those of a second round, are
joined by unsealing again. A second round that was begun must be closed, too.

` + exitHelp,
		Example: "  percuss review unseal runs/a/review/perturbation\n  percuss report runs/a",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return a.unseal(c.Context(), args[0], force) },
	}
	c.Flags().BoolVar(&force, "force", false, "also while the review is open")
	return c
}

// unseal joins a review with its run.
func (a *app) unseal(ctx context.Context, path string, force bool) error {
	first, err := openAnswered(ctx, path)
	if err != nil {
		return err
	}
	if first.p.Round == 2 {
		return usage(fmt.Errorf("%s is a second round: give the folder of the first one, which it stands in", path))
	}
	second, again, err := first.secondRound(ctx)
	if err != nil {
		return err
	}
	for _, round := range []reviewed{first, second} {
		if round.folder != "" && !round.shut && !force {
			return usage(fmt.Errorf("%s: the review is open (%s left): close it on the coordinator's page (percuss review serve prints the link to it), or say --force",
				round.folder, report.Plural(round.open(), "answer")))
		}
	}
	keys, err := review.OpenKeys(path, first.p)
	if err != nil {
		return usage(err)
	}
	rows := review.Join(first.p, keys, first.said, second.said, first.names)
	tiers, models := review.Counts(keys)
	files, err := review.SaveUnsealed(first.folder, first.p, rows, review.Unsealed{At: time.Now().UTC().Format(time.RFC3339), Tiers: tiers, Models: models})
	if err != nil {
		return usage(err)
	}
	fmt.Fprintf(a.out, "the key is the one that package %s was sealed with (%s)\n", first.p.ID, first.p.Seal[:12])
	printCounts(a.out, "tier", tiers)
	printCounts(a.out, "model", models)
	fmt.Fprintln(a.out, strings.TrimSpace(report.Plural(len(rows), "label")+" joined  "+strings.Join(files, ", ")))
	if again {
		final := 0
		for _, r := range rows {
			if r.Rater == review.Adjudicator {
				final++
			}
		}
		fmt.Fprintf(a.out, "%d of them from the second round\n", final)
	}
	fmt.Fprintf(a.out, "next  %s\n", first.next(files))
	return nil
}

// printCounts prints how many items of a sample are of each tier or model.
func printCounts(w io.Writer, name string, counts map[string]int) {
	for _, of := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "  %-5s  %-24s %s\n", name, of, report.Plural(counts[of], "item"))
	}
}

// next is the command that shows what was joined in some files.
func (a reviewed) next(files []string) string {
	flag := ""
	if len(files) > 0 { // those that a report reads come first
		flag = map[string]string{review.LabelsFile: "--human", review.JudgementsFile: "--judgements", review.StepsFile: "--human"}[filepath.Base(files[0])]
	}
	if flag == "" {
		return "percuss review results " + a.folder
	}
	reviews := filepath.Dir(a.folder)
	if _, err := os.Stat(filepath.Join(reviews, "..", run.ManifestFile)); err == nil && filepath.Base(reviews) == review.Folder {
		return "percuss report " + filepath.Dir(reviews)
	}
	return fmt.Sprintf("percuss report RUN %s %s", flag, files[0])
}
