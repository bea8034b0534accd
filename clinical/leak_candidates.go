package clinical

import "strings"

// DistinctDiagnoses returns names without those that are empty or equal an earlier one when folded (FoldDiagnosis),
// in order, and the indices of those that were merged into an earlier one.
func DistinctDiagnoses(names []string) (kept []string, merged []int) {
	seen := map[string]bool{}
	for i, name := range names {
		name = strings.Join(strings.Fields(name), " ")
		fold := FoldDiagnosis(name)
		switch {
		case fold == "":
		case seen[fold]:
			merged = append(merged, i)
		default:
			seen[fold] = true
			kept = append(kept, name)
		}
	}
	return kept, merged
}
