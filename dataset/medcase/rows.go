package medcase

import (
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
	PMCID     string `json:"pmcid"`
	Title     string `json:"title"`
	Prompt    string `json:"case_prompt"`
	Reasoning string `json:"diagnostic_reasoning"`
	Diagnosis string `json:"final_diagnosis"`
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

func openParquet(f source.File) (p *parquet.Reader, err error) {
	defer damaged(&err)
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(f, size)
	if err != nil {
		return nil, fmt.Errorf("not a Parquet file that can be read: %w", err)
	}
	return parquet.NewReader(file), nil
}

func nextRow(p *parquet.Reader) (r row, err error) {
	defer damaged(&err)
	values := map[string]any{}
	if err := p.Read(&values); err != nil {
		return row{}, err
	}
	text := func(column string) string {
		switch v := values[column].(type) {
		case string:
			return v
		case []byte:
			return string(v)
		}
		return ""
	}
	return row{text("pmcid"), text("title"), text("case_prompt"), text("diagnostic_reasoning"), text("final_diagnosis")}, nil
}
