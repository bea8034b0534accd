package evidence

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

func TestBudgets(t *testing.T) {
	for _, c := range []struct{ order, units, want int }{{1, 8, 10}, {2, 8, 38}, {3, 8, 94}, {0, 8, 256}, {3, 6, 43}, {0, 6, 64}, {9, 3, 8}, {3, 0, 1}} {
		a := audit(func(o *Options) { o.MaxOrder, o.Units = c.order, c.units })
		of := ten()
		of.Units = of.Units[:c.units]
		if trials := a.Trials(subject(of), nil); len(trials) != c.want {
			t.Errorf("%d units, order %d: %d trials, want %d", c.units, c.order, len(trials), c.want)
		}
	}
}

// The published numbers of subsets, the full set apart.
func TestGoldenSubsets(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "shared", "spec", "golden.json"))
	if err != nil {
		t.Skip("no golden.json beside the repository")
	}
	var golden struct {
		Subsets struct{ N, All, Order1, Order2, Order3 int }
	}
	if err := json.Unmarshal(raw, &golden); err != nil {
		t.Fatal(err)
	}
	g := golden.Subsets
	for order, want := range map[int]int{0: g.All, 1: g.Order1 + 1, 2: g.Order2 + 1, 3: g.Order3 + 1} {
		a := audit(func(o *Options) { o.MaxOrder, o.Units = order, g.N })
		if trials := a.Trials(subject(ten()), nil); len(trials) != want {
			t.Errorf("order %d: %d requests, want %d", order, len(trials), want)
		}
	}
}

func TestTrialsOfACase(t *testing.T) {
	a, s := audit(nil), subject(ten())
	trials := a.Trials(s, nil)
	ids, keys := map[string]bool{}, map[percuss.Key]bool{}
	for i, trial := range trials {
		ids[trial.ID], keys[trial.Request.Key()] = true, true
		if got := trial.Request.Want.Letters; !slices.Equal(got, []string{"A", "B", "C", "D", "E", "F", "G", "H"}) || trial.Request.Begin != "" {
			t.Fatalf("%s asks for %v after %q", trial.ID, got, trial.Request.Begin)
		}
		l, ok := parseLabels(trial)
		if !ok || subsetID(l.In, l.Shown, 8) != trial.ID || (l.Heading != nil) != (i == 0) {
			t.Fatalf("%s: %s", trial.ID, trial.Labels)
		}
	}
	if len(ids) != len(trials) || len(keys) != len(trials) {
		t.Errorf("%d trials, %d ids, %d keys", len(trials), len(ids), len(keys))
	}
	full := trials[93]
	if !strings.HasSuffix(full.ID, "clinical-summary/o0/drop/11111111") {
		t.Errorf("the last of a setting is the full set, not %s", full.ID)
	}
	text := full.Request.Messages[1].Content
	for _, u := range s.Case.Units { // audited or not, every finding of the case is there
		if strings.Count(text, u.Text) != 1 {
			t.Errorf("%q stands %d times in\n%s", u.Text, strings.Count(text, u.Text), text)
		}
	}
	if empty := trials[0].Request.Messages[1].Content; strings.Count(empty, "Finding ") != 2 || !strings.HasSuffix(empty, "none recorded") {
		t.Errorf("without audited units:\n%s", empty)
	}
}

// Every setting that a check needs is asked once, with the subsets of its order.
func TestChecksOfACase(t *testing.T) {
	structured := []string{
		"clinical-summary/o0/drop", "clinical-summary/o0/drop#1", "clinical-summary/o0/drop#2", "clinical-summary/o1/drop", "clinical-summary/o2/drop",
		"questionnaire/o0/drop", "questionnaire/o1/drop", "questionnaire/o2/drop", "clinical-summary/o0/neutralize", "clinical-summary/o0/drop/target-salient",
		"clinical-summary/o0/drop/random-balanced.1", "clinical-summary/o0/drop/random-balanced.2", "clinical-summary/o0/drop/random-balanced.3"}
	narrative := append(slices.Clone(structured[:9]), "clinical-summary/o0/drop/random.1", "clinical-summary/o0/drop/random.2", "clinical-summary/o0/drop/random.3")
	for _, c := range []struct {
		name      string
		narrative bool
		change    func(*Options)
		want      []string
		each      int
	}{
		{"structured", false, nil, structured, 94},
		{"narrative", true, nil, narrative, 43},
		{"fewer orders in checks", false, func(o *Options) { o.CheckOrder = 1 }, structured, 10},
		{"not among the first", false, func(o *Options) { o.Rank["c"] = 1 }, structured[:1], 94},
		{"not drawn", false, func(o *Options) { o.Rank = nil }, structured[:1], 94},
		{"none wanted", false, func(o *Options) { o.Checks = Checks{} }, structured[:1], 94},
		{"stability alone", false, func(o *Options) { o.Checks = Checks{Stability: 5} }, slices.Concat(structured[:1], structured[3:8]), 94},
		{"cyclic", false, func(o *Options) { o.Debias, o.Checks = Cyclic, Checks{} }, []string{"clinical-summary/o0/drop", "clinical-summary/o0/drop/r1",
			"clinical-summary/o0/drop/r2", "clinical-summary/o0/drop/r3", "clinical-summary/o0/drop/r4", "clinical-summary/o0/drop/r5",
			"clinical-summary/o0/drop/r6", "clinical-summary/o0/drop/r7"}, 94},
		{"evidence first", false, func(o *Options) { o.EvidenceFirst, o.Checks = true, Checks{Neutralize: 1} },
			[]string{"clinical-summary/o0/drop/first", "clinical-summary/o0/neutralize/first"}, 94},
	} {
		a := audit(func(o *Options) {
			everyCheck(o)
			if c.change != nil {
				c.change(o)
			}
		})
		of := ten()
		of.Narrative = c.narrative
		counts, order := map[string]int{}, []string(nil)
		for _, trial := range a.Trials(subject(of), nil) {
			l, _ := parseLabels(trial)
			name := l.In
			if l.Replicate > 0 {
				name += fmt.Sprintf("#%d", l.Replicate)
			}
			if counts[name]++; counts[name] == 1 {
				order = append(order, name)
			}
		}
		if !slices.Equal(order, c.want) {
			t.Errorf("%s: asked\n%s\nwant\n%s", c.name, strings.Join(order, "\n"), strings.Join(c.want, "\n"))
		}
		for name, n := range counts {
			if base := name == c.want[0] && c.each == 10; n != c.each && !(base || c.each == 10 && strings.Contains(name, "#")) {
				t.Errorf("%s: %s has %d requests, want %d", c.name, name, n, c.each)
			}
		}
	}
}

// Without a number of its own, the noise is measured on ten cases, or on two where repetitions are identical.
func TestCasesOfTheFloor(t *testing.T) {
	for _, c := range []struct {
		layout       string
		floor, drawn int
		want         int
	}{{"", -1, 100, 10}, {"shared", -1, 100, 10}, {"exact", -1, 100, 2}, {"exact", 7, 100, 7}, {"shared", 0, 100, 0}, {"shared", -1, 4, 4}, {"exact", -1, 1, 1}} {
		repeated := 0
		for place := range c.drawn {
			a := audit(func(o *Options) {
				o.Checks, o.Rank, o.Drawn = Checks{Floor: c.floor}, map[string]int{"c": place}, map[string]int{"set": c.drawn}
				o.Can = map[string]percuss.Capabilities{"m": {Letters: true, Layout: c.layout}}
			})
			repeated += int(bit(a.checksOf(subject(ten())).floor))
		}
		if repeated != c.want {
			t.Errorf("layout %q, --floor %d: %d of %d cases, want %d", c.layout, c.floor, repeated, c.drawn, c.want)
		}
	}
}

// A prompt without content is asked once for each wording: no fact, no finding, no diagnosis by its name.
func TestPriorHasNoContent(t *testing.T) {
	a := audit(func(o *Options) { everyCheck(o); o.Debias = Prior })
	n := 0
	for _, trial := range a.Trials(subject(ten()), nil) {
		if !strings.HasPrefix(trial.ID, "prior/") {
			continue
		}
		n++
		text := trial.Request.Messages[1].Content
		for _, no := range []string{"Finding ", "Is there", "40", "d0"} {
			if strings.Contains(text, no) {
				t.Errorf("%s: %q stands in\n%s", trial.ID, no, text)
			}
		}
		if strings.Count(text, ". a diagnosis\n") != 8 || len(trial.Request.Want.Letters) != 8 {
			t.Errorf("%s: eight letters were wanted:\n%s", trial.ID, text)
		}
	}
	if n != 2 {
		t.Errorf("%d prompts without content, want one for each wording", n)
	}
}

// Two candidates have two orders: the third is not asked, and the trial says why. All findings audited: no selection.
func TestChecksThatCannotDiffer(t *testing.T) {
	c := ten()
	c.Candidates, c.Units = []string{"d0", "d1"}, c.Units[:8]
	seen := map[string]int{}
	for _, trial := range audit(everyCheck).Trials(subject(c), nil) {
		if !trial.Fired {
			seen[trial.Why]++
		}
	}
	for why, n := range map[string]int{"candidate order 2: there are no more orders of 2 candidates": 2, "other selectors: every finding is audited, so that none can choose otherwise": 4} {
		if seen[why] != n {
			t.Errorf("%q stands %d times, want %d: %v", why, seen[why], n, seen)
		}
	}
}

// The gold's place is no hint: over many cases it stands under every letter, and the file's order is an option. All
// candidate orders of a case differ.
func TestCandidateOrder(t *testing.T) {
	places := map[string]int{}
	a := audit(nil)
	text := func(options []percuss.Option) (out []string) {
		for _, x := range options {
			out = append(out, x.Text)
		}
		return out
	}
	for i := range 400 {
		c := ten()
		c.ID = string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		for _, option := range a.candidates(c, a.base()) {
			if option.Text == c.Gold {
				places[option.Label]++
			}
		}
		c.Candidates = c.Candidates[:2+i%3]
		var orders []string
		for k := range min(3, permutations(len(c.Candidates))) {
			orders = append(orders, strings.Join(text(a.candidates(c, Setting{Order: k})), " "))
		}
		if slices.Sort(orders); len(slices.Compact(slices.Clone(orders))) != len(orders) {
			t.Fatalf("case %s: an order comes twice: %v", c.ID, orders)
		}
	}
	for _, l := range []string{"A", "B", "C", "D", "E", "F", "G", "H"} {
		if places[l] < 20 || places[l] > 90 {
			t.Errorf("the gold is %s in %d of 400 cases, about 50 were expected", l, places[l])
		}
	}
	a = audit(func(o *Options) { o.FileOrder = true })
	if got := text(a.candidates(ten(), a.base())); !slices.Equal(got, eight) {
		t.Errorf("the file's order was asked for: %v", got)
	}
	if got := text(a.candidates(ten(), Setting{Rotation: 3})); !slices.Equal(got, slices.Concat(eight[3:], eight[:3])) {
		t.Errorf("rotated by three: %v", got)
	}
}

// Neighbours in the order of asking share the longest beginning: all sets that begin alike stand together.
func TestOrderOfSubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, order := rapid.IntRange(0, 10).Draw(t, "n"), rapid.IntRange(0, 10).Draw(t, "order")
		sets, err := shownSets(n, order)
		if err != nil || sets[len(sets)-1] != lattice.Full(n) {
			t.Fatalf("%v, %v", sets, err)
		}
		for first := 0; first <= n; first++ {
			seen, last := map[lattice.Set]bool{}, lattice.Set(1<<31)
			for _, s := range sets {
				begin := s & lattice.Full(first)
				if begin != last && seen[begin] {
					t.Fatalf("sets that begin with %b are torn apart: %b", begin, sets)
				}
				seen[begin], last = true, begin
			}
		}
		want := map[lattice.Set]bool{lattice.Full(n): true}
		for s := range lattice.Set(1 << n) {
			if bits.OnesCount32(uint32(s)) <= order {
				want[s] = true
			}
		}
		if len(want) != len(sets) {
			t.Fatalf("%d sets, want %d", len(sets), len(want))
		}
	})
}
