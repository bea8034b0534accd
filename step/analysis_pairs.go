package step

import "github.com/percuss/percuss"

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
			percuss.Measured(p.ECE), valued(p.Floor), percuss.Said(string(p.Verdict)), percuss.Said(p.Why)}})
	}
	return explained(t, "no models are compared")
}
