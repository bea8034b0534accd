package index

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func textsOf(t testing.TB, all []Text) *Texts {
	t.Helper()
	path := filepath.Join(t.TempDir(), "texts.db")
	var of iter.Seq2[Text, error] = func(yield func(Text, error) bool) {
		for _, x := range all {
			if !yield(x, nil) {
				return
			}
		}
	}
	if err := BuildTexts(t.Context(), path, "these", of); err != nil {
		t.Fatal(err)
	}
	x, err := OpenTexts(path, "these")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// Two models were asked the first question, one the second.
var asked = []Text{
	{Item: "q1", Asked: "A man with chest pain and fever.", First: 0, Replies: []string{"Chest X-ray: pneumonia", ""}},
	{Item: "q2", Asked: "A woman with a rash", First: 2, Replies: []string{"She has naïve T cells; pain in the chest"}},
	{Item: "q1", Asked: "A man with chest pain and fever.", First: 3, Replies: []string{"I cannot say", "β-blocker NOT needed"}},
}

func TestFullText(t *testing.T) {
	x := textsOf(t, asked)
	for text, want := range map[string][]int{
		"fever":                   {0, 1, 3, 4},
		"FEVER":                   {0, 1, 3, 4},
		`"chest pain"`:            {0, 1, 3, 4}, // row 2 has both words, not the phrase
		"chest pain":              {0, 1, 2, 3, 4},
		"fever pneumonia":         {0}, // one in the question, one in the reply
		"fever -pneumonia":        {1, 3, 4},
		"-fever":                  {2},
		`-"chest pain" chest`:     {2},
		"naive":                   {2},
		"β-blocker":               {4},
		"NOT":                     {4}, // a word like any other
		"fever OR rash":           nil,
		"fever*":                  {0, 1, 3, 4},
		"words:fever":             nil, // no column can be named: the phrase "words fever"
		`"fever`:                  {0, 1, 3, 4},
		`fever" OR "rash`:         nil,
		"NEAR(chest pain)":        nil,
		"- -- \"\" !!":            {0, 1, 2, 3, 4},
		"nothing has this":        nil,
		"'; DROP TABLE reply; --": nil,
	} {
		found, err := x.find(t.Context(), text, 5)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got []int
		for i := range 5 {
			if found.has(i) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is found in %v, want %v", text, got, want)
		}
	}
}

// Whatever is typed, it is no error of the engine.
func TestAnyTextCanBeLookedFor(t *testing.T) {
	x := textsOf(t, asked)
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.SampledFrom([]rune(`"-*:(){}^+ab' `+"\n")), 0, 40, -1)).Draw(r, "text")
		if _, err := x.find(t.Context(), text, 5); err != nil {
			r.Fatalf("%q: %v", text, err)
		}
	})
}

// Texts around the ends of stretches: a stretch is looked through by itself, and a subject may reach over its end.
func TestTextsAcrossStretches(t *testing.T) {
	const rows = 2*stretch + 70
	x := textsOf(t, []Text{
		{Item: "q1", Asked: "fever", First: 0, Replies: []string{"pain", "rash"}},
		{Item: "q2", Asked: "cough", First: stretch - 2, Replies: []string{"rash", "pain", "pain", "rash", "rash pain"}},
		{Item: "q1", Asked: "fever", First: 2*stretch - 1, Replies: []string{"pain", "pain", ""}},
		{Item: "q2", Asked: "cough", First: rows - 1, Replies: []string{"pain"}},
	})
	for text, want := range map[string][]int{
		"pain":        {0, stretch - 1, stretch, stretch + 2, 2*stretch - 1, 2 * stretch, rows - 1},
		"pain -rash":  {0, stretch - 1, stretch, 2*stretch - 1, 2 * stretch, rows - 1},
		"rash pain":   {stretch + 2},
		"fever":       {0, 1, 2*stretch - 1, 2 * stretch, 2*stretch + 1},
		"cough rash":  {stretch - 2, stretch + 1, stretch + 2},
		"-rash cough": {stretch - 1, stretch, rows - 1},
	} {
		found, err := x.find(t.Context(), text, rows)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for i := range len(found) * 64 {
			if found.has(i) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is found in %v, want %v", text, got, want)
		}
	}
}

// What was looked for in vain, for its reader went away, is not taken for what was found.
func TestASearchThatIsBrokenOff(t *testing.T) {
	x := textsOf(t, asked)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.find(gone, "fever", 5); !errors.Is(err, context.Canceled) {
		t.Errorf("a search of nobody: %v", err)
	}
	if found, err := x.find(t.Context(), "fever", 5); err != nil || !found.has(0) || found.has(2) {
		t.Errorf("the same search again: %v %v", found, err)
	}
}

func TestTextsThatAreNotThere(t *testing.T) {
	var none *Texts
	if _, err := none.find(t.Context(), "fever", 5); !errors.Is(err, ErrNoTexts) {
		t.Errorf("no full text: %v", err)
	}
	if _, err := OpenTexts(filepath.Join(t.TempDir(), "texts.db"), "these"); !errors.Is(err, ErrStale) {
		t.Errorf("no file: %v", err)
	}
	path := filepath.Join(t.TempDir(), "texts.db")
	if err := aside(t.Context(), path, "CREATE TABLE about (of TEXT NOT NULL)", func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO about VALUES (?)", format+" these")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenTexts(path, "these"); !errors.Is(err, ErrStale) {
		t.Errorf("a file without its tables: %v", err)
	}
	found, err := textsOf(t, asked).find(t.Context(), "fever", 2) // fewer rows than the texts are of
	if err != nil || !found.has(1) || found.has(3) || found.has(300) {
		t.Errorf("%v %v", found, err)
	}
}
