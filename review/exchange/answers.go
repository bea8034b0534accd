package exchange

import (
	"io"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// said is one answer of the long form: a label, or, with an empty question, an entry without labels.
type said struct {
	ID       string  `parquet:"id"` // of the entry: rows of one id are one entry
	Rater    string  `parquet:"rater"`
	Item     string  `parquet:"item"`
	Question string  `parquet:"question"`
	Label    string  `parquet:"label"`
	Comment  string  `parquet:"comment"`
	Flag     string  `parquet:"flag"`
	Flagged  bool    `parquet:"flagged"`
	Seconds  float64 `parquet:"seconds"`
	At       string  `parquet:"at"` // RFC 3339
	Package  string  `parquet:"package"`
}

// long yields the rows of the long form: one for each label, in the order of the questions.
func long(p blind.Package, entries []ratings.Entry, yield func(said) error) error {
	for _, e := range entries {
		row := said{ID: e.ID, Rater: e.Rater, Item: e.Item, Comment: e.Comment, Flag: e.Flag, Flagged: e.Flagged, Seconds: e.Seconds,
			At: e.At.UTC().Format(time.RFC3339Nano), Package: p.ID}
		n := 0
		for _, q := range p.Questions {
			if label := e.Labels[q.ID]; label != "" {
				n++
				row.Question, row.Label = q.ID, label
				if err := yield(row); err != nil {
					return err
				}
			}
		}
		if n == 0 {
			if err := yield(row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s said) fields() []field {
	flagged := ""
	if s.Flagged {
		flagged = "yes"
	}
	return []field{{colID, s.ID}, {colRater, s.Rater}, {colItem, s.Item}, {colQuestion, s.Question}, {colLabel, s.Label}, {colComment, s.Comment},
		{colFlag, s.Flag}, {colFlagged, flagged}, {colSeconds, strconv.FormatFloat(s.Seconds, 'f', -1, 64)}, {colAt, s.At}, {colPackage, s.Package}}
}

func answersTable(w io.Writer, p blind.Package, entries []ratings.Entry) error {
	t, err := newTable(w)
	if err != nil {
		return err
	}
	if err := long(p, entries, func(s said) error { return t.row(s.fields()) }); err != nil {
		return err
	}
	return t.close()
}

func answersLines(w io.Writer, p blind.Package, entries []ratings.Entry) error {
	return long(p, entries, func(s said) error { return writeLine(w, s.fields()) })
}

func answersParquet(w io.Writer, p blind.Package, entries []ratings.Entry) error {
	out := parquet.NewGenericWriter[said](w)
	if err := long(p, entries, func(s said) error {
		_, err := out.Write([]said{s})
		return err
	}); err != nil {
		return err
	}
	return out.Close()
}
