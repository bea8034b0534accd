package exchange

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// hostile texts are those that formats, spreadsheets and pages trip over.
var hostile = []string{"=1+1", "'=1+1", "''@x", "-2", "+49", "@SUM(A1)", "\t=1", "\r\nx", " =1", "\uff1d1", "a,b;c\td", `say "so"`, "two\nlines\r\nand\rmore", "<script>alert(1)</script>",
	"]]>&amp;$item", "\u202eevil", "null", "\x00", "\ufeffx", "guide", "'", "\u200b=1", "é\u0301 日本", " trailing ", "$shown_1", "yes", "[1,2]"}

// sample is a package of items with hostile texts, whose questions are asked under conditions and of some items only.
func sample(t testing.TB) blind.Package {
	t.Helper()
	p := blind.Package{Task: blind.Own, Title: "Items", Instructions: []string{"Judge."}, Questions: []blind.Question{
		{ID: "shift", Text: "Does it cost $5 more?", Labels: []blind.Label{{ID: "no_shift", Name: "No shift", Help: "the same"}, {ID: "shifted", Name: "Shifted, <clearly>"}}},
		{ID: "Kind", Text: "Which?", When: &blind.When{Question: "shift", Label: "shifted"}, Labels: []blind.Label{{ID: "a", Name: "First"}, {ID: "b", Name: "Second"}, {ID: "c", Name: "Third"}}},
		{ID: "hazard", Text: "Harm?", Optional: true, Labels: []blind.Label{{ID: "harmful", Name: "Harmful"}, {ID: "neutral", Name: "Neutral"}}},
	}, Practice: []blind.Item{{ID: "practice-1", Parts: []blind.Part{{Show: blind.ShowText, Text: "x"}}, Expected: map[string]string{"shift": "no_shift"}}}}
	for i, text := range hostile {
		text = strings.ToValidUTF8(text, "")
		item := blind.Item{ID: fmt.Sprintf("item-%d", i), Parts: []blind.Part{{Show: blind.ShowChange, Head: "Question", Before: text, After: text + "!"},
			{Show: blind.ShowList, Head: text, Rows: []blind.Row{{Key: "A", Text: text, Marked: true, Note: "now"}, {Text: "other"}}}}}
		if i%2 == 0 {
			item.Asks = []string{"shift", "Kind"}
		}
		p.Items = append(p.Items, item)
	}
	p = p.Sealed([]byte("key"))
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	return p
}

// file writes a file of the test's own.
func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// read reads a file that must be readable.
func read(t testing.TB, path string, p blind.Package) Read {
	t.Helper()
	r, err := ReadFile(path, "", p, now)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// drawn are entries that answer a package, at most one of each rater and item.
func drawn(t *rapid.T, p blind.Package) []ratings.Entry {
	text := rapid.OneOf(rapid.SampledFrom(append(hostile, "")), rapid.StringN(0, 40, 200))
	var out []ratings.Entry
	for _, rater := range []string{"Ann", "O'Brien, \"MD\""} {
		for _, item := range rapid.SliceOfNDistinct(rapid.SampledFrom(p.Items), 0, 4, func(i blind.Item) string { return i.ID }).Draw(t, "items") {
			e := ratings.Entry{ID: fmt.Sprintf("e-%d", len(out)), Rater: rater, Item: item.ID, Labels: map[string]string{}, Comment: text.Draw(t, "comment"), Flag: text.Draw(t, "flag"),
				Seconds: float64(rapid.IntRange(0, 1e6).Draw(t, "ms")) / 1000, At: now.Add(-time.Duration(rapid.IntRange(0, 1e9).Draw(t, "ago")) * time.Millisecond)}
			for _, q := range p.Questions {
				if slices.ContainsFunc(p.Asked(item, e.Labels), func(a blind.Question) bool { return a.ID == q.ID }) && rapid.Bool().Draw(t, "labelled") {
					e.Labels[q.ID] = rapid.SampledFrom(q.Labels).Draw(t, "label").ID
				}
			}
			e.Flagged = e.Flag != "" || rapid.Bool().Draw(t, "flagged")
			if len(e.Labels) > 0 || strings.TrimSpace(e.Comment+e.Flag) != "" || e.Flagged {
				out = append(out, e)
			}
		}
	}
	return out
}

// What is exported in any format is imported as it was, whatever its texts; and by the merge as nothing new where the book has it.
func TestRoundTrips(t *testing.T) {
	p := sample(t)
	dir := t.TempDir()
	for f, name := range map[Format]string{CSV: "a.csv", JSONL: "a.jsonl", Parquet: "a.parquet", LabelStudio: "studio.json", Argilla: "argilla.json"} {
		t.Run(string(f), func(t *testing.T) {
			path := filepath.Join(dir, name)
			rapid.Check(t, func(r *rapid.T) {
				entries := drawn(r, p)
				var b bytes.Buffer
				if err := WriteAnswers(&b, f, p, entries); err != nil {
					r.Fatal(err)
				}
				if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
					r.Fatal(err)
				}
				got, err := ReadFile(path, "", p, now)
				if len(entries) == 0 && f != LabelStudio && f != Argilla {
					if err == nil || !strings.Contains(err.Error(), "no row of an item") {
						r.Fatal("nothing was read in silence: ", err)
					}
					return
				}
				if err != nil {
					r.Fatal(err)
				}
				if diff := cmp.Diff(byThing(entries, f), byThing(plainEntries(got), f)); diff != "" {
					r.Fatal(diff)
				}
				fresh, err := Merge(p, []ratings.Rater{{ID: "Ann", Name: "Ann"}, {ID: `O'Brien, "MD"`, Name: `O'Brien, "MD"`}}, entries, []Read{got, got}, now)
				if err != nil || len(fresh.Entries)+len(fresh.Raters) > 0 || fresh.Same != 2*len(got.Answers) {
					r.Fatalf("%d new, %d raters, %d known of %d, %v", len(fresh.Entries), len(fresh.Raters), fresh.Same, 2*len(got.Answers), err)
				}
			})
		})
	}
}

func plainEntries(r Read) []ratings.Entry {
	var out []ratings.Entry
	for _, a := range r.Answers {
		out = append(out, a.Entry)
	}
	return out
}

// byThing are entries by rater and item, with what a format keeps of them.
func byThing(entries []ratings.Entry, f Format) map[string]ratings.Entry {
	out := map[string]ratings.Entry{}
	for _, e := range entries {
		e.By = ""
		if f == CSV { // a line end of a CSV file may be either
			e.Comment, e.Flag = strings.ReplaceAll(e.Comment, "\r\n", "\n"), strings.ReplaceAll(e.Flag, "\r\n", "\n")
		}
		if f == LabelStudio || f == Argilla {
			e.ID = ""
		}
		if f == Argilla {
			e.At, e.Seconds = time.Time{}, 0
		}
		out[e.Rater+"\x00"+e.Item] = e
	}
	return out
}

// A sheet that was filled in says what was filled in: by id or by name, whatever the capitals; what is shown is no answer, and no cell a formula.
func TestBlankSheets(t *testing.T) {
	p := sample(t)
	for _, f := range []Format{CSV, JSONL} {
		var b bytes.Buffer
		if err := WriteBlank(&b, f, p); err != nil {
			t.Fatal(err)
		}
		path := file(t, "sheet."+string(f), b.String())
		if r := read(t, path, p); len(r.Answers) != 0 || r.Passed["without an answer"] != len(p.Items) {
			t.Errorf("%s, blank: %d answers, %v", f, len(r.Answers), r.Passed)
		}
		filled := strings.NewReplacer("item-0,,,,", "item-0,Ann,SHIFTED,second,", `"item-0","rater":"","shift":"","Kind":""`, `"item-0","rater":"Ann","shift":"SHIFTED","Kind":"second"`).Replace(b.String())
		r := read(t, file(t, "sheet."+string(f), filled), p)
		if len(r.Answers) != 1 || !maps.Equal(r.Answers[0].Labels, map[string]string{"shift": "shifted", "Kind": "b"}) || r.Answers[0].Rater != "Ann" {
			t.Errorf("%s: %+v", f, r.Answers)
		}
		for _, want := range []string{"guide", "only after shift = shifted", "to answer", p.ID, "[x] A: "} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: the sheet lacks %q", f, want)
			}
		}
	}
}

// A label is known by its id and by its name, however it is blanked, hyphened and capitalised; by nothing else.
func TestLabelOf(t *testing.T) {
	q := sample(t).Questions[0]
	for _, word := range []string{"no_shift", " No shift ", "NO-SHIFT", "no  shift", "No\u00a0shift", "no\tshift"} {
		if got, err := labelOf(q, word); err != nil || got != "no_shift" {
			t.Errorf("%q: %q, %v", word, got, err)
		}
	}
	for _, word := range []string{"noshift", "no shift.", "no", "1", "-", "N/A", "nan", "null", "Shifted, clearly"} {
		if got, err := labelOf(q, word); err == nil || !strings.Contains(err.Error(), "no_shift, shifted") {
			t.Errorf("%q: %q, %v", word, got, err)
		}
	}
}

// No cell of a CSV file begins as a formula does, in sheets and in answers, and what was changed for that comes back.
func TestNoFormulas(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.OneOf(rapid.SampledFrom(hostile), rapid.String()).Draw(r, "text")
		cell := plain(text)
		if unplain(cell) != text {
			r.Fatalf("%q became %q, and that %q", text, cell, unplain(cell))
		}
		if head := strings.TrimSpace(cell); head != "" && strings.ContainsAny(head[:1], "=+-@") || cell != "" && strings.ContainsAny(cell[:1], "\t\r\n") {
			r.Fatalf("%q: a formula", cell)
		}
	})
}
