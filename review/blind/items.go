package blind

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
)

// Interaction shows an interaction of the given signed value, in nats, between units of a case, named by their ids, in the
// margin of a diagnosis: the case with the units marked, sign and strength, and the candidates by name, for files put the
// right one or the likelier ones first. A unit that the case does not have is an error. (Evidence audit, section 6.)
func Interaction(id string, c percuss.Case, diagnosis string, units []string, value float64) (Item, error) {
	direction := "positive: speaks for it"
	if value < 0 {
		direction = "negative: speaks against it"
	}
	strength := strconv.FormatFloat(math.Round(math.Abs(value)*100)/100, 'f', -1, 64) + " nats"
	what := Part{Show: ShowList, Head: "What was found", Rows: []Row{{Key: "Diagnosis", Text: diagnosis}, {Key: "Direction", Text: direction}, {Key: "Strength", Text: strength, Note: odds(value)}}}
	findings := Part{Show: ShowList, Head: "Findings of the case; the marked ones are to be judged"}
	if len(units) > 1 {
		findings.Head += ", as a group"
	}
	marked := 0
	for _, u := range c.Units {
		r := Row{Text: u.Text, Marked: slices.Contains(units, u.ID)}
		if r.Marked {
			marked++
		}
		findings.Rows = append(findings.Rows, r)
	}
	if marked != len(units) {
		return Item{}, fmt.Errorf("case %s: %d of the interaction's findings %v are not in it, or twice: the items of the run are not those that it was made with",
			c.ID, len(units)-marked, units)
	}
	item := Item{ID: id, Parts: []Part{what, findings}}
	if len(c.Facts) > 0 {
		item.Parts = append(item.Parts, Part{Show: ShowList, Head: "Known of the patient in any case", Rows: rows(c.Facts)})
	}
	candidates := slices.Clone(c.Candidates)
	slices.Sort(candidates)
	item.Parts = append(item.Parts, Part{Show: ShowList, Head: "Diagnoses that it was weighed against, by name", Rows: rows(candidates)})
	return item, nil
}

// odds says what a value in nats does to odds. What multiplies them by more than a thousand is told as that.
func odds(value float64) string {
	sign := "×"
	if value < 0 {
		sign = "÷"
	}
	by := math.Exp(math.Abs(value))
	switch {
	case by > 1000:
		return "odds " + sign + " more than 1,000"
	case by >= 9.95:
		return fmt.Sprintf("odds %s %.0f", sign, by)
	}
	return fmt.Sprintf("odds %s %.1f", sign, by)
}

func rows(texts []string) []Row {
	var out []Row
	for _, t := range texts {
		out = append(out, Row{Text: t})
	}
	return out
}

// Change is a text before and after an edit.
type Change struct{ Before, After string }

// The questions of the perturbation form.
const (
	AskShift    = "gold_shift"
	AskValidity = "semantic_validity"
	AskHazard   = "hazard"
)

// Edited shows an edit of a question: its text before and after, and its options with the right one marked. Where an answer
// moved, from one label to another, the item asks for the hazard of the new one, too. (Chain audit, section 7.)
func Edited(id string, q percuss.Question, text Change, moved *Change) Item {
	item := Item{ID: id, Asks: []string{AskShift, AskValidity}, Parts: []Part{{Show: ShowChange, Head: "Question", Before: text.Before, After: text.After}}}
	options := Part{Show: ShowList, Head: "Options"}
	for _, o := range q.Options {
		r := Row{Key: o.Label, Text: o.Text}
		if o.Label == q.Gold {
			r.Marked, r.Note = true, "right answer before the change"
		}
		options.Rows = append(options.Rows, r)
	}
	item.Parts = append(item.Parts, options)
	if moved == nil {
		return item
	}
	answer := Part{Show: ShowList, Head: "The answer that was given"}
	for _, a := range []struct{ label, when string }{{moved.Before, "before the change"}, {moved.After, "after the change"}} {
		o, _ := q.Option(a.label)
		answer.Rows = append(answer.Rows, Row{Key: a.label, Text: o.Text, Note: a.when})
	}
	item.Asks = append(item.Asks, AskHazard)
	item.Parts = append(item.Parts, answer)
	return item
}

// Reasoning shows an edit of a question, and the chain of thought before and after. (Chain audit, section 7.)
func Reasoning(id string, text, chain Change) Item {
	return Item{ID: id, Parts: []Part{{Show: ShowChange, Head: "Question", Before: text.Before, After: text.After},
		{Show: ShowChange, Head: "Reasoning", Before: chain.Before, After: chain.After}}}
}

// Step shows a step of a chain of reasoning, the last of some that are shown, with the question and its options. (Step audit,
// expert check.)
func Step(id string, q percuss.Question, before []string, text string) Item {
	item := Item{ID: id, Parts: []Part{{Show: ShowText, Head: "Question", Text: strings.Join(append(slices.Clone(q.Context), q.Stem), "\n\n")}}}
	options := Part{Show: ShowList, Head: "Options"}
	for _, o := range q.Options {
		options.Rows = append(options.Rows, Row{Key: o.Label, Text: o.Text})
	}
	if len(options.Rows) > 0 {
		item.Parts = append(item.Parts, options)
	}
	steps := Part{Show: ShowList, Head: "Reasoning"}
	for i, b := range before {
		steps.Rows = append(steps.Rows, Row{Key: strconv.Itoa(i + 1), Text: b})
	}
	steps.Rows = append(steps.Rows, Row{Key: strconv.Itoa(len(before) + 1), Text: text, Marked: true})
	item.Parts = append(item.Parts, steps)
	return item
}

// Operator shows a kind of edit: what it does, as a sentence, and examples. (Chain audit, section 7.)
func Operator(id, does string, examples []Change) Item {
	item := Item{ID: id, Parts: []Part{{Show: ShowText, Head: "What the edit does", Text: does}}}
	for i, e := range examples {
		head := "Example"
		if len(examples) > 1 {
			head = fmt.Sprintf("Example %d", i+1)
		}
		item.Parts = append(item.Parts, Part{Show: ShowChange, Head: head, Before: e.Before, After: e.After})
	}
	return item
}
