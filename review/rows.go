package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss/dataset/source"
)

// row is one row of a file that people write: the wanted fields, trimmed, and where it stands.
type row struct {
	path   string
	line   int
	fields map[string]string
}

// at names a place of a file.
func (r row) at() string { return fmt.Sprintf("%s: line %d", r.path, r.line) }

// replaces reports whether what the row says holds in the place of an earlier row's: both stand in files of their own and say when they were
// answered, as those of unsealed reviews do. later: it does; ok: the two can be told apart.
func (r row) replaces(old row) (later, ok bool) {
	mine, err := time.Parse(time.RFC3339, r.fields["at"])
	other, oldErr := time.Parse(time.RFC3339, old.fields["at"])
	return mine.After(other), r.path != old.path && err == nil && oldErr == nil
}

// fault is an error at the row.
func (r row) fault(format string, args ...any) error {
	return fmt.Errorf("%s: %s", r.at(), fmt.Sprintf(format, args...))
}

// readRows yields the rows of a CSV file with a header (.csv, .tsv, .txt) or of JSON lines (.jsonl, .ndjson), with the
// columns named, all of which must be there unless they are among the optional ones. Other columns are left alone. Rows
// without anything in those columns are passed over, for spreadsheets leave some. The first bad row ends the sequence.
func readRows(path string, columns, optional []string) iter.Seq2[row, error] {
	rows := fromLines
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv", ".tsv", ".txt":
		rows = fromTable
	case ".jsonl", ".ndjson":
	default:
		return func(yield func(row, error) bool) {
			yield(row{}, fmt.Errorf("%s: its name ends neither in .csv nor in .jsonl: save it as one of them", path))
		}
	}
	return func(yield func(row, error) bool) {
		for r, err := range rows(path, columns, optional) {
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%s: there is no such file: name the file that was filled in", path)
			}
			if err == nil && empty(r) {
				continue
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

func empty(r row) bool {
	for _, text := range r.fields {
		if text != "" {
			return false
		}
	}
	return true
}

// fromTable reads CSV.
func fromTable(path string, columns, optional []string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		for r, err := range source.Read(path, source.CSV(0, func([]string) bool { return true })) {
			out := row{path, r.Source.Line, map[string]string{}}
			if err != nil {
				yield(out, err)
				return
			}
			if r.Bad != nil {
				yield(out, out.fault("%v", r.Bad))
				return
			}
			for i, name := range r.Value.Header {
				if name = strings.ToLower(name); slices.Contains(columns, name) || slices.Contains(optional, name) {
					out.fields[name] = strings.TrimSpace(r.Value.Fields[i])
				}
			}
			if !yield(out, missing(path, columns, out.fields, r.Value.Header)) {
				return
			}
		}
	}
}

// missing is an error when the header lacks a column.
func missing(path string, columns []string, fields map[string]string, header []string) error {
	for _, name := range columns {
		if _, ok := fields[name]; !ok {
			return fmt.Errorf("%s: its first row names no column %q, but %s: name the columns %s there", path, name,
				strings.Join(header, ", "), strings.Join(columns, ", "))
		}
	}
	return nil
}

// fromLines reads JSON lines.
func fromLines(path string, columns, optional []string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		for r, err := range source.Read(path, source.Lines) {
			out := row{path, r.Source.Line, map[string]string{}}
			if err != nil {
				yield(out, err)
				return
			}
			if err = r.Bad; err == nil {
				err = out.parse(r.Value, columns, optional)
			}
			if err != nil {
				err = out.fault("%v", err)
			}
			if !yield(out, err) {
				return
			}
		}
	}
}

// parse fills the fields from a JSON object.
func (r row) parse(raw []byte, columns, optional []string) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || object == nil {
		return errors.New("not one JSON object: a line holds one object, from { to }")
	}
	for _, name := range slices.Concat(columns, optional) {
		value, ok := object[name]
		if !ok && slices.Contains(columns, name) {
			return fmt.Errorf("no field %q: give it, as \"\" where there is nothing to say", name)
		}
		var text *string
		if ok {
			if err := json.Unmarshal(value, &text); err != nil {
				return fmt.Errorf("%s is %s: put it between quote signs", name, value)
			}
		}
		r.fields[name] = ""
		if text != nil {
			r.fields[name] = strings.TrimSpace(*text)
		}
	}
	return nil
}
