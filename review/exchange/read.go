package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss/dataset/source"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// Limits of a file, beyond which it is refused: what it holds is kept in memory.
const (
	MostBytes    = ratings.MostAnswersBytes // of the file
	mostUnpacked = 1 << 30                  // bytes of a Parquet file's columns, as it declares them; of what is kept of them, MostBytes
	mostRows     = 2_000_000
)

// Answer is what one rater says of one item in a file.
type Answer struct {
	ratings.Entry        // Rater is a name; ID is empty where the file gives none, At zero where it gives no time
	Where         string // file and line
}

// Read is what a file holds.
type Read struct {
	Path    string
	Answers []Answer
	Passed  map[string]int // what was left out, in words
	Notes   []string       // what the file does not tell, in words
}

// ReadFile reads the answers to a package from a file: a sheet or the long form (.csv, .tsv, .txt, .jsonl, .ndjson, .json, .parquet), an export of
// Label Studio (.json, .csv, .tsv) or Argilla (.json, .jsonl, .parquet), or the file that a rater's page saved (.json). rater, where it is not empty, is who the file is from, whatever it
// says, and a file of several raters is an error then. What cannot be used is an error with file, line and remedy. now is the time of who reads.
func ReadFile(path, rater string, p blind.Package, now time.Time) (Read, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Read{}, fmt.Errorf("%s: there is no such file: name the file that was filled in or exported", path)
	case err != nil:
		return Read{}, err
	case !info.Mode().IsRegular():
		return Read{}, fmt.Errorf("%s is no file: name each file", path)
	case info.Size() > MostBytes:
		return Read{}, fmt.Errorf("%s has %d bytes: at most %d are read; give it in parts", path, info.Size(), int64(MostBytes))
	}
	g := newGather(path, p, now)
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case ".csv", ".tsv", ".txt":
		err = g.table()
	case ".jsonl", ".ndjson":
		err = g.lines()
	case ".json":
		err = g.json()
	case ".parquet":
		err = g.parquet()
	default:
		err = fmt.Errorf("%s: no format has the ending %q: save it as .csv, .tsv, .jsonl, .json or .parquet (archives and workbooks are not opened)", path, ending)
	}
	if err != nil {
		return Read{}, err
	}
	return g.finish(rater)
}

// FromBook reads the answers of another book of the same package, whose raters are given.
func FromBook(path string, p blind.Package, raters []ratings.Rater, entries []ratings.Entry, rater string, now time.Time) (Read, error) {
	g := newGather(path, p, now)
	g.history, g.some = true, true
	names := map[string]string{}
	for _, r := range raters {
		names[r.ID] = r.Name
	}
	for i, e := range entries {
		e.Rater = names[e.Rater]
		if err := g.add(fmt.Sprintf("%s: entry %d", path, i+1), e); err != nil {
			return Read{}, err
		}
	}
	return g.finish(rater)
}

// limits bound what is read of a file.
type limits struct {
	rows            int
	bytes, unpacked int64
}

// row is one row of a sheet: the cells by column, and where it stands.
type row struct {
	where string
	cells map[string]string
}

func (r row) fault(format string, args ...any) error {
	return fmt.Errorf("%s: %s", r.where, fmt.Sprintf(format, args...))
}

// table reads CSV.
func (g *gather) table() error {
	var columns []string
	for r, err := range source.Read(g.path, source.CSV(0, func([]string) bool { return true })) {
		switch where := fmt.Sprintf("%s: line %d", g.path, r.Source.Line); {
		case err != nil:
			return err
		case r.Bad != nil:
			return fmt.Errorf("%s: %w", where, r.Bad)
		default:
			if columns == nil {
				if columns, err = g.head(r.Value.Header); err != nil {
					return err
				}
			}
			out := row{where, map[string]string{}}
			for i, c := range columns {
				if c != "" {
					out.cells[c] = unplain(r.Value.Fields[i])
				}
			}
			if err := g.row(out); err != nil {
				return err
			}
		}
	}
	return g.flush()
}

// head takes the names of the columns.
func (g *gather) head(names []string) ([]string, error) {
	if i := slices.IndexFunc(names, isResponses); i >= 0 {
		return nil, fmt.Errorf("%s: the column %q holds lists, which a sheet does not keep: export the records of Argilla as JSON or Parquet", g.path, names[i])
	}
	g.program = slices.ContainsFunc(names, func(name string) bool { return fold(name) == dataItem })
	columns, err := g.header.columns(names)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.path, err)
	}
	return columns, nil
}

// row takes one row of a sheet or of the long form.
func (g *gather) row(r row) error {
	if g.rows++; g.rows > g.most.rows {
		return r.fault("more than %d rows: give the file in parts", g.most.rows)
	}
	empty := true
	for c, text := range r.cells {
		if g.size += int64(len(text)); g.size > g.most.bytes {
			return r.fault("more than %d bytes unpacked: give the file in parts", g.most.bytes)
		}
		empty = empty && (c == colPackage || strings.TrimSpace(text) == "")
	}
	if empty { // spreadsheets leave some
		return nil
	}
	if strings.TrimSpace(r.cells[colID]) == blind.GuideRow {
		return nil
	}
	if err := g.samePackage(r.where, r.cells[colPackage]); err != nil {
		return err
	}
	g.some = true
	_, question := r.cells[colQuestion]
	_, label := r.cells[colLabel]
	if question && label {
		return g.longRow(r)
	}
	return g.sheetRow(r)
}

// sheetRow takes a row with a column for each question.
func (g *gather) sheetRow(r row) error {
	for _, q := range g.p.Questions {
		if _, ok := r.cells[q.ID]; !ok && !g.program && !q.Optional && q.When == nil {
			return r.fault("there is no column %q: name the columns as `percuss review export --blank` does, and leave a cell empty where there is nothing to say", q.ID)
		}
	}
	e, err := g.entry(r)
	if err != nil {
		return err
	}
	for _, q := range g.p.Questions {
		e.Labels[q.ID] = r.cells[q.ID]
	}
	return g.add(r.where, e)
}

// entry is a row without its labels and its id.
func (g *gather) entry(r row) (ratings.Entry, error) {
	e := ratings.Entry{Rater: strings.TrimSpace(r.cells[colRater]), Item: strings.TrimSpace(r.cells[colItem]), Labels: map[string]string{},
		Comment: r.cells[colComment], Flag: r.cells[colFlag]}
	if e.Item == "" {
		e.Item = strings.TrimSpace(r.cells[colID])
	}
	var err error
	if e.Flagged, err = truth(r.cells[colFlagged], e.Flag != ""); err != nil {
		return e, r.fault("%s %v", colFlagged, err)
	}
	if e.Seconds, err = seconds(r.cells[colSeconds]); err != nil {
		return e, r.fault("%s %v", colSeconds, err)
	}
	if e.At, err = when(r.cells[colAt]); err != nil {
		return e, r.fault("%s %v", colAt, err)
	}
	return e, nil
}
