package step

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
)

// comparisons is before against after.
func (s *summary) comparisons() percuss.Analysis {
	out := percuss.Analysis{ID: "pairs", Title: "Before against after", About: "After less before, on the items that both models have. The verdict is stated only where the intervals of both differences, that of the accuracy of one chain and that of the error rate of steps, exclude zero.",
		Tables: []percuss.Table{s.pairTable()}}
	if len(s.a.o.Pairs) == 0 {
		out.Absent = "no models are compared: give one role before and another role after (--before, --after)"
	}
	return out
}

func (s *summary) pairTable() percuss.Table {
	t := percuss.Table{ID: "pairs", Title: "What changed",
		About: "One row for each judge and each way of showing the steps; the first way is the one that figures are told by.",
		Columns: []percuss.Column{column("before", "Before", percuss.Words), column("after", "After", percuss.Words), column("set", "Data set", percuss.Words), column("prompt", "Prompt", percuss.Words),
			column("judge", "Judge", percuss.Words), column("view", "Shown as", percuss.Words), column("items", "Items", percuss.Whole), column("accuracy", "Accuracy", percuss.ShareDiff),
			column("majority", "Vote", percuss.ShareDiff), column("errors", "Error rate", percuss.ShareDiff), column("corrected", "Corrected", percuss.ShareDiff), column("hedged", "Hedged", percuss.ShareDiff),
			column("ece", "ECE", percuss.Decimal), plainColumn("ece_floor", "of it by confidence alone", percuss.Decimal), column("verdict", "Verdict", percuss.Words), column("why", "Why not", percuss.Words)}}
	for _, p := range s.compared {
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(p.Before), percuss.Said(p.After), percuss.Said(p.Set), percuss.Said(p.Variant), percuss.Said(p.Judge), percuss.Said(p.View),
			percuss.Counted(p.Items), percuss.Measured(p.Accuracy), percuss.Measured(p.Majority), percuss.Measured(p.Errors), percuss.Measured(p.Corrected), percuss.Measured(p.Hedged),
			percuss.Measured(p.ECE), percuss.Measured(percuss.Estimate{Value: p.Floor, Why: p.ECE.Why}), percuss.Said(string(p.Verdict)), percuss.Said(p.Why)}})
	}
	if len(s.compared) > 0 {
		t.Notes = append(t.Notes, "Each difference is over the items of which both models have what it is a share of. "+s.restsOn())
	}
	return explained(t, "no models are compared")
}

// restsOn says on how many of the common items the comparisons under the first view rest where that is not all of them.
func (s *summary) restsOn() string {
	var out []string
	for _, p := range s.compared {
		if p.View != "" && p.View != s.firstView() {
			continue
		}
		var parts []string
		for _, of := range []struct {
			says string
			e    percuss.Estimate
		}{{"the accuracy", p.Accuracy}, {"the hedging rate", p.Hedged}, {"the error rate by " + p.Judge, p.Errors}} {
			if of.e.Value.OK() && of.e.N < p.Items {
				parts = append(parts, fmt.Sprintf("%s on %s", of.says, percuss.Grouped(of.e.N)))
			}
		}
		if len(parts) > 0 {
			out = append(out, fmt.Sprintf("Of %s that %s and %s have in common on %s, %s.", plural(p.Items, "item"), p.Before, p.After, p.Set, strings.Join(parts, ", ")))
		}
	}
	if len(out) == 0 {
		return "Here these are all the items that both have, or there is no such figure."
	}
	return strings.Join(out, " ")
}
