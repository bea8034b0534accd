package spec

import (
	"fmt"
	"slices"
)

// Pair is two models that are compared: the same one before and after a change.
type Pair struct {
	Name    string // empty: the only one of a run that names none
	Before  string // the ids of the models
	After   string
	Teacher string // empty: there is none
}

// Pairs are the comparisons that the roles of the models make, in the order of the specification. Models of one pair have the
// same name of it; where no pair is named, several models after a change are each held against the one before it, or the
// first against the first and so on. A teacher without a pair is that of all pairs that have none of their own. What does not
// fit together makes an error that says how to name it.
func (s Specification) Pairs() ([]Pair, error) {
	var names []string
	of := map[string]*struct{ before, after, teacher []string }{}
	for _, m := range s.Models {
		if of[m.Pair] == nil {
			of[m.Pair] = &struct{ before, after, teacher []string }{}
			names = append(names, m.Pair)
		}
		switch at := of[m.Pair]; m.Role {
		case Before:
			at.before = append(at.before, m.ID)
		case After:
			at.after = append(at.after, m.ID)
		case Teacher:
			at.teacher = append(at.teacher, m.ID)
		}
	}
	common := ""
	if all := of[""]; all != nil && len(all.teacher) == 1 {
		common = all.teacher[0]
	}
	var out []Pair
	for _, name := range names {
		g := of[name]
		teacher := common
		if name != "" && len(g.teacher) > 0 {
			teacher = g.teacher[0]
		}
		pairs, err := paired(name, g.before, g.after, g.teacher)
		if err != nil {
			return nil, err
		}
		for i := range pairs {
			pairs[i].Teacher = teacher
			if name == "" && len(g.teacher) == len(pairs) && len(pairs) > 1 {
				pairs[i].Teacher = g.teacher[i]
			}
		}
		out = append(out, pairs...)
	}
	return out, nil
}

// paired puts the models of one pair, or those without a name of one, together.
func paired(name string, before, after, teacher []string) ([]Pair, error) {
	of := "models"
	if name != "" {
		of = fmt.Sprintf("pair %q", name)
	}
	switch {
	case len(before) == 0 && len(after) == 0:
		if name != "" {
			return nil, fmt.Errorf("%s has no model with role: before and none with role: after", of)
		}
		return nil, nil
	case len(before) == 0:
		return nil, fmt.Errorf("%s: %s has role after, and no model has role before (--before)", of, after[0])
	case len(after) == 0:
		return nil, fmt.Errorf("%s: %s has role before, and no model has role after (--after)", of, before[0])
	case name != "" && (len(before) > 1 || len(after) > 1 || len(teacher) > 1):
		return nil, fmt.Errorf("%s has two models of one role: give them pairs of their own", of)
	case len(before) != 1 && len(before) != len(after):
		return nil, fmt.Errorf("%d models before and %d after: say with pair: NAME which belong together", len(before), len(after))
	}
	var out []Pair
	for i, a := range after {
		p := Pair{Name: name, Before: before[min(i, len(before)-1)], After: a}
		if p.Name == "" && len(after) > 1 {
			p.Name = a
		}
		out = append(out, p)
	}
	return out, nil
}

// Compared reports whether a model takes part in a comparison.
func (m Model) Compared() bool { return slices.Contains([]string{Before, After, Teacher}, m.Role) }
