package step

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// trace is the trace side: what the judges say of the steps.
func (s *summary) trace() percuss.Analysis {
	out := percuss.Analysis{ID: "trace", Title: "Steps", About: "What judges, who saw neither the model nor its style nor its answer, say of single steps. Intervals resample items, so that steps of one item count together.",
		Tables: []percuss.Table{s.traceTable(), s.kindsTable()}}
	if len(s.a.o.Judges) == 0 {
		out.Absent = noJudge
	}
	return out
}

func (s *summary) traceTable() percuss.Table {
	t := percuss.Table{ID: "trace", Title: "Errors in steps",
		About: "Error rate: errors over the steps that are called correct or an error. Corrected: the rate that a judge of the known quality would show so (Rogan and Gladen). No claim: steps that state nothing, " +
			"with those of which nothing but style was there. No verdict: replies outside the form that was asked for. First error: its place in the chain, 0 the first step and 1 the last.",
		Columns: ofCells(column("judge", "Judge", percuss.Words), column("view", "Shown as", percuss.Words), column("steps", "Steps", percuss.Whole), column("abstain", "No claim", percuss.Percent),
			column("missing", "No verdict", percuss.Percent), column("errors", "Error rate", percuss.Percent), column("corrected", "Corrected", percuss.Percent),
			column("chains", "Chains with an error", percuss.Percent), column("first", "First error", percuss.Rate))}
	for _, c := range s.found {
		for _, tr := range c.Traces {
			t.Rows = append(t.Rows, cellRow(c, percuss.Said(tr.Judge), percuss.Said(tr.View), percuss.Counted(tr.Steps), percuss.Measured(share(float64(tr.Abstained), float64(tr.Steps), notJudged)),
				percuss.Measured(share(float64(tr.Missing), float64(tr.Steps), notJudged)), percuss.Measured(tr.Errors), percuss.Measured(tr.Corrected), percuss.Measured(tr.Chains), percuss.Measured(tr.First)))
		}
	}
	return explained(t, notJudged)
}

// kindsTable counts errors by kind under the first view.
func (s *summary) kindsTable() percuss.Table {
	t := percuss.Table{ID: "error_kinds", Title: "Errors by kind", Long: true, About: "Under the first view: what kind of error the judge named. An error counts once, by the first kind that fits.",
		Columns: ofCells(column("judge", "Judge", percuss.Words), column("factual", "Factual", percuss.Whole), column("contradicts", "Contradicts the case", percuss.Whole),
			column("unsupported", "Unsupported", percuss.Whole), column("arithmetic", "Arithmetic or unit", percuss.Whole), column("unnamed", "Kind not named", percuss.Whole))}
	for i, c := range s.found {
		for _, tr := range c.Traces {
			if tr.View != s.firstView() {
				continue
			}
			k := s.cells[i].kinds[traceID{tr.Judge, tr.View}]
			t.Rows = append(t.Rows, cellRow(c, percuss.Said(tr.Judge), percuss.Counted(k[Factual]), percuss.Counted(k[Contradicts]), percuss.Counted(k[Unsupported]), percuss.Counted(k[Arithmetic]), percuss.Counted(k[Erroneous])))
		}
	}
	return explained(t, notJudged)
}

// firstView is the view that figures are told by.
func (s *summary) firstView() string {
	if len(s.a.o.Views) == 0 {
		return ""
	}
	return s.a.o.Views[0].ID
}

// hedging is how often steps hedge, as they were written.
func (s *summary) hedging() percuss.Analysis {
	t := percuss.Table{ID: "hedging", Title: "Steps that hedge", About: "Share of the steps, as they were written, with a word that hedges, such as may or probably. It is counted before the style is taken away. A model can write more errors and hedge no more.",
		Columns: ofCells(column("steps", "Steps", percuss.Whole), column("hedged", "Hedged", percuss.Percent), column("steps_chain", "Steps a chain", percuss.Hundredths))}
	for i, c := range s.found {
		rows := s.cells[i].rows
		var per percuss.Estimate
		rows.Fill(c.Set, s.o, []stat.Figure{{Into: &per, Of: stat.Ratio{Num: colSteps, Den: colTexts}, Is: stat.Amount, Absent: noTexts}})
		t.Rows = append(t.Rows, cellRow(c, percuss.Counted(int(rows.Total(colSteps))), percuss.Measured(c.Hedged), percuss.Measured(per)))
	}
	return percuss.Analysis{ID: "hedging", Title: "Hedging", About: "Whether a model says that it is unsure, beside whether it is wrong.", Tables: []percuss.Table{explained(t, noCells)}}
}
