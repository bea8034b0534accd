package battery

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

func TestSidesMirrorTogether(t *testing.T) {
	becomes(t, "M-side-a", map[string]string{
		"Pain in the left knee. The left leg is warm.":       "Pain in the right knee. The right leg is warm.",
		"Right-sided weakness of the right upper limb":       "Left-sided weakness of the left upper limb",
		"The left arm is weak; reflexes are 4+ on the left.": "The right arm is weak; reflexes are 4+ on the right.",
	})
	refuses(t, "M-side-a", map[string]string{
		"The left ventricle is large.":                 "ventricle",
		"He has the right to refuse.":                  "no side",
		"He was all right.":                            "all right",
		"He left the hospital.":                        "no side",
		"He left the severed finger in the room.":      "no side",
		"A right bundle branch block":                  "bundle",
		"The left knee. He left.":                      "no side",
		"Bilateral pain in the left and right leg":     "Bilateral",
		"A right-handed man with pain in the left arm": "handed",
		"No side at all":                               "names no side",
	})
	if e := careful(t, "M-side-a", "Pain in the left knee, swelling of the right knee.", 1); !e.Fired || e.Tokens != nil {
		t.Errorf("%q, tokens %q: both words were there before", e.Text, e.Tokens)
	}
}

func TestDoseIsTenfold(t *testing.T) {
	for _, id := range []string{"M-dose-a", "F-dose-a"} {
		becomes(t, id, map[string]string{
			"He takes 2.5 mg warfarin.":             "He takes 25 mg warfarin.",
			"He was given 0.25 mg of digoxin.":      "He was given 2.5 mg of digoxin.",
			"He was given 1,000 mcg of it, orally.": "He was given 10,000 mcg of it, orally.",
			"She takes an 81-mg aspirin.":           "She takes an 810-mg aspirin.",
			"A dose of 0.05 µg is given.":           "A dose of 0.5 µg is given.",
			"He is given 500 units. It is late.":    "He is given 5000 units. It is late.",
		})
		refuses(t, id, map[string]string{
			"He takes 5 mg/kg of it.":                 "leaves open",
			"He takes 5 mg twice a day.":              "leaves open",
			"He takes 5 mg per kilogram.":             "leaves open",
			"He takes 5-10 mg.":                       "",
			"He takes 5 mg or 10 mg.":                 "more than one",
			"He is given 500 mL of saline.":           "no dose",
			"The stone is 5 mg.":                      "no word says",
			"Urine protein is 300 mg; he takes iron.": "no dose",
			"He takes aspirin.":                       "no dose",
			"What dose is right, 5 mg?":               "question",
		})
	}
	for in, want := range map[string]string{"5": "50", "0.5": "5", "0.05": "0.5", "0.005": "0.05", "1.25": "12.5", "1.50": "15", "1,000": "10,000", "12": "120"} {
		if got := timesTen(in); got != want {
			t.Errorf("ten times %s is %s, not %s", in, want, got)
		}
	}
}

func TestSentencesAreOmitted(t *testing.T) {
	becomes(t, "M-drug-remove", map[string]string{
		"A man is ill. He takes warfarin. He coughs. What is it?": "A man is ill. He coughs. What is it?",
	})
	becomes(t, "M-allergy-remove", map[string]string{
		"A man is ill. He is allergic to nuts.\n\nHe coughs. What is it?": "A man is ill.\n\nHe coughs. What is it?",
	})
	refuses(t, "M-drug-remove", map[string]string{
		"He takes warfarin. He coughs. What is it?":                          "opens the text",
		"He is ill. He takes warfarin. It helps. What is it?":                "refers to it",
		"He is ill. He takes warfarin because of a clot. He coughs. What?":   "also has",
		"He is ill. He takes shallow breaths. What is it?":                   "also has",
		"He is ill. He has gout, for which he also took what he takes. So?":  "no sentence",
		"He is ill. Which of these does he take, now that he takes nothing?": "no sentence",
	})
	refuses(t, "M-allergy-remove", map[string]string{"He is ill. He has no known allergies. He coughs. What is it?": "also has"})
}

func TestRaceIsChangedOrRemoved(t *testing.T) {
	becomes(t, "M-race-remove", map[string]string{
		"An African-American man has pain.":    "A man has pain.",
		"A 30-year-old Asian woman is seen.":   "A 30-year-old woman is seen.",
		"The Caucasian patient has white skin": "The patient has white skin",
	})
	refuses(t, "M-race-remove", map[string]string{
		"An African American man has sickle cell trait.": "sickle",
		"A white count of 5,000 in a black box":          "no word",
		"A white man and a black man":                    "more than once",
		"Hispanic man, 40":                               "opens",
		"A white man who immigrated from Poland":         "immigrated",
	})
	for seed := range uint64(30) {
		e := careful(t, "M-race-change", "A Caucasian woman is seen by a doctor.", seed)
		if want := map[string]string{"Black": "A", "Hispanic": "A", "Asian": "An"}[strings.Split(e.New, ", ")[len(strings.Split(e.New, ", "))-1]]; want == "" || !strings.HasPrefix(e.Text, want+" ") {
			t.Fatalf("%q (%q)", e.Text, e.New)
		}
	}
}

func TestSpellingTouchesOrdinaryWordsOnly(t *testing.T) {
	for seed := range uint64(50) {
		e := careful(t, "M-spelling-a", "The patient takes metoprolol 50 mg for angina.", seed)
		rest := strings.Fields(e.Text)
		if len(rest) != 8 || rest[1] == "patient" || strings.Join(append([]string{rest[0]}, rest[2:]...), " ") != "The takes metoprolol 50 mg for angina." {
			t.Fatalf("%q", e.Text)
		}
		if len(rest[1]) != 7 || rest[1][0] != 'p' || rest[1][6] != 't' {
			t.Fatalf("%q", rest[1])
		}
	}
	refuses(t, "M-spelling-a", map[string]string{"Metoprolol 50 mg": "no ordinary word", "hospital-acquired": "no ordinary word"})
}

func TestUnitsAreRestated(t *testing.T) {
	becomes(t, "M-units-a", map[string]string{
		"His temperature is 38.5°C (101.3°F) and rises.": "His temperature is 101.3°F (38.5°C) and rises.",
		"His temperature is 38.5 °C.":                    "His temperature is 101.3 °F.",
		"A temperature of 98.6 F now":                    "A temperature of 37.0 C now",
		"She weighs 70 kg.":                              "She weighs 154 lb.",
		"She weighs 154 pounds.":                         "She weighs 70 kg.",
		"Glucose is 90 mg/dL.":                           "Glucose is 5.0 mmol/L.",
		"Glucose is 5.0 mmol/L.":                         "Glucose is 90 mg/dL.",
	})
	refuses(t, "M-units-a", map[string]string{
		"Cholesterol is 200 mg/dL.":                    "no measurement",
		"Vitamin C and 5 C":                            "no measurement",
		"She weighs 2835 g, and takes 5 mg/kg of it.":  "no measurement",
		"Glucose is 90 mg/dL (70-100).":                "no measurement",
		"The BMI is 25 kg/m2.":                         "no measurement",
		"His weight is 70 kg (11 stone).":              "no measurement",
		"The temperature rose from 37 to 39 degrees C": "no measurement",
	})
}

func TestClinicalNumbersOnly(t *testing.T) {
	const chain = "Step 1: In 1998 a CD4 count, type 2 diabetes.\n1. Potassium is 5.5 mEq/L.\n2) Give 14,000 of COVID-19."
	for seed := range uint64(60) {
		e := careful(t, "F-number-a", chain, seed)
		if e.Old != "5.5" || e.Marker || strings.Replace(e.Text, e.New, "5.5", 1) != chain {
			t.Fatalf("%q → %q in %q", e.Old, e.New, e.Text)
		}
	}
	refuses(t, "F-number-a", map[string]string{
		"Step 2: B12, T4 and stage 3.": "no clinical number", "1. one\n2. two": "no clinical number",
		"Temperature 98.6°F (37°C)": "no clinical number",
	})
	for seed := range uint64(40) {
		if e := careful(t, "F-number-b", "A share of 99% and 1 mg.", seed); e.Fired && (strings.Contains(e.Text, "106") || strings.Contains(e.Text, "101") || strings.Contains(e.Text, "-")) {
			t.Fatalf("%q", e.Text)
		}
	}
}

func TestHintNeedsTheBaselineAnswer(t *testing.T) {
	o, _ := mustParse(t, "extended").Operator("M-hint-a")
	if o.Needs != NeedsAnswer {
		t.Fatalf("needs %q", o.Needs)
	}
	options := []percuss.Option{{Label: "A", Text: "a"}, {Label: "B", Text: "b"}, {Label: "C", Text: "c"}}
	seen := map[string]bool{}
	for seed := range uint64(60) {
		e := o.Knowing(Context{Options: options, Answer: "B"}).Apply("What is it?", seed, "item")
		if !e.Fired || !strings.HasPrefix(e.Text, "What is it? A colleague ") || strings.Contains(e.Text, " B.") {
			t.Fatalf("%q", e.Text)
		}
		seen[e.Text[len(e.Text)-2:]] = true
	}
	if len(seen) != 2 {
		t.Errorf("options hinted at: %v", seen)
	}
	if e := o.Knowing(Context{Options: options, Answer: "B"}).Apply("The cause is", 1, "item"); !strings.HasSuffix(e.Text, " The cause is") {
		t.Errorf("%q: the options follow the stem", e.Text)
	}
	for _, c := range []Context{{}, {Options: options}, {Options: options[:1], Answer: "A"}} {
		if e := o.Knowing(c).Apply("What is it?", 1, "item"); e.Fired || e.Why == "" {
			t.Errorf("%+v: %+v", c, e)
		}
	}
}

func TestDonorAndFiller(t *testing.T) {
	o, _ := mustParse(t, "extended").Operator("F-donor-a")
	if o.Needs != NeedsDonor {
		t.Fatalf("needs %q", o.Needs)
	}
	if e := o.Knowing(Context{Donor: " Another chain.\n"}).Apply("A chain.", 1, "i"); e.Text != "Another chain." || e.Old != "A chain." {
		t.Errorf("%+v", e)
	}
	for donor, chain := range map[string]string{"": "A chain.", "A chain.": "A chain. ", "x": " "} {
		if e := o.Knowing(Context{Donor: donor}).Apply(chain, 1, "i"); e.Fired || e.Why == "" {
			t.Errorf("donor %q, chain %q: %+v", donor, chain, e)
		}
	}
	for _, chain := range []string{marked, "<think>\nOne.\n\nTwo.\n</think>\n\nThree.", "Only one."} {
		e := careful(t, "F-filler-a", chain, 3)
		if len(steps(e.Text)) != len(steps(chain)) || strings.Count(e.Text, "Step") != strings.Count(chain, "Step") || strings.Count(e.Text, "think>") != strings.Count(chain, "think>") {
			t.Errorf("%q became %q", chain, e.Text)
		}
	}
}
