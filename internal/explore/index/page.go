package index

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
)

// Ask is a filter, with what the index itself does not know.
type Ask struct {
	Filter Filter
	Noted  func(subject int) bool // whether a note was written on it; nil: on none
	Texts  *Texts                 // the full text; nil: a filter's Text is an error that wraps ErrNoTexts
}

// Facets are the counts of a page.
type Facets struct {
	All     int                 // rows of the run
	Rows    int                 // of these, those that the filter lets through
	Items   int                 // subjects of these
	Choices map[string][]Choice // by the field's name in the address
}

// Facets counts what a filter lets through, and what it would with each other choice.
func (x *Index) Facets(ctx context.Context, a Ask) (Facets, error) {
	keep, err := x.kept(ctx, a)
	if err != nil {
		return Facets{}, err
	}
	f := Facets{All: x.Stats.Rows}
	want, n := x.cube.matching(a.Filter), x.cube.n
	if keep != nil { // the cube does not know what it lets through
		n = make([]int, len(x.cube.n))
	}
	last := -1
	err = x.blocks(ctx, 0, false, func(b *block) bool {
		for i := range b.rows() {
			cell := b.cell(i)
			if keep != nil {
				if !keep(b.first+i, b.subject(i)) {
					continue
				}
				n[cell]++
			}
			if want[cell] {
				f.Rows++
				if s := b.subject(i); s != last {
					last = s
					f.Items++
				}
			}
		}
		return true
	})
	f.Choices = x.cube.choices(a.Filter, n)
	return f, err
}

// kept is the part of a filter that the cube does not hold; nil: none.
func (x *Index) kept(ctx context.Context, a Ask) (func(row, subject int) bool, error) {
	var parts []func(row, subject int) bool
	if a.Filter.Noted != "" {
		noted := a.Noted
		if noted == nil {
			noted = func(int) bool { return false }
		}
		parts = append(parts, func(_, s int) bool { return noted(s) == (a.Filter.Noted == "yes") })
	}
	if a.Filter.Candidate != "" {
		named, err := x.naming(ctx, a.Filter.Candidate)
		if err != nil {
			return nil, err
		}
		parts = append(parts, func(_, s int) bool { return named.has(s) })
	}
	if a.Filter.Text != "" {
		found, err := a.Texts.find(ctx, a.Filter.Text, x.Stats.Rows)
		if err != nil {
			return nil, err
		}
		parts = append(parts, func(row, _ int) bool { return found.has(row) })
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return func(row, s int) bool {
		return !slices.ContainsFunc(parts, func(p func(int, int) bool) bool { return !p(row, s) })
	}, nil
}

// naming are the subjects whose right answer or given answer holds a text, in whatever case.
func (x *Index) naming(ctx context.Context, text string) (bitmap, error) {
	var out bitmap
	err := each(ctx, x.db, "SELECT id FROM subject WHERE instr(candidates, ?) > 0 ORDER BY id", []any{strings.ToLower(text)}, func(scan func(...any) error) error {
		var id int
		err := scan(&id)
		out = append(out, make(bitmap, max(0, id/64+1-len(out)))...)
		out.add(id, 1)
		return err
	})
	return out, err
}

// Hit is one row that a page shows.
type Hit struct {
	Row     int // its number in the run
	Subject int
	Of      [fields]string
	Change  percuss.Number // nats
	Bits    uint32
}

// Roles are the roles of an interaction's findings.
func (h Hit) Roles() []string { return parts(h.Of[Role]) }

// Strata are the strata of a changed family.
func (h Hit) Strata() []string { return parts(h.Of[Stratum]) }

func parts(value string) []string {
	if value == "" {
		return nil
	}
	return strings.Split(value, between)
}

// Cursor is where a page begins: behind a row. Its zero value is the beginning.
type Cursor struct {
	bySize bool
	size   float64 // of the row, where rows are in the order of size
	row    int     // the number of the row, from 1; 0: the beginning
}

// Begin is the cursor of a first page: in the run's order, or the largest changes first.
func Begin(bySize bool) Cursor { return Cursor{bySize: bySize, size: math.Inf(1)} }

// String is the cursor as an address holds it; ParseCursor is its inverse.
func (c Cursor) String() string {
	if c.bySize {
		return fmt.Sprintf("%d:%s", c.row, strconv.FormatFloat(c.size, 'g', -1, 64))
	}
	return strconv.Itoa(c.row)
}

// ParseCursor reads a cursor of a page in the given order. The empty text is the beginning.
func ParseCursor(s string, bySize bool) (Cursor, error) {
	c := Begin(bySize)
	if s == "" {
		return c, nil
	}
	row, size, has := strings.Cut(s, ":")
	var err error
	if c.row, err = strconv.Atoi(row); err != nil || c.row < 0 || has != bySize {
		return c, fmt.Errorf("after=%q is no place in this list: begin at its first page", s)
	}
	if has {
		if c.size, err = strconv.ParseFloat(size, 64); err != nil || math.IsNaN(c.size) {
			return c, fmt.Errorf("after=%q is no place in this list: begin at its first page", s)
		}
	}
	return c, nil
}

// before says whether a row comes behind the cursor, in its order.
func (c Cursor) before(o Cursor) bool {
	if c.bySize && c.size != o.size {
		return c.size > o.size
	}
	return c.row < o.row
}

// best collects the rows of a page, in the order of their places.
type best struct {
	after  Cursor
	most   int // one more than the page holds, to know whether there is more
	places []Cursor
	hits   []Hit
}

// place is where a row stands in the order of the page. By size, rows without a change come last.
func (p *best) place(row int, change percuss.Number) Cursor {
	at := Cursor{bySize: p.after.bySize, row: row + 1}
	if v, ok := change.Get(); at.bySize && ok {
		at.size = math.Abs(v)
	} else if at.bySize {
		at.size = -1
	}
	return at
}

// take adds a row if it belongs to the page. full: none of those behind it can.
func (p *best) take(at Cursor, hit func() Hit) (full bool) {
	if !p.after.before(at) || len(p.places) == p.most && !at.before(p.places[p.most-1]) {
		return false
	}
	to, _ := slices.BinarySearchFunc(p.places, at, func(q, at Cursor) int {
		if q.before(at) {
			return -1
		}
		return 1
	})
	p.places, p.hits = slices.Insert(p.places, to, at), slices.Insert(p.hits, to, hit())
	if len(p.places) > p.most {
		p.places, p.hits = p.places[:p.most], p.hits[:p.most]
	}
	return !at.bySize && len(p.places) == p.most
}

// Page returns up to n rows behind a cursor, and the cursor of the next page; more is false where there is none.
func (x *Index) Page(ctx context.Context, a Ask, after Cursor, n int) (hits []Hit, next Cursor, more bool, err error) {
	keep, err := x.kept(ctx, a)
	if err != nil {
		return nil, after, false, err
	}
	page, first := best{after: after, most: n + 1}, 0
	want := x.cube.matching(a.Filter)
	if !after.bySize {
		first = after.row
	}
	err = x.blocks(ctx, first, true, func(b *block) bool {
		for i := range b.rows() {
			row, cell := b.first+i, b.cell(i)
			if !want[cell] || keep != nil && !keep(row, b.subject(i)) {
				continue
			}
			if page.take(page.place(row, b.change(i)), func() Hit {
				return Hit{Row: row, Subject: b.subject(i), Of: x.cube.valuesOf(cell), Change: b.change(i), Bits: b.set(i)}
			}) {
				return false
			}
		}
		return true
	})
	if err != nil || len(page.hits) <= n {
		return page.hits, after, false, err
	}
	return page.hits[:n], page.places[n-1], true, nil
}

// valuesOf are the values of a combination.
func (c *cube) valuesOf(cell uint32) (out [fields]string) {
	for at, v := range c.keys[cell] {
		out[at] = c.names[at][v]
	}
	return out
}

// Beside returns the subjects before and behind one that a filter lets anything through of; -1 where there is none.
func (x *Index) Beside(ctx context.Context, a Ask, subject int) (prev, next int, err error) {
	keep, err := x.kept(ctx, a)
	if err != nil {
		return -1, -1, err
	}
	prev, next = -1, -1
	want := x.cube.matching(a.Filter)
	err = x.blocks(ctx, 0, false, func(b *block) bool {
		for i := range b.rows() {
			s := b.subject(i)
			if s == subject || !want[b.cell(i)] || keep != nil && !keep(b.first+i, s) {
				continue
			}
			if s > subject {
				next = s
				return false
			}
			prev = s
		}
		return true
	})
	return prev, next, err
}
