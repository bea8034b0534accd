package report

import (
	"testing"

	"github.com/percuss/percuss"
)

func TestSigned(t *testing.T) {
	for in, want := range map[string]string{
		"-0.011 (-0.042 to 0.020)":    "−0.011 (−0.042 to 0.020)",
		"F1-50 and M2-age-a, self-8b": "F1-50 and M2-age-a, self-8b",
		"from 3-5 to -7.":             "from 3-5 to −7.",
		"r [-0.98]":                   "r [−0.98]",
		"":                            "",
	} {
		if got := Signed(in); got != want {
			t.Errorf("Signed(%q) = %q, want %q", in, got, want)
		}
	}
	for v, want := range map[float64]string{-0.25: "−0.25", 0.25: "0.25"} {
		if got := fixed(percuss.Num(v), 2); got != want {
			t.Errorf("fixed(%g) = %q, want %q", v, got, want)
		}
	}
	if got := fixed(percuss.Number{}, 2); got != "–" {
		t.Errorf("a missing number is %q", got)
	}
}
