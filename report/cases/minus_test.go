package cases

import (
	"strings"
	"testing"

	"github.com/percuss/percuss/evidence"
)

// A figure prints a negative number with a true minus sign, as tables and sentences do.
func TestFiguresPrintATrueMinus(t *testing.T) {
	r := threeByTwo()
	for i := range r.Findings.Cells {
		r.Findings.Cells[i].Stability = []evidence.StabilityRow{{Name: "questionnaire", Kind: evidence.ByWording, Cases: 8, Correlation: amount(-0.31, 0.2, 8)}}
	}
	drawn, err := Figures(r.Findings)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, d := range drawn {
		words := string(d.Inner()) + d.Caption
		seen += strings.Count(words, "−0.31 (−0.51 to −0.11)")
		if strings.Contains(words, "-0.31") || strings.Contains(words, "(-0.") || strings.Contains(words, "faithful -") {
			t.Errorf("%s prints a hyphen for a minus", d.ID)
		}
	}
	if seen == 0 {
		t.Error("the negative correlation is in no figure")
	}
}
