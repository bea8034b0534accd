package battery

import (
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

// kind is a kind of edit: the parameters that it needs, those that it may have, and how it is built.
type kind struct {
	needs, may []string
	build      func(p parameters) editor
}

var kinds = map[string]kind{
	"truncate":   {needs: []string{"keep"}, build: func(p parameters) editor { return truncate(p.Keep) }},
	"delete":     {build: func(parameters) editor { return deleteStep }},
	"substitute": {needs: []string{"shifts"}, build: func(p parameters) editor { return substitute(p.Shifts) }},
	"insert":     {needs: []string{"sentences"}, build: func(p parameters) editor { return insert(p.Sentences) }},
	"reorder":    {build: func(parameters) editor { return reorder }},
	"paraphrase": {needs: []string{"table"}, build: func(p parameters) editor { return paraphrase(p.table()) }},
	"commute": {needs: []string{"words"}, may: []string{"avoids"},
		build: func(p parameters) editor { return commute(p.Words, p.Avoids) }},
	"ablate":  {needs: []string{"protect"}, build: func(p parameters) editor { return ablate(p.Protect) }},
	"age":     {needs: []string{"brackets"}, build: func(p parameters) editor { return replaceAge(p.Brackets) }},
	"sex":     {needs: []string{"table"}, build: func(p parameters) editor { return flipSex(p.table()) }},
	"prepend": {needs: []string{"sentences"}, build: func(p parameters) editor { return prepend(p.Sentences) }},
	"replace": {needs: []string{"table"}, may: []string{"numbers"},
		build: func(p parameters) editor { return replaceFirst(p.table()) }},
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
	if err := p.check(); err != nil {
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

func (e entry) check() error {
	if strings.TrimSpace(e.To) == "" {
		return fmt.Errorf("find %q has no replacement; give one with to", e.Find)
	}
	if strings.EqualFold(e.Find, e.To) {
		return fmt.Errorf("%q is replaced by itself; give another word", e.Find)
	}
	return checkPhrase(e.Find)
}

// checkPhrase says whether a phrase can be found as whole words.
func checkPhrase(phrase string) error {
	p := newPattern(phrase)
	if len(p) == 0 || !wordRune(p[0]) || !wordRune(p[len(p)-1]) {
		return fmt.Errorf("%q must begin and end with a letter or digit: whole words are looked for", phrase)
	}
	return nil
}

func (r *registration) check() error {
	if r == nil {
		return nil
	}
	for _, token := range sortedKeys(r.Inflected) {
		if len(r.Patterns) > 0 && token != anyToken {
			return fmt.Errorf("inflected forms beside fixed patterns stand under %q, not %q", anyToken, token)
		}
		for _, phrase := range r.Inflected[token] {
			if err := checkPhrase(phrase); err != nil {
				return fmt.Errorf("inflected: %w", err)
			}
		}
	}
	for _, phrase := range r.Patterns {
		if err := checkPhrase(phrase); err != nil {
			return fmt.Errorf("patterns: %w", err)
		}
	}
	return nil
}
