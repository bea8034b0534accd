package dataset

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset/source"
)

// ward is a loader of cases 0 to n-1; every tenth row is bad, and stop ends it with an error before that row.
type ward struct{ n, stop int }

var errWard = errors.New("the file ends")

func (ward) Name() string { return "ward" }

func (w ward) Cases() iter.Seq2[percuss.Case, error] {
	rows := func(yield func(source.Row[int], error) bool) {
		for i := range w.n {
			row := source.NewRow("w.csv", "hash", i+1, i)
			if i%10 == 9 {
				row.Bad = errors.New("smudged")
			}
			if w.stop > 0 && i == w.stop {
				yield(row, errWard)
				return
			}
			if !yield(row, nil) {
				return
			}
		}
	}
	return DistinctCases(Cases("ward", "test", rows, func(i int) (percuss.Case, error) {
		if i%100 == 50 {
			return percuss.Case{ID: "half"}, errors.New("no gold")
		}
		if i%100 == 53 { // the row before it again
			i--
		}
		return percuss.Case{ID: fmt.Sprintf("ward:%05d", i)}, nil
	}))
}

func caseIDs(cases []percuss.Case) []string {
	var out []string
	for _, c := range cases {
		out = append(out, c.ID)
	}
	return out
}

func TestCollectCases(t *testing.T) {
	cases, bad, err := CollectCases(ward{n: 60})
	if err != nil || len(cases) != 52 || len(bad) != 8 {
		t.Fatalf("%d cases, %d bad, %v", len(cases), len(bad), err)
	}
	if want := (percuss.Source{File: "w.csv", SHA256: "hash", Split: "test", Line: 9}); cases[8].Source != want {
		t.Errorf("%+v", cases[8].Source)
	}
	var why []string
	for _, b := range bad {
		why = append(why, b.Error())
	}
	for _, want := range []string{"w.csv:10: smudged", "w.csv:51: no gold", "w.csv:54: duplicate of line 53"} {
		if !slices.Contains(why, want) {
			t.Errorf("%q lacks %q", why, want)
		}
	}
	if cases, bad, err := CollectCases(ward{n: 60, stop: 15}); !errors.Is(err, errWard) || len(cases) != 14 || len(bad) != 1 {
		t.Errorf("%d cases, %d bad, %v", len(cases), len(bad), err)
	}
}

// Cases are drawn by the permutation that questions are drawn by.
func TestDrawCasesLikeQuestions(t *testing.T) {
	questions := numbered(50)
	cases := make([]percuss.Case, len(questions))
	for i, q := range questions {
		cases[i].ID = q.ID
	}
	if got, want := caseIDs(DrawCases(cases, 3, 20)), ids(Draw(questions, 3, 20)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A sample taken while reading is the sample of what was read.
func TestSampleCases(t *testing.T) {
	w := ward{n: 2600}
	all, bad, err := CollectCases(w)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		seed, n := rapid.Uint64().Draw(t, "seed"), rapid.SampledFrom([]int{-1, 0, 1, 20, 600, 2300, 3000}).Draw(t, "n")
		got, usable, b, err := SampleCases(w, seed, n)
		if err != nil || usable != len(all) || len(b) != len(bad) || !reflect.DeepEqual(got, DrawCases(all, seed, n)) {
			t.Fatalf("n = %d: %d drawn, %d usable, %d bad, %v", n, len(got), usable, len(b), err)
		}
	})
	if _, _, _, err := SampleCases(ward{n: 60, stop: 15}, 1, 5); !errors.Is(err, errWard) {
		t.Error(err)
	}
}
