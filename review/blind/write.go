package blind

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Write writes a guide and then the tasks, a row each, in the order given.
func Write(w io.Writer, f Format, tasks []Task) error {
	switch f {
	case JSONL:
		return writeLines(w, tasks)
	case CSV:
		return writeTable(w, tasks)
	}
	return fmt.Errorf("there is no format %q: there are %v", f, Formats())
}

// writeLines writes JSON lines, with every text as it is read: < stays <.
func writeLines(w io.Writer, tasks []Task) error {
	var guide bytes.Buffer
	guide.WriteString("{")
	for i, c := range columns() {
		name, err := json.Marshal(c.name)
		if err != nil {
			return err
		}
		text, err := json.Marshal(c.guide)
		if err != nil {
			return err
		}
		if i == 1 {
			fmt.Fprintf(&guide, `,"schema":%q`, Schema)
		}
		if i > 0 {
			guide.WriteString(",")
		}
		fmt.Fprintf(&guide, "%s:%s", name, text)
	}
	guide.WriteString("}\n")
	if _, err := w.Write(guide.Bytes()); err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, t := range tasks {
		if err := e.Encode(t); err != nil {
			return err
		}
	}
	return nil
}

// byteOrderMark tells spreadsheets that a CSV file is UTF-8; without it some read accents as other letters.
const byteOrderMark = "\ufeff"

func writeTable(w io.Writer, tasks []Task) error {
	if _, err := io.WriteString(w, byteOrderMark); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	var names, guides []string
	for _, c := range columns() {
		names, guides = append(names, c.name), append(guides, c.guide)
	}
	rows := [][]string{names, guides}
	for _, t := range tasks {
		var row []string
		for _, c := range columns() {
			row = append(row, plain(c.of(t)))
		}
		rows = append(rows, row)
	}
	return out.WriteAll(rows)
}

// plain keeps a spreadsheet from taking a text for a formula, which a file from elsewhere could carry.
func plain(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

// list puts texts into one cell, a line each. The marks are ASCII: a spreadsheet that saves in an old encoding leaves
// the file readable.
func list(texts []string) string {
	lines := make([]string, len(texts))
	for i, t := range texts {
		lines[i] = "* " + t
	}
	return strings.Join(lines, "\n")
}

// marked is the list of a case's findings with a cross before those in question.
func marked(findings []Finding) string {
	lines := make([]string, len(findings))
	for i, f := range findings {
		box := "[ ] "
		if f.Marked {
			box = "[x] "
		}
		lines[i] = box + f.Text
	}
	return strings.Join(lines, "\n")
}
