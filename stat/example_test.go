package stat

import (
	"fmt"

	"github.com/percuss/percuss"
)

// Twice as sure as it should be: of ten answers at 0.8 four are right.
func ExampleCalibrate() {
	var f []Forecast
	for i := range 10 {
		f = append(f, Forecast{Item: fmt.Sprint(i), Confidence: 0.8, Correct: i < 4})
	}
	c, err := Calibrate(f, Binning{}, Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("ECE", c.ECE.Value.Format(2), "and by chance alone", c.Floor.Value.Format(2), "Brier", c.Brier.Value.Format(2))
	// Output: ECE 0.40 and by chance alone 0.09 Brier 0.40
}

func ExampleVote() {
	winner, share, tied := Vote([]string{"A", "C", "", "A"})
	fmt.Println(winner, share.Format(2), len(tied))
	_, share, tied = Vote([]string{"A", "C", "C", "A", "B"})
	fmt.Println(tied, share.Format(2), BreakTie(tied, 7, "question 12"))
	// Output:
	// A 0.67 0
	// [A C] 0.40 A
}

// Of 200 steps, four of each item, a judge calls 49 an error. It found 45 of 50 errors that people had marked, and called 10 of
// 100 correct steps an error.
func ExampleDraws_Corrected() {
	rows := make(Sums, 50)
	for i := range rows {
		rows[i] = []float64{float64(i % 3), 4}
	}
	share := func(sums []float64) []percuss.Number { return []percuss.Number{percuss.Num(sums[0] / sums[1])} }
	d, err := Draw(Sample{Key: "items", Sums: rows}, share, Options{Seed: 1, Metrics: []Metric{{Num: []int{0}, Den: []int{1}}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	judge := Quality{Sensitivity: 0.9, Specificity: 0.9, Positives: 50, Negatives: 100}
	for _, e := range []percuss.Estimate{d.Estimates()[0], d.Corrected(judge)[0]} {
		fmt.Println(e.Value.Format(3), e.Lo.Format(2), e.Hi.Format(2))
	}
	// Output:
	// 0.245 0.18 0.30
	// 0.181 0.08 0.27
}
