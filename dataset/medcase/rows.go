package medcase

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/percuss/percuss/dataset/source"
)

// row holds the columns that are used. The article's text is not: it tells the diagnosis and its treatment.
type row struct {
	PMCID     string `json:"pmcid" parquet:"pmcid,optional"`
	Prompt    string `json:"case_prompt" parquet:"case_prompt,optional"`
	Reasoning string `json:"diagnostic_reasoning" parquet:"diagnostic_reasoning,optional"`
	Diagnosis string `json:"final_diagnosis" parquet:"final_diagnosis,optional"`
}

// jsonRows is the format of one JSON object a line.
func jsonRows(f source.File, name string) iter.Seq2[source.Row[row], error] {
	return func(yield func(source.Row[row], error) bool) {
		for line, err := range source.Lines(f, name) {
			out := source.Row[row]{Source: line.Source, Bad: line.Bad}
			if err == nil && out.Bad == nil {
				if e := json.Unmarshal(line.Value, &out.Value); e != nil {
					out.Bad = fmt.Errorf("not a JSON object of a MedCaseReasoning row: %w", e)
				}
			}
			if !yield(out, err) {
				return
			}
		}
	}
}

// parquetRows is the format of the published Parquet files; the line of a row is its number.
func parquetRows(f source.File, name string) iter.Seq2[source.Row[row], error] {
	return source.Parquet(f, name, openRows, func(r row) error {
		if !utf8.ValidString(r.Prompt + r.Reasoning + r.Diagnosis) {
			return errors.New("not valid UTF-8; write the file again")
		}
		return nil
	})
}

// openRows reads the columns of row. A column that the file lacks is empty.
func openRows(file *parquet.File) source.ParquetRows[row] {
	p := parquet.NewGenericReader[row](file)
	rows := make([]row, 1)
	return source.ParquetRows[row]{Close: p.Close, Next: func() (row, error) {
		clear(rows)
		if n, err := p.Read(rows); n == 0 {
			return row{}, cmp.Or(err, io.EOF)
		}
		return rows[0], nil
	}}
}
