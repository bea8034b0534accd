package steps

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/figure"
	"github.com/percuss/percuss/step"
)

// itemList is the table of all items. Model, Set and Prompt say whether there are several, and so a column of them.
type itemList struct {
	Rows          []itemRow
	Models, Sets  []string
	Judges        []string
	Prompt, Model bool
	Set           bool
}

// itemRow is one item in the list: small, for all of them are held in memory.
type itemRow struct {
	Number                        int
	File, Here                    string // the item's page, and its place in the main page where it is shown whole
	Item, ModelID, Variant, SetID string
	Gold, Winner, Right           string
	Chains, Votes                 string   // right ones of those with an answer; votes of the winner
	Errors                        []string // by judge: errors of the steps with a claim
	Hedged, Flagged               string
	Is                            string // what the filters of the list ask for
}

func newItemRow(v itemView, judges []string) itemRow {
	right, read := 0, 0
	for _, c := range v.Record.Chains {
		if c.State == step.Read {
			read++
			if c.Correct {
				right++
			}
		}
	}
	r := itemRow{Number: v.Number, File: v.File, Item: v.Subject.Item, ModelID: v.Subject.Model, Variant: v.Subject.Variant, SetID: v.Subject.Set, Gold: v.Record.Gold,
		Winner: orElse(v.Winner, "–"), Right: v.Right, Chains: share(right, read), Votes: "–", Hedged: share(v.hedged()), Flagged: share(v.flagged())}
	var is []string
	mark := func(when bool, word string) {
		if when {
			is = append(is, word)
		}
	}
	if len(v.Votes) > 0 {
		r.Votes = share(v.Votes[0].N, v.Votes[0].Of)
	}
	if v.tied() {
		r.Winner = "tied"
	}
	mark(v.Right == "yes", "right")
	mark(v.Right == "no", "wrong")
	mark(v.tied(), "tied")
	mark(len(v.Votes) == 0, "unread")
	mark(len(v.Votes) > 1, "split")
	errors, judged, missing := 0, 0, 0
	for _, name := range judges {
		said := "–"
		if t := v.tally[name]; t != nil {
			said = share(t.errors, t.judged)
			errors, judged, missing = errors+t.errors, judged+t.judged, missing+t.missing
		}
		r.Errors = append(r.Errors, said)
	}
	mark(errors > 0, "error")
	mark(judged > 0 && errors == 0, "clean")
	mark(missing > 0, "missing")
	flagged, _ := v.flagged()
	mark(flagged > 0, "flagged")
	r.Is = strings.Join(is, " ")
	return r
}

// add lists an item and remembers which models and sets there are.
func (l *itemList) add(r itemRow) {
	note := func(all *[]string, name, letter string) string {
		at := slices.Index(*all, name)
		if at < 0 {
			at = len(*all)
			*all = append(*all, name)
		}
		return fmt.Sprintf(" %s%d", letter, at)
	}
	r.Is = strings.TrimSpace(r.Is + note(&l.Models, r.ModelID, "m") + note(&l.Sets, r.SetID, "s"))
	if len(l.Rows) > 0 {
		l.Prompt = l.Prompt || r.Variant != l.Rows[0].Variant
	}
	l.Model, l.Set = len(l.Models) > 1, len(l.Sets) > 1
	l.Rows = append(l.Rows, r)
}

// Kinds are the selections of the list, as its script reads them.
func (l itemList) Kinds() string {
	out := "all items|right:vote right|wrong:vote wrong|tied:vote tied|unread:no answer read;any votes|split:chains disagree"
	if len(l.Judges) > 0 {
		out += ";any steps|error:a step called an error|clean:no step called an error|missing:a step without a verdict|flagged:a check found something"
	} else {
		out += ";any steps|flagged:a check found something"
	}
	for _, part := range []struct {
		of     []string
		letter string
		all    string
	}{{l.Models, "m", "all models"}, {l.Sets, "s", "all sets"}} {
		if len(part.of) < 2 {
			continue
		}
		out += ";" + part.all
		for i, name := range part.of {
			out += fmt.Sprintf("|%s%d:%s", part.letter, i, strings.NewReplacer(";", ",", "|", "/").Replace(name))
		}
	}
	return out
}

// itemPage is a page of one item, or the fold of the main page that holds it.
type itemPage struct {
	itemView
	Page report.ItemPage
	Own  bool // a page of its own, not a fold of the main page
}

// chainPage is one chain of an item's page.
type chainPage struct {
	chainView
	Item  int // its number
	Own   bool
	Shown []viewView // a fold has the first view alone
}

// chainOf is a chain as the page of its item, or the fold, shows it.
func chainOf(p itemPage, c chainView) chainPage {
	out := chainPage{chainView: c, Item: p.Number, Own: p.Own, Shown: c.Views}
	if !p.Own {
		out.Shown = c.Views[:min(len(c.Views), 1)]
	}
	return out
}

// addItems walks the items once: it lists all, folds out the first ones and writes the pages beside. A page waits for the
// next item, to know whether it has a next page.
func (p *page) addItems(h HTML, r Report) error {
	if h.Items == nil {
		return nil
	}
	p.List.Judges = r.Findings.Settings.Judges
	var folded bytes.Buffer
	var waiting *itemView
	for it := range h.Items {
		v := newItemView(it, nil, "")
		v.Number = len(p.List.Rows) + 1
		if h.Beside != nil {
			v.File = fmt.Sprintf("%04d.html", v.Number)
			if waiting != nil {
				v.Prev, waiting.Next = waiting.File, v.File
				if err := waiting.write(h); err != nil {
					return err
				}
			}
			own := v
			waiting = &own
		}
		row := newItemRow(v, p.List.Judges)
		if v.Number <= h.Whole {
			row.Here = fmt.Sprintf("i%d", v.Number)
			if err := pages.ExecuteTemplate(&folded, "fold", itemPage{itemView: v}); err != nil {
				return fmt.Errorf("draw item %s: %w", v.Subject.Item, err)
			}
			p.Shown++
		}
		p.List.add(row)
	}
	p.Folded = template.HTML(folded.String()) // made by a template that escapes
	if waiting != nil {
		return waiting.write(h)
	}
	return nil
}

// write writes the item's page beside the main page.
func (v *itemView) write(h HTML) error {
	p := report.ItemPage{Number: v.Number, Frame: web.Frame{Title: fmt.Sprintf("%s, item %d", v.Subject.Item, v.Number), Style: template.CSS(figure.CSS() + CSS()),
		Script: "keys.js", Label: "Items", Nav: []web.Link{{Rel: "up", Href: "../report.html#items", Text: "Report"}}}}
	if v.Prev != "" {
		p.Frame.Nav = append(p.Frame.Nav, web.Link{Rel: "prev", Href: v.Prev, Text: "Previous item"})
	}
	if v.Next != "" {
		p.Frame.Nav = append(p.Frame.Nav, web.Link{Rel: "next", Href: v.Next, Text: "Next item"})
	}
	var b bytes.Buffer
	if err := v.page(&b, p); err != nil {
		return err
	}
	if err := h.Beside(report.ItemFolder+"/"+v.File, b.Bytes()); err != nil {
		return fmt.Errorf("write the page of item %s: %w", v.Subject.Item, err)
	}
	return nil
}

// WriteItem writes the page of one item. What a model or a file wrote is escaped, and characters that would hide or turn a
// text are replaced.
func WriteItem(w io.Writer, it Item, p report.ItemPage) error {
	v := newItemView(it, p.Raw, p.Trial)
	v.Number = p.Number
	return v.page(w, p)
}

// page draws the item's page.
func (v *itemView) page(w io.Writer, p report.ItemPage) error {
	if err := web.Draw(w, pages, "itempage", itemPage{itemView: *v, Page: p, Own: true}); err != nil {
		return fmt.Errorf("item %s: %w", v.Subject.Item, err)
	}
	return nil
}
