package battery

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		// stanford-crfm/helm#1732: words at the ends of the text and next to each other stayed.
		"He denies pain, but he limps. The patient is male": "She denies pain, but she limps. The patient is female",
		// GEM-benchmark/NL-Augmenter#257: pieces of words were replaced ("Womanchester"), and one rule undid another.
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
		"A 70-year-old patient has had asthma for 12 years": "34",
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
		"An 18-month-old boy has otitis media.":         "in month", // struv/forms#25: read as 18 years
		"A 3-week-old is ill.":                          "in week",
		"An octogenarian, 84 years old, fell.":          "octogenarian",
		"A seventy-year-old man fell.":                  "in words",
		"The 45-year-old, now in her forties, is well.": "in words",
		"Her 45-year-old mother is well.":               "relatives",
		"A 45-year-old and a 50-year-old are ill.":      "two ages",
		"A 7-9 year old has a cough.":                   "range",
		"A 70yr old has a cough.":                       "together",
		"A 45-year-old, born in 1960, coughs.":          "the year 1960",
		"The patient has a cough.":                      "no age",
		"A 17-year-old pregnant patient in high school": "no age of the list",
		"A 4-year-old child weighs 18 kg.":              "no age of the list",
	})
}

// rossmeissl/indefinite_article#17: the article before an age, here of the very sentence.
func TestArticleAgrees(t *testing.T) {
	want := map[string]string{}
	for _, o := range mustParse(t, "extended").Operators {
		if o.Family != "M-age" {
			continue
		}
		for seed := range uint64(40) {
			e := o.Apply("A 45-year-old man has chest pain.", seed, "item")
			want[e.Tokens[0]] = e.Text
		}
	}
	if got := want["84"]; got != "An 84-year-old man has chest pain." {
		t.Errorf("84: %q", got)
	}
	if got := want["21"]; got != "A 21-year-old man has chest pain." {
		t.Errorf("21: %q", got)
	}
	text := strings.Replace(string(extended), "{below: 61, to: [21, 24, 79, 84]}", "{below: 61, to: [80]}", 1)
	b, err := Load(strings.NewReader(text), "own.yaml", "M-age")
	if err != nil {
		t.Fatal(err)
	}
	if e := b.Operators[0].Apply("A 45-year-old man has chest pain.", 1, "item"); e.Text != "An 80-year-old man has chest pain." {
		t.Errorf("80: %q (%s)", e.Text, e.Why)
	}

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

// maziyarpanahi/openmed#1182: a finding after "but" was negated as well. Under "reports" the list as a whole is denied and
// nothing after "but"; under "denies" the edit refuses, for both sides of "but" would be affirmed.
func TestNegationRespectsItsScope(t *testing.T) {
	becomes(t, "M-negation-b", map[string]string{
		"Denies fever, chills, or cough.":                           "Reports fever, chills, and cough.",
		"A man is ill. He denies any nausea or cough.":              "A man is ill. He reports nausea and cough.",
		"She has no history of asthma. What is it?":                 "She has a history of asthma. What is it?",
		"The patient denied cough and vertigo; he is also in pain.": "The patient reported cough and vertigo; he is also in pain.",
	})
	becomes(t, "M-negation-a", map[string]string{
		"Reports fever, chills, and cough but has chest pain.": "Denies fever, chills, or cough but has chest pain.",
		"She reports vertigo.":                                 "She denies vertigo.",
		"He has a history of asthma and gout.":                 "He has no history of asthma or gout.",
	})
	refuses(t, "M-negation-b", map[string]string{
		"A man is ill. He has\n\nno history of gout. What is it?": "runs over the end",
		"Denies fever, chills, or cough but has chest pain.":      "sets what follows against",
		"He does not have cough, however, he sweats.":             "sets what follows against",
		"He denies fever, has cough.":                             "could be affirmed",
		"He denies nausea, cough.":                                "comma alone",
		"He denies nausea or cough, vertigo.":                     "comma alone",
		"He denies fever except at night.":                        "except",
		"There was no increase in pain.":                          "no cue",
		"He not only denies cough but vertigo.":                   "no subject",
		"He does not deny pain.":                                  "no cue",
		"He denies nausea or cough. The cough is dry.":            "again outside",
		"He denies fever. Temperature is 37 C.":                   "examination",
		"He denies.":                                              "nothing stands",
		"Which is true of a patient who denies cough?":            "question",
		"He has no history of asthma. He is asymptomatic.":        "speaks against",
		"He denies cough that started 2 days ago and is dry.":     "does not bear",
	})
	refuses(t, "M-negation-a", map[string]string{
		"The lab reports pneumonia.":                      "no subject",
		"He reports to the clinic.":                       "no finding",
		"He reports no cough.":                            "does not bear",
		"He has a history of gout. He takes allopurinol.": "speaks against",
		"He reports pain and is now pale.":                "could be affirmed",
	})
}

// maziyarpanahi/openmed#368: a cue fired within a longer word, or in the name of a disease.
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
