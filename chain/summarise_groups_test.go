package chain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// as puts records under another model and prompt.
func as(model, variant string, records []Record) []Record {
	out := slices.Clone(records)
	for i := range out {
		out[i].Subject.Model, out[i].Subject.Variant = model, variant
	}
	return out
}

// single is a data set with one item, whose M5 edit leaves no trace: accuracy 1, CDR 1.
func single(set string) []Record {
	b := paperBattery()
	return []Record{record(set, "j1", "A", "A", "", b, edit{id: "M5-a", answer: "A"})}
}

// TestMeans: model m has the worked set (accuracy 2/3, CDR 4 of 10) and the single one (1, 1 of 1); model n the single
// one only.
func TestMeans(t *testing.T) {
	records := slices.Concat(as("m", "neutral", worked("w", paperBattery())), as("m", "neutral", single("one")), as("n", "strict", single("one")))
	f := summarised(t, Options{Models: map[string]Described{"m": {Tier: "general"}, "n": {Tier: "medical"}}}, records...)
	if len(f.Cells) != 3 || len(f.Models) != 2 || len(f.Tiers) != 2 || f.Panel == nil {
		t.Fatalf("%d cells, %d models, %d tiers, panel %v", len(f.Cells), len(f.Models), len(f.Tiers), f.Panel)
	}
	m, panel := f.Models[0], *f.Panel
	for _, c := range []struct {
		g    Group
		id   string
		want float64
	}{
		{m, "acc", (2.0/3 + 1) / 2}, {m, "cdr", 5.0 / 11}, {m, "cdr_mean", (0.4 + 1) / 2},
		// Only the worked set has a preserving edit; a set without a value is in no mean.
		{m, "afr_p", 5.0 / 12}, {m, "ecr", (1.0/3 + 0) / 2},
		{f.Tiers[0], "acc", (2.0/3 + 1) / 2}, {f.Tiers[0], "cdr", 5.0 / 11}, {f.Tiers[1], "cdr", 1},
		{panel, "acc", ((2.0/3+1)/2 + 1) / 2}, {panel, "cdr", (5.0/11 + 1) / 2}, {panel, "cdr_mean", (0.7 + 1) / 2},
	} {
		scope := ""
		if c.id == "afr_p" {
			scope = "all"
		}
		near(t, c.g.Name+" "+c.id, value(t, c.g, c.id, scope).Value, c.want)
	}
	if w := value(t, m, "afr_p", "all").Warnings; !strings.Contains(strings.Join(w, "\n"), "without a value, in no mean: one") {
		t.Errorf("afr_p warns %q", w)
	}
	// Flip matrices pool the trials: M5-a flips 1 of 2 in the worked set, 0 of 1 in the other.
	near(t, "M5-a of m", row(t, m.Operators, "M5-a").AFR.Value, 1.0/3)
	near(t, "M5-a of the panel", row(t, panel.Operators, "M5-a").AFR.Value, (1.0/3+0)/2)
	if panel.Items != 6 || m.Items != 5 || panel.Variant != "several" || m.Variant != "neutral" {
		t.Errorf("items %d and %d, prompt %q and %q", panel.Items, m.Items, panel.Variant, m.Variant)
	}
	// ECR of m is 1/6: its MFC is withheld although the worked cell has one.
	if !value(t, f.Cells[0], "mfc", "").Value.OK() || value(t, m, "mfc", "").Value.OK() || value(t, panel, "mfc", "").Value.OK() {
		t.Error("MFC of the cell, the model and the panel: want only the first")
	}
	if why := value(t, panel, "mfc", "").Why; why != "no model has one; m: ECR is 0.17, below 0.30" {
		t.Errorf("MFC of the panel is missing because %q", why)
	}
	// CDR of the panel: bounds are means too: ((4+1)/12 + 1)/2 for m with 12 fired, 5 decoupled.
	near(t, "lowest", panel.Joint[0].Lowest, (5.0/12+1)/2)
}

// TestPanelTakesTheFirstPrompt: a model under two prompts enters once.
func TestPanelTakesTheFirstPrompt(t *testing.T) {
	wrong := single("one")
	wrong[0].Base.Correct = false
	f := summarised(t, Options{}, slices.Concat(as("m", "neutral", single("one")), as("m", "strict", wrong), as("n", "neutral", single("one")))...)
	if len(f.Models) != 3 {
		t.Fatalf("%d models", len(f.Models))
	}
	near(t, "panel accuracy", value(t, *f.Panel, "acc", "").Value, 1)
	if !decided(f, "panel-prompt") {
		t.Error("no decision about the second prompt")
	}
}

// decided reports whether a decision is listed.
func decided(f Findings, id string) bool {
	return slices.ContainsFunc(f.Decisions, func(d percuss.Decision) bool { return d.ID == id })
}

func TestDecisions(t *testing.T) {
	b := paperBattery()
	records := worked("s", b)
	f := summarised(t, Options{Direct: true, Answer: TextLetters}, records...)
	for id, want := range map[string]bool{
		"answer-mode": true, "mixed-readings": true, "scopes": true, "ecr-denominator": true, "chs-classes": true, "stem": true,
		"m5-table": true, "direct-prompt": false, "f3-markers": false, "families": false, "pooling": false, "panel": false,
		"strict-prompt": false, "quotation": false, "dfg-low-firing": false, "silent-operators": true, "mfc-scope": true, "bootstrap": true,
		"cut-replies": true, "joint-dropped": true,
	} {
		want = want || id == "direct-prompt" // the worked items have direct answers
		if decided(f, id) != want {
			t.Errorf("%s: listed %v, want %v", id, !want, want)
		}
	}
	for i := range records[0].Operators {
		records[0].Operators[i].Edit.Marker = records[0].Operators[i].ID == "F3-a"
		records[0].Operators[i].Reading.Quoted = records[0].Operators[i].ID == "F3-a"
	}
	f = summarised(t, Options{}, as("m", "strict", records)...)
	for _, id := range []string{"f3-markers", "quotation", "strict-prompt"} {
		if !decided(f, id) {
			t.Errorf("%s is not listed", id)
		}
	}
	for variant, want := range map[string]bool{"strict+self-grounding": true, "neutral+self-grounding": false} {
		if decided(summarised(t, Options{}, as("m", variant, records)...), "strict-prompt") != want {
			t.Errorf("%s: the strict prompt is explained: %v, want %v", variant, !want, want)
		}
	}
	if row(t, f.Cells[0].Operators, "F3-a").Marker != 1 || !strings.Contains(strings.Join(f.Cells[0].Remarks, "\n"), "F3 changed the number of a step marker, not of the content: 1 edit.") {
		t.Errorf("marker edits: %q", f.Cells[0].Remarks)
	}
	if fam := summarised(t, Options{Battery: familiesBattery()}, record("s", "i", "A", "A", "", familiesBattery())); !decided(fam, "families") || decided(fam, "mfc-scope") {
		t.Error("the families battery is not explained")
	}
	if decided(summarised(t, Options{Answer: Letters}, records...), "cut-replies") || decided(summarised(t, Options{}, records[2]), "cut-replies") {
		t.Error("cut replies are explained where no text was read, or none was cut")
	}
	seen := map[string]bool{}
	for _, d := range f.Decisions {
		if seen[d.ID] || strings.Contains(d.Text, "%!") || !strings.HasSuffix(d.Text, ".") {
			t.Errorf("decision %+v", d)
		}
		seen[d.ID] = true
	}
}

// TestCompanionDecisions: what was asked beside the operators is named where it was asked, and only there.
func TestCompanionDecisions(t *testing.T) {
	records := worked("s", paperBattery())
	alone := summarised(t, Options{}, records...)
	asked := summarised(t, Options{Controls: []Control{Sham, Shuffle}, Margins: true, Judges: []Judge{{ID: "j"}}},
		slices.Concat(as("m", "neutral", records), as("n", "neutral", records))...)
	for _, id := range []string{"controls", "shuffle", "margins", "judges", "sweeps"} {
		if !decided(asked, id) || decided(alone, id) {
			t.Errorf("%s: listed %v where it applies, %v where it does not", id, decided(asked, id), decided(alone, id))
		}
	}
	for _, d := range asked.Decisions {
		switch d.ID {
		case "controls":
			if !strings.Contains(d.Text, "the same request again (sham); the options in another order (shuffle)") || strings.Contains(d.Text, "format") {
				t.Error(d.Text)
			}
		case "shuffle":
			if !strings.Contains(d.Text, "All of the above") {
				t.Error(d.Text)
			}
		case "sweeps":
			if !strings.Contains(d.Text, "(0.5, 0.3, 0.2), (0.4, 0.3, 0.3), (0.4, 0.4, 0.2), (0.5, 0.25, 0.25)") {
				t.Error(d.Text)
			}
		}
		if strings.Contains(d.Text, "%!") || !strings.HasSuffix(d.Text, ".") {
			t.Errorf("decision %+v", d)
		}
	}
}

// TestDropped: every fired trial enters the flip rates or is counted with its reason.
func TestDropped(t *testing.T) {
	g := summarised(t, Options{}, worked("s", paperBattery())...).Cells[0]
	want := []Count{{unread[percuss.Truncated], 2}, {readOtherWay, 1}, {noBase, 1}}
	slices.SortFunc(want[1:], func(a, b Count) int { return strings.Compare(a.Name, b.Name) })
	if !slices.Equal(g.Dropped, want) {
		t.Errorf("dropped %v, want %v", g.Dropped, want)
	}
	// Baselines 4 (one truncated), direct 4, edits 35 (two truncated).
	if len(g.Outcomes) != len(percuss.Outcomes())+1 || g.Outcomes[0].N != 40 || g.Outcomes[1].N != 3 {
		t.Errorf("outcomes %v", g.Outcomes)
	}
}

// TestNothing: no records, and records without any answer, give tables of missing values with reasons.
func TestNothing(t *testing.T) {
	f := summarised(t, Options{})
	if f.Panel != nil || len(f.Decisions) != 0 || !jsonHas(t, f, `"cells":[],"models":[],"analyses":[`) || !jsonHas(t, f, `"modes":[],"claims":[],"decisions":[]`) {
		t.Errorf("no records: %d cells, %v", len(f.Cells), f.Decisions)
	}
	b := paperBattery()
	var records []Record
	for _, id := range []string{"i1", "i2"} {
		records = append(records, record("s", id, "A", unparsed, "", b, edit{id: "F1-50", answer: unparsed}, edit{id: "M2-sex", answer: unparsed}))
	}
	for _, g := range []Group{summarised(t, Options{}, records...).Cells[0], summarised(t, Options{}, records...).Models[0]} {
		for _, m := range g.Metrics {
			if m.Value.OK() || m.Why == "" || m.Lo.OK() {
				t.Errorf("%s %s: %+v", m.ID, m.Scope, m.Estimate)
			}
		}
		if len(g.Metrics) != 43 {
			t.Errorf("%d metrics", len(g.Metrics))
		}
		if g.Dropped[0] != (Count{unread[percuss.Truncated], 4}) {
			t.Errorf("dropped %v", g.Dropped)
		}
		if row(t, g.Operators, "M2-sex").Rate.Value.Or(0) != 1 {
			t.Error("the firing rate is lost")
		}
	}
}

func jsonHas(t *testing.T, f Findings, want string) bool {
	t.Helper()
	raw, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(raw), want)
}

// TestOddRecords: a second record of an item, an operator that the battery lacks, and a record of another audit.
func TestOddRecords(t *testing.T) {
	b := paperBattery()
	r := worked("s", b)
	twice := append(slices.Clone(r), r[0])
	twice[1].Operators = append(slices.Clone(twice[1].Operators), OperatorTrial{ID: "X9-z", Flip: Flipped})
	f := summarised(t, Options{}, twice...)
	g := f.Cells[0]
	near(t, "acc", value(t, g, "acc", "").Value, 2.0/3)
	all := strings.Join(g.Remarks, "\n")
	for _, want := range []string{"item was already there: 1 record", "has no X9-z: 1 trial", "Only 4 items", "Without a baseline answer, in no flip rate: 1 of 4 items"} {
		if !strings.Contains(all, want) {
			t.Errorf("remarks lack %q:\n%s", want, all)
		}
	}
	foreign := func(yield func(percuss.Record) bool) { yield(otherRecord{}) }
	if got := New(Options{Battery: b}).Summarise(foreign).(Findings); len(got.Cells) != 0 {
		t.Errorf("a foreign record made a cell: %+v", got.Cells)
	}
}

type otherRecord struct{}

func (otherRecord) Of() percuss.SubjectID { return percuss.SubjectID{} }

// BenchmarkSummarise is the paper's panel: 12 models on 4 data sets, 200 items, 30 operators, 10,000 resamples.
func BenchmarkSummarise(b *testing.B) {
	bat := paperBattery()
	var records []Record
	rng := percuss.Rand(1, "", "", "bench")
	for model := range 12 {
		for set := range 4 {
			for item := range 200 {
				var edits []edit
				for _, op := range bat.Operators {
					if rng.IntN(10) < 7 {
						edits = append(edits, edit{id: op.ID, answer: []string{"A", "A", "A", "B", "C"}[rng.IntN(5)], token: rng.IntN(8) == 0})
					}
				}
				r := record(fmt.Sprint("set", set), itoa(item), "A", "A", "B", bat, edits...)
				r.Subject.Model = fmt.Sprint("model", model)
				records = append(records, r)
			}
		}
	}
	for _, n := range []int{2000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				New(Options{Battery: bat, Bootstrap: n}).Summarise(sequence(records...))
			}
		})
	}
}

// TestBandDecision: where there is a fairness gap, the decision on intervals says that its own is a band.
func TestBandDecision(t *testing.T) {
	chain := battery.Battery{Operators: paperBattery().Operators[:3]}
	for want, b := range map[bool]battery.Battery{true: paperBattery(), false: chain} {
		f := summarised(t, Options{Battery: b}, reasoner{n: 4, battery: b}.records()...)
		i := slices.IndexFunc(f.Decisions, func(d percuss.Decision) bool { return d.ID == "bootstrap" })
		if i < 0 || strings.Contains(f.Decisions[i].Text, "simultaneous bands") != want {
			t.Errorf("decisions: %+v, want a band: %t", f.Decisions, want)
		}
	}
}
