package battery

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What clinicians called broken when they read edits of published questions, each as a sentence of our own.

func TestPossessivesAreToldFromObjects(t *testing.T) {
	becomes(t, "M-sex-a", map[string]string{
		"A man needs help with some of his daily chores.":       "A woman needs help with some of her daily chores.",
		"A man fell in his home.":                               "A woman fell in her home.",
		"A man was seen on his daily run.":                      "A woman was seen on her daily run.",
		"A man is ill. His more recent falls worry us.":         "A woman is ill. Her more recent falls worry us.",
		"A man is ill. His home drugs are listed.":              "A woman is ill. Her home drugs are listed.",
		"A man lives alone. We fear for his well being.":        "A woman lives alone. We fear for her well being.",
		"The man's keys were his.":                              "The woman's keys were hers.",
		"A friend of his who was there saw the man fall.":       "A friend of hers who was there saw the woman fall.",
		"A woman worries about her daily walk.":                 "A man worries about his daily walk.",
		"A woman says that “her “heart flutters”.":              "A man says that “his “heart flutters”.",
		"A woman coughs. This wakes her from sleep.":            "A man coughs. This wakes him from sleep.",
		"A woman has gout. Nothing makes her symptoms better.":  "A man has gout. Nothing makes his symptoms better.",
		"A woman cannot rise; we lift her, and she thanks us.":  "A man cannot rise; we lift him, and he thanks us.",
		"A woman is tired. Her three dogs are too much for her": "A man is tired. His three dogs are too much for him",
	})
	refuses(t, "M-sex-a", map[string]string{
		"A man fell. Those who lifted his tried twice.":         "possessive",
		"A man fell. His is asleep.":                            "possessive",
		"A man fell. The doctor saw that his patient was pale.": "another person",
		"A woman fell. We gave her aspirin.":                    "possessive",
		"A woman fell. We found her confused.":                  "possessive",
		"A woman fell. It limits her daily.":                    "possessive",
		"A woman fell. We treat her weekly.":                    "possessive",
		"A woman fell. Those who lifted her tried twice.":       "possessive",
		"A woman fell. The arm is her's.":                       "possessive",
		"An investigator grows cells. She counts them.":         "another person",
	})
}

func TestSexBoundFindings(t *testing.T) {
	for _, finding := range strings.Split("a cervical biopsy, cervical intraepithelial neoplasia, a cervical smear, CIN, colposcopy, an abnormal Pap smear, "+
		"gravida 2, G2P1 status, a late LMP, a last menstrual period, lactation, galactorrhea, an IUD, contraceptives, fibroids, endometriosis, vulvar itching, "+
		"a hysterectomy, a breast lump, a mammogram, a postpartum fever, hot flashes, a high PSA, BPH, a scrotal mass, a vasectomy, a seminoma, facial hair growth", ", ") {
		for _, text := range []string{"A man has " + finding + ".", "A woman has " + finding + "."} {
			refuses(t, "M-sex-a", map[string]string{text: "bound to one sex"})
		}
	}
	becomes(t, "M-sex-a", map[string]string{
		"A man has cervical lymph nodes and a high lactate.": "A woman has cervical lymph nodes and a high lactate.",
	})
}

// agesOf are the ages that the edit gives a text over many seeds.
func agesOf(t *testing.T, text string) []int {
	t.Helper()
	var out []int
	for seed := range uint64(60) {
		e := careful(t, "M-age-a", text, seed)
		if !e.Fired {
			continue
		}
		n, err := strconv.Atoi(e.Tokens[0])
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

func TestFamilyFitsTheAge(t *testing.T) {
	for text, limits := range map[string][2]int{ // least and most of the ages that may come; 0, 0: none
		"A 70-year-old patient is brought by her son.":                            {0, 0},
		"A 50-year-old patient is brought by her son.":                            {79, 84},
		"A 50-year-old patient has adult children.":                               {79, 84},
		"A 65-year-old patient lives with her daughter, and they fight.":          {0, 0},
		"A 50-year-old patient plays with a grandson.":                            {79, 84},
		"A 30-year-old patient is at a party. His mother has asthma.":             {0, 0},
		"A 50-year-old patient lives with her mother.":                            {21, 24},
		"A 50-year-old patient lives with his grandmother.":                       {21, 24},
		"A 30-year-old patient is brought by her son. Her father has gout.":       {0, 0},
		"A 50-year-old patient is brought by her son and her 2-year-old son too.": {0, 0},
		"A 50-year-old patient. His mother died of a stroke.":                     {21, 84},
		"A 50-year-old patient got a new job.":                                    {21, 24},
		"A 19-year-old patient falls while cheerleading.":                         {0, 0},
		"A 50-year-old patient fell at work.":                                     {21, 24},
		"A 30-year-old patient has a regular job.":                                {66, 66},
		"A 70-year-old patient had an ulcer. Twenty years ago he was well.":       {0, 0},
		"A 70-year-old patient has grown forgetful.":                              {0, 0},
		"A 60-year-old patient. Her last menstrual period was 5 years ago.":       {0, 0},
		"A 2-year-old patient has a vocabulary of few words.":                     {0, 0},
		"A 30-year-old patient fell ill at a bachelor party.":                     {0, 0},
		"A 70-year-old patient has coronary artery disease.":                      {0, 0},
		"A 70-year-old patient was well until his wife died.":                     {0, 0},
		"A 50-year-old patient is retired.":                                       {79, 84},
	} {
		ages := agesOf(t, text)
		if limits[1] == 0 {
			if len(ages) > 0 {
				t.Errorf("%q: ages %v, want a refusal", text, ages)
			}
			continue
		}
		if len(ages) == 0 || ages[0] != limits[0] || ages[len(ages)-1] != limits[1] {
			t.Errorf("%q: ages %v, want %v to %v", text, ages, limits[0], limits[1])
		}
	}
}

func TestOnlyWhatIsNamedGlucoseIsConvertedAsGlucose(t *testing.T) {
	becomes(t, "M-units-a", map[string]string{
		"BUN: 20 mg/dL\nGlucose: 90 mg/dL\nCreatinine: 1 mg/dL":      "BUN: 20 mg/dL\nGlucose: 5.0 mmol/L\nCreatinine: 1 mg/dL",
		"Glucose 90 mg/dL, total protein 55 mg/dL":                   "Glucose 5.0 mmol/L, total protein 55 mg/dL",
		"Calcium 9 mg/dL Glucose 90 mg/dL":                           "Calcium 9 mg/dL Glucose 5.0 mmol/L",
		"The blood sugar level was found to be 180 mg/dL.":           "The blood sugar level was found to be 10.0 mmol/L.",
		"The CSF has protein of 90 mg/dL and a glucose of 36 mg/dL.": "The CSF has protein of 90 mg/dL and a glucose of 2.0 mmol/L.",
	})
	refuses(t, "M-units-a", map[string]string{
		"BUN 20 mg/dL, then glucose was normal.":            "no measurement",
		"Glucose is 90 mg/dL and after 2 hours 180 mg/dL.":  "no measurement",
		"Glucose rose from 90 mg/dL.":                       "no measurement",
		"Glucose 90 mg/dL 100 mg/dL":                        "no measurement", // two columns of a table
		"The temperature ranged over 38.5°C–39.5°C by day.": "no measurement",
	})
}

func TestMedicationThatIsSpokenOfStays(t *testing.T) {
	const text = "A patient is ill. Current medications include aspirin and warfarin. "
	for rest, want := range map[string]string{
		"The pulse is 80. Which of these medications is to blame?":          "speaks of it",
		"The pulse is 80. It is due to one of the medications. What is it?": "speaks of it",
		"He has been compliant with his medication. What is it?":            "speaks of it",
		"She often misses her medications. What is it?":                     "speaks of it",
		"The pulse is 80. In addition to aspirin, what is to be given?":     "of which the sentence tells",
		"Warfarin was begun last year. What is it?":                         "of which the sentence tells",
		"The pulse is 80. What medication is to blame for it?":              "speaks of it",
		"He is also on oxygen. What is it?":                                 "refers to it",
	} {
		refuses(t, "M-drug-remove", map[string]string{text + rest: want})
	}
	becomes(t, "M-drug-remove", map[string]string{
		text + "The pulse is 80. Which of the following medications is best?": "A patient is ill. The pulse is 80. Which of the following medications is best?",
	})
	refuses(t, "M-allergy-remove", map[string]string{
		"A man is ill. He is allergic to penicillin. He coughs. Penicillin is given. What is it?": "of which the sentence tells",
	})
}

func TestNegationThatWouldContradict(t *testing.T) {
	refuses(t, "M-negation-b", map[string]string{
		"He denies breathlessness but says that he tires.":     "sets what follows against",
		"He has no history of gout, however he limps.":         "sets what follows against",
		"She has no history of serious illness. What is it?":   "does not bear",
		"She has no history of major illness. What is it?":     "does not bear",
		"She has no history of significant illness. And then?": "does not bear",
	})
	refuses(t, "M-negation-a", map[string]string{
		"He reports cough but denies chills.":               "sets what follows against",
		"She also reports vertigo.":                         "no subject",
		"He reports severe vertigo.":                        "does not bear",
		"He reports pain in walking. The pain comes often.": "again outside",
	})
}
