package cli

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/review/agreement"
)

// write writes the files that the flags name, and prints the results, or where files were written, which.
func (s reviewResults) write(w io.Writer, r agreement.Results) error {
	var written bytes.Buffer
	if s.html != "" {
		if err := writeResultsPage(s.html, r); err != nil {
			return err
		}
		fmt.Fprintf(&written, "page    %s\n", s.html)
	}
	if s.tex != "" {
		if err := report.WriteTex(s.tex, "Percuss, review: "+r.Title, r.Tables); err != nil {
			return err
		}
		fmt.Fprintf(&written, "LaTeX   %s\n", filepath.Join(s.tex, report.TexFolder, "all.tex"))
	}
	switch {
	case s.asJSON:
		return report.WriteIndented(w, r)
	case s.csv != "":
		return resultsCSV(w, r, s.csv)
	case written.Len() > 0:
		_, err := w.Write(written.Bytes())
		return err
	}
	return resultsText(w, r)
}

// progressTable is the table that an open review has.
const progressTable = "progress"

// resultsCSV prints one table.
func resultsCSV(w io.Writer, r agreement.Results, name string) error {
	if r.Withheld && name != progressTable {
		return usage(fmt.Errorf("--csv=%s: the review is open (%s left), and has --csv=%s alone: close it on the coordinator's page (percuss review serve prints the link to it), or say --while-open",
			name, report.Plural(r.Open, "answer"), progressTable))
	}
	if name == agreementTable {
		return report.WriteRows(w, report.TableCSV(r.Agreement()))
	}
	names := []string{agreementTable}
	for _, t := range r.Tables {
		if t.ID == name {
			return report.WriteRows(w, report.TableCSV(t))
		}
		names = append(names, t.ID)
	}
	return usage(fmt.Errorf("--csv=%s: this review has %s", name, strings.Join(names, ", ")))
}

// resultsText prints the tables for a terminal; of a long one, where it is.
func resultsText(w io.Writer, r agreement.Results) error {
	var b bytes.Buffer
	report.Wrap(&b, "", r.Title)
	for _, s := range r.Lead {
		report.Wrap(&b, "", s)
	}
	if r.Withheld {
		report.Wrap(&b, "", "Close it on the coordinator's page (percuss review serve prints the link to it), or say --while-open.")
	}
	for _, t := range r.Tables {
		if t.Long && len(t.Rows) > 0 {
			t.Absent, t.Rows = report.Plural(len(t.Rows), "row")+": --csv="+t.ID, nil
		}
		report.TableText(&b, t, 0)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// resultsPage draws all tables; heads open no definitions, for those of the audits are of other words.
var resultsPage = template.Must(report.Templates().Funcs(template.FuncMap{
	"defined": func(c percuss.Column) report.Term { return report.Term{Head: c.Head} },
}).Parse(`{{define "results"}}{{template "top" .Frame}}<h1>{{.Title}}</h1>
{{range .Lead}}<p>{{unbroken .}}</p>
{{end}}{{range .Tables}}{{template "table" .}}
{{end}}<p class="dim">Package {{.Package}}. {{.Replicates}} bootstrap replicates, seed {{.Seed}}, intervals of level {{.Level}}.</p>
{{template "foot" .Frame}}{{end}}`))

// resultsView is what the template of the results needs.
type resultsView struct {
	agreement.Results
	Frame web.Frame
}

// writeResultsPage writes the page of all tables: one file that refers to no other.
func writeResultsPage(path string, r agreement.Results) error {
	var b bytes.Buffer
	if err := web.Draw(&b, resultsPage, "results", resultsView{r, web.Frame{Title: "Percuss review: " + r.Title, Script: "list.js"}}); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
