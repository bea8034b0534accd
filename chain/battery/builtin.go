package battery

import (
	_ "embed" // the built-in batteries
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

//go:embed paper.yaml
var paper []byte

//go:embed api.yaml
var api []byte

//go:embed extended.yaml
var extended []byte

// builtinFile is a built-in battery under the name by which files extend it.
type builtinFile struct {
	name string
	data []byte
}

// files are the built-in batteries in the order of reports. One that extends another stands after it.
func files() []builtinFile {
	return []builtinFile{{Paper, paper}, {API, api}, {Extended, extended}}
}

// catalogue reads the file, whose own operators are of that battery.
func (f builtinFile) catalogue() (catalogue, error) {
	c, err := readCatalogue(f.name+".yaml", f.data)
	for i := range c.operators {
		if c.operators[i].Battery == Own {
			c.operators[i].Battery = f.name
		}
	}
	return c, err
}

// builtin reads the embedded files once; their operators are immutable.
var builtin = sync.OnceValues(func() (catalogue, error) {
	var all catalogue
	for _, f := range files() {
		c, err := f.catalogue()
		if err != nil {
			return catalogue{}, err
		}
		if all, err = all.with(c); err != nil {
			return catalogue{}, fmt.Errorf("%s.yaml: %w", f.name, err)
		}
	}
	return all, nil
})

// published reads the paper's battery alone.
var published = sync.OnceValues(func() (catalogue, error) { return builtinFile{Paper, paper}.catalogue() })

// Parse reads a battery expression over the built-in operators: "paper" (all 30), "families" (one variant a family),
// "api", "extended", several of them ("paper+extended"), with families and variants added ("families+F1+M2",
// "extended+M2-sex"), or families and variants alone ("M5"). Operators come in the order of the batteries (paper, api,
// extended), each once, whatever the order of the expression.
func Parse(expression string) (Battery, error) {
	if c, err := published(); err == nil {
		if b, err := c.choose(expression); err == nil {
			return b, nil // the others need not be read: no name of theirs is one of these
		}
	}
	c, err := builtin()
	if err != nil {
		return Battery{}, err
	}
	return c.choose(expression)
}

// Load reads a battery expression over the operators of a file in the form of paper.yaml. They replace the built-in
// ones; or, where the file says "extends: [paper, extended]", they come after those of the batteries it names. Unknown
// fields, and fields that the kind of edit does not use, are errors with the file's name and their line.
func Load(r io.Reader, name, expression string) (Battery, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return Battery{}, fmt.Errorf("%s: %w", name, err)
	}
	c, err := readCatalogue(name, data)
	if err != nil {
		return Battery{}, err
	}
	return c.choose(expression)
}

// with adds the operators and batteries that another catalogue has beyond this one. Two operators of one id must be
// the same, two batteries of one name as well.
func (c catalogue) with(other catalogue) (catalogue, error) {
	out := catalogue{operators: slices.Clone(c.operators), batteries: map[string][]string{}}
	for name, members := range c.batteries {
		out.batteries[name] = members
	}
	for _, o := range other.operators {
		i := slices.IndexFunc(c.operators, func(x Operator) bool { return x.ID == o.ID })
		switch {
		case i < 0:
			out.operators = append(out.operators, o)
		case c.operators[i].data != o.data || c.operators[i].Version != o.Version:
			return catalogue{}, fmt.Errorf("operator id %q belongs to two operators; give one of them another", o.ID)
		}
	}
	for name, members := range other.batteries {
		if had, ok := out.batteries[name]; ok && !slices.Equal(had, members) {
			return catalogue{}, fmt.Errorf("battery name %q belongs to two batteries; give one of them another", name)
		}
		out.batteries[name] = members
	}
	return out, nil
}

// base is what a file starts from: the built-in batteries that it extends.
func (d document) base(file fileText) (catalogue, error) {
	c := catalogue{batteries: map[string][]string{}}
	for _, want := range d.Extends {
		i := slices.IndexFunc(files(), func(f builtinFile) bool { return f.name == want })
		if i < 0 {
			return catalogue{}, file.at("$.extends", fmt.Errorf("there is no built-in battery %q to extend; there are paper, api, extended", want))
		}
		more, err := files()[i].catalogue()
		if err == nil {
			c, err = c.with(more)
		}
		if err != nil {
			return catalogue{}, err
		}
	}
	for _, name := range sortedKeys(d.Batteries) {
		if _, taken := c.batteries[name]; taken {
			return catalogue{}, file.at("$.batteries", fmt.Errorf("battery %q is built in and extended here; choose another name", name))
		}
		c.batteries[name] = d.Batteries[name]
	}
	return c, nil
}

// taken are ids that the audit's own trials have.
var taken = []string{"base", "direct", "sham", "sham-chain", "format-markers", "format-space", "shuffle"}

// reserved says whether an own operator's id or family belongs to something else.
func (c catalogue) reserved(o Operator) error {
	if slices.Contains(taken, o.ID) || strings.Contains(o.ID, "/") {
		return fmt.Errorf("id %q is reserved: the audit's own trials have %s and ids with a slash; choose another", o.ID, strings.Join(taken, ", "))
	}
	for _, b := range c.operators {
		switch {
		case b.ID == o.ID:
			return fmt.Errorf("id %q is reserved for the built-in operator; choose another", o.ID)
		case b.Family == o.Family || b.Family == o.ID || b.ID == o.Family:
			return fmt.Errorf("%q is a family or operator of a battery that the file extends; choose another name for the family", o.Family)
		}
	}
	return nil
}
