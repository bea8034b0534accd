// Package exchange writes what raters are asked and what they answered in the formats of other programs, and reads their
// answers from them: sheets (CSV, JSON lines, Parquet), Label Studio and Argilla. It opens no archive and follows no path
// that a file names.
//
// The formats of other programs are those of Label Studio 1.x (tasks, their export as JSON, labelling configurations) and
// of Argilla 1.x and 2.x (records as its client writes them as JSON, nested or flat, and settings).
package exchange

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// Format is a format that is written.
type Format string

// The formats.
const (
	CSV         Format = "csv"
	JSONL       Format = "jsonl"
	Parquet     Format = "parquet"
	LabelStudio Format = "label-studio"
	Argilla     Format = "argilla"
)

// Formats lists the formats, in the order of help.
func Formats() []Format { return []Format{CSV, JSONL, Parquet, LabelStudio, Argilla} }

// ParseFormat is the format of a name.
func ParseFormat(name string) (Format, error) {
	if f := Format(name); slices.Contains(Formats(), f) {
		return f, nil
	}
	words := make([]string, len(Formats()))
	for i, f := range Formats() {
		words[i] = string(f)
	}
	return "", fmt.Errorf("there is no format %q: there are %s", name, strings.Join(words, ", "))
}

// WriteBlank writes what raters are asked: a sheet to fill in, or tasks without answers. Parquet is an error, for nobody fills it in.
func WriteBlank(w io.Writer, f Format, p blind.Package) error {
	switch f {
	case CSV:
		return blankTable(w, p)
	case JSONL:
		return blankLines(w, p)
	case LabelStudio:
		return writeTasks(w, p, nil)
	case Argilla:
		return writeRecords(w, p, nil)
	}
	return fmt.Errorf("nobody fills in %s: take %s, %s, %s or %s", f, CSV, JSONL, LabelStudio, Argilla)
}

// WriteAnswers writes answers, whose Rater is a name here, in the order given. For Label Studio and Argilla there is at most one
// of each rater and item.
func WriteAnswers(w io.Writer, f Format, p blind.Package, entries []ratings.Entry) error {
	switch f {
	case CSV:
		return answersTable(w, p, entries)
	case JSONL:
		return answersLines(w, p, entries)
	case Parquet:
		return answersParquet(w, p, entries)
	case LabelStudio:
		return writeTasks(w, p, entries)
	case Argilla:
		return writeRecords(w, p, entries)
	}
	return fmt.Errorf("there is no format %q", f)
}

// Beside is the file that a format needs beside the one of tasks: its name is that file's with another ending. ok is false for formats
// that need none.
func Beside(f Format) (ending string, write func(io.Writer, blind.Package) error, ok bool) {
	switch f {
	case LabelStudio:
		return ".xml", writeConfiguration, true
	case Argilla:
		return ".settings.json", writeSettings, true
	}
	return "", nil, false
}
