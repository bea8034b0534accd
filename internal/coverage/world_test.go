package coverage_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/percuss/percuss"
)

// The population that every audit draws its questions from: how often a vignette names what an operator edits, and how
// often an option is of high acuity. Each is drawn by itself for each question and option.
const (
	withAge      = 0.9
	withHinge    = 0.6 // a phrase that M4 negates
	withSeverity = 0.5 // a word that M5 changes
	withTime     = 0.4 // a phrase that M6 moves
	acute        = 0.4 // an option is of high acuity
	options      = 4
)

var (
	jobs     = strings.Fields("teacher carpenter farmer nurse baker driver clerk painter sailor tailor miner cook")
	organs   = strings.Fields("chest knee abdomen head back shoulder wrist jaw hip throat ankle elbow")
	severity = strings.Fields("mild severe moderate acute chronic")
	benign   = []string{"Reflux", "Tension headache", "Viral cold", "Muscle strain", "Eczema", "Anxiety", "Tinea", "Gout", "Migraine"}
	urgent   = []string{"Stroke", "Sepsis", "Meningitis", "Pulmonary embolism", "Appendicitis", "Gastric cancer", "Tamponade", "Shock"}
)

// world draws the questions of one audit. No two audits share one.
func world(audit, n int) []percuss.Question {
	out := make([]percuss.Question, n)
	for i := range out {
		id := fmt.Sprintf("pop/%d-%d", audit, i)
		out[i] = vignette(percuss.Rand(17, id, "", "population"), id)
	}
	return out
}

// vignette draws one question.
func vignette(rng *rand.Rand, id string) percuss.Question {
	pick := func(from []string) string { return from[rng.IntN(len(from))] }
	age, hinge, degree, since := "An adult", "has", "", "."
	if rng.Float64() < withAge {
		age = fmt.Sprintf("A %d-year-old", 20+rng.IntN(60))
	}
	if rng.Float64() < withHinge {
		hinge = pick([]string{"presents with", "reports", "complains of"})
	}
	if rng.Float64() < withSeverity {
		degree = pick(severity) + " "
	}
	if rng.Float64() < withTime {
		since = fmt.Sprintf(" for the past %d days.", 2+rng.IntN(6))
	}
	q := percuss.Question{ID: id, Set: "population", Gold: percuss.Label(rng.IntN(options)),
		Stem: fmt.Sprintf("%s %s, a %s from ward %s, %s %s%s pain%s The pulse is %d/min. A relative had a similar illness. "+
			"Examination shows local tenderness. What is the most likely cause?",
			age, pick([]string{"man", "woman"}), pick(jobs), strings.ReplaceAll(id[4:], "-", " bed "), hinge, degree, pick(organs), since, 60+rng.IntN(60))}
	names := map[bool][]string{true: urgent, false: benign}
	for k := range options {
		list := names[rng.Float64() < acute]
		q.Options = append(q.Options, percuss.Option{Label: percuss.Label(k), Text: fmt.Sprintf("%s of kind %d", pick(list), rng.IntN(10000))})
	}
	return q
}
