package lattice

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
)

// reference is one random game as shapiq computed it. Lists of an order are in the order of Subsets.
type reference struct {
	Units     int                  `json:"units"`
	Values    []int                `json:"values64"`  // 64 times the values, by set
	Moebius   []int                `json:"moebius64"` // 64 times the coefficients, by set
	Shapley   []float64            `json:"shapley"`
	Banzhaf   []float64            `json:"banzhaf"`
	SII, KSII map[string][]float64 // by order
}

// references reads what testdata/oracle/lattice.py printed with shapiq 1.4.1.
func references(t *testing.T) []reference {
	t.Helper()
	raw, err := os.ReadFile("testdata/shapiq.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Program string
		Games   []reference
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if file.Program != "shapiq 1.4.1" || len(file.Games) != 7 {
		t.Fatalf("%d games of %q", len(file.Games), file.Program)
	}
	return file.Games
}

func sixtyFourths(x []int) []percuss.Number {
	out := make([]percuss.Number, len(x))
	for i, v := range x {
		out[i] = percuss.Num(float64(v) / 64)
	}
	return out
}

// shapiq's numbers are printed with 13 digits; they reach some hundreds.
const printedTo = 2e-10

func TestAgainstShapiq(t *testing.T) {
	for _, r := range references(t) {
		t.Run(fmt.Sprint(r.Units, " units"), func(t *testing.T) {
			g, err := FromValues(sixtyFourths(r.Values), r.Units)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(sixtyFourths(r.Moebius), g.Interactions(), exact); diff != "" {
				t.Error(diff)
			}
			if len(r.Shapley) != r.Units || len(r.Banzhaf) != r.Units || len(r.SII) == 0 || len(r.KSII) == 0 {
				t.Fatal("the reference is incomplete")
			}
			for i := range r.Units {
				near(t, "Shapley", g.Shapley()[i], r.Shapley[i], printedTo)
				near(t, "Banzhaf", g.Banzhaf()[i], r.Banzhaf[i], printedTo)
			}
			againstShapiq(t, "SII", g.SII, r.Units, r.SII)
			againstShapiq(t, "k-SII", g.KSII, r.Units, r.KSII)
		})
	}
}

func againstShapiq(t *testing.T, name string, index func(int) ([]percuss.Number, error), units int, orders map[string][]float64) {
	t.Helper()
	for key, want := range orders {
		order, err := strconv.Atoi(key)
		if err != nil {
			t.Fatal(err)
		}
		got, err := index(order)
		if err != nil {
			t.Fatal(err)
		}
		sets, err := Subsets(units, order)
		if err != nil {
			t.Fatal(err)
		}
		if len(want) != len(sets) {
			t.Fatalf("%s of order %d: %d reference values for %d sets", name, order, len(want), len(sets))
		}
		for i, s := range sets {
			near(t, fmt.Sprintf("%s of %b, order %d", name, s, order), got[s], want[i], printedTo)
		}
	}
}
