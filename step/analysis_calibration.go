package step

import (
	"fmt"

	"github.com/percuss/percuss"
)

// calibration is how far the share of the votes that the winner has is its chance of being right.
func (s *summary) calibration() percuss.Analysis {
	return percuss.Analysis{ID: "calibration", Title: "Calibration",
		About:  "The share of an item's votes that the winning answer has is taken as the model's confidence in it, and held against how often such answers are right.",
		Tables: []percuss.Table{s.calibrationTable(), s.reliabilityTable()}}
}

func (s *summary) calibrationTable() percuss.Table {
	t := percuss.Table{ID: "calibration", Title: "Calibration of the vote share",
		About: fmt.Sprintf("ECE: mean distance of accuracy from confidence over %d bins of equal width, empty ones left out; with equal numbers in each beside it. Under perfect calibration: "+
			"what noise alone would make of it. Brier score = reliability − resolution + uncertainty + within bins.", s.bins()),
		Columns: ofCells(column("items", "Items with a vote", percuss.Whole), column("ece", "ECE", percuss.Rate), column("floor", "Under perfect calibration", percuss.Rate),
			column("ece_mass", "ECE, equal mass", percuss.Rate), column("mce", "Largest distance", percuss.Rate), column("over", "Overconfidence", percuss.Decimal), column("brier", "Brier score", percuss.Rate),
			column("reliability", "Reliability", percuss.Rate), column("resolution", "Resolution", percuss.Rate), column("uncertainty", "Uncertainty", percuss.Rate), column("within", "Within bins", percuss.Decimal))}
	for i, c := range s.found {
		k := c.Calibration
		t.Rows = append(t.Rows, cellRow(c, percuss.Counted(len(s.cells[i].forecasts)), percuss.Measured(c.ECE), percuss.Measured(k.Floor), percuss.Measured(c.ECEMass), percuss.Measured(k.MCE),
			percuss.Measured(k.Overconfidence), percuss.Measured(c.Brier), percuss.Measured(k.Reliability), percuss.Measured(k.Resolution), percuss.Measured(k.Uncertainty), percuss.Measured(k.Within)))
	}
	t.Notes = append(t.Notes, "ECE cannot be negative, so that noise makes it larger: compare it with what perfect calibration would give. Overconfidence: mean vote share less accuracy.")
	return explained(t, noCells)
}

func (s *summary) reliabilityTable() percuss.Table {
	t := percuss.Table{ID: "reliability", Title: "Reliability diagram", Long: true, About: "Items by the vote share of their winner: how often it is right. Empty bins are left out.",
		Columns: ofCells(column("bin", "Vote share", percuss.Words), column("items", "Items", percuss.Whole), plainColumn("confidence", "Mean vote share", percuss.Percent), column("accuracy", "Right", percuss.Percent))}
	for _, c := range s.found {
		for _, b := range c.Reliability {
			t.Rows = append(t.Rows, cellRow(c, percuss.Said(fmt.Sprintf("%.2f to %.2f", b.Lo, b.Hi)), percuss.Counted(b.Items), percuss.Valued(percuss.Num(b.Confidence)), percuss.Measured(b.Accuracy)))
		}
	}
	why := noAnswers
	for _, c := range s.found {
		why = orElse(c.NoShares != "", c.NoShares, why)
	}
	return explained(t, why)
}
