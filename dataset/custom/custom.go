// Package custom reads a user's own multiple-choice questions from JSON lines, a JSON array, CSV or Parquet. Columns
// are named by options of the DATA argument; where they are not, the usual names are tried. It reads a user's own cases
// too, whose fields have fixed names.
package custom

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

// Name is the set's name where ?name= gives none.
const Name = "custom"

// Loader reads one file.
type Loader struct {
	path, format, name string
	options            dataset.Options
}

var setName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// New returns the loader of a file. Options:
//
//	stem, answer, id, context   a column each
//	options    one column (a list, an object of labels and texts, a text with separators), or several with commas between
//	answers    letter, index or text: how the answer names its option; without it each row's answer shows that; number:
//	           the answer is a number, and there are no options
//	base       0 or 1: what an index counts from; without it the file's indices must show that
//	separator  what stands between options in one text; without it a line break, | or ;
//	format     jsonl, json, csv or parquet; without it the file's name must show that
//	name       the set's name in reports
func New(path string, o dataset.Options) (*Loader, error) {
	if err := o.Only(Name, "stem", "options", "answer", "id", "context", "answers", "base", "separator", "format", "name"); err != nil {
		return nil, err
	}
	if path == "" {
		return nil, fmt.Errorf("data set %s: no file; write %s:FILE, e.g. %s:questions.csv?stem=question&options=a,b,c,d&answer=key", Name, Name, Name)
	}
	if a := o["answers"]; a != "" && !slices.Contains([]string{byLabel, byIndex, byText, asNumber}, a) {
		return nil, fmt.Errorf("data set %s: answers=%s; there are letter, index, text and number", Name, a)
	}
	if b := o["base"]; b != "" && b != "0" && b != "1" {
		return nil, fmt.Errorf("data set %s: base=%s; an index counts from 0 or from 1", Name, b)
	}
	format, err := formatOf(path, o["format"])
	if err != nil {
		return nil, fmt.Errorf("data set %s: %w", Name, err)
	}
	l := &Loader{path: path, format: format, name: Name, options: o}
	if n, ok := o["name"]; ok {
		if !setName.MatchString(n) {
			return nil, fmt.Errorf("data set %s: name=%s; a name has small letters, digits and hyphens", Name, n)
		}
		l.name = n
	}
	return l, nil
}

// Name implements dataset.Loader.
func (l *Loader) Name() string { return l.name }

// Questions implements dataset.Loader. The file is read twice more beforehand: for the names of its columns and for
// what its answers count from.
func (l *Loader) Questions() iter.Seq2[percuss.Question, error] {
	return func(yield func(percuss.Question, error) bool) {
		rows := rowsOf(l.path, l.format)
		r, err := l.reader(rows)
		if err != nil {
			dataset.Fail(l.name, fmt.Errorf("%s: %w", l.path, err))(yield)
			return
		}
		dataset.Distinct(dataset.Questions(l.name, "", rows, r.question))(yield)
	}
}

// reader turns the rows of one file into questions.
type reader struct {
	columns
	key
	set, separator string
}

func (l *Loader) reader(rows iter.Seq2[source.Row[row], error]) (reader, error) {
	names, err := columnsOf(rows)
	if err != nil {
		return reader{}, err
	}
	r := reader{key: key{mode: l.options["answers"]}, set: l.name, separator: l.options["separator"]}
	if l.options["stem"] == "" && holdsCases(names) {
		return reader{}, ErrCases
	}
	if r.columns, err = choose(names, l.options); err != nil {
		return reader{}, err
	}
	if r.mode == asNumber {
		return r, nil
	}
	var b dataset.Base
	for row, err := range rows {
		if err != nil {
			return reader{}, err
		}
		c, err := choicesOf(row.Value, r.options, r.separator)
		if err != nil {
			continue // reported when the row is read
		}
		answer, err := answerOf(row.Value, r.answer)
		if n, ok := r.counts(answer, c); err == nil && ok {
			b.See(n, len(c.texts), row.Source.Line)
		}
	}
	r.base, err = b.Decide(r.answer, l.options["base"])
	return r, err
}

func (r reader) question(in row) (percuss.Question, error) {
	var none percuss.Question
	stem := in.cells[r.stem]
	if stem.kind != text && stem.kind != absent {
		return none, fmt.Errorf("%q is no text", r.stem)
	}
	raw := dataset.Raw{Stem: stem.text}
	if err := r.answered(in, &raw); err != nil {
		return none, err
	}
	if id := in.cells[r.id]; id.kind == text {
		raw.ID = id.text
	}
	var err error
	switch v := in.cells[r.context]; v.kind {
	case text:
		raw.Context = []string{v.text}
	case list:
		if raw.Context, err = v.texts(); err != nil {
			return none, fmt.Errorf("%q: %w", r.context, err)
		}
	case object:
		return none, fmt.Errorf("%q is an object; a context is a text or a list of texts", r.context)
	}
	return raw.Question(r.set)
}

// answered fills in what a row has of options, and its answer.
func (r reader) answered(in row, raw *dataset.Raw) error {
	answer, err := answerOf(in, r.answer)
	if r.mode == asNumber {
		raw.Number = answer
		return err
	}
	c, wrong := choicesOf(in, r.options, r.separator)
	if err := cmp.Or(wrong, err); err != nil {
		return err
	}
	raw.Labels, raw.Options = c.labels, c.texts
	if len(c.texts) > 1 { // else Question says what is wrong
		raw.Gold, err = r.gold(answer, c)
	}
	return err
}
