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
	return func(yield func(source.Row[row], error) bool) {
		sum, err := source.SHA256(f)
		if err != nil {
			yield(source.Row[row]{}, err)
			return
		}
		p, err := openParquet(f)
		if err != nil {
			yield(source.Row[row]{}, err)
			return
		}
		defer p.Close()
		for n := 1; ; n++ {
			r, err := nextRow(p)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(source.Row[row]{}, fmt.Errorf("row %d: %w", n, err))
				return
			}
			out := source.NewRow(name, sum, n, r)
			if !utf8.ValidString(r.Prompt + r.Reasoning + r.Diagnosis) {
				out.Bad = errors.New("not valid UTF-8; write the file again")
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}

// damaged turns a panic of the library, which some damaged files cause, into an error.
func damaged(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("not a Parquet file that can be read: %v", p)
	}
}

func openParquet(f source.File) (p *parquet.GenericReader[row], err error) {
	defer damaged(&err)
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(f, size)
	if err != nil {
		return nil, fmt.Errorf("not a Parquet file that can be read: %w", err)
	}
	return parquet.NewGenericReader[row](file), nil
}

// nextRow returns io.EOF after the last row. A column that the file lacks is empty.
func nextRow(p *parquet.GenericReader[row]) (r row, err error) {
	defer damaged(&err)
	rows := make([]row, 1)
	if n, err := p.Read(rows); n == 0 {
		return row{}, cmp.Or(err, io.EOF)
	}
	return rows[0], nil
}
