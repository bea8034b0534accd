package simulated

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/judge"
	"github.com/percuss/percuss/step"
)

const kneeCase = "A 54-year-old man has had pain in his left knee for 3 days. He smokes.\n\nWhat is next?\n\nA. Rest of the woman\nB. X-ray of the right knee"

func TestStepLabel(t *testing.T) {
	for text, want := range map[string]string{
		"The patient is 54 years old.":                       "correct",
		"The patient is 64 years old.":                       "contradicts_case",
		"The patient is male.":                               "correct",
		"The patient is female.":                             "contradicts_case",
		"The text names the left knee.":                      "correct",
		"The text names the right knee.":                     "contradicts_case",
		"The text says that he smokes.":                      "correct",
		"The text says that the patient fell from a ladder.": "contradicts_case",
		"12 times 15 is 180.":                                "correct",
		"12 plus 15 is 28.":                                  "arithmetic",
		"15 minus 12 is 3.":                                  "correct",
		"Insulin raises the glucose in the blood.":           "factual",
		"One symptom proves the disease.":                    "unsupported",
		"We look at the options one by one.":                 "abstain",
		"Step 3: I think that **the patient is 64 years old.** Let me double-check.": "contradicts_case",
		"2. **Okay, so it seems that the patient is male.**":                         "correct",
		"The patient is male. 12 plus 15 is 28. The liver makes albumin.":            "arithmetic",
		"The patient is female. Ticks carry malaria.":                                "factual",
		"The person treated is 64 years of age.":                                     "contradicts_case",
		"The patient is male. He needs rest.":                                        "correct",
		"He needs rest.":                                                             "",
		"He needs rest. Let's think step by step.":                                   "",
		"": "",
	} {
		if got, known := StepLabel(kneeCase, text); got != want || known != (want != "") {
			t.Errorf("%q is %q (%t), want %q", text, got, known, want)
		}
	}
}

// No sentence of the tables hedges, is talk of a model, or is changed by the normaliser; a paraphrase keeps what is known.
func TestTheSentencesOfTheTables(t *testing.T) {
	style, rubric := step.DefaultStyle(), judge.DefaultSteps()
	var all []string
	for _, c := range slices.Concat(general, inferences) {
		all = append(all, c.right, c.wrong)
	}
	for _, f := range invented {
		all = append(all, "The text says that "+f+".")
	}
	for _, s := range slices.Concat(all, unclaimed[:3]) {
		if got := style.Normalise(s); got != s || style.Hedged(s) || len(clinical.Sentences(s)) != 1 {
			t.Errorf("%q becomes %q; it hedges: %t", s, got, style.Hedged(s))
		}
		for _, o := range slices.Concat(hedging, opening) {
			if got := style.Normalise(o + " " + lowerFirst(s)); got != s {
				t.Errorf("%q before %q leaves %q", o, s, got)
			}
		}
		want, known := StepLabel(kneeCase, s)
		r := rubric.Paraphrase(s, "p")
		other := policy{}.paraphrase(r).Text
		if got, _ := StepLabel(kneeCase, other); !known || got != want || other == s {
			t.Errorf("%q, which is %q, is put as %q, which is %q", s, want, other, got)
		}
	}
	for _, s := range slices.Concat(unclaimed[3:], talk) {
		if got := style.Normalise(s); got != "" {
			t.Errorf("%q leaves %q", s, got)
		}
	}
	for _, h := range hedging {
		if !style.Hedged(h + " he smokes") {
			t.Errorf("%q does not hedge", h)
		}
	}
	for _, o := range append(slices.Concat(opening, talk), reworded) {
		if style.Hedged(o + " he smokes") {
			t.Errorf("%q hedges", o)
		}
	}
}

// Rewordings can be undone: no word of one stands in another.
func TestRewordingsAreReversible(t *testing.T) {
	for _, a := range rewording {
		for _, b := range rewording {
			if stands(strings.Fields(b[1]), strings.Fields(a[0])) || a != b && (stands(strings.Fields(b[1]), strings.Fields(a[1])) || a[0] == b[0]) {
				t.Errorf("%q and %q", a, b)
			}
		}
	}
}
