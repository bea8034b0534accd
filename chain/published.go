package chain

import (
	"slices"

	"github.com/percuss/percuss"
)

// Published is a firing rate that the chain paper prints for its draws of 200 items a set, as a range.
type Published struct {
	Lo percuss.Number `json:"lo"`
	Hi percuss.Number `json:"hi"`
	Of string         `json:"of"` // the sets that it is of
}

// benchmarks are the paper's four data sets.
var benchmarks = [...]string{"medqa", "medmcqa", "pubmedqa", "mmlu-medical"}

// publishedRates are the paper's firing rates by family. M2's are those of single sets, the other ones those of the
// four sets together. M1's contradicts its own condition of three sentences.
var publishedRates = map[string]Published{
	"F4": {percuss.Num(0.99), percuss.Num(1), fourSets},
	"M1": {percuss.Num(0.99), percuss.Num(1), fourSets},
	"M3": {percuss.Num(0.99), percuss.Num(1), fourSets},
	"M4": {percuss.Num(0.10), percuss.Num(0.10), fourSets},
	"M5": {percuss.Num(0.14), percuss.Num(0.14), fourSets},
	"M6": {percuss.Num(0.0125), percuss.Num(0.0125), fourSets},
}

const fourSets = "the four sets together"

// publishedRate returns what the paper prints for a family on some data sets; nil where it prints nothing, or where
// one of the sets is none of its four.
func publishedRate(family string, sets []string) *Published {
	if len(sets) == 0 || slices.ContainsFunc(sets, func(s string) bool { return !slices.Contains(benchmarks[:], s) }) {
		return nil
	}
	p, ok := publishedRates[family]
	single := !slices.ContainsFunc(sets, func(s string) bool { return s != sets[0] })
	switch {
	case family == "M2" && single && sets[0] == "medqa":
		p, ok = Published{percuss.Num(0.86), percuss.Num(0.87), "medqa"}, true
	case family == "M2" && single:
		p, ok = Published{percuss.Num(0.03), percuss.Num(0.30), "medmcqa, pubmedqa, mmlu-medical, each"}, true
	}
	if !ok {
		return nil
	}
	return &p
}
