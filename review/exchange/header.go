package exchange

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss/review/blind"
)

// The columns of sheets besides the questions.
const (
	colID       = "id" // of the item; in a long form that has an item, of the entry
	colItem     = "item"
	colRater    = "rater"
	colQuestion = "question"
	colLabel    = "label"
	colComment  = "comment"
	colFlag     = "flag"
	colFlagged  = "flagged"
	colSeconds  = "seconds"
	colAt       = "at"
	colPackage  = "package"
)

// otherNames are columns under the names that other programs and earlier sheets give them.
var otherNames = map[string]string{"reviewer": colRater, "annotator": colRater, "lead_time": colSeconds}

// header knows the columns of a package's sheets by the names that people write.
type header struct {
	exact  map[string]string
	folded map[string]string // without regard to capitals, blanks and hyphens; "" where several are alike
	taken  map[string]bool
}

func newHeader(p blind.Package) *header {
	h := &header{exact: map[string]string{}, folded: map[string]string{}, taken: map[string]bool{}}
	for name, column := range otherNames {
		h.folded[name] = column
	}
	for _, c := range []string{colID, colItem, colRater, colQuestion, colLabel, colComment, colFlag, colFlagged, colSeconds, colAt, colPackage} {
		h.exact[c], h.folded[c] = c, c
	}
	for _, q := range p.Questions {
		h.exact[q.ID] = q.ID
		if other, ok := h.folded[fold(q.ID)]; ok && other != otherNames[fold(q.ID)] {
			h.folded[fold(q.ID)] = ""
		} else {
			h.folded[fold(q.ID)] = q.ID
		}
	}
	return h
}

// fold writes words alike that differ in capitals, blanks and hyphens only.
func fold(word string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '\u00a0' {
			return '_'
		}
		return r
	}, strings.TrimSpace(word)))
}

// column is the column of a name; empty where it is none that answers stand in.
func (h *header) column(name string) string {
	if c, ok := h.exact[strings.TrimSpace(name)]; ok {
		return c
	}
	return h.folded[fold(name)]
}

// columns are the columns of the names of a head; two names of one column are an error.
func (h *header) columns(names []string) ([]string, error) {
	out, seen := make([]string, len(names)), map[string]string{}
	for i, name := range names {
		name = unplain(name)
		c := h.column(name)
		if other, ok := seen[c]; ok && c != "" {
			return nil, fmt.Errorf("the columns %q and %q are the same one: leave one of the two", other, name)
		}
		out[i], seen[c] = c, name
	}
	return out, nil
}

// free is a name that no column has, and takes it.
func (h *header) free(name string) string {
	try := name
	for n := 2; h.column(try) != "" || h.taken[fold(try)]; n++ {
		try = fmt.Sprintf("%s_%d", name, n)
	}
	h.taken[fold(try)] = true
	return try
}
