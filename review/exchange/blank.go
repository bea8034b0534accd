package exchange

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/percuss/percuss/review/blind"
)

// field is one cell of a row, by the name of its column.
type field struct{ name, text string }

// sheet yields the rows of a sheet to fill in: the guide, then the items.
func sheet(p blind.Package, yield func([]field) error) error {
	columns := shown(p)
	row := func(id, rater, comment, flag string, question func(blind.Question) string, shown func(column) string, of string) []field {
		out := []field{{colID, id}, {colRater, rater}}
		for _, q := range p.Questions {
			out = append(out, field{q.ID, question(q)})
		}
		out = append(out, field{colComment, comment}, field{colFlag, flag})
		for _, c := range columns {
			out = append(out, field{c.title, shown(c)})
		}
		return append(out, field{colPackage, of})
	}
	guide := row(blind.GuideRow, "your name, in every row", "what you want to add", "what is wrong with the item itself, where something is",
		guideOf, func(c column) string { return "shown to you: " + c.title }, p.ID)
	guide[len(guide)-1].text = "leave it as it is: " + p.ID
	if err := yield(guide); err != nil {
		return err
	}
	none := func(blind.Question) string { return "" }
	for _, item := range p.Items {
		if err := yield(row(item.ID, "", "", "", none, func(c column) string { return c.of(item) }, p.ID)); err != nil {
			return err
		}
	}
	return nil
}

// guideOf explains a question: its text, what to write, and when.
func guideOf(q blind.Question) string {
	lines := []string{q.Text, q.Help}
	for _, l := range q.Labels {
		line := l.ID
		if fold(l.Name) != fold(l.ID) {
			line += ": " + l.Name
		}
		if l.Help != "" {
			line += " - " + l.Help
		}
		lines = append(lines, line)
	}
	if q.Optional {
		lines = append(lines, "may be left empty")
	}
	return joined("\n", append(lines, condition(q))...)
}

// condition says after which answer a question is asked; empty where it always is.
func condition(q blind.Question) string {
	if q.When == nil {
		return ""
	}
	return fmt.Sprintf("only after %s = %s, else leave it empty", q.When.Question, q.When.Label)
}

func blankTable(w io.Writer, p blind.Package) error {
	t, err := newTable(w)
	if err != nil {
		return err
	}
	if err := sheet(p, t.row); err != nil {
		return err
	}
	return t.close()
}

func blankLines(w io.Writer, p blind.Package) error {
	return sheet(p, func(row []field) error { return writeLine(w, row) })
}

// table writes CSV whose first row names the columns.
type table struct {
	out  *csv.Writer
	head bool
}

func newTable(w io.Writer) (*table, error) {
	_, err := io.WriteString(w, byteOrderMark)
	return &table{out: csv.NewWriter(w)}, err
}

func (t *table) row(fields []field) error {
	names, texts := make([]string, len(fields)), make([]string, len(fields))
	for i, f := range fields {
		names[i], texts[i] = plain(f.name), plain(f.text)
	}
	if !t.head {
		t.head = true
		if err := t.out.Write(names); err != nil {
			return err
		}
	}
	return t.out.Write(texts)
}

func (t *table) close() error {
	t.out.Flush()
	return t.out.Error()
}

// writeLine writes fields as one JSON object on a line, in their order, with every text as it is read: < stays <.
func writeLine(w io.Writer, fields []field) error {
	var b bytes.Buffer
	for i, f := range fields {
		b.WriteString([]string{"{", ","}[min(i, 1)])
		for j, text := range []string{f.name, f.text} {
			raw, err := readable(text)
			if err != nil {
				return err
			}
			b.WriteString([]string{"", ":"}[j])
			b.Write(raw)
		}
	}
	b.WriteString("}\n")
	_, err := w.Write(b.Bytes())
	return err
}

// readable is a value as JSON on one line, with every text as it is read.
func readable(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}
