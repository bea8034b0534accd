package simulated_test

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
)

// questions are a dozen hand-written vignettes, no two alike in form: ages, sexes, hinges, times, a stem of one
// sentence, contexts, a line break within the stem, five options, and two questions that share a stem.
func questions() []percuss.Question {
	make := func(i int, stem string, gold int, options ...string) percuss.Question {
		q := percuss.Question{ID: fmt.Sprintf("test/%d", i), Set: "test", Stem: stem, Gold: percuss.Label(gold)}
		for k, o := range options {
			q.Options = append(q.Options, percuss.Option{Label: percuss.Label(k), Text: o})
		}
		return q
	}
	qs := []percuss.Question{
		make(0, "A 54-year-old man presents with severe chest pain for the past 3 days. He smokes. His blood pressure is 150/90 mm Hg. Which of the following is the best next step?", 1, "Reassurance", "Electrocardiography", "Colonoscopy", "Spirometry"),
		make(1, "A 7-year-old girl is brought in because of a mild rash that began two weeks ago. She has no fever. Her brother has asthma. What is the most likely diagnosis?", 0, "Atopic dermatitis", "Measles", "Scabies", "Acute urticaria"),
		make(2, "A 71-year-old woman has a history of atrial fibrillation. She complains of a cold leg since yesterday. Pulses are absent below the knee. What is the cause?", 2, "Cellulitis", "Gout", "Arterial embolism", "Sciatica"),
		make(3, "Which vitamin is lacking in scurvy?", 3, "Vitamin A", "Vitamin B12", "Vitamin D", "Vitamin C"),
		make(4, "Which vitamin is lacking in rickets?", 2, "Vitamin A", "Vitamin B12", "Vitamin D", "Vitamin C"),
		make(5, "A newborn male is jaundiced on the first day of life. The mother is Rh-negative. Labs:\nHemoglobin 9 g/dL\nBilirubin 14 mg/dL\nThe direct Coombs test is positive. What explains this?", 0, "Isoimmunization", "Breast milk", "Biliary atresia", "Gilbert syndrome", "Sepsis"),
		make(6, "A 30-year-old man reports acute low-grade fever and a cough over the last week. He keeps pigeons. What is the most likely organism?", 1, "Influenza A", "Chlamydia psittaci", "Legionella", "Rhinovirus"),
		make(7, "Does aspirin lower the risk of a second stroke?", 0, "yes", "no", "maybe"),
		make(8, "A 19-year-old woman feels faint this morning. She has had heavy periods for a year. Ferritin is 4 ng/mL. What is the best treatment?", 0, "Oral iron", "Transfusion", "Folate", "Vitamin K"),
		make(9, "A 19-year-old woman feels faint this morning. She has had heavy periods for a year. Ferritin is 4 ng/mL. What is the diagnosis?", 0, "Iron deficiency", "Thalassemia", "Folate deficiency", "Leukemia"),
		make(10, "A 45-year-old male carpenter has chronic back pain. The pain wakes him at night. He has lost 6 kg. There is no trauma. Which study is best?", 3, "None", "Radiography next year", "Ultrasonography", "MRI of the spine"),
		make(11, "A boy of 3 years swallowed a battery a few days ago. He drools: saliva is blood-stained. What is to be done?", 0, "Endoscopy", "Ipecac", "Waiting", "Charcoal"),
	}
	qs[7].Context = []string{"Patients after a first stroke were given aspirin or placebo.", "A. second stroke occurred in fewer of the treated."}
	return qs
}

// synthetic makes n questions on which every operator fires.
func synthetic(n int) []percuss.Question {
	organs := strings.Fields("chest knee abdomen head back shoulder wrist jaw hip throat ankle elbow")
	jobs := strings.Fields("teacher carpenter farmer nurse baker driver clerk painter sailor tailor miner cook")
	var qs []percuss.Question
	for i := range n {
		rng := percuss.Rand(11, fmt.Sprint(i), "", "world")
		pick := func(from ...string) string { return from[rng.IntN(len(from))] }
		sex := pick("man", "woman")
		stem := fmt.Sprintf("A %d-year-old %s who works as a %s %s %s %s pain for the past %d days. Case number %d was seen in room %d. "+
			"The pulse is %d/min. A relative had a similar illness. Examination shows local tenderness. What is the most likely cause?",
			20+rng.IntN(40), sex, pick(jobs...), pick("presents with", "reports", "complains of"), pick("mild", "severe", "moderate", "acute"),
			pick(organs...), 3+rng.IntN(6), i, rng.IntN(900), 60+rng.IntN(60))
		q := percuss.Question{ID: fmt.Sprintf("syn/%d", i), Stem: stem, Gold: percuss.Label(rng.IntN(4))}
		for k := range 4 {
			q.Options = append(q.Options, percuss.Option{Label: percuss.Label(k), Text: fmt.Sprintf("Cause %d of kind %d", k+1, rng.IntN(1000))})
		}
		qs = append(qs, q)
	}
	return qs
}
