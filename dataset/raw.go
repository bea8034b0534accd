package dataset

import (
	"errors"
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
)

// Raw is a question as its file has it, before any trimming.
type Raw struct {
	ID      string // the set's own id; empty: one is made from stem, labels, options and context
	Stem    string
	Labels  []string // the labels that the file gives its options; nil: A, B, ...
	Options []string
	Gold    int      // index of the right option, from 0
	Number  string   // the right answer where it is a number, as the file writes it; there are no options then
	Domain  string   // Question.Domain: empty for medicine
	Context []string // passages shown before the stem
	Note    string   // why the key is right
	Flags   []string
}

// Question cleans a row. It refuses one that cannot be put to a model or judged: an empty stem or option, fewer than
// two options, two that read the same, a right answer that is none of them or no number. Options are lettered anew in
// their order.
func (r Raw) Question(set string) (percuss.Question, error) {
	var none percuss.Question
	q := percuss.Question{Set: set, Stem: cleanStem(r.Stem), Note: trim(r.Note), Flags: slices.Clone(r.Flags), Domain: r.Domain}
	if q.Stem == "" {
		return none, errors.New("the question is empty")
	}
	for _, p := range r.Context {
		if p = trim(p); p != "" {
			q.Context = append(q.Context, p)
		}
	}
	answer := r.choices
	if r.Number != "" {
		answer = r.number
	}
	if err := answer(&q); err != nil {
		return none, err
	}
	q.ID = r.id(set)
	q.Flags = append(q.Flags, remarks(q)...)
	return q, nil
}

// number makes a question one whose answer is a number.
func (r Raw) number(q *percuss.Question) error {
	if len(r.Options) != 0 {
		return errors.New("a question whose answer is a number has no options")
	}
	gold, ok := clinical.CanonicalNumber(r.Number)
	if !ok {
		return fmt.Errorf("the right answer %q is no number", r.Number)
	}
	q.Kind, q.Gold = percuss.Numeric, gold
	return nil
}

// choices gives a question its options.
func (r Raw) choices(q *percuss.Question) error {
	switch {
	case len(r.Options) < 2:
		return errors.New("fewer than two options")
	case r.Gold < 0 || r.Gold >= len(r.Options):
		return fmt.Errorf("the right answer is none of the %d options", len(r.Options))
	}
	q.Gold = percuss.Label(r.Gold)
	seen := map[string]string{}
	for i, raw := range r.Options {
		text := CleanOption(raw)
		if text == "" {
			return fmt.Errorf("option %s is empty", r.label(i))
		}
		if other, ok := seen[text]; ok {
			return fmt.Errorf("options %s and %s are the same", other, r.label(i))
		}
		seen[text] = r.label(i)
		q.Options = append(q.Options, percuss.Option{Label: percuss.Label(i), Text: text})
	}
	return nil
}

func (r Raw) label(i int) string {
	if i < len(r.Labels) {
		return r.Labels[i]
	}
	return percuss.Label(i)
}

func (r Raw) id(set string) string {
	if id := trim(r.ID); id != "" {
		return set + ":" + id
	}
	parts := []string{r.Stem}
	for i, o := range r.Options {
		parts = append(parts, r.label(i), o)
	}
	for _, c := range r.Context {
		parts = append(parts, "context", c)
	}
	return Identity(set, parts...)
}

// remarks are the flags that a row earns whatever its set; a vignette is looked for in medicine only.
func remarks(q percuss.Question) []string {
	var flags []string
	if q.Domain == "" && len(q.Context) == 0 && lacksVignette(q.Stem) {
		flags = append(flags, NoVignette)
	}
	if slices.ContainsFunc(q.Options, func(o percuss.Option) bool { return dayAndMonth.MatchString(o.Text) }) {
		flags = append(flags, SpreadsheetDate)
	}
	return flags
}
