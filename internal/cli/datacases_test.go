package cli

import (
	"encoding/json"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

// The sample of DDXPlus, counted with Python's csv, ast and json modules.
func TestCasesCheckPublished(t *testing.T) {
	folder := filepath.Dir(datasettest.File(t, "ddxplus", "release_test_patients_sample.csv"))
	status, out, errs := command(t, "data", "check", "ddxplus:"+folder, "--json")
	if status != exitDone {
		t.Fatalf("status %d, %s", status, errs)
	}
	var c checkedCases
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		t.Fatal(err)
	}
	if c.Cases != 2430 || len(c.Bad) != 181 || c.Duplicates != 0 || c.Split != "test" || c.Identity != "hash" || len(c.Golds) != 49 || c.UnitTotal != 47502 {
		t.Errorf("%d kept, %d dropped, split %s, identity %s, %d diagnoses, %d units", c.Cases, len(c.Bad), c.Split, c.Identity, len(c.Golds), c.UnitTotal)
	}
	rows := func(tallies []tally) map[string]int {
		m := map[string]int{}
		for _, one := range tallies {
			m[one.Name] = one.Rows
		}
		return m
	}
	for _, want := range []struct {
		of   []tally
		name string
		rows int
	}{
		{c.Reasons, "fewer than 2 candidates", 177}, {c.Reasons, "fewer than 4 findings beside the complaint", 4},
		{c.GoldPlace, "1", 1756}, {c.GoldPlace, "2", 386}, {c.GoldPlace, "20", 1}, {c.Flags, "differential-cut", 131}, {c.Golds, "URTI", 173},
		{c.UnitFlags, "absent", 5254}, {c.UnitFlags, "symptom", 36576}, {c.UnitFlags, "antecedent", 10926}, {c.UnitFlags, "other", 40094},
		{c.UnitFlags, "other_only", 0}, {c.UnitFlags, "low_specificity", 31248}, {c.Roles, "absent", 5254},
	} {
		if got := rows(want.of)[want.name]; got != want.rows {
			t.Errorf("%s: %d, want %d", want.name, got, want.rows)
		}
	}
	if c.Candidates != (span{percuss.Num(2), percuss.Num(9), percuss.Num(20)}) || c.Units != (span{percuss.Num(4), percuss.Num(19), percuss.Num(41)}) {
		t.Errorf("candidates %s, units %s", c.Candidates, c.Units)
	}
	if last := c.GoldPlace[len(c.GoldPlace)-1].Name; last != "20" {
		t.Errorf("places end with %s: not in their order", last)
	}
}

// ward is a set of cases in memory.
type ward []any

func (ward) Name() string { return "ward" }

func (w ward) Cases() iter.Seq2[percuss.Case, error] {
	return func(yield func(percuss.Case, error) bool) {
		for _, one := range w {
			c, _ := one.(percuss.Case)
			err, _ := one.(error)
			if !yield(c, err) {
				return
			}
		}
	}
}

func TestCasesCheckCounts(t *testing.T) {
	story := percuss.Case{ID: "ward:1", Set: "ward", Gold: "b", Candidates: []string{"a", "b", "c"}, Narrative: true,
		Units: []percuss.Unit{{ID: "1", Text: "He coughs."}}, LeftOut: []percuss.LeftOut{{Text: "b it is.", Why: "names the gold: b"}, {Text: "b.", Why: "names the gold: B"}}}
	coded := percuss.Case{ID: dataset.Identity("ward", "x"), Set: "ward", Gold: "a", Candidates: []string{"a", "b"}, Flags: []string{"f"},
		Units: []percuss.Unit{{ID: "E_1", SymptomOf: []string{"b"}}, {ID: "E_2", Absent: true, Implicit: true}, {ID: "E_3"}}}
	bad := func(why, repeats string) error {
		return &dataset.BadRow{File: "w", Line: 7, Why: why, Repeats: repeats}
	}
	c, err := checkCases(ward{story, bad("no gold", ""), coded, bad("unknown age: 7", ""), bad("unknown age: 8", ""), bad("duplicate of line 1", "ward:1")})
	if err != nil {
		t.Fatal(err)
	}
	if c.Cases != 2 || c.Narrative != 1 || c.Implicit != 1 || c.UnitTotal != 4 || c.Identity != "both" || c.Duplicates != 1 || len(c.Bad) != 4 {
		t.Errorf("%+v", c)
	}
	if want := []tally{{"unknown age", 2, percuss.Num(2.0 / 6)}, {"duplicate", 1, percuss.Num(1.0 / 6)}, {"no gold", 1, percuss.Num(1.0 / 6)}}; !slices.Equal(c.Reasons, want) {
		t.Errorf("%v", c.Reasons)
	}
	if want := []tally{{"names the gold", 2, percuss.Num(2.0 / 6)}}; !slices.Equal(c.LeftOut, want) {
		t.Errorf("%v", c.LeftOut)
	}
	third := percuss.Num(1.0 / 3)
	if want := []tally{{"absent", 1, third}, {"competitor-supporting", 1, third}, {"other", 1, third}}; !slices.Equal(c.Roles, want) {
		t.Errorf("%v: sentences have no role", c.Roles)
	}
	var text strings.Builder
	if err := writeCases(&text, c); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"first in 50.0 % of the cases", "linked to others only ", "narrative  1 case:", "implicit   1 unit is absent", "left out   names the gold: 2", "split      not known",
		"identity   the set's own ids, and hashes where a case has none"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	if last := errors.New("the disk is gone"); func() error { _, err := checkCases(ward{story, last}); return err }() != last {
		t.Error("an error that ends the reading is lost")
	}
	// Nothing kept: lists are empty, never null, and nothing is printed of contents.
	none, err := checkCases(ward{bad("no gold", "")})
	raw, _ := json.Marshal(none)
	if err != nil || strings.Contains(string(raw), ":null,\"golds\"") || !strings.Contains(string(raw), `"golds":[]`) {
		t.Errorf("%s, %v", raw, err)
	}
	text.Reset()
	if err := writeCases(&text, none); err != nil || strings.Contains(text.String(), "gold   ") {
		t.Error(text.String(), err)
	}
}

// Whatever a set of cases lacks, the first place is told where no gold stands there.
func TestCasesCheckGoldNeverFirst(t *testing.T) {
	c, err := checkCases(ward{percuss.Case{ID: "ward:1", Gold: "b", Candidates: []string{"a", "b"}}})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := writeCases(&text, c); err != nil || !strings.Contains(unfolded(text.String()), "first in 0.0 % of the cases in the file's order; by place 2: 1") {
		t.Error(text.String(), err)
	}
}
