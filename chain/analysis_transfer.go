package chain

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// crossDomain is analysis 9: edits of the chain on questions that are not medical, under both prompts.
type crossDomain struct{}

func (crossDomain) add(Record) {}

// abroad are the cells of one model on one data set of another domain, one a prompt.
type abroad struct {
	model, set string
	cells      []*cell
}

// abroad lists them in the order of the models and sets.
func (s *summary) abroad() []abroad {
	var out []abroad
	for _, m := range s.models {
		for _, c := range slices.Concat(m.cells, m.others) {
			if c.domain == "" {
				continue
			}
			i := slices.IndexFunc(out, func(x abroad) bool { return x.model == c.model && x.set == c.set })
			if i < 0 {
				i = len(out)
				out = append(out, abroad{model: c.model, set: c.set})
			}
			out[i].cells = append(out[i].cells, c)
		}
	}
	return out
}

func (crossDomain) analyses(s *summary) []percuss.Analysis {
	out := percuss.Analysis{ID: "transfer", Number: 9, Title: "Cross-domain transfer", Tables: []percuss.Table{},
		About: "FCS over edits of the chain on questions of another domain, against the same model's on the medical ones. Where ECR is below 0.30 the model does not commit early enough for FCS to mean anything, and it is printed grey."}
	rows := s.abroad()
	if len(rows) == 0 {
		out.Absent = "no data set of another domain was asked (gsm8k, strategyqa)"
		return []percuss.Analysis{out}
	}
	out.Tables = append(out.Tables, s.transferTable(rows))
	return []percuss.Analysis{out}
}

// transferTable has a row for each model and data set, with three columns a prompt.
func (s *summary) transferTable(rows []abroad) percuss.Table {
	t := percuss.Table{ID: "transfer", Title: "FCS on other domains", Paper: "Appendix H",
		About:   "FCS in scope F. ΔFCS is the mean over the prompts strict and neutral minus FCS on the model's medical data sets, which is the mean over those of these prompts that they were asked under, too. The effect of the prompt is strict minus neutral on the same items. Prompts with addenda have columns and enter neither.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("set", "Data set", percuss.Words), headed("domain", "Domain", percuss.Words)},
		Rows:    []percuss.Row{},
		Notes:   []string{fmt.Sprintf("Grey: ECR is below %.2f under one of the prompts behind the figure.", leastECR)}}
	var prompts []string
	for _, r := range rows {
		for _, c := range r.cells {
			if !slices.Contains(prompts, c.variant) {
				prompts = append(prompts, c.variant)
			}
		}
	}
	for _, p := range prompts {
		t.Columns = append(t.Columns, headed("fcs_"+p, "FCS, "+p, percuss.Rate), headed("ecr_"+p, "ECR, "+p, percuss.Rate), headed("acc_"+p, "Accuracy, "+p, percuss.Rate))
	}
	t.Columns = distinct(append(t.Columns, headed("fcs_mean", "FCS, mean of strict and neutral", percuss.Rate), headed("fcs_medical", "FCS, medical", percuss.Rate),
		headed("delta", "ΔFCS", percuss.Decimal), headed("prompt_effect", "Strict − neutral", percuss.Decimal)))
	for _, r := range rows {
		row, note := s.transferRow(r, prompts)
		t.Rows = append(t.Rows, row)
		if note != "" && !slices.Contains(t.Notes, note) {
			t.Notes = append(t.Notes, note)
		}
	}
	return t
}

// transferRow is the row of one model on one data set, and what must be said of its medical side.
func (s *summary) transferRow(r abroad, prompts []string) (percuss.Row, string) {
	cells := []percuss.Cell{percuss.Said(r.model), percuss.Said(r.set), percuss.Said(r.cells[0].domain)}
	grey := ""
	for _, p := range prompts {
		g, ok := s.cell(p, r.model, r.set)
		if !ok {
			why := percuss.Measured(percuss.Absent("not asked under this prompt"))
			cells = append(cells, why, why, why)
			continue
		}
		fcs, ecr := percuss.Measured(g.figure("fcs", "F")), g.figure("ecr", "")
		if v, has := ecr.Value.Get(); has && v < leastECR {
			fcs.Mark = "grey"
			if slices.Contains(transferPrompts[:], p) {
				grey = "grey"
			}
		}
		cells = append(cells, fcs, percuss.Measured(ecr), percuss.Measured(g.figure("acc", "")))
	}
	average, medical, delta, note := s.transfer(r)
	effect := s.promptEffect(r)
	for i, e := range []percuss.Estimate{average, medical, delta, effect} {
		c := percuss.Measured(e)
		if i != 1 { // the medical figure has its own ECR, beside it in the summary
			c.Mark = grey
		}
		cells = append(cells, c)
	}
	return percuss.Row{Cells: cells}, note
}

// transferPrompts are those that the mean of a task is over.
var transferPrompts = [...]string{"strict", "neutral"}

// under are the cells under one of the prompts that the mean is over.
func (r abroad) under() []*cell {
	return slices.DeleteFunc(slices.Clone(r.cells), func(c *cell) bool { return !slices.Contains(transferPrompts[:], c.variant) })
}

// transfer is FCS on a set of another domain, mean of the prompts; FCS on the medical sets; the difference; and what must
// be said of the medical side.
func (s *summary) transfer(r abroad) (average, medical, delta percuss.Estimate, note string) {
	figures := s.plain
	at := find(figures, "fcs", "F")
	var draws []*stat.Draws
	for _, c := range r.under() {
		draws = append(draws, c.draws)
	}
	none := percuss.Absent("asked under neither strict nor neutral")
	home, drawn, note := s.home(r, at)
	if len(draws) == 0 {
		return none, home, none, note
	}
	here, err := stat.Average(draws...)
	if err != nil {
		e := percuss.Absent(err.Error())
		return e, home, e, note
	}
	average = estimated(figures, here, nil)[at]
	if drawn == nil {
		return average, home, percuss.Absent(home.Why), note
	}
	d, err := stat.Subtract(here, drawn)
	if err != nil {
		return average, home, percuss.Absent(err.Error()), note
	}
	return average, home, figures[at].change(d.Estimates()[at]), note
}

// home is FCS on the medical sets of a model, the figure at a place, under the prompts that both sides were asked under;
// where there is none, under the model's first prompt, and note says so.
func (s *summary) home(r abroad, at int) (e percuss.Estimate, drawn *stat.Draws, note string) {
	var medical, matched []*model
	for _, m := range s.models {
		if m.group.Model != r.model || !m.medical() || m.metrics == nil {
			continue
		}
		medical = append(medical, m)
		if slices.ContainsFunc(r.under(), func(c *cell) bool { return c.variant == m.group.Variant }) {
			matched = append(matched, m)
		}
	}
	switch {
	case len(medical) == 0:
		return percuss.Absent("the model was asked no medical data set"), nil, ""
	case len(matched) == 0:
		matched = medical[:1]
		note = fmt.Sprintf("%s was asked the medical data sets under other prompts than %s: its medical figure is that of %s.", r.model, r.set, medical[0].group.Variant)
	case len(matched) < len(r.under()):
		note = fmt.Sprintf("%s was asked the medical data sets under %s alone, which its medical figure is of.", r.model, matched[0].group.Variant)
	}
	if len(matched) == 1 {
		return matched[0].group.figure("fcs", "F"), matched[0].metrics, note
	}
	var draws []*stat.Draws
	for _, m := range matched {
		draws = append(draws, m.metrics)
	}
	drawn, err := stat.Average(draws...)
	if err != nil {
		return percuss.Absent(err.Error()), nil, note
	}
	return estimated(s.plain, drawn, nil)[at], drawn, note
}

// promptEffect is FCS under the strict prompt minus that under the neutral one, on the same items.
func (s *summary) promptEffect(r abroad) percuss.Estimate {
	under := func(prompt string) *cell {
		if i := slices.IndexFunc(r.cells, func(c *cell) bool { return c.variant == prompt }); i >= 0 {
			return r.cells[i]
		}
		return nil
	}
	strict, neutral := under("strict"), under("neutral")
	if strict == nil || neutral == nil {
		return percuss.Absent("it takes the prompts strict and neutral")
	}
	e, _, why := s.contrast(arm{[]*cell{strict}, strict.draws}, arm{[]*cell{neutral}, neutral.draws})
	if why != "" {
		return percuss.Absent(why)
	}
	return e[s.figure("fcs", "F")]
}
