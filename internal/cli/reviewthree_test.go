package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// thirty is a package of thirty edits: every third asks for a hazard, and one question is asked after one answer alone.
func thirty(t *testing.T) (folder string, p blind.Package) {
	t.Helper()
	form, err := blind.FormOf(blind.Perturbation)
	if err != nil {
		t.Fatal(err)
	}
	why := blind.Question{ID: "why", Text: "What moves it?", When: &blind.When{Question: blind.AskShift, Label: "shifted"}, Labels: []blind.Label{{ID: "fact", Name: "A fact"}, {ID: "word", Name: "A word"}}}
	p = blind.Package{Task: blind.Own, Title: form.Title, Instructions: form.Instructions, Round: 1, Questions: slices.Insert(form.Questions, 1, why)}
	for i := range 30 {
		q := percuss.Question{Gold: "A", Options: []percuss.Option{{Label: "A", Text: "Antibiotics"}, {Label: "B", Text: "CT"}}}
		var moved *blind.Change
		if i%3 == 0 {
			moved = &blind.Change{Before: "A", After: "B"}
		}
		change := blind.Change{Before: fmt.Sprintf("A man of %d has had a fever for two days. What is next?", 40+i), After: fmt.Sprintf("A woman of %d has had a fever for two days. What is next?", 40+i)}
		item := blind.Edited(fmt.Sprintf("item-%d", i), q, change, moved)
		item.Asks = append(item.Asks, why.ID)
		p.Items = append(p.Items, item)
	}
	p = p.Sealed([]byte("key"))
	return packed(t, p), p
}

// packed writes a package into a folder of its own.
func packed(t *testing.T, p blind.Package) (folder string) {
	t.Helper()
	var text strings.Builder
	if err := blind.WritePackage(&text, p); err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	placed(t, folder, review.PackageFile, text.String())
	return folder
}

// willSay is what a rater will say of each item. Every fifth item gets a comment, every ninth is flagged.
func willSay(p blind.Package, r *rand.Rand) map[string]ratings.Entry {
	plan := map[string]ratings.Entry{}
	for i, item := range p.Items {
		e := ratings.Entry{Labels: map[string]string{}}
		for _, q := range p.Questions {
			if slices.ContainsFunc(p.Asked(item, e.Labels), func(one blind.Question) bool { return one.ID == q.ID }) {
				e.Labels[q.ID] = q.Labels[r.IntN(len(q.Labels))].ID
			}
		}
		if i%5 == 0 {
			e.Comment = fmt.Sprintf("so 1u %d", r.IntN(100))
		}
		if i%9 == 0 {
			e.Flagged, e.Flag = true, "cut"
		}
		plan[item.ID] = e
	}
	return plan
}

// typist is a rater at a keyboard.
type typist struct {
	name string
	plan map[string]ratings.Entry
	p    blind.Package
}

// types answers the items at the places from to to, and leads on to the next screen.
func (who typist) types(t *testing.T, page *pagetest.Page, from, to int) {
	t.Helper()
	for place := from; place <= to; place++ {
		page.Until(t, fmt.Sprintf(`at&&at.dataset.place==="%d"&&document.activeElement===at.querySelector("h2")`, place))
		item := who.p.Item(pagetest.Eval[string](t, page, `at.dataset.item`))
		if item == nil {
			t.Fatalf("%s: place %d shows no item of the package", who.name, place)
		}
		want := who.plan[item.ID]
		if place%7 == 0 {
			page.Press(t, "2", "u") // a slip
		}
		for _, q := range who.p.Asked(*item, want.Labels) {
			page.Press(t, fmt.Sprint(1+slices.IndexFunc(q.Labels, func(l blind.Label) bool { return l.ID == want.Labels[q.ID] })))
		}
		if want.Comment != "" {
			page.Press(t, "c", "Backspace", want.Comment, "Escape") // the driver writes the letter into the field, too
		}
		if want.Flagged {
			page.Press(t, "f", "Backspace", want.Flag, "Escape")
		}
		page.Press(t, "ArrowRight")
	}
}

// tabTo goes by the Tab key to an element.
func tabTo(t *testing.T, page *pagetest.Page, selector string) {
	t.Helper()
	for range 60 {
		if pagetest.Eval[bool](t, page, fmt.Sprintf(`document.activeElement===document.querySelector(%q)`, selector)) {
			return
		}
		page.Press(t, "Tab")
	}
	t.Fatalf("the Tab key does not lead to %s", selector)
}

// opens opens a link by keyboard and waits for the review.
func opens(t *testing.T, device *pagetest.Browser, link string) *pagetest.Page {
	t.Helper()
	page := device.Look(t, link, pagetest.Look{})
	tabTo(t, page, "button")
	page.Press(t, "Enter")
	page.Until(t, `typeof at==="object"&&at`)
	return page
}

// atTheEnd is a rater whose answers are all on the server.
func atTheEnd(t *testing.T, page *pagetest.Page) {
	t.Helper()
	page.Until(t, `at.dataset.place==="end"`)
	allSaved(t, page)
	if got := page.Text(t, "#endhead"); got != "All items are answered" {
		t.Errorf("the end says %q", got)
	}
}

func allSaved(t *testing.T, page *pagetest.Page) {
	t.Helper()
	page.Until(t, `document.getElementById("state").textContent==="Saved"&&!entriesKept("queue/").length`)
}

// isKept checks that the book holds what was typed and nothing twice.
func isKept(t *testing.T, folder string, who typist) {
	t.Helper()
	last, state := map[string]ratings.Entry{}, map[string]string{}
	ids := map[string]bool{}
	p, entries, err := answersOf(t.Context(), folder, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Rater != who.name {
			continue
		}
		raw, err := json.Marshal([]any{e.Labels, e.Comment, e.Flag, e.Flagged})
		if err != nil {
			t.Fatal(err)
		}
		if ids[e.ID] || state[e.Item] == string(raw) {
			t.Errorf("%s: item %s has an answer twice: %s", who.name, e.Item, raw)
		}
		ids[e.ID], state[e.Item] = true, string(raw)
		if e.At.Before(last[e.Item].At) {
			t.Errorf("%s: the answers to item %s came in another order than they were given", who.name, e.Item)
		}
		last[e.Item] = e
	}
	for _, item := range p.Items {
		got, want := last[item.ID], who.plan[item.ID]
		if cmp.Diff(want.Labels, got.Labels) != "" || got.Comment != want.Comment || got.Flag != want.Flag || got.Flagged != want.Flagged {
			t.Errorf("%s typed %+v of item %s, kept is %+v", who.name, want, item.ID, got)
		}
	}
}

// bySheet takes what was planned into a copy of the package, by a CSV, and returns its folder.
func bySheet(t *testing.T, p blind.Package, raters ...typist) (folder string) {
	t.Helper()
	var text strings.Builder
	w := csv.NewWriter(&text)
	rows := [][]string{{"rater", "item", "question", "label", "comment", "flag", "flagged"}}
	for _, who := range raters {
		for _, item := range slices.Sorted(maps.Keys(who.plan)) {
			e := who.plan[item]
			for _, q := range slices.Sorted(maps.Keys(e.Labels)) {
				rows = append(rows, []string{who.name, item, q, e.Labels[q], e.Comment, e.Flag, fmt.Sprint(e.Flagged)})
			}
		}
	}
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	folder = packed(t, p)
	must(t, "review", "import", folder, placed(t, t.TempDir(), "labels.csv", text.String()))
	return folder
}

// resultsWithoutTimes are the bytes of the results but for how long the raters took.
func resultsWithoutTimes(t *testing.T, folder string) string {
	t.Helper()
	r := results(t, folder)
	for i := range tableOf(t, r, "progress").Rows {
		row := &tableOf(t, r, "progress").Rows[i]
		row.Cells = row.Cells[:len(row.Cells)-3]
	}
	raw, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// savedFile is the one file that a page has saved into a folder.
func savedFile(t *testing.T, page *pagetest.Page, folder string) string {
	t.Helper()
	for {
		found, err := filepath.Glob(filepath.Join(folder, "answers-*.json"))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 1 {
			if raw, err := os.ReadFile(found[0]); err == nil && json.Valid(raw) {
				return found[0]
			}
		}
		page.Until(t, `document.getElementById("state").textContent.startsWith("Saved to a file")`)
		if t.Context().Err() != nil {
			t.Fatal("no file was saved")
		}
	}
}
