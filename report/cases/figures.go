package cases

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/figure"
)

// Figures draws every figure that there are numbers for: all checks side by side, mechanisms, suspicious shares, orders,
// other thresholds, stability, the cascade of checks, counterfactuals, review, and the models' places.
func Figures(f evidence.Findings) ([]figure.Drawing, error) {
	var out []figure.Drawing
	for _, d := range []interface {
		Draw() ([]figure.Drawing, error)
	}{checksFigure(f), mechanismFigure(f), forestFigure(f), orderFigure(f), thresholdFigure(f),
		stabilityFigure(f), cascadeFigure(f), strataFigure(f), reviewFigure(f), rankFigure(f)} {
		drawn, err := d.Draw()
		if err != nil {
			return nil, err
		}
		out = append(out, drawn...)
	}
	return out, nil
}

// cases is how many cases the cells have, and scored how many of them are in figures on interactions.
func cases(f evidence.Findings) string {
	return counted(f, "case", func(c evidence.Cell) int { return c.Cases })
}

func scored(f evidence.Findings) string {
	return counted(f, "scored case", func(c evidence.Cell) int { return c.Scored })
}

func counted(f evidence.Findings, what string, of func(evidence.Cell) int) string {
	var n []int
	for _, c := range f.Cells {
		n = append(n, of(c))
	}
	return figure.Sample(n, what, "part")
}

// colour is the class of a mechanism's bars, by its coarse class or label.
func colour(name string, suspicious bool) string {
	switch {
	case strings.HasPrefix(name, "negated"):
		return "negated"
	case suspicious || name == "other suspicious":
		return "suspect"
	case strings.HasPrefix(name, "faithful"):
		return "faithful"
	case strings.Contains(name, "conflict"), strings.Contains(name, "redundancy"):
		return "conflict"
	case strings.HasPrefix(name, "background"):
		return "background"
	}
	return "weak"
}

// inWords is a figure with its interval.
func inWords(e percuss.Estimate, format func(percuss.Number) string) string {
	if !e.Value.OK() {
		return "–"
	}
	out := format(e.Value)
	if s := span(e, format); s != "" {
		out += " (" + s + ")"
	}
	return report.Signed(out)
}

func mechanismFigure(f evidence.Findings) figure.Chart {
	c := figure.Chart{ID: "mechanisms", Title: "Mechanisms: share of the salient combinations", Percent: true, Axis: "share of the salient combinations, %", Sample: scored(f), Mark: "the share that random signs on the same combinations would give",
		Caption: "How many of the combinations that move the right diagnosis are of each kind. A bar that ends at its diamond is what a coin for their signs would give."}
	for _, cell := range f.Cells {
		p := figure.Panel{Title: title(f, cell)}
		for _, m := range cell.Gold.Mechanisms {
			name := m.Name
			if m.Suspicious {
				name += " (suspicious)"
			}
			text := inWords(m.Share, report.Percent)
			random := m.SameSets.Count
			if random.OK() {
				text += ", random " + report.Percent(random)
			}
			p.Bars = append(p.Bars, figure.Bar{Label: name, Class: colour(m.Name, m.Suspicious), Estimate: m.Share, Mark: random,
				Text: fmt.Sprintf("%s; %d", text, m.Count)})
		}
		c.Panels = append(c.Panels, p)
	}
	return c
}

func forestFigure(f evidence.Findings) figure.Chart {
	c := figure.Chart{ID: "suspicious", Title: "Suspicious share of the strength", Percent: true, Points: true, Axis: "share of the strength (|interaction| in nats), %", Sample: scored(f),
		Caption: "Strength of the strict suspicious combinations divided by that of all salient ones: at the report's threshold, at others, " +
			"for every candidate audited, and under other settings and selections."}
	for _, cell := range f.Cells {
		if cell.Narrative {
			continue
		}
		p := figure.Panel{Title: title(f, cell)}
		add := func(name string, e percuss.Estimate) {
			if e.Value.OK() {
				p.Bars = append(p.Bars, figure.Bar{Label: name, Estimate: e, Text: fmt.Sprintf("%s, n %d", inWords(e, report.Percent), e.N)})
			}
		}
		add("right diagnosis, threshold "+nat(cell.Gold.Threshold), cell.Gold.Suspicious)
		for _, t := range cell.Thresholds {
			if t.Threshold != cell.Gold.Threshold {
				add("right diagnosis, threshold "+nat(t.Threshold), t.Suspicious)
			}
		}
		add("every candidate audited", cell.Everyone.Suspicious)
		for _, s := range cell.Stability {
			add("setting: "+s.Name, s.Suspicious)
		}
		for _, s := range cell.Selectors {
			add("selection: "+string(s.Selector), s.Suspicious)
		}
		c.Panels = append(c.Panels, p)
	}
	return c
}

func orderFigure(f evidence.Findings) figure.Chart {
	c := figure.Chart{ID: "orders", Title: "Strength by order", Percent: true, Axis: "share of the strength (|interaction| in nats), %", Sample: scored(f), Mark: "the most of the share that noise explains (where repeated prompts differ)", Caption: "Share of the strength of all combinations, whatever their size, " +
		"that lies at each order: single findings, pairs, triples and so on."}
	for _, cell := range f.Cells {
		p := figure.Panel{Title: title(f, cell)}
		for _, o := range cell.Strength {
			p.Bars = append(p.Bars, figure.Bar{Label: fmt.Sprintf("order %d: %s", o.Order, orderName(o.Order)), Estimate: o.Weight, Mark: o.Noise.Most,
				Text: fmt.Sprintf("%s, mean %s nats", inWords(o.Weight, report.Percent), o.Mean.Value.Format(2))})
		}
		c.Panels = append(c.Panels, p)
	}
	return c
}

func thresholdFigure(f evidence.Findings) figure.Stacks {
	s := figure.Stacks{ID: "thresholds", Of: "the combinations", Sample: scored(f), Title: "Mechanisms at other thresholds", Caption: "Coarse classes of the combinations in the margin of the right " +
		"diagnosis, by count, when weaker or only stronger ones count."}
	for _, cell := range f.Cells {
		for _, p := range cell.Thresholds {
			if b := coarseBar(fmt.Sprintf("%s, %s or more: %s", title(f, cell), nat(p.Threshold), report.Plural(p.Salient, "combination")), p.Coarse); p.Salient > 0 && len(b.Parts) > 0 {
				s.Bars = append(s.Bars, b)
			}
		}
	}
	return s
}

func coarseBar(label string, coarse []evidence.Mechanism) figure.Stack {
	b := figure.Stack{Label: label}
	for _, m := range coarse {
		b.Parts = append(b.Parts, figure.Share{Name: m.Name, Class: colour(m.Name, m.Suspicious), Value: m.Share.Value.Or(0)})
	}
	return b
}

func stabilityFigure(f evidence.Findings) figure.Chart {
	c := figure.Chart{ID: "stability", Title: "Stability under other settings", Points: true, Most: 1, Axis: "agreement, correlation or overlap, from 0 to 1", Sample: cases(f),
		Caption: "Agreement of the chosen diagnosis, correlation of the margins and overlap of the ten strongest combinations with the " +
			"reference. 1: nothing changes."}
	for _, cell := range f.Cells {
		p := figure.Panel{Title: title(f, cell)}
		for _, s := range cell.Stability {
			for _, m := range []struct {
				name string
				e    percuss.Estimate
			}{{"agreement", s.Agreement}, {"correlation", s.Correlation}, {"overlap", s.Overlap}} {
				if m.e.Value.OK() {
					p.Bars = append(p.Bars, figure.Bar{Label: s.Name + ": " + m.name, Estimate: m.e, Text: fmt.Sprintf("%s, n %d", inWords(m.e, hundredth), m.e.N)})
				}
			}
		}
		c.Panels = append(c.Panels, p)
	}
	return c
}

func cascadeFigure(f evidence.Findings) figure.Chart {
	c := figure.Chart{ID: "cascade", Title: "What survives the checks", Percent: true, Most: 1, Axis: "share of the combinations checked, %", Sample: scored(f), Mark: "precision, the judged ones that reviewers call " +
		"invalid (where there are judgements)",
		Caption: "Of the combinations that came into a step and could be checked, the share that was found again. A control is a salient " +
			"combination of the same order that no suspicious rule picked."}
	for _, cell := range f.Cells {
		p := figure.Panel{Title: title(f, cell)}
		for _, s := range cell.Cascade {
			if s.Asked == 0 {
				continue
			}
			text := fmt.Sprintf("%s; %d of %d", inWords(s.Rate, report.Percent), s.Kept, s.Asked)
			if !s.Rate.Value.OK() {
				text = report.Plural(s.Kept, "combination")
			}
			if s.Precision.Value.OK() {
				text += ", precision " + report.Percent(s.Precision.Value)
			}
			p.Bars = append(p.Bars, figure.Bar{Label: s.Step, Class: map[bool]string{true: "weak", false: "suspect"}[s.Control],
				Estimate: s.Rate, Mark: s.Precision.Value, Text: text})
		}
		c.Panels = append(c.Panels, p)
	}
	return c
}

func strataFigure(f evidence.Findings) figure.Stacks {
	s := figure.Stacks{ID: "counterfactuals", Of: "the changes", Sample: cases(f), Title: "What changing the evidence does", Caption: "Changes of families of findings, by stratum, in cases that the " +
		"model gets right: which score moves more, that of the right diagnosis or that of its strongest rival."}
	for _, cell := range f.Cells {
		for _, r := range cell.Strata {
			if r.Edit != "" || r.Variants == 0 {
				continue
			}
			s.Bars = append(s.Bars, figure.Stack{Label: fmt.Sprintf("%s, stratum %s: %s in %s; strong %s", title(f, cell), r.Stratum,
				report.Plural(r.Variants, "change"), report.Plural(r.Cases, "case"), inWords(r.Strong, report.Percent)),
				Parts: []figure.Share{{Name: "right falls", Class: "suspect", Value: r.TDown.Value.Or(0)}, {Name: "right rises",
					Class: "faithful", Value: r.TUp.Value.Or(0)},
					{Name: "rival rises", Class: "negated", Value: r.CUp.Value.Or(0)}, {Name: "rival falls", Class: "conflict",
						Value: r.CDown.Value.Or(0)}, {Name: "stable", Class: "weak", Value: r.Stable.Value.Or(0)}}})
		}
	}
	return s
}

func reviewFigure(f evidence.Findings) figure.Stacks {
	s := figure.Stacks{ID: "review", Of: "the judged combinations", Sample: scored(f), Title: "Review by bucket", Caption: "What reviewers thought of the combinations, by the mechanism that they were sampled for."}
	for _, cell := range f.Cells {
		for _, r := range cell.Review {
			if r.Judged == 0 {
				continue
			}
			part := func(name, class string, n int) figure.Share {
				return figure.Share{Name: name, Class: class, Value: float64(n) / float64(r.Judged), Count: fmt.Sprint(n)}
			}
			s.Bars = append(s.Bars, figure.Stack{Label: fmt.Sprintf("%s, %s: %d judged", title(f, cell), r.Bucket, r.Judged),
				Parts: []figure.Share{part("valid", "faithful", r.Valid), part("questionable", "background", r.Questionable),
					part("invalid or shortcut-like", "suspect", r.Invalid)}})
		}
	}
	return s
}
