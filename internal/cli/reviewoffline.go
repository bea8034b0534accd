package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/internal/annotate"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/review"
)

func (a *app) reviewOfflineCommand() *cobra.Command {
	var raters []string
	var out string
	var practice bool
	c := &cobra.Command{
		Use:   "offline PACKAGE --rater NAME",
		Short: "Write the review as one HTML file for a rater without a server",
		Long: `Writes one HTML file for each rater named: it holds all items, loads nothing and asks nobody. The rater opens it in a browser,
answers, saves a file of answers and sends it back; percuss review import takes that file. Each rater has an order of
items of their own, so each needs a file of their own. What is there already is not written over.

` + exitHelp,
		Example: `  percuss review offline runs/a/review/perturbation --rater "Dr Abel"
  percuss review offline PACKAGE --rater "Dr Abel" --rater "Dr Baum" -o to-send`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.writeOffline(args[0], out, raters, practice)
		},
	}
	c.Flags().StringArrayVar(&raters, "rater", nil, "name of a rater; may be repeated")
	c.Flags().StringVarP(&out, "out", "o", "", "folder for the files (default: offline beside the package)")
	c.Flags().BoolVar(&practice, "practice", true, "begin with the package's practice items, where it has any")
	return c
}

// writeOffline writes the file of each rater.
func (a *app) writeOffline(path, out string, raters []string, practice bool) error {
	p, err := review.OpenPackage(path)
	if err != nil {
		return usage(err)
	}
	if len(raters) == 0 {
		return usage(errors.New(`--rater: say for whom, e.g. --rater "Dr Abel"; the name stands in the file of answers`))
	}
	if out == "" {
		out = filepath.Join(filepath.Dir(review.PackagePath(path)), "offline")
	}
	named := map[string]string{}
	for _, rater := range raters {
		file := offlineName(p.ID, rater)
		if other, ok := named[file]; ok {
			return usage(fmt.Errorf("--rater %q and %q: their files would have one name: let them differ in letters or digits", other, rater))
		}
		named[file] = rater
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return usage(fmt.Errorf("%w: give another folder with -o", err))
	}
	for _, rater := range raters {
		var page strings.Builder
		if err := annotate.Offline(&page, p, rater, practice); err != nil {
			return usage(fmt.Errorf("--rater %q: %w", rater, err))
		}
		to := filepath.Join(out, offlineName(p.ID, rater))
		if err := writeNew(to, page.String()); errors.Is(err, fs.ErrExist) {
			return usage(fmt.Errorf("%s is there already: move it away, or give another folder with -o", to))
		} else if err != nil {
			return err
		}
		fmt.Fprintf(a.out, "for %s  %s (%s)\n", report.Visible(rater), to, report.Plural(len(p.Items), "item"))
	}
	fmt.Fprintf(a.out, "when an answers file comes back: percuss review import %s FILE\n", path)
	return nil
}

// offlineName is the name of a rater's file: of the rater's name what any file system takes.
func offlineName(id, rater string) string {
	words := strings.FieldsFunc(strings.ToLower(rater), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	name := []rune(strings.Join(words, "-"))
	return "review-" + id[:6] + "-" + string(name[:min(len(name), 40)]) + ".html"
}

// writeNew writes a file that is not there yet.
func writeNew(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
