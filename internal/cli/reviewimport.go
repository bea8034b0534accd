package cli

import (
	"context"
	"errors"
	"fmt"
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
	"github.com/percuss/percuss/review/exchange"
	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/review/ratings/sqlite"
)

func (a *app) reviewImportCommand() *cobra.Command {
	var raters []string
	c := &cobra.Command{
		Use:   "import PACKAGE FILE...",
		Short: "Take in answers from sheets, other programs and pages that worked without a server",
		Long: `Takes answers into the book beside the package:
  .csv .tsv .jsonl .parquet   sheets of review export --blank, filled in, or a row for each label (rater, item, question, label)
  .json                       what a rater's page without a server saved
  .json .csv .tsv             what Label Studio exported (JSON, JSON-MIN, CSV, TSV)
  .json .jsonl .parquet       records that Argilla exported
  .db                         another book of the same package

A label is its id or its name, whatever its capitals. Raters are added by name; what calls them by number, as Label Studio
and Argilla do, is told who they are by --rater 1=Ann --rater 2=Bob. Cancelled annotations, drafts and rows
without an answer are counted and left out. Anything that cannot be used is an error with file and line, and then nothing is
taken from any file. Files that are imported again change nothing.

` + exitHelp,
		Example: "  percuss review import runs/b/review/queue ann.csv --rater Ann\n  percuss review import runs/b/review/queue project-1.json",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			return a.importReview(c.Context(), args[0], args[1:], raters)
		},
	}
	c.Flags().StringArrayVar(&raters, "rater", nil, "who the files are from, where they do not say it or say it otherwise; OLD=NAME, as often as wanted: who is called OLD in them")
	return c
}

// importReview takes answers from files into the book of a package.
func (a *app) importReview(ctx context.Context, path string, files, raters []string) error {
	rater, names, err := calledBy(raters)
	if err != nil {
		return usage(err)
	}
	p, err := review.OpenPackage(path)
	if err != nil {
		return usage(err)
	}
	now := time.Now()
	var reads []exchange.Read
	for _, file := range files {
		read, err := readAnswers(ctx, file, rater, p, now)
		if err != nil {
			return usage(err)
		}
		reads = append(reads, read)
	}
	if err := exchange.Name(reads, names); err != nil {
		return usage(fmt.Errorf("--rater: %w", err))
	}
	book, err := bookOf(ctx, path, p)
	if err != nil {
		return err
	}
	if book.shut {
		return usage(fmt.Errorf("%s: the review is closed and takes no answers: open it again on the coordinator's page", path))
	}
	fresh, err := exchange.Merge(p, book.raters, book.entries, reads, now)
	if err != nil {
		return usage(err)
	}
	if err := enter(ctx, bookPath(path), p, fresh); err != nil {
		return err
	}
	a.printImport(fresh, reads)
	return nil
}

// calledBy reads the values of --rater: who all files are from, or names by what the files call the raters.
func calledBy(values []string) (rater string, names map[string]string, err error) {
	names = map[string]string{}
	for _, v := range values {
		old, name, renamed := strings.Cut(v, "=")
		old, name = strings.TrimSpace(old), strings.TrimSpace(name)
		switch _, twice := names[old]; {
		case renamed && (old == "" || name == ""):
			return "", nil, fmt.Errorf("--rater %q: say OLD=NAME", v)
		case twice:
			return "", nil, fmt.Errorf("--rater %q: %s has a name already: leave one of the two", v, old)
		case renamed:
			names[old] = name
		case rater != "" && rater != old:
			return "", nil, fmt.Errorf("--rater %q: the files are from %s already: import those of another rater by another command, or say OLD=NAME", v, rater)
		default:
			rater = old
		}
	}
	if rater != "" && len(names) > 0 {
		return "", nil, fmt.Errorf("--rater %q says who all files are from: leave out OLD=NAME", rater)
	}
	return rater, names, nil
}

// printImport says what came of an import.
func (a *app) printImport(fresh exchange.Fresh, reads []exchange.Read) {
	fmt.Fprintf(a.out, "%s added", report.Plural(len(fresh.Entries), "answer"))
	if len(fresh.Raters) > 0 {
		fmt.Fprintf(a.out, ", of %s", report.Plural(len(fresh.Raters), "new rater"))
	}
	if fresh.Same > 0 {
		fmt.Fprintf(a.out, ", %d known already", fresh.Same)
	}
	fmt.Fprintln(a.out)
	for _, r := range reads {
		for _, why := range slices.Sorted(maps.Keys(r.Passed)) {
			fmt.Fprintf(a.out, "%s: left out: %d %s\n", r.Path, r.Passed[why], why)
		}
		for _, note := range r.Notes {
			fmt.Fprintf(a.out, "%s: %s\n", r.Path, note)
		}
	}
}

// readAnswers reads one file, or another book.
func readAnswers(ctx context.Context, file, rater string, p blind.Package, now time.Time) (exchange.Read, error) {
	if !strings.EqualFold(filepath.Ext(file), filepath.Ext(review.BookFile)) {
		return exchange.ReadFile(file, rater, p, now)
	}
	other, err := readBook(ctx, file, p)
	if errors.Is(err, fs.ErrNotExist) {
		return exchange.Read{}, fmt.Errorf("%s: there is no such file: name the book that is to be taken in", file)
	} else if err != nil {
		return exchange.Read{}, err
	}
	return exchange.FromBook(file, p, other.raters, other.entries, rater, now)
}

// bookPath is where the book of a package is.
func bookPath(path string) string {
	return filepath.Join(filepath.Dir(review.PackagePath(path)), review.BookFile)
}

// kept is what a book holds.
type kept struct {
	raters  []ratings.Rater
	entries []ratings.Entry
	shut    bool
}

// bookOf reads the book of a package; one that is not there is empty.
func bookOf(ctx context.Context, path string, p blind.Package) (kept, error) {
	k, err := readBook(ctx, bookPath(path), p)
	if errors.Is(err, fs.ErrNotExist) {
		return kept{}, nil
	}
	return k, err
}

// readBook reads a book of a package.
func readBook(ctx context.Context, path string, p blind.Package) (k kept, err error) {
	if _, err := os.Stat(path); err != nil {
		return k, err
	}
	book, err := sqlite.OpenReader(ctx, path, p.ID)
	if err != nil {
		return k, usage(err)
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	if k.raters, err = book.Raters(ctx); err != nil {
		return k, err
	}
	for e, err := range book.Entries(ctx) {
		if err != nil {
			return k, err
		}
		k.entries = append(k.entries, e)
	}
	k.shut, err = book.IsShut(ctx)
	return k, err
}

// enter adds what a book lacks, all of the entries or none.
func enter(ctx context.Context, path string, p blind.Package, fresh exchange.Fresh) (err error) {
	if len(fresh.Entries) == 0 {
		return nil
	}
	book, err := sqlite.Open(ctx, path, p.ID, time.Now)
	if err != nil {
		return usage(err)
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	for _, r := range fresh.Raters {
		if err := book.AddRater(ctx, r); err != nil {
			return err
		}
	}
	_, err = book.Add(ctx, fresh.Entries)
	return err
}
