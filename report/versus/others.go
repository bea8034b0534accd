package versus

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// OtherEdit is an edit that both runs made under one name and in another version each: what it does to a text may be another
// thing, so that no trial of it is compared.
type OtherEdit struct {
	Operator string `json:"operator"`
	Before   string `json:"before"` // the version in the first run
	After    string `json:"after"`
}

// apart finds the edits that are another one in each run.
func (p *pairs) apart(before, after map[string]string) {
	p.other = map[uint32]bool{}
	for _, op := range slices.Sorted(maps.Keys(before)) {
		if is, ok := after[op]; ok && is != before[op] {
			p.others = append(p.others, OtherEdit{Operator: op, Before: before[op], After: is})
			p.other[p.names.of(op)] = true
		}
	}
}

// mostOthers is how many such edits are named in words.
const mostOthers = 8

// otherEdits says which edits are left out.
func otherEdits(all []OtherEdit) string {
	var names []string
	for _, o := range all[:min(len(all), mostOthers)] {
		names = append(names, fmt.Sprintf("%s (version %s, then %s)", o.Operator, o.Before, o.After))
	}
	more := ""
	if n := len(all) - mostOthers; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return "Edited in another way in each run, and so in no figure: " + strings.Join(names, ", ") + more + "."
}
