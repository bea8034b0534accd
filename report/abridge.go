package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss/internal/worddiff"
)

// abridge shortens the stretches longer than long bytes that did not change to ends bytes at either side.
func abridge(pieces []worddiff.Piece, long, ends int) []worddiff.Piece {
	out := slices.Clone(pieces)
	for i, p := range out {
		if p.Kind != worddiff.Same || len(p.Text) <= long {
			continue
		}
		head := strings.ToValidUTF8(p.Text[:ends], "")
		tail := strings.ToValidUTF8(p.Text[len(p.Text)-ends:], "")
		gone := len(strings.Fields(p.Text)) - len(strings.Fields(head)) - len(strings.Fields(tail))
		out[i].Text = fmt.Sprintf("%s … [about %d words unchanged] … %s", head, max(0, gone), tail)
	}
	return out
}

// The most bytes of one text that are shown: a fold-out of the main page stays small, an item's own page holds all but
// what would stop a browser.
const (
	foldBytes = 6_000
	pageBytes = 100_000
)

// clip shortens a text to about most bytes and says what is missing.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%s … [%d more bytes: `percuss show` prints them]", strings.ToValidUTF8(s[:most], ""), len(s)-most)
}

// Folded is what a fold-out of the main page shows of the diff.
func (v trialView) Folded() []worddiff.Piece { return clipped(abridge(v.Pieces, 900, 300), foldBytes) }

// Whole is what the item's own page shows of the diff.
func (v trialView) Whole() []worddiff.Piece { return clipped(slices.Clone(v.Pieces), pageBytes) }

func clipped(pieces []worddiff.Piece, most int) []worddiff.Piece {
	for i := range pieces {
		pieces[i].Text = clip(pieces[i].Text, most)
	}
	return pieces
}
