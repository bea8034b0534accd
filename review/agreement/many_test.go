package agreement

import (
	"testing"

	"github.com/percuss/percuss/review/blind"
)

// unfolded is how many rows of a table a page shows without a click.
const unfolded = 18

// Of a question with many labels the coefficients on all of them stand in a table that no page folds, those on two sides in the
// next; the file of all coefficients has both under the question's name.
func TestAgreementOfManyLabels(t *testing.T) {
	for labels, want := range map[string]struct {
		ordinal    bool
		all, sides int
	}{"a b c d": {false, 18, 0}, "a b c d e": {false, 6, 15}, "a b c d e f": {true, 11, 15}} {
		r := Tabulate(reviewOf(blind.Own, asked("what", labels, want.ordinal), "00 11 22 33 01 23 12 0. 11"), quick)
		first := table(t, r, "agreement_what")
		if len(first.Rows) != want.all || len(first.Rows) > unfolded {
			t.Errorf("%s: %d rows on all labels", labels, len(first.Rows))
		}
		if want.sides > 0 {
			two := table(t, r, "agreement_sides_what")
			if len(two.Rows) != want.sides || two.Title != "Agreement on two sides of the labels: what" || two.Rows[0].Cells[0].Text == allLabels {
				t.Errorf("%s: %q, %d rows, the first on %s", labels, two.Title, len(two.Rows), two.Rows[0].Cells[0].Text)
			}
		}
		all := r.Agreement()
		if len(all.Rows) != want.all+want.sides {
			t.Errorf("%s: %d rows in the file", labels, len(all.Rows))
		}
		for _, row := range all.Rows {
			if row.Cells[0].Text != "what" {
				t.Errorf("%s: a row of question %s", labels, row.Cells[0].Text)
			}
		}
	}
}

// While raters are still asked nothing that one of them said is told.
func TestWithheldWhileAsked(t *testing.T) {
	review := reviewOf(blind.Perturbation, asked(blind.AskShift, "no_shift ambiguous shifted", true), "00 1. 22")
	review.Asked = true
	r := Tabulate(review, quick)
	if !r.Withheld || len(r.Tables) != 1 || r.Tables[0].ID != "progress" || r.Open != 1 {
		t.Errorf("withheld %v, open %d, %d tables", r.Withheld, r.Open, len(r.Tables))
	}
	review.Asked = false
	if r := Tabulate(review, quick); r.Withheld || len(r.Tables) < 5 {
		t.Errorf("withheld %v, %d tables", r.Withheld, len(r.Tables))
	}
}
