package step

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// cheapCheck is one thing that is looked for in a step without a judge.
type cheapCheck struct {
	id, name   string // of tables
	found, of  string // columns of a cell's rows: places where something is wrong, and all that were looked at
	flags      func(Checks) bool
	none       string // why there is no rate
	trust, why string // how far it can be trusted, in a word and a sentence
}

// cheapChecks are all of them, in the order of the report.
func cheapChecks() []cheapCheck {
	return []cheapCheck{
		{"sums", "Wrong calculations", colWrong, colSums, func(c Checks) bool { sum, _, _ := c.Flags(); return sum },
			"no step has a calculation with a result", "strong", "a calculation is done again, and what is not right is wrong; one that is worded otherwise is not found"},
		{"numbers", "Numbers from nowhere", colNew, colNumbers, func(c Checks) bool { _, number, _ := c.Flags(); return number },
			"no step has a number", "weak", "doses, limits and normal values are numbers of general knowledge, true and not in the question"},
		{"stated", "Contradictions of age, sex or side", colOther, colStated, func(c Checks) bool { _, _, contradiction := c.Flags(); return contradiction },
			"no step states an age, a sex or a side that the question states", "moderate", "a step may speak of somebody else than the patient"},
	}
}

// checks are what can be told of steps without a judge.
func (s *summary) checks() percuss.Analysis {
	return percuss.Analysis{ID: "checks", Title: "Checks without a judge",
		About:  "Calculations in steps done again, numbers that stand neither in the question nor in an earlier step, and other words for the patient's age, sex or side than the question has. They see few errors, but ask no model.",
		Tables: []percuss.Table{s.checkTable(), s.checkPairs(), s.checkJudges(), s.checkExperts()}}
}

func (s *summary) checkTable() percuss.Table {
	t := percuss.Table{ID: "checks", Title: "What the checks find",
		About:   "Looked at: places in the steps of all chains with a text under the first view, such as calculations with a result. Wrong: the share of them where something is not as it should be.",
		Columns: ofCells(column("check", "Check", percuss.Words), column("looked", "Looked at", percuss.Whole), column("wrong", "Wrong", percuss.Percent), column("steps", "Wrong, for a hundred steps", percuss.Hundredths))}
	for i, c := range s.found {
		rows := s.cells[i].rows
		all := cheapChecks()
		rates, per := make([]percuss.Estimate, len(all)), make([]percuss.Estimate, len(all))
		var figures []stat.Figure
		for at, k := range all {
			figures = append(figures, stat.Figure{Into: &rates[at], Of: stat.Ratio{Num: k.found, Den: k.of}, Absent: k.none},
				stat.Figure{Into: &per[at], Of: stat.Ratio{Num: k.found, Den: colSteps}, Is: stat.Amount, Absent: noTexts})
		}
		rows.Fill(c.Set, s.o, figures)
		for at, k := range all {
			t.Rows = append(t.Rows, cellRow(c, percuss.Said(k.name), percuss.Counted(int(rows.Total(k.of))), percuss.Measured(rates[at]), percuss.Measured(times(per[at], 100))))
		}
	}
	t.Notes = trustNotes()
	return explained(t, noCells)
}

// trustNotes say how far each check can be trusted, and why.
func trustNotes() []string {
	var out []string
	for _, k := range cheapChecks() {
		out = append(out, fmt.Sprintf("%s: %s, for %s.", k.name, k.trust, k.why))
	}
	return out
}

// times is an estimate in a smaller unit.
func times(e percuss.Estimate, by float64) percuss.Estimate {
	for _, n := range []*percuss.Number{&e.Value, &e.Lo, &e.Hi} {
		if v, ok := n.Get(); ok {
			*n = percuss.Num(by * v)
		}
	}
	e.Num, e.Den = percuss.Number{}, percuss.Number{}
	return e
}

func (s *summary) checkPairs() percuss.Table {
	t := percuss.Table{ID: "checks_pairs", Title: "What the checks find before and after", About: "After less before, on the items where both models have a place to look at: the share of those places where something is wrong.",
		Columns: []percuss.Column{column("before", "Before", percuss.Words), column("after", "After", percuss.Words), column("set", "Data set", percuss.Words), column("prompt", "Prompt", percuss.Words),
			column("check", "Check", percuss.Words), column("change", "Change", percuss.ShareDiff)}}
	for _, p := range s.a.o.Pairs {
		for _, before := range s.cells {
			after := s.cellOf(before.subject.Variant, p.After, before.subject.Set)
			if before.subject.Model != p.Before || after == nil {
				continue
			}
			joint := stat.Pair(before.rows, after.rows)
			all := cheapChecks()
			changes := make([]percuss.Estimate, len(all))
			var figures []stat.Figure
			for at, k := range all {
				figures = append(figures, changed(&changes[at], stat.Ratio{Num: k.found, Den: k.of}, inNone(before, after, k.of, "in one of the two models "+k.none)))
			}
			joint.Fill(before.subject.Set, s.o, figures)
			for at, k := range all {
				t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(p.Before), percuss.Said(p.After), percuss.Said(before.subject.Set), percuss.Said(before.subject.Variant), percuss.Said(k.name), percuss.Measured(changes[at])}})
			}
		}
	}
	return explained(t, "no models are compared")
}

// Columns of rows that hold a check against somebody who says whether steps are wrong: of flagged steps, and of the others.
const (
	colFlagged, colFlaggedWrong = "flagged", "flagged wrong"
	colQuiet, colQuietWrong     = "quiet", "quiet wrong"
)

// flaggedRow is what the rows of a check hold: of flagged steps and of others, the share that is wrong, and the difference.
func (s *summary) flaggedRow(rows *stat.Rows) (flagged, quiet, more percuss.Estimate) {
	on, off := stat.Ratio{Num: colFlaggedWrong, Den: colFlagged}, stat.Ratio{Num: colQuietWrong, Den: colQuiet}
	rows.Fill("checks", s.o, []stat.Figure{{Into: &flagged, Of: on, Absent: "the check flags none of these steps"}, {Into: &quiet, Of: off, Absent: "the check flags all of these steps"},
		{Into: &more, Of: on, Less: off, Absent: "the check flags none of these steps, or all"}})
	return flagged, quiet, more
}

// enter counts a step of an item for a check.
func enter(rows *stat.Rows, item string, flagged, wrong bool, weight float64) {
	all, bad := colQuiet, colQuietWrong
	if flagged {
		all, bad = colFlagged, colFlaggedWrong
	}
	rows.Add(item, all, weight)
	rows.Add(item, bad, weight*bit(wrong))
}

// checkColumns are those of a table of checks against somebody.
func checkColumns(flagged, quiet string) []percuss.Column {
	return []percuss.Column{column("steps", "Steps", percuss.Whole), column("flagged", "Flagged", percuss.Whole), column("precision", flagged, percuss.Percent),
		column("quiet", quiet, percuss.Percent), column("more", "Difference", percuss.ShareDiff), column("trust", "Trust", percuss.Words)}
}

func (s *summary) checkJudges() percuss.Table {
	t := percuss.Table{ID: "checks_judges", Title: "The checks against the judges",
		About:   "Over the judged steps of all models under the first view that a judge calls correct or an error: how often it calls those an error that a check flags, and the others.",
		Columns: append([]percuss.Column{column("check", "Check", percuss.Words), column("judge", "Judge", percuss.Words)}, checkColumns("Flagged steps called an error", "Others called an error")...), Notes: trustNotes()}
	for _, k := range cheapChecks() {
		for at, j := range s.a.o.Judges {
			rows, n, flagged := stat.NewRows(), 0, 0
			for _, c := range s.cells {
				for _, x := range c.seen {
					if at >= len(x.says) || !x.says[at].Judges() {
						continue
					}
					n, flagged = n+1, flagged+int(bit(k.flags(x.checks)))
					enter(rows, c.subject.Set+"\x00"+x.item, k.flags(x.checks), x.says[at].IsError(), 1)
				}
			}
			if n == 0 {
				continue
			}
			on, off, more := s.flaggedRow(rows)
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(k.name), percuss.Said(j.ID), percuss.Counted(n), percuss.Counted(flagged), percuss.Measured(on), percuss.Measured(off), percuss.Measured(more), percuss.Said(k.trust)}})
		}
	}
	return explained(t, notJudged)
}

func (s *summary) checkExperts() percuss.Table {
	t := percuss.Table{ID: "checks_experts", Title: "The checks against experts",
		About:   "Over the steps that experts call correct or an error, weighted to the run. Precision: of the steps that a check flags, the share that is an error to experts, of whatever kind.",
		Columns: append([]percuss.Column{column("check", "Check", percuss.Words)}, checkColumns("Precision", "Errors among the others")...), Notes: trustNotes()}
	for _, k := range cheapChecks() {
		rows, n, flagged := stat.NewRows(), 0, 0
		for _, e := range s.experts.steps {
			if !e.says.Judges() {
				continue
			}
			n, flagged = n+1, flagged+int(bit(k.flags(e.seen.checks)))
			enter(rows, e.cluster(), k.flags(e.seen.checks), e.says.IsError(), e.weight)
		}
		if n == 0 {
			continue
		}
		on, off, more := s.flaggedRow(rows)
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(k.name), percuss.Counted(n), percuss.Counted(flagged), percuss.Measured(on), percuss.Measured(off), percuss.Measured(more), percuss.Said(k.trust)}})
	}
	return explained(t, orElse(s.experts.given(), noSettled, noExperts))
}
