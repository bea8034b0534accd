package custom

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/percuss/percuss/dataset/source"
)

// formats and the endings of file names that speak for them.
var formats = map[string][]string{
	"jsonl":   {".jsonl", ".ndjson"},
	"json":    {".json"},
	"csv":     {".csv", ".tsv"},
	"parquet": {".parquet", ".pq"},
}

// formatOf returns the format that was asked for, else that of the file's name.
func formatOf(path, asked string) (string, error) {
	if asked != "" {
		if formats[asked] == nil {
			return "", fmt.Errorf("format=%s; there are jsonl, json (one array of rows), csv and parquet", asked)
		}
		return asked, nil
	}
	ending := strings.ToLower(filepath.Ext(path))
	for name, endings := range formats {
		if slices.Contains(endings, ending) {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s: the name does not tell the format; say ?format=jsonl, json, csv or parquet", filepath.Base(path))
}

// rowsOf reads a file in one of the formats.
func rowsOf(path, format string) iter.Seq2[source.Row[row], error] {
	switch format {
	case "csv":
		named := func([]string) bool { return true }
		return convert(source.Read(path, source.CSV(0, named)), func(r source.Record) (row, error) {
			out := row{columns: r.Header, cells: map[string]cell{}}
			for i, name := range r.Header {
				out.cells[name] = textCell(r.Fields[i])
			}
			return out, nil
		})
	case "json":
		return convert(source.Read(path, source.Elements), func(e source.Element) (row, error) { return rowOfJSON(e.Value) })
	case "parquet":
		return source.Read(path, parquetRows)
	}
	return convert(source.Read(path, source.Lines), rowOfJSON[[]byte])
}

// convert turns the rows of a format into rows of cells; one that cannot be turned is bad.
func convert[T any](rows iter.Seq2[source.Row[T], error], to func(T) (row, error)) iter.Seq2[source.Row[row], error] {
	return func(yield func(source.Row[row], error) bool) {
		for r, err := range rows {
			out := source.Row[row]{Source: r.Source, Bad: r.Bad}
			if err == nil && out.Bad == nil {
				out.Value, out.Bad = to(r.Value)
			}
			if !yield(out, err) {
				return
			}
		}
	}
}

func rowOfJSON[T ~[]byte](raw T) (row, error) {
	if !json.Valid(raw) || !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return row{}, errors.New("not a JSON object")
	}
	c, err := parseJSON(raw)
	if err != nil {
		return row{}, err
	}
	out := row{columns: c.names, cells: map[string]cell{}}
	for i, name := range c.names {
		out.cells[name] = c.items[i]
	}
	return out, nil
}
