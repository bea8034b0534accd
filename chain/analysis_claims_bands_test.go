package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// The firing rates of a sample are held against those of the whole published split, where they are known.
func TestFiringBands(t *testing.T) {
	b := paperBattery()
	rates := map[string]float64{"M1": .99, "M2": .89, "M4": .28, "M5": .25, "M6": .07}
	asKnown := func(r *Record, i int) {
		for j := range r.Operators {
			op := &r.Operators[j]
			if rate, ok := rates[op.ID[:2]]; ok && float64((i*61)%100)/100 >= rate {
				*op = OperatorTrial{ID: op.ID, Reading: Reading{State: NotFired}}
			}
		}
	}
	questions := []percuss.Question{{Set: "medqa", Source: percuss.Source{Split: "test"}}}
	for name, c := range map[string]struct {
		x    reasoner
		o    Options
		want percuss.Holds
		says string
	}{
		"as on the whole split": {reasoner{n: 200, set: "medqa", battery: b, change: asKnown}, Options{Questions: questions}, percuss.ClaimHolds, "M6-a or M6-b"},
		"all fire everywhere":   {reasoner{n: 200, set: "medqa", battery: b}, Options{Questions: questions}, percuss.ClaimFails, "outside: M2-age-a"},
		"too few to tell apart": {reasoner{n: 4, set: "medqa", battery: b, change: asKnown}, Options{Questions: questions}, percuss.ClaimHolds, ""},
		"another split":         {reasoner{n: 200, set: "medqa", battery: b}, Options{}, "", ""},
		"passages are edited":   {reasoner{n: 200, set: "medqa", battery: b}, Options{Questions: questions, Stem: StemContexts}, "", ""},
	} {
		c.o.Battery = b
		got := claimsOf(summarised(t, c.o, c.x.records()...), "firing-bands")["medqa"]
		if got.Verdict != c.want || !strings.Contains(got.Shown, c.says) {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
	if slices.ContainsFunc([]string{"medqa train", "nothing test"}, func(s string) bool {
		bands, _ := Bands(s[:strings.Index(s, " ")], s[strings.Index(s, " ")+1:])
		return len(bands) > 0
	}) {
		t.Error("bands of a split that nothing is known of")
	}
}
