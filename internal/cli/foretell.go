package cli

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
)

// foretold is how many reasons why a case cannot be asked are printed for a model.
const foretold = 3

// foretell says before anything is asked which cases cannot be, and why: their prompts do not fit into the model's context,
// or they have more candidates than letters. It counts what there is to ask, and warns of judges that judge their like.
func (a *app) foretell(ctx context.Context, r *running) error {
	for _, warning := range kinship(r.manifest.Spec) {
		told(a.err, "  ", "warning: %s", warning)
	}
	if r.manifest.Spec.Evidence == nil {
		return nil
	}
	tellAppropriate(a.err, r.manifest.Spec.Evidence.AppropriateFile, r.audit, r.items.Cases)
	refused := map[string][]string{}
	for _, s := range run.Subjects(r.manifest, r.items) {
		t := r.audit.Trials(s, percuss.AnswerMap{})
		r.requests += len(percuss.Missing(t, percuss.AnswerMap{}))
		if why := refusalOf(t); why != "" {
			refused[s.Model] = append(refused[s.Model], s.Item+": "+why)
		}
	}
	answered, err := r.store.Count(ctx)
	if err != nil {
		return err
	}
	r.requests = max(0, r.requests-answered) // changed findings come on top, once it is known which
	for _, model := range slices.Sorted(maps.Keys(refused)) {
		tellRefused(a.err, model, refused[model], len(r.items.Cases))
	}
	return nil
}

// refusalOf is why a case cannot be asked at all; empty: it can.
func refusalOf(trials []percuss.Trial) string {
	if len(trials) > 0 && !trials[0].Fired {
		return trials[0].Why
	}
	return ""
}

// tellRefused says how many of a model's cases cannot be asked, and why the first of them cannot.
func tellRefused(w io.Writer, model string, why []string, cases int) {
	told(w, "  ", "%s: %d of %s cannot be asked, and will be counted as refused:", model, len(why), report.Plural(cases, "case"))
	for _, reason := range why[:min(len(why), foretold)] {
		told(w, "  ", "  %s", reason)
	}
	if n := len(why) - foretold; n > 0 {
		told(w, "  ", "  and %d more, each with its reason in `percuss show`", n)
	}
}

// tellAppropriate says of how many of the drawn cases a file names appropriate families: an id that is in no data set, or
// misspelt, looks like a case that was not drawn.
func tellAppropriate(w io.Writer, file string, audit percuss.Audit, cases []percuss.Case) {
	e, ok := audit.(*evidence.Audit)
	if !ok || file == "" {
		return
	}
	named := map[string]bool{}
	for key := range e.Options().Appropriate {
		item, _, _ := strings.Cut(key, "\t")
		named[item] = true
	}
	drawn := 0
	for _, c := range cases {
		if named[c.ID] {
			drawn++
		}
	}
	note := ""
	if drawn < len(named) {
		note = "; the ids of the others are not among the drawn cases, which `percuss show` lists"
	}
	told(w, "  ", "%s names appropriate findings of %s, %d of them drawn%s", file, report.Plural(len(named), "case"), drawn, note)
}
