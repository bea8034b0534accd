package battery

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
)

// catalogue is a battery file.
type catalogue struct {
	operators []Operator
	batteries map[string][]string
}

// document is the form of a battery file.
type document struct {
	Extends   []string            `yaml:"extends"` // built-in batteries that the file's own operators come on top of
	Batteries map[string][]string `yaml:"batteries"`
	Operators []description       `yaml:"operators"`
}

// description is one entry: a kind of edit with its variants.
type description struct {
	Family     string     `yaml:"family"`
	Title      string     `yaml:"title"`
	Does       string     `yaml:"does"`
	Block      Block      `yaml:"block"`
	Intent     Intent     `yaml:"intent"`
	Locus      Locus      `yaml:"locus"`
	Source     string     `yaml:"source"`
	Version    string     `yaml:"version"`
	Unless     string     `yaml:"unless"` // when it does not fire, as a clause
	Edit       string     `yaml:"edit"`
	Variants   []variant  `yaml:"variants"`
	Parameters parameters `yaml:",inline"`
}

// variant is one operator of an entry.
type variant struct {
	ID         string     `yaml:"id"`
	Variant    string     `yaml:"variant"`
	Does       string     `yaml:"does"`
	Unless     string     `yaml:"unless"`
	Parameters parameters `yaml:",inline"`
}

// readCatalogue reads a battery file; its name stands in the errors.
func readCatalogue(name string, data []byte) (catalogue, error) {
	var d document
	if err := yaml.UnmarshalWithOptions(data, &d, yaml.Strict()); err != nil {
		return catalogue{}, located(name, err)
	}
	file := fileText{name, data}
	c, err := d.base(file)
	if err != nil {
		return catalogue{}, err
	}
	seen := map[string]bool{}
	var own []Operator
	for i, entry := range d.Operators {
		if err := entry.check(); err != nil {
			return catalogue{}, file.at(fmt.Sprintf("$.operators[%d]", i), err)
		}
		for j, v := range entry.Variants {
			o, err := entry.operator(v)
			if err == nil {
				err = c.reserved(o)
			}
			if err == nil && seen[v.ID] {
				err = fmt.Errorf("operator %q is described twice; give each an id of its own", v.ID)
			}
			if err != nil {
				return catalogue{}, file.at(fmt.Sprintf("$.operators[%d].variants[%d]", i, j), err)
			}
			seen[v.ID] = true
			own = append(own, o)
		}
	}
	c.operators = append(c.operators, own...)
	if err := d.checkAvoided(seen, file); err != nil {
		return catalogue{}, err
	}
	return c, c.check(file)
}

// checkAvoided makes sure that the operators whose choice another avoids are there.
func (d document) checkAvoided(ids map[string]bool, file fileText) error {
	for i, entry := range d.Operators {
		for j, v := range entry.Variants {
			if a := v.Parameters.over(entry.Parameters).Avoids; a != "" && !ids[a] {
				return file.at(fmt.Sprintf("$.operators[%d].variants[%d]", i, j),
					fmt.Errorf("operator %s avoids %q, which is not in the file; name an operator's id", v.ID, a))
			}
		}
	}
	return nil
}

// check looks for what every operator of an entry needs.
func (d description) check() error {
	switch {
	case d.Family == "" || d.Title == "" || d.Source == "" || d.Version == "":
		return errors.New("family, title, source and version must all be given")
	case d.Block != F && d.Block != M:
		return fmt.Errorf("block is %q; write F (chain) or M (question)", d.Block)
	case d.Intent != Destructive && d.Intent != Preserving:
		return fmt.Errorf("intent is %q; write D (destructive) or P (preserving)", d.Intent)
	case d.Locus != Structural && d.Locus != Surface:
		return fmt.Errorf("locus is %q; write Str (structural) or Sur (surface)", d.Locus)
	case len(d.Variants) == 0:
		return errors.New("no variants; list at least one with an id")
	}
	return nil
}

// operator builds one variant.
func (d description) operator(v variant) (Operator, error) {
	if v.ID == "" || v.Variant == "" {
		return Operator{}, errors.New("a variant needs id and variant")
	}
	if strings.ContainsAny(v.ID+d.Family, "+ ") {
		return Operator{}, fmt.Errorf("id %q: ids and families hold neither spaces nor +, which joins them", v.ID)
	}
	p := v.Parameters.over(d.Parameters)
	if d.Edit == laboratoryEdit && len(p.Analytes) == 0 {
		var err error
		if p.Analytes, err = standardLabs(); err != nil {
			return Operator{}, err
		}
	}
	if len(p.Tokens) > 0 && d.Block != M {
		return Operator{}, fmt.Errorf("operator %s: tokens are looked for after edits of the question; take them out of block F", v.ID)
	}
	edit, err := p.editor(d.Edit)
	if err != nil {
		return Operator{}, fmt.Errorf("operator %s: %w", v.ID, err)
	}
	data, err := json.Marshal(struct {
		Edit       string
		Parameters parameters
	}{d.Edit, p})
	if err != nil {
		return Operator{}, fmt.Errorf("operator %s: %w", v.ID, err)
	}
	registers := p.Registers
	if registers == nil && len(p.Tokens) > 0 {
		registers = &registration{}
	}
	return Operator{
		ID: v.ID, Family: d.Family, Variant: v.Variant, Title: d.Title, Does: cmp.Or(v.Does, d.Does),
		Block: d.Block, Intent: d.Intent, Locus: d.Locus, Source: d.Source, Version: d.Version, Battery: Own,
		Needs: kinds[d.Edit].knows, unless: cmp.Or(v.Unless, d.Unless), edit: edit, rule: newRule(registers), data: string(data),
	}, nil
}

// fingerprint hashes what decides which edits are made and how they are counted: ids, tags, versions, tables.
func fingerprint(operators []Operator) string {
	h := sha256.New()
	line := json.NewEncoder(h) // one JSON line each: no two lists have the same bytes
	write := func(v any) { _ = line.Encode(v) }
	write("percuss.battery/1")
	for _, o := range operators {
		write([]string{o.ID, o.Family, o.Variant, string(o.Block), string(o.Intent), string(o.Locus), o.Version, o.data})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// located puts the file and the line in front of an error of the YAML reader.
func located(name string, err error) error {
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil {
		return fmt.Errorf("%s, line %d: %s", name, y.GetToken().Position.Line, y.GetMessage())
	}
	return fmt.Errorf("%s: %w", name, err)
}

// fileText is a battery file as it stands. It is parsed for its lines only when there is an error to be placed.
type fileText struct {
	name string
	data []byte
}

// at puts the file and the line of a node in front of an error.
func (f fileText) at(path string, err error) error {
	p, bad := yaml.PathString(path)
	file, worse := parser.ParseBytes(f.data, 0)
	if bad == nil && worse == nil {
		if node, bad := p.FilterFile(file); bad == nil {
			return fmt.Errorf("%s, line %d: %w", f.name, node.GetToken().Position.Line, err)
		}
	}
	return fmt.Errorf("%s, %s: %w", f.name, path, err)
}
