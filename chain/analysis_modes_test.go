package chain

import (
	"math"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"pgregory.net/rapid"
)

// publishedModels are the eleven open models of the chain paper, Table 3 (ECR), with the class that its section 7 names.
// It gives a mean chain of about 21 words for the two compressed models and of about 160 for the panel, and says of the
// two reasoning-tuned ones that they write a reasoning block.
var publishedModels = []struct {
	name       string
	ecr, words float64
	block      float64
	want       string
}{
	{"Mistral-7B", 0.72, 160, 0, modeInert}, {"Qwen2.5-7B", 0.78, 160, 0, modeInert}, {"Llama-3.1-8B", 0.87, 160, 0, modeInert},
	{"Gemma-2-9B", 0.90, 160, 0, modeInert}, {"Qwen2.5-14B", 0.92, 160, 0, modeInert}, {"BioMistral-7B", 0, 21, 0, modeCompression},
	{"Meditron-7B", 0.64, 160, 0, modeDerailment}, {"Med42-8B", 0.85, 160, 0, modeInert}, {"OpenBioLLM-8B", 0, 21, 0, modeCompression},
	{"HuatuoGPT-o1", 0.93, 160, 1, modeVerbose}, {"DeepSeek-R1-D", 0.93, 160, 1, modeVerbose},
}

func point(v float64) percuss.Estimate { return percuss.Estimate{Value: percuss.Num(v)} }

func spanned(lo, v, hi float64) percuss.Estimate {
	return percuss.Estimate{Value: percuss.Num(v), Lo: percuss.Num(lo), Hi: percuss.Num(hi)}
}

// TestPublishedModes: the figures of Tables 3 and 6 give the classes of the paper's section 7.
func TestPublishedModes(t *testing.T) {
	for name, g := range goldens(t) {
		if len(g.Joint.Rows) != len(publishedModels) {
			t.Fatalf("%s: %d models", name, len(g.Joint.Rows))
		}
		for _, m := range publishedModels {
			row, ok := g.Joint.Rows[m.name]
			if !ok {
				t.Fatalf("%s: no row of %s", name, m.name)
			}
			f := ModeFigures{ECR: point(m.ecr), Words: point(m.words), Block: point(m.block), Update: point((row[0] + row[1]) / 100),
				Decoupled: point(row[2] / 100), Drift: point((row[3] - row[2]) / 100)}
			got, borderline := Thresholds{}.Mode(f)
			if got != m.want || len(borderline) != 0 {
				t.Errorf("%s: %s is %q, want %q; borderline %q", name, m.name, got, m.want, borderline)
			}
		}
	}
}

// clear is a model far from every threshold: inert.
func clear() ModeFigures {
	return ModeFigures{ECR: spanned(0.6, 0.7, 0.8), Words: spanned(140, 150, 160), Block: spanned(0, 0, 0.01),
		Update: spanned(0.05, 0.1, 0.15), Decoupled: spanned(0.7, 0.8, 0.9), Drift: spanned(-0.8, -0.7, -0.6)}
}

func TestModeThresholds(t *testing.T) {
	missing := percuss.Absent("no labels")
	for _, c := range []struct {
		name   string
		change func(f *ModeFigures)
		t      Thresholds
		want   string
		doubt  string // in the remarks; empty: none
	}{
		{"clear", func(*ModeFigures) {}, Thresholds{}, modeInert, ""},
		{"no truncation keeps", func(f *ModeFigures) { f.ECR = spanned(0, 0, 0.3) }, Thresholds{}, modeCompression, ""},
		{"hardly any keeps", func(f *ModeFigures) { f.ECR = spanned(0, 0.02, 0.06) }, Thresholds{}, modeInert, "not chain compression: ECR 0.02 (0.00 to 0.06) against 0"},
		{"short", func(f *ModeFigures) { f.Words = spanned(30, 38, 39) }, Thresholds{}, modeCompression, ""},
		{"nearly short", func(f *ModeFigures) { f.Words = spanned(37, 42, 47) }, Thresholds{}, modeInert, "not chain compression: mean words of the chain 42 (37 to 47) against 40"},
		{"perhaps short", func(f *ModeFigures) { f.Words = spanned(35, 38, 44) }, Thresholds{}, modeCompression, "chain compression: mean words"},
		{"short and nothing keeps", func(f *ModeFigures) { f.ECR, f.Words = point(0), spanned(35, 38, 44) }, Thresholds{}, modeCompression, ""},
		{"exactly 40 words", func(f *ModeFigures) { f.Words = point(40) }, Thresholds{}, modeInert, ""},
		{"other threshold of words", func(f *ModeFigures) { f.Words = point(40) }, Thresholds{Words: 41}, modeCompression, ""},
		{"derailed", func(f *ModeFigures) { f.Drift = spanned(0.1, 0.2, 0.3) }, Thresholds{}, modeDerailment, ""},
		{"d equals c", func(f *ModeFigures) { f.Drift = point(0) }, Thresholds{}, modeInert, ""},
		{"perhaps derailed", func(f *ModeFigures) { f.Drift = spanned(-0.1, 0.1, 0.3) }, Thresholds{}, modeDerailment, "d − c 0.100 (-0.100 to 0.300) against 0"},
		{"long and early", func(f *ModeFigures) { f.Words, f.ECR = point(320), point(0.9) }, Thresholds{}, modeVerbose, ""},
		{"block and early", func(f *ModeFigures) { f.Block, f.ECR = point(0.5), point(0.95) }, Thresholds{}, modeVerbose, ""},
		{"block, perhaps early", func(f *ModeFigures) { f.Block, f.ECR = point(1), spanned(0.85, 0.89, 0.93) }, Thresholds{}, modeInert, "not verbose early-commit: ECR 0.89"},
		{"block, late", func(f *ModeFigures) { f.Block = point(1) }, Thresholds{}, modeInert, ""},
		{"inert at the threshold", func(f *ModeFigures) { f.Decoupled = point(0.6) }, Thresholds{}, modeInert, ""},
		{"coupled", func(f *ModeFigures) { f.Decoupled, f.Update = point(0.3), spanned(0.51, 0.6, 0.7) }, Thresholds{}, modeCoupled, ""},
		{"perhaps coupled", func(f *ModeFigures) { f.Decoupled, f.Update = point(0.3), spanned(0.4, 0.45, 0.55) }, Thresholds{}, modeUnclassified, "not coupled: a + b 0.450"},
		{"none", func(f *ModeFigures) { f.Decoupled = point(0.5) }, Thresholds{}, modeUnclassified, ""},
		{"a foreign log, long", func(f *ModeFigures) { *f = ModeFigures{missing, point(500), point(1), missing, missing, missing} }, Thresholds{}, modeUnclassified, "not verbose early-commit: ECR is missing: no labels"},
		{"a foreign log, short", func(f *ModeFigures) { *f = ModeFigures{missing, point(20), point(0), missing, missing, missing} }, Thresholds{}, modeCompression, ""},
	} {
		f := clear()
		c.change(&f)
		got, borderline := c.t.Mode(f)
		all := strings.Join(borderline, "\n")
		if got != c.want || (c.doubt == "") != (all == "") || !strings.Contains(all, c.doubt) {
			t.Errorf("%s: %q, borderline %q; want %q, %q", c.name, got, borderline, c.want, c.doubt)
		}
	}
}

// TestModeNarrows: without intervals nothing is borderline, and every class is one of the six.
func TestModeNarrows(t *testing.T) {
	known := []string{modeCompression, modeDerailment, modeVerbose, modeInert, modeCoupled, modeUnclassified}
	rapid.Check(t, func(t *rapid.T) {
		share := rapid.Float64Range(0, 1)
		f := ModeFigures{ECR: point(share.Draw(t, "ecr")), Words: point(rapid.Float64Range(0, 900).Draw(t, "words")), Block: point(share.Draw(t, "block")),
			Update: point(share.Draw(t, "update")), Decoupled: point(share.Draw(t, "c")), Drift: point(rapid.Float64Range(-1, 1).Draw(t, "drift"))}
		mode, borderline := Thresholds{}.Mode(f)
		if len(borderline) != 0 || !strings.Contains(strings.Join(known, "|"), mode) {
			t.Fatalf("%q, %q", mode, borderline)
		}
		// Whatever the intervals, the class is that of the values.
		wide := func(e percuss.Estimate) percuss.Estimate {
			v := e.Value.Or(math.NaN())
			return spanned(v-share.Draw(t, "below"), v, v+share.Draw(t, "above"))
		}
		g := ModeFigures{wide(f.ECR), wide(f.Words), wide(f.Block), wide(f.Update), wide(f.Decoupled), wide(f.Drift)}
		if again, _ := (Thresholds{}).Mode(g); again != mode {
			t.Fatalf("with intervals %q, without %q", again, mode)
		}
	})
}

// TestModesOfRun puts two models through a report: one whose 20-word chain can never be cut, one that follows edits.
func TestModesOfRun(t *testing.T) {
	b := paperBattery()
	var records []Record
	for i := range 40 {
		short := record("s", itoa(i), "A", "A", "", b, edit{id: "M5-a", answer: "A"})
		short.Base.Words, short.Subject.Model = 20, "short"
		follows := record("s", itoa(i), "A", "A", "", b, edit{id: "F1-25", answer: "A"}, edit{id: "M5-a", answer: "B", token: true})
		follows.Base.Words, follows.Base.Block, follows.Subject.Model = 100, i%10 == 0, "follows"
		records = append(records, short, follows)
	}
	f := summarised(t, Options{}, records...)
	if len(f.Modes) != 2 || f.Modes[0].Mode != modeCompression || f.Modes[1].Mode != modeCoupled {
		t.Fatalf("%+v", f.Modes)
	}
	for i, want := range []float64{1, 100, 0.1, 1, 0, 0} {
		near(t, "follows: "+f.Modes[1].Figures[i].ID, f.Modes[1].Figures[i].Value, want)
	}
	table := tableOf(t, f, "modes")
	if len(table.Rows) != 2 || table.Rows[0].Cells[2].Text != modeCompression || table.Rows[0].Cells[3].Text != "no" {
		t.Errorf("%+v", table.Rows)
	}
}

// TestGivenHasNoECR: a foreign log could not be asked on, so that no truncation kept an answer means nothing.
func TestGivenHasNoECR(t *testing.T) {
	b := paperBattery()
	r := record("s", "i", "A", "A", "", b, edit{id: "F1-50", answer: unparsed}, edit{id: "M5-a", answer: unparsed})
	r.Given, r.Base.Words = true, 400
	for i := range r.Operators {
		if r.Operators[i].Edit.Fired {
			r.Operators[i].Reading = Reading{State: Unavailable}
		}
	}
	f := summarised(t, Options{}, r)
	if e := value(t, f.Models[0], "ecr", ""); e.Value.OK() || e.Why == "" {
		t.Errorf("ECR of a foreign log: %+v", e)
	}
	if !decided(f, "foreign-log") || !strings.Contains(strings.Join(f.Cells[0].Remarks, "\n"), "From a foreign log") {
		t.Errorf("a foreign log is not named: %q", f.Cells[0].Remarks)
	}
	if f.Modes[0].Mode != modeUnclassified || len(f.Modes[0].Borderline) == 0 {
		t.Errorf("%+v", f.Modes[0])
	}
	if words := f.Modes[0].Words(); !strings.HasPrefix(words, "cannot be classified: ECR is missing (needs answered edits of F1), ") {
		t.Errorf("the mode is %q", words)
	}
	if row := tableOf(t, f, "modes").Rows[0]; row.Cells[2].Text != f.Modes[0].Words() || row.Cells[3].Text != "–" {
		t.Errorf("the table says %+v", row.Cells[:4])
	}
}
