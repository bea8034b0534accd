package battery

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// choose reads an expression.
func (c catalogue) choose(expression string) (Battery, error) {
	in := map[string]bool{}
	for term := range strings.SplitSeq(expression, "+") {
		term = strings.TrimSpace(term)
		if term == "" {
			return Battery{}, fmt.Errorf("battery %q has an empty part; join names with one +, e.g. families+F1", expression)
		}
		members := []string{term}
		if named, ok := c.batteries[term]; ok {
			members = named
		}
		for _, m := range members {
			if !c.add(in, m) {
				return Battery{}, fmt.Errorf("battery %q: there is no %q; %s", expression, m, c.offers())
			}
		}
	}
	b := Battery{Expression: expression}
	for _, o := range c.operators {
		if in[o.ID] {
			b.Operators = append(b.Operators, o)
		}
	}
	b.Fingerprint = fingerprint(b.Operators)
	return b, nil
}

// add marks the operators that a family or an id names; false when there are none.
func (c catalogue) add(in map[string]bool, name string) bool {
	found := false
	for _, o := range c.operators {
		if o.ID == name || o.Family == name {
			in[o.ID], found = true, true
		}
	}
	return found
}

// offers lists what an expression may name.
func (c catalogue) offers() string {
	variants := map[string][]string{}
	var families []string
	for _, o := range c.operators {
		if !slices.Contains(families, o.Family) {
			families = append(families, o.Family)
		}
		variants[o.Family] = append(variants[o.Family], o.ID)
	}
	var listed []string
	for _, f := range families {
		listed = append(listed, f+" ("+strings.Join(variants[f], " ")+")")
	}
	return fmt.Sprintf("batteries: %s; families and their variants: %s",
		strings.Join(sortedKeys(c.batteries), ", "), strings.Join(listed, ", "))
}

// check makes sure that what a file's batteries and operators name is there.
func (c catalogue) check(file fileText) error {
	if len(c.operators) == 0 {
		return fmt.Errorf("%s: no operators; list them under operators, as paper.yaml does", file.name)
	}
	for _, name := range sortedKeys(c.batteries) {
		if c.add(map[string]bool{}, name) || strings.Contains(name, "+") {
			return file.at("$.batteries", fmt.Errorf("battery %q has the name of an operator or family, or a +; choose another", name))
		}
		for _, m := range c.batteries[name] {
			if !c.add(map[string]bool{}, m) {
				return file.at("$.batteries", fmt.Errorf("battery %s: there is no %q; %s", name, m, c.offers()))
			}
		}
	}
	return nil
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
