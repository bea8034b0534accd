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

	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
)

// The renderings: those that a run ends with, and those that are written where they are asked for.
var (
	endFormats  = []string{"json", "csv", "html"}
	moreFormats = []string{"tex", "svg", "pdf", "png"}
)

const reportHelp = `Recompute the report of a run from its answers; no model is needed.

The report goes into the folder "report" of the run:
  json   report.json, all figures and tables
  csv    a file for each table
  html   report.html, one page that needs no network, and a page for each item beside it
  tex    tex/NAME.tex, a LaTeX table each (booktabs), and tex/all.tex, a document of all
  svg    figures/NAME.svg, for light and dark schemes and for print, with figures/NAME.csv, the numbers drawn
  pdf    figures/NAME.pdf, the same figures with their fonts, with figures/NAME.csv
  png    figures/NAME.png, the same as images of 192 pixels an inch, with figures/NAME.csv
"all" is every one of them. With --items the charts of single cases of an evidence audit are drawn too:
figures/case-0003-combinations, and -lattice (up to six findings) or -margins (more).

Thresholds, margin, weights and replicates may be told at any time: they change no answer. The report keeps what was in
force, and says so where that is not the default.`

// allFormats are the names that --format takes, but for "all".
func allFormats() []string { return slices.Concat(endFormats, moreFormats) }

// chosenFormats checks the names of formats; "all" among them stands for every one.
func chosenFormats(names []string) ([]string, error) {
	if slices.Contains(names, "all") {
		return allFormats(), nil
	}
	for _, f := range names {
		if !slices.Contains(allFormats(), f) {
			return nil, usage(fmt.Errorf("--format %q: there are %s and all", f, strings.Join(allFormats(), ", ")))
		}
	}
	return names, nil
}

// placeOf is where a rendering lies: a file, or a folder of them.
func placeOf(folder, format string) string {
	switch format {
	case "csv":
		return folder + string(filepath.Separator)
	case "tex":
		return filepath.Join(folder, report.TexFolder) + string(filepath.Separator)
	case "svg", "pdf", "png":
		return filepath.Join(folder, report.FigureFolder) + string(filepath.Separator)
	}
	return filepath.Join(folder, "report."+format)
}

// render writes one rendering.
func render(ctx context.Context, r rendering, folder, format string) error {
	switch format {
	case "json":
		return run.WriteFile(filepath.Join(folder, "report.json"), r.JSON)
	case "csv":
		return r.CSV(folder)
	case "tex":
		return r.Tex(folder)
	case "svg", "pdf", "png":
		return r.Figures(folder, format)
	}
	info, err := readInfo(folder)
	if err != nil {
		return err
	}
	if err := run.WriteFile(filepath.Join(folder, report.CardFile), func(w io.Writer) error { return r.Card(w, info) }); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, report.ItemFolder), 0o755); err != nil {
		return err
	}
	return run.WriteFile(filepath.Join(folder, "report.html"), func(w io.Writer) error {
		return r.HTML(ctx, w, info, func(name string, page []byte) error {
			return writePage(filepath.Join(folder, filepath.FromSlash(name)), page)
		})
	})
}

// writePage writes a page. It is made from the answers at any time, so it need not be written as carefully as what cannot
// be; one that stands there already stays, for to write over a thousand files may take longer than all else.
func writePage(path string, page []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, page) {
		return nil
	}
	return os.WriteFile(path, page, 0o644)
}

// unwritable adds a remedy to the error of a folder that cannot be written.
func unwritable(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return usage(fmt.Errorf("%w: `percuss report --json` prints the report and writes nothing", err))
	}
	return err
}
