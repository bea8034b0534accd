package percuss

import (
	"bytes"
	"encoding/json"
)

// Table is one table of a report: what it shows, in the terms of the field, and not how. Page, terminal, CSV, LaTeX and
// JSON all render the same one.
type Table struct {
	ID      string   `json:"id"`              // unique in a report: the name of its CSV and LaTeX files
	Title   string   `json:"title"`           // for a reader
	Paper   string   `json:"paper,omitempty"` // the source's table that it reproduces, e.g. "Table 8"; empty: ours
	About   string   `json:"about"`           // one or two sentences for a reader
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`             // each with one cell a column
	Absent  string   `json:"absent,omitempty"` // why there are no rows
	Notes   []string `json:"notes,omitempty"`  // below the table
	Long    bool     `json:"long,omitempty"`   // many rows: folded in a page, left out of the short summary
}

// MarshalJSON writes a list that is empty as [] and never as null, so that a reader may count on one.
func (t Table) MarshalJSON() ([]byte, error) {
	type plain Table // without this method
	p := plain(t)
	if p.Columns == nil {
		p.Columns = []Column{}
	}
	if p.Rows == nil {
		p.Rows = []Row{}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // the encoder around it escapes where it is told to
	err := e.Encode(p)
	return out.Bytes(), err
}

// Column is one column of a table.
type Column struct {
	ID    string `json:"id"`   // heads it in CSV; unique in the table
	Head  string `json:"head"` // heads it for a reader
	Scale Scale  `json:"scale"`
	// Bare: its numbers have neither interval nor sample, so that it is one column in CSV.
	Bare bool `json:"bare,omitempty"`
}

// Scale says what the cells of a column hold and how they are printed.
type Scale string

// The scales of columns.
const (
	Words   Scale = "text"   // Cell.Text
	Whole   Scale = "count"  // a count in Cell.Estimate.Value
	Rate    Scale = "rate"   // 0 to 1, printed to the thousandth, e.g. a flip rate or FCS
	Points  Scale = "points" // a difference of accuracies in points, −100 to 100, to the tenth
	Nats    Scale = "nats"   // to the hundredth
	Decimal Scale = "number" // any other number, e.g. a correlation or a difference of rates, to the thousandth
	PValue  Scale = "p"      // a p-value
	Length  Scale = "words"  // a mean number of words of a text, whole

	Percent    Scale = "percent"        // a share from 0 to 1, printed in percent to the tenth
	ShareDiff  Scale = "share-points"   // a difference of shares, −1 to 1, printed in percentage points to the tenth
	Hundredths Scale = "to-a-hundredth" // any other number, e.g. a mean count, to the hundredth
)

// Row is one row of a table.
type Row struct {
	Cells []Cell `json:"cells"`
	// Head: a row that stands apart, such as the mean of those before it or a fixed policy beside the models.
	Head bool `json:"head,omitempty"`
}

// Cell is one entry. Text is used in columns of words; all others hold an Estimate, of which Lo and Hi are printed where
// they are there and Why where the value is missing.
type Cell struct {
	Text     string   `json:"text,omitempty"`
	Estimate Estimate `json:"estimate,omitzero"`
	Mark     string   `json:"mark,omitempty"` // "max" or "min": the extreme of its column; "low": on few items; "grey": not to be read
}

// Said is a cell of words.
func Said(s string) Cell { return Cell{Text: s} }

// Counted is a cell with a count.
func Counted(n int) Cell { return Cell{Estimate: Estimate{Value: Num(float64(n)), N: n}} }

// Measured is a cell with an estimate.
func Measured(e Estimate) Cell { return Cell{Estimate: e} }

// Valued is a cell with a number that has neither interval nor sample.
func Valued(n Number) Cell { return Cell{Estimate: Estimate{Value: n}} }
