package annotate

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// Offline writes a rater's page as one HTML file that loads nothing and asks nobody: it keeps the answers in the browser
// and saves them as a file of ratings.AnswersSchema. The rater's name stands in the page and in what it saves.
func Offline(w io.Writer, p blind.Package, rater string, practice bool) error {
	if rater == "" || len(rater) > ratings.MostName {
		return fmt.Errorf("a rater's name of %d bytes: from 1 to %d", len(rater), ratings.MostName)
	}
	v, err := newPage(PageInput{Package: p, Order: Order(p, rater), Rater: rater, Practice: practice})
	if err != nil {
		return err
	}
	v.Offline = true
	v.Frame = web.Frame{Title: p.Title, Style: template.CSS(pageStyle), Script: "annotate.js", Code: template.JS(pageScript)}
	return web.Draw(w, pageTemplate, "rater", v)
}

// AnswersSchema is the format of what a page without a server saves.
func (page) AnswersSchema() string { return ratings.AnswersSchema }

// Name is the rater's name as the script has it: JSON, so that no sign of it is replaced.
func (v page) Name() (string, error) {
	raw, err := json.Marshal(v.Input.Rater)
	return ascii(string(raw)), err
}
