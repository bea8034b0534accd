package steps

import (
	"encoding/json"

	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/step"
)

// CardOf is the card of a step audit. sum is the SHA-256 of report.json, hex; info the content of runinfo.json.
func CardOf(r Report, info json.RawMessage, sum string) report.Card {
	f := r.Findings
	c := report.NewCard(r.Audit, "item", r.Models, r.Data, r.Versions, info, sum)
	c.Warn(alerts(r))
	c.Fit = "Fit for comparing models on the same items, and for finding chains to look at. Not fit, by itself, for a decision to use a model with patients: " +
		"whether a step is wrong is what a judge says, and a true step is not a reason that the model acted on."
	var said []string
	switch all := comparisons(f); {
	case len(all) > 0:
		about := all[0].Title
		if n := len(all) - 1; n > 0 {
			about += ", the first of " + report.Plural(len(all), "comparison")
		}
		c.Say(about, append(all[0].sentences(f), trust(f)...))
	case len(f.Cells) > 0:
		about := title(f, f.Cells[0])
		if n := len(f.Cells) - 1; n > 0 {
			about += ", the first of " + report.Plural(len(f.Cells), "cell")
		}
		c.Say(about, append(answer(f, f.Cells[0]), trust(f)...))
	}
	for _, cell := range f.Cells {
		for _, s := range cautions(f, cell) {
			said = append(said, title(f, cell)+": "+s)
		}
	}
	c.Lack(untested(f), said)
	c.Claim(r.Claims)
	return c
}

// untested is what a step audit did not ask, as its findings say.
func untested(f step.Findings) []string {
	out := []string{"Questions in other languages than those of the sets, free conversation, images, and any use by clinicians or patients."}
	if len(f.Settings.Judges) == 0 {
		out = append(out, "Whether steps are true: the run has no judge.")
	}
	for _, j := range f.Settings.Judges {
		if _, known := f.Settings.Quality[j]; !known {
			out = append(out, "How good judge "+j+" is at finding errors.")
		}
	}
	if len(f.Settings.Views) == 1 {
		out = append(out, "Whether the figures hang on how chains are cut or in whose words steps are shown: there is one view.")
	}
	for _, a := range f.Analyses {
		if a.Absent != "" {
			out = append(out, a.Title+": "+a.Absent+".")
		}
	}
	return out
}
