package annotate

import (
	"slices"
	"strings"

	"github.com/percuss/percuss/internal/worddiff"
	"github.com/percuss/percuss/review/blind"
)

// What of an item is said again in short beside its questions, where they stand below the text and not beside it.
const (
	mostSpots = 6   // changed spots of a text
	mostShort = 400 // bytes of a text in short
	leastText = 600 // bytes of an item: what is shorter stands on one small screen with its question
	mostRows  = 3   // of a list none of whose rows is marked
	around    = 3   // words before and after a changed spot
)

// brief is what of one part is said again in short: a change with the words around it, or the rows that are marked.
type brief struct {
	Head   string
	Pieces []worddiff.Piece
	Rows   []blind.Row
}

// Short is what the questions are about, in short: what was changed, what is marked, and lists of a few named rows. What
// would be long is left out.
func (s shown) Short() []brief {
	var out []brief
	if s.size() < leastText {
		return nil
	}
	for _, p := range s.Parts {
		b := brief{Head: p.Head}
		switch {
		case p.Show == blind.ShowChange && !p.Same() && !p.Apart():
			b.Pieces = shortened(p.Pieces)
		case p.Show == blind.ShowList:
			b.Rows = telling(p.Rows)
		}
		if len(b.Pieces) > 0 || len(b.Rows) > 0 {
			out = append(out, b)
		}
	}
	return out
}

// size is how many bytes of text an item shows.
func (s shown) size() int {
	size := 0
	for _, p := range s.Parts {
		size += len(p.Text) + max(len(p.Before), len(p.After))
		for _, r := range p.Rows {
			size += len(r.Text)
		}
	}
	return size
}

// telling are the marked rows of a list; of a list without any all, where they are few and each has a key.
func telling(rows []blind.Row) []blind.Row {
	isMarked := func(r blind.Row) bool { return r.Marked }
	all := !slices.ContainsFunc(rows, isMarked)
	if all && (len(rows) > mostRows || slices.ContainsFunc(rows, func(r blind.Row) bool { return r.Key == "" })) {
		return nil
	}
	var out []blind.Row
	size := 0
	for _, r := range rows {
		if all || r.Marked {
			r.Marked = false // all are: it need not be told of each
			out, size = append(out, r), size+len(r.Text)
		}
	}
	if size > mostShort {
		return nil
	}
	return out
}

// shortened keeps of a change the changed spots and a few words around each; nothing where they are many or long.
func shortened(pieces []worddiff.Piece) []worddiff.Piece {
	var out []worddiff.Piece
	spots, size := 0, 0
	for i, p := range pieces {
		if p.Kind == worddiff.Same {
			p.Text = cut(p.Text, i > 0, i < len(pieces)-1)
		} else if i == 0 || pieces[i-1].Kind == worddiff.Same {
			spots++
		}
		out, size = append(out, p), size+len(p.Text)
	}
	if spots > mostSpots || size > mostShort {
		return nil
	}
	return out
}

// cut keeps the first words of a text, where it stands behind a change, and the last ones, where it stands before one.
func cut(text string, behind, before bool) string {
	words := strings.SplitAfter(text, " ") // what stands between blanks: an hyphen is no end of a word for a reader
	head, tail := 0, 0
	if behind {
		head = around + 1 // the first one may be the rest of a word, or a blank
	}
	if before {
		tail = around + 1
	}
	if len(words) <= head+tail+1 {
		return text
	}
	short := strings.Join(words[:head], "") + "… " + strings.Join(words[len(words)-tail:], "")
	if !before {
		short = strings.TrimRight(short, " ")
	}
	return short
}

// Blank says that there is nothing to show: neither before nor after.
func (p part) Blank() bool {
	return strings.TrimSpace(p.Text+p.Before+p.After) == "" && p.Show != blind.ShowList
}

// Apart says that two texts have so little in common that marks in one of them would not be read: less than half of the
// longer one. They are shown one beside the other instead.
func (p part) Apart() bool {
	same := 0
	for _, piece := range p.Pieces {
		if piece.Kind == worddiff.Same {
			same += len(piece.Text)
		}
	}
	return 2*same < max(len(p.Before), len(p.After)) && min(len(p.Before), len(p.After)) > mostShort
}
