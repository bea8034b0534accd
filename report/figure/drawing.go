package figure

import (
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/percuss/percuss"
)

// Drawing is a figure: a title and a caption for a reader, the drawing, and the numbers drawn.
type Drawing struct {
	ID, Title, Caption string // ID is unique among the figures of a report: the name of its files
	Data               percuss.Table
	Wide               bool // as wide as its content asks, so that a page lets it scroll

	inner template.HTML
}

// Inner is the drawing as an element of a page whose style holds CSS.
func (d Drawing) Inner() template.HTML { return d.inner }

// SVG is the drawing as a file of its own: it carries its style, for light and dark schemes and for print.
func (d Drawing) SVG() string {
	const begin = "<svg "
	s := string(d.inner)
	end := strings.Index(s, ">")
	if !strings.HasPrefix(s, begin) || end < 0 {
		return s
	}
	head := strings.Replace(s[len(begin):end+1], details(d.Data.ID), "", 1) // a file has no table to lead to
	var w, h float64
	if at := strings.Index(head, `viewBox="`); at >= 0 {
		if _, err := fmt.Sscanf(head[at:], `viewBox="0 0 %g %g"`, &w, &h); err == nil {
			head = strings.Replace(head, fmt.Sprintf(`viewBox="0 0 %g %g"`, w, h), fmt.Sprintf(`viewBox="%g %g %g %g"`, -margin, -margin, w+2*margin, h+2*margin), 1)
		}
	}
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<svg xmlns="http://www.w3.org/2000/svg" ` + head +
		"\n<style>\nsvg{color-scheme:light dark;background:var(--bg)}\n" + CSS() + "</style>" + s[end+1:] + "\n"
}

// alternative is what the drawing shows in words, as its SVG says it; empty where it says nothing.
func (d Drawing) alternative() string {
	const begin, end = "<desc>", "</desc>"
	_, rest, found := strings.Cut(string(d.inner), begin)
	words, _, closed := strings.Cut(rest, end)
	if !found || !closed {
		return ""
	}
	return html.UnescapeString(words)
}

// margin is what stands around a drawing in a file of its own, in the units of its view box.
const margin = 8.0

// asImage is how a drawing is named to those who do not see it: as one image with a title and a description.
const asImage = `role="img"`

// details leads them on to the table of the numbers drawn, which a page shows below the drawing.
func details(table string) string {
	return ` aria-details="t-` + template.HTMLEscapeString(table) + `"`
}

// extremes says which values of some columns are the highest and the lowest, by the names of row and column: what a reader of
// the drawing sees first. All of them stand in its table.
func extremes(rows []percuss.Row, columns []int, name func(r percuss.Row, column int) string) string {
	var low, high string
	var least, most float64
	known := 0
	for _, r := range rows {
		for _, k := range columns {
			v, ok := r.Cells[k].Estimate.Value.Get()
			if !ok {
				continue
			}
			known++
			said := name(r, k) + ": " + r.Cells[k].Estimate.Value.Format(2)
			if known == 1 || v > most {
				most, high = v, said
			}
			if known == 1 || v < least {
				least, low = v, said
			}
		}
	}
	if known == 0 {
		return "Nothing has a value."
	}
	return fmt.Sprintf("%d of %d values are known. Highest: %s. Lowest: %s. The table of the figure's data has all of them.", known, len(rows)*len(columns), high, low)
}

// rests says at the end of a caption what a figure rests on; nothing where that is not known.
func rests(caption, sample string) string {
	if sample == "" {
		return caption
	}
	return strings.TrimSpace(caption + " n\u00a0=\u00a0" + sample + ".")
}

// newDrawing executes the template of a drawing.
func newDrawing(id, title, caption, name string, view any, data percuss.Table) (Drawing, error) {
	var b strings.Builder
	if err := drawings.ExecuteTemplate(&b, name, view); err != nil {
		return Drawing{}, fmt.Errorf("draw the figure %s: %w", id, err)
	}
	data.ID, data.Title = "figure_"+id, "Data of the figure: "+title
	data.Long = true
	// Every text in it went through the template's own escaping.
	inner := strings.Replace(strings.TrimSpace(b.String()), asImage, asImage+details(data.ID), 1)
	return Drawing{ID: id, Title: title, Caption: caption, Data: data, inner: template.HTML(inner)}, nil
}
