package chain

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// arithmetic is a data set of another domain: one item, wrong, whose chain edits flip.
func arithmetic(variant, model string) []Record {
	r := record("sums", "k1", "A", "B", "", paperBattery(), edit{id: "F1-50", answer: "C"}, edit{id: "F4-a", answer: "B"})
	r.Domain = "arithmetic"
	return as(model, variant, []Record{r})
}

// TestOtherDomains: cells of another domain stay in the list of cells and enter no mean of medical ones.
func TestOtherDomains(t *testing.T) {
	records := slices.Concat(arithmetic("neutral", "m"), as("m", "strict", single("one")), arithmetic("strict", "m"),
		as("n", "strict", single("one")), arithmetic("neutral", "o"))
	f := summarised(t, Options{Models: map[string]Described{"m": {Tier: "medical"}, "n": {Tier: "medical"}}}, records...)
	if len(f.Cells) != 5 || f.Cells[0].Domain != "arithmetic" || len(f.Models) != 4 {
		t.Fatalf("%d cells, %d models", len(f.Cells), len(f.Models))
	}
	for _, g := range f.Models {
		remarks := strings.Join(g.Remarks, "\n")
		want, items, remark := 1.0, 1, ""
		switch g.Name {
		case "m, neutral", "o, neutral":
			want, remark = 0, "No medical data set: these figures are of questions of another domain (sums)."
		case "m, strict":
			remark = "Of another domain and in none of these figures: sums."
		}
		near(t, g.Name, value(t, g, "acc", "").Value, want)
		if g.Items != items || !strings.Contains(remarks, remark) || remark == "" && strings.Contains(remarks, "domain") {
			t.Errorf("%s: %d items, remarks %q", g.Name, g.Items, remarks)
		}
	}
	// The panel is of m and n under strict: m's first prompt has no medical set, and o has none at all.
	near(t, "panel", value(t, *f.Panel, "acc", "").Value, 1)
	near(t, "tier", value(t, f.Tiers[0], "acc", "").Value, 1)
	if f.Panel.Name != "panel of 2 models" || !decided(f, "domain") || decided(summarised(t, Options{}, single("one")...), "domain") {
		t.Errorf("%s", f.Panel.Name)
	}
	alone := summarised(t, Options{}, slices.Concat(arithmetic("neutral", "m"), arithmetic("neutral", "o"))...)
	if alone.Panel == nil {
		t.Fatal("no panel where no model has a medical set")
	}
	near(t, "panel of other domains", value(t, *alone.Panel, "acc", "").Value, 0)
}

// TestNestedIntervals: items are nested in data sets, and models share them. Four models that give the same answers are
// no more certain than one of them, and two data sets of equal items are narrower by the root of two.
func TestNestedIntervals(t *testing.T) {
	set := func(name string) []Record {
		var out []Record
		for i := range 40 {
			answer := "A"
			if i%4 == 0 {
				answer = "B"
			}
			out = append(out, record(name, itoa(i), "A", answer, "", paperBattery(), edit{id: "F4-a", answer: "A"}))
		}
		return out
	}
	var same []Record
	for i := range 4 {
		same = append(same, as(fmt.Sprint("m", i), "neutral", set("s"))...)
	}
	width := func(g Group, id, scope string) float64 {
		m := value(t, g, id, scope)
		return m.Hi.Or(0) - m.Lo.Or(0)
	}
	f := summarised(t, Options{Bootstrap: 2000}, same...)
	for _, c := range [][2]string{{"acc", ""}, {"afr_p", "F"}} {
		one, panel := width(f.Models[0], c[0], c[1]), width(*f.Panel, c[0], c[1])
		if math.Abs(one-panel) > 1e-9 || one <= 0 {
			t.Errorf("%s: width %.4f of one model, %.4f of four that answer alike", c[0], one, panel)
		}
	}
	two := summarised(t, Options{Bootstrap: 2000}, slices.Concat(set("s"), set("t"))...)
	ratio := width(two.Cells[0], "acc", "") / width(two.Models[0], "acc", "")
	if ratio < 1.25 || ratio > 1.6 {
		t.Errorf("an interval of one set is %.2f times that of the mean of two, want about 1.41", ratio)
	}
}
