package report

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss/chain"
)

// firsts parts levels: each model and its cells under its first prompt, as the panel and the rankings take it, and the
// same models under their further prompts.
func firsts(f chain.Findings, all []level) (first, further []level) {
	of := map[string]string{}
	for _, g := range membersOf(f, "") {
		of[g.Model] = g.Variant
	}
	for _, l := range all {
		if v, known := of[l.Model]; known && l.Model != "" && l.Variant != v {
			further = append(further, l)
		} else {
			first = append(first, l)
		}
	}
	return first, further
}

// promptsNote says which prompt stands for a model that was asked under several; empty: none was.
func promptsNote(f chain.Findings) string {
	members := membersOf(f, "")
	if len(members) == len(f.Models) {
		return ""
	}
	same := !slices.ContainsFunc(members, func(g chain.Group) bool { return g.Variant != members[0].Variant })
	which := ""
	if same {
		which = ", " + members[0].Variant
	}
	if len(members) == 1 {
		return fmt.Sprintf("The model stands under its first prompt%s; what it does under the others is compared with that in analysis 6.", which)
	}
	return fmt.Sprintf("Models stand each under their first prompt%s; what they do under the others is compared with that in analysis 6.", which)
}
