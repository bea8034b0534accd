package steps

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/figure"
	"github.com/percuss/percuss/step"
)

// Figures draws every figure that there are numbers for: the comparisons in the plane of answers and steps, error rates raw
// and corrected, accuracy against the number of chains, reliability diagrams, errors by kind.
func Figures(f step.Findings) ([]figure.Drawing, error) {
	var out []figure.Drawing
	for _, d := range []interface {
		Draw() ([]figure.Drawing, error)
	}{changeFigure(f), errorFigure(f), curveFigure(f), reliabilityFigure(f), kindFigure(f)} {
		drawn, err := d.Draw()
		if err != nil {
			return nil, err
		}
		out = append(out, drawn...)
	}
	return out, nil
}

// items is how many items the cells have.
func items(f step.Findings) string {
	var n []int
	for _, c := range f.Cells {
		n = append(n, c.Items)
	}
	return figure.Sample(n, "item", "cell")
}

// changeFigure sets the change of answers against the change of steps, a point for each comparison, judge and view.
func changeFigure(f step.Findings) figure.Plot {
	p := figure.Plot{ID: "changes", Title: "What changed from before to after: answers and steps",
		Caption: "Each point is a comparison by one judge under the first way of showing the steps; its number leads to its line. Right of the dashed line more answers are right, above the other one more steps are called an error. " +
			"A verdict is stated only where neither line of a point crosses a dashed one.",
		X: figure.Axis{Title: "accuracy of one chain, after less before, points", Head: "Accuracy of one chain", Scale: percuss.ShareDiff},
		Y: figure.Axis{Title: "error rate of steps, after less before, points", Head: "Error rate", Scale: percuss.ShareDiff}}
	panel := figure.PlotPanel{}
	var n []int
	for _, c := range comparisons(f) {
		s := figure.Series{Name: c.named(f)}
		for _, row := range c.told() {
			if row.Judge != "" {
				label := ""
				if len(f.Settings.Judges) > 1 {
					label = "judge " + row.Judge
				}
				s.Points = append(s.Points, figure.PlotPoint{Label: label, X: row.Accuracy, Y: row.Errors})
				n = append(n, row.Items)
			}
		}
		panel.Series = append(panel.Series, s)
	}
	p.Panels, p.Sample = []figure.PlotPanel{panel}, figure.Sample(n, "item", "point")
	return p
}

// errorFigure sets the error rates side by side, those of a comparison joined.
func errorFigure(f step.Findings) figure.Chart {
	c := figure.Chart{ID: "errors", Title: "Error rate of steps", Percent: true, Points: true, Axis: "share of the steps with a claim that are called an error, %", Sample: items(f),
		Caption: "What each judge says under the first way of showing the steps and, where something is known of the judge, the rate corrected for it. A line joins before and after. A raw rate is what the judge says, not how often steps are wrong."}
	for _, judge := range f.Settings.Judges {
		raw, corrected := figure.Panel{Title: "Judge " + judge}, figure.Panel{Title: "Judge " + judge + ", corrected"}
		var was *step.Cell
		for _, cell := range together(f) {
			for _, t := range first(f, cell) {
				if t.Judge != judge {
					continue
				}
				joined := was != nil && paired(f, *was, cell)
				bar := func(e percuss.Estimate) figure.Bar {
					return figure.Bar{Label: title(f, cell), Estimate: e, Text: inWords(e), Joined: joined}
				}
				raw.Bars = append(raw.Bars, bar(t.Errors))
				if _, known := f.Settings.Quality[judge]; known {
					corrected.Bars = append(corrected.Bars, bar(t.Corrected))
				}
				was = &cell
			}
		}
		c.Panels = append(c.Panels, raw, corrected)
	}
	if !drawable(c) {
		c.Panels = nil
	}
	return c
}

// drawable says whether a chart has a value at all.
func drawable(c figure.Chart) bool {
	for _, p := range c.Panels {
		for _, b := range p.Bars {
			if b.Estimate.Value.OK() {
				return true
			}
		}
	}
	return false
}

// together are the cells with the sides of each comparison beside each other, and those in none at the end.
func together(f step.Findings) (out []step.Cell) {
	taken := map[[3]string]bool{}
	take := func(model, set, variant string) {
		for _, c := range f.Cells {
			if key := [3]string{c.Model, c.Set, c.Variant}; key == [3]string{model, set, variant} && !taken[key] {
				taken[key], out = true, append(out, c)
			}
		}
	}
	for _, c := range comparisons(f) {
		take(c.of.Before, c.of.Set, c.of.Variant)
		take(c.of.After, c.of.Set, c.of.Variant)
	}
	for _, c := range f.Cells {
		take(c.Model, c.Set, c.Variant)
	}
	return out
}

// paired says whether two cells are the sides of a comparison.
func paired(f step.Findings, a, b step.Cell) bool {
	for _, p := range f.Pairs {
		if p.Set == a.Set && p.Variant == a.Variant && a.Set == b.Set && a.Variant == b.Variant && (p.Before == a.Model && p.After == b.Model || p.Before == b.Model && p.After == a.Model) {
			return true
		}
	}
	return false
}

// inWords is a share with its interval and sample.
func inWords(e percuss.Estimate) string {
	if !e.Value.OK() {
		return "–"
	}
	out := report.Percent(e.Value)
	if e.Lo.OK() && e.Hi.OK() {
		out += fmt.Sprintf(" (%.1f to %.1f)", 100*e.Lo.Or(0), 100*e.Hi.Or(0))
	}
	return report.Signed(fmt.Sprintf("%s, n %d", out, e.N))
}

// curveFigure is the accuracy of the vote against the number of chains.
func curveFigure(f step.Findings) figure.Plot {
	p := figure.Plot{ID: "vote_curve", Title: "Accuracy of the vote against the number of chains", Sample: items(f),
		Caption: "The chance that the vote of so many of an item's chains is right, over all ways of choosing them.",
		X:       figure.Axis{Title: "chains that vote, each step doubles", Head: "Chains", Scale: percuss.Whole, Doubling: true},
		Y:       figure.Axis{Title: "items whose vote is right, %", Head: "Accuracy", Scale: percuss.Percent}}
	panel := figure.PlotPanel{}
	for _, c := range f.Cells {
		s := figure.Series{Name: title(f, c), Joined: true}
		for _, q := range c.Curve {
			s.Points = append(s.Points, figure.PlotPoint{Label: report.Plural(q.K, "chain"), X: percuss.Estimate{Value: percuss.Num(float64(q.K)), N: q.Accuracy.N}, Y: q.Accuracy})
		}
		if len(s.Points) > 1 {
			panel.Series = append(panel.Series, s)
		}
	}
	p.Panels = []figure.PlotPanel{panel}
	return p
}

// mostPanels is how many reliability diagrams are drawn; of more the table tells more.
const mostPanels = 12

// reliabilityFigure is a reliability diagram for each cell.
func reliabilityFigure(f step.Findings) figure.Plot {
	p := figure.Plot{ID: "reliability", Title: "Reliability diagram: vote share against accuracy", Sample: items(f), Diagonal: true, Weight: "share of the items in the bin",
		Caption: "Items by the vote share of their winner, in bins of equal width without the empty ones: how often the winner is right. Below the dashed line the vote share promises more than it keeps.",
		X:       figure.Axis{Title: "mean vote share of the winner, %", Head: "Vote share", From: 0, To: 1, Scale: percuss.Percent},
		Y:       figure.Axis{Title: "winner right, %", Head: "Right", From: 0, To: 1, Scale: percuss.Percent}}
	for _, c := range f.Cells {
		if len(c.Reliability) == 0 || len(p.Panels) == mostPanels || f.Settings.K < 2 {
			continue
		}
		all := 0
		for _, b := range c.Reliability {
			all += b.Items
		}
		s := figure.Series{Name: title(f, c)}
		for _, b := range c.Reliability {
			s.Points = append(s.Points, figure.PlotPoint{Label: fmt.Sprintf("%.2f to %.2f", b.Lo, b.Hi), X: percuss.Estimate{Value: percuss.Num(b.Confidence), N: b.Items}, Y: b.Accuracy,
				Weight: percuss.Num(float64(b.Items) / float64(max(all, 1)))})
		}
		p.Panels = append(p.Panels, figure.PlotPanel{Title: s.Name, Series: []figure.Series{s}})
	}
	return p
}

// kindFigure parts the errors by kind.
func kindFigure(f step.Findings) figure.Stacks {
	out := figure.Stacks{ID: "kinds", Title: "Errors by kind", Of: "the steps called an error", Caption: "What kind of error the judge named, under the first way of showing the steps."}
	classes := map[step.Says]string{step.Factual: "ja", step.Contradicts: "jb", step.Unsupported: "jc", step.Arithmetic: "jd", step.Erroneous: "weak"}
	var n []int
	for _, c := range f.Cells {
		for _, t := range first(f, c) {
			all := 0
			for _, k := range t.Kinds {
				all += k.N
			}
			if all == 0 {
				continue
			}
			b := figure.Stack{Label: fmt.Sprintf("%s, judge %s: %s", title(f, c), t.Judge, report.Plural(all, "error"))}
			for _, k := range t.Kinds {
				b.Parts = append(b.Parts, figure.Share{Name: kindWord(step.Says(k.Name)), Class: classes[step.Says(k.Name)], Count: fmt.Sprint(k.N), Value: float64(k.N) / float64(all)})
			}
			out.Bars, n = append(out.Bars, b), append(n, c.Items)
		}
	}
	out.Sample = figure.Sample(n, "item", "bar")
	return out
}
