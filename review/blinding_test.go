package review

import (
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/review/blind"
)

// Who knows questions, models and seed, but not what came of the run, cannot tell an id: where one answer differs, so do all ids.
func TestIdsNeedTheRun(t *testing.T) {
	other := chains(6)
	whole := other.Subjects
	other.Subjects = func(wanted func(percuss.SubjectID) bool) iter.Seq[Audited] {
		return func(yield func(Audited) bool) {
			for a := range whole(wanted) {
				if a.Record.Subject.Model == "model-e" && a.Record.Subject.Item == "set-two-05" {
					a.Record.Operators = slices.Clone(a.Record.Operators)
					for i := range a.Record.Operators {
						a.Record.Operators[i].Flip, a.Record.Operators[i].Reading.Answer, a.Record.Operators[i].Token = chain.Flipped, "B", true
					}
				}
				if !yield(a) {
					return
				}
			}
		}
	}
	cases, others := world(1, 6, 1), world(1, 6, 1)
	others[2].record.Base.Interactions = slices.Clone(others[2].record.Base.Interactions)
	others[2].record.Base.Interactions[0].Value += 0.125
	interactions := func(items []item) (Sample, error) {
		return DrawInteractions(each(items), Options{Design: Buckets, Seed: 1, Labels: labels()})
	}
	for name, draw := range map[string][2]func() (Sample, error){
		"edits": {func() (Sample, error) { return DrawEdits(chains(6), Options{Seed: 1}) },
			func() (Sample, error) { return DrawEdits(other, Options{Seed: 1}) }},
		"updates": {func() (Sample, error) { return DrawUpdates(chains(6), Options{Seed: 1}) },
			func() (Sample, error) { return DrawUpdates(other, Options{Seed: 1}) }},
		"operators": {func() (Sample, error) { return DrawOperators(chains(6), Options{Seed: 1}) },
			func() (Sample, error) { return DrawOperators(other, Options{Seed: 1}) }},
		"interactions": {func() (Sample, error) { return interactions(cases) }, func() (Sample, error) { return interactions(others) }},
	} {
		one, err := draw[0]()
		if err != nil {
			t.Fatal(name, err)
		}
		two, err := draw[1]()
		if err != nil {
			t.Fatal(name, err)
		}
		if len(one.Keys) < 6 || slices.ContainsFunc(ids(two), func(id string) bool { return slices.Contains(ids(one), id) }) {
			t.Errorf("%s: of %d items some have the ids that they have in another run", name, len(one.Keys))
		}
	}
}

// Two operators that make one edit of a question give it once, under either's name; where they make two, both may be drawn.
func TestAnEditIsDrawnOnce(t *testing.T) {
	c := chains(12)
	second := battery.Operator{ID: "M4-b", Family: "M4", Block: battery.M}
	c.Battery.Operators = append(c.Battery.Operators, second)
	whole := c.Subjects
	c.Subjects = func(wanted func(percuss.SubjectID) bool) iter.Seq[Audited] {
		return func(yield func(Audited) bool) {
			for a := range whole(wanted) {
				at := slices.IndexFunc(a.Record.Operators, func(t chain.OperatorTrial) bool { return t.ID == "M4-a" })
				trial := a.trial("M4-a")
				trial.ID = second.ID
				a.Trials = append(slices.Clone(a.Trials), trial)
				a.Record.Operators = slices.Clone(a.Record.Operators)
				a.Record.Operators[at].Edit.Old, a.Record.Operators[at].Edit.New = "has", "has no"
				again := a.Record.Operators[at]
				if again.ID = second.ID; strings.HasPrefix(a.Record.Subject.Item, "set-two") {
					again.Edit.New = "denies"
				}
				a.Record.Operators = append(a.Record.Operators, again)
				if !yield(a) {
					return
				}
			}
		}
	}
	s, err := DrawEdits(c, Options{Seed: 3, Quotas: []Quota{{"M4", 1000}}})
	if err != nil {
		t.Fatal(err)
	}
	items, operators := map[string]int{}, map[string]int{}
	for _, k := range s.Keys {
		items[k.Item]++
		if k.Set == "set-one" {
			operators[k.Operator]++
		}
	}
	if x := strata(s)["M4"]; x.There != 36 || x.Drawn != 36 || items["set-one-03"] != 1 || items["set-two-03"] != 2 {
		t.Errorf("%+v, by question %v", x, items)
	}
	if operators["M4-a"] == 0 || operators["M4-b"] == 0 {
		t.Errorf("what both make is always one's: %v", operators)
	}
}

// Where a bucket gives fewer than there are cells, models and sets still give alike.
func TestTurnsAreBalanced(t *testing.T) {
	s, err := DrawUpdates(chains(12), Options{Seed: 5, Quotas: []Quota{{"M2" + registered, 5}, {"M5" + silent, 10}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, bucket := range []string{"M2" + registered, "M5" + silent} {
		models, sets := map[string]int{}, map[string]int{}
		for _, k := range s.Keys {
			if k.Bucket == bucket {
				models[k.Model]++
				sets[k.Set]++
			}
		}
		for model, n := range models {
			if n != models["model-a"] || len(models) != 5 {
				t.Errorf("%s: %s gives %d, of %v", bucket, model, n, models)
			}
		}
		for set, n := range sets {
			if want := strata(s)[bucket].Drawn / 3; n < want || n > want+1 || len(sets) != 3 {
				t.Errorf("%s: %s gives %d, of %v", bucket, set, n, sets)
			}
		}
	}
}

// The key says of how many the drawn ones are, and a package with such a key can be opened.
func TestKeyHoldsStrata(t *testing.T) {
	s, _, raw := composed(t, Options{Design: Buckets, Seed: 5})
	head, keys, err := parseKeys("key", raw)
	if err != nil || len(keys) < len(s.Keys) || len(head.Strata) != 5 || !reflect.DeepEqual(head.Strata, s.Strata) {
		t.Errorf("%+v, want %+v (%v)", head.Strata, s.Strata, err)
	}
}

// What flips lack is a matter of the edits that were drawn, not of the run.
func TestTitleOfFlips(t *testing.T) {
	if got, want := (Stratum{Drawn: 9, There: 30, Wanted: 9, Cases: 4, Most: 3}).Title(), "9 of 30, from 4 questions or cases, at most 3 from each"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (Stratum{Bucket: flips, Wanted: 5, There: 3, Drawn: 3}).Title(); !strings.HasSuffix(got, "5 were wanted, the drawn edits have no more") {
		t.Error(got)
	}
}

// An attention item has the parts, heads and kinds of rows of an item of its task, so that nothing but its content tells it.
func TestAttentionLooksLikeOthers(t *testing.T) {
	facts := world(1, 1, 1)[0].patient
	shown, err := blind.Interaction("x", *facts, facts.Gold, []string{"E_1", "E_2"}, 1.234)
	if err != nil {
		t.Fatal(err)
	}
	options := []percuss.Option{{Label: "A", Text: "a"}, {Label: "B", Text: "b"}, {Label: "C", Text: "c"}, {Label: "D", Text: "d"}}
	for task, real := range map[blind.Kind]blind.Item{
		blind.Interactions: shown,
		blind.Perturbation: blind.Edited("x", percuss.Question{Gold: "A", Options: options}, blind.Change{Before: "a", After: "b"}, nil),
		blind.Steps:        blind.Step("x", percuss.Question{Stem: "a", Options: options}, nil, "a"),
		blind.ChainUpdate:  blind.Reasoning("x", blind.Change{Before: "a", After: "b"}, blind.Change{Before: "a", After: "b"}),
	} {
		form, err := blind.FormOf(task)
		if err != nil || len(form.Attention) == 0 {
			t.Fatal(task, err)
		}
		for _, item := range form.Attention {
			if got, want := outline(item), outline(real); !reflect.DeepEqual(got, want) {
				t.Errorf("%s %s looks like\n%q, others like\n%q", task, item.ID, got, want)
			}
		}
	}
}

// outline is how an item is built: what it asks, its parts and heads, and the keys and notes of lists whose rows have them.
func outline(item blind.Item) []string {
	out := slices.Clone(item.Asks)
	for _, p := range item.Parts {
		out = append(out, string(p.Show)+" "+strings.TrimSuffix(p.Head, ", as a group"))
		for _, r := range p.Rows {
			if note, _, _ := strings.Cut(r.Note, " ×"); r.Key != "" {
				decimals := ""
				if _, after, ok := strings.Cut(strings.TrimSuffix(r.Text, " nats"), "."); ok && r.Key == "Strength" {
					decimals = string(rune('0' + len(after)))
				}
				out = append(out, r.Key+" "+note+decimals)
			}
		}
	}
	return out
}
