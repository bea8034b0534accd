package chain

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLabelCheck(t *testing.T) {
	good := Label{Rater: "A", Model: "m", Item: "i", Operator: "M5-a", Task: TaskUpdate, Says: "updated"}
	edit := Label{Rater: "A", Item: "i", Operator: "M5-a", Task: TaskGold, Says: "no_shift"}
	with := func(l Label, change func(*Label)) Label { change(&l); return l }
	for _, c := range []struct {
		name string
		l    Label
		want string
	}{
		{"a trial's", good, ""},
		{"an edit's", edit, ""},
		{"no task", with(good, func(l *Label) { l.Task = "" }), "write one of update, gold_shift, semantic_validity, hazard"},
		{"another task's word", with(good, func(l *Label) { l.Says = "shifted" }), "write one of updated, not_updated, ambiguous"},
		{"missing is no label", with(good, func(l *Label) { l.Says = "missing" }), "write one of"},
		{"no model", with(good, func(l *Label) { l.Model = "" }), "no model"},
		{"a model of an edit", with(edit, func(l *Label) { l.Model = "m" }), "leave both empty"},
		{"a variant of an edit", with(edit, func(l *Label) { l.Variant = "strict" }), "leave both empty"},
		{"no rater", with(edit, func(l *Label) { l.Rater = "" }), "no rater"},
		{"no operator", with(good, func(l *Label) { l.Operator = "" }), "no operator"},
	} {
		if err := c.l.Check(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// seen is a record with one fired trial.
func seenRecord(variant, model, item, operator string) Record {
	r := record("s", item, "A", "A", "", paperBattery(), edit{id: operator, answer: "A"})
	r.Subject.Variant, r.Subject.Model = variant, model
	return r
}

func TestLabelsFindTheirTrials(t *testing.T) {
	label := func(rater, variant, model, says string) Label {
		return Label{Rater: rater, Variant: variant, Model: model, Item: "i", Operator: "M5-a", Task: TaskUpdate, Says: says}
	}
	labels := []Label{
		label("A", "", "one", "updated"), label("B", "neutral", "one", "ambiguous"), // the same trial
		label("A", "neutral", "one", "updated"),                                    // once more, the same word
		label("B", "", "one", "updated"),                                           // once more, another word
		label("A", "", "two", "updated"),                                           // asked twice: which?
		label("A", "strict", "two", "not_updated"),                                 // this one
		label("A", "kind", "two", "updated"),                                       // never asked
		label("A", "", "three", "updated"),                                         // no such model
		label("A", "", "", "updated"),                                              // not checked
		{Rater: "A", Item: "i", Operator: "M5-a", Task: TaskGold, Says: "shifted"}, // another task
	}
	s := sight[string](labels, TaskUpdate)
	for _, r := range []Record{seenRecord("neutral", "one", "i", "M5-a"), seenRecord("neutral", "two", "i", "M5-a"), seenRecord("strict", "two", "i", "M5-a")} {
		s.see(r, "M5-a", func() string { return r.Subject.Variant })
	}
	got, strays := s.match()
	var lines []string
	for _, one := range got {
		lines = append(lines, fmt.Sprint(one.name, " ", one.what, " ", one.by))
	}
	want := "M5-a of i by one neutral neutral map[A:updated B:ambiguous]\nM5-a of i by two strict strict map[A:not_updated]"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("found:\n%s\nwant:\n%s", got, want)
	}
	for i, want := range []string{"two labels", "give the variant", "not under kind", "not in this run", "no model"} {
		if i >= len(strays) || !strings.Contains(strays[i], want) {
			t.Errorf("stray %d: %q, want %q", i, strays, want)
		}
	}
	if len(strays) != 5 {
		t.Errorf("%d strays", len(strays))
	}
	note := strayNotes(TaskUpdate, append(strays, "one more"))
	if len(note) != 1 || !strings.Contains(note[0], "are in no figure: 6. The first: ") || strings.Contains(note[0], "one more") {
		t.Errorf("note %q", note)
	}
	if strayNotes(TaskUpdate, nil) != nil {
		t.Error("a note without strays")
	}
}

// Every label is either found or named as a stray, whatever there is.
func TestNoLabelIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := func(name string, words ...string) string { return rapid.SampledFrom(words).Draw(t, name) }
		var labels []Label
		distinct := map[Label]bool{}
		for range rapid.IntRange(0, 12).Draw(t, "labels") {
			l := Label{Rater: word("rater", "A", "B", ""), Model: word("model", "m", "n", ""), Variant: word("variant", "", "neutral", "strict"),
				Item: word("item", "i", "j"), Operator: "M5-a", Task: word("task", TaskUpdate, TaskGold), Says: word("says", "updated", "ambiguous", "shifted")}
			if of := (Label{Rater: l.Rater, Model: l.Model, Variant: l.Variant, Item: l.Item, Task: l.Task}); !distinct[of] {
				distinct[of] = true
				labels = append(labels, l)
			}
		}
		for _, task := range []string{TaskUpdate, TaskGold} {
			s := sight[int](labels, task)
			for range rapid.IntRange(0, 6).Draw(t, "records") {
				s.see(seenRecord(word("v", "neutral", "strict"), word("m", "m", "n"), word("i", "i", "j"), "M5-a"), "M5-a", func() int { return 1 })
			}
			found, strays := s.match()
			said := map[Label]bool{}
			for _, one := range found {
				if one.what != 1 {
					t.Fatalf("%v was not seen", one.name)
				}
				for rater := range one.by {
					said[Label{Rater: rater, Model: one.name.model, Variant: one.name.variant, Item: one.name.item}] = true
				}
			}
			asked := 0
			for _, l := range labels {
				asked += int(bit(l.Task == task))
			}
			if len(said)+len(strays) > asked || asked > 0 && len(said)+len(strays) == 0 {
				t.Fatalf("%d labels, %d found, strays %q", asked, len(said), strays)
			}
			if len(said)+len(strays) < asked { // a rater may say the same of a trial with and without its variant
				for _, l := range labels {
					if l.Task == task && l.Variant != "" {
						return
					}
				}
				t.Fatalf("%d labels, %d found, strays %q", asked, len(said), strays)
			}
		}
	})
}

func TestMajority(t *testing.T) {
	for want, by := range map[string]map[string]string{
		"updated": {"A": "updated", "B": "updated", "C": "ambiguous"},
		"":        {"A": "updated", "B": "not_updated"},
		"valid":   {"A": "valid"},
	} {
		if got := majority(by); got != want {
			t.Errorf("%v: %q", by, got)
		}
	}
	if got := majority(nil); got != "" {
		t.Errorf("nobody: %q", got)
	}
}
