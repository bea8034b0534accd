package chain

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const cleanStem = "A 45-year-old man presents with an hour of chest pain. He is a unique smoker. What is the diagnosis?"

// Each edited text leaves the trace that it names, and only that one, besides words and sentences.
func TestSurfaceSeesWhatAnEditLeaves(t *testing.T) {
	clean := surfaceOf(cleanStem)
	for _, c := range []struct {
		old, new string
		feature  int
		count    float64
	}{
		{"A 45-year-old", "A 80-year-old", wrongArticle, 1},
		{"A 45-year-old", "A 8-year-old", wrongArticle, 1},
		{"A 45-year-old", "An 45-year-old", wrongArticle, 1},
		{"A 45-year-old", "A 18-year-old", wrongArticle, 1},
		{"an hour", "a hour", wrongArticle, 1},
		{"a unique", "an unique", wrongArticle, 1},
		{"chest pain", "chest  pain", doubleSpace, 1},
		{"chest pain", "chest    pain", doubleSpace, 1},
		{"chest pain.", "chest pain .", spaceBeforeMark, 1},
		{"chest pain.", "chest pain,.", doubleMark, 1},
		{"chest pain.", "chest, pain,, sweat.", doubleMark, 1},
		{"pain. He", "pain.He", joinedSentences, 1},
		{". He is", "? he is", smallBeginning, 1},
		{"hour of chest pain. He", "hour of chest ache. he", smallBeginning, 1},
		{"A 45-year-old man", "the 45-year-old man", smallBeginning, 1},
		{"presents with", "presents presents with", repeatedWord, 1},
		{"A 45-year-old man presents with", "Here is", noPatient, 1},
		{"presents with", "does not present with", negations, 1},
	} {
		if !strings.Contains(cleanStem, c.old) {
			t.Fatalf("%q is not in the stem", c.old)
		}
		got := surfaceOf(strings.Replace(cleanStem, c.old, c.new, 1))
		for i := range got {
			want := clean[i]
			if i == c.feature {
				want = c.count
			}
			if i < wordCount && got[i] != want {
				t.Errorf("%q for %q: %s is %v, want %v", c.new, c.old, SurfaceFeatures()[i], got[i], want)
			}
		}
	}
	for i, want := range map[int]float64{wordCount: 19, sentenceCount: 3} {
		if clean[i] != want {
			t.Errorf("%s of the clean stem: %v, want %v", SurfaceFeatures()[i], clean[i], want)
		}
	}
	for i, v := range clean[:wordCount] {
		if v != 0 {
			t.Errorf("the clean stem has %v of %q", v, SurfaceFeatures()[i])
		}
	}
}

// What is right, or can be said either way, is no trace.
func TestSurfaceLeavesGoodTextAlone(t *testing.T) {
	for _, s := range []string{
		"An 80-year-old woman has a European passport and an honest face.", "The man has an MRI and a CT. A NSTEMI is seen.",
		"A 110-year-old man ate a used orange ... and an apple.", "Is the patient ill?! He had an x-ray.",
		"A patient was given 3.5 mg b.i.d. vs. placebo.", "An 11-month-old boy; an 18-month-old girl.",
	} {
		got := surfaceOf(s)
		for i, v := range got[:wordCount] {
			if v != 0 {
				t.Errorf("%q has %v of %q", s, v, SurfaceFeatures()[i])
			}
		}
	}
}

func TestSurfaceOfAnything(t *testing.T) {
	if got, want := len(surfaceOf("")), len(SurfaceFeatures()); got != want {
		t.Fatalf("%d features of an empty text, %d names", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("aA. ,8an"))))
		for i, v := range surfaceOf(text.Draw(t, "text")) {
			if math.IsNaN(v) || v < 0 {
				t.Fatalf("%s is %v", SurfaceFeatures()[i], v)
			}
		}
	})
}

func BenchmarkSurface(b *testing.B) {
	text := strings.Repeat(cleanStem+" ", 8)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		surfaceOf(text)
	}
}
