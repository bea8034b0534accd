package index

import (
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

func TestTextsThatAreNotThere(t *testing.T) {
	var none *Texts
	if _, err := none.find(t.Context(), "fever", 5); !errors.Is(err, ErrNoTexts) {
		t.Errorf("no full text: %v", err)
	}
	if _, err := OpenTexts(filepath.Join(t.TempDir(), "texts.db"), "these"); !errors.Is(err, ErrStale) {
		t.Errorf("no file: %v", err)
	}
	found, err := textsOf(t, asked).find(t.Context(), "fever", 2) // fewer rows than the texts are of
	if err != nil || !found.has(1) || found.has(3) || found.has(300) {
		t.Errorf("%v %v", found, err)
	}
}
