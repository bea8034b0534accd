package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/report"
)

// folded prints a line in as many as 80 columns need; their rest is indented by hang more. Names come from files and servers,
// so the whole of it is made visible, and a line end in one is a blank.
func folded(w io.Writer, hang, format string, args ...any) error {
	return lines(w, hang, screen.Fold, fmt.Sprintf(format, args...))
}

// told is folded for what is said beside a result: a path or an address that is longer than a line stays whole, so that it can
// be copied.
func told(w io.Writer, hang, format string, args ...any) error {
	return lines(w, hang, screen.FoldWhole, fmt.Sprintf(format, args...))
}

// toldAll is told for a text of several lines. Lines that are indented already hang by two columns.
func toldAll(w io.Writer, hang, text string) error {
	var errs error
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		own := hang
		if strings.HasPrefix(line, " ") {
			own = "  "
		}
		errs = errors.Join(errs, told(w, own, "%s", line))
	}
	return errs
}

func lines(w io.Writer, hang string, fold func(s, indent, hang string, n int) []string, said string) error {
	s := strings.ReplaceAll(report.Visible(said), "\n", " ")
	words := strings.TrimLeft(s, " ")
	var errs error
	for _, line := range fold(words, s[:len(s)-len(words)], hang, screen.Columns) {
		_, err := fmt.Fprintln(w, line)
		errs = errors.Join(errs, err)
	}
	return errs
}

// form is how a command prints: for a reader, or for a program.
type form struct{ json, csv bool }

func (f *form) bind(flags *pflag.FlagSet, what string) {
	flags.BoolVar(&f.json, "json", false, "print "+what+" as JSON")
	flags.BoolVar(&f.csv, "csv", false, "print "+what+" as CSV")
}

// check refuses both at once.
func (f form) check() error {
	if f.json && f.csv {
		return usage(errors.New("--json and --csv: choose one"))
	}
	return nil
}
