package annotate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss/internal/worddiff"
	"github.com/percuss/percuss/review/blind"
)

// shownOf is an item of the given parts, as a page has it.
func shownOf(parts ...blind.Part) shown {
	return newShown(blind.Package{}, blind.Item{ID: "x", Parts: parts}, 1, 1, "")
}

// briefs writes what is said in short as one line for each part: a change with its marks, the rows with their keys.
func briefs(s shown) []string {
	out := []string{}
	for _, b := range s.Short() {
		line := ""
		for _, p := range b.Pieces {
			line += map[worddiff.Change]string{worddiff.Same: "", worddiff.Deleted: "-", worddiff.Inserted: "+"}[p.Kind] + p.Text
		}
		for _, r := range b.Rows {
			line += fmt.Sprint(r.Key, "=", r.Text, r.Note, r.Marked, ";")
		}
		out = append(out, line)
	}
	return out
}

// A change is said in short with a few words around it, a list by what is marked, a few named rows in full; what would be
// long is left out.
func TestShort(t *testing.T) {
	before := "A 34-year-old woman comes to the physician with a cough, which began two weeks ago, and a fever."
	change := func(before, after string) blind.Part {
		return blind.Part{Show: blind.ShowChange, Before: before, After: after}
	}
	list := func(rows ...blind.Row) blind.Part { return blind.Part{Show: blind.ShowList, Rows: rows} }
	long := strings.Repeat("word ", 100)
	for _, c := range []struct {
		name string
		part blind.Part
		want []string
	}{
		{"in the middle", change(before, strings.Replace(before, "began two", "began three", 1)), []string{"… cough, which began -two+three weeks ago, and …"}},
		{"at the beginning", change(before, strings.Replace(before, "34", "12", 1)), []string{"A -34+12-year-old woman comes to …"}},
		{"at the end", change(before, before+" She smokes."), []string{"… ago, and a fever.+ She smokes."}},
		{"nothing changed", change(before, before), []string{}},
		{"too long", change("a "+long, "a "+strings.ToUpper(long)), []string{}},
		{"too many spots", change("a b c d e f g h i j k l m n o", "A b C d E f G h I j K l M n O"), []string{}},
		{"a text", blind.Part{Show: blind.ShowText, Text: "so"}, []string{}},
		{"marked rows", list(blind.Row{Text: "one"}, blind.Row{Key: "B", Text: "two", Marked: true, Note: " n "}), []string{"B=two n false;"}},
		{"rows with names", list(blind.Row{Key: "Diagnosis", Text: "one"}, blind.Row{Key: "Direction", Text: "two"}), []string{"Diagnosis=onefalse;Direction=twofalse;"}},
		{"rows without names", list(blind.Row{Text: "one"}, blind.Row{Text: "two"}), []string{}},
		{"long rows", list(blind.Row{Text: "one"}, blind.Row{Text: long, Marked: true}), []string{}},
	} {
		if d := cmp.Diff(c.want, briefs(shownOf(c.part, blind.Part{Show: blind.ShowText, Text: strings.Repeat(long, 2)}))); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		if short := briefs(shownOf(c.part)); c.part.Show == blind.ShowChange && !strings.HasPrefix(c.name, "too long") && len(short) > 0 {
			t.Errorf("%s: of a short item is said again %q", c.name, short)
		}
	}
}

// Two long texts that have little in common stand one beside the other, without marks; a text that is missing is told.
func TestTextsApartAndBlank(t *testing.T) {
	words := func(word string) string { return strings.Repeat(word+" ", 150) }
	p := fixture()
	p.Items = p.Items[:1]
	p.Items[0].Parts = []blind.Part{{Show: blind.ShowChange, Before: words("alpha"), After: words("beta")},
		{Show: blind.ShowChange, Before: words("same"), After: words("same") + "more"}, {Show: blind.ShowChange, Before: " ", After: ""}}
	s := newShown(p, p.Items[0], 1, 1, "")
	for i, want := range []struct{ apart, blank bool }{{true, false}, {false, false}, {false, true}} {
		if got := s.Parts[i]; got.Apart() != want.apart || got.Blank() != want.blank {
			t.Errorf("part %d: apart %v, blank %v", i+1, got.Apart(), got.Blank())
		}
	}
	page := drawPage(t, PageInput{Package: p, Order: []string{p.Items[0].ID}, Rater: "A"})
	for what, n := range map[string]int{"Most of this text was changed": 1, "There is no text: nothing was written.": 1, `class="marked"`: 1} {
		if got := strings.Count(page, what); got != n {
			t.Errorf("%q stands %d times in the page, want %d", what, got, n)
		}
	}
}

// How long it may take grows with the words and the questions, and is a round number.
func TestTakes(t *testing.T) {
	item := func(words int) blind.Item {
		text := strings.Repeat("word ", words)
		return blind.Item{ID: "x", Parts: []blind.Part{{Show: blind.ShowChange, Before: text, After: text + "more"}}}
	}
	for _, c := range []struct {
		items, words int
		want         string
	}{{1, 10, "5 minutes"}, {10, 179, "15 minutes"}, {48, 179, "60 minutes"}, {55, 179, "1½ hours"}, {100, 179, "2 hours"}} {
		v := page{}
		for range c.items {
			s := newShown(fixture(), item(c.words), 1, 1, "")
			v.Items = append(v.Items, s)
		}
		if got := v.Takes(); got != c.want {
			t.Errorf("%d items of %d words: %s, want %s", c.items, c.words, got, c.want)
		}
	}
	if page := drawPage(t, PageInput{Package: fixture(), Order: Order(fixture(), "A"), Rater: "A"}); !strings.Contains(page, "Allow about 5 minutes") {
		t.Error("the instructions do not say how long it takes")
	}
}
