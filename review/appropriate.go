package review

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// ReadAppropriate reads which families of findings are appropriate for the gold of their case, CSV or JSON lines with
// item (the case's id) and family, for evidence.Options.Appropriate: "item\tfamily". The fingerprint is that of the
// families, in whatever order and format the file has them. A row without one of the two, or one that stands there
// twice, is an error with file and line; so is a file without rows.
func ReadAppropriate(path string) (families map[string]bool, fingerprint string, err error) {
	seen := map[string]int{}
	for r, err := range readRows(path, []string{"item", "family"}, nil) {
		if err != nil {
			return nil, "", err
		}
		for _, name := range []string{"item", "family"} {
			if r.fields[name] == "" {
				return nil, "", r.fault("no %s: a row names a case by its id and one of its families", name)
			}
		}
		pair := r.fields["item"] + "\t" + r.fields["family"]
		if before, ok := seen[pair]; ok {
			return nil, "", r.fault("family %s of %s is in line %d already: leave one of the two", r.fields["family"], r.fields["item"], before)
		}
		seen[pair] = r.line
	}
	if len(seen) == 0 {
		return nil, "", fmt.Errorf("%s: no row below the names of its columns, item and family: give one for each family that is appropriate", path)
	}
	families = map[string]bool{}
	for pair := range seen {
		families[pair] = true
	}
	raw, err := json.Marshal(slices.Sorted(maps.Keys(families)))
	if err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256(raw)
	return families, hex.EncodeToString(sum[:8]), nil
}
