package evidence

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

//go:embed labels.yaml
var labelsYAML []byte

// Rule names an interaction. Its conditions are those of labels.yaml.
type Rule struct {
	ID         string   `yaml:"id" json:"id"`
	Label      string   `yaml:"label" json:"label"`
	Coarse     string   `yaml:"coarse" json:"coarse"`
	Suspicious bool     `yaml:"suspicious" json:"suspicious,omitempty"`
	Sign       string   `yaml:"sign" json:"sign,omitempty"` // "positive", "negative", or empty for both
	Any        [][]Flag `yaml:"any" json:"any,omitempty"`
	All        []Flag   `yaml:"all" json:"all,omitempty"`
	None       []Flag   `yaml:"none" json:"none,omitempty"`
	But        []Flag   `yaml:"but" json:"but,omitempty"`
	Least      int      `yaml:"least" json:"least,omitempty"`
}

// Labels is a table of rules; the first that applies gives the label.
type Labels struct {
	Fingerprint string `yaml:"-" json:"fingerprint"` // hash of the file; a run keeps it
	Rules       []Rule `yaml:"rules" json:"rules"`
	Narrative   []Rule `yaml:"narrative" json:"narrative"`
}

// DefaultLabels are the rules that Percuss ships.
func DefaultLabels() Labels {
	l, err := LoadLabels(bytes.NewReader(labelsYAML), "labels.yaml")
	if err != nil {
		panic("evidence: the embedded rules are broken: " + err.Error())
	}
	return l
}

// BuiltInLabels is the file that DefaultLabels reads, for a run to keep.
func BuiltInLabels() []byte { return slices.Clone(labelsYAML) }

// LoadLabels reads a table of rules. Unknown fields, flags and signs are errors that name the file, and so are two rules
// of one id and a table whose last rule does not apply to everything.
func LoadLabels(r io.Reader, name string) (Labels, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return Labels{}, fmt.Errorf("labels %s: %w", name, err)
	}
	var l Labels
	if err := yaml.UnmarshalWithOptions(raw, &l, yaml.Strict()); err != nil {
		return Labels{}, fmt.Errorf("labels %s: %s", name, strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	seen := map[string]bool{}
	for _, p := range []struct {
		part  string
		rules []Rule
	}{{"rules", l.Rules}, {"narrative", l.Narrative}} {
		if err := checkRules(p.rules, seen); err != nil {
			return Labels{}, fmt.Errorf("labels %s: %s: %w", name, p.part, err)
		}
	}
	sum := sha256.Sum256(raw)
	l.Fingerprint = hex.EncodeToString(sum[:8])
	return l, nil
}

// checkRules checks one part of a table. seen holds the ids so far, also those of the other part: reports and reviews
// name a rule by its id alone.
func checkRules(rules []Rule, seen map[string]bool) error {
	if len(rules) == 0 {
		return fmt.Errorf("there are none")
	}
	known := []Flag{Absent, Symptom, Antecedent, Other, OtherOnly, LowSpecificity, TargetSpecific}
	for i, r := range rules {
		if r.ID == "" || r.Label == "" || r.Coarse == "" {
			return fmt.Errorf("rule %d needs id, label and coarse", i+1)
		}
		if seen[r.ID] {
			return fmt.Errorf("two rules have the id %s: give each one of its own", r.ID)
		}
		seen[r.ID] = true
		if !slices.Contains([]string{"", "positive", "negative"}, r.Sign) {
			return fmt.Errorf("rule %s: sign %q is neither positive nor negative", r.ID, r.Sign)
		}
		flags := slices.Concat(append([][]Flag{r.All, r.None, r.But}, r.Any...)...)
		for _, f := range flags {
			if !slices.Contains(known, f) {
				return fmt.Errorf("rule %s: there is no flag %q: there are %v", r.ID, f, known)
			}
		}
	}
	last := rules[len(rules)-1]
	if last.Sign != "" || last.Least > 1 || len(last.Any)+len(last.All)+len(last.None)+len(last.But) > 0 {
		return fmt.Errorf("the last rule, %s, must apply to every interaction", last.ID)
	}
	return nil
}

// Of returns the rule for an interaction of the given sign over units with these flags. narrative: the units are
// sentences.
func (l Labels) Of(positive bool, units [][]Flag, narrative bool) Rule {
	rules := l.Rules
	if narrative {
		rules = l.Narrative
	}
	for _, r := range rules {
		if r.applies(positive, units) {
			return r
		}
	}
	return Rule{}
}

func (r Rule) applies(positive bool, units [][]Flag) bool {
	if r.Sign == "positive" && !positive || r.Sign == "negative" && positive || len(units) < r.Least {
		return false
	}
	has := func(wanted []Flag) func([]Flag) bool {
		return func(unit []Flag) bool {
			return slices.ContainsFunc(unit, func(f Flag) bool { return slices.Contains(wanted, f) })
		}
	}
	every := func(wanted []Flag) bool {
		return !slices.ContainsFunc(units, func(unit []Flag) bool { return !has(wanted)(unit) })
	}
	for _, wanted := range r.Any {
		if !slices.ContainsFunc(units, has(wanted)) {
			return false
		}
	}
	switch {
	case len(r.All) > 0 && !every(r.All):
		return false
	case len(r.None) > 0 && slices.ContainsFunc(units, has(r.None)):
		return false
	case len(r.But) > 0 && every(r.But):
		return false
	}
	return true
}
