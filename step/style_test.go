package step_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss/step"
)

func TestNormalise(t *testing.T) {
	s := step.DefaultStyle()
	for in, want := range map[string]string{
		"**Step 2: Fever.** I think that he has a *viral* infection.":       "Fever. He has a *viral* infection.",
		"### Step 3 - Diagnosis\n- **Likely cause**: influenza":             "Diagnosis. Likely cause: influenza.",
		"2. Okay, so it seems that the potassium is low.":                   "The potassium is low.",
		"(3) maybe he is 3.5 kg heavier":                                    "He is 3.5 kg heavier.",
		"3.5 mg is the dose.":                                               "3.5 mg is the dose.",
		"1.No evidence of pneumonia.":                                       "No evidence of pneumonia.",
		"Right heart failure is present. First-line therapy is a diuretic.": "Right heart failure is present. First-line therapy is a diuretic.",
		"First, we look at the skin. Second heart sound is split.":          "We look at the skin. Second heart sound is split.",
		"I don't think that he has a fever.":                                "I don't think that he has a fever.",
		"It is unlikely that this is cancer.":                               "It is unlikely that this is cancer.",
		"Let's think step by step.":                                         "",
		"<think>\nOkay. Let me think about each option.":                    "",
		"Step 4:":                                         "",
		"It looks like a vesicular rash.":                 "It looks like a vesicular rash.",
		"It looks like the patient has a rash.":           "The patient has a rash.",
		"It looks like a rash that is vesicular.":         "It looks like a rash that is vesicular.",
		"It seems infected, and he is ill.":               "It seems infected, and he is ill.",
		"It seems he needs surgery.":                      "He needs surgery.",
		"It seems like it's viral.":                       "It's viral.",
		"I think so.":                                     "I think so.",
		"I think metformin causes acidosis.":              "Metformin causes acidosis.",
		"I think that is wrong.":                          "That is wrong.",
		"I think that's wrong.":                           "That's wrong.",
		"I recall, the spleen is large.":                  "The spleen is large.",
		"I remember reading that zinc is toxic.":          "I remember reading that zinc is toxic.",
		"I remember that zinc is toxic.":                  "Zinc is toxic.",
		"Let me check the potassium of 3.1.":              "Let me check the potassium of 3.1.",
		"Let me see, the potassium is low.":               "The potassium is low.",
		"So far, no fever. So he is well.":                "So far, no fever. He is well.",
		"So as far as I know, he is well.":                "He is well.",
		"So as to be sure, he was seen.":                  "So as to be sure, he was seen.",
		"Also known as shingles.":                         "Also known as shingles.",
		"Apparently healthy children were seen.":          "Apparently healthy children were seen.",
		"Let's think step by step like a medical expert.": "",
		"Let's think step by step: the rash is old.":      "Let's think step by step: the rash is old.",
		"---":                             "",
		"pH is 7.2, so the blood is acid": "pH is 7.2, so the blood is acid.",
		"Therefore, the answer is \\boxed{\\text{B}}":                           "The answer is B.",
		"He said “no” — it’s nothing…":                                          `He said "no" - it's nothing...`,
		"- fever\n- cough\n  1) dry":                                            "Fever. Cough. Dry.",
		"| Na | 140 |":                                                          "Na | 140.",
		"See [the guideline](https://example.org/x) for more.":                  "See the guideline for more.",
		"Wait, no, the age is 40.":                                              "No, the age is 40.",
		"Based on this analysis, the cause is a virus. Based on this, rest.":    "Based on this analysis, the cause is a virus. Rest.",
		"However, the rash is absent.":                                          "However, the rash is absent.",
		"So so he is ill. Maybe perhaps it is viral.":                           "He is ill. It is viral.",
		"Vitamin B12 is low; the patient may have pernicious anaemia, I think.": "Vitamin B12 is low; the patient may have pernicious anaemia, I think.",
	} {
		if got := s.Normalise(in); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

// Normalising twice changes nothing, and every number and negation of the step stays.
func TestNormaliseIsStable(t *testing.T) {
	s := step.DefaultStyle()
	bits := []string{"Step 1: ", "2. ", "(3) ", "- ", "**", "I think ", "It looks like ", "that ", "It seems ", "far ", "a rash ", "So, ", "so ", "Maybe ", "he ", "is ", "not ", "ill", ". ", ", ", "3.5 mg ", "40", "\n", "### ", "<think>", "— ", "’s ", "\\boxed{B}", "|", "Let's think step by step. ", "pH ", "\"", "("}
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOfN(rapid.SampledFrom(bits), 0, 20).Draw(t, "bits"), "")
		once := s.Normalise(in)
		if twice := s.Normalise(once); twice != once {
			t.Fatalf("%q becomes %q and then %q", in, once, twice)
		}
		if a, b := strings.Count(in, "not "), strings.Count(once+" ", "not")+strings.Count(once, "Not"); a > b {
			t.Fatalf("%q becomes %q: a negation is gone", in, once)
		}
	})
}

func TestHedged(t *testing.T) {
	s := step.DefaultStyle()
	for text, want := range map[string]bool{
		"It may be viral.": true, "This SUGGESTS anaemia.": true, "I think so": true, "He came in May 2010.": false, "May he be ill?": true,
		"He is ill.": false, "The mayor is ill.": false, "Mighty and couldn't": false, "The result is not certain.": true, "A likely cause": true, "": false,
	} {
		if got := s.Hedged(text); got != want {
			t.Errorf("%q is hedged: %t, want %t", text, got, want)
		}
	}
}

func TestLoadStyleRefuses(t *testing.T) {
	good := string(step.BuiltInStyle())
	for _, c := range []struct{ old, now, says string }{
		{"name: style-2", "title: style-2", "title"},
		{"name: style-2\n", "", "name is missing"},
		{"  - I think that\n", "  - \"...\"\n", "has no word"},
	} {
		bad := strings.Replace(good, c.old, c.now, 1)
		if bad == good {
			t.Fatalf("%q is not in the file", c.old)
		}
		if _, err := step.LoadStyle(strings.NewReader(bad), "mine.yaml"); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "mine.yaml") {
			t.Errorf("with %q: %v, want an error that names the file and %q", c.now, err, c.says)
		}
	}
}
