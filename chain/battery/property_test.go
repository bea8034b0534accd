package battery

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss/clinical"
	"pgregory.net/rapid"
)

// The properties are checked on the same texts every time: what fails here fails everywhere.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.seed"); f.Value.String() == "0" {
		if err := f.Value.Set("20240601"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// chainText draws chains of steps, some marked, some with a reasoning block.
func chainText(t *rapid.T) string {
	word := rapid.SampledFrom([]string{"we", "fever", "and", "chills", "because", "2.5", "Step", "10", "thus", "mild", "é", "sum", "-", "first"})
	var steps []string
	for range rapid.IntRange(1, 6).Draw(t, "steps") {
		steps = append(steps, strings.Join(rapid.SliceOfN(word, 1, 9).Draw(t, "words"), " ")+".")
	}
	text := strings.Join(steps, rapid.SampledFrom([]string{"\n\n", "\n\nStep 1: ", " \n\n\n"}).Draw(t, "gap"))
	if rapid.Bool().Draw(t, "reasoning") {
		text = "<think>\n" + text + "\n</think>"
	}
	return text
}

func stemText(t *rapid.T) string {
	sentence := rapid.SampledFrom([]string{
		"A 45-year-old man presents with severe pain.", "He reports mild fever for the past 3 days.", "She has a history of gout.",
		"Temperature is 37.8 C.", "Which of the following is best?", "The boy was well until yesterday.", "Pulse is 80/min.",
		"What is the diagnosis?",
	})
	gap := rapid.SampledFrom([]string{" ", "\n\n", "  ", "\n"})
	text := ""
	for i := range rapid.IntRange(0, 8).Draw(t, "sentences") {
		if i > 0 {
			text += gap.Draw(t, "gap")
		}
		text += sentence.Draw(t, "sentence")
	}
	return text
}

// Whatever the text: an edit is repeatable, differs from the text when it fired, and gives a reason when it did not.
func TestEditsAreRepeatableAndReal(t *testing.T) {
	operators := mustParse(t, "paper").Operators
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom(operators).Draw(t, "operator")
		text := rapid.OneOf(rapid.Custom(chainText), rapid.Custom(stemText), rapid.String()).Draw(t, "text")
		seed, item := rapid.Uint64().Draw(t, "seed"), rapid.String().Draw(t, "item")
		e := o.Apply(text, seed, item)
		other := operators[rapid.IntRange(0, len(operators)-1).Draw(t, "other")]
		other.Apply(text, seed, item) // whatever was asked before
		if again := o.Apply(text, seed, item); again.Text != e.Text || again.Why != e.Why {
			t.Fatalf("%q, then %q", e.Text, again.Text)
		}
		if e.Fired == (e.Why != "") || e.Fired && e.Text == text {
			t.Fatalf("fired %t, why %q, text %q", e.Fired, e.Why, e.Text)
		}
	})
}

// Deleting, reordering and commuting keep every other word; inserting adds the note and nothing else.
func TestWordsOutsideTheEditStay(t *testing.T) {
	b := mustParse(t, "F4+F5+F7+M1+M3")
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom(b.Operators).Draw(t, "operator")
		text := chainText(t)
		if o.Block == M {
			text = stemText(t)
		}
		e := o.Apply(text, rapid.Uint64().Draw(t, "seed"), "item")
		if !e.Fired {
			t.Skip()
		}
		before, after := strings.Fields(text), strings.Fields(e.Text)
		switch o.Family {
		case "F4", "M3":
			before = append(before, strings.Fields(e.New)...)
		case "M1":
			after = append(after, strings.Fields(e.Old)...)
		case "F7": // punctuation moves to the other operand
			before, after = letters(text), letters(e.Text)
		}
		slices.Sort(before)
		slices.Sort(after)
		if !slices.Equal(before, after) {
			t.Fatalf("%s: %q became %q", o.ID, text, e.Text)
		}
	})
}

func letters(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !wordRune(r) })
}

// The text before and after the one replaced word or phrase is untouched.
func TestReplacementsAreLocal(t *testing.T) {
	b := mustParse(t, "F3+M2+M4+M5+M6")
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom(b.Operators).Draw(t, "operator")
		text := rapid.OneOf(rapid.Custom(chainText), rapid.Custom(stemText)).Draw(t, "text")
		e := o.Apply(text, rapid.Uint64().Draw(t, "seed"), "item")
		if !e.Fired {
			t.Skip()
		}
		for i := 0; i+len(e.Old) <= len(text); i++ {
			if text[i:i+len(e.Old)] == e.Old && text[:i]+e.New+text[i+len(e.Old):] == e.Text {
				return
			}
		}
		t.Fatalf("%s: %q became %q, said to be %q → %q", o.ID, text, e.Text, e.Old, e.New)
	})
}

// M1 removes one whole sentence, neither of the last two and not the one that asks.
func TestAblationRemovesOneSentence(t *testing.T) {
	b := mustParse(t, "M1")
	rapid.Check(t, func(t *rapid.T) {
		text := stemText(t)
		e := b.Operators[0].Apply(text, rapid.Uint64().Draw(t, "seed"), "item")
		if !e.Fired {
			t.Skip()
		}
		spans := clinical.Sentences(text)
		question := clinical.QuestionSentence(text, spans)
		want := map[string]bool{}
		for i, s := range spans {
			if i < len(spans)-2 && i != question {
				want[strings.TrimSpace(s.In(text))] = true
			}
		}
		if !want[e.Old] {
			t.Fatalf("%q lost %q", text, e.Old)
		}
		if strings.Count(e.Text, "\n\n") < strings.Count(text, "\n\n")-1 || strings.Contains(e.Text, " \n\n\n") {
			t.Fatalf("white space: %q became %q", text, e.Text)
		}
		if len(strings.Join(strings.Fields(e.Text), ""))+len(strings.Join(strings.Fields(e.Old), "")) != len(strings.Join(strings.Fields(text), "")) {
			t.Fatalf("%q became %q", text, e.Text)
		}
	})
}

// The inflected rule holds whenever the token rule does.
func TestInflectedRuleIsWider(t *testing.T) {
	b := mustParse(t, "M2+M4+M5")
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom(b.Operators).Draw(t, "operator")
		e := o.Apply(stemText(t), 1, "item")
		chain := rapid.OneOf(rapid.Custom(stemText), rapid.String()).Draw(t, "chain") + rapid.SampledFrom([]string{"", e.New}).Draw(t, "end")
		token, inflected, _ := o.Registers(e, chain)
		if token && !inflected {
			t.Fatalf("%s: %q registers %q, the inflected rule says no", o.ID, chain, e.Tokens)
		}
	})
}
