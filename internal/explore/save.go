package explore

import (
	"fmt"
	"html"
	"html/template"
	"net/http"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/cases"
	"github.com/percuss/percuss/report/figure"
	"github.com/percuss/percuss/report/steps"
)

// atSave is the name in an address that asks for an item's page as a file: saveAlone or saveNote.
const atSave = "save"

// The values of atSave. What a reader wrote is in the file only where that was asked for.
const (
	saveAlone = "page"
	saveNote  = "note"
)

// mostFileName is the length of the longest part of an item's id in the name of a file, bytes.
const mostFileName = 60

// filed makes of an item's page one that is a file by itself: no link leads back to the server, and style stands in it. The
// answer is named as a file.
func (v *volume) filed(w http.ResponseWriter, p report.ItemPage, at int, trial, how string) (report.ItemPage, error) {
	id := v.Subjects()[at].SubjectID
	style := report.ItemStyle()
	switch {
	case v.cases():
		style = figure.CSS() + cases.CSS()
	case v.steps():
		style = figure.CSS() + steps.CSS()
	}
	p.Frame = web.Frame{Title: p.Frame.Title, Style: template.CSS(style)} // our own, embedded
	p.Raw = nil
	m := v.Manifest()
	from := fmt.Sprintf("From the run %s of %s", v.Name, clock(m.Begun))
	if v.Name == "." {
		from = "From a run of " + clock(m.Begun)
	}
	if made := m.Versions["percuss"]; made != "" {
		from += ", made with Percuss " + made
	}
	said := `<p class="dim">` + html.EscapeString(from) + ".</p>\n"
	if how == saveNote {
		all, err := v.notes.read(v.Dir())
		if err != nil {
			return p, err
		}
		for _, n := range all {
			if n.SubjectID == id && n.Trial == trial && n.Text != "" {
				said += `<h2>Note</h2><div class="text">` + html.EscapeString(n.Text) + "</div>\n"
			}
		}
	}
	p.Notes = template.HTML(said) // escaped above
	w.Header().Set("Content-Disposition", `attachment; filename="`+fileName(id, trial)+`"`)
	return p, nil
}

// fileName is the name of an item's file. What could end the name, or be a path, is replaced.
func fileName(id percuss.SubjectID, trial string) string {
	name := ""
	for _, part := range []string{id.Model, id.Item, trial} {
		part = strings.Trim(strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-' {
				return r
			}
			return '-'
		}, part), ".-")
		if part = part[:min(len(part), mostFileName)]; part != "" {
			name += part + "-"
		}
	}
	return name + "percuss.html"
}
