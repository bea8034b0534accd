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

	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
)

// The renderings: those that a run ends with, and those that are written where they are asked for.
var (
	endFormats  = []string{"json", "csv", "html"}
	moreFormats = []string{"tex", "svg", "pdf", "png"}
)

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
	info, err := os.ReadFile(filepath.Join(folder, run.InfoFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
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
