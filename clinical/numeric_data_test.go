package clinical

import "testing"

// solvedRow is a row of GSM8K's published solutions: four models a question, each judged by the authors.
type solvedRow struct {
	Truth string   `json:"ground_truth"`
	A     solution `json:"6b_finetuning"`
	B     solution `json:"6b_verification"`
	C     solution `json:"175b_finetuning"`
	D     solution `json:"175b_verification"`
}

type solution struct {
	Correct bool   `json:"is_correct"`
	Text    string `json:"solution"`
}

// TestPublishedSolutions: every solution that is read agrees with the authors' verdict. The five that are not read were
// cut before their last line, and none of them counts as right.
func TestPublishedSolutions(t *testing.T) {
	read, all := 0, 0
	for _, row := range readLines[solvedRow](t, dataFile(t, "gsm8k", "example_model_solutions.first300.jsonl")) {
		gold := ReadNumber(row.Truth, false)
		if gold.Status != Parsed || gold.How != asLine {
			t.Errorf("%+v from %q", gold, row.Truth)
		}
		for _, s := range []solution{row.A, row.B, row.C, row.D} {
			all++
			got := ReadNumber(s.Text, false)
			checkEnd(t, s.Text, got)
			if got.Status == Parsed {
				read++
			}
			if (got.Label == gold.Label) != s.Correct {
				t.Errorf("read %+v, gold %s, correct: %v: %q", got, gold.Label, s.Correct, s.Text)
			}
		}
	}
	if read != 1195 || all != 1200 {
		t.Errorf("read %d of %d, want 1195 of 1200", read, all)
	}
}
