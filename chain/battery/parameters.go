package battery

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// editor makes one edit.
type editor = func(text string, p pick) Edit

// parameters are the numbers, words and tables of an edit.
type parameters struct {
	Keep      int           `yaml:"keep" json:",omitempty"`      // per cent of the steps
	Shifts    []int         `yaml:"shifts" json:",omitempty"`    // added to a number
	Sentences []string      `yaml:"sentences" json:",omitempty"` // inserted or prepended
	Words     int           `yaml:"words" json:",omitempty"`     // the longest operand
	Avoids    string        `yaml:"avoids" json:",omitempty"`    // the operator whose occurrence is avoided
	Protect   int           `yaml:"protect" json:",omitempty"`   // sentences at the end that stay
	Brackets  []bracket     `yaml:"brackets" json:",omitempty"`  // of ages; the first that holds decides
	Table     []entry       `yaml:"table" json:",omitempty"`     // of replacements
	Numbers   []string      `yaml:"numbers" json:",omitempty"`   // the words that {n} stands for, besides digits
	Registers *registration `yaml:"registers" json:",omitempty"` // when a chain registers the edit

	Lists       lists        `yaml:"lists" json:",omitempty"`       // word lists by name; * at the end of an entry: words that begin so
	Stages      []stage      `yaml:"stages" json:",omitempty"`      // of life, to which words bind a text
	Analytes    []analyte    `yaml:"analytes" json:",omitempty"`    // laboratory values; none: the built-in table
	Conversions []conversion `yaml:"conversions" json:",omitempty"` // of units
	Others      []string     `yaml:"others" json:",omitempty"`      // words to choose from
	Joins       string       `yaml:"joins" json:",omitempty"`       // what joins a list after the edit: "and" or "or"

	// A user's own edit (pattern.go).
	Find       string   `yaml:"find" json:",omitempty"`        // a regular expression
	To         string   `yaml:"to" json:",omitempty"`          // what a match becomes; $1 is the first group
	Which      string   `yaml:"which" json:",omitempty"`       // matches: "first" (the default) or "all"
	IgnoreCase bool     `yaml:"ignore_case" json:",omitempty"` // and keep the capitalisation of the match
	WholeWords bool     `yaml:"whole_words" json:",omitempty"` // a match begins and ends at the border of a word, in any script
	Tokens     []string `yaml:"tokens" json:",omitempty"`      // new words for the token rule; may use $1
}

// entry is one replacement.
type entry struct {
	Find string `yaml:"find"`
	To   string `yaml:"to"`
}

// bracket says which ages replace those below or above a limit; without limits, all the others. 0: no limit.
type bracket struct {
	Below int   `yaml:"below"`
	Above int   `yaml:"above"`
	To    []int `yaml:"to"`
}

func (b bracket) holds(age int) bool {
	return (b.Below == 0 || age < b.Below) && (b.Above == 0 || age > b.Above)
}

// without returns the ages other than the given one, so that no edit changes nothing.
func (b bracket) without(age int) []int {
	return slices.DeleteFunc(slices.Clone(b.To), func(a int) bool { return a == age })
}

// registration describes a registration rule. Without patterns the edit's new tokens are looked for.
type registration struct {
	Patterns  []string            `yaml:"patterns" json:",omitempty"`
	Inflected map[string][]string `yaml:"inflected" json:",omitempty"` // by new token; with patterns under "any"
}

func (p parameters) table() table { return newTable(p.Table, p.Numbers) }

// over fills what a variant leaves open from its entry.
func (p parameters) over(entry parameters) parameters {
	out := entry
	if p.Keep != 0 {
		out.Keep = p.Keep
	}
	if p.Words != 0 {
		out.Words = p.Words
	}
	if p.Protect != 0 {
		out.Protect = p.Protect
	}
	if p.Avoids != "" {
		out.Avoids = p.Avoids
	}
	if p.Registers != nil {
		out.Registers = p.Registers
	}
	out.Shifts = given(p.Shifts, entry.Shifts)
	out.Sentences = given(p.Sentences, entry.Sentences)
	out.Brackets = given(p.Brackets, entry.Brackets)
	out.Table = given(p.Table, entry.Table)
	out.Numbers = given(p.Numbers, entry.Numbers)
	return p.newer(out, entry)
}

// newer is over for the parameters of the edits beyond the paper's.
func (p parameters) newer(out, entry parameters) parameters {
	out.Lists = p.Lists.over(entry.Lists)
	out.Stages = given(p.Stages, entry.Stages)
	out.Analytes = given(p.Analytes, entry.Analytes)
	out.Conversions = given(p.Conversions, entry.Conversions)
	out.Others = given(p.Others, entry.Others)
	out.Tokens = given(p.Tokens, entry.Tokens)
	out.Joins, out.Find = cmp.Or(p.Joins, entry.Joins), cmp.Or(p.Find, entry.Find)
	out.To, out.Which = cmp.Or(p.To, entry.To), cmp.Or(p.Which, entry.Which)
	out.IgnoreCase, out.WholeWords = p.IgnoreCase || entry.IgnoreCase, p.WholeWords || entry.WholeWords
	return out
}

// given returns the first list unless it is empty.
func given[T any](list, other []T) []T {
	if len(list) > 0 {
		return list
	}
	return other
}

// names lists the parameters that are set.
func (p parameters) names() []string {
	var out []string
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"keep", p.Keep != 0}, {"shifts", len(p.Shifts) > 0}, {"sentences", len(p.Sentences) > 0},
		{"words", p.Words != 0}, {"avoids", p.Avoids != ""}, {"protect", p.Protect != 0},
		{"brackets", len(p.Brackets) > 0}, {"table", len(p.Table) > 0}, {"numbers", len(p.Numbers) > 0},
		{"stages", len(p.Stages) > 0}, {"analytes", len(p.Analytes) > 0}, {"conversions", len(p.Conversions) > 0},
		{"others", len(p.Others) > 0}, {"joins", p.Joins != ""}, {"find", p.Find != ""}, {"to", p.To != ""},
		{"which", p.Which != ""}, {"ignore_case", p.IgnoreCase}, {"whole_words", p.WholeWords}, {"tokens", len(p.Tokens) > 0},
	} {
		if f.set {
			out = append(out, f.name)
		}
	}
	return out
}

// editor checks the parameters against the kind of edit and builds it.
func (p parameters) editor(edit string) (editor, error) {
	k, ok := kinds[edit]
	if !ok {
		return nil, fmt.Errorf("edit %q is unknown; there are %s", edit, strings.Join(sortedKeys(kinds), ", "))
	}
	set := p.names()
	for _, name := range k.needs {
		if !slices.Contains(set, name) {
			return nil, fmt.Errorf("edit %q needs %s", edit, name)
		}
	}
	for _, name := range set {
		if !slices.Contains(k.needs, name) && !slices.Contains(k.may, name) {
			return nil, fmt.Errorf("edit %q does not use %s; take it out", edit, name)
		}
	}
	if err := p.Lists.check(edit, k.lists); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := p.checkNewer(edit); err != nil {
		return nil, err
	}
	return k.build(p), nil
}

// check looks at the values.
func (p parameters) check() error {
	switch {
	case p.Keep < 0 || p.Keep >= 100:
		return fmt.Errorf("keep is %d; write a percentage from 1 to 99", p.Keep)
	case p.Words < 0 || p.Protect < 0:
		return errors.New("words and protect are counts; write 1 or more")
	case slices.Contains(p.Shifts, 0):
		return errors.New("a shift of 0 changes nothing; take it out")
	case slices.ContainsFunc(p.Sentences, func(s string) bool { return strings.TrimSpace(s) == "" }):
		return errors.New("an empty sentence; take it out")
	}
	for _, b := range p.Brackets {
		if len(b.To) == 0 {
			return errors.New("a bracket of ages needs to, a list of ages")
		}
	}
	for _, e := range p.Table {
		if err := e.check(); err != nil {
			return err
		}
	}
	return p.Registers.check()
}
