package report

import (
	"slices"
	"strings"

	"github.com/percuss/percuss/internal/worddiff"
)

// markedPart is a passage or the stem of a question, with what edits change in it.
type markedPart struct {
	Pieces  []markedPiece
	Rewrite []string // the edits that change too much of it to be marked
	Marked  bool     // a piece has edits
}

// markedPiece is a stretch of a text. Nothing but a place where words are added is empty.
type markedPiece struct {
	Text   string
	Marked bool     // an edit changes it
	Edits  []string // the edits whose change ends with it
}

// changed is a stretch of bytes of a text that an edit replaces; empty: it adds something there.
type changed struct {
	from, to int
	by       string
}

// marked are the parts of the question with what the edits of the question change.
func (v *itemView) marked() []markedPart {
	q := v.Subject.Question
	message := lastUser(find(v.of.Trials, "base").Request)
	var all []changed
	for i := range v.Trials {
		if t := &v.Trials[i]; t.Fired && !t.OfChain {
			all = append(all, changesOf(t.Pieces, t.ID)...)
		}
	}
	var out []markedPart
	for _, text := range append(slices.Clone(q.Context), q.Stem) {
		at := strings.Index(message, text)
		if at < 0 || len(text) > pageBytes {
			out = append(out, markedPart{Pieces: []markedPiece{{Text: clip(text, pageBytes)}}})
			continue
		}
		out = append(out, mark(text, within(all, at, len(text))))
	}
	return out
}

// changesOf are the places that a diff changes in the old text.
func changesOf(pieces []worddiff.Piece, by string) []changed {
	var out []changed
	at := 0
	for i, p := range pieces {
		switch {
		case p.Kind == worddiff.Deleted:
			out = append(out, changed{at, at + len(p.Text), by})
		case p.Kind == worddiff.Inserted && (i == 0 || pieces[i-1].Kind != worddiff.Deleted):
			out = append(out, changed{at, at, by})
		}
		if p.Kind != worddiff.Inserted {
			at += len(p.Text)
		}
	}
	return out
}

// within are the changes that lie in n bytes from the first on, counted from there.
func within(all []changed, first, n int) []changed {
	var out []changed
	for _, c := range all {
		c.from, c.to = c.from-first, c.to-first
		if c.to >= 0 && c.from <= n && (c.from == c.to || c.to > 0 && c.from < n) {
			out = append(out, changed{max(c.from, 0), min(c.to, n), c.by})
		}
	}
	return out
}

// An edit is marked in a text that it changes in at most mostPlaces, and of which it changes at most a quarter or fewBytes;
// others move or rewrite much of it.
const (
	mostPlaces = 3
	fewBytes   = 60
)

// mark cuts a text where a change begins or ends.
func mark(text string, all []changed) markedPart {
	size, places := map[string]int{}, map[string]int{}
	for _, c := range all {
		size[c.by] += c.to - c.from
		places[c.by]++
	}
	var out markedPart
	all = slices.DeleteFunc(all, func(c changed) bool {
		much := size[c.by] > max(len(text)/4, fewBytes) || places[c.by] > mostPlaces
		if much && !slices.Contains(out.Rewrite, c.by) {
			out.Rewrite = append(out.Rewrite, c.by)
		}
		return much
	})
	borders := []int{0, len(text)}
	for _, c := range all {
		borders = append(borders, c.from, c.to)
	}
	slices.Sort(borders)
	borders = slices.Compact(borders)
	for i, from := range borders {
		var here []string
		for _, c := range all {
			if c.from == from && c.to == from {
				here = append(here, c.by)
			}
		}
		if len(here) > 0 {
			out.add(markedPiece{"", true, here})
		}
		if i+1 < len(borders) {
			out.add(covered(all, text, from, borders[i+1]))
		}
	}
	return out
}

// covered is the stretch of a text between two borders.
func covered(all []changed, text string, from, to int) markedPiece {
	out := markedPiece{Text: text[from:to]}
	for _, c := range all {
		if c.from > from || c.to < to {
			continue
		}
		out.Marked = true
		if c.to == to && !slices.Contains(out.Edits, c.by) {
			out.Edits = append(out.Edits, c.by)
		}
	}
	return out
}

// add adds a stretch, to the last one where that is marked alike and no change ends between them.
func (m *markedPart) add(p markedPiece) {
	m.Marked = m.Marked || p.Marked
	if n := len(m.Pieces); n > 0 && m.Pieces[n-1].Marked == p.Marked && len(m.Pieces[n-1].Edits) == 0 && p.Text != "" {
		m.Pieces[n-1].Text += p.Text
		m.Pieces[n-1].Edits = p.Edits
		return
	}
	m.Pieces = append(m.Pieces, p)
}
