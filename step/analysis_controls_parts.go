package step

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// voteTable compares error rates on items whose votes are alike.
func (s *summary) voteTable() percuss.Table {
	t := percuss.Table{ID: "control_votes", Title: "Error rates on items that both models answer alike",
		About: "By the vote of each model: a model that answers more items correctly has other items among its right ones, and this looks at the same items. Difference: after less before.",
		Columns: ofPairs(column("votes", "Votes of the two", percuss.Words), column("items", "Items", percuss.Whole), column("errors_before", "Before", percuss.Percent),
			column("errors_after", "After", percuss.Percent), column("difference", "Difference", percuss.ShareDiff), column("kept", "The change", percuss.Words)), Notes: []string{keptNote}}
	for _, p := range s.judgedPairs() {
		votes := s.votesOf(p)
		for _, want := range []struct {
			right int
			says  string
		}{{2, "both right"}, {0, "both wrong"}, {1, "one right"}} {
			r := traceID{p.Judge, p.View}.wrong("")
			rows := s.paired(p, func(item string) bool { n, ok := votes[item]; return ok && n == want.right }, r)
			var before, after, change percuss.Estimate
			why := orElse(len(rows.Items()) == 0, "there is no such item with judged steps of both models", noVerdict)
			rows.Fill(p.Set, s.o, []stat.Figure{{Into: &before, Of: of("a/", r), Where: inBoth(r), Absent: why}, {Into: &after, Of: of("b/", r), Where: inBoth(r), Absent: why}, changed(&change, r, why)})
			t.Rows = append(t.Rows, pairRow(p, percuss.Said(want.says), percuss.Counted(len(rows.Items())), percuss.Measured(before), percuss.Measured(after), percuss.Measured(change), percuss.Said(kept(p.Errors, change))))
		}
	}
	return explained(t, orElse(len(s.compared) == 0, noPairs, notJudged))
}

// votesOf are the items where both models of a comparison have a vote: how many of the two are right.
func (s *summary) votesOf(p Pair) map[string]int {
	before, after := common(s.cellOf(p.Variant, p.Before, p.Set).forecasts, s.cellOf(p.Variant, p.After, p.Set).forecasts)
	right := map[string]int{}
	for _, f := range append(before, after...) {
		right[f.Item] += int(bit(f.Correct))
	}
	return right
}

// judgedCells calls show for each cell and each judge that said something of it under the first view.
func (s *summary) judgedCells(show func(c Cell, of *cell, t traceID)) {
	for i, c := range s.found {
		for _, t := range s.cells[i].traces(s.a) {
			if t.view == s.firstView() {
				show(c, s.cells[i], t)
			}
		}
	}
}

// chainTable compares chains with the right answer with others, of one model.
func (s *summary) chainTable() percuss.Table {
	t := percuss.Table{ID: "control_chains", Title: "Error rates in chains with a right and with a wrong answer",
		About: "Of one model. Difference: chains with a wrong answer less those with the right one. A chain without an answer that was read is in neither.",
		Columns: ofCells(column("judge", "Judge", percuss.Words), column("right", "Right answer", percuss.Percent), column("wrong", "Wrong answer", percuss.Percent),
			column("difference", "Difference", percuss.ShareDiff))}
	s.judgedCells(func(c Cell, of *cell, tr traceID) {
		var right, wrong, apart percuss.Estimate
		noRight, noWrong := "no chain with the right answer has a step that was called correct or an error", "no chain with a wrong answer has a step that was called correct or an error"
		of.rows.Fill(c.Set, s.o, []stat.Figure{{Into: &right, Of: tr.wrong(partRight), Absent: noRight}, {Into: &wrong, Of: tr.wrong(partWrong), Absent: noWrong},
			{Into: &apart, Of: tr.wrong(partWrong), Less: tr.wrong(partRight), Absent: noWrong}})
		if !right.Value.OK() {
			apart = percuss.Absent(noRight)
		}
		t.Rows = append(t.Rows, cellRow(c, percuss.Said(tr.judge), percuss.Measured(right), percuss.Measured(wrong), percuss.Measured(apart)))
	})
	return explained(t, notJudged)
}

// lengthParts are the lengths of steps, from the shortest.
var lengthParts = []string{partShort, partMiddle, partLong}

// lengthColumns head figures of steps of each length.
func lengthColumns(scale percuss.Scale) []percuss.Column {
	return []percuss.Column{column("short", fmt.Sprintf("To %d words", shortStep), scale), column("middle", fmt.Sprintf("%d to %d", shortStep+1, longStep), scale),
		column("long", fmt.Sprintf("From %d", longStep+1), scale)}
}

// noLength is why there is no rate of a length.
const noLength = "no step of this length was called correct or an error"

// perChain is the mean number of steps of a chain.
var perChain = stat.Ratio{Num: colSteps, Den: colTexts}

func (s *summary) lengthTable() percuss.Table {
	t := percuss.Table{ID: "control_lengths", Title: "Error rates of steps of equal length",
		About:   "A longer step has more in it that can be wrong. By the words of a step as it was written.",
		Columns: ofCells(append([]percuss.Column{column("judge", "Judge", percuss.Words), column("steps_chain", "Steps a chain", percuss.Hundredths)}, lengthColumns(percuss.Percent)...)...)}
	s.judgedCells(func(c Cell, of *cell, tr traceID) {
		var found [4]percuss.Estimate
		figures := []stat.Figure{{Into: &found[3], Of: perChain, Is: stat.Amount, Absent: noTexts}}
		for i, part := range lengthParts {
			figures = append(figures, stat.Figure{Into: &found[i], Of: tr.wrong(part), Absent: noLength})
		}
		of.rows.Fill(c.Set, s.o, figures)
		t.Rows = append(t.Rows, cellRow(c, percuss.Said(tr.judge), percuss.Measured(found[3]), percuss.Measured(found[0]), percuss.Measured(found[1]), percuss.Measured(found[2])))
	})
	return explained(t, notJudged)
}

func (s *summary) lengthPairTable() percuss.Table {
	t := percuss.Table{ID: "control_length_pairs", Title: "What changed between steps of equal length",
		About: "After less before. At one mix of lengths: the changes within each length, weighted by the steps of both models together (direct standardisation).",
		Columns: ofPairs(append([]percuss.Column{column("steps_chain", "Steps a chain", percuss.Decimal), column("errors", "Error rate", percuss.ShareDiff),
			column("standardised", "At one mix of lengths", percuss.ShareDiff), column("kept", "The change", percuss.Words)}, lengthColumns(percuss.ShareDiff)...)...), Notes: []string{keptNote}}
	for _, p := range s.judgedPairs() {
		tr := traceID{p.Judge, p.View}
		var found [4]percuss.Estimate
		ratios := []stat.Ratio{perChain}
		figures := []stat.Figure{changed(&found[3], perChain, orElse(p.Items == 0, noCommon, noTexts))}
		figures[0].Is = stat.Amount
		for i, part := range lengthParts {
			ratios = append(ratios, tr.wrong(part))
			figures = append(figures, changed(&found[i], tr.wrong(part), "one of the two models has no step of this length that was called correct or an error"))
		}
		s.paired(p, anyItem, ratios...).Fill(p.Set, s.o, figures)
		equal := s.equalLength(p)
		t.Rows = append(t.Rows, pairRow(p, percuss.Measured(found[3]), percuss.Measured(p.Errors), percuss.Measured(equal), percuss.Said(kept(p.Errors, equal)),
			percuss.Measured(found[0]), percuss.Measured(found[1]), percuss.Measured(found[2])))
	}
	return explained(t, orElse(len(s.compared) == 0, noPairs, notJudged))
}

// position is where in a chain errors stand.
func (s *summary) position() percuss.Analysis {
	t := percuss.Table{ID: "position", Title: "Error rates along the chain",
		About: "By the thirds of a chain's judged steps, in chains of at least three. Difference: the last third less the first.",
		Columns: ofCells(column("judge", "Judge", percuss.Words), column("first", "First third", percuss.Percent), column("second", "Second", percuss.Percent),
			column("third", "Last third", percuss.Percent), column("difference", "Difference", percuss.ShareDiff))}
	s.judgedCells(func(c Cell, of *cell, tr traceID) {
		var found [4]percuss.Estimate
		why := "no chain of at least three steps has such a step that was called correct or an error"
		figures := []stat.Figure{{Into: &found[3], Of: tr.wrong(partThird), Less: tr.wrong(partFirst), Absent: why}}
		for i, part := range []string{partFirst, partSecond, partThird} {
			figures = append(figures, stat.Figure{Into: &found[i], Of: tr.wrong(part), Absent: why})
		}
		of.rows.Fill(c.Set, s.o, figures)
		t.Rows = append(t.Rows, cellRow(c, percuss.Said(tr.judge), percuss.Measured(found[0]), percuss.Measured(found[1]), percuss.Measured(found[2]), percuss.Measured(found[3])))
	})
	out := percuss.Analysis{ID: "position", Title: "Where errors stand", About: "Whether a chain goes wrong from the start or on its way. Steps beyond the most that are judged of a chain are not looked at.", Tables: []percuss.Table{explained(t, notJudged)}}
	if len(s.a.o.Judges) == 0 {
		out.Absent = noJudge
	}
	return out
}
