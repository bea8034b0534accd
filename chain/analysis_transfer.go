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

func (crossDomain) analyses(s *summary) []Analysis {
	out := Analysis{ID: "transfer", Number: 9, Title: "Cross-domain transfer", Tables: []percuss.Table{},
		About: "FCS over edits of the chain on questions of another domain, against the same model's on the medical ones. Where ECR is below 0.30 the model does not commit early enough for FCS to mean anything, and it is printed grey."}
	rows := s.abroad()
	if len(rows) == 0 {
		out.Absent = "no data set of another domain was asked (gsm8k, strategyqa)"
		return []Analysis{out}
	}
	out.Tables = append(out.Tables, s.transferTable(rows))
	return []Analysis{out}
}

// transferTable has a row for each model and data set, with three columns a prompt.
func (s *summary) transferTable(rows []abroad) percuss.Table {
	t := percuss.Table{ID: "transfer", Title: "FCS on other domains", Paper: "Appendix H",
		About:   "FCS in scope F. ΔFCS is the mean over the prompts minus FCS on the model's medical data sets (under its first prompt that has some). The effect of the prompt is strict minus neutral on the same items.",
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
	t.Columns = distinct(append(t.Columns, headed("fcs_mean", "FCS, mean of prompts", percuss.Rate), headed("fcs_medical", "FCS, medical", percuss.Rate),
		headed("delta", "ΔFCS", percuss.Decimal), headed("prompt_effect", "Strict − neutral", percuss.Decimal)))
	for _, r := range rows {
		t.Rows = append(t.Rows, s.transferRow(r, prompts))
	}
	return t
}

// transferRow is the row of one model on one data set.
func (s *summary) transferRow(r abroad, prompts []string) percuss.Row {
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
			fcs.Mark, grey = "grey", "grey"
		}
		cells = append(cells, fcs, percuss.Measured(ecr), percuss.Measured(g.figure("acc", "")))
	}
	average, medical, delta := s.transfer(r)
	effect := s.promptEffect(r)
	for i, e := range []percuss.Estimate{average, medical, delta, effect} {
		c := percuss.Measured(e)
		if i != 1 { // the medical figure has its own ECR, beside it in the summary
			c.Mark = grey
		}
		cells = append(cells, c)
	}
	return percuss.Row{Cells: cells}
}

// transfer is FCS on a set of another domain, mean of the prompts; FCS on the medical sets; and the difference.
func (s *summary) transfer(r abroad) (average, medical, delta percuss.Estimate) {
	figures := s.l.figures(s.w, gate{})
	at := find(figures, "fcs", "F")
	var draws []*stat.Draws
	for _, c := range r.cells {
		draws = append(draws, c.draws)
	}
	here, err := stat.Average(draws...)
	if err != nil {
		e := percuss.Absent(err.Error())
		return e, e, e
	}
	average = estimated(figures, here, nil)[at]
	i := slices.IndexFunc(s.models, func(m *model) bool { return m.group.Model == r.model && m.medical() })
	if i < 0 || s.models[i].metrics == nil {
		none := percuss.Absent("the model was asked no medical data set")
		return average, none, none
	}
	medical = s.models[i].group.figure("fcs", "F")
	d, err := stat.Subtract(here, s.models[i].metrics)
	if err != nil {
		return average, medical, percuss.Absent(err.Error())
	}
	return average, medical, figures[at].change(d.Estimates()[at])
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
	return e[find(s.l.figures(s.w, gate{}), "fcs", "F")]
}
