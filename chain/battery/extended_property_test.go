package battery

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"pgregory.net/rapid"
)

// carefulText draws vignettes that the careful operators find much in, with some strange signs among them.
func carefulText(t *rapid.T) string {
	sentence := rapid.SampledFrom([]string{
		"A 45-year-old man presents with severe abdominal pain.", "An 8-year-old boy has otitis.", "A 72-year-old Asian woman is seen.",
		"He reports nausea, cough, and chills but is calm.", "She denies vertigo or cough.", "She has no history of gout.", "He has a history of asthma.",
		"Serum sodium is 121 mEq/L.", "Platelet count 200,000/mm3.", "His temperature is 38.5°C (101.3°F).", "She weighs 70 kg.",
		"The left knee is warm.", "Pain is on the right.", "He left the room.", "He takes 2.5 mg warfarin.", "He takes metoprolol.", "She is allergic to nuts.",
		"Acute onset of cough.", "Her mother brought her here.", "It was his; she told him.", "Ünïcode — “quoted” text, é.", "Which of the following is best?", "What is it?",
	})
	gap := rapid.SampledFrom([]string{" ", "\n", "\n\n"})
	text := ""
	for i := range rapid.IntRange(1, 7).Draw(t, "sentences") {
		if i > 0 {
			text += gap.Draw(t, "gap")
		}
		text += sentence.Draw(t, "sentence")
	}
	return text
}

// wrongArticle finds an article before a number that it does not agree with.
var wrongArticle = regexp.MustCompile(`(?i)\b(?:a (?:8\d?|11|18)-year|an (?:[1-79]|1[02-79]|[2-79]\d)-year|a (?:acute|asian)\b|an (?:chronic|black|white|man|woman)\b)`)

// Whatever the text: an edit is repeatable, is valid text, doubles no space, keeps the articles in agreement, gives a
// reason where it was not made, and brings the tokens that it names.
func TestCarefulEditsKeepTheTextWhole(t *testing.T) {
	operators := mustParse(t, "extended").Operators
	known := Context{Options: []percuss.Option{{Label: "A", Text: "a"}, {Label: "B", Text: "b"}}, Answer: "A", Donor: "Step 1: other."}
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom(operators).Draw(t, "operator").Knowing(known)
		text := rapid.OneOf(rapid.Custom(carefulText), rapid.Custom(carefulText), rapid.Custom(chainText), rapid.String()).Draw(t, "text")
		seed, item := rapid.Uint64().Draw(t, "seed"), rapid.String().Draw(t, "item")
		e := o.Apply(text, seed, item)
		if again := o.Apply(text, seed, item); again.Text != e.Text || again.Why != e.Why {
			t.Fatalf("%q, then %q", e.Text, again.Text)
		}
		if e.Fired == (e.Why != "") || e.Fired && e.Text == text || !e.Fired && e.Text != "" {
			t.Fatalf("%s: fired %t, why %q, text %q", o.ID, e.Fired, e.Why, e.Text)
		}
		if !e.Fired {
			t.Skip()
		}
		if utf8.ValidString(text) && !utf8.ValidString(e.Text) {
			t.Fatalf("%s: %q is no text", o.ID, e.Text)
		}
		if o.Block == M && strings.Count(e.Text, "  ") > strings.Count(text, "  ") {
			t.Fatalf("%s doubles a space: %q", o.ID, e.Text)
		}
		if len(wrongArticle.FindAllString(e.Text, -1)) > len(wrongArticle.FindAllString(text, -1)) {
			t.Fatalf("%s: a wrong article in %q", o.ID, e.Text)
		}
		for _, token := range e.Tokens {
			if !newLexicon([]string{token}, nil).any(e.Text) {
				t.Fatalf("%s: token %q is not in %q", o.ID, token, e.Text)
			}
		}
	})
}

// What stands outside the changes is untouched, byte for byte, whatever they are.
func TestRewritingLeavesTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 40, -1).Draw(t, "text")
		cuts := rapid.SliceOfNDistinct(rapid.IntRange(0, len(text)), 0, 6, rapid.ID[int]).Draw(t, "cuts")
		slices.Sort(cuts)
		var f found
		want, pos := "", 0
		for i := 0; i+1 < len(cuts); i += 2 {
			to := rapid.SampledFrom([]string{"", "x", "new words"}).Draw(t, "to")
			f.changes = append(f.changes, change{span{Start: cuts[i], End: cuts[i+1]}, to})
			want += text[pos:cuts[i]] + to
			pos = cuts[i+1]
		}
		want += text[pos:]
		slices.Reverse(f.changes)
		e := rewriting(func(string, pick) found { return f })(text, pick{})
		if e.Fired != (want != text) || e.Fired && e.Text != want {
			t.Fatalf("%q became %q, want %q", text, e.Text, want)
		}
	})
	overlap := found{changes: []change{{span{Start: 0, End: 3}, "x"}, {span{Start: 2, End: 4}, "y"}}}
	if e := rewriting(func(string, pick) found { return overlap })("abcdef", pick{}); e.Fired || e.Why == "" {
		t.Errorf("overlapping changes: %+v", e)
	}
}

// Sex and side go back to where they came from, so that nothing was lost on the way.
func TestMirrorsOfMirrors(t *testing.T) {
	for _, id := range []string{"M-sex-a", "M-side-a"} {
		o, _ := mustParse(t, "extended").Operator(id)
		rapid.Check(t, func(t *rapid.T) {
			text := carefulText(t)
			e := o.Apply(text, 1, "item")
			if !e.Fired {
				t.Skip()
			}
			if back := o.Apply(e.Text, 1, "item"); back.Fired && back.Text != text {
				t.Fatalf("%s: %q became %q and then %q", id, text, e.Text, back.Text)
			}
		})
	}
}

// Every value that the table of laboratory limits can write lies beyond the limit, in every unit.
func TestEveryLaboratoryValueCrosses(t *testing.T) {
	analytes, err := standardLabs()
	if err != nil || len(analytes) < 15 {
		t.Fatal(len(analytes), err)
	}
	o, _ := mustParse(t, "M-lab").Operator("M-lab-a")
	for _, a := range analytes {
		for _, u := range a.Units {
			if err := a.check(); err != nil {
				t.Error(err)
			}
			for _, old := range append(append([]float64{(u.Low + u.High) / 2}, u.Below...), u.Above...) {
				checkCrossing(t, o, a, u, old)
			}
		}
	}
}
