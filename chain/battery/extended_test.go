package battery

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/percuss/percuss"
)

// careful applies an operator of the extended battery.
func careful(t *testing.T, id, text string, seed uint64) Edit {
	t.Helper()
	o, ok := mustParse(t, "extended").Operator(id)
	if !ok {
		t.Fatal("no operator", id)
	}
	return o.Apply(text, seed, "item")
}

// refuses checks that none of some texts is edited, and that the reason says what stood in the way.
func refuses(t *testing.T, id string, texts map[string]string) {
	t.Helper()
	for text, why := range texts {
		if e := careful(t, id, text, 1); e.Fired || !strings.Contains(e.Why, why) {
			t.Errorf("%s on %q: fired %t (%q), why %q; want a refusal: %q", id, text, e.Fired, e.Text, e.Why, why)
		}
	}
}

// becomes checks edits that leave no choice.
func becomes(t *testing.T, id string, texts map[string]string) {
	t.Helper()
	for text, want := range texts {
		for _, seed := range []uint64{1, 2} {
			if e := careful(t, id, text, seed); e.Text != want {
				t.Errorf("%s on %q: %q (%s), want %q", id, text, e.Text, e.Why, want)
			}
		}
	}
}

func TestSexIsCarriedThrough(t *testing.T) {
	becomes(t, "M-sex-a", map[string]string{
		// Faults reported of other programs: borders, pieces of words, one rule undoing another.
		"He denies pain, but he limps. The patient is male":      "She denies pain, but she limps. The patient is female",
		"A man from Manchester received human albumin.":          "A woman from Manchester received human albumin.",
		"A WOMAN. Her pain bothers her when SHE walks.":          "A MAN. His pain bothers him when HE walks.",
		"The nurse gave her a drug, for it was hers.":            "The nurse gave him a drug, for it was his.",
		"A friend of his, he says. It pleases him.":              "A friend of hers, she says. It pleases her.",
		"She hurt herself. Her mother brought her to the ward.":  "", // "brought her": mother and patient are of one sex
		"He hurt himself. His mother brought him to the ward.":   "She hurt herself. Her mother brought her to the ward.",
		"His father had colon cancer. The patient is well.":      "Her father had colon cancer. The patient is well.",
		"Two boys and three men were seen.":                      "Two girls and three women were seen.",
		"A 40-year-old gentleman — très malade — shows his arm.": "A 40-year-old lady — très malade — shows her arm.",
		"The history of the man in Chester, he said.":            "The history of the woman in Chester, she said.",
	})
	refuses(t, "M-sex-a", map[string]string{
		"A pregnant woman has pain.":                        "pregnant",
		"A man has an enlarged prostate.":                   "prostate",
		"A mother and her son are seen.":                    "may be the patient",
		"A man and a woman are ill.":                        "both sexes",
		"Mr. Jones says he is ill.":                         "title or name",
		"A man comes with his wife.":                        "a spouse",
		"A man has a block in the bundle of His.":           "title or name",
		"His father died when he was 50.":                   "unsure",
		"His father died. He was 50.":                       "unsure",
		"The patient has chest pain.":                       "no word of sex",
		"A fisherman has a sore hand, and he cannot sleep.": "fisherman",
		"The human heart and the humerus in Manchester":     "no word of sex",
	})
	e := careful(t, "M-sex-a", "A man. He shows his arm.", 1)
	if diff := cmp.Diff([]string{"woman", "she", "her"}, e.Tokens); diff != "" {
		t.Error(diff)
	}
}

func TestAgeIsCarriedThrough(t *testing.T) {
	for seed := range uint64(60) {
		for _, id := range []string{"M-age-a", "M-age-b"} {
			e := careful(t, id, "A 45-year-old man has chest pain. The 45 year old patient, aged 45, had surgery 20 years ago.", seed)
			if !e.Fired || strings.Contains(e.Text, "45") || strings.Count(e.Text, e.Tokens[0]) != 3 || len(e.Tokens) != 1 {
				t.Fatalf("%q, tokens %q, %s", e.Text, e.Tokens, e.Why)
			}
			if an := strings.HasPrefix(e.Text, "An "); an != (e.Tokens[0][0] == '8') {
				t.Fatalf("article: %q", e.Text)
			}
		}
	}
}

// The ages that a text may get are those that its words and figures bear.
func TestAgesThatSuitTheText(t *testing.T) {
	for text, ages := range map[string]string{
		"An 8-year-old boy has a rash.":                     "13 15 17",
		"A 14-year-old has a rash.":                         "4 6",
		"A retired teacher, a 45-year-old, has a rash.":     "79 84",
		"A 30-year-old woman with menopause at 29 years.":   "66 74 81",
		"A 70-year-old patient has had asthma for 25 years": "26 34",
		"A 65-year-old patient. Her 45-year-old mother.":    "23 26 34",
		"A 45-year-old patient is 82 kg.":                   "21 24 79 84",
		"A pregnant 35-year-old had surgery at age 20":      "",
	} {
		seen := map[string]bool{}
		for seed := range uint64(80) {
			e := careful(t, "M-age-a", text, seed)
			if !e.Fired {
				continue
			}
			if strings.Contains(text, "45-year-old mother") && !strings.Contains(e.Text, "45-year-old mother") {
				t.Fatalf("a relative's age was changed: %q", e.Text)
			}
			seen[e.Tokens[0]] = true
		}
		got := sortedKeys(seen)
		if want := slices.Sorted(slices.Values(strings.Fields(ages))); !slices.Equal(got, want) {
			t.Errorf("%q: ages %q, want %q", text, got, want)
		}
	}
	refuses(t, "M-age-a", map[string]string{
		"An 18-month-old boy has otitis media.":         "in month",
		"A 3-week-old is ill.":                          "in week",
		"An octogenarian, 84 years old, fell.":          "octogenarian",
		"A seventy-year-old man fell.":                  "in words",
		"The 45-year-old, now in her forties, is well.": "in words",
		"Her 45-year-old mother is well.":               "relatives",
		"A 45-year-old and a 50-year-old are ill.":      "two ages",
		"A 7-9 year old has a cough.":                   "range",
		"A 70yr old has a cough.":                       "together",
		"The patient has a cough.":                      "no age",
		"A 17-year-old pregnant patient in high school": "no age of the list",
		"A 4-year-old child weighs 18 kg.":              "no age of the list",
	})
}

func TestArticleAgrees(t *testing.T) {
	for word, an := range map[string]bool{"8": true, "11": true, "18": true, "80": true, "89": true, "800": true, "1": false, "10": false,
		"17": false, "81": true, "110": false, "118": false, "180": false, "7": false, "": false, "acute": true, "chronic": false, "Asian": true} {
		if vowelSound(word) != an {
			t.Errorf("%q takes an: %t", word, !an)
		}
	}
	becomes(t, "M-course-a", map[string]string{"It is an acute cough.": "It is a chronic cough.", "A chronic cough.": "An acute cough."})
}

func TestLaboratoryValueCrossesItsLimit(t *testing.T) {
	for text, kept := range map[string]string{
		"Serum sodium is 140 mEq/L and he is well.":   "Serum sodium is ? mEq/L and he is well.",
		"Labs:\nNa+: 118 mmol/L\nHe is well.":         "Labs:\nNa+: ? mmol/L\nHe is well.",
		"Platelet count 200,000/mm3 and nothing else": "Platelet count ?/mm3 and nothing else",
		"The creatinine concentration was 0.9 mg/dL.": "The creatinine concentration was ? mg/dL.",
	} {
		head, tail, _ := strings.Cut(kept, "?")
		for seed := range uint64(20) {
			e := careful(t, "M-lab-a", text, seed)
			if !e.Fired || !strings.HasPrefix(e.Text, head) || !strings.HasSuffix(e.Text, tail) || e.Text != head+e.New+tail {
				t.Fatalf("%q became %q (%s)", text, e.Text, e.Why)
			}
			if strings.Contains(e.Old, ".") != strings.Contains(e.New, ".") || strings.Contains(e.Old, ",") != strings.Contains(e.New, ",") {
				t.Fatalf("%q is written otherwise than %q", e.New, e.Old)
			}
		}
	}
	refuses(t, "M-lab-a", map[string]string{
		"Serum sodium is 140 and he is well.":            "no unit",
		"Serum sodium is low at 120 mEq/L.":              "no value",
		"Serum sodium is 120 mEq/L, which is low.":       "says how it is",
		"Na+: 120 mEq/L (L)":                             "the limits of",
		"Sodium 120 mEq/L (N: 135-145)":                  "the limits of",
		"Sodium 120 mEq/L (135-145)":                     "the limits of",
		"He has hyponatremia. Sodium 120 mEq/L.":         "hyponatremia",
		"Sodium 120 mEq/L. Later sodium 130 mEq/L.":      "more than once",
		"Sodium 134 mEq/L.":                              "near the limit",
		"CSF glucose 40 mg/dL":                           "CSF",
		"A 3-year-old. Sodium 120 mEq/L.":                "adults",
		"Hemoglobin 8 g/dL, hematocrit 24%":              "moves with",
		"Sodium 120 mg/dL.":                              "no unit of the table",
		"Sodium 120 mEq/L, chloride 100 mEq/L.":          "moves with",
		"Platelets 90,0000/mm3":                          "no unit",
		"Hemoglobin 15.4 g/dL (9.56 mmol/L)":             "the limits of",
		"Sodium 15000 mmol/L.":                           "not plausible",
		"Total bilirubin 0.9 mg/dL, direct 0.2 mg/dL.":   "moves with",
		"The heart rate is 80/min, the weight is 70 kg.": "no value",
	})
}

func TestNegationRespectsItsScope(t *testing.T) {
	becomes(t, "M-negation-b", map[string]string{
		"Denies fever, chills, or cough but has chest pain.":        "Reports fever, chills, and cough but has chest pain.",
		"A man is ill. He denies any nausea or cough.":              "A man is ill. He reports nausea and cough.",
		"She has no history of asthma. What is it?":                 "She has a history of asthma. What is it?",
		"He does not have cough, however, he sweats.":               "He has cough, however, he sweats.",
		"The patient denied cough and vertigo; he is also in pain.": "The patient reported cough and vertigo; he is also in pain.",
	})
	becomes(t, "M-negation-a", map[string]string{
		"Reports fever, chills, and cough but has chest pain.": "Denies fever, chills, or cough but has chest pain.",
		"She reports vertigo.":                                 "She denies vertigo.",
		"He has a history of asthma and gout.":                 "He has no history of asthma or gout.",
	})
	refuses(t, "M-negation-b", map[string]string{
		"He denies fever, has cough.":                         "could be affirmed",
		"He denies nausea, cough.":                            "comma alone",
		"He denies nausea or cough, vertigo.":                 "comma alone",
		"He denies fever except at night.":                    "except",
		"There was no increase in pain.":                      "no cue",
		"He not only denies cough but vertigo.":               "no subject",
		"He does not deny pain.":                              "no cue",
		"He denies nausea or cough. The cough is dry.":        "again outside",
		"He denies fever. Temperature is 37 C.":               "examination",
		"He denies.":                                          "nothing stands",
		"Which is true of a patient who denies cough?":        "question",
		"He has no history of asthma. He is asymptomatic.":    "speaks against",
		"He denies cough that started 2 days ago and is dry.": "does not bear",
	})
	refuses(t, "M-negation-a", map[string]string{
		"The lab reports pneumonia.":                      "no subject",
		"He reports to the clinic.":                       "no finding",
		"He reports no cough.":                            "does not bear",
		"He has a history of gout. He takes allopurinol.": "speaks against",
		"He reports pain and is now pale.":                "could be affirmed",
	})
}

// A fault reported of other programs: a cue fires within a longer word, or in the name of a disease.
func TestSeverityAndCourseAreGuarded(t *testing.T) {
	becomes(t, "M-course-a", map[string]string{
		"Acute onset of pain; subacute thyroiditis; sub-acute stroke; acute-on-chronic kidney injury; acute lymphoblastic leukaemia; no acute distress.": "Chronic onset of pain; subacute thyroiditis; sub-acute stroke; acute-on-chronic kidney injury; acute lymphoblastic leukaemia; no acute distress.",
		"He has gout and chronic low back pain.": "He has gout and acute low back pain.",
	})
	becomes(t, "M-severity-a", map[string]string{
		"SEVERE headache":                     "MILD headache",
		"She has a mild, dry cough.":          "",
		"She has mild abdominal pain.":        "She has severe abdominal pain.",
		"There is moderate edema of the leg.": "There is severe edema of the leg.",
	})
	refuses(t, "M-course-a", map[string]string{
		"Acute pain for 3 hours.":                         "hours",
		"Acute appendicitis and acute kidney injury":      "part of a name",
		"He has acute appendicitis":                       "finding of the list",
		"He denies acute pain.":                           "negated",
		"Acute pain. Later he had acute pain.":            "more than once",
		"He is ill. What is the cause of the acute pain?": "question",
		"No word of it":                                   "no phrase",
	})
	refuses(t, "M-severity-a", map[string]string{
		"mild cognitive impairment":             "part of a name",
		"mild or moderate pain":                 "another qualifier",
		"a severe pain of 9/10":                 "contradict",
		"severe pain. He rates it as 8.":        "contradict",
		"He has no severe pain.":                "negated",
		"non-severe pain":                       "compound",
		"severe combined immunodeficiency":      "part of a name",
		"Mild pain, and mild cough thereafter.": "more than once",
	})
}

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
