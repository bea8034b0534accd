package cupcase

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

// mostCandidates are the gold and three others: the paper asks with three, and a file may have five.
const mostCandidates = 4

// read makes a case of a row.
func read(r source.Record) (percuss.Case, error) {
	text, ok := field(r, columns.text...)
	if !ok {
		return percuss.Case{}, missing("case", columns.text)
	}
	gold, ok := field(r, columns.gold...)
	if !ok {
		return percuss.Case{}, missing("diagnosis", columns.gold)
	}
	distractors := distractorsOf(r)
	if len(distractors) == 0 {
		return percuss.Case{}, missing("distractors", []string{"distractor1", "distractor2"})
	}
	id, _ := field(r, columns.id...)
	if id = strings.TrimSpace(id); id != "" {
		id = Name + ":" + id
	} else {
		id = dataset.Identity(Name, append([]string{text, gold}, distractors...)...)
	}
	return dataset.Narrative{ID: id, Text: text, Gold: gold, Others: distractors, Most: mostCandidates}.Case(Name)
}

func missing(what string, names []string) error {
	return fmt.Errorf("no column of the %s: name one of the columns %s", what, strings.Join(names, ", "))
}

// distractorsOf returns what stands in distractor1, distractor2 and so on, raw. The ablation file begins with 2.
func distractorsOf(r source.Record) []string {
	var all []string
	for i := 1; i <= 9; i++ {
		if d, ok := field(r, "distractor"+strconv.Itoa(i)); ok {
			all = append(all, d)
		}
	}
	return all
}
