package review

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/review/blind"
)

// chains is a run of a chain audit: two models of each of three tiers, one tier of which has a single one, on sets of questions. Every
// operator fires on every question; answers of M3 to M5 move for some models.
func chains(questions int) Chains {
	c := Chains{Run: "run-r", Tiers: map[string]string{}}
	for _, op := range []struct {
		id     string
		block  battery.Block
		intent battery.Intent
	}{{"F1-50", battery.F, battery.Destructive}, {"M2-age-a", battery.M, battery.Destructive}, {"M3-a", battery.M, battery.Preserving},
		{"M4-a", battery.M, battery.Destructive}, {"M5-a", battery.M, battery.Destructive}, {"M6-a", battery.M, battery.Preserving}} {
		family, _, _ := strings.Cut(op.id, "-")
		c.Battery.Operators = append(c.Battery.Operators, battery.Operator{ID: op.id, Family: family, Block: op.block, Intent: op.intent, Locus: battery.Structural, Does: "changes " + family + " here."})
	}
	for model, tier := range map[string]string{"model-a": "tier-x", "model-b": "tier-x", "model-c": "tier-y", "model-d": "tier-z", "model-e": "tier-z"} {
		c.Tiers[model] = tier
	}
	var all []Audited
	for _, model := range []string{"model-a", "model-b", "model-c", "model-d", "model-e"} {
		for _, set := range []string{"set-one", "set-two", withPassages} {
			for n := range questions {
				all = append(all, c.audited(model, set, n))
			}
		}
	}
	c.Subjects = func(wanted func(percuss.SubjectID) bool) iter.Seq[Audited] {
		return func(yield func(Audited) bool) {
			for _, a := range all {
				if (wanted == nil || wanted(a.Record.Subject)) && !yield(a) {
					return
				}
			}
		}
	}
	return c
}

// audited is one subject. The chain of every second question registers the edits.
func (c Chains) audited(model, set string, n int) Audited {
	id := percuss.SubjectID{Variant: "variant-v", Model: model, Set: set, Item: fmt.Sprintf("%s-%02d", set, n)}
	q := percuss.Question{ID: id.Item, Set: set, Stem: fmt.Sprintf("Patient %d of a question. What now?", n), Gold: "A",
		Options: []percuss.Option{{Label: "A", Text: "one"}, {Label: "B", Text: "two"}}}
	ask := func(stem, begin string) percuss.Request {
		return percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: "Read this.\n" + stem + "\nA. one\nB. two"}}, Begin: begin}
	}
	answers := percuss.AnswerMap{}
	a := Audited{Subject: percuss.Subject{SubjectID: id, Question: q}, Answers: answers}
	add := func(trial string, r percuss.Request, text string) {
		t := percuss.Trial{ID: trial, Fired: true}
		t.Ask(r)
		answers[t.Key()] = percuss.Answer{Outcome: percuss.OK, Text: text}
		a.Trials = append(a.Trials, t)
	}
	add(chain.BaseTrial, ask(q.Stem, ""), "The old chain. Answer: A")
	a.Record = chain.Record{Subject: id, Gold: "A", Base: chain.Reading{State: chain.Read, Answer: "A"}}
	for _, op := range c.Battery.Operators {
		t := chain.OperatorTrial{ID: op.ID, Edit: battery.Edit{Fired: true}, Reading: chain.Reading{State: chain.Read, Answer: "A", Words: 5}, Flip: chain.Kept,
			Rule: op.Family == "M2" || op.Family == "M4" || op.Family == "M5", Token: n%2 == 0}
		if op.Block == battery.F {
			add(op.ID, ask(q.Stem, "The old"), " rest. Answer: A")
		} else {
			add(op.ID, ask(strings.Replace(q.Stem, "Patient", op.Family+" patient", 1), ""), "The new chain of "+op.Family+". Answer: A")
		}
		if op.Family != "M2" && (model != "model-c" || n%3 == 0) && n%2 == 0 {
			t.Flip, t.Reading.Answer = chain.Flipped, "B"
		}
		a.Record.Operators = append(a.Record.Operators, t)
	}
	return a
}

// Families give what they are asked for, from both sets and from different questions; PubMedQA and other families give nothing.
func TestDrawEdits(t *testing.T) {
	s, err := DrawEdits(chains(20), Options{Seed: 3, Quotas: []Quota{{"M2", 10}, {"M3", 12}, {"M4", 50}, {"M5", 11}, {flips, 15}}})
	if err != nil {
		t.Fatal(err)
	}
	got := strata(s)
	for bucket, n := range map[string]int{"M2": 10, "M3": 12, "M4": 40, "M5": 11, flips: 15} {
		if got[bucket].Drawn != n {
			t.Errorf("%s %+v, want %d", bucket, got[bucket], n)
		}
	}
	if x := got["M4"]; x.There != 40 || x.Wanted != 50 {
		t.Errorf("what M4 lacks is not told: %+v", x)
	}
	tiers, models, sets, shown := map[string]int{}, map[string]int{}, map[string]int{}, 0
	for i, k := range s.Keys {
		item := s.Items[i]
		if k.Set == withPassages || k.Family == "M6" || k.Registered != nil {
			t.Errorf("%+v was drawn", k)
		}
		if change := item.Parts[0]; !strings.HasPrefix(change.Before, "Patient") || !strings.HasPrefix(change.After, k.Family+" patient") || !strings.HasSuffix(change.After, "What now?") {
			t.Errorf("%s shows %q and %q", k.Operator, change.Before, change.After)
		}
		if k.Family == "M2" {
			sets[k.Set]++
		}
		if asks := slices.Contains(item.Asks, blind.AskHazard); asks != (k.Model != "") || asks && k.Family == "M2" {
			t.Errorf("%+v asks for hazard: %v", k, asks)
		}
		if k.Model != "" {
			shown++
			tiers[k.Tier]++
			models[k.Model]++
		}
	}
	// Model c has flips on a third of the questions only, and is the one of its tier.
	if shown != 15 || tiers["tier-x"] < 5 || tiers["tier-z"] < 5 || tiers["tier-y"] < 2 {
		t.Errorf("%d flips by tier %v", shown, tiers)
	}
	if abs := models["model-a"] - models["model-b"]; abs > 1 || abs < -1 {
		t.Errorf("models of a tier %v", models)
	}
	if sets["set-one"] != 5 || sets["set-two"] != 5 {
		t.Errorf("sets of M2 %v", sets)
	}
}

// Six buckets of family and rule; each shows both chains, without their answers.
func TestDrawUpdates(t *testing.T) {
	s, err := DrawUpdates(chains(6), Options{Seed: 3, Quotas: []Quota{{"M2" + registered, 7}, {"M2" + silent, 15}, {"M5" + silent, 1000}}})
	if err != nil {
		t.Fatal(err)
	}
	got := strata(s)
	if got["M2"+registered].Drawn != 7 || got["M2"+silent].Drawn != 15 || got["M5"+silent].Drawn != 45 || len(s.Items) != 67 {
		t.Errorf("%+v, %d items", got, len(s.Items))
	}
	models := map[string]int{}
	for i, k := range s.Keys {
		if k.Registered == nil || strings.HasSuffix(k.Bucket, registered) != *k.Registered {
			t.Errorf("%+v", k)
		}
		if p := s.Items[i].Parts; p[1].Before != "The old chain." || p[1].After != "The new chain of "+k.Family+"." {
			t.Errorf("chains %q and %q", p[1].Before, p[1].After)
		}
		if k.Bucket == "M2"+silent {
			models[k.Model]++
		}
	}
	for _, model := range []string{"model-a", "model-b", "model-c", "model-d", "model-e"} {
		if models[model] != 3 { // one of each of its three sets
			t.Errorf("one bucket is of the models %v", models)
		}
	}
}

// A trial whose chain has no word is none that could be judged: it is left out, and told.
func TestDrawUpdatesWithoutChains(t *testing.T) {
	c := chains(6)
	all := c.Subjects
	c.Subjects = func(wanted func(percuss.SubjectID) bool) iter.Seq[Audited] {
		return func(yield func(Audited) bool) {
			for a := range all(wanted) {
				a.Record.Operators = slices.Clone(a.Record.Operators)
				for i := range a.Record.Operators {
					if t := &a.Record.Operators[i]; t.ID == "M5-a" && a.Record.Subject.Model == "model-a" {
						t.Reading.Words = 0
					}
				}
				if !yield(a) {
					return
				}
			}
		}
	}
	s, err := DrawUpdates(c, Options{Seed: 3, Quotas: []Quota{{"M5" + silent, 1000}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strata(s)["M5"+silent]; got.There != 36 || !strings.Contains(s.Lacks, ": 18 trials whose chain") {
		t.Errorf("%+v, told %q", got, s.Lacks)
	}
	for _, k := range s.Keys {
		if k.Model == "model-a" {
			t.Errorf("%+v has no chain", k)
		}
	}
}

// An item for each operator, with what it does and two examples of different questions; what did not fire is told.
func TestDrawOperators(t *testing.T) {
	c := chains(4)
	c.Battery.Operators = append(c.Battery.Operators, battery.Operator{ID: "M1-never", Block: battery.M})
	s, err := DrawOperators(c, Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Items) != 6 || !strings.Contains(s.Lacks, "M1-never") {
		t.Errorf("%d items, lacks %q", len(s.Items), s.Lacks)
	}
	for i, k := range s.Keys {
		p := s.Items[i].Parts
		if len(p) != 3 || p[0].Text != "Changes "+k.Family+" here." || p[1].Before == p[1].After {
			t.Errorf("%s: %+v", k.Operator, p)
		}
		if k.Family == "F1" && (p[1].Before != "The old chain." || p[1].After != "The old") {
			t.Errorf("F1 shows %q and %q", p[1].Before, p[1].After)
		}
		if k.Intent == "" || k.Locus == "" {
			t.Errorf("the key lacks tags: %+v", k)
		}
	}
}

// The same seed draws the same to the byte, another one something else; a larger sample of edits holds the smaller one.
func TestChainsAreSeeded(t *testing.T) {
	for name, draw := range map[string]func(o Options) (Sample, error){
		"edits":   func(o Options) (Sample, error) { return DrawEdits(chains(10), o) },
		"updates": func(o Options) (Sample, error) { return DrawUpdates(chains(10), o) },
	} {
		var drawn []Sample
		for _, o := range []Options{{Seed: 1}, {Seed: 1}, {Seed: 2}} {
			if o.Quotas = []Quota{{"M2", 5}, {"M4", 5}, {flips, 3}}; name == "updates" {
				o.Quotas = []Quota{{"M2" + registered, 5}}
			}
			s, err := draw(o)
			if err != nil {
				t.Fatal(err)
			}
			drawn = append(drawn, s)
		}
		one, _ := drawn[0].key()
		two, _ := drawn[1].key()
		three, _ := drawn[2].key()
		if string(one) != string(two) || string(one) == string(three) {
			t.Errorf("%s: seeds", name)
		}
	}
}

// A run of which nothing fired has nothing to review, and says so.
func TestNothingToDraw(t *testing.T) {
	c := chains(0)
	for name, draw := range map[string]func() (Sample, error){
		"edits":     func() (Sample, error) { return DrawEdits(c, Options{}) },
		"updates":   func() (Sample, error) { return DrawUpdates(c, Options{}) },
		"operators": func() (Sample, error) { return DrawOperators(c, Options{}) },
	} {
		if _, err := draw(); err == nil || !strings.Contains(err.Error(), "nothing to review") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What was edited is found between the words around it, in passages too; what is no edit of the question is an error.
func TestQuestionText(t *testing.T) {
	q := percuss.Question{ID: "q", Stem: "The stem?", Context: []string{"Passage one.", "Passage two."}}
	trial := func(id, text string) percuss.Trial {
		r := percuss.Request{Messages: []percuss.Message{{Role: percuss.System, Content: "s"}, {Role: percuss.User, Content: text}}}
		return percuss.Trial{ID: id, Request: &r}
	}
	for name, c := range map[string]struct{ after, before, want string }{
		"stem":     {"Read.\nPassage one.\n\nPassage two.\n\nA stem?\nA. x", "The stem?", "A stem?"},
		"dropped":  {"Read.\nPassage one.\n\nPassage two.\n\n\nA. x", "The stem?", ""},
		"passage":  {"Read.\nPassage 1.\n\nPassage two.\n\nThe stem?\nA. x", "Passage one.\n\nPassage two.\n\nThe stem?", "Passage 1.\n\nPassage two.\n\nThe stem?"},
		"options":  {"Read.\nPassage one.\n\nPassage two.\n\nThe stem?\nA. y", "", ""},
		"no trial": {"", "", ""},
	} {
		a := Audited{Subject: percuss.Subject{Question: q}, Trials: []percuss.Trial{trial(chain.BaseTrial, "Read.\nPassage one.\n\nPassage two.\n\nThe stem?\nA. x")}}
		if c.after != "" {
			a.Trials = append(a.Trials, trial("M2-a", c.after))
		}
		got, err := a.question("M2-a")
		if (err == nil) != (c.before != "") || got != (blind.Change{Before: c.before, After: c.want}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
