package custom

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

// columns says what each column of the file is.
type columns struct {
	stem, answer string
	options      []string // one column that holds them all, or one for each
	id, context  string   // empty: the file has none
}

// The names that are tried where the user names no column; case, spaces, hyphens and underscores do not count.
var (
	stemNames    = []string{"question", "stem", "prompt", "query", "vignette"}
	optionsNames = []string{"options", "choices", "candidates", "endings"}
	answerNames  = []string{"answer_idx", "answer_index", "cop", "correct_option", "correct_answer", "answer_key", "answer", "gold", "correct", "label", "target"}
	idNames      = []string{"id", "realidx", "question_id", "qid", "uid"}
	contextNames = []string{"context", "contexts", "passage", "passages"}
	optionPrefix = []string{"option", "op", "opt", "choice", "answer", "ans", ""}
)

// mostColumns bounds what is collected of a file of JSON lines whose rows have ever new fields.
const mostColumns = 1000

// columnsOf collects the names of the columns in the order of the file: of all rows, since a row of JSON may lack any.
func columnsOf(rows iter.Seq2[source.Row[row], error]) ([]string, error) {
	var names []string
	seen := map[string]bool{}
	bad := error(nil)
	read := 0
	for r, err := range rows {
		if err != nil {
			return nil, err
		}
		read++
		if r.Bad != nil && bad == nil {
			bad = &dataset.BadRow{File: r.Source.File, Line: r.Source.Line, Why: r.Bad.Error()}
		}
		for _, name := range r.Value.columns {
			if !seen[name] && len(names) < mostColumns {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	switch {
	case len(names) > 0:
		return names, nil
	case bad != nil:
		return nil, fmt.Errorf("no row can be read; the first: %v", bad) // not %w: it ends the reading, and is no bad row
	}
	if read > 0 {
		return nil, fmt.Errorf("none of its %d rows has a field", read)
	}
	return nil, errors.New("the file has no rows")
}

// choose finds the columns among the names of the file.
func choose(names []string, o dataset.Options) (columns, error) {
	var c columns
	var err error
	pick := func(option string, tried []string, needed bool) string {
		asked, ok := o[option]
		found := asked
		if !ok {
			found = firstOf(names, tried)
		}
		if err == nil && (ok && !slices.Contains(names, found) || !ok && needed && found == "") {
			err = missing(option, asked, tried, names)
		}
		return found
	}
	c.stem = pick("stem", stemNames, true)
	c.id = pick("id", idNames, false)
	c.context = pick("context", contextNames, false)
	if o["answers"] == asNumber {
		if _, ok := o["options"]; ok && err == nil {
			err = errors.New("answers=number: a question whose answer is a number has no options; leave options= out")
		}
	} else {
		c.options, err = chooseOptions(names, o, err)
	}
	if err != nil {
		return columns{}, err
	}
	rest := slices.DeleteFunc(slices.Clone(names), func(s string) bool { return slices.Contains(c.options, s) })
	if _, ok := o["answer"]; !ok {
		names = rest // a series answer1, answer2, ... is no answer
	}
	c.answer = pick("answer", answerNames, true)
	return c, err
}

func missing(option, asked string, tried, names []string) error {
	has := "the file has " + strings.Join(quoted(names), ", ")
	if asked != "" {
		return fmt.Errorf("no column %q for ?%s=; %s", asked, option, has)
	}
	return fmt.Errorf("no column is named %s; say ?%s=COLUMN; %s", strings.Join(tried, ", "), option, has)
}

func quoted(names []string) []string {
	var out []string
	for _, n := range names[:min(len(names), 40)] {
		out = append(out, strconv.Quote(n))
	}
	if more := len(names) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return out
}

// chooseOptions returns the columns asked for, else one of the usual names, else the longest series such as opa, opb
// or option1, option2. err is passed on.
func chooseOptions(names []string, o dataset.Options, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	if asked, ok := o["options"]; ok {
		if slices.Contains(names, asked) {
			return []string{asked}, nil
		}
		var out []string
		for _, name := range strings.Split(asked, ",") {
			if !slices.Contains(names, name) {
				return nil, missing("options", name, nil, names)
			}
			if slices.Contains(out, name) {
				return nil, fmt.Errorf("options=%s: column %q stands there twice", asked, name)
			}
			out = append(out, name)
		}
		return out, nil
	}
	for _, tried := range optionsNames {
		for _, name := range names {
			if strings.EqualFold(name, tried) { // no more than that: option_s is one of a series
				return []string{name}, nil
			}
		}
	}
	var best []string
	for _, prefix := range optionPrefix {
		for _, number := range []func(int) string{percuss.Label, strconv.Itoa, func(i int) string { return strconv.Itoa(i + 1) }} {
			if s := series(names, prefix, number); len(s) > len(best) && (prefix != "" || s[0] == "A" || s[0] == "a") {
				best = s
			}
		}
	}
	if len(best) < 2 {
		return nil, missing("options", "", append(slices.Clone(optionsNames), "opa, opb, ...", "A, B, ..."), names)
	}
	return best, nil
}

// series returns the columns named prefix and a number, from the first on, without a gap.
func series(names []string, prefix string, number func(int) string) []string {
	var out []string
	for i := 0; ; i++ {
		name := firstOf(names, []string{prefix + number(i)})
		if name == "" {
			return out
		}
		out = append(out, name)
	}
}

// firstOf returns the name that equals the first of the tried ones which any equals; empty when none does.
func firstOf(names, tried []string) string {
	for _, t := range tried {
		for _, n := range names {
			if plain(n) == plain(t) {
				return n
			}
		}
	}
	return ""
}

func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(name))
}
