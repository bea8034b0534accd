package report

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"

	"github.com/percuss/percuss/chain"
)

// ItemFolder is the folder of the pages of the items, beside the main page.
const ItemFolder = "items"

// itemList is the table of all items. Model and Prompt say whether there are several, and so a column of them.
type itemList struct {
	Model, Prompt bool
	Rows          []itemRow
}

// itemRow is one item in the list: small, for all of them are held in memory.
type itemRow struct {
	Number                        int
	File, Here                    string // the item's page, and its place in the main page where it is shown whole
	Item, ModelID, Variant        string
	Gold, Base, Right, D, P, Lost string
	Flipped, Incomplete           bool // what the filter of the list asks for
}

func newItemRow(v itemView) itemRow {
	r := itemRow{Number: v.Number, File: v.File, Item: v.Subject.Item, ModelID: v.Subject.Model, Variant: v.Subject.Variant,
		Gold: v.Subject.Question.Gold, Base: letter(v.record.Base), Right: "–", D: v.destructive.String(), P: v.other.String(),
		Flipped: v.destructive.Flips+v.other.Flips > 0}
	if v.record.Base.State == chain.Read {
		r.Right = map[bool]string{true: "yes", false: "no"}[v.record.Base.Correct]
	}
	lost := 0
	for _, o := range v.record.Operators {
		if o.Edit.Fired && o.Reading.State != chain.Read {
			lost++
		}
	}
	r.Lost, r.Incomplete = fmt.Sprint(lost), lost > 0
	return r
}

// String gives flips of compared trials, an en dash where none was.
func (t tally) String() string {
	if t.Compared == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d", t.Flips, t.Compared)
}

// itemFile names the page of the n-th item, from 1.
func itemFile(n int) string { return fmt.Sprintf("%04d.html", n) }

// addItems walks the items once: it lists all, folds out the first ones and writes the pages beside. A page waits for
// the next item, to know whether it has a next page.
func (p *page) addItems(h HTML, r Report) error {
	if h.Items == nil {
		return nil
	}
	beside := newPageWriters(h)
	err := p.listItems(h, r, beside)
	return errors.Join(err, beside.close())
}

func (p *page) listItems(h HTML, r Report, beside *pageWriters) error {
	var folded bytes.Buffer
	var waiting *itemView
	for it := range h.Items {
		v := newItemView(it, r.Findings.Battery)
		v.Number = len(p.List.Rows) + 1
		if h.Beside != nil {
			v.File = itemFile(v.Number)
			if waiting != nil {
				v.Prev, waiting.Next = waiting.File, v.File
				if !beside.write(waiting) {
					return nil
				}
			}
			waiting = &v
		}
		row := newItemRow(v)
		if v.Number <= h.Whole {
			row.Here = fmt.Sprintf("i%d", v.Number)
			if err := pages.ExecuteTemplate(&folded, "fold", v); err != nil {
				return fmt.Errorf("draw item %s: %w", v.Subject.Item, err)
			}
			p.Shown++
		}
		p.List.add(row)
	}
	p.Folded = template.HTML(folded.String()) // made by a template that escapes
	if waiting != nil {
		beside.write(waiting)
	}
	return nil
}

func (l *itemList) add(r itemRow) {
	if len(l.Rows) > 0 {
		l.Model = l.Model || r.ModelID != l.Rows[0].ModelID
		l.Prompt = l.Prompt || r.Variant != l.Rows[0].Variant
	}
	l.Rows = append(l.Rows, r)
}
