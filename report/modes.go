package report

import (
	"slices"
	"strings"

	"github.com/percuss/percuss/chain"
)

// modeGroup is the models of one failure mode.
type modeGroup struct {
	Mode   string
	Models []string // each with its prompts where its modes differ by prompt, and a word where the mode is borderline
}

// Line is the group in a line.
func (g modeGroup) Line() string { return g.Mode + ": " + strings.Join(g.Models, ", ") }

// modeGroups gathers the models by failure mode, in the order in which the modes first appear.
func modeGroups(modes []chain.Mode) []modeGroup {
	prompts := map[string]int{}
	for _, m := range modes {
		prompts[m.Model]++
	}
	type entry struct {
		mode, model string
		borderline  bool
	}
	var order []entry
	variants := map[entry][]string{}
	for _, m := range modes {
		e := entry{m.Words(), m.Model, len(m.Borderline) > 0 && len(m.Open()) == 0}
		if len(variants[e]) == 0 {
			order = append(order, e)
		}
		variants[e] = append(variants[e], m.Variant)
	}
	var out []modeGroup
	for _, e := range order {
		name, beside := e.model, []string{}
		if len(variants[e]) < prompts[e.model] {
			beside = variants[e]
		}
		if e.borderline {
			beside = append(slices.Clone(beside), "borderline")
		}
		if len(beside) > 0 {
			name += " (" + strings.Join(beside, ", ") + ")"
		}
		i := slices.IndexFunc(out, func(g modeGroup) bool { return g.Mode == e.mode })
		if i < 0 {
			i, out = len(out), append(out, modeGroup{Mode: e.mode})
		}
		out[i].Models = append(out[i].Models, name)
	}
	return out
}
