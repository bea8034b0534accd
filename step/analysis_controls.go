package step

import (
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// controls are the other things by which error rates of two models can differ.
func (s *summary) controls() percuss.Analysis {
	out := percuss.Analysis{ID: "controls", Title: "Controls",
		About: "Whether a difference of error rates is one of how chains are cut, of style, of right and wrong answers, or of the length of steps. " +
			"Each table looks at the same verdicts in another way; a difference that goes away is explained by what was held equal.",
		Tables: []percuss.Table{s.viewTable(), s.viewPairTable(), s.voteTable(), s.chainTable(), s.lengthTable(), s.lengthPairTable()}}
	if len(s.a.o.Judges) == 0 {
		out.Absent = noJudge
	}
	return out
}

// noJudge is why there is nothing that judges say.
const noJudge = "the run has no judge: name one with --judge"

// Why controls are missing.
const (
	noOtherView = "no chain was judged under another view: name views with --views, and give --control chains of each item to them"
	noPairs     = "no models are compared: give one role before and another role after (--before, --after)"
)

// wrong is the error rate of a part of what a judge saw under a view.
func (t traceID) wrong(part string) stat.Ratio {
	return stat.Ratio{Num: t.key() + part + colErrors, Den: t.key() + part + colJudged}
}

// of is the ratio in an arm of paired rows: "a/" before, "b/" after.
func of(arm string, r stat.Ratio) stat.Ratio { return stat.Ratio{Num: arm + r.Num, Den: arm + r.Den} }

// changed is the figure of a ratio's change from before to after, over the items of which both models have what it is a
// share of: each ratio over its own items would compare different questions.
func changed(into *percuss.Estimate, r stat.Ratio, absent string) stat.Figure {
	return stat.Figure{Into: into, Of: of("b/", r), Less: of("a/", r), Where: inBoth(r), Absent: absent}
}

// inBoth are the denominators of a ratio in both arms.
func inBoth(ratios ...stat.Ratio) []string {
	var out []string
	for _, r := range ratios {
		out = append(out, "a/"+r.Den, "b/"+r.Den)
	}
	return out
}

// paired are the items that both models of a comparison have and that are wanted, with what the ratios take: of the model
// before under "a/", of the one after under "b/". An item of which one of them has nothing in any denominator is not there:
// it would tell of one model alone.
func (s *summary) paired(p Pair, wanted func(item string) bool, ratios ...stat.Ratio) *stat.Rows {
	before, after := s.cellOf(p.Variant, p.Before, p.Set), s.cellOf(p.Variant, p.After, p.Set)
	out := stat.NewRows()
	for _, item := range before.rows.Items() {
		if !after.rows.Has(item) || !wanted(item) || !hasAny(before, item, ratios) || !hasAny(after, item, ratios) {
			continue
		}
		out.Touch(item)
		for _, r := range ratios {
			for _, column := range []string{r.Num, r.Den} {
				if out.Of(item, "a/"+column) == 0 { // two ratios may share a column
					out.Add(item, "a/"+column, before.rows.Of(item, column))
				}
				if out.Of(item, "b/"+column) == 0 {
					out.Add(item, "b/"+column, after.rows.Of(item, column))
				}
			}
		}
	}
	return out
}

// hasAny reports whether a cell has something of an item in the denominator of one of the ratios.
func hasAny(c *cell, item string, ratios []stat.Ratio) bool {
	return slices.ContainsFunc(ratios, func(r stat.Ratio) bool { return c.rows.Above(item, r.Den) })
}

// pairedOn are the items of which both models have something in the denominator of each ratio.
func (s *summary) pairedOn(p Pair, ratios ...stat.Ratio) *stat.Rows {
	before, after := s.cellOf(p.Variant, p.Before, p.Set), s.cellOf(p.Variant, p.After, p.Set)
	return s.paired(p, func(item string) bool {
		for _, r := range ratios {
			if !before.rows.Above(item, r.Den) || !after.rows.Above(item, r.Den) {
				return false
			}
		}
		return true
	}, ratios...)
}

// anyItem wants every item.
func anyItem(string) bool { return true }

// judgedPairs are the comparisons under the first view, one for each judge.
func (s *summary) judgedPairs() []Pair {
	return slices.DeleteFunc(slices.Clone(s.compared), func(p Pair) bool { return p.Judge == "" || p.View != s.firstView() })
}

// pairColumns say what a row of a comparison is of.
var pairColumns = []percuss.Column{column("before", "Before", percuss.Words), column("after", "After", percuss.Words), column("set", "Data set", percuss.Words),
	column("prompt", "Prompt", percuss.Words), column("judge", "Judge", percuss.Words)}

func ofPairs(own ...percuss.Column) []percuss.Column { return slices.Concat(pairColumns, own) }

func pairRow(p Pair, own ...percuss.Cell) percuss.Row {
	return percuss.Row{Cells: append([]percuss.Cell{percuss.Said(p.Before), percuss.Said(p.After), percuss.Said(p.Set), percuss.Said(p.Variant), percuss.Said(p.Judge)}, own...)}
}

// What a difference does under a control.
const (
	stays     = "stays"
	turns     = "turns round"
	unsettled = "cannot be told"
	nothing   = "nothing to keep"
)

// kept says whether a difference is there under a control, too: both intervals exclude zero, on the same side.
func kept(first, now percuss.Estimate) string {
	switch a, b := sign(first), sign(now); {
	case a == 0:
		return nothing
	case b == 0:
		return unsettled
	case a == b:
		return stays
	}
	return turns
}

// keptNote explains the words of kept.
const keptNote = "Stays: both intervals exclude zero on the same side. Turns round: on different sides. Cannot be told: that of the control holds zero or is missing. Nothing to keep: the first one holds zero."

// viewTable holds the error rate under each view against that of the first view, on the same chains.
func (s *summary) viewTable() percuss.Table {
	t := percuss.Table{ID: "control_views", Title: "Error rates under each view",
		About: "How chains are cut and in whose words steps are shown, by the same judge on the same chains: those that were judged under both views. Difference: the view less the first view, paired by item.",
		Columns: ofCells(column("judge", "Judge", percuss.Words), column("view", "Shown as", percuss.Words), column("steps", "Steps judged", percuss.Whole), column("errors", "Error rate", percuss.Percent),
			column("first", "First view", percuss.Percent), column("difference", "Difference", percuss.ShareDiff))}
	for i, c := range s.found {
		rows := s.cells[i].rows
		traces := s.otherViews(s.cells[i])
		found := make([][3]percuss.Estimate, len(traces))
		var figures []stat.Figure
		for j, tr := range traces {
			now, first := tr.wrong(partEvery), traceID{tr.judge, s.firstView()}.wrong(partEvery)
			both := []string{now.Den, first.Den}
			figures = append(figures, stat.Figure{Into: &found[j][0], Of: now, Where: both, Absent: noVerdict}, stat.Figure{Into: &found[j][1], Of: first, Where: both, Absent: noVerdict},
				stat.Figure{Into: &found[j][2], Of: now, Less: first, Where: both, Absent: noVerdict})
		}
		rows.Fill(c.Set, s.o, figures)
		for j, tr := range traces {
			t.Rows = append(t.Rows, cellRow(c, percuss.Said(tr.judge), percuss.Said(tr.view), percuss.Counted(int(rows.Total(tr.wrong(partEvery).Den))),
				percuss.Measured(found[j][0]), percuss.Measured(found[j][1]), percuss.Measured(found[j][2])))
		}
	}
	t.Notes = []string{"A view that cuts chains into smaller steps has more of them, so that its rate may differ without any change of what is wrong: look at whether the comparison below stays."}
	return explained(t, noOtherView)
}

// otherViews are the traces of a cell under other views than the first.
func (s *summary) otherViews(c *cell) []traceID {
	return slices.DeleteFunc(c.traces(s.a), func(t traceID) bool { return t.view == s.firstView() })
}

// viewPairTable says whether the change of the error rate is there under each view.
func (s *summary) viewPairTable() percuss.Table {
	t := percuss.Table{ID: "control_view_pairs", Title: "What changed under each view",
		About: "After less before, by the same judge on the chains that were judged under both views. Between: the change under the view less that under the first one.",
		Columns: ofPairs(column("view", "Shown as", percuss.Words), column("items", "Items", percuss.Whole), column("first", "Error rate, first view", percuss.ShareDiff),
			column("errors", "Error rate, this view", percuss.ShareDiff), column("between", "Between", percuss.ShareDiff), column("kept", "The change", percuss.Words)), Notes: []string{keptNote}}
	for _, p := range s.judgedPairs() {
		for _, v := range s.a.o.Views[1:] {
			now, first := traceID{p.Judge, v.ID}, traceID{p.Judge, p.View}.wrong(partEvery)
			if s.cellOf(p.Variant, p.Before, p.Set).kinds[now] == nil || s.cellOf(p.Variant, p.After, p.Set).kinds[now] == nil {
				continue
			}
			rows := s.pairedOn(p, now.wrong(partEvery), first)
			var was, is percuss.Estimate
			rows.Fill(p.Set, s.o, []stat.Figure{changed(&was, first, noVerdict), changed(&is, now.wrong(partEvery), noVerdict)})
			between := s.between(rows, now.wrong(partEvery), first)
			t.Rows = append(t.Rows, pairRow(p, percuss.Said(v.ID), percuss.Counted(len(rows.Items())), percuss.Measured(was), percuss.Measured(is), percuss.Measured(between), percuss.Said(kept(was, is))))
		}
	}
	return explained(t, orElse(len(s.compared) == 0, noPairs, noOtherView))
}

// between is the change of one ratio less the change of another, over the same items.
func (s *summary) between(rows *stat.Rows, now, first stat.Ratio) percuss.Estimate {
	var columns []string
	for _, r := range []stat.Ratio{of("b/", now), of("a/", now), of("b/", first), of("a/", first)} {
		columns = append(columns, r.Num, r.Den)
	}
	return s.clustered(rows, columns, stat.Metric{Difference: true, Absent: noVerdict}, func(n []float64) percuss.Number {
		sum := 0.0
		for i, weight := range []float64{1, -1, -1, 1} {
			if !(n[2*i+1] > 0) {
				return percuss.Number{}
			}
			sum += weight * n[2*i] / n[2*i+1]
		}
		return percuss.Num(sum)
	})
}

// clustered is a statistic of the sums of some columns, with the percentile interval over resamples of the rows.
func (s *summary) clustered(rows *stat.Rows, columns []string, m stat.Metric, of func(sums []float64) percuss.Number) percuss.Estimate {
	items := rows.Items()
	if len(items) == 0 {
		return percuss.Absent(m.Absent)
	}
	sums := make(stat.Sums, len(items))
	for i, item := range items {
		for _, column := range columns {
			sums[i] = append(sums[i], rows.Of(item, column))
		}
	}
	o := s.o
	o.Metrics = []stat.Metric{m}
	found, err := stat.Bootstrap(sums, func(n []float64) []percuss.Number { return []percuss.Number{of(n)} }, o)
	if err != nil {
		return percuss.Absent(err.Error())
	}
	return found[0]
}
