package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/internal/web"
)

//go:embed item.css
var itemStyle string

// ItemStyle is the style of an item's page beside web's page.css.
func ItemStyle() string { return itemStyle }

// itemPages are the pages of single items. They have a set of templates of their own, for only they stand in web's frame
// without figures.
var itemPages = template.Must(web.Templates().Funcs(template.FuncMap{
	"clip": clippedWords, "words": words, "fold": func() int { return foldBytes }, "most": func() int { return pageBytes },
}).ParseFS(files, "items.gohtml", "itempage.gohtml", "itempair.gohtml"))

// ItemPage is what stands around the page of an item or a case.
type ItemPage struct {
	Frame  web.Frame
	Number int                      // of the item in its run, from 1; 0: it is not told
	Trial  string                   // whose part comes first; empty, or not one of the item's: none
	Raw    func(percuss.Key) string // the address of a request with its answer; nil: there is none, and keys stand alone
	Timing string                   // a sentence on how long the calls took; empty: it is not known
	Notes  template.HTML            // what stands below the heading: of which list the page is, forms for notes
}

// WriteItem writes the page of one item of a chain audit. What a model wrote is escaped, and characters that would hide
// or turn a text are replaced.
func WriteItem(w io.Writer, it Item, b battery.Battery, p ItemPage) error {
	v := newItemView(it, b)
	v.ItemPage = p
	var page bytes.Buffer
	if err := v.draw(&page); err != nil {
		return err
	}
	if _, err := page.WriteTo(w); err != nil {
		return fmt.Errorf("write the page of item %s: %w", it.Subject.Item, err)
	}
	return nil
}

// draw completes the view and draws its page into an empty buffer.
func (v *itemView) draw(page *bytes.Buffer) error {
	v.complete()
	if err := itemPages.ExecuteTemplate(page, "itempage", v); err != nil {
		return fmt.Errorf("draw the page of item %s: %w", v.Subject.Item, err)
	}
	if !web.IsVisible(page.Bytes()) {
		shown := web.Visible(page.String())
		page.Reset()
		page.WriteString(shown)
	}
	return nil
}

// complete adds what only the item's own page shows, and no list of items.
func (v *itemView) complete() {
	v.Calls, v.Scores = calls(v.of, v.Raw), scores(v.of)
	letters := v.Scores.of
	base := newStepped(clip(v.Chain, pageBytes))
	v.Bars = barsOf(v.of.Subject.Question, letters[chain.DirectTrial], letters[chain.BaseTrial], v.record.Direct, v.record.Base)
	for i := range v.Trials {
		t := &v.Trials[i]
		t.Bars = barsOf(v.of.Subject.Question, letters[chain.BaseTrial], letters[t.ID], v.record.Base, t.read)
		if t.Reply != "" {
			t.Sides = v.beside(base, t.said, t.end)
		}
		t.Href = v.hrefOf(t.ID)
		if t.Fired && t.ID == v.Trial {
			v.First = t
		}
	}
	for i := range v.Controls {
		if c := &v.Controls[i]; c.said != "" {
			c.Sides = v.beside(base, c.said, c.end)
		}
	}
	v.Parts = v.marked()
}

// hrefOf is where the request of a trial is shown with its answer; empty: nowhere.
func (v *itemView) hrefOf(trial string) string {
	for _, c := range v.Calls {
		if c.Trial == trial {
			return c.Href
		}
	}
	return ""
}

// Absent says what became of the trial that the page was asked for where no part of the page is of it; empty: nothing is to
// be said.
func (v *itemView) Absent() string {
	if v.Trial == "" || v.First != nil {
		return ""
	}
	for _, t := range v.of.Trials {
		switch {
		case t.ID != v.Trial:
		case chain.OfOperator(t.ID) && t.Why != "":
			return t.ID + " was not made on this item: " + t.Why + "."
		case chain.OfOperator(t.ID):
			return t.ID + " was not made on this item: its condition was not met."
		default:
			return ""
		}
	}
	return "This item has no trial " + v.Trial + "."
}

// Below is the control that the page was asked for, which stands in its place below; empty: it was asked for none.
func (v *itemView) Below() string {
	for _, c := range v.Controls {
		if c.Fired && c.ID == v.Trial {
			return c.ID
		}
	}
	return ""
}

// beside sets the baseline's reply and another one side by side: the steps of their chains, then what follows these.
func (v *itemView) beside(base stepped, said string, end int) []sideRow {
	rows := base.beside(newStepped(clip(said[:end], pageBytes)))
	return append(rows, newStepped(clip(v.Answer, pageBytes)).whole().beside(newStepped(clip(said[end:], pageBytes)).whole())...)
}
