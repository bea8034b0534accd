package spec

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Extend compares the specification that a run was begun with and the one it is asked to go on with. A larger or
// smaller n and added models, judges too, are allowed: the run then holds the larger of both. Anything else comes back as
// differences, a line each, and the run must not go on.
func Extend(old, asked Specification) (merged Specification, differences []string) {
	merged = old
	merged.Models, differences = extendModels(old.Models, asked.Models)
	if len(asked.Data) != len(old.Data) {
		differences = append(differences, line("data", old.Data, asked.Data))
	} else {
		merged.Data = append([]Data(nil), old.Data...)
		for i, d := range asked.Data {
			if d.Data != old.Data[i].Data {
				differences = append(differences, line("data", old.Data[i].Data, d.Data))
			}
			if old.Data[i].N != 0 && (d.N == 0 || d.N > old.Data[i].N) {
				merged.Data[i].N = d.N
			}
		}
	}
	if asked.Seed != old.Seed {
		differences = append(differences, line("seed", old.Seed, asked.Seed))
	}
	if a, b := unplaced(asked.Chain), unplaced(old.Chain); !reflect.DeepEqual(a, b) {
		differences = append(differences, fields("chain", b, a)...)
		if b != nil && a != nil && b.Controls == nil && !b.Margins && (a.Controls != nil || a.Margins) {
			differences = append(differences, "a run without controls and margins, such as one of an earlier version, goes on with --controls none --no-margins (controls: [] and margins: false in a file)")
		}
	}
	if old.Chain != nil && asked.Chain != nil {
		// Files may have moved; their contents are compared by fingerprint. What is not named is the run's own.
		c := *old.Chain
		c.PromptFile, c.BatteryFile = cmp.Or(asked.Chain.PromptFile, c.PromptFile), cmp.Or(asked.Chain.BatteryFile, c.BatteryFile)
		c.RubricFile = cmp.Or(asked.Chain.RubricFile, c.RubricFile)
		merged.Chain = &c
	}
	if old.Evidence != nil && asked.Evidence != nil {
		if a, b := asked.Evidence.unplaced(), old.Evidence.unplaced(); a != b {
			differences = append(differences, fields("evidence", b, a)...)
		}
		e := old.Evidence.samePlaces(*asked.Evidence)
		merged.Evidence = &e
	} else if old.Evidence != asked.Evidence {
		differences = append(differences, line("evidence audit", old.Evidence, asked.Evidence))
	}
	if a, b := asked.Steps.unplaced(), old.Steps.unplaced(); !reflect.DeepEqual(a, b) {
		differences = append(differences, fields("steps", b, a)...)
	} else if a != nil {
		merged.Steps = old.Steps.samePlaces(*asked.Steps)
	}
	merged.Limits = asked.Limits
	return merged, differences
}

// extendModels are the models of a run, in its order, with those that are added. A model is known by its id; its price,
// its limits and its further addresses may change.
func extendModels(old, asked []Model) (merged []Model, differences []string) {
	merged = slices.Clone(old)
	for i, was := range old {
		at := slices.IndexFunc(asked, func(m Model) bool { return m.ID == was.ID })
		switch {
		case at < 0:
			differences = append(differences, fmt.Sprintf("model %s: the run has it, this command does not name it: add %s %s", was.ID, flagOf(was), was.Model))
		case !reflect.DeepEqual(unpriced(asked[at]), unpriced(was)):
			differences = append(differences, "model "+was.ID+": "+strings.Join(fields("model", unpriced(was), unpriced(asked[at])), "; "))
		default:
			merged[i].Price, merged[i].Limits, merged[i].Quality, merged[i].Model = asked[at].Price, asked[at].Limits, asked[at].Quality, asked[at].Model
		}
	}
	for _, m := range asked {
		if !slices.ContainsFunc(old, func(was Model) bool { return was.ID == m.ID }) {
			merged = append(merged, m)
		}
	}
	return merged, differences
}

// unplaced is the audit without the places of its files, which may move: their contents have fingerprints. What a run
// of an earlier version does not say has its default.
func unplaced(c *Chain) *Chain {
	if c == nil {
		return nil
	}
	out := *c
	out.PromptFile, out.BatteryFile, out.RubricFile = "", "", ""
	if len(out.Controls) == 0 {
		out.Controls = nil // none, however it was written
	}
	out.Stem = cmp.Or(out.Stem, defaultStem)
	return &out
}

// unpriced is the model without its price, its limits, its quality and its further addresses, which may change from day to day. A
// subject is one, named so or not.
func unpriced(m Model) Model {
	m.Price, m.Limits, m.Quality, m.Model = nil, nil, nil, firstAddress(m.Model)
	if m.Role == Subject {
		m.Role = ""
	}
	return m
}

// flagOf is the flag that names a model; a file names it under models.
func flagOf(m Model) string {
	if m.Role != "" && m.Role != Subject {
		return "--" + m.Role
	}
	return "-m"
}

// line prints one difference.
func line(what string, old, asked any) string {
	return fmt.Sprintf("%s: the run has %s, this command says %s", what, inWords(old), inWords(asked))
}

// switches are the settings that are on or off: what a run does that is asked for them, and the flag that leaves it.
var switches = map[string][2]string{
	"margins": {"reads margins beside answers", "--no-margins"},
	"direct":  {"asks for the answer without a chain, too", "--no-direct"},
}

// differing prints one difference of a setting, and its remedy where a flag brings it.
func differing(key string, old, asked any) string {
	s, known := switches[key]
	switch {
	case known && asked == true:
		return fmt.Sprintf("%s: this command %s, the run does not: add %s (%s: false in a file)", key, s[0], s[1], key)
	case known:
		return fmt.Sprintf("%s: the run %s, this command does not: leave %s out (%s: true in a file)", key, s[0], s[1], key)
	case key == "controls":
		return fmt.Sprintf("controls: the run has %s, this command says %s: add --controls %s", controlWords(old), controlWords(asked), strings.ReplaceAll(controlWords(old), ", ", ","))
	}
	return line(key, old, asked)
}

// controlWords are controls as a user names them.
func controlWords(v any) string {
	all, ok := v.([]any)
	if !ok || len(all) == 0 {
		return "none"
	}
	var out []string
	for _, c := range all {
		name := fmt.Sprint(c)
		if strings.HasPrefix(name, formats+"-") {
			name = formats
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// inWords is a value for a reader; none is "nothing".
func inWords(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		if v == "" {
			return "nothing"
		}
		return compact(v)
	case []any:
		all := make([]string, len(v))
		for i, one := range v {
			all[i] = inWords(one)
		}
		return strings.Join(all, ", ")
	}
	return strings.ReplaceAll(compact(v), "null", "nothing")
}

func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// fields prints the differing fields of two structs through their JSON.
func fields(what string, old, asked any) []string {
	var a, b map[string]any
	if json.Unmarshal([]byte(compact(old)), &a) != nil || json.Unmarshal([]byte(compact(asked)), &b) != nil || a == nil || b == nil {
		return []string{line(what, old, asked)}
	}
	var out []string
	for _, k := range sortedKeys(a, b) {
		if !reflect.DeepEqual(a[k], b[k]) {
			if what == "evidence" && k == "order" { // as it is written
				out = append(out, line(k, orderWord(a[k]), orderWord(b[k])))
				continue
			}
			if what == "chain" {
				out = append(out, differing(k, a[k], b[k]))
			} else {
				out = append(out, line(k, a[k], b[k]))
			}
		}
	}
	return out
}

// sortedKeys are the keys of both maps, each once.
func sortedKeys(a, b map[string]any) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// orderWord is a highest order as a user writes it.
func orderWord(v any) any {
	if v == float64(0) {
		return "all"
	}
	return v
}
