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

// choose finds the columns among the names of the file. Its error names every column that is missing, so that one look at the
// file mends them all.
func choose(names []string, o dataset.Options) (columns, error) {
	var c columns
	var lacking []string
	rest := names // what may hold the answer
	pick := func(option string, tried []string, needed bool) string {
		asked, ok := o[option]
		found := asked
		if !ok {
			found = firstOf(rest, tried)
		}
		if ok && !slices.Contains(names, found) || !ok && needed && found == "" {
			lacking = append(lacking, missing(option, asked, tried))
		}
		return found
	}
	c.stem = pick("stem", stemNames, true)
	c.id = pick("id", idNames, false)
	c.context = pick("context", contextNames, false)
	_, asked := o["options"]
	switch {
	case o["answers"] != asNumber:
		var lack []string
		c.options, lack = chooseOptions(names, o)
		lacking = append(lacking, lack...)
	case asked:
		return columns{}, errors.New("answers=number: a question whose answer is a number has no options; leave options= out")
	}
	// A series answer1, answer2, ... is no answer.
	rest = slices.DeleteFunc(slices.Clone(names), func(s string) bool { return slices.Contains(c.options, s) })
	c.answer = pick("answer", answerNames, true)
	if len(lacking) > 0 {
		return columns{}, fmt.Errorf("%s; the file has %s", strings.Join(lacking, "; "), strings.Join(listed(names), ", "))
	}
	return c, nil
}

// missing says that a column which was asked for, or one with a usual name, is not there.
func missing(option, asked string, tried []string) string {
	if asked != "" {
		return fmt.Sprintf("no column %q for ?%s=", asked, option)
	}
	write := "COLUMN"
	if option == "options" {
		write = "COLUMN,COLUMN,..."
	}
	return fmt.Sprintf("no column is named %s: say ?%s=%s", strings.Join(tried, ", "), option, write)
}

// listed are the names in quotes, of a series such as opt 1, opt 2, opt 3 the first and the last.
func listed(names []string) []string {
	var out []string
	for i := 0; i < len(names); {
		if len(out) == mostListed {
			return append(out, fmt.Sprintf("and %d more", len(names)-i))
		}
		last := i
		for last+1 < len(names) && names[last+1] == following(names[last]) {
			last++
		}
		if last-i < 2 {
			last = i
			out = append(out, strconv.Quote(names[i]))
		} else {
			out = append(out, fmt.Sprintf("%q to %q", names[i], names[last]))
		}
		i = last + 1
	}
	return out
}

// mostListed is how many names of a file a message lists.
const mostListed = 40

// following is the name that comes after one which ends in a number or a letter, in a series; empty for none.
func following(name string) string {
	stem := strings.TrimRight(name, "0123456789")
	if n, err := strconv.Atoi(name[len(stem):]); err == nil {
		return stem + strconv.Itoa(n+1)
	}
	if name == "" {
		return ""
	}
	last := name[len(name)-1]
	if last >= 'a' && last < 'z' || last >= 'A' && last < 'Z' {
		return name[:len(name)-1] + string(rune(last+1))
	}
	return ""
}

// chooseOptions returns the columns asked for, else one of the usual names, else the longest series such as opa, opb
// or option1, option2; else what is lacking.
func chooseOptions(names []string, o dataset.Options) (found, lacking []string) {
	if asked, ok := o["options"]; ok {
		if slices.Contains(names, asked) {
			return []string{asked}, nil
		}
		for _, name := range strings.Split(asked, ",") {
			switch {
			case !slices.Contains(names, name):
				lacking = append(lacking, missing("options", name, nil))
			case slices.Contains(found, name):
				lacking = append(lacking, fmt.Sprintf("options=%s: column %q stands there twice", asked, name))
			}
			found = append(found, name)
		}
		return found, lacking
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
		return nil, []string{missing("options", "", append(slices.Clone(optionsNames), "opa, opb, ...", "A, B, ..."))}
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
