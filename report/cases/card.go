package cases

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

// CardOf is the card of an evidence audit. sum is the SHA-256 of report.json, hex; info the content of
// runinfo.json.
func CardOf(r Report, info json.RawMessage, sum string) report.Card {
	c := report.NewCard(r.Audit, "case", r.Models, r.Data, r.Versions, info, sum)
	c.Warn(alerts(r))
	c.Fit = "Fit for comparing models on the same cases, and for finding combinations of findings to look at. Not fit, by itself, for a decision to use a model with patients: " +
		"combinations are named by rules, describe the choice among given diagnoses, and are no account of how a model reasons."
	var cautions []string
	if cells := r.Findings.Cells; len(cells) > 0 {
		cautions = cells[0].Cautions
		about := title(r.Findings, cells[0])
		if n := len(cells) - 1; n > 0 {
			about += ", the first of " + report.Plural(len(cells), "cell")
		}
		c.Say(about, answer(cells[0]))
	}
	c.Lack(untested(r.Findings), cautions)
	c.Claim(r.Claims)
	return c
}

// untested is what an evidence audit did not ask, as its findings say.
func untested(f evidence.Findings) []string {
	out := []string{"Cases in other languages than those of the sets, free conversation, images, and any use by clinicians or patients."}
	lacks := map[string]func(evidence.Cell) bool{
		"Other wordings, other orders of the candidates and marking in place of hiding.": func(c evidence.Cell) bool { return len(c.Stability) > 0 },
		"Noise: no prompt was repeated.":                                                 func(c evidence.Cell) bool { return len(c.Floor) > 0 },
		"Changes of the evidence.":                                                       func(c evidence.Cell) bool { return len(c.Strata) > 0 },
		"What clinicians think of the combinations: none was judged.":                    func(c evidence.Cell) bool { return reviewWords(c) != "" },
	}
	for _, says := range slices.Sorted(maps.Keys(lacks)) {
		name := ""
		for _, c := range f.Cells {
			if !lacks[says](c) {
				name += ", " + title(f, c)
			}
		}
		if name != "" {
			out = append(out, says+" ("+name[2:]+")")
		}
	}
	return out
}
