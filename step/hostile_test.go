package step

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss"
)

// hostile are long texts that consist of what the rules look for, and of nothing else.
func hostile() map[string]string {
	var numbered strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&numbered, "Step %d: He coughs %d mg.\n", i+1, i)
	}
	out := map[string]string{"steps": numbered.String(), "a word": strings.Repeat("x", 300_000)}
	for name, s := range map[string]string{"words": "word ", "stars": "**", "brackets": "((((", "dots": ". ", "code": "```\n", "numbers": "1. ", "table": "|a|b|\n", "hedges": "I think perhaps, ",
		"sums": "2 + 2 = 5, ", "latex": `\text{`, "tags": "<b>", "times": "3 × ", "sides": "left right 50-year-old man woman ", "marker": "Step ", "openers": "Well, so, ", "control": "\x1b[2J\u202e\x00"} {
		out[name] = strings.Repeat(s, 100_000/len(s))
	}
	return out
}

// No chain keeps a step audit busy for long: what is done with it grows about as it does. A bound of seconds leaves room for a
// busy machine; what grew with the square took minutes.
func TestHostileChains(t *testing.T) {
	q := percuss.Question{Stem: "A 50-year-old man coughs.", Options: []percuss.Option{{Label: "A", Text: "Flu"}}}
	style := DefaultStyle()
	for name, text := range hostile() {
		for what, do := range map[string]func() string{
			"markers": func() string { return joinedSpans(text, Markers) }, "sentence": func() string { return joinedSpans(text, Sentence) },
			"paragraph": func() string { return joinedSpans(text, Paragraph) }, "normalise": func() string { style.Normalise(text); return text },
			"hedges": func() string { style.Hedged(text); return text }, "checks": func() string { Check(q, nil, text); return text },
			"features": func() string { features(text); return text },
		} {
			begun := time.Now()
			if do() != text {
				t.Errorf("%s of %s: the steps are not the whole chain", what, name)
			}
			if took := time.Since(begun); took > 10*time.Second {
				t.Errorf("%s of %s took %v", what, name, took)
			}
		}
	}
}

// joinedSpans are all steps of a chain, one after the other.
func joinedSpans(text string, by Segmentation) string {
	var b strings.Builder
	for _, s := range Segment(text, by) {
		b.WriteString(s.In(text))
	}
	return b.String()
}

// FuzzStyle: a file of style is read or refused; what is read normalises any step to what it leaves as it is.
func FuzzStyle(f *testing.F) {
	f.Add(string(BuiltInStyle()), "**Step 2:** I think, perhaps, 2 mg.")
	f.Add("name: a\nopeners: ['so,', so so]\nphrases: [ok]\nhedges: [may]\n", "So, so so. Ok. 1. (2) May")
	f.Add("name: a\nopeners: [so]\nphrases: [ok]\nhedges: ['!']\n", "")
	f.Add("openers: {}", "\xff")
	f.Fuzz(func(t *testing.T, file, step string) {
		s, err := LoadStyle(strings.NewReader(file), "fuzzed.yaml")
		if err != nil {
			if !strings.Contains(err.Error(), "fuzzed.yaml") {
				t.Errorf("an error without the file's name: %v", err)
			}
			return
		}
		plain := s.Normalise(step)
		if again := s.Normalise(plain); again != plain {
			t.Errorf("%q becomes %q, and that %q", step, plain, again)
		}
		s.Hedged(step)
	})
}
