package exchange

import (
	"fmt"
	"slices"
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
var otherNames = map[string]string{"reviewer": colRater, "annotator": colRater, "lead_time": colSeconds,
	dataItem: colItem, dataPackage: colPackage, "updated_at": colAt}

// header knows the columns of a package's sheets by the names that people write.
type header struct {
	exact  map[string]string
	folded map[string]string // without regard to capitals, blanks and hyphens; "" where several are alike
	taken  map[string]bool
	silent map[string]bool // folded names of columns that are known to hold no answers
	passed []string        // names of others that hold none
}

func newHeader(p blind.Package) *header {
	h := &header{exact: map[string]string{}, folded: map[string]string{}, taken: map[string]bool{}, silent: map[string]bool{}}
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

// fold writes words alike that differ in capitals, hyphens, and the kind and number of blanks only.
func fold(word string) string {
	return strings.ToLower(strings.ReplaceAll(strings.Join(strings.Fields(word), "_"), "-", "_"))
}

// column is the column of a name; empty where it is none that answers stand in.
func (h *header) column(name string) string {
	if c, ok := h.exact[strings.TrimSpace(name)]; ok {
		return c
	}
	return h.folded[fold(name)]
}

// quiet are columns that other programs add to what they write.
var quiet = []string{"", "index", "__index_level_0__", "annotation_id", "created_at", "inner_id"}

// quieten keeps the columns that raters are shown, and those that other programs add, from being told of as passed over.
func (h *header) quieten(p blind.Package) {
	for _, name := range quiet {
		h.silent[name] = true
	}
	for _, c := range shown(p) {
		h.silent[fold(c.key)], h.silent[fold(c.title)] = true, true
	}
}

// pass remembers a column that holds no answers.
func (h *header) pass(name string) {
	if folded := fold(name); !h.silent[folded] && !strings.HasPrefix(folded, "unnamed:") { // so pandas calls one without a name
		h.silent[folded] = true
		h.passed = append(h.passed, name)
	}
}

// columns are the columns of the names of a head; two names of one column, and none for the item, are an error.
func (h *header) columns(names []string) ([]string, error) {
	out, seen := make([]string, len(names)), map[string]string{}
	for i, name := range names {
		name = unplain(name)
		c := h.column(name)
		if c == "" {
			h.pass(name)
		}
		if other, ok := seen[c]; ok && c != "" {
			return nil, fmt.Errorf("the columns %q and %q are the same one: leave one of the two", other, name)
		}
		out[i], seen[c] = c, name
	}
	if !slices.Contains(out, colID) && !slices.Contains(out, colItem) {
		return nil, fmt.Errorf("its first row names no column %q or %q, but %.200q: name the columns there as `percuss review export --blank` does", colID, colItem, strings.Join(names, ", "))
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
