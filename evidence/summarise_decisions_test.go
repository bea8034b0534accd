package evidence

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

func TestDecisionsAreThoseThatApplied(t *testing.T) {
	narrative := scoredCase("1", 2, inter(1, 1, "n1"))
	narrative.Narrative = true
	sampled := scoredCase("1", 2, inter(1, 1, "6"))
	sampled.Sampled, sampled.Base.Censored = 20, 1
	always := []string{"candidate-order", "null", "order-3", "bootstrap"}
	structured := slices.Concat(always, []string{"specific", "labels", "overuse"})
	for name, c := range map[string]struct {
		o    Options
		r    Record
		want []string
		says string
	}{
		"structured": {Options{}, scoredCase("1", 2, inter(1, 1, "6")), structured, "at most 25 % of the other candidates"},
		"narrative":  {Options{Narrative: Random}, narrative, slices.Concat(always, []string{"sentences", "narrative-labels"}), "6 of its sentences, chosen at random"},
		"file order": {Options{FileOrder: true, Debias: Cyclic}, scoredCase("1", 2), slices.Concat(structured, []string{"debias"}), "that of the file"},
		"sampled":    {Options{}, sampled, slices.Concat(structured, []string{"sampled", "censored"}), "20 letters drawn"},
		"everything": {Options{}, synthetic(0, 2), slices.Concat(structured, []string{"stability", "selectors", "cascade", "discovery", "noise-share", "outcomes"}), "Benjamini and Hochberg"},
	} {
		f := summed(t, c.o, c.r)
		var ids, texts []string
		for _, d := range f.Decisions {
			ids, texts = append(ids, d.ID), append(texts, d.Text)
		}
		slices.Sort(ids)
		slices.Sort(c.want)
		if !slices.Equal(ids, c.want) {
			t.Errorf("%s: %v, want %v", name, ids, c.want)
		}
		all := strings.Join(texts, "\n")
		if !strings.Contains(all, c.says) || strings.Contains(all, "%!") {
			t.Errorf("%s: %q is not in\n%s", name, c.says, all)
		}
	}
}

// Models, sets and prompts are cells of their own, in the order of the records, and a record of another type is none.
func TestCellsAreModelsOnSets(t *testing.T) {
	of := func(variant, model, set string) Record {
		r := scoredCase("1", 1, inter(1, 1, "6"))
		r.Subject = percuss.SubjectID{Variant: variant, Model: model, Set: set, Item: "1"}
		return r
	}
	records := []Record{of("", "n", "s"), of("", "m", "s"), of("", "n", "r"), of("other", "n", "s"), of("", "n", "s")}
	f := New(Options{Bootstrap: 10}).Summarise(func(yield func(percuss.Record) bool) {
		if !yield(foreignRecord{}) {
			return
		}
		sequenceOf(records...)(yield)
	}).(Findings)
	var got []string
	for _, c := range f.Cells {
		got = append(got, c.Variant+"/"+c.Model+"/"+c.Set)
		if c.Cases != 1 {
			t.Errorf("%d cases", c.Cases)
		}
	}
	if want := []string{"/n/s", "/m/s", "/n/r", "other/n/s"}; !slices.Equal(got, want) {
		t.Errorf("cells %v, want %v", got, want)
	}
	// A model enters the ranks once, and a set with one model has none.
	if f.Ranks == nil || len(f.Ranks.Rows) != 1 || len(f.Ranks.Rows[0].Models) != 2 {
		t.Errorf("ranks %+v", f.Ranks)
	}
	if f.Salient != Salient || f.Level != 0.95 || f.Bootstrap != 10 || len(f.Labels.Rules) == 0 {
		t.Errorf("findings %+v", f)
	}
}

type foreignRecord struct{}

func (foreignRecord) Of() percuss.SubjectID { return percuss.SubjectID{} }
