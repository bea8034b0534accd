package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/percuss/percuss"
)

// marker stands in every made-up question, so that the server knows the items' requests from a client's probes.
const marker = "Made-up case"

// made is a made-up multiple-choice question. Its stem is about as long as one of MedQA and names neither an age nor a
// sex, so that an audit whose battery is a change of sex asks each question once, as the other tools do.
type made struct {
	id, stem, answer string
	options          []string
}

var (
	complaints = []string{"fever and a productive cough", "crushing chest pain", "a severe headache", "burning pain in the left flank",
		"progressive shortness of breath", "watery diarrhea", "swelling of both legs", "blurred vision"}
	findings = []string{"The temperature is 38.6 °C and the pulse is 104 a minute.", "Blood pressure is 164/92 mm Hg.",
		"Crackles are heard over the base of the right lung.", "The abdomen is soft, without guarding or rebound tenderness.",
		"The neck is stiff, and light is painful.", "There is no edema, and the calves are soft.", "Leukocytes are 14,200/mm3, platelets 210,000/mm3.",
		"Serum creatinine is 1.9 mg/dL, potassium 5.1 mEq/L.", "The electrocardiogram shows sinus tachycardia.", "Urinalysis shows 3+ protein and no blood."}
	diagnoses = []string{"Community-acquired pneumonia", "Myocardial infarction", "Bacterial meningitis", "Nephrolithiasis", "Heart failure",
		"Nephrotic syndrome", "Subarachnoid hemorrhage", "Acute gastroenteritis", "Pulmonary embolism", "Acute angle-closure glaucoma"}
)

// questions makes n questions, always the same.
func questions(n int) []made {
	rng := percuss.Rand(1, "", "", "made-up questions")
	out := make([]made, n)
	for i := range out {
		var stem strings.Builder
		fmt.Fprintf(&stem, "%s %06d. A visit to the clinic because of %s that began %d days ago and has become worse since. "+
			"There was a similar episode %d years earlier, which ended without treatment. Medication includes lisinopril and metformin. ",
			marker, i, complaints[rng.IntN(len(complaints))], 1+rng.IntN(20), 1+rng.IntN(9))
		for _, k := range rng.Perm(len(findings))[:5] {
			stem.WriteString(findings[k] + " ")
		}
		stem.WriteString("Which of the following is the most likely diagnosis?")
		q := made{id: fmt.Sprintf("made-%06d", i), stem: stem.String(), answer: percuss.Label(rng.IntN(4))}
		for _, k := range rng.Perm(len(diagnoses))[:4] {
			q.options = append(q.options, diagnoses[k])
		}
		out[i] = q
	}
	return out
}

// prompt is the question for a tool that has no form of its own for multiple choice.
func (q made) prompt() string {
	var b strings.Builder
	b.WriteString("Answer the multiple-choice question. Think step by step, then end with a line \"Answer: LETTER\".\n\n" + q.stem + "\n")
	for i, o := range q.options {
		fmt.Fprintf(&b, "%s. %s\n", percuss.Label(i), o)
	}
	return b.String()
}

// The rows of the files that each tool reads.

func (q made) forPercuss() any {
	return map[string]any{"id": q.id, "question": q.stem, "options": q.options, "answer": q.answer}
}

func (q made) forInspect() any {
	return map[string]any{"id": q.id, "input": q.stem, "choices": q.options, "target": q.answer}
}

func (q made) forLMEval() any {
	return map[string]any{"prompt": q.prompt(), "answer": q.answer}
}

func (q made) forPromptfoo() any {
	return map[string]any{"vars": map[string]string{"prompt": q.prompt()},
		"assert": []map[string]string{{"type": "contains", "value": "Answer: " + q.answer}}}
}

// writeQuestions writes n questions as lines of JSON.
func writeQuestions(path string, n int, form func(made) any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, q := range questions(n) {
		if err := e.Encode(form(q)); err != nil {
			return fmt.Errorf("question %s: %w", q.id, err)
		}
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
