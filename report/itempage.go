package report

import (
	"bytes"
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
	r := itemRow{Number: v.Number, File: v.File, Item: v.Item, ModelID: v.Model, Variant: v.Variant, Gold: v.Question.Gold,
		Base: letter(v.record.Base), Right: "–", D: v.destructive.String(), P: v.other.String(),
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

// itemPage is a page of one item.
type itemPage struct {
	itemView
	Calls  []callRow
	Scores scoreTable
}

// addItems walks the items once: it lists all, folds out the first ones and writes the pages beside. A page waits for
// the next item, to know whether it has a next page.
func (p *page) addItems(h HTML, r Report) error {
	if h.Items == nil {
		return nil
	}
	var folded bytes.Buffer
	var waiting *itemPage
	for it := range h.Items {
		v := newItemView(it, r.Findings.Battery)
		v.Number = len(p.List.Rows) + 1
		if h.Beside != nil {
			v.File = itemFile(v.Number)
			if waiting != nil {
				v.Prev, waiting.Next = waiting.File, v.File
				if err := waiting.write(h); err != nil {
					return err
				}
			}
			waiting = &itemPage{v, calls(it), scores(it)}
		}
		row := newItemRow(v)
		if v.Number <= h.Whole {
			row.Here = fmt.Sprintf("i%d", v.Number)
			if err := pages.ExecuteTemplate(&folded, "fold", v); err != nil {
				return fmt.Errorf("draw item %s: %w", v.Item, err)
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

func (l *itemList) add(r itemRow) {
	if len(l.Rows) > 0 {
		l.Model = l.Model || r.ModelID != l.Rows[0].ModelID
		l.Prompt = l.Prompt || r.Variant != l.Rows[0].Variant
	}
	l.Rows = append(l.Rows, r)
}

func (p *itemPage) write(h HTML) error {
	var b bytes.Buffer
	if err := draw(&b, "itempage", p); err != nil {
		return fmt.Errorf("item %s: %w", p.Item, err)
	}
	if err := h.Beside(ItemFolder+"/"+p.File, b.Bytes()); err != nil {
		return fmt.Errorf("write the page of item %s: %w", p.Item, err)
	}
	return nil
}
