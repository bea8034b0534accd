package evidence

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// mixed is a case with two units of each group, in turn.
func mixed() percuss.Case {
	c := percuss.Case{ID: "c", Candidates: eight, Gold: "d0"}
	for i := range 2 {
		for name, u := range map[string]percuss.Unit{
			"a-specific":   {SymptomOf: []string{"d0"}},
			"b-antecedent": {AntecedentOf: []string{"d0"}},
			"c-competitor": {SymptomOf: []string{"d4"}},
			"d-absent":     {Absent: true, SymptomOf: []string{"d0"}},
			"e-low":        {SymptomOf: eight},
			"f-other":      {},
		} {
			u.ID = fmt.Sprint(name, i)
			c.Units = append(c.Units, u)
		}
	}
	slices.SortFunc(c.Units, func(a, b percuss.Unit) int { return strings.Compare(a.ID[len(a.ID)-1:]+a.ID, b.ID[len(b.ID)-1:]+b.ID) })
	return c
}

func names(units []percuss.Unit) string {
	var out []string
	for _, u := range units {
		out = append(out, u.ID[:1]+u.ID[len(u.ID)-1:])
	}
	return strings.Join(out, " ")
}

func pick(t *testing.T, c percuss.Case, s Selector, n int, seed uint64) string {
	t.Helper()
	units, err := Select(c, c.Gold, s, n, seed, Thresholds{})
	if err != nil {
		t.Fatal(err)
	}
	return names(units)
}

func TestSelectors(t *testing.T) {
	c := mixed()
	for _, x := range []struct {
		s    Selector
		n    int
		want string
	}{
		{Balanced, 4, "a0 b0 c0 d0"},
		{Balanced, 8, "a0 b0 c0 d0 e0 f0 a1 b1"},
		{Balanced, 99, "a0 b0 c0 d0 e0 f0 a1 b1 c1 d1 e1 f1"},
		{TargetSalient, 4, "a0 b0 e0 a1"}, // symptoms and antecedents of the target, in the order of the file
		{TargetSalient, 8, "a0 b0 c0 d0 e0 a1 b1 e1"},
		{Spaced, 2, "a0 f1"},
		{Spaced, 4, "a0 e0 b1 f1"},
		{Spaced, 1, "a1"},
		{Balanced, 0, ""},
	} {
		if got := pick(t, c, x.s, x.n, 1); got != x.want {
			t.Errorf("%s, %d: %s, want %s", x.s, x.n, got, x.want)
		}
	}
	if a, b := pick(t, c, RandomBalanced, 6, 1), pick(t, c, RandomBalanced, 6, 2); a == b {
		t.Errorf("two seeds picked the same: %s", a)
	}
	if _, err := Select(c, "d0", "best", 3, 1, Thresholds{}); err == nil || !strings.Contains(err.Error(), "target-salient") {
		t.Errorf("an unknown selector: %v", err)
	}
}

// Whatever the selector: so many units as asked for, none twice, in the order of the file, the same every time.
func TestSelectProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := percuss.Case{ID: "x", Candidates: eight, Gold: "d0"}
		for i := range rapid.IntRange(0, 14).Draw(t, "units") {
			c.Units = append(c.Units, percuss.Unit{ID: fmt.Sprintf("%02d", i), Absent: rapid.Bool().Draw(t, "absent"),
				SymptomOf:    rapid.SliceOfDistinct(rapid.SampledFrom(eight), rapid.ID).Draw(t, "symptom"),
				AntecedentOf: rapid.SliceOfDistinct(rapid.SampledFrom(eight), rapid.ID).Draw(t, "antecedent")})
		}
		s := rapid.SampledFrom(Selectors()).Draw(t, "selector")
		n, seed := rapid.IntRange(0, 16).Draw(t, "n"), rapid.Uint64().Draw(t, "seed")
		got, err := Select(c, "d0", s, n, seed, Thresholds{})
		if err != nil || len(got) != min(n, len(c.Units)) {
			t.Fatalf("%d of %d units, %v", len(got), n, err)
		}
		if !slices.IsSortedFunc(got, func(a, b percuss.Unit) int { return strings.Compare(a.ID, b.ID) }) {
			t.Fatalf("out of order: %v", got)
		}
		for i := range got {
			if i > 0 && got[i].ID == got[i-1].ID {
				t.Fatalf("twice: %v", got)
			}
		}
		again, _ := Select(c, "d0", s, n, seed, Thresholds{})
		for i := range got {
			if got[i].ID != again[i].ID {
				t.Fatal("another time, another choice")
			}
		}
	})
}

func TestLabelTablesThatAreBroken(t *testing.T) {
	good := "rules:\n  - {id: x, label: l, coarse: c}\nnarrative:\n  - {id: n, label: l, coarse: c}\n"
	if _, err := LoadLabels(strings.NewReader(good), "t.yaml"); err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string]string{
		"unknown field":                      strings.Replace(good, "label: l", "lable: l", 1),
		"no flag":                            strings.Replace(good, "coarse: c}", "coarse: c, all: [grave]}", 1),
		"must apply":                         strings.Replace(good, "coarse: c}", "coarse: c, sign: positive}", 1),
		"neither positive":                   strings.Replace(good, "coarse: c}", "coarse: c, sign: up}", 1),
		"needs id":                           strings.Replace(good, "id: x, ", "", 1),
		"there are none":                     "rules: []\nnarrative: []\n",
		"labels t.yaml":                      "rules: [",
		"rules: two rules have the id x":     strings.Replace(good, "{id: x, label: l, coarse: c}", "{id: x, label: l, coarse: c, sign: positive}\n  - {id: x, label: l, coarse: c}", 1),
		"narrative: two rules have the id x": strings.Replace(good, "id: n", "id: x", 1),
	} {
		if _, err := LoadLabels(strings.NewReader(text), "t.yaml"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
