package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"pgregory.net/rapid"
)

func paperOperators(t testing.TB) battery.Battery {
	t.Helper()
	b, err := battery.Parse("paper")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// abstract is a question with passages, of which the severity and the age stand in the passages alone.
func abstract() percuss.Question {
	return percuss.Question{ID: "p:1", Set: "pubmedqa", Gold: "A", Stem: "Does rest help in chronic pain? Or not?",
		Context: []string{"We enrolled adults. One was a 30-year-old man.", "Pain was severe in all.\n\nWe asked them weekly.", "Rest was given."},
		Options: []percuss.Option{{Label: "A", Text: "yes"}, {Label: "B", Text: "no"}, {Label: "C", Text: "maybe"}}}
}

// TestStemModes: which parts of a question an operator reaches.
func TestStemModes(t *testing.T) {
	b := paperOperators(t)
	for _, c := range []struct {
		op      string
		mode    StemMode
		fires   bool
		changed []int // passages, by number; 3 is the question
	}{
		{"M2-age-a", StemQuestion, false, nil},
		{"M2-age-a", StemContexts, true, []int{0}},
		{"M2-sex", StemContexts, true, []int{0}},
		{"M5-a", StemQuestion, true, []int{3}},
		{"M5-a", StemContexts, true, []int{1}}, // "severe" stands before "chronic" in the table
		{"M3-a", StemQuestion, true, []int{3}},
		{"M3-a", StemContexts, true, []int{0}},
		{"M4-a", StemContexts, false, nil},
	} {
		op, ok := b.Operator(c.op)
		if !ok {
			t.Fatalf("no %s", c.op)
		}
		q := abstract()
		e, got := c.mode.edit(op, q, 1)
		if d := cmp.Diff(abstract(), q); d != "" {
			t.Fatalf("%s changes the question that it was given: %s", c.op, d)
		}
		if e.Fired != c.fires || len(got.Context) != 3 {
			t.Errorf("%s, %s: fired %v (%s), %d passages", c.op, c.mode, e.Fired, e.Why, len(got.Context))
			continue
		}
		var changed []int
		for i, part := range append(slices.Clone(got.Context), got.Stem) {
			if part != append(slices.Clone(q.Context), q.Stem)[i] {
				changed = append(changed, i)
			}
		}
		if !slices.Equal(changed, c.changed) {
			t.Errorf("%s, %s: parts %v changed, want %v: %q", c.op, c.mode, changed, c.changed, append(got.Context, got.Stem))
		}
	}
}

func TestParted(t *testing.T) {
	for name, c := range map[string]struct{ parts, want, edited string }{
		"nothing changed":        {"a|b|c", "a|b|c", "a\n\nb\n\nc"},
		"a passage dropped":      {"one|two|three", "one|three", "one\n\nthree"},
		"the first dropped":      {"one|two|three", "two|three", "two\n\nthree"},
		"one of two alike":       {"one|one|three", "one|three", "one\n\nthree"},
		"one that begins alike":  {"tea|ten|team", "tea|team", "tea\n\nteam"},
		"both sides changed":     {"one|two|three", "uno|two|tre", "uno\n\ntwo\n\ntre"},
		"a blank line in a part": {"o\n\ne|two|three", "o\n\ne|2|three", "o\n\ne\n\n2\n\nthree"},
		"a border lost":          {"one|two|three", "", "uno\n\ntwo or tre"},
		"no passage":             {"one", "uno", "uno"},
	} {
		parts := strings.Split(c.parts, "|")
		var want []string
		if c.want != "" {
			want = strings.Split(c.want, "|")
		}
		if d := cmp.Diff(want, parted(parts, strings.Join(parts, passageGap), c.edited)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Whatever the passages, the edited ones joined are what the operator made of the text, and without passages the two
// modes are one.
func TestStemEdits(t *testing.T) {
	b := paperOperators(t)
	sentences := []string{"A 30-year-old man presents with pain.", "He reports severe cough.", "It began 2 weeks ago.", "Is it chronic?", "Yes.", "No", "a"}
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(sentences), 1, 4).Draw(t, label), rapid.SampledFrom([]string{" ", "\n", "\n\n"}).Draw(t, "gap"))
		}
		q := percuss.Question{ID: "x", Stem: text("stem")}
		for range rapid.IntRange(0, 4).Draw(t, "passages") {
			q.Context = append(q.Context, text("passage"))
		}
		op := rapid.SampledFrom(b.Operators).Filter(func(o battery.Operator) bool { return o.Block == battery.M }).Draw(t, "operator")
		whole := strings.Join(append(slices.Clone(q.Context), q.Stem), passageGap)
		e, got := StemContexts.edit(op, q, 1)
		plain := op.Apply(whole, 1, q.ID)
		if e.Fired != plain.Fired {
			t.Fatalf("%s fires on %q (%v: %q), but not on its parts: %s", op.ID, whole, plain.Fired, plain.Text, e.Why)
		}
		if joined := strings.Join(append(slices.Clone(got.Context), got.Stem), passageGap); e.Fired && joined != plain.Text {
			t.Fatalf("%s: %q, want %q", op.ID, joined, plain.Text)
		}
		if e.Fired && len(got.Context) < len(q.Context)-1 {
			t.Fatalf("%s dropped two passages: %q", op.ID, got.Context)
		}
		if len(q.Context) == 0 {
			if f, same := StemQuestion.edit(op, q, 1); f.Text != e.Text || same.Stem != got.Stem {
				t.Fatalf("%s: the modes differ without passages", op.ID)
			}
		}
	})
}

// TestStemInFindings: what was edited stands with every figure of the M-operators and with no other.
func TestStemInFindings(t *testing.T) {
	for given, want := range map[StemMode]StemMode{"": StemQuestion, StemQuestion: StemQuestion, StemContexts: StemContexts} {
		f := summarised(t, Options{Stem: given}, worked("pubmedqa", paperBattery())...)
		g := f.Cells[0]
		for id, scope := range map[string]string{"fcs": "M", "afr_d": "all", "cdr": "", "chs": "", "dfg": "", "mfc": "", "cdr_mean": ""} {
			if m, ok := g.Metric(id, scope); !ok || m.Stem != want {
				t.Errorf("%s %s: stem %q, want %q", id, scope, m.Stem, want)
			}
		}
		for id, scope := range map[string]string{"acc": "", "fcs": "F", "ecr": "", "facc": ""} {
			if m, ok := g.Metric(id, scope); !ok || m.Stem != "" {
				t.Errorf("%s %s has stem %q", id, scope, m.Stem)
			}
		}
		if a, b := row(t, g.Operators, "M4-a"), row(t, g.Families, "F3"); a.Stem != want || b.Stem != "" || g.Joint[0].Stem != want {
			t.Errorf("rows: %q, %q, joint %q", a.Stem, b.Stem, g.Joint[0].Stem)
		}
		i := slices.IndexFunc(f.Decisions, func(d percuss.Decision) bool { return d.ID == "stem" })
		if i < 0 || !strings.HasPrefix(f.Decisions[i].Text, "stem: "+string(want)+".") {
			t.Errorf("decisions %v", f.Decisions)
		}
	}
	chainOnly := paperBattery()
	chainOnly.Operators = slices.DeleteFunc(chainOnly.Operators, func(o battery.Operator) bool { return o.Block == battery.M })
	g := summarised(t, Options{Battery: chainOnly}, worked("s", chainOnly)...).Cells[0]
	if m, _ := g.Metric("fcs", "all"); m.Stem != "" {
		t.Errorf("no edit of the question, but stem %q", m.Stem)
	}
}

// TestPublishedRates: where the paper prints a rate, and for which sets.
func TestPublishedRates(t *testing.T) {
	all := benchmarks[:]
	for _, c := range []struct {
		family string
		sets   []string
		lo, hi float64 // 0: none
	}{
		{"M2", []string{"medqa"}, 0.86, 0.87}, {"M2", []string{"pubmedqa", "pubmedqa"}, 0.03, 0.30}, {"M2", all, 0, 0},
		{"M4", []string{"medqa"}, 0.10, 0.10}, {"M5", all, 0.14, 0.14}, {"M6", all, 0.0125, 0.0125},
		{"F4", all, 0.99, 1}, {"M3", []string{"medmcqa"}, 0.99, 1}, {"F1", all, 0, 0}, {"M4", []string{"custom"}, 0, 0},
		{"M4", []string{"medqa", "demo"}, 0, 0}, {"M2", []string{"demo"}, 0, 0}, {"M4", nil, 0, 0},
	} {
		p := publishedRate(c.family, c.sets)
		if (p != nil) != (c.lo > 0) {
			t.Errorf("%s on %v: %+v", c.family, c.sets, p)
		} else if p != nil && (p.Lo != percuss.Num(c.lo) || p.Hi != percuss.Num(c.hi) || p.Of == "") {
			t.Errorf("%s on %v: %+v, want %g to %g", c.family, c.sets, p, c.lo, c.hi)
		}
	}
	for set, want := range map[string]bool{"medqa": true, "s": false} {
		f := summarised(t, Options{}, worked(set, paperBattery())...)
		for _, g := range []Group{f.Cells[0], f.Models[0]} {
			if r := row(t, g.Operators, "M2-age-a"); (r.Published != nil) != want {
				t.Errorf("%s: %+v", set, r.Published)
			}
		}
		if decided(f, "published-firing") != want {
			t.Errorf("%s: decision on published rates, want %v", set, want)
		}
	}
}

// TestStemTrials: with passages, an edit changes them where they stand in the prompt, and no other request.
func TestStemTrials(t *testing.T) {
	s := subject()
	s.Question = abstract()
	requests := map[StemMode]map[string]percuss.Request{}
	for _, mode := range []StemMode{"", StemQuestion, StemContexts} {
		a := New(Options{Seed: 1, Battery: paperOperators(t), Prompts: audit(t, Text, able).o.Prompts, Answer: Text, MaxTokens: 64,
			Stem: mode, Can: map[string]percuss.Capabilities{"m": able}})
		trials, _ := settle(t, a, s, stubborn)
		requests[mode] = map[string]percuss.Request{}
		for _, tr := range trials {
			if tr.Request != nil {
				requests[mode][tr.ID] = *tr.Request
			}
		}
	}
	if d := cmp.Diff(requests[""], requests[StemQuestion]); d != "" {
		t.Errorf("the default is not the question alone: %s", d)
	}
	for id, r := range requests[StemQuestion] {
		if wide := requests[StemContexts][id]; id[0] != 'M' && wide.Key() != r.Key() {
			t.Errorf("%s depends on what the M-operators edit", id)
		}
	}
	if _, ok := requests[StemQuestion]["M2-sex"]; ok {
		t.Error("M2-sex fires on a question without a word of sex")
	}
	edited := requests[StemContexts]["M2-sex"].Messages
	if len(edited) == 0 {
		t.Fatal("M2-sex does not fire on the passages")
	}
	base := requests[StemContexts][BaseTrial].Messages[1].Content
	if got := edited[1].Content; got != strings.Replace(base, "30-year-old man.", "30-year-old woman.", 1) || got == base {
		t.Errorf("prompt after M2-sex:\n%s", got)
	}
}
