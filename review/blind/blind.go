// Package blind is what a reviewer sees of an interaction: the case, the diagnosis, the findings, sign and strength. It
// imports the vocabulary alone, so that neither a model nor a label can get into it.
package blind

import (
	"fmt"
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// Schema names the format of a file of tasks.
const Schema = "percuss.review/1"

// GuideID is the id of the row that explains the others.
const GuideID = "guide"

// Task is one interaction to be judged. The first fields are the reviewer's and come empty.
type Task struct {
	ID         string `json:"id"`
	Judgement  string `json:"judgement"`
	Confidence string `json:"confidence"`
	Reviewer   string `json:"reviewer"`
	Comment    string `json:"comment"`

	Diagnosis  string    `json:"diagnosis"`  // whose margin the interaction is in
	Candidates []string  `json:"candidates"` // by name: files put the right one, or the likelier ones, first
	Sign       string    `json:"sign"`       // "positive" or "negative"
	Strength   float64   `json:"strength"`   // nats, two decimals
	Findings   []string  `json:"findings"`   // those of the interaction, in the order of the case
	Facts      []string  `json:"facts"`      // of the case: always known
	Case       []Finding `json:"case"`       // all findings of the case
}

// Finding is one finding of the case, or one sentence of a narrative.
type Finding struct {
	Text   string `json:"text"`
	Marked bool   `json:"marked,omitempty"` // it is one of the interaction
}

// New makes the task of an interaction of the given signed value, in nats, between units of a case, named by their ids.
// A unit that the case does not have is an error.
func New(id string, c percuss.Case, diagnosis string, units []string, value float64) (Task, error) {
	t := Task{ID: id, Diagnosis: diagnosis, Candidates: slices.Clone(c.Candidates), Sign: "positive",
		Strength: math.Round(math.Abs(value)*100) / 100, Findings: []string{}, Facts: slices.Clone(c.Facts), Case: []Finding{}}
	if value < 0 {
		t.Sign = "negative"
	}
	slices.Sort(t.Candidates)
	for _, u := range c.Units {
		marked := slices.Contains(units, u.ID)
		if marked {
			t.Findings = append(t.Findings, u.Text)
		}
		t.Case = append(t.Case, Finding{u.Text, marked})
	}
	if len(t.Findings) != len(units) {
		return Task{}, fmt.Errorf("case %s: %d of the interaction's findings %v are not in it, or twice: the items of the run are not those that it was made with",
			c.ID, len(units)-len(t.Findings), units)
	}
	if t.Facts == nil {
		t.Facts = []string{}
	}
	return t, nil
}

// Verdicts are the judgements that a reviewer may give.
func Verdicts() []string { return []string{"valid", "questionable", "invalid"} }

// Confidences are the words for how sure a reviewer is, from the surest.
func Confidences() []string { return []string{"high", "medium", "low"} }

// column is one column of a file, with what the guide says of it.
type column struct {
	name, guide string
	of          func(Task) string
}

// columns are the fields of a task in the order of the file.
func columns() []column {
	return []column{
		{"id", GuideID, func(t Task) string { return t.ID }},
		{"judgement", "write one of: valid, questionable, invalid. valid: there is a clinical reason why these findings, together, speak for or against the diagnosis as the sign says; " +
			"questionable: a reason can be thought of, but it is weak or depends on what is not known; invalid: there is none, the diagnosis moves as by a shortcut",
			func(t Task) string { return t.Judgement }},
		{"confidence", "write one of: high, medium, low; how sure you are of the judgement", func(t Task) string { return t.Confidence }},
		{"reviewer", "your name or initials, the same in every row; empty: the name of the file stands for you", func(t Task) string { return t.Reviewer }},
		{"comment", "whatever you like, or nothing", func(t Task) string { return t.Comment }},
		{"diagnosis", "the diagnosis that the findings moved", func(t Task) string { return t.Diagnosis }},
		{"candidates", "the diagnoses that it was weighed against, by name", func(t Task) string { return list(t.Candidates) }},
		{"sign", "positive: seen together, the findings speak for the diagnosis, beyond what fewer of them do (one alone: seeing it speaks for it); negative: against it", func(t Task) string { return t.Sign }},
		{"strength", "how far they moved it against its strongest rival, in nats: 0.7 doubles the odds, 2.3 multiplies them by ten", func(t Task) string { return fmt.Sprint(t.Strength) }},
		{"findings", "the findings that are to be judged, as a group where there are several", func(t Task) string { return list(t.Findings) }},
		{"facts", "what is known of the case whatever is shown of it", func(t Task) string { return list(t.Facts) }},
		{"case", "all findings of the case; those to be judged are marked", func(t Task) string { return marked(t.Case) }},
	}
}

// Format is a way of writing tasks.
type Format string

// The formats: JSON lines for a text editor or a program, CSV for a spreadsheet.
const (
	JSONL Format = "jsonl"
	CSV   Format = "csv"
)

// Formats lists them, the default first.
func Formats() []Format { return []Format{JSONL, CSV} }
