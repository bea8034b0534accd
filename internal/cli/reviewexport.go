package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/exchange"
	"github.com/percuss/percuss/review/ratings"
)

// exporting is what the flags of an export say.
type exporting struct {
	format         string
	blank, history bool
	out            string
}

func (a *app) reviewExportCommand() *cobra.Command {
	var e exporting
	c := &cobra.Command{
		Use:   "export PACKAGE",
		Short: "Write a sheet to fill in, tasks for other programs, or the answers",
		Long: `Writes the answers to a package, the last one of each rater to each item: as csv, jsonl or parquet a row for each label with
id, rater, item, question, label, comment, flag, flagged, seconds, at and package.

With --blank it writes what is asked. csv and jsonl are a sheet with a row for each item, which raters fill in and send back:
the row "guide" explains the columns. label-studio is a file of tasks, and beside it the labelling configuration of the
project (.xml); argilla is a file of records, and beside it the settings of the dataset (.settings.json).

Answers in the format of Label Studio name the raters as addresses of users, those for Argilla as ids of users: there must be
such users before they can be loaded. percuss review import reads every one of these files.

` + exitHelp,
		Example: "  percuss review export runs/b/review/queue --format csv --blank -o sheet.csv\n  percuss review export runs/b/review/queue --format label-studio --blank -o tasks.json\n" +
			"  percuss review export runs/b/review/queue --format parquet --history -o answers.parquet",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.exportReview(c.Context(), args[0], e) },
	}
	c.Flags().StringVar(&e.format, "format", string(exchange.CSV), "csv, jsonl, parquet, label-studio or argilla")
	c.Flags().BoolVar(&e.blank, "blank", false, "what is asked, without answers")
	c.Flags().BoolVar(&e.history, "history", false, "all answers, also those that were changed later (csv, jsonl, parquet)")
	c.Flags().StringVarP(&e.out, "out", "o", "", "file to write; none: to the terminal (csv, jsonl, parquet)")
	return c
}

// exportReview writes a package or its answers.
func (a *app) exportReview(ctx context.Context, path string, e exporting) error {
	format, err := exchange.ParseFormat(e.format)
	if err != nil {
		return usage(fmt.Errorf("--format: %w", err))
	}
	ending, beside, two := exchange.Beside(format)
	switch {
	case e.blank && e.history:
		return usage(errors.New("--history is of answers, and --blank has none: leave out one of the two"))
	case e.history && two:
		return usage(fmt.Errorf("--history: %s has one answer of each rater to an item: take csv, jsonl or parquet", format))
	case two && e.out == "":
		return usage(fmt.Errorf("--format %s writes two files: say -o FILE.json", format))
	}
	var main bytes.Buffer
	p, err := writeReview(ctx, &main, path, format, e)
	if err != nil {
		return err
	}
	if e.out == "" {
		_, err := a.out.Write(main.Bytes())
		return err
	}
	files := []written{{e.out, main.Bytes()}}
	if two {
		var second bytes.Buffer
		if err := beside(&second, p); err != nil {
			return err
		}
		files = append(files, written{strings.TrimSuffix(e.out, filepath.Ext(e.out)) + ending, second.Bytes()})
	}
	return writeUnfilled(a.out, files)
}

// writeReview writes what is asked, or the answers.
func writeReview(ctx context.Context, w io.Writer, path string, format exchange.Format, e exporting) (blind.Package, error) {
	if !e.blank {
		p, entries, err := answersOf(ctx, path, e.history)
		if err != nil {
			return p, err
		}
		return p, exchange.WriteAnswers(w, format, p, entries)
	}
	p, err := review.OpenPackage(path)
	if err != nil {
		return p, usage(err)
	}
	return p, usage(exchange.WriteBlank(w, format, p))
}

// written is a file to be written.
type written struct {
	path string
	text []byte
}

// writeUnfilled writes files that are not there yet, for one that is may have been filled in. Only the user may read them: they may hold raters' names.
func writeUnfilled(out io.Writer, files []written) error {
	for _, f := range files {
		if _, err := os.Lstat(f.path); err == nil {
			return usage(fmt.Errorf("%s is there already and may have been filled in: give another name, or remove it", f.path))
		}
	}
	for _, f := range files {
		w, err := os.OpenFile(f.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrNotExist) {
			return usage(fmt.Errorf("%s: there is no folder %s: make it first", f.path, filepath.Dir(f.path)))
		} else if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return usage(fmt.Errorf("%w: name a file in a folder that can be written with -o", err))
		} else if err != nil {
			return err
		}
		_, err = w.Write(f.text)
		if err = errors.Join(err, w.Close()); err != nil {
			return errors.Join(err, os.Remove(f.path))
		}
		fmt.Fprintln(out, "written ", f.path)
	}
	return nil
}

// answersOf are the answers to a package, with the names of the raters: all in the order in which they came, or the last ones by rater and item.
func answersOf(ctx context.Context, path string, history bool) (blind.Package, []ratings.Entry, error) {
	a, err := openAnswered(ctx, path)
	if err != nil {
		return a.p, nil, err
	}
	book, err := bookOf(ctx, path, a.p)
	if err != nil {
		return a.p, nil, err
	}
	out := slices.Clone(book.entries)
	if !history {
		out = nil
		for _, r := range book.raters {
			for _, item := range a.p.Items {
				if e, ok := a.said[r.ID][item.ID]; ok {
					out = append(out, e)
				}
			}
		}
	}
	for i := range out {
		out[i].Rater = a.names[out[i].Rater]
	}
	if len(out) == 0 {
		return a.p, nil, usage(fmt.Errorf("%s: %s, and no answers yet: say --blank for what is asked", path, report.Plural(len(book.raters), "rater")))
	}
	return a.p, out, nil
}
