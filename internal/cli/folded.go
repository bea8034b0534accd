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
	s := strings.ReplaceAll(report.Visible(fmt.Sprintf(format, args...)), "\n", " ")
	words := strings.TrimLeft(s, " ")
	var errs error
	for _, line := range screen.Fold(words, s[:len(s)-len(words)], hang, screen.Columns) {
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
