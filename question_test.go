package percuss_test

import (
	"testing"

	"github.com/percuss/percuss"
)

// PrairieLearn#3133: counting up from A must not run into the signs behind Z.
func TestLabel(t *testing.T) {
	tests := map[int]string{0: "A", 1: "B", 25: "Z", 26: "AA", 27: "AB", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"}
	for i, want := range tests {
		if got := percuss.Label(i); got != want {
			t.Errorf("Label(%d) = %q, want %q", i, got, want)
		}
	}
	seen := map[string]int{}
	for i := range 20_000 {
		l := percuss.Label(i)
		if j, ok := seen[l]; ok {
			t.Fatalf("options %d and %d are both %s", j, i, l)
		}
		seen[l] = i
		for _, r := range l {
			if r < 'A' || r > 'Z' {
				t.Fatalf("Label(%d) = %q", i, l)
			}
		}
	}
}

func TestLabelRefusesNegative(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for a programmer's mistake")
		}
	}()
	percuss.Label(-1)
}

func TestQuestionOptions(t *testing.T) {
	q := percuss.Question{Options: []percuss.Option{{Label: "A", Text: "x"}, {Label: "B", Text: "y"}}}
	if o, ok := q.Option("B"); !ok || o.Text != "y" {
		t.Error(o, ok)
	}
	if o, ok := q.Option("C"); ok || o != (percuss.Option{}) {
		t.Error(o, ok)
	}
	if l := q.Labels(); len(l) != 2 || l[0] != "A" || l[1] != "B" {
		t.Error(l)
	}
	if l := (percuss.Question{}).Labels(); len(l) != 0 {
		t.Error(l)
	}
}
