package exchange

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss/review/blind"
)

// column is one thing that raters are shown.
type column struct {
	key   string // its name where names are short: shown_1
	title string // its name in a sheet, and above the text
	of    func(blind.Item) string
	said  func(blind.Item) string // the same for who sees no ids of questions; nil: as of
}

// text is what the column shows of an item to who sees no ids of questions.
func (c column) text(item blind.Item) string {
	if c.said != nil {
		return c.said(item)
	}
	return c.of(item)
}

// mostColumns bounds the columns of a sheet: what an item shows beyond them stands in the last one.
const mostColumns = 40

// shown are the columns that a package's items fill, by the place of a part in its item. A package whose items do not all ask the same has one
// that names what is asked before them.
func shown(p blind.Package) []column {
	widest := 0
	asks := false
	for _, item := range p.Items {
		widest = max(widest, len(item.Parts))
		asks = asks || len(item.Asks) > 0
	}
	var out []column
	if asks {
		out = append(out, column{key: "asks", title: "to answer", of: func(item blind.Item) string { return strings.Join(asked(p, item, questionID), ", ") },
			said: func(item blind.Item) string { return strings.Join(asked(p, item, questionText), "\n") }})
	}
	for place := range min(widest, mostColumns) {
		out = append(out, columnsAt(p, place, place == mostColumns-1)...)
	}
	taken := newHeader(p)
	for i := range out {
		out[i].title = taken.free(out[i].title)
		out[i].key = taken.free(out[i].key)
	}
	return out
}

// asked are the questions of an item, those with a condition too, each as it is called.
func asked(p blind.Package, item blind.Item, called func(blind.Question) string) []string {
	var out []string
	for _, q := range p.Questions {
		if len(item.Asks) == 0 || slices.Contains(item.Asks, q.ID) {
			out = append(out, called(q))
		}
	}
	return out
}

func questionID(q blind.Question) string { return q.ID }

// questionText is a question as raters read it, with the ASCII mark of a list.
func questionText(q blind.Question) string { return "* " + q.Text }

// columnsAt are the columns of the parts at one place: two where all of them are changes. rest: those behind it stand there, too.
func columnsAt(p blind.Package, place int, rest bool) []column {
	heads, changes := map[string]bool{}, true
	for _, item := range p.Items {
		if place < len(item.Parts) {
			heads[item.Parts[place].Head] = true
			changes = changes && item.Parts[place].Show == blind.ShowChange
		}
	}
	key := fmt.Sprintf("shown_%d", place+1)
	title, same := strings.ReplaceAll(key, "_", " "), len(heads) == 1 && !heads[""]
	if same && !rest {
		for head := range heads {
			title = head
		}
	}
	part := func(of func(blind.Part) string) func(blind.Item) string {
		return func(item blind.Item) string {
			if place >= len(item.Parts) {
				return ""
			}
			return of(item.Parts[place])
		}
	}
	switch {
	case rest:
		return []column{{key: key, title: title, of: func(item blind.Item) string {
			var texts []string
			for _, p := range item.Parts[min(place, len(item.Parts)):] {
				texts = append(texts, headed(p))
			}
			return strings.Join(texts, "\n\n")
		}}}
	case changes && len(heads) == 1:
		return []column{{key: key + "_before", title: title + ", before", of: part(func(p blind.Part) string { return joined("\n", p.Text, p.Before) })},
			{key: key + "_after", title: title + ", after", of: part(func(p blind.Part) string { return p.After })}}
	case same:
		return []column{{key: key, title: title, of: part(body)}}
	}
	return []column{{key: key, title: title, of: part(headed)}}
}

// headed is a part with its head above it.
func headed(p blind.Part) string { return joined("\n", p.Head, body(p)) }

// body is a part as a text. The marks of lists are ASCII: a spreadsheet that saves in an old encoding leaves the file readable.
func body(p blind.Part) string {
	if p.Show == blind.ShowChange {
		return joined("\n", p.Text, "BEFORE: "+p.Before, "AFTER: "+p.After)
	}
	marks := slices.ContainsFunc(p.Rows, func(r blind.Row) bool { return r.Marked })
	lines := []string{p.Text}
	for _, r := range p.Rows {
		line := "* "
		if marks {
			line = "[ ] "
		}
		if r.Marked {
			line = "[x] "
		}
		if r.Key != "" {
			line += r.Key + ": "
		}
		line += r.Text
		if r.Note != "" {
			line += " (" + r.Note + ")"
		}
		lines = append(lines, line)
	}
	return joined("\n", lines...)
}

// joined joins the texts that are not empty.
func joined(with string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), with)
}
