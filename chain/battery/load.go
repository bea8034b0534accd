package battery

import (
	"crypto/sha256"
	_ "embed" // the paper's tables
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

//go:embed paper.yaml
var paper []byte

// builtin reads the embedded file once; its operators are immutable.
var builtin = sync.OnceValues(func() (catalogue, error) { return readCatalogue(paper) })

// Parse reads a battery expression over the built-in operators: "paper" (all 30), "families" (one variant a family),
// either with families or variants added ("families+F1+M2", "families+M2-sex"), or families and variants alone ("M5").
// Operators come in the order of the paper, each once, whatever the order of the expression.
func Parse(expression string) (Battery, error) {
	c, err := builtin()
	if err != nil {
		return Battery{}, err
	}
	return c.choose(expression)
}

// Load reads a battery expression over the operators of a file in the form of paper.yaml. Unknown fields, and fields
// that the kind of edit does not use, are errors with their line.
func Load(r io.Reader, expression string) (Battery, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return Battery{}, fmt.Errorf("battery file: %w", err)
	}
	c, err := readCatalogue(data)
	if err != nil {
		return Battery{}, err
	}
	return c.choose(expression)
}

// catalogue is a battery file.
type catalogue struct {
	operators []Operator
	batteries map[string][]string
}

// document is the form of a battery file.
type document struct {
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
	Edit       string     `yaml:"edit"`
	Variants   []variant  `yaml:"variants"`
	Parameters parameters `yaml:",inline"`
}

// variant is one operator of an entry.
type variant struct {
	ID         string     `yaml:"id"`
	Variant    string     `yaml:"variant"`
	Does       string     `yaml:"does"`
	Parameters parameters `yaml:",inline"`
}

func readCatalogue(data []byte) (catalogue, error) {
	var d document
	if err := yaml.UnmarshalWithOptions(data, &d, yaml.Strict()); err != nil {
		return catalogue{}, located(err)
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return catalogue{}, located(err)
	}
	c := catalogue{batteries: d.Batteries}
	seen := map[string]bool{}
	for i, entry := range d.Operators {
		if err := entry.check(); err != nil {
			return catalogue{}, at(file, fmt.Sprintf("$.operators[%d]", i), err)
		}
		for j, v := range entry.Variants {
			o, err := entry.operator(v)
			if err == nil && seen[v.ID] {
				err = fmt.Errorf("operator %q is described twice; give each an id of its own", v.ID)
			}
			if err != nil {
				return catalogue{}, at(file, fmt.Sprintf("$.operators[%d].variants[%d]", i, j), err)
			}
			seen[v.ID] = true
			c.operators = append(c.operators, o)
		}
	}
	if err := d.checkAvoided(seen, file); err != nil {
		return catalogue{}, err
	}
	return c, c.check(file)
}

// checkAvoided makes sure that the operators whose choice another avoids are there.
func (d document) checkAvoided(ids map[string]bool, file *ast.File) error {
	for i, entry := range d.Operators {
		for j, v := range entry.Variants {
			if a := v.Parameters.over(entry.Parameters).Avoids; a != "" && !ids[a] {
				return at(file, fmt.Sprintf("$.operators[%d].variants[%d]", i, j),
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
	does := v.Does
	if does == "" {
		does = d.Does
	}
	return Operator{
		ID: v.ID, Family: d.Family, Variant: v.Variant, Title: d.Title, Does: does,
		Block: d.Block, Intent: d.Intent, Locus: d.Locus, Source: d.Source, Version: d.Version,
		edit: edit, rule: newRule(p.Registers), data: string(data),
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

// located puts the line in front of an error of the YAML reader.
func located(err error) error {
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil {
		return fmt.Errorf("battery file, line %d: %s", y.GetToken().Position.Line, y.GetMessage())
	}
	return fmt.Errorf("battery file: %w", err)
}

// at puts the line of a node in front of an error.
func at(file *ast.File, path string, err error) error {
	if p, bad := yaml.PathString(path); bad == nil {
		if node, bad := p.FilterFile(file); bad == nil {
			return fmt.Errorf("battery file, line %d: %w", node.GetToken().Position.Line, err)
		}
	}
	return fmt.Errorf("battery file, %s: %w", path, err)
}
