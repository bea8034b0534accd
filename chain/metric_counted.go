package chain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss/chain/battery"
)

// apiPrefix begins the families of the paper's API runtime that take the place of a family of its battery.
const apiPrefix = "API-"

// whichCount says which operators the metrics are computed over: the paper's where the battery has some, with the families
// of its API runtime that stand in for one of them, else all. The others have rows of their own in the tables.
func whichCount(ops []battery.Operator) []bool {
	out := make([]bool, len(ops))
	paper := map[string]bool{}
	for _, op := range ops {
		if op.Battery == battery.Paper {
			paper[op.Family] = true
		}
	}
	for i, op := range ops {
		out[i] = len(paper) == 0 || op.Battery == battery.Paper || op.Battery == battery.API && !paper[strings.TrimPrefix(op.Family, apiPrefix)]
	}
	return out
}

// beside are the operators that the metrics do not count.
func (l layout) beside() []int {
	var out []int
	for i, counts := range l.counts {
		if !counts {
			out = append(out, i)
		}
	}
	return out
}

// registering reports whether the token rule says something of an operator. One of a stored description has no rule any more.
func registering(op battery.Operator) bool {
	return op.Registering() || slices.Contains(paperJoint[:], op.Family)
}

// paperJoint are the families of the paper's joint table.
var paperJoint = [...]string{"M2", "M4", "M5"}

// registers reports whether an operator belongs to the joint table over all families, and to CDR.
func (l layout) registers(op int) bool { return l.counts[op] && registering(l.ops[op]) }

// registering are the families of the joint table over all families.
func (l layout) registering() []string { return l.familiesOf(l.registers) }

// familiesOf are the families of the operators that match, in the order of the battery.
func (l layout) familiesOf(match func(op int) bool) []string {
	var out []string
	for i, op := range l.ops {
		if match(i) && !slices.Contains(out, op.Family) {
			out = append(out, op.Family)
		}
	}
	return out
}

// hazardous are the families of CHS: M3, M4 and M5, or what stands in for one in the paper's API runtime.
func (l layout) hazardous() []string {
	var out []string
	for _, name := range [...]string{"M3", "M4", "M5"} {
		if api := apiPrefix + name; len(l.family(name)) == 0 && len(l.family(api)) > 0 {
			name = api
		}
		out = append(out, name)
	}
	return out
}

// alternatives lists some names as alternatives, e.g. "M2, M4 or M5"; the paper's where there are none.
func alternatives(names []string) string {
	if len(names) == 0 {
		return "M2, M4 or M5"
	}
	if len(names) > mostListed {
		return fmt.Sprintf("%d families with a token rule", len(names))
	}
	last := len(names) - 1
	return strings.Join(slices.DeleteFunc([]string{strings.Join(names[:last], ", "), names[last]}, func(s string) bool { return s == "" }), " or ")
}

// unregistered is why the joint table is empty where the battery can fill none of it.
func unregistered(names []string) string {
	if len(names) == 0 {
		return "the battery has no M2, M4 or M5"
	}
	return fmt.Sprintf("no edit of %s fired and was answered", alternatives(names))
}

// standing says which operators stand behind the metrics, where some do not; empty: all do.
func (l layout) standing() string {
	beside := l.beside()
	if len(beside) == 0 {
		return ""
	}
	from := map[string]int{}
	var order []string
	for _, op := range beside {
		name := cmp.Or(l.ops[op].Battery, "unknown")
		if from[name]++; from[name] == 1 {
			order = append(order, name)
		}
	}
	for i, name := range order {
		order[i] = fmt.Sprintf("%d of %s", from[name], name)
	}
	return fmt.Sprintf("the metrics are of %s, the paper's; in rows of their own and in no metric: %s",
		plural(len(l.ops)-len(beside), "operator"), strings.Join(order, ", "))
}
